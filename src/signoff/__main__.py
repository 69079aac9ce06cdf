"""The command `signoff`, also `python -m signoff`."""

from __future__ import annotations

import gc
import sys

# Before it a folder made for one user alone is open to others on Windows (CVE-2024-4030).
LEAST_ON_WINDOWS = (3, 12, 4)
TOO_OLD = "signoff: Windows needs Python 3.12.4 or later; nothing was judged or changed"


def main() -> None:
    """Run the command line; a host's hook goes straight to its code."""
    if sys.platform == "win32" and sys.version_info < LEAST_ON_WINDOWS:
        sys.stderr.write(f"{TOO_OLD}\n")
        sys.exit(2)  # what hosts read as a denial
    # Not with an option: `signoff hook --help` is read by the command line.
    if sys.argv[1:2] == ["hook"] and sys.argv[2:] and not sys.argv[2].startswith("-"):
        # Every call of an agent waits for this start, and the hook needs no command line reader.
        from signoff.frontends.hosts import local_hook  # noqa: PLC0415 - see above

        sys.exit(local_hook.run(sys.argv[2:]))
    gc.disable()  # until the command is loaded (`frontends/cli/app.py`): a start leaves no garbage
    try:
        from signoff.frontends.cli.app import app  # noqa: PLC0415 - the hook does without it

        app()
    except Exception:  # noqa: BLE001 - Python's own status for a failure is 1, which means ask
        import traceback  # noqa: PLC0415 - only a failure needs it

        traceback.print_exc()
        sys.exit(2)


if __name__ == "__main__":
    main()
