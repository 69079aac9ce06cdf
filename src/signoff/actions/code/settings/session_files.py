"""Texts of files that the session wrote, for code that reads or imports them.

Only what the session wrote itself counts: what was fetched, and what holds secrets, stays unread.

    session_text("/p/old.txt", place)         "build/a\\nbuild/b\\n"
    module_text("app.conf", (".py",), place)  the text of /p/app/conf.py
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.paths import locate
from signoff.actions.place import Place

TEXT_LIMIT = 20_000


def session_text(path: str, place: Place) -> str | None:
    """Return the text of a file, by its absolute path; None if the session did not write it."""
    facts = place.facts
    if path not in facts.written or path in facts.downloaded:
        return None
    if any([one.endswith("/") and path.startswith(one) for one in facts.downloaded]):
        return None
    fact = facts.files.get(path)
    text = fact.text if fact is not None else None
    if not text or len(text) > TEXT_LIMIT:
        return None
    is_secret = locate(path, place).kind in SECRET_KINDS
    return None if is_secret else text


def module_file(name: str, endings: Sequence[str], place: Place) -> tuple[str, str] | None:
    """Return path and text of a module by its name, with slashes; None if it is not known.

    It lies in the working folder, or is the only one of that name that the session wrote.
    """
    if not place.facts.written or not name.strip("./"):
        return None
    wanted = [f"/{name.lstrip('./')}{ending}" for ending in endings]
    here = [f"{place.cwd}{one}" for one in wanted]
    near = [path for path in here if path in place.facts.written]
    found = near or [
        path
        for path in place.facts.written
        if path.endswith(tuple(wanted)) and path.startswith(f"{place.project}/")
    ]
    text = session_text(found[0], place) if len(found) == 1 or near else None
    return None if text is None else (found[0], text)
