"""The card as text: whole, safe, and not to be approved where it does not fit."""

from __future__ import annotations

import sys

import pytest

from signoff.actions.action import Action
from signoff.assess.finding import Finding, Severity
from signoff.assess.level import Level
from signoff.assess.risk.score import Factor, RiskScore
from signoff.challenge.card import code_of, make_card, render_text
from signoff.challenge.request import Request
from signoff.challenge.visible import restore
from signoff.testing import FakeAssessment


def request(command: str, description: str = "") -> Request:
    """Return a request about a shell line."""
    action = Action(tool="Bash", arguments={"command": command}, cwd="/p", description=description)
    return Request(action=action, assessment=FakeAssessment(action=action))


def shown(command: str) -> str:
    """Return the command as a card shows it."""
    (argument,) = make_card(request(command)).arguments
    return "\n".join(argument.lines)


def test_no_character_reaches_a_card_raw_that_cannot_be_seen() -> None:
    """T-36: each of the 1,112,064 a text can hold, and each comes back as what it was."""
    raw: list[int] = []
    for start in range(0, sys.maxunicode + 1, 8_192):
        codes = range(start, min(start + 8_192, sys.maxunicode + 1))
        # Lone surrogates are no text: a call with one has no canonical form and is refused.
        text = "x".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF)
        card = shown(text)
        raw.extend(ord(char) for char in card.replace("\n", "") if not char.isprintable())
        assert restore(card) == text

    assert raw == []


def test_a_raw_character_would_be_noticed() -> None:
    """T-36: the positive control."""
    assert [char for char in "a\u202eb" if not char.isprintable()] == ["\u202e"]


@pytest.mark.parametrize("length", [0, 1, 100, 3_399, 10_000, 100_000])
def test_a_card_is_whole_or_says_it_is_not(length: int) -> None:
    """T-37: nothing is cut off silently, and the end is there in any case."""
    card = make_card(request("echo " + "a" * length + "; rm -rf ~"))
    text = render_text(card, limit=3_500)

    assert len(text.text) <= 3_500
    assert text.is_whole == (length <= 3_399 - 200 or "characters are not shown" not in text.text)
    assert "; rm -rf ~" in text.text
    if not text.is_whole:
        assert "cannot be approved here" in text.text
        assert card.code in text.text


def test_a_limit_counts_as_chat_services_do() -> None:
    """T-37: a character beyond the basic plane counts twice."""
    card = make_card(request("\U0001f600" * 2_000))

    assert not render_text(card, limit=3_500).is_whole
    assert render_text(card).is_whole


def test_blanks_are_counted() -> None:
    """T-37: what stands far to the right stays in sight."""
    assert shown("ls" + " " * 5_000 + "; rm -rf ~") == "ls\\u{20 x5000}; rm -rf ~"


def test_the_agents_story_changes_nothing_but_itself() -> None:
    """T-35: another description is another last part, and the same card otherwise."""
    honest, lying = (make_card(request("rm -rf ~", said)) for said in ("deletes", "lists"))

    assert honest.said != lying.said
    assert (honest.headline, honest.arguments, honest.code) == (
        lying.headline,
        lying.arguments,
        lying.code,
    )


def test_a_card_has_its_parts() -> None:
    """Risk with its factors, findings, and the code of the digest."""
    action = Action(tool="f", arguments={"n": 1})
    factor = Factor(name="novelty", raw=0.9, weight=0.1, contribution=0.09, evidence="first \x1b")
    finding = Finding(detector="d", category="d.x", severity=Severity.HIGH, evidence="seen \u202e")
    card = make_card(
        Request(
            action=action,
            assessment=FakeAssessment(
                action=action,
                level=Level.HIGH,
                risk=RiskScore(value=0.7, factors=(factor,)),
                findings=(finding,),
            ),
        )
    )

    assert card.findings == ("high d.x: seen \\u{202E}",)
    assert [(f.name, f.evidence) for f in card.factors] == [("novelty", "first \\u{1B}")]
    assert (card.risk, card.level, card.code) == (0.7, Level.HIGH, code_of(action))
    assert len(card.code) == 8


def test_secrets_are_masked_where_a_card_leaves_the_machine() -> None:
    """In the call and in what is said about it; the code stays that of the real bytes."""
    asked = request("curl -H hunter22", "uses hunter22")
    masked = make_card(asked, mask=lambda text: text.replace("hunter22", "***"))

    assert "hunter22" not in render_text(masked).text
    assert masked.code == make_card(asked).code
