"""Where the turns of a session come from: the host's transcript, else the record."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from signoff.actions.action import Json
from signoff.assess.level import Challenge, Level
from signoff.challenge.card import Card
from signoff.challenge.pending import ClockReading, Context, PendingRequest, RequestState
from signoff.challenge.words.session_transcripts import SessionTranscripts
from signoff.challenge.words.stopping import SessionTurn
from signoff.challenge.words.summary import PlainSummarizer
from signoff.effects.store import RecordDraft
from signoff.errors import StoreError
from signoff.redaction.redact import Redactor
from signoff.storage.memory import MemoryStore
from signoff.storage.sqlite import SqliteStore
from signoff.storage.transcripts import (
    LINE_LIMIT,
    READ_LIMIT,
    transcript_of_record,
    transcript_of_session,
)
from signoff.values import replace

SESSION = "0b1c2d3e-0000-4000-8000-000000000000"
NOW = datetime(2026, 11, 21, tzinfo=UTC)
PENDING = PendingRequest(
    id="r1",
    nonce="0" * 32,
    digest="0" * 64,
    action=b"{}",
    card=Card(headline="x", level=Level.LOW, challenge=Challenge.CONFIRM, why="y"),
    level=Level.LOW,
    challenge=Challenge.CONFIRM,
    steps=(),
    context=Context(session=SESSION),
    state=RequestState.PENDING,
    created_at=NOW,
    expires_at=NOW,
    created=ClockReading(wall_s=0.0),
)


def write(home: Path, *entries: Json | bytes, session: str = SESSION) -> Path:
    """Write a transcript."""
    folder = home / ".claude" / "projects" / "-home-dev-project"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{session}.jsonl"
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in entries]
    file.write_bytes(b"\n".join(lines) + b"\n")
    return file


def said(kind: str, content: Json) -> Json:
    """Return one entry."""
    return {"type": kind, "message": {"role": kind, "content": content}}


def test_a_transcript_is_read_as_turns(tmp_path: Path) -> None:
    """What was said, called and returned, in order."""
    write(
        tmp_path,
        {"type": "summary", "summary": "x"},
        said("user", "fix it"),
        said(
            "assistant",
            [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
            ],
        ),
        said("user", [{"type": "tool_result", "content": [{"type": "text", "text": "a.py"}]}]),
        said("user", [{"type": "tool_result", "content": "b.py"}]),
    )

    assert (
        SessionTurn(who="user", text="fix it"),
        SessionTurn(who="agent", text="I look."),
        SessionTurn(who="agent calls", text='Bash {"command": "ls"}'),
        SessionTurn(who="tool", text="a.py"),
        SessionTurn(who="tool", text="b.py"),
    ) == transcript_of_session(str(tmp_path), SESSION)


def test_an_error_of_a_tool_names_its_call(tmp_path: Path) -> None:
    """What went well, or names no call, is no failure."""
    results: list[Json] = [
        {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no"},
        {"type": "tool_result", "tool_use_id": "t2", "is_error": False, "content": "yes"},
        {"type": "tool_result", "tool_use_id": "t3", "content": "yes"},
        {"type": "tool_result", "is_error": True, "content": "no"},
    ]
    write(tmp_path, said("user", results))

    turns = transcript_of_session(str(tmp_path), SESSION)
    assert ["t1", "", "", ""] == [turn.failure for turn in turns]


def test_what_makes_an_agent_go_on_is_its_hosts(tmp_path: Path) -> None:
    """No words of its user's, though they stand among them."""
    fed_back = {"role": "user", "content": "Stop hook feedback:\nsignoff: try another way"}
    write(tmp_path, {"type": "user", "isMeta": True, "message": fed_back})

    assert ["host"] == [turn.who for turn in transcript_of_session(str(tmp_path), SESSION)]


def test_odd_lines_are_passed_over(tmp_path: Path) -> None:
    """A damaged transcript still tells what it can."""
    write(
        tmp_path,
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b"null",
        [1],
        {"type": "user"},
        {"type": "user", "message": "text"},
        {"type": "user", "isMeta": True, "message": {"content": "meta"}},
        said("user", [1, None, {"type": "tool_result"}, {"type": "image"}]),
        b'{"type": "user", "message": {"content": "' + b"x" * LINE_LIMIT + b'"}}',
        said("user", "the end"),
    )
    turns = transcript_of_session(str(tmp_path), SESSION)

    assert SessionTurn(who="user", text="the end") == turns[-1]
    assert {"", "the end"} == {turn.text for turn in turns}


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path) -> None:
    """However long it is."""
    write(tmp_path, *[said("user", f"{number} " + "x" * 1_000) for number in range(2_000)])
    turns = transcript_of_session(str(tmp_path), SESSION)

    assert turns[-1].text.startswith("1999 ")
    assert len(turns) <= 100 < READ_LIMIT // 1_000


@pytest.mark.parametrize(
    "session", ["", "..", "../x", "a/b", "*", "a\0b", "x" * 200, "\u0661\u0662", "-", "no-such"]
)
def test_another_id_finds_nothing(tmp_path: Path, session: str) -> None:
    """An id is no path."""
    (tmp_path / "x.jsonl").write_text(json.dumps(said("user", "outside")))
    write(tmp_path, said("user", "inside"))

    assert () == transcript_of_session(str(tmp_path), session)


def test_a_link_and_a_pipe_are_not_read(tmp_path: Path) -> None:
    """Only an ordinary file is, and nothing hangs."""
    folder = write(tmp_path, said("user", "x")).parent
    (folder / "link.jsonl").symlink_to(folder / f"{SESSION}.jsonl")
    os.mkfifo(folder / "pipe.jsonl")

    assert () == transcript_of_session(str(tmp_path), "link")
    assert () == transcript_of_session(str(tmp_path), "pipe")


def record(store: MemoryStore | SqliteStore, session: str, command: str) -> None:
    """Keep one decision."""
    content: dict[str, Json] = {
        "session": session,
        "tool": "Bash",
        "action_redacted": {"command": command},
        "verdict": "deny",
        "reason": "deletes",
    }
    asyncio.run(store.append(RecordDraft(content=content)))


def test_the_record_tells_of_its_session_only(tmp_path: Path) -> None:
    """What was called and what came of it."""
    store = SqliteStore(str(tmp_path / "state" / "record.db"))
    record(store, "s1", "rm a")
    record(store, "s2", "rm b")
    turns = transcript_of_record(store, session="s1")
    store.close()

    assert (
        SessionTurn(who="agent calls", text='Bash {"command": "rm a"} -> deny: deletes'),
    ) == turns


def test_without_a_session_the_record_tells_nothing(tmp_path: Path) -> None:
    """Calls of others are not among them."""
    store = SqliteStore(str(tmp_path / "state" / "record.db"))
    record(store, "", "rm a")
    turns = transcript_of_record(store, session="")
    store.close()

    assert () == turns


def summary_by(*sources: Sequence[SessionTurn] | Exception) -> str:
    """Return the summary by these sources."""

    def source(known: Sequence[SessionTurn] | Exception) -> Sequence[SessionTurn]:
        if isinstance(known, Exception):
            raise known
        return known

    transcripts = SessionTranscripts(
        sources=[lambda session, known=one: source(known) for one in sources],  # type: ignore[misc]  # a default binds the loop's value
        summarizer=PlainSummarizer(mask=Redactor(b"tests")),
    )
    return asyncio.run(transcripts.summary(replace(PENDING)))


def test_the_first_source_that_knows_is_used() -> None:
    """One that fails or knows nothing is passed over."""
    summary = summary_by(
        (),
        StoreError("down"),
        (SessionTurn(who="user", text="a"),),
        (SessionTurn(who="user", text="b"),),
    )

    assert summary.endswith("\nuser: a")
