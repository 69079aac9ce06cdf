"""Texts of files that earlier calls of the session wrote, for a line that reads them.

What the session wrote is known like what the line itself writes: `eval "$(cat c.txt)"`,
`xargs rm -rf < list.txt` and `cat add.sh >> ~/.bashrc` are read with the text in its place. Not so
what was fetched: nobody has looked at it, so it stays a file of others, whatever it says now.

    session_texts("sh a.sh", place)     {"/p/a.sh": ". ./b.sh\\n", "/p/b.sh": "rm -rf build\\n"}
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.place import Place
from signoff.actions.shell.choices.composed import COMPOSE_FILES, ENV_FILE
from signoff.actions.shell.origins.marks import is_fetched

FILES_LIMIT = 8
TEXT_LIMIT = 20_000  # characters of one file
_NOTHING: Mapping[str, str] = {}


def _is_read_unnamed(path: str, line: str) -> bool:
    """Tell a file that a program reads by itself: compose its description and its variables."""
    return "compose" in line and path.rpartition("/")[2] in (*COMPOSE_FILES, ENV_FILE)


def session_texts(line: str, place: Place) -> Mapping[str, str]:
    """Return the texts, by absolute path, of session files that a line uses.

    Also of files that those files name.
    """
    facts = place.facts
    if not facts.written or not facts.files:
        return _NOTHING
    texts = {
        path: fact.text
        for path, fact in facts.files.items()
        if fact.text
        and len(fact.text) <= TEXT_LIMIT
        and path in facts.written
        and not is_fetched(path, place)
    }
    found = {path: text for path, text in texts.items() if _is_read_unnamed(path, line)}
    todo = [line] if texts else []
    while todo and len(found) < FILES_LIMIT:
        text = todo.pop()
        for path, content in texts.items():
            if path not in found and path.rpartition("/")[2] in text:
                found[path] = content
                todo.append(content)
    return found
