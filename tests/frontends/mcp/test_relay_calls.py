"""A call reaches the server only after it was ruled on; everything else is a refusal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from scripted import ALLOW, ASK, DENY, ScriptedGuard, Talk, answer, call, talk, tool

from signoff.frontends.mcp.guard import CallVerdict, GuardFailed
from signoff.frontends.mcp.relay import calls

ELICITS: dict[str, dict[str, str]] = {"elicitation": {}}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": ELICITS,
        "clientInfo": {"name": "client", "version": "1"},
    },
}
META = "io.modelcontextprotocol/"
MODERN = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": ELICITS}


def test_an_allowed_call_reaches_the_server_byte_by_byte(tmp_path: Path) -> None:
    """Spaces, order and unknown fields stay; so do those of the result."""
    raw = b'{ "id":1,"jsonrpc":"2.0", "x": [1.50],"method":"tools/call","params":{"name":"add"}}'
    back = b'{"result": {"content": []},  "id": 1, "jsonrpc": "2.0"}'

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(raw)
        assert await now.server.raw() == raw
        now.server.say(back)
        assert await now.client.raw() == back

    talk(tmp_path, scene)


def test_what_is_judged_is_the_call_with_all_the_server_says_of_the_tool(tmp_path: Path) -> None:
    """Name, arguments, description, schema, annotations, session and the client's name."""

    async def scene(now: Talk) -> None:
        now.client.say(INITIALIZE)
        await now.server.heard()
        await now.listed(tool(annotations={"destructiveHint": True}))
        now.client.say(call())
        await now.server.heard()
        asked = now.guard.asked[0]
        assert asked["tool_name"] == "mcp__sums__add"
        assert asked["tool_input"] == {"a": 1}
        assert asked["tool_description"] == "Adds numbers."
        assert asked["tool_schema"] == {"type": "object"}
        assert asked["tool_annotations"] == {"destructiveHint": True}
        assert (asked["session_id"], asked["agent_id"]) == ("s", "client")

    talk(tmp_path, scene)


@pytest.mark.parametrize(
    "verdict",
    [DENY, GuardFailed("gone"), RuntimeError("bug"), TimeoutError(), ASK],
    ids=["denied", "guard gone", "guard raises", "guard late", "asked, and nobody to ask"],
)
def test_a_refused_call_never_reaches_the_server(
    tmp_path: Path, verdict: CallVerdict | Exception
) -> None:
    """The model gets a result that says why; the server gets nothing."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call())
        said = await now.client.heard()
        assert said["result"]["isError"] is True
        assert said["result"]["content"][0]["text"].startswith("signoff: ")
        assert await now.server.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=verdict))


TAKES = {"type": "object", "properties": {"a": {}, "dry_run": {"type": "boolean"}}}
IN_OPTIONS = {"type": "object", "properties": {"options": {"properties": {"dry_run": {}}}}}


@pytest.mark.parametrize(
    ("schema", "arguments", "switch"),
    [
        ({"type": "object"}, {"dry_run": True}, "dry_run"),
        ({"type": "object", "properties": {"a": {}}}, {"a": 1, "dryRun": True}, "dryRun"),
        (TAKES, {"a": 1, "options": {"dry_run": True}}, "options.dry_run"),
        (IN_OPTIONS, {"options": {"preview_only": True}}, "options.preview_only"),
        ({"type": "object", "properties": {"a": {}}}, {"mode": "dry-run"}, "mode"),
        (TAKES, {"a": 1, "dry_run": True}, ""),
        (TAKES, {"a": 1, "dry_run": False}, ""),
        (IN_OPTIONS, {"options": {"dry_run": True}}, ""),
        ({"type": "object", "properties": {"a": {}}}, {"a": 1, "mode": "fast"}, ""),
    ],
)
def test_a_call_is_tried_only_if_its_tool_lists_the_switch(
    tmp_path: Path, schema: dict[str, object], arguments: dict[str, object], switch: str
) -> None:
    """A server may ignore an argument it does not know, and act in earnest."""

    async def scene(now: Talk) -> None:
        await now.listed(tool(inputSchema=schema))
        now.client.say(call(arguments=arguments))
        if not switch:
            assert (await now.server.heard())["params"]["arguments"] == arguments
            return
        said = (await now.client.heard())["result"]
        assert said["isError"] is True
        assert f"lists no argument `{switch}`" in said["content"][0]["text"]
        assert await now.server.heard_nothing()
        assert now.guard.asked == []

    talk(tmp_path, scene)


def test_a_person_can_change_the_arguments(tmp_path: Path) -> None:
    """The server gets what was approved, and nothing else of the call is another."""
    changed = CallVerdict(verdict="allow", reason="", arguments={"a": 2})

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call(_meta={"x": 1}))
        assert (await now.server.heard()) == call(arguments={"a": 2}, _meta={"x": 1})

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=changed))


def test_a_call_before_any_list_is_judged_with_its_description(tmp_path: Path) -> None:
    """The relay lists the tools itself, every page of them."""

    async def scene(now: Talk) -> None:
        now.client.say(call())
        first = await now.server.heard()
        assert (first["method"], first["id"]) == ("tools/list", "signoff:1")
        page = {"tools": [tool("other")], "nextCursor": "2"}
        now.server.say({"jsonrpc": "2.0", "id": "signoff:1", "result": page})
        assert (await now.server.heard())["params"] == {"cursor": "2"}
        now.server.say({"jsonrpc": "2.0", "id": "signoff:2", "result": {"tools": [tool()]}})
        assert (await now.server.heard())["method"] == "tools/call"
        assert now.guard.asked[0]["tool_description"] == "Adds numbers."

    talk(tmp_path, scene)


def test_a_cancelled_call_is_not_made(tmp_path: Path) -> None:
    """A client that waits no longer gets no answer, and the server no call."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call())
        await asyncio.sleep(0.05)
        cancelled = {"requestId": 1, "reason": "late"}
        now.client.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        assert await now.server.heard_nothing()
        now.client.say({"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert (await now.server.heard())["method"] == "ping"
        assert await now.client.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard(delay_s=60))


def test_a_call_without_an_id_goes_nowhere(tmp_path: Path) -> None:
    """Some servers run it all the same, and nobody could be told of a refusal."""

    async def scene(now: Talk) -> None:
        said = call()
        del said["id"]
        now.client.say(said)
        assert await now.server.heard_nothing()

    talk(tmp_path, scene)


def test_progress_keeps_a_waiting_call_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where the client asked for it, and then the call may wait for people longer."""
    monkeypatch.setattr(calls, "KEEP_ALIVE_S", 0.02)

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call(_meta={"progressToken": "t"}))
        steps = [(await now.client.heard())["params"] for _ in range(2)]
        assert [one["progressToken"] for one in steps] == ["t", "t"]
        assert steps[0]["progress"] < steps[1]["progress"] < 1
        now.client.say(call(id=2))
        await asyncio.sleep(0.02)
        assert now.guard.within_s == [315, 50]

    talk(tmp_path, scene, guard=ScriptedGuard(delay_s=60))


@pytest.mark.parametrize(
    ("said", "runs"),
    [
        ({"action": "accept", "content": {"approve": True}}, True),
        ({"action": "accept", "content": {"approve": "true"}}, False),
        ({"action": "accept", "content": {}}, False),
        ({"action": "accept"}, False),
        ({"action": "decline"}, False),
        ({"action": "cancel", "content": {"approve": True}}, False),
    ],
)
def test_a_question_is_put_to_the_clients_user(
    tmp_path: Path, *, said: dict[str, object], runs: bool
) -> None:
    """Where the client can put a form to its user; only an explicit yes lets the call go."""

    async def scene(now: Talk) -> None:
        now.client.say(INITIALIZE)
        await now.server.heard()
        await now.listed(tool())
        now.client.say(call())
        asked = await now.client.heard()
        assert (asked["method"], asked["params"]["message"]) == (
            "elicitation/create",
            "signoff: really?",
        )
        now.client.say({"jsonrpc": "2.0", "id": asked["id"], "result": said})
        if runs:
            assert await now.server.heard() == call()
        else:
            assert (await now.client.heard())["result"]["isError"] is True
            assert await now.server.heard_nothing()
        assert now.guard.can_ask == [True]

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=ASK))


def test_a_question_of_the_newest_protocol(tmp_path: Path) -> None:
    """The form is a result; the repeated call runs once, without the form's answer in it."""
    yes = {"signoff": {"action": "accept", "content": {"approve": True}}}

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call(_meta=MODERN))
        result = (await now.client.heard())["result"]
        assert result["resultType"] == "input_required"
        assert list(result["inputRequests"]) == ["signoff"]
        now.client.say(call(id=2, _meta=MODERN, inputResponses=yes))
        assert await now.server.heard() == call(id=2, _meta=MODERN)
        now.client.say(call(id=3, _meta=MODERN, inputResponses=yes))
        assert (await now.client.heard())["result"]["isError"] is True
        assert await now.server.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=ASK))


def test_an_answer_to_a_form_is_good_for_its_own_call_only(tmp_path: Path) -> None:
    """An agent cannot answer a form it was never asked, nor for other arguments."""
    yes = {"signoff": {"action": "accept", "content": {"approve": True}}}

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call(_meta=MODERN))
        await now.client.heard()
        now.client.say(call(id=2, arguments={"a": 2}, _meta=MODERN, inputResponses=yes))
        assert (await now.client.heard())["result"]["isError"] is True
        assert await now.server.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=ASK))


def test_what_came_of_an_approved_call_is_reported(tmp_path: Path) -> None:
    """The daemon waits to hear of it; of other calls it does not."""
    followed = CallVerdict(verdict="allow", reason="", is_followed=True)

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call())
        await now.server.heard()
        now.server.say(answer("3"))
        await now.client.heard()
        await asyncio.sleep(0.02)
        reported = now.guard.reported[0]
        assert reported["tool_use_id"] == now.guard.asked[0]["tool_use_id"]
        assert reported["has_failed"] is False

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=followed))


def test_reading_a_resource_is_judged_too(tmp_path: Path) -> None:
    """A refusal is an error there: its result has no place for one."""

    async def scene(now: Talk) -> None:
        params = {"uri": "file:///home/dev/.ssh/id_rsa"}
        now.client.say({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params})
        assert (await now.client.heard())["error"]["message"] == "signoff: no"
        assert now.guard.asked[0]["tool_name"] == "mcp__sums__read_resource"
        assert now.guard.asked[0]["tool_input"] == params
        assert await now.server.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=DENY))


def test_one_id_stands_for_one_call(tmp_path: Path) -> None:
    """A second request under an id in use could take the first one's answer."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call())
        await now.server.heard()
        now.client.say(call())
        assert "error" in await now.client.heard()
        assert await now.server.heard_nothing()

    talk(tmp_path, scene)


def test_a_server_that_ends_leaves_nobody_waiting(tmp_path: Path) -> None:
    """Every open request gets an error."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        now.client.say(call())
        await now.server.heard()
        now.server.lines.put_nowait(None)
        assert "ended" in (await now.client.heard())["error"]["message"]

    talk(tmp_path, scene, guard=ScriptedGuard(verdict=ALLOW))
