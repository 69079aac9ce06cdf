"""Tools that are held back, for a person to look at and accept.

for tool in held_tools(settings, "github", "create_issue"):
    print(tool.shown)
    tool.accept()
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from msgspec import Struct

from signoff.errors import StoreError
from signoff.frontends.mcp.pins import HeldTool, PinFile, ServerPins, ToolPin, pin_files
from signoff.settings import Settings


class WaitingTool(Struct, frozen=True):
    """A tool definition that waits for acceptance, and the file it is stored in."""

    file: PinFile
    server: ServerPins
    name: str
    pin: ToolPin
    held: HeldTool

    @property
    def shown(self) -> str:
        """What a person is shown: the server, why it is held back, and the definition."""
        address = " ".join(self.server.address)
        before, after = self.pin.text.splitlines(), self.held.text.splitlines()
        lines = unified_diff(before, after, "in force", "held back", n=3, lineterm="")
        body = "\n".join(lines if before else after)
        return (
            f"MCP server {self.server.server} ({address})\n"
            f"tool {self.name}: its definition {self.held.why}\n\n{body}\n"
        )

    def accept(self) -> None:
        """Accept exactly this definition.

        Raises:
            StoreError: another one waits by now, or the file cannot be written.
        """
        with self.file.changing() as tools:
            pin = tools.get(self.name)
            if pin is None or pin.held is None or pin.held.digest != self.held.digest:
                raise StoreError(f"`{self.name}` has changed again: look at it once more")
            accepted = ToolPin(digest=self.held.digest, text=self.held.text, is_accepted=True)
            tools[self.name] = accepted


def server_pins(settings: Settings) -> Iterator[tuple[PinFile, ServerPins | None]]:
    """Yield each server's file of pins and its content; None if its seal is not valid.

    Raises:
        StoreError: the key of this installation cannot be read.
    """
    for file in pin_files(settings):
        try:
            yield file, file.read()
        except StoreError:
            yield file, None


def held_tools(settings: Settings, server: str = "", tool: str = "") -> Iterator[WaitingTool]:
    """Yield the definitions that are held back.

    Args:
        server: "" = of all servers.
        tool: "" = of all tools.

    Raises:
        StoreError: the key of this installation cannot be read.
    """
    for file, pins in server_pins(settings):
        if pins is None or (server and pins.server != server):
            continue
        for name, pin in pins.tools.items():
            if pin.held is not None and (not tool or name == tool):
                yield WaitingTool(file, pins, name, pin, pin.held)
