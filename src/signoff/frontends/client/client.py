"""The hook client, by whose path hosts start it; what it does is in `exchange.py`.

python -I -S client.py HOST --socket PATH --deadline S --without WAY [--report yes]

A program that is started by its path is compiled again each time, a module is not: so this file is
small. It refuses even where the module is missing or broken.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import nt as posix
else:
    import posix

if __name__ == "__main__":
    try:
        # `-I` keeps the script's own folder out of the path, so it is named here.
        sys.path.insert(0, __file__.replace("\\", "/").rpartition("/")[0])
        import exchange  # type: ignore[import-not-found]  # of this folder

        exchange.run(sys.argv)
    except BaseException:  # noqa: BLE001 - whatever it is, the call is refused
        try:
            posix.write(2, b"signoff: cannot decide, so it is refused: the client is broken\n")
        finally:
            posix._exit(2)
    posix._exit(2)  # the module ends this process itself; who comes here was not answered
