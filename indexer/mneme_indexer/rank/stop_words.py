"""Words that say nothing about which code is meant."""

# Function words of English and the verbs that stand in every task.
_STOP = """
a about above after again against all also am an and any are aren as at be because been before being
below between both but by can cannot could couldn did didn do does doesn doing don done down during
each either else few for from further had has have having he her here him his how however i if in
into is isn it its itself just let like made make makes making may me might more most much must my
neither no nor not now of off on once only onto or other our out over own per please rather same
shall she should since so some still such than that the their them then there these they this those
though through to too under until up upon us use used uses using very via was wasn we were what when
where whether which while who whom whose why will with within without won would yet you your
"""
# What stands before the colon of a first line and is no scope.
_TYPES = """
bug bugfix build chore ci deps doc docs feat feature fix hotfix improvement issue note perf refactor
release revert style task test tests todo types update wip
"""
STOP_WORDS = frozenset(_STOP.split())
COMMIT_TYPES = frozenset(_TYPES.split())
