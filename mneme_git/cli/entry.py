"""The console script: what every command of ``mneme`` starts and ends with."""

import os
import sys

_OUR_FAULT = 70


def main() -> None:
    """Run the command line; a fault of ours ends in exit status 70 and says what to report."""
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away; what it wanted it has. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:  # noqa: BLE001 - the last door: whatever comes here is a bug
        _report_bug(error)
        raise SystemExit(_OUR_FAULT) from None


def _run() -> None:
    if sys.argv[1:2] == ["check"]:
        from mneme_git.cli.fast_check import run

        status = run(sys.argv[2:])
        if status is not None:
            raise SystemExit(status)
    from mneme_git.cli.main import build

    build(sys.argv[1] if len(sys.argv) > 1 else "")()


def _report_bug(error: Exception) -> None:
    import traceback  # an eighth of the time of a small check

    from mneme_git import __version__

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} in {frame.name}"
    sys.stderr.write(
        f"ERROR: this is a fault in mneme {__version__}: {type(error).__name__}: {error} ({where})\n"
        "hint: report it with the command you ran and this line\n"
    )
