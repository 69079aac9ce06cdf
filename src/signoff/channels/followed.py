"""Settings of a channel, read again when a file they stand in changes.

A bad file leaves the last good settings in force and says so in `problem`; a file that is taken
away takes the channel with it. A file that changed this very moment may be half written, so it is
read a moment later.

    followed = Followed(lambda: read_telegram(config_dir), path)
    if followed.look():
        ...  # followed.settings are others now
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from signoff.errors import SignoffError
from signoff.storage.text_file import Signature, are_settled, signature_of

log = logging.getLogger(__name__)


class ChannelSettings(Protocol):
    """Port: settings that know which files they were read from."""

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of these files."""


S = TypeVar("S", bound=ChannelSettings)


class Followed(Generic[S]):
    """Reads the settings file of one channel, again whenever it changes."""

    def __init__(self, read: Callable[[], S | None], path: str) -> None:
        self._read, self._path = read, path
        self.settings: S | None = None
        self.problem = ""
        self._seen: dict[str, Signature | None] = {}
        # The signature is taken before reading: a write between the two is then seen as a change.
        self._read_again({path: signature_of(path)})

    def look(self) -> bool:
        """Read the file again if it changed; return whether the settings are different now."""
        seen = {file: signature_of(file) for file in self._seen or (self._path,)}
        # What is bad may be fixed in a file that could not be learnt of yet.
        if not self.problem and (seen == self._seen or not are_settled(seen.values())):
            return False
        before = self.settings
        self._read_again(seen)
        return self.settings != before

    def _read_again(self, seen: dict[str, Signature | None]) -> None:
        """Read the settings.

        Args:
            seen: the files as they were before they are read; what changes since is read again.
        """
        try:
            self.settings = self._read()
            self.problem = ""
        except SignoffError as error:
            # A bad file is read again at each look, and said once.
            if str(error) != self.problem:
                log.error("the last good settings of a channel stay in force: %s", error)
            self.problem = str(error)
        # The files of secrets count as well: a new token must reach the channel without a
        # restart.
        files = (self._path, *(self.settings.files if self.settings else ()))
        self._seen = {file: seen[file] if file in seen else signature_of(file) for file in files}
