"""Quoting of values inside messages, in the way the decision-index format fixes them."""


def quoted(value: object) -> str:
    """Return a text in single quotes, with double quotes if it holds a single quote and no double one.

    Backslashes, control and unprintable characters are escaped; other text is shown as it is.
    Lists, tuples, None and booleans are shown in the same notation.
    """
    return repr(value)
