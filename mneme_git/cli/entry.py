"""The console script: what every command of ``mneme`` starts and ends with."""

import sys
import traceback

_OUR_FAULT = 70


def main() -> None:
    """Run the command line; a fault of ours ends in exit status 70 and says what to report."""
    try:
        _run()
    except BrokenPipeError:
        # The reader went away; what it wanted it has. Python would complain again at exit.
        sys.stderr.close()
        raise SystemExit(0) from None
    except Exception as error:  # noqa: BLE001 - the last door: whatever comes here is a bug
        _report_bug(error)
        raise SystemExit(_OUR_FAULT) from None


def _run() -> None:
    from mneme_git.cli.main import build

    build()()


def _report_bug(error: Exception) -> None:
    from mneme_git import __version__

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} in {frame.name}"
    sys.stderr.write(
        f"ERROR: this is a fault in mneme {__version__}: {type(error).__name__}: {error} ({where})\n"
        "hint: report it with the command you ran and this line\n"
    )
