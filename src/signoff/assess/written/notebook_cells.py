"""Cells of notebooks of the session that a line runs: `papermill a.ipynb`, `jupyter execute`.

A cell is Python with lines for a shell among it (`!rm -rf ~`, `%%bash`). Notebooks that are shown
or converted and not run are no code.

    cells_run("papermill a.ipynb out.ipynb", place)      (("shell", "rm -rf ~"), ("python", "..."))
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator

from signoff.actions.place import Place
from signoff.actions.vocabulary import lazy_re

CELLS_LIMIT = 60
TEXT_LIMIT = 262_144
_NAMED = lazy_re(r"[\w./~-]+\.ipynb\b")
_RUNS = lazy_re(
    r"\b(?:papermill|nbclient|jupyter-execute|runipy|ploomber|quarto\s+render|treon|nbmake|ipython"
    r"|jupyter\s+(?:execute|run))\b|--execute\b|--ExecutePreprocessor\.enabled=True"
)
_TO_SHELL = lazy_re(r"^\s*(?:[\w, ]{1,60}=\s*)?(?:!{1,2}|%sx\s|%system\s)\s*(.+)$")
_SHELL_CELL = lazy_re(r"^\s*%%(?:bash|sh|script\s+(?:ba|z)?sh|system|sx|!)\b[^\n]*\n")


def cells_run(line: str, place: Place) -> Iterator[tuple[str, str]]:
    """Yield ("shell" or "python", text) of the cells of the notebooks that a line runs."""
    if ".ipynb" not in line or _RUNS.search(line) is None:
        return
    for name in dict.fromkeys(_NAMED.findall(line)):
        path = posixpath.normpath(posixpath.join(place.cwd, name))
        fact = place.files.get(path) or place.files.get(name)
        if path in place.facts.written and fact is not None and fact.text:
            yield from _read(fact.text[:TEXT_LIMIT])


def _read(text: str) -> Iterator[tuple[str, str]]:
    code: list[str] = []
    for source in _sources(text):
        head = _SHELL_CELL.match(source)
        if head is not None:
            yield "shell", source[head.end() :]
            continue
        for one in source.split("\n"):
            found = _TO_SHELL.match(one)
            if found is not None:
                yield "shell", found[1]
            elif not one.lstrip().startswith("%"):
                code.append(one)
    if code:
        # Names of one cell are used in later ones.
        yield "python", "\n".join(code)


def _sources(text: str) -> Iterator[str]:
    try:
        notebook = json.loads(text)
    except ValueError:
        return
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for cell in cells[:CELLS_LIMIT] if isinstance(cells, list) else ():
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            given = cell.get("source")
            yield "".join(map(str, given)) if isinstance(given, list) else str(given or "")
