"""What a server says of itself beside its tools: instructions, and lists of prompts and resources.

Clients put instructions into the model's own prompt. Those that give orders of the known kinds, or
could not be checked, are replaced by a note; an offer with such a text is left out of its list.

    shown = await OfferCheck(guard, server="github", alert=alert).shown("initialize", result)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from signoff.challenge.visible import visible
from signoff.frontends.mcp.guard import CallGuard, GuardFailed
from signoff.frontends.mcp.relay.catalogue import Alert, text_of_definition
from signoff.frontends.mcp.relay.framing import Fields
from signoff.frontends.results.inspecting import TEXT_MOST, TextKind, TextToInspect

LISTS = {
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
INTRODUCED = ("initialize", "server/discover")
SAID = "instructions"
OFFERED = (*LISTS, *INTRODUCED)
PER_REQUEST = 50
KNOWN_MOST = 10_000
CUT = "is longer than what can be checked"


class OfferCheck:
    """Inspects what a server says about itself; each text once per process."""

    def __init__(self, guard: CallGuard, *, server: str, alert: Alert) -> None:
        self._guard, self._server, self._alert = guard, server, alert
        self._known: dict[str, str] = {}  # by digest: what was found, "" if nothing was

    async def shown(self, method: str, result: Fields) -> Fields | None:
        """Return the result for the client; None if it stays unchanged."""
        if method in INTRODUCED:
            return await self._introduced(result)
        name = LISTS[method]
        listed = result.get(name)
        if not isinstance(listed, list):
            return None
        whys = await self._found([text_of_definition(one) for one in listed])
        kept = [one for one, why in zip(listed, whys, strict=True) if not why]
        return None if len(kept) == len(listed) else {**result, name: kept}

    async def _introduced(self, result: Fields) -> Fields | None:
        said = result.get(SAID)
        if not isinstance(said, str):
            # Instructions that are no text cannot be checked, so no client gets them.
            return None if said is None else {k: v for k, v in result.items() if k != SAID}
        (why,) = await self._found([said])
        if not why:
            return None
        return {**result, SAID: f"[signoff: the instructions of this server were removed: {why}]"}

    async def _found(self, texts: Sequence[str]) -> list[str]:
        """Return for each text why it is not shown, "" if it may be."""
        marks = [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts]
        new = {m: t for m, t in zip(marks, texts, strict=True) if m not in self._known}
        whys = {mark: CUT for mark, text in new.items() if len(text) > TEXT_MOST}
        wanted = [mark for mark in new if mark not in whys]
        for at in range(0, len(wanted), PER_REQUEST):
            whys |= await self._read({mark: new[mark] for mark in wanted[at : at + PER_REQUEST]})
        for why in dict.fromkeys(filter(None, whys.values())):
            await self._alert({"tool": "(instructions, prompts, resources)", "why": why[:300]})
        if len(self._known) + len(whys) > KNOWN_MOST:
            self._known.clear()
        # What could not be checked is checked again the next time.
        self._known |= {mark: why for mark, why in whys.items() if "signoff could not" not in why}
        return [whys.get(mark, self._known.get(mark, "")) for mark in marks]

    async def _read(self, texts: Mapping[str, str]) -> dict[str, str]:
        asked = [
            TextToInspect(kind=TextKind.DESCRIPTION, tool=f"mcp__{self._server}", text=text)
            for text in texts.values()
        ]
        try:
            found = await self._guard.inspect(asked)
        except GuardFailed as error:
            return dict.fromkeys(texts, f"signoff could not check it: {visible(str(error)[:200])}")
        return {
            mark: visible(one.findings[0].evidence) if one.findings else ""
            for mark, one in zip(texts, found, strict=True)
        }
