"""Modules that the session wrote, as a snippet imports them: their constants and their functions.

    conf.py `OUT = Path.home()`; `from conf import OUT`     OUT is the home folder
    sweep.py `def run(): shutil.rmtree(OUT)`; `from sweep import run; run()`     it is deleted

Functions are followed only from modules that delete something, and only where they may be called
without being given anything: what others do depends on their callers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from signoff.actions.code.settings.session_files import module_file
from signoff.actions.code.value import UNKNOWN, Value
from signoff.actions.place import Place
from signoff.actions.vocabulary import lazy_re2

_SETTINGS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
_DELETES = lazy_re2(r"rmtree|\bunlink\(|\brmdir\(|\bremove\(|\brm\s+-|\bdrop\w*\(|\bdelete\w*\(")


def session_module(name: str, place: Place) -> tuple[str, str] | None:
    """Return path and text of a module by its dotted name, None if the session did not write it."""
    return module_file(name.replace(".", "/"), (".py", "/__init__.py"), place)


def statements_of(tree: ast.Module, text: str) -> list[ast.stmt]:
    """Return what of a module is evaluated when it is imported: settings, functions that delete."""
    is_deleting = _DELETES.search(text) is not None
    return [
        one
        for one in tree.body
        if isinstance(one, _SETTINGS)
        or (is_deleting and isinstance(one, ast.FunctionDef) and _needs_nothing(one.args))
    ]


def exported(names: Mapping[str, Value]) -> dict[str, Value]:
    """Return the names of a module of which something is known."""
    return {name: value for name, value in names.items() if value != UNKNOWN and name != "__file__"}


def _needs_nothing(given: ast.arguments) -> bool:
    positional = len(given.posonlyargs) + len(given.args)
    return positional <= len(given.defaults) and None not in given.kw_defaults
