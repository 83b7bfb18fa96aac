"""The console script: what every command of ``mneme`` starts and ends with."""

import gc
import os
import sys

from mneme_git.cli.streams import prepare

_OUR_FAULT = 70
_REFUSED = 2


def main() -> None:
    """Run the command line; a fault of ours ends in exit status 70 and says what to report.

    One command lives too briefly for a search for garbage to be worth its time, which is a third of
    reading a large store. A server turns it on again.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        _guarded()
    finally:
        if was_collecting:
            gc.enable()


def _guarded() -> None:
    answer = prepare()
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
            if answer is not None and answer.failed is not None:
                _report_untold(answer.failed)
                raise SystemExit(_REFUSED)
    except BrokenPipeError:
        # The reader went away; what it wanted it has. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:
        _report_system(error)
        raise SystemExit(_REFUSED) from None
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


def _report_untold(error: OSError) -> None:
    sys.stderr.write(
        f"ERROR: the answer could not be written to standard output: {error.strerror}\n"
        "hint: the command itself ran to its end; `mneme status` shows what is recorded now\n"
    )


def _report_system(error: OSError) -> None:
    """Say which file the system refused: rights and disks are the user's to see to, not a bug."""
    what = f"cannot read or write '{error.filename}'" if error.filename else "the system refused"
    sys.stderr.write(
        f"ERROR: {what}: {error.strerror or error}\n"
        "hint: check the permissions there and the space on the disk, then run the command again\n"
    )


def _report_bug(error: Exception) -> None:
    import traceback  # an eighth of the time of a small check

    from mneme_git import __version__

    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} in {frame.name}"
    sys.stderr.write(
        f"ERROR: this is a fault in mneme {__version__}: {type(error).__name__}: {error} ({where})\n"
        "hint: report it with the command you ran and this line\n"
    )
