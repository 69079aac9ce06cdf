"""Python that calls a function of a module the session wrote: both read as one text.

Alone, the module deletes what it is given and the code gives it a name; only together they say
what is deleted.

    tools/wipe.py                             def go(path): shutil.rmtree(path)
    python -c 'import wipe; wipe.go("/")'     both as one text: deletes `/`
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from signoff.actions.facts import Facts
from signoff.actions.vocabulary import lazy_re

LINE_LIMIT = 4_096
TEXT_LIMIT = 20_000
MODULES_LIMIT = 8
_PYTHON = lazy_re(r"(?:\S*/)?(?:python[\d.]*|pypy3?)")
_IMPORT = lazy_re(r"(?m)(?:^|[;\n])[ \t]*import[ \t]+([^;\n#]+)")
_FROM = lazy_re(r"(?m)(?:^|[;\n])[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([^;\n#)]+)")
_NAMED = lazy_re(r"\s*([\w.]+)(?:\s+as\s+(\w+))?\s*")


def joined_texts(line: str, facts: Facts) -> Iterator[str]:
    """Yield a line's Python code with the session's modules it imports inserted."""
    if "import" not in line and not any(path.endswith(".py") for path in facts.written):
        return
    for code in _codes(line, facts):
        if "import" in code and (text := _with_modules(code[:TEXT_LIMIT], facts)):
            yield text


def _codes(line: str, facts: Facts) -> Iterator[str]:
    """Yield the Python that a line runs: behind `-c`, and in files whose text is known."""
    try:
        words = shlex.split(line[:LINE_LIMIT], comments=False)
    except ValueError:  # an open quote: the line is judged by other means
        return
    is_python = False
    for before, word in zip(["", *words], words, strict=False):
        if _PYTHON.fullmatch(word):
            is_python = True
        elif is_python and before == "-c":
            yield word
        elif is_python and word.endswith(".py"):
            fact = facts.files.get(word)
            if fact is not None and fact.text:
                yield fact.text


def _with_modules(code: str, facts: Facts) -> str:
    """Return code behind the texts of what it imports, "" if it imports nothing of the session."""
    texts: list[str] = []
    bound: list[str] = []
    for module, name, own in _imports(code):
        text = _text_of(f"{module}.{name}" if name else module, facts)
        if text is None and name:
            text = _text_of(module, facts)
            if text is not None:
                # The import would stand between the name and the function that is put in.
                code = _without_import(code, module)
                bound += [f"{own} = {name}"] if own != name else []
        elif text is not None:
            code = re.sub(rf"(?<![\w.]){re.escape(own)}\.(?=[A-Za-z_])", "", code)
        if text is not None and text not in texts:
            texts.append(text)
    return "\n".join([*texts, *bound, code]) if texts else ""


def _without_import(code: str, module: str) -> str:
    return _FROM.sub(lambda found: "" if found[1] == module else found[0], code)


def _imports(code: str) -> Iterator[tuple[str, str, str]]:
    """Yield module, name in it, and what the code calls it."""
    found: list[tuple[str, str, str]] = []
    for names in _IMPORT.findall(code):
        for one in names.split(","):
            if match := _NAMED.fullmatch(one):
                found.append((match[1], "", match[2] or match[1]))
    for module, names in _FROM.findall(code):
        for one in names.split(","):
            if match := _NAMED.fullmatch(one):
                found.append((module, match[1], match[2] or match[1]))
    yield from found[:MODULES_LIMIT]


def _text_of(module: str, facts: Facts) -> str | None:
    """Return the text of a module that the session wrote, wherever it is looked for."""
    ends = f"/{module.lstrip('.').replace('.', '/')}"
    for path in sorted(facts.written):
        if path.endswith((f"{ends}.py", f"{ends}/__init__.py")):
            fact = facts.files.get(path)
            if fact is not None and fact.text:
                return fact.text[:TEXT_LIMIT]
    return None
