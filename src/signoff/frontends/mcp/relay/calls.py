"""A call of a tool, or a read of a resource, before the server gets it: judged, asked about, ruled.

Whatever fails on the way is a refusal. A question goes to signoff's own channels first, as the
daemon decides; where it is left to the client's user it is put as a form (elicitation), and only
an explicit yes in that form lets this one call go.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.canonical import canonical
from signoff.actions.tools.naming.trials.declared import undeclared_switch
from signoff.frontends.mcp.guard import CallGuard, CallVerdict, GuardFailed
from signoff.frontends.mcp.relay import answers
from signoff.frontends.mcp.relay.catalogue import ListedTool
from signoff.frontends.mcp.relay.client_facts import ClientFacts, call_id, progress_token
from signoff.frontends.mcp.relay.framing import Fields, McpMessage

KEEP_ALIVE_S = 5.0
FORM_S = 600.0  # in which a client's user answers a form
FORMS_MOST = 200
OWN_KEY = "signoff"  # of our form among the `inputRequests` of a result
FORM: Mapping[str, Json] = {
    "type": "object",
    "properties": {
        "approve": {
            "type": "boolean",
            "title": "Let this call run",
            "description": "yes: this one call runs with these arguments",
            # A form sent back as it came up approves nothing.
            "default": False,
        }
    },
    "required": ["approve"],
}
NOT_APPROVED = "signoff: the user did not approve this call; do not try another way to the same end"
HELD = (
    "signoff: this tool is held back: its definition {why}. A person must look at it and accept it"
    " with `signoff mcp accept`; until then do without this tool"
)
NOT_TRIED = (
    "signoff: the tool `{tool}` lists no argument `{switch}`, so its server may ignore it and act"
    " in earnest; the call was not made. If the act is meant, call the tool without it"
)


class CallRuling(Struct, frozen=True, kw_only=True):
    """What happens to a call; exactly one of the first three is set.

    Args:
        forward: the bytes for the server.
        refusal: why it is refused.
        form: a result that has the client ask its user (protocol 2026-07-28).
        is_followed: True if the daemon waits to hear what came of it.
    """

    forward: bytes | None = None
    refusal: str = ""
    form: Fields | None = None
    is_followed: bool = False


class CallPlace(Struct, frozen=True, kw_only=True):
    """Where the calls of this process come from and go to.

    Args:
        server: the server's name.
        wait_s: seconds a call waits for people.
        longest_s: the same where the client gets progress reports.
    """

    server: str
    session: str
    wait_s: float
    longest_s: float
    cwd: str = ""

    def time_for(self, token: str | int | None) -> float:
        """Return how many seconds a call may wait.

        Args:
            token: the client's progress token, None without one.
        """
        return self.wait_s if token is None else self.longest_s

    def judged_name(self, tool: str) -> str:
        """Return a tool's name as hosts and rules know it."""
        return f"mcp__{self.server}__{tool}"


AskClient = Callable[[str, Fields], Awaitable[Fields | None]]
Send = Callable[[bytes], Awaitable[None]]


class CallJudge:
    """Judges the calls of a relay.

    Args:
        ask_client: sends a request to the client, and returns its result, None if it has none.
        tell_client: sends a message to the client.
    """

    def __init__(
        self, guard: CallGuard, place: CallPlace, *, ask_client: AskClient, tell_client: Send
    ) -> None:
        self._guard, self._place = guard, place
        self._ask_client, self._tell_client = ask_client, tell_client
        self._forms: dict[str, float] = {}  # asked by a form of ours: until when it may be answered

    async def rule(self, message: McpMessage, tool: ListedTool, client: ClientFacts) -> CallRuling:
        """Judge a call, ask if needed; return whether it is passed on. Every error refuses it."""
        try:
            # First: nobody is asked about a call of a tool that nobody has accepted.
            if tool.held_why:
                return CallRuling(refusal=HELD.format(why=tool.held_why))
            arguments = _arguments(message)
            # The judge takes a call that is only tried for harmless: the tool must know the switch.
            if switch := undeclared_switch(arguments, tool.part("inputSchema")):
                return CallRuling(refusal=NOT_TRIED.format(tool=tool.name, switch=switch))
            mark = _mark(tool.name, arguments)
            if (answered := self._answered(message, mark)) is not None:
                return answered
            verdict = await self._judged(message, tool, arguments, client)
        except (GuardFailed, ValueError, TimeoutError) as error:
            said = str(error) or type(error).__name__
            return CallRuling(refusal=f"signoff: cannot decide, so it is refused: {said}")
        return await self._ruled(message, verdict, client, mark)

    async def _ruled(
        self, message: McpMessage, verdict: CallVerdict, client: ClientFacts, mark: str
    ) -> CallRuling:
        match verdict.verdict:
            case "allow" if verdict.arguments is not None:
                params = {**message.params, _carrier(message): verdict.arguments}
                raw = answers.changed(message, "params", params)
                return CallRuling(forward=raw, is_followed=verdict.is_followed)
            case "allow":
                return CallRuling(forward=message.raw, is_followed=verdict.is_followed)
            case "ask" if client.can_elicit and client.is_modern:
                return CallRuling(form=self._form(verdict.reason, mark))
            case "ask" if client.can_elicit:
                said = await self._ask_client("elicitation/create", _elicitation(verdict.reason))
                if said is not None and _is_yes(said):
                    return CallRuling(forward=message.raw)
                return CallRuling(refusal=NOT_APPROVED)
            case _:
                return CallRuling(refusal=verdict.reason or "signoff: refused")

    async def _judged(
        self, message: McpMessage, tool: ListedTool, arguments: Fields, client: ClientFacts
    ) -> CallVerdict:
        """Have the guard judge; a client that asked for progress sees that somebody is asked."""
        token = progress_token(message)
        within_s = self._place.time_for(token)
        event = self._event(message, tool, arguments, client)
        async with self.progress(token):
            return await self._guard.judge(event, can_ask=client.can_elicit, within_s=within_s)

    def _event(
        self, message: McpMessage, tool: ListedTool, arguments: Fields, client: ClientFacts
    ) -> bytes:
        """Return the call as the guard reads it."""
        said: dict[str, Json] = {
            "hook_event_name": "PreToolUse",
            "tool_name": self._place.judged_name(tool.name),
            "tool_input": arguments,
            # A person has read what they accepted, whatever a detector thinks of it.
            "tool_description": "" if tool.is_accepted else tool.description,
            "tool_schema": tool.part("inputSchema"),
            "tool_annotations": tool.part("annotations"),
            "session_id": self._place.session,
            "agent_id": client.name,
            "cwd": self._place.cwd,
            "tool_use_id": call_id(message, self._place.session),
        }
        return json.dumps(said).encode()

    @contextlib.asynccontextmanager
    async def progress(self, token: str | int | None) -> AsyncIterator[None]:
        """Report progress to the client regularly while the block runs, if it asked for that."""
        telling = None if token is None else asyncio.create_task(self._tell_progress(token))
        try:
            yield
        finally:
            if telling is not None:
                telling.cancel()

    async def _tell_progress(self, token: str | int) -> None:
        steps = 0
        while True:
            await asyncio.sleep(KEEP_ALIVE_S)
            steps += 1
            told: dict[str, Json] = {
                "progressToken": token,
                "progress": steps / 1_000,  # the server's own progress goes on from there
                "message": "signoff: waiting for a person's approval",
            }
            await self._tell_client(answers.notification("notifications/progress", told))

    def _form(self, reason: str, mark: str) -> Fields:
        """Return the result by which a client of 2026-07-28 asks its user."""
        now = time.monotonic()
        self._forms = {one: until for one, until in self._forms.items() if until > now}
        if len(self._forms) >= FORMS_MOST:
            self._forms.pop(next(iter(self._forms)))
        self._forms[mark] = now + FORM_S
        asked: dict[str, Json] = {
            "method": "elicitation/create",
            "params": _elicitation(reason),
        }
        return {"resultType": "input_required", "inputRequests": {OWN_KEY: asked}}

    def _answered(self, message: McpMessage, mark: str) -> CallRuling | None:
        """Return what the answer to our form rules; None if there is none, or none of ours."""
        responses = message.params.get("inputResponses")
        if not isinstance(responses, Mapping) or OWN_KEY not in responses:
            return None
        # Taken out: an answer lets one call go, and the next needs a form of its own.
        until = self._forms.pop(mark, 0.0)
        said = responses[OWN_KEY]
        if until < time.monotonic() or not isinstance(said, Mapping) or not _is_yes(said):
            return CallRuling(refusal=NOT_APPROVED)
        params = dict(message.params)
        # Answers to the server's own questions go on to it.
        rest = {name: value for name, value in responses.items() if name != OWN_KEY}
        if rest:
            params["inputResponses"] = rest
        else:
            del params["inputResponses"]
        return CallRuling(forward=answers.changed(message, "params", params))


def _arguments(message: McpMessage) -> Fields:
    """Return what is judged: a tool's arguments, or the address of a resource.

    Raises:
        ValueError: it is neither.
    """
    if message.method == "resources/read":
        uri = message.params.get("uri")
        if not isinstance(uri, str):
            raise ValueError("uri is no string")
        return {"uri": uri}
    arguments = message.params.get("arguments")
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise ValueError("arguments is no object")
    return arguments


def _carrier(message: McpMessage) -> str:
    """Return the name under which changed arguments go back into a request.

    Raises:
        ValueError: none can go back into it.
    """
    if message.method != "tools/call":
        raise ValueError("a read of a resource cannot be changed")
    return "arguments"


def _mark(tool: str, arguments: Fields) -> str:
    return hashlib.sha256(canonical({"tool": tool, "arguments": arguments})).hexdigest()


def _elicitation(reason: str) -> Fields:
    return {"mode": "form", "message": reason, "requestedSchema": dict(FORM)}


def _is_yes(said: Fields) -> bool:
    """Tell whether a form came back with an explicit yes."""
    content = said.get("content")
    # `is True`: the text "false" is true to Python as well.
    is_given = isinstance(content, Mapping) and content.get("approve") is True
    return said.get("action") == "accept" and is_given
