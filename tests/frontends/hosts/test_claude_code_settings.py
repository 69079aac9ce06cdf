"""settings.json keeps everything that is not ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.claude_code.settings_file import (
    switches_off,
    with_hook,
    without_hook,
)

COMMAND = "/v/bin/python -I -m signoff hook claude-code --deadline 50"
OURS = {
    "matcher": "*",
    "hooks": [
        {
            "type": "command",
            "command": COMMAND,
            "timeout": 60,
            "onFailure": "block",
            "statusMessage": "signoff",
        }
    ],
}
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "their-hook"}]}


def added(settings: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Add the hook to settings given as a value."""
    return json.loads(with_hook(json.dumps(settings), command=COMMAND, timeout_s=60))


def removed(settings: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Remove the hook from settings given as a value."""
    return json.loads(without_hook(json.dumps(settings)))


@pytest.mark.parametrize("text", ["", "\n", "{}"])
def test_an_empty_file_gets_the_hook(text: str) -> None:
    """The hook is called for every tool and blocks when it fails."""
    settings = json.loads(with_hook(text, command=COMMAND, timeout_s=60))

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
    once = with_hook('{"a": 1}', command=COMMAND, timeout_s=60)

    assert with_hook(once, command=COMMAND, timeout_s=60) == once


def test_a_hook_from_another_place_is_replaced() -> None:
    """A moved environment leaves no dead hook behind, nor one that was weakened."""
    old: dict[str, Any] = json.loads(json.dumps(OURS).replace("/v/bin", "/old/bin"))
    old["matcher"] = "Bash"
    del old["hooks"][0]["onFailure"]
    shared = {"matcher": "*", "hooks": [*old["hooks"], *THEIRS["hooks"]]}

    after = added({"hooks": {"PreToolUse": [old, shared]}})

    assert after == {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": THEIRS["hooks"]}, OURS]}}


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

    assert without_hook(text) == text


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
        with_hook(text, command=COMMAND, timeout_s=60)
    with pytest.raises(BadSettings, match="left as they are"):
        without_hook(text)


def test_settings_that_switch_hooks_off_are_named() -> None:
    """A hook that is never called is worse than none."""
    assert switches_off('{"disableAllHooks": true}') == ("disableAllHooks",)
    assert switches_off('{"disableAllHooks": false}') == ()
