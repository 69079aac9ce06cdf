"""What comes back is read before the client gets it, and nothing goes silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from scripted import BAD, ScriptedGuard, Talk, answer, call, talk, tool

from signoff.actions.action import ActionKind
from signoff.assess.verdict import Verdict
from signoff.frontends.mcp.relay import calls
from signoff.sections import McpForwarding, McpSection, ResultPolicy


async def result_of(now: Talk, said: dict[str, Any]) -> dict[str, Any]:
    """Return what the client gets as the result of a call."""
    await now.listed(tool())
    now.client.say(call())
    await now.server.heard()
    now.server.say(said)
    found: dict[str, Any] = (await now.client.heard())["result"]
    return found


def test_a_bad_result_stands_between_two_labels(tmp_path: Path) -> None:
    """The text itself stays; a number nobody can guess ends the label."""

    async def scene(now: Talk) -> None:
        content = (await result_of(now, answer(BAD)))["content"]
        before, text, after = (part["text"] for part in content)
        assert text == BAD
        assert "gives orders" in before
        assert "`mcp__sums__add`" in before
        assert before.split(":")[0] == after.split(":")[0]
        assert len(before.split(":")[0]) > len("[signoff ")

    talk(tmp_path, scene)


def test_a_bad_result_can_be_taken_out(tmp_path: Path) -> None:
    """The client is told so, as of an error: no structured content is left to be read."""
    said = answer("fine")
    said["result"]["structuredContent"] = {"deep": [{BAD: 1}]}

    async def scene(now: Talk) -> None:
        result = await result_of(now, said)
        assert BAD not in str(result)
        assert "removed" in result["content"][0]["text"]
        assert result["isError"] is True

    talk(tmp_path, scene, settings=McpSection(results=ResultPolicy.REMOVE))


@pytest.mark.parametrize(
    "part",
    [
        {"content": [{"type": "resource", "resource": {"uri": "x:", "text": BAD}}]},
        {"content": [], "structuredContent": {"x": {BAD: True}}},
        {"content": [{"type": "image", "data": BAD}]},
    ],
    ids=["resource", "structured", "an image without a type"],
)
def test_every_text_of_a_result_is_read(tmp_path: Path, part: dict[str, Any]) -> None:
    """Names too, however deep."""

    async def scene(now: Talk) -> None:
        said = {"jsonrpc": "2.0", "id": 1, "result": part}
        assert "gives orders" in str(await result_of(now, said))

    talk(tmp_path, scene)


def test_a_long_result_is_read_in_pieces(tmp_path: Path) -> None:
    """Orders that stand across the border of two pieces are found as well."""
    text = "a" * (262_144 - len(BAD) // 2) + BAD + "b" * 100

    async def scene(now: Talk) -> None:
        assert "gives orders" in str((await result_of(now, answer(text)))["content"][0])

    talk(tmp_path, scene)


def test_what_could_not_be_read_says_so(tmp_path: Path) -> None:
    """The call was made already: its result comes with a label, not in silence."""

    async def scene(now: Talk) -> None:
        now.guard.is_inspecting = True
        await now.listed(tool())
        now.guard.is_inspecting = False
        now.client.say(call())
        await now.server.heard()
        now.server.say(answer("a result of some length"))
        content = (await now.client.heard())["result"]["content"]
        assert "could not check" in content[0]["text"]

    talk(tmp_path, scene)


@pytest.mark.parametrize(
    ("method", "name"), [("resources/read", "contents"), ("prompts/get", "messages")]
)
def test_resources_and_prompts_are_read_too(tmp_path: Path, method: str, name: str) -> None:
    """Their texts reach the model just the same."""

    async def scene(now: Talk) -> None:
        params = {"uri": "x:y", "name": "p"}
        now.client.say({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        await now.server.heard()
        part = {"uri": "x:y", "text": BAD, "role": "user", "content": {"type": "text", "text": BAD}}
        now.server.say({"jsonrpc": "2.0", "id": 1, "result": {name: [part]}})
        parts = (await now.client.heard())["result"][name]
        assert len(parts) == 3
        assert "gives orders" in str(parts[0])

    talk(tmp_path, scene)


@pytest.mark.parametrize("added", ["contents", "messages"])
def test_a_result_does_not_choose_what_is_replaced(tmp_path: Path, added: str) -> None:
    """An empty list of another method's name keeps no bad text, and moves no label."""
    said = answer(BAD)
    said["result"] |= {"structuredContent": {"x": BAD}, added: []}

    async def withheld(now: Talk) -> None:
        result = await result_of(now, said)
        assert (True, False) == (result["isError"], BAD in str(result))

    async def labelled(now: Talk) -> None:
        assert "gives orders" in (await result_of(now, said))["content"][0]["text"]

    for policy in (ResultPolicy.REMOVE, ResultPolicy.BLOCK):
        talk(tmp_path, withheld, settings=McpSection(results=policy))
    talk(tmp_path, labelled)


@pytest.mark.parametrize(
    ("method", "name"), [("resources/read", "contents"), ("prompts/get", "messages")]
)
def test_withheld_resources_and_prompts_keep_no_text(
    tmp_path: Path, method: str, name: str
) -> None:
    """Neither under their own name nor under another one."""

    async def scene(now: Talk) -> None:
        params = {"uri": "x:y", "name": "p"}
        now.client.say({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        await now.server.heard()
        bad = [{"uri": "x:y", "text": BAD}]
        result = {name: bad, "content": bad, "description": BAD}
        now.server.say({"jsonrpc": "2.0", "id": 1, "result": result})
        found = (await now.client.heard())["result"]
        assert ([name], False) == (list(found), BAD in str(found))

    talk(tmp_path, scene, settings=McpSection(results=ResultPolicy.BLOCK))


ASKED = {"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}}


def test_a_server_asks_for_no_model_unless_the_user_lets_it(tmp_path: Path) -> None:
    """The setting refuses it as long as nothing else is said."""

    async def refused(now: Talk) -> None:
        now.server.say(ASKED)
        assert "policy" in (await now.server.heard())["error"]["message"]
        assert await now.client.heard_nothing()

    async def passed(now: Talk) -> None:
        now.server.say(ASKED)
        assert await now.client.heard() == ASKED
        now.client.say({"jsonrpc": "2.0", "id": "s1", "result": {"role": "assistant"}})
        assert (await now.server.heard())["id"] == "s1"

    talk(tmp_path, refused)
    talk(tmp_path, passed, settings=McpSection(sampling=McpForwarding.FORWARD))


def test_forms_of_a_server_pass_unless_refused(tmp_path: Path) -> None:
    """A refused one is declined, in the form's own words."""
    form = {**ASKED, "method": "elicitation/create"}

    async def passed(now: Talk) -> None:
        now.server.say(form)
        assert await now.client.heard() == form

    async def refused(now: Talk) -> None:
        now.server.say(form)
        assert (await now.server.heard())["result"] == {"action": "decline"}

    talk(tmp_path, passed)
    talk(tmp_path, refused, settings=McpSection(elicitation=McpForwarding.REFUSE))


def test_what_a_server_asks_in_a_result_is_refused_alike(tmp_path: Path) -> None:
    """From 2026-07-28 on servers ask that way."""
    wanted = {"resultType": "input_required", "inputRequests": {"a": {"method": ASKED["method"]}}}

    async def scene(now: Talk) -> None:
        result = await result_of(now, {"jsonrpc": "2.0", "id": 1, "result": wanted})
        assert result["isError"] is True
        assert "inputRequests" not in result

    talk(tmp_path, scene)


def test_answers_to_nothing_are_dropped(tmp_path: Path) -> None:
    """A server cannot slip a list of tools in under an id of its own choice."""

    async def scene(now: Talk) -> None:
        now.server.say({"jsonrpc": "2.0", "id": 77, "result": {"tools": [tool("evil")]}})
        now.server.say(b"Server is ready!")
        assert await now.client.heard_nothing()

    talk(tmp_path, scene, guard=ScriptedGuard())


@pytest.mark.parametrize(
    ("verdict", "is_read"), [(Verdict.ALLOW, True), (Verdict.DENY, False)], ids=["yes", "no"]
)
def test_a_bad_result_can_be_held_until_a_person_answers(
    tmp_path: Path, verdict: Verdict, *, is_read: bool
) -> None:
    """A yes lets it through as it is; a no gives the model a refusal in its place."""

    async def scene(now: Talk) -> None:
        result = await result_of(now, answer(BAD))
        assert (is_read, is_read) == (BAD in str(result), "isError" not in result)
        assert is_read or "withheld" in result["content"][0]["text"]
        ((held, why),) = now.guard.held
        assert ("mcp__sums__add", ActionKind.RESULT, "") == (held.tool, held.kind, why)
        assert BAD in str(held.arguments["output"])

    guard = ScriptedGuard(about_results=verdict)
    talk(tmp_path, scene, guard=guard, settings=McpSection(results=ResultPolicy.ASK))


def test_a_held_result_tells_its_client_that_it_waits(tmp_path: Path) -> None:
    """As a call does that waits for people, where the client asked for progress."""

    async def scene(now: Talk) -> None:
        await now.listed(tool())
        said = call()
        said["params"]["_meta"] = {"progressToken": "t"}
        now.client.say(said)
        await now.server.heard()
        now.server.say(answer(BAD))
        told = await now.client.heard()
        assert ("notifications/progress", "t") == (told["method"], told["params"]["progressToken"])

    guard = ScriptedGuard(delay_s=0.5)
    with patch.object(calls, "KEEP_ALIVE_S", 0.05):
        talk(tmp_path, scene, guard=guard, settings=McpSection(results=ResultPolicy.ASK))


def test_a_bad_result_can_be_withheld(tmp_path: Path) -> None:
    """The model gets a refusal, and the guard records why."""

    async def scene(now: Talk) -> None:
        result = await result_of(now, answer(BAD))
        assert BAD not in str(result) and result["isError"] is True
        assert "withheld" in result["content"][0]["text"]
        assert "gives orders" in now.guard.held[0][1]

    talk(tmp_path, scene, settings=McpSection(results=ResultPolicy.BLOCK))


@pytest.mark.parametrize("policy", [ResultPolicy.ASK, ResultPolicy.BLOCK])
def test_what_could_not_be_read_is_withheld_too(tmp_path: Path, policy: ResultPolicy) -> None:
    """Where a bad result would be."""

    async def scene(now: Talk) -> None:
        now.guard.is_inspecting = True
        await now.listed(tool())
        now.guard.is_inspecting = False
        now.client.say(call())
        await now.server.heard()
        now.server.say(answer("a result of some length"))
        content = (await now.client.heard())["result"]["content"]
        assert "withheld" in content[0]["text"] and "could not check" in content[0]["text"]

    talk(tmp_path, scene, settings=McpSection(results=policy))


def test_results_are_not_read_where_that_is_off(tmp_path: Path) -> None:
    """They pass byte by byte."""

    async def scene(now: Talk) -> None:
        assert [{"type": "text", "text": BAD}] == (await result_of(now, answer(BAD)))["content"]

    talk(tmp_path, scene, settings=McpSection(results=ResultPolicy.OFF))
