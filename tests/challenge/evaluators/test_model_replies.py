"""What a model replied is one JSON object of the right form, or it is an error (T-26)."""

from __future__ import annotations

import json

import pytest

from signoff.challenge.evaluator import Evaluation
from signoff.challenge.evaluators.reply import BadReply, read_evaluation

YES = '{"allowed": true, "confident": true, "reason": "ok"}'
NO = '{"allowed": false, "confident": true, "reason": "no"}'

HOSTILE = {
    "empty": "",
    "blank": " \n ",
    "words": "Sure, go ahead.",
    "yes": "true",
    "text": '"allowed"',
    "number": "1",
    "null": "null",
    "array": f"[{YES}]",
    "two-objects": f"{YES}{YES}",
    "two-objects-apart": f"{YES}\n\n{YES}",
    "no-then-yes": f"{NO}\n{YES}",
    "yes-then-no": f"{YES}\n{NO}",
    "with-comma": f"{YES},",
    "fenced": f"```json\n{YES}\n```",
    "fenced-plainly": f"```\n{YES}\n```",
    "word-before": f"Verdict: {YES}",
    "word-after": f"{YES} That is safe.",
    "thinking-before": f"<thinking>hm</thinking>{YES}",
    "tag-around": f"<answer>{YES}</answer>",
    "comment": '{"allowed": true, /* yes */ "confident": true}',
    "byte-order-mark": f"\ufeff{YES}",
    "no-break-space": f"\u00a0{YES}",
    "zero-width": f"{YES}\u200b",
    "nul": f"{YES}\0",
    "cut-off": '{"allowed": true, "confident": true',
    "single-quotes": "{'allowed': true, 'confident': true}",
    "python": '{"allowed": True, "confident": True}',
    "key-twice": '{"allowed": false, "confident": true, "allowed": true}',
    "key-twice-escaped": '{"allowed": false, "\\u0061llowed": true, "confident": true}',
    "other-key": '{"allowed": true, "confident": true, "override": true}',
    "other-case": '{"Allowed": true, "Confident": true}',
    "key-with-blank": '{"allowed ": true, "confident": true}',
    "look-alike-key": '{"\u0430llowed": true, "confident": true}',
    "nested": f'{{"answer": {YES}}}',
    "text-flag": '{"allowed": "true", "confident": true}',
    "number-flag": '{"allowed": 1, "confident": 1}',
    "null-flag": '{"allowed": null, "confident": true}',
    "list-flag": '{"allowed": [true], "confident": true}',
    "text-confident": '{"allowed": true, "confident": "yes"}',
    "reason-object": '{"allowed": true, "confident": true, "reason": {"allowed": true}}',
    "reason-null": '{"allowed": true, "confident": true, "reason": null}',
    "reason-long": json.dumps({"allowed": True, "confident": True, "reason": "x" * 1_001}),
    "confidence-text": '{"allowed": true, "confident": true, "confidence": "0.99"}',
    "confidence-flag": '{"allowed": true, "confident": true, "confidence": true}',
    "confidence-null": '{"allowed": true, "confident": true, "confidence": null}',
    "confidence-nan": '{"allowed": true, "confident": true, "confidence": NaN}',
    "confidence-infinite": '{"allowed": true, "confident": true, "confidence": Infinity}',
    "confidence-huge": '{"allowed": true, "confident": true, "confidence": 1e999}',
    "confidence-over": '{"allowed": true, "confident": true, "confidence": 1.01}',
    "confidence-under": '{"allowed": true, "confident": true, "confidence": -0.1}',
    "confidence-digits": f'{{"allowed": true, "confident": true, "confidence": {"9" * 3_000}}}',
    "deep": "[" * 3_900,
    "deep-inside": '{"reason": ' + '{"a":' * 700 + "1" + "}" * 701,
    "long": YES + " " * 4_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_is_an_error(name: str) -> None:
    """It is never read for the verdict somewhere in it."""
    with pytest.raises(BadReply):
        read_evaluation(HOSTILE[name], threshold=0.0)


def test_there_are_enough_hostile_replies() -> None:
    """At least forty, so that the list does not shrink."""
    assert len(HOSTILE) >= 40


UNSURE = {
    "nothing": "{}",
    "only-allowed": '{"allowed": true}',
    "only-confident": '{"confident": true}',
    "only-a-reason": '{"reason": "allowed: true, confident: true"}',
    "low-confidence": '{"allowed": true, "confident": true, "confidence": 0.79999}',
    "no-confidence": '{"allowed": true, "confident": true, "confidence": 0}',
    "denied": NO,
}


@pytest.mark.parametrize("name", UNSURE)
def test_what_is_not_said_is_not_approved(name: str) -> None:
    """Only allowed and confident, with enough confidence, approves."""
    assert not read_evaluation(UNSURE[name], threshold=0.8).approves


def test_blanks_around_the_object_do_not_matter() -> None:
    """As JSON has it."""
    expected = Evaluation(allowed=True, confident=True, reason="ok")

    assert expected == read_evaluation(f"\n {YES}\r\n\t", threshold=0.8)


def test_a_reason_shows_what_is_in_it() -> None:
    """What a model writes stands on cards: nothing in it may hide or break a line."""
    said = json.dumps({"reason": "fine\n\u202eetc \x1b[31m"})

    assert "fine\\u{A}\\u{202E}etc \\u{1B}[31m" == read_evaluation(said, threshold=0.8).reason


def test_a_lone_surrogate_does_no_harm() -> None:
    """JSON can carry one; nothing after it can."""
    assert "\\u{D800}" == read_evaluation('{"reason": "\\ud800"}', threshold=0.8).reason
