"""The places of a line's commands: their folders, and the files and links made before them.

ln -s ~ out ; rm -rf out/Documents    a folder of the home
ln -s ~ out ; rm -rf out              the link alone
"""

from __future__ import annotations

from signoff.actions.facts import FileFact
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.values import replace

ENTERING = frozenset({"cd", "pushd"})
EXPORTS = frozenset({"export", "declare", "typeset"})


class LinePlaces:
    """Gives the place of each command of a line, in order."""

    __slots__ = ("_by_folder", "_exported", "_links", "_pattern", "_place")

    def __init__(self, place: Place) -> None:
        self._place = place
        self._by_folder: dict[str, Place] = {}
        self._links: dict[str, FileFact] = {}
        self._exported: dict[str, str] = {}
        self._pattern = ""

    def of(self, command: Command) -> Place:
        """Return the place of the next command."""
        here = self._place if command.cwd == self._place.cwd else self._elsewhere(command.cwd)
        if self._pattern and not command.cwd:
            here = replace(here, cwd_pattern=self._pattern)
        if command.program in ENTERING:
            self._enter(command, here)
        if command.assignments or self._exported:
            here = replace(here, variables=self._variables(command))
        if command.program == "ln":
            self._links.update(_links_made(command, here))
            return here
        if not command.known_files and not self._links:
            return here
        looks = {path: FileFact(real_path=path, text=text) for path, text in command.known_files}
        # What was known of the names below a new link is true of other files.
        behind = tuple([name for name in self._links if name.endswith("/")])
        known = {name: fact for name, fact in here.files.items() if not name.startswith(behind)}
        return replace(here, files={**known, **self._links, **looks})

    def _elsewhere(self, folder: str) -> Place:
        """Return the place of commands in another folder."""
        here = self._by_folder.get(folder)
        if here is None:
            here = self._by_folder[folder] = replace(self._place, cwd=folder)
        return here

    def _enter(self, command: Command, here: Place) -> None:
        """Keep where `cd ~/.ss*` leads, as a pattern: the folder itself is unknown."""
        to = [word for word in command.words[1:] if word.text[:1] != "-"]
        if len(to) != 1 or not to[0].is_known:
            return
        text = to[0].text
        if text[:1] == "~":
            text = here.home + text[1:]
        folder = here.cwd or here.cwd_pattern
        whole = text if text[:1] == "/" else f"{folder}/{text}" if folder else ""
        self._pattern = whole if to[0].has_glob or here.cwd_pattern else ""

    def _variables(self, command: Command) -> dict[str, str]:
        """What a command finds in its environment, as far as the line sets it."""
        own = {name: word.text for name, word in command.assignments if word.is_known}
        if command.program in EXPORTS:
            self._exported.update(own)
        return {**self._exported, **own}


def _links_made(command: Command, place: Place) -> dict[str, FileFact]:
    """What lies behind a symbolic link, by the ways to write a path through it."""
    texts = [word.text for word in command.words[1:]]
    names = [word.text for word in command.words[1:] if word.text[:1] != "-" and word.is_known]
    is_symbolic = any([text[:1] == "-" and "s" in text.lower() for text in texts])
    if not is_symbolic or len(names) != 2 or names[1].endswith("/"):
        return {}
    source, target = names
    real, at = locate(source, place, has_glob=False).path, locate(target, place, has_glob=False)
    if not real or not at.path:
        return {}
    fact = FileFact(real_path=real, is_directory=True)
    # `rm out` takes the link alone (`removed_links`); other programs follow it by its name, too.
    return {
        f"{name}{rest}": fact for name in (target, at.path) for rest in ("", "/", "/.", "/*", "/.*")
    }
