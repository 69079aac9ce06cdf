"""`rm LINK` removes the link and not what it leads to (unlink(2))."""

from __future__ import annotations

from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.vocabulary import words
from signoff.values import replace

UNLINKS = words("rm grm unlink trash trash-put rmtrash rip")


def place_of_removal(text: str, place: Place, program: str) -> Place:
    """Return the place without what the link named by `text` leads to.

    A link is told by another name at its end; above it stands a folder that is known as it is.
    """
    if not place.files or program not in UNLINKS:
        return place
    path = locate(text, replace(place, files={})).path
    fact = place.files.get(text) or place.files.get(path)
    folder, _, name = path.rpartition("/")
    is_link = fact is not None and fact.real_path.rpartition("/")[2] not in {"", name}
    is_itself = text.rpartition("/")[2] == name  # no `LINK/`, `LINK/.` or `LINK/*`
    if not is_link or not is_itself or folder not in {place.cwd, place.project}:
        return place
    return replace(place, files={k: one for k, one in place.files.items() if one != fact})
