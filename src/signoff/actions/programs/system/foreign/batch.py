"""Lines of `cmd` as lines of a shell: escapes, conditions, loops, backslashes.

as_shell("r^d /s /q C:\\Users")                       "rd /s /q C:/Users"
as_shell("if exist build rd /s /q build")             "rd /s /q build"
as_shell("for /d %i in (*) do rd /s /q %i")           "for i in *; do rd /s /q \"$i\"; done"
"""

from __future__ import annotations

import re

LIMIT = 8_192
LEVELS = 4
_CONDITION = re.compile(
    r"\s*@?if\s+(?:/i\s+)?(?:not\s+)?"
    r"(?:exist\s+(?:\"[^\"]*\"|\S+)|errorlevel\s+\d+|defined\s+\S+|\S+\s*==\s*\S+)\s+",
    re.IGNORECASE,
)
_LOOP = re.compile(
    r"\s*@?for\s+(?P<kind>/[dflr]\s+)?(?:\"[^\"]*\"\s+)?%%?(?P<name>[a-z])\s+in\s+"
    r"\((?P<items>[^()]*)\)\s+do\s+(?P<body>.*)",
    re.IGNORECASE | re.DOTALL,
)


def as_shell(text: str, level: int = 0) -> str:
    """Write one line of `cmd` as the shell line that does the same, as far as it is known."""
    if len(text) > LIMIT or level > LEVELS:
        return text
    if not level:
        text = text.replace('\\"', '"').replace("^", "").replace("\\", "/")
    condition = _CONDITION.match(text)
    if condition is not None:
        return as_shell(text[condition.end() :].strip("() "), level + 1)
    loop = _LOOP.match(text)
    if loop is None:
        return text.lstrip("@ ")
    body, name = loop["body"].strip("() "), loop["name"].lower()
    whole = body.strip() in {f"%{loop['name']}", f"%%{loop['name']}"}
    used = f"${name}" if whole else f'"${name}"'
    body = re.sub(rf"%%?(?:~\w*)?{loop['name']}", lambda _: used, as_shell(body, level + 1))
    return f"for {name} in {_items(loop['kind'] or '', loop['items'].strip())}; do {body}; done"


def _items(kind: str, items: str) -> str:
    """What a loop goes over: a list, the lines of a file, or those that a command prints."""
    if kind.strip().lower() != "/f":
        return items.replace(",", " ")
    if items[:1] == items[-1:] and items[:1] in {"'", "`"}:
        return f"$({items[1:-1]})"
    return f"$(cat {items})"
