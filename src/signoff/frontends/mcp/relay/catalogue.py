"""The tools of one server: which may be shown and called, which are held back and why.

A tool that is seen for the first time is read for orders to the model and pinned. The same name
with another definition, or a definition that gives orders, is held back: the client does not see it
in `tools/list`, and a call of it is refused, until a person accepts it (`signoff mcp accept`).

    shown = await catalogue.shown(result)     # the result of tools/list, without what is held back
    catalogue.of("create_issue")              # ListedTool(...)
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct, field

from signoff.actions.action import Json
from signoff.challenge.visible import visible
from signoff.errors import StoreError
from signoff.frontends.mcp.guard import CallGuard, GuardFailed
from signoff.frontends.mcp.pins import TEXT_LIMIT, HeldTool, PinFile, ToolPin, definition_digest
from signoff.frontends.mcp.relay.framing import Fields
from signoff.frontends.results.inspecting import TEXT_MOST, TextKind, TextToInspect

TOOLS_LIMIT = 2_000
NAME_LIMIT = 128
CHANGED = "has changed since it was first seen"
UNREADABLE = "cannot be read"


class ListedTool(Struct, frozen=True, kw_only=True):
    """A tool as the server listed it; its definition is {} if it never did.

    Args:
        held_why: why it may not be called, "" if it may.
        is_accepted: True if a person accepted this very definition.
    """

    name: str
    fields: Fields = field(default_factory=dict)
    held_why: str = ""
    is_accepted: bool = False

    @property
    def description(self) -> str:
        """The server's description of it, "" if there is none."""
        said = self.fields.get("description")
        return said if isinstance(said, str) else ""

    def part(self, name: str) -> Fields:
        """Return an object of the definition by name, {} if there is none."""
        value = self.fields.get(name)
        return value if isinstance(value, Mapping) else {}


Alert = Callable[[Mapping[str, Json]], Awaitable[None]]


class ToolCatalogue:
    """The known tools of one server.

    Args:
        prefix: of their names where they are judged, as `mcp__github__`.
        alert: is told once of each definition that is held back.
    """

    def __init__(self, pins: PinFile, guard: CallGuard, *, prefix: str, alert: Alert) -> None:
        self._pins, self._guard, self._prefix, self._alert = pins, guard, prefix, alert
        self._tools: dict[str, ListedTool] = {}
        self._told: set[str] = set()
        self.is_listed = False

    def of(self, name: str) -> ListedTool:
        """Return a tool in its present state, which includes acceptance meanwhile."""
        tool = self._tools.get(name, ListedTool(name=name))
        if not tool.held_why:
            return tool
        accepted = self._pinned(tool)
        return tool if accepted is None else accepted

    def _pinned(self, tool: ListedTool) -> ListedTool | None:
        """Return the tool as the pin has it; None if this definition is not the pinned one."""
        try:
            pin = self._pins.read().tools.get(tool.name)
            is_same = pin is not None and pin.digest == definition_digest(tool.fields)
        except (StoreError, ValueError):
            return None
        if pin is None or not is_same:
            return None
        return ListedTool(name=tool.name, fields=tool.fields, is_accepted=pin.is_accepted)

    async def shown(self, result: Fields) -> Fields | None:
        """Return a `tools/list` result without held tools; None if it stays unchanged."""
        listed = result.get("tools")
        if not isinstance(listed, list):
            return None
        found = await self._sorted(listed)
        if len(found) == len(listed):
            return None
        return {**result, "tools": [dict(tool.fields) for tool in found]}

    async def learn(self, result: Fields) -> None:
        """Process a `tools/list` result that the client does not see."""
        listed = result.get("tools")
        await self._sorted(listed if isinstance(listed, list) else [])

    async def _sorted(self, listed: Sequence[Json]) -> list[ListedTool]:
        """Note every tool; return those that may be shown, in their order."""
        self.is_listed = True
        named: dict[str, Fields] = {}
        for one in listed[:TOOLS_LIMIT]:
            name = one.get("name") if isinstance(one, Mapping) else None
            # Of two tools of one name the model could see one and call the other.
            if isinstance(one, Mapping) and _is_name(name) and name not in named:
                named[str(name)] = one
        held = await self._held(named)
        shown = []
        for name, fields in named.items():
            tool = ListedTool(name=name, fields=fields, held_why=held.get(name, ""))
            tool = self._pinned(tool) or tool
            self._tools[name] = tool
            if not tool.held_why:
                shown.append(tool)
        return shown

    async def _held(self, named: Mapping[str, Fields]) -> dict[str, str]:
        """Return why tools are held back; pin what is new and good."""
        digests: dict[str, str] = {}
        held: dict[str, str] = {}
        for name, fields in named.items():
            try:
                digests[name] = definition_digest(fields)
            except ValueError:
                held[name] = UNREADABLE
        try:
            pinned = self._pins.read().tools
        except StoreError as error:
            # Pins that cannot be believed hold every tool back.
            return dict.fromkeys(named, str(error))
        new = {
            name: digest
            for name, digest in digests.items()
            if (pin := pinned.get(name)) is None or pin.digest != digest
        }
        if not new:
            return held
        orders = await self._orders({name: named[name] for name in new})
        for name in new:
            pin = pinned.get(name)
            why = orders.get(name, "")
            if not why and pin is not None and pin.digest:
                why = CHANGED
            if why:
                held[name] = why
        held |= self._kept(named, new, held)
        await self._tell(new, held)
        return held

    async def _orders(self, named: Mapping[str, Fields]) -> dict[str, str]:
        """Return what definitions hold that speaks to the model; unread ones are held back too."""
        texts = {name: text_of_definition(fields) for name, fields in named.items()}
        wanted = {name: text for name, text in texts.items() if len(text) <= TEXT_MOST}
        found = {name: "is longer than what can be checked" for name in texts.keys() - wanted}
        names = list(wanted)
        for at in range(0, len(names), 50):
            some = names[at : at + 50]
            try:
                read = await self._guard.inspect(
                    [
                        TextToInspect(
                            kind=TextKind.DESCRIPTION,
                            tool=f"{self._prefix}{name}"[:256],
                            text=wanted[name],
                        )
                        for name in some
                    ]
                )
            except GuardFailed as error:
                found |= dict.fromkeys(some, f"could not be checked: {error}")
                continue
            for name, one in zip(some, read, strict=True):
                if one.findings:
                    found[name] = one.findings[0].evidence
        return found

    def _kept(
        self, named: Mapping[str, Fields], new: Mapping[str, str], held: Mapping[str, str]
    ) -> dict[str, str]:
        """Write pins for what is new; return what could not be pinned, with why."""
        try:
            with self._pins.changing() as tools:
                for name, digest in new.items():
                    pin = tools.get(name, ToolPin())
                    if pin.digest == digest:
                        continue
                    text = json.dumps(dict(named[name]), ensure_ascii=False, indent=1)[:TEXT_LIMIT]
                    text = text.encode("utf-8", "replace").decode()
                    if name in held:
                        waits = HeldTool(digest=digest, why=held[name], text=text)
                        tools[name] = ToolPin(
                            digest=pin.digest,
                            text=pin.text,
                            is_accepted=pin.is_accepted,
                            held=waits,
                        )
                    elif not pin.digest:
                        tools[name] = ToolPin(digest=digest, text=text)
                    else:  # another process pinned another definition just now
                        raise StoreError(f"`{name}` was pinned in another form just now")
        except StoreError as error:
            # Without a pin a later change of the definition would not be noticed.
            return {name: str(error) for name in new if name not in held}
        return {}

    async def _tell(self, new: Mapping[str, str], held: Mapping[str, str]) -> None:
        """Tell people of each definition that is held back, once in this process."""
        for name, digest in new.items():
            if name in held and digest not in self._told:
                self._told.add(digest)
                await self._alert({"tool": visible(name), "why": visible(held[name][:300])})


def _is_name(name: Json) -> bool:
    return isinstance(name, str) and 0 < len(name) <= NAME_LIMIT and name.isprintable()


def text_of_definition(fields: Json) -> str:
    """Return all texts of a definition, parameter names included, joined."""
    texts: list[str] = []
    stack: list[Json] = [fields]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            texts.append(node)
        elif isinstance(node, Mapping):
            # Backwards, as a stack turns it round: the texts come in the order the model reads
            # them.
            for name, value in list(node.items())[::-1]:
                stack += (value, name)
        elif isinstance(node, list):
            stack.extend(reversed(node))
    return (
        "\n".join(texts)
        .encode("utf-8", "replace")
        .decode()
        .replace("\0", "\N{REPLACEMENT CHARACTER}")
    )
