"""Codex's config.toml gets one line, and loses it again."""

from __future__ import annotations

import tomllib

import pytest

from signoff.errors import BadSettings
from signoff.frontends.hosts.codex.install import (
    problems_in,
    with_terminals,
    without_terminals,
)

OFF = "[features]\nunified_exec_tty = false\n"
TRUSTED = '[hooks.state."/h/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        'model = "m"\n',
        'model = "m"',
        "[features]\nhooks = true\n\n[tools]\nx = 1\n",
        "[features] # mine\n",
        "[tools]\nx = 1\n",
    ],
)
def test_terminals_are_switched_off_and_on_again(text: str) -> None:
    """Everything else stays, comments too, and taking it away gives the text back."""
    after = without_terminals(text)

    assert tomllib.loads(after)["features"]["unified_exec_tty"] is False
    assert after == without_terminals(after)
    assert text.rstrip("\n") == with_terminals(after).rstrip("\n")


def test_what_is_off_already_stays_as_it_is() -> None:
    """A user's own line is neither changed nor taken away."""
    assert OFF == without_terminals(OFF) == with_terminals(OFF)


@pytest.mark.parametrize(
    "text",
    [
        "[features]\nunified_exec_tty = true\n",
        "features = 1\n",
        "features = { hooks = true }\n",
        "features.hooks = true\n",
        "[features\n",
    ],
)
def test_what_says_otherwise_is_left_alone(text: str) -> None:
    """What the user wants on, or what is in no known form, is named."""
    with pytest.raises(BadSettings):
        without_terminals(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OFF + TRUSTED, []),
        (OFF, ["trust"]),
        (TRUSTED, ["typed later"]),
        (OFF + TRUSTED.replace("pre_tool_use", "stop"), ["trust"]),
        (OFF + "hooks = false\n" + TRUSTED, ["no hook at all"]),
        (OFF + TRUSTED + "enabled = false\n", ["trust"]),
    ],
)
def test_what_keeps_the_hook_from_guarding_is_said(text: str, words: list[str]) -> None:
    """An untrusted hook is never called, a terminal goes by it."""
    found = problems_in(text)

    assert len(words) == len(found)
    assert all(word in problem for word, problem in zip(words, found, strict=True))
