"""Every broken file is refused with the message a user needs: place, what was found, what fits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from document_kinds import KINDS, message_of

TABLE = Path(__file__).with_name("broken_files.yaml")


def cases() -> Iterator[tuple[str, str, str]]:
    """Give the kind, the text and the message of each case."""
    for kind, rows in yaml.safe_load(TABLE.read_text(encoding="utf-8")).items():
        for row in rows:
            yield kind, row["text"], row["message"]


CASES = tuple(cases())
GOOD = {
    "settings": "pack: strict\nchannels: []\nlimits: {files: 3}\n",
    "project settings": "pack: strict\nhosts: {allow: never}\nprograms: tools\n",
    "rules": "version: 1\nrules: []\n",
    "project rules": "pack: strict\nrules: []\n",
    "programs": "programs:\n  - names: frob\n    does: delete file\n",
    "telegram": "version: 1\nchat: -100\nusers: [1]\n",
    "slack": "version: 1\nconversation: C01\nusers: [U01]\n",
    "profile": "name: x\nfloor: 0.1\n",
    "approvers": '{"version": 1, "approvers": []}',
    "web": "pipelines: {a: {resolve: strict}}\nroutes: [{path: /, pipeline: a}]\n",
    "locks": '{"version": 1, "locks": [{"scope": "all"}]}',
}


@pytest.mark.parametrize(("kind", "text", "message"), CASES)
def test_a_broken_file_is_refused_in_these_words(
    tmp_path: Path, kind: str, text: str, message: str
) -> None:
    """The whole message, so that a change of any shows."""
    assert message == message_of(kind, text, tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_file_is_taken(tmp_path: Path, kind: str) -> None:
    """The positive control."""
    assert "" == message_of(kind, GOOD[kind], tmp_path)


def test_every_kind_has_cases() -> None:
    """And there stay as many as there were."""
    assert {kind for kind, _, _ in CASES} == set(KINDS)
    assert len(CASES) >= 245


@pytest.mark.parametrize("kind", KINDS)
def test_every_message_names_file_line_and_column(kind: str) -> None:
    """All but those about a file of a secret beside it."""
    messages = [message for one, _, message in CASES if one == kind]
    placed = [message for message in messages if not message.startswith("`nowhere`")]

    assert [message for message in placed if not _has_place(message)] == []


def _has_place(message: str) -> bool:
    file, line, column, *_ = (*message.split(":"), "", "")
    return bool(file) and line.isdigit() and column.isdigit()
