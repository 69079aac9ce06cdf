"""A person with several agents is told which one asks, in its own name."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.challenge.card import make_card, render_text
from signoff.challenge.heading import OWN_NAMES, folder_name, origin, own_name
from signoff.challenge.request import Request
from signoff.challenge.words.asking import About
from signoff.challenge.words.showing import origin_words
from signoff.frontends.hosts.registry import ADAPTERS
from signoff.frontends.mcp.adapter import MCP_ADAPTERS
from signoff.frontends.python.wire import SOURCES
from signoff.testing import FakeAssessment


def test_the_names_are_those_of_the_manifests() -> None:
    """Cards are drawn below the hosts, so the table stands here; no name is left over in it."""
    others = {"claude-agent-sdk", *SOURCES} - MCP_ADAPTERS.keys()
    adapters = {**ADAPTERS, **MCP_ADAPTERS}
    named = {name: one.called for name, one in adapters.items() if one.called != name}

    assert SOURCES <= OWN_NAMES.keys()
    assert named == {name: said for name, said in OWN_NAMES.items() if name not in others}


def test_the_second_line_of_a_card_says_whose_call_it_is() -> None:
    """Host, project and session, before why it is asked."""
    action = Action(
        tool="Bash",
        arguments={"command": "ls"},
        cwd="/home/dev/shop/src",
        session="23805cf6",
        source="claude-code",
    )
    assessment = FakeAssessment(action=action, facts=Facts(project="/home/dev/shop"))
    drawn = render_text(make_card(Request(action=action, assessment=assessment))).text.split("\n")

    assert "from:  Claude Code in shop, session 23805cf6" == drawn[1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"host": "codex-permission", "folder": "/w/api/"}, "Codex in api"),
        (
            {"host": "claude-code", "agent": "a7", "session": "s"},
            "Claude Code, agent a7, session s",
        ),
        ({"host": "", "agent": "reviewer", "folder": "/w"}, "reviewer in w"),
        ({"host": "", "session": "s1"}, "an agent, session s1"),
        ({"host": "", "folder": "/w"}, ""),
    ],
)
def test_what_is_known_is_said(given: dict[str, str], said: str) -> None:
    """And nothing that is not."""
    assert said == origin(**given)


@pytest.mark.parametrize("text", ["x\u202ey", "a" * 5_000, "\x1b[2K", "\u200b"])
def test_a_name_cannot_repaint_or_flood_the_card(text: str) -> None:
    """A folder, a host and a session are somebody else's text."""
    said = origin(host=text, folder=f"/w/{text}", agent=text, session=text)

    assert said.isprintable()
    assert len(said) < 500


def test_a_session_named_by_a_uuid_is_short() -> None:
    """Its first part tells it from others; people read it on a phone."""
    said = origin(host="claude-code", session="947fc362-317e-4534-8afc-dc65ebde1ef3")

    assert "Claude Code, session 947fc362" == said


def test_over_http_the_agent_is_called_as_it_calls_itself() -> None:
    """The protocol is no name that a person knows."""
    assert "deploy-bot (over HTTP) in w" == origin(host="http", agent="deploy-bot", folder="/w")
    assert "http, session s" == origin(host="http", session="s")


def test_the_root_has_a_name() -> None:
    """An agent that stands there is not nowhere."""
    assert ("/", "shop", "") == (folder_name("/"), folder_name("/home/dev/shop/"), folder_name(""))


def test_a_host_without_a_name_is_called_as_it_calls_itself() -> None:
    """Better than nothing."""
    assert "my-bot" == own_name("my-bot")


def test_a_question_of_nobody_known_is_the_agents() -> None:
    """Where a host told nothing of itself."""
    assert "the agent" == origin_words(About())
