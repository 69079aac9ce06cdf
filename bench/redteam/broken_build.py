"""signoff without one of its protections: an environment with a changed copy of the code.

The product has no switch that turns a protection off. So its package is copied, one text in it is
replaced, and every process that this environment's interpreter starts uses the copy.

    with broken_build("src/signoff/x.py", "if wrong:", "if False:") as python:
        subprocess.run([python, "-m", "pytest", ...])
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = Path("src/signoff")


class NothingToBreak(Exception):
    """The text that is to be replaced is not there, so the control would show nothing."""


def broken_text(file: str, old: str, new: str) -> str:
    """Return the text of a file of signoff with one place replaced.

    Raises:
        NothingToBreak: the place is not there, or there are several.
    """
    text = (ROOT / SOURCE / file).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise NothingToBreak(f"{file} holds {old!r} {text.count(old)} times, not once")
    return text.replace(old, new)


@contextlib.contextmanager
def broken_build(file: str, old: str, new: str) -> Iterator[str]:
    """Make the environment; give the path of its interpreter.

    Raises:
        NothingToBreak: as `broken_text`.
    """
    text = broken_text(file, old, new)
    with tempfile.TemporaryDirectory(prefix="signoff-broken-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        shutil.copytree(ROOT / SOURCE, folder / SOURCE, ignore=shutil.ignore_patterns("*.pyc"))
        (folder / SOURCE / file).write_text(text, encoding="utf-8")
        venv.EnvBuilder(symlinks=True).create(folder / "env")
        python = folder / "env" / "bin" / "python"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        packages = folder / "env" / "lib" / version / "site-packages"
        # The copy stands before the packages of this environment, whose `.pth` files are not read.
        lines = f"{folder / 'src'}\n{sysconfig.get_path('purelib')}\n"
        (packages / "broken.pth").write_text(lines, encoding="utf-8")
        yield str(python)
