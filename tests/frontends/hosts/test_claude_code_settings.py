"""settings.json keeps everything that is not ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.settings_file import (
    switches_off,
    with_hooks,
    without_hooks,
)

COMMAND = "/v/bin/python -I -m signoff hook claude-code --deadline 50"
HOOK: dict[str, Any] = {
    "type": "command",
    "command": COMMAND,
    "timeout": 60,
    "onFailure": "block",
    "statusMessage": "signoff",
}
HOOKS = {"PreToolUse": HOOK}
OURS: dict[str, Any] = {"matcher": "*", "hooks": [HOOK]}
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "their-hook"}]}


def added(settings: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Add the hook to settings given as a value."""
    return json.loads(with_hooks(json.dumps(settings), HOOKS))


def removed(settings: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Remove the hook from settings given as a value."""
    return json.loads(without_hooks(json.dumps(settings)))


@pytest.mark.parametrize("text", ["", "\n", "{}"])
def test_an_empty_file_gets_the_hook(text: str) -> None:
    """The hook is called for every tool and blocks when it fails."""
    settings = json.loads(with_hooks(text, HOOKS))

    assert settings == {"hooks": {"PreToolUse": [OURS]}}


def test_everything_else_stays() -> None:
    """Other settings, events, groups and their order are kept."""
    before = {
        "permissions": {"allow": ["Bash(ls)"]},
        "hooks": {"Stop": [THEIRS], "PreToolUse": [THEIRS]},
        "model": "größer",
    }
    after = added(before)

    assert after == {
        "permissions": {"allow": ["Bash(ls)"]},
        "hooks": {"Stop": [THEIRS], "PreToolUse": [THEIRS, OURS]},
        "model": "größer",
    }
    assert list(after) == list(before)
    assert removed(after) == before


def test_adding_twice_is_adding_once() -> None:
    """A second installation changes no byte."""
    once = with_hooks('{"a": 1}', HOOKS)

    assert with_hooks(once, HOOKS) == once


def test_a_hook_from_another_place_is_replaced() -> None:
    """A moved environment leaves no dead hook behind, nor one that was weakened."""
    old: dict[str, Any] = json.loads(json.dumps(OURS).replace("/v/bin", "/old/bin"))
    old["matcher"] = "Bash"
    del old["hooks"][0]["onFailure"]
    shared = {"matcher": "*", "hooks": [*old["hooks"], *THEIRS["hooks"]]}

    after = added({"hooks": {"PreToolUse": [old, shared]}})

    assert after == {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": THEIRS["hooks"]}, OURS]}}


@pytest.mark.parametrize(
    "hook",
    [
        {"type": "http", "url": "http://127.0.0.1:4440/hooks/claude-code"},
        {"type": "command", "command": "/p -I -S '/a b/client.py' claude-code --socket /s"},
        {"type": "command", "command": "/p -I -m signoff hook claude-code --deadline 50"},
    ],
)
def test_a_hook_of_another_kind_is_replaced(hook: dict[str, Any]) -> None:
    """There is one way to signoff at a time."""
    reports = {"hooks": [{"type": "command", "command": "/p client.py claude-code --socket /s"}]}
    before = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}], "Stop": [reports]}}

    assert added(before) == {"hooks": {"PreToolUse": [OURS]}}


def test_hooks_of_several_events_come_and_go_together() -> None:
    """What reports a session is put in beside what decides, and taken out with it."""
    hooks = {**HOOKS, "Stop": {"type": "command", "command": "c claude-code --socket s"}}
    text = json.dumps({"hooks": {"Stop": [THEIRS]}})

    after = with_hooks(text, hooks)

    assert json.loads(after)["hooks"]["Stop"] == [THEIRS, {"hooks": [hooks["Stop"]]}]
    assert with_hooks(after, hooks) == after
    assert json.loads(without_hooks(after)) == json.loads(text)


@pytest.mark.parametrize(
    "hook",
    [
        {"type": "http", "url": "http://127.0.0.1:4440/hooks/codex"},
        {"type": "http", "url": "https://example.com/hooks/claude-code"},
        {"type": "command", "command": "signoff-like hook claude-code"},
    ],
)
def test_a_hook_like_ours_is_nobody_elses_to_take(hook: dict[str, Any]) -> None:
    """Only what asks this signoff is ours."""
    before = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}}

    assert removed(added(before)) == before


def test_removing_leaves_no_trace() -> None:
    """What the installation made is gone, what was there stays."""
    assert removed({"hooks": {"PreToolUse": [OURS]}}) == {}
    assert removed({"hooks": {"PreToolUse": [OURS, THEIRS]}, "a": 1}) == {
        "hooks": {"PreToolUse": [THEIRS]},
        "a": 1,
    }


def test_removing_what_is_not_there_changes_no_byte() -> None:
    """A file without our hook stays as it is written."""
    text = '{ "hooks":{"PreToolUse":[]} }'

    assert without_hooks(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "// comment\n{}",
        '{"a":1,"a":2}',
        '{"hooks":[]}',
        '{"hooks":{"PreToolUse":{}}}',
        '{"hooks":{"PreToolUse":["x"]}}',
        '{"hooks":{"PreToolUse":[{"matcher":"*"}]}}',
    ],
)
def test_settings_of_an_unknown_form_are_left_alone(text: str) -> None:
    """What cannot be read without doubt is not rewritten."""
    with pytest.raises(BadSettings, match="left as they are"):
        with_hooks(text, HOOKS)
    with pytest.raises(BadSettings, match="left as they are"):
        without_hooks(text)


def test_settings_that_switch_hooks_off_are_named() -> None:
    """A hook that is never called is worse than none."""
    assert switches_off('{"disableAllHooks": true}') == ("disableAllHooks",)
    assert switches_off('{"disableAllHooks": false}') == ()
