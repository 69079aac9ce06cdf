"""`rm LINK` removes the link and not what it leads to (unlink(2))."""

from __future__ import annotations

from signoff.actions.facts import is_made_link
from signoff.actions.paths import is_inside, locate
from signoff.actions.place import Place
from signoff.actions.vocabulary import words
from signoff.values import replace

UNLINKS = words("rm grm unlink trash trash-put rmtrash rip")


def place_of_removal(text: str, place: Place, program: str) -> Place:
    """Return the place without the file facts that a removed link leads to.

    A link is told by another name at its end; no folder above it is known to be one.
    """
    if not place.files or program not in UNLINKS:
        return place
    path = locate(text, replace(place, files={})).path
    fact = place.files.get(text) or place.files.get(path)
    folder, _, name = path.rpartition("/")
    # One that the same line makes is known by its name with a slash, too.
    is_made = f"{path}/" in place.files
    is_link = fact is not None and (is_made or fact.real_path.rpartition("/")[2] not in {"", name})
    is_link = is_link or is_made_link(path, fact, place.facts)
    is_itself = text.rpartition("/")[2] == name  # no `LINK/`, `LINK/.` or `LINK/*`
    is_near = folder == place.cwd or is_inside(folder, place.project or place.cwd)
    if not is_link or not is_itself or not is_near or _is_led_away(folder, place):
        return place
    return replace(place, files={k: one for k, one in place.files.items() if one != fact})


def _is_led_away(folder: str, place: Place) -> bool:
    """Whether a folder above is known to be a link itself."""
    while folder and folder != place.project:
        fact = place.files.get(folder)
        if fact is not None and fact.real_path != folder:
            return True
        folder = folder.rpartition("/")[0]
    return False
