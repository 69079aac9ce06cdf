"""Entries in the forms other programs read: nothing breaks out of its field."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from signoff.actions.action import Json
from signoff.frontends.auditing.formats import COLUMNS, FORMATS, call_of

HOSTILE = 'a|b=c\\d\n"e",f\r\u2028g'
CONTENT: dict[str, Json] = {
    "seq": 7,
    "ts": "2026-03-04T10:00:00+00:00",
    "verdict": "deny",
    "decided_by": "score",
    "level": "critical",
    "tool": HOSTILE,
    "reason": HOSTILE,
    "agent": "=HYPERLINK(1)",
    "action_redacted": {"command": HOSTILE},
    "findings": [{"detector": "destructive"}],
    "risk": 0.9,
}


def test_csv_keeps_every_cell_and_runs_none() -> None:
    """A reader of CSV gets back what was written; a formula is a text."""
    text = "\n".join(FORMATS["csv"]([CONTENT]))
    head, row = csv.reader(io.StringIO(text, newline=""))

    assert list(COLUMNS) == head
    assert HOSTILE == row[COLUMNS.index("call")]
    assert "'=HYPERLINK(1)" == row[COLUMNS.index("agent")]


def test_an_ocsf_event_says_what_was_decided() -> None:
    """The class, the outcome and the time, as numbers of the schema."""
    (line,) = FORMATS["ocsf"]([CONTENT])
    event = json.loads(line)

    assert (6003, 600399) == (event["class_uid"], event["type_uid"])
    assert (2, 2, 5) == (event["action_id"], event["disposition_id"], event["severity_id"])
    assert 1772618400000 == event["time"]
    assert HOSTILE == event["api"]["operation"]


def test_a_cef_line_is_one_line_with_seven_bars() -> None:
    """What is in a field ends neither the field nor the line."""
    (line,) = FORMATS["cef"]([CONTENT])

    assert "\n" not in line
    assert 7 == len(re.findall(r"(?<!\\)\|", line.split("rt=")[0]))
    assert "msg=a|b\\=c\\\\d\\n" in line
    assert "cs3Label" not in line  # nothing to label


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_entry_breaks_no_form(form: str) -> None:
    """What is missing is left out."""
    assert list(FORMATS[form]([{}]))


def test_json_lines_give_back_the_entry() -> None:
    """As it is kept."""
    (line,) = FORMATS["jsonl"]([CONTENT])

    assert CONTENT == json.loads(line)
    assert HOSTILE == call_of(CONTENT)
