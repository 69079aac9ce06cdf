"""The command `signoff`, also `python -m signoff`."""

from __future__ import annotations

import gc
import sys

WINDOWS = (
    "signoff: Windows itself is not supported, and nothing was judged or changed. Run signoff in"
    " WSL (docs/how-to/install.md, Windows)"
)


def main() -> None:
    """Run the command line; a host's hook goes straight to its code."""
    if sys.platform == "win32":
        # The daemon, its files and its terminals need POSIX; 2 is what hosts read as a denial.
        sys.stderr.write(f"{WINDOWS}\n")
        sys.exit(2)
    # Not with an option: `signoff hook --help` is read by the command line.
    if sys.argv[1:2] == ["hook"] and sys.argv[2:] and not sys.argv[2].startswith("-"):
        # Every call of an agent waits for this start, and the hook needs no command line reader.
        from signoff.frontends.hosts import local_hook  # noqa: PLC0415 - see above

        sys.exit(local_hook.run(sys.argv[2:]))
    gc.disable()  # until the command is loaded (`cli/app.py`): a start leaves no garbage
    try:
        from signoff.frontends.cli.app import app  # noqa: PLC0415 - the hook does without it

        app()
    except Exception:  # noqa: BLE001 - Python's own status for a failure is 1, which means ask
        import traceback  # noqa: PLC0415 - only a failure needs it

        traceback.print_exc()
        sys.exit(2)


if __name__ == "__main__":
    main()
