"""A refused call still tells which one it was."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.frontends.call_id import MAX_ID, find_id
from signoff.frontends.cli.batch import answer_line
from signoff.frontends.strict_json import MAX_BYTES, MAX_DEPTH, MAX_PARTS

UNREADABLE: dict[str, bytes] = {
    "nul": b'{"id": 7, "tool_name": "Bash", "tool_input": {"command": "ls\\u0000"}}',
    "nul-before": b'{"tool_name": "Bash", "tool_input": {"command": "ls\\u0000"}, "id": 7}',
    "raw-nul": b'{"id": 7, "tool_name": "Bash", "tool_input": {"command": "ls\x00"}}',
    "surrogate": b'{"id": 7, "tool_name": "Bash", "tool_input": {"command": "\\ud800"}}',
    "not-utf-8": b'{"id": 7, "tool_name": "Bash", "tool_input": {"command": "\xff"}}',
    "name-twice": b'{"id": 7, "tool_name": "Bash", "tool_name": "Read", "tool_input": {}}',
    "nan": b'{"id": 7, "tool_name": "Bash", "tool_input": {"n": NaN}}',
    "too-big-a-number": b'{"id": 7, "tool_name": "Bash", "tool_input": {"n": 1e999}}',
    "cut-off": b'{"id": 7, "tool_name": "Bash", "tool_input": {"comma',
    "deep": b'{"id": 7, "tool_name": "Bash", "tool_input": %s' % (b"[" * (MAX_DEPTH + 9)),
    "many-parts": b'{"id": 7, "tool_input": [%s1]}' % (b"1," * (MAX_PARTS + 9)),
    "too-long": b'{"id": 7, "tool_input": "%s"}' % (b"x" * MAX_BYTES),
    "byte-order-mark": b'\xef\xbb\xbf{"id": 7, "tool_name": "Bash", "tool_input": {}}',
    "braces-in-text": b'{"tool_input": {"command": "}\\"id\\": 8{\\u0000"}, "id": 7}',
    "escaped-name": b'{"\\u0069d": 7, "tool_name": "\\u0000"}',
    "after-a-list": b'{"tool_input": [{"id": 8}, "\\u0000"], "id" : 7}',
}


def judge(action: Action, facts: Facts) -> Assessed:
    """Judge nothing: no call here gets so far."""
    raise AssertionError("a call that cannot be read was judged")


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_call_is_denied_under_its_id(name: str) -> None:
    """The caller learns which of its calls was refused."""
    answer = json.loads(answer_line(UNREADABLE[name], judge))

    assert (7, "deny") == (answer["id"], answer["verdict"])


@pytest.mark.parametrize("id", [7, -1.5, "a-7", "a\x00b", "ä", ""])
def test_an_id_is_echoed_as_it_came(id: Json) -> None:
    """Strings and numbers of every kind."""
    line = b'{"id": %s, "x": "\\u0000"}' % json.dumps(id).encode()

    assert id == json.loads(answer_line(line, judge))["id"]


NO_ID: dict[str, bytes] = {
    "none": b'{"tool_name": "\\u0000"}',
    "twice": b'{"id": 7, "id": 8, "tool_name": "\\u0000"}',
    "two-documents": b'{"id": 7, "x": "\\u0000"} {"id": 8}',
    "inside": b'{"tool_input": {"id": 7}, "x": "\\u0000"}',
    "in-a-list": b'[{"id": 7, "x": "\\u0000"}]',
    "in-text": b'{"x": "\\"id\\": 7 \\u0000"}',
    "an-object": b'{"id": {"a": 1}, "x": "\\u0000"}',
    "a-list": b'{"id": [7], "x": "\\u0000"}',
    "a-boolean": b'{"id": true, "x": "\\u0000"}',
    "not-finite": b'{"id": NaN, "x": 1}',
    "lone-surrogate": b'{"id": "\\ud800", "x": 1}',
    "not-utf-8": b'{"id": "\xff", "x": 1}',
    "too-long": b'{"id": "%s", "x": "\\u0000"}' % (b"x" * MAX_ID),
    "no-json": b"id: 7",
    "empty": b"",
}


@pytest.mark.parametrize("name", NO_ID)
def test_what_is_no_single_id_is_none(name: str) -> None:
    """Nothing is guessed."""
    answer = json.loads(answer_line(NO_ID[name], judge))

    assert (None, "deny") == (answer["id"], answer["verdict"])


@pytest.mark.parametrize("text", [b'{"a', b'{"a\\"', b"{", b"[]", b'{"a":"', b'{"a":1,'])
def test_a_long_text_takes_a_bounded_time(text: bytes) -> None:
    """One walk over the text, whatever it repeats."""
    raw = (text * (MAX_BYTES // len(text) + 1))[:MAX_BYTES]
    started = time.perf_counter()
    find_id(raw)

    assert time.perf_counter() - started < 1.0


@given(st.binary(max_size=200))
def test_no_text_stops_the_stream(noise: bytes) -> None:
    """Whatever stands there, the answer is a deny that is JSON."""
    answer = json.loads(answer_line(b'{"id": 7, "x": "\\u0000' + noise, judge))

    assert "deny" == answer["verdict"]
