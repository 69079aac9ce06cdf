"""Descriptions of MCP tools as they were first seen or accepted: one sealed file a server.

A server can change what it says of a tool at any time, and only the model reads it. So each tool is
pinned by the digest of its definition: name, title, description, schemas and annotations. Another
digest under the same name is held back until a person accepts it.

The file lies in the state folder and is sealed with the key of this installation: an edit is found.
A server is its name together with the command or address it is reached by.

    pins = PinFile.of(settings, server="github", address=("npx", "-y", "@x/github"))
    pins.read()["create_issue"].digest
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.canonical import canonical
from signoff.errors import BadSettings, StoreError
from signoff.ids import is_same_secret
from signoff.settings import Settings
from signoff.storage.installation import installation_key
from signoff.storage.text_file import (
    Signature,
    file_lock,
    own_state_folder,
    read_text,
    signature_of,
    write_whole,
)

FOLDER = "mcp"
SEAL_PREFIX = b"signoff-mcp-pins-v1\0"
DIGEST_PREFIX = b"signoff-mcp-tool-v1\0"
SIZE_LIMIT = 33_554_432  # bytes
TEXT_LIMIT = 8_000  # characters of a definition that are kept to be shown
PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


class HeldTool(Struct, frozen=True, kw_only=True):
    """A tool definition that waits for acceptance.

    Args:
        why: `changed`, or what was found in it.
        text: the definition as JSON, cut at `TEXT_LIMIT`.
    """

    digest: str
    why: str
    text: str


class ToolPin(Struct, frozen=True, kw_only=True):
    """What is stored about one tool.

    Args:
        digest: of the definition in force, "" if none ever was.
        text: that definition as JSON, cut at `TEXT_LIMIT`.
        is_accepted: True if a person accepted it; False if it was the first one seen.
        held: a definition that is not in force, None if there is none.
    """

    digest: str = ""
    text: str = ""
    is_accepted: bool = False
    held: HeldTool | None = None


class ServerPins(Struct, frozen=True, kw_only=True):
    """The stored tools of one server."""

    server: str
    address: tuple[str, ...]
    tools: dict[str, ToolPin] = {}


class _SealedPins(Struct, frozen=True, kw_only=True):
    """The content of the file: pins and their seal."""

    pins: ServerPins
    seal: str


def definition_digest(tool: Mapping[str, Json]) -> str:
    """Return the digest of a tool's definition.

    Raises:
        ValueError: it has no canonical form.
    """
    told = {name: tool[name] for name in PINNED if tool.get(name) is not None}
    return hashlib.sha256(DIGEST_PREFIX + canonical(told)).hexdigest()


class PinFile:
    """The file with the pinned tools of one server."""

    def __init__(self, path: str, key: bytes, blank: ServerPins) -> None:
        self.path = path
        self._key = key
        self._blank = blank
        self._seen: tuple[Signature | None, ServerPins] | None = None

    @classmethod
    def of(cls, settings: Settings, *, server: str, address: Sequence[str]) -> PinFile:
        """Return the file for a server; its folder is created.

        Args:
            address: the server's command or URL.

        Raises:
            StoreError: the folder or the key of this installation cannot be created or read.
        """
        folder = own_state_folder(settings.state_dir, FOLDER)
        # Part of the name: another server under an old name begins without pins.
        mark = hashlib.sha256("\0".join(address).encode("utf-8", "surrogateescape")).hexdigest()
        path = os.path.join(folder, f"{server}-{mark[:12]}.json")
        # Words of a command need not be UTF-8, and a JSON file holds nothing else.
        told = tuple(word.encode("utf-8", "replace").decode() for word in address)
        blank = ServerPins(server=server, address=told)
        return cls(path, installation_key(settings.key_file), blank)

    @property
    def server_by_name(self) -> str:
        """The server's name from the file's name, for a file that is damaged."""
        return os.path.basename(self.path).rpartition("-")[0]

    def read(self) -> ServerPins:
        """Return the pinned tools; none if there is no file.

        Raises:
            StoreError: it cannot be read, or its seal is not valid.
        """
        # Taken before the text: what is written in between is read the next time.
        signature = signature_of(self.path)
        if self._seen is not None and self._seen[0] == signature:
            return self._seen[1]
        pins = self._read()
        self._seen = (signature, pins)
        return pins

    def _read(self) -> ServerPins:
        try:
            text = read_text(self.path, limit=SIZE_LIMIT)
            if text is None:
                return self._blank
            said = msgspec.json.decode(text, type=_SealedPins)
        except (BadSettings, ValueError, msgspec.MsgspecError) as error:
            raise StoreError(f"`{self.path}` cannot be read: {error}") from error
        if not is_same_secret(self._seal(said.pins), said.seal):
            raise StoreError(f"`{self.path}` was changed: its seal does not hold")
        return said.pins

    @contextlib.contextmanager
    def changing(self) -> Iterator[dict[str, ToolPin]]:
        """Yield the tools for changes and write them afterwards; one process at a time.

        Raises:
            StoreError: the file cannot be read or written.
        """
        folder, name = os.path.split(self.path)
        with file_lock(folder, f"{name}.lock"):
            # Not what is kept in memory: another process may have written while this one waited.
            before = self._read()
            tools = dict(before.tools)
            yield tools
            if tools != before.tools:
                self._write(ServerPins(server=before.server, address=before.address, tools=tools))

    def forget(self) -> None:
        """Delete the file: the server's next definitions count as first seen."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)

    def _write(self, pins: ServerPins) -> None:
        said = _SealedPins(pins=pins, seal=self._seal(pins))
        try:
            write_whole(self.path, msgspec.json.encode(said))
        except OSError as error:
            raise StoreError(f"cannot write `{self.path}`: {error}") from error

    def _seal(self, pins: ServerPins) -> str:
        name = os.path.basename(self.path).encode()  # a file of another server is none of ours
        text = SEAL_PREFIX + name + b"\0" + msgspec.json.encode(pins)
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()


def pin_files(settings: Settings) -> tuple[PinFile, ...]:
    """Return the files of all servers seen so far.

    Raises:
        StoreError: the key of this installation cannot be read.
    """
    folder = os.path.join(settings.state_dir, FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return ()
    key = installation_key(settings.key_file)
    blank = ServerPins(server="", address=())
    return tuple(PinFile(os.path.join(folder, name), key, blank) for name in names)
