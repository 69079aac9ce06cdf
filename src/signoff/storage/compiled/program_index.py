"""Keeps the compiled index of program descriptions in a checkout, so that only its first use pays.

A wheel brings its index (`hatch_build.py`). In a checkout the index is compiled in memory where it
is missing or older than the YAML files, and written beside them here. It is code of this package:
whoever can write it can write the Python files next to it.
"""

from __future__ import annotations

import contextlib
import os
import secrets

from signoff.actions.programs import registry

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(registry.__file__)), "data")


def keep_index(folder: str = _FOLDER) -> bool:
    """Write the index where what is stored is not current; a failure to write is no failure.

    Returns:
        whether it was written.
    """
    made = registry.compiled_now()
    if made is None:
        return False
    file = os.path.join(folder, registry.INDEX_FILE)
    aside = f"{file}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        with open(aside, "xb") as target:
            target.write(made)
        os.replace(aside, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        return False
    return True
