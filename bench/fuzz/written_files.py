"""Parsers of files, forms and answers that others write, each with good inputs.

Transcripts are written by agents, checkpoints come back from where they were sent, settings and
descriptions come with projects, forms and bodies from browsers, answers from services.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import tempfile
from collections.abc import Callable, Coroutine
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.types import Message

from bench.fuzz.target import FuzzTarget, encoded, text_of
from signoff.assess.profiles.profile_file import load_profile
from signoff.challenge.outbound import http1
from signoff.challenge.outbound.endpoint import CallFailed
from signoff.errors import SignoffError
from signoff.frontends.hosts.installing import hook_lists
from signoff.frontends.hosts.registry import HOSTS
from signoff.frontends.hosts.transcripts import SessionFiles, TranscriptFormat
from signoff.frontends.web.forms import read_form
from signoff.frontends.web_apps.reading import UnreadableBody, body_text
from signoff.storage.proof import offline_verifier
from signoff.storage.proof.note import NoteKey, parse_note
from signoff.storage.reloading.own_programs import read_own_file

NOTE = (
    "signoff.log/9f3a12bc77de0012\n1838\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 signoff.log/9f3a12bc77de0012 "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q\n"
)
KEY = "signoff.log/x+a36cc4c3+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
PROFILE = "name: shop\npatterns: []\nterms: {refund: 0.4}\nfloor: 0.1\nproduction: 1.5\n"
PROGRAMS = (
    "version: 1\nprograms:\n  deployer:\n    does: read\n    options: {--to: {takes: value}}\n"
)
HOOKS = {
    "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "x"}]}]}
}
ANSWER = (
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    b"2\r\n{}\r\n0\r\n\r\n"
)
FILLED = b"verdict=approve&words=go+on&nonce=%C3%A4&csrf=x"
BODIES = (
    b"application/json; charset=utf-8\n\n{}",
    b'text/html; charset="iso-8859-1"\ngzip\n' + gzip.compress(b"<p>x", mtime=0),
)
CALL = {"command": "ls -la", "file_path": "/w/a.py"}
TRANSCRIPTS: dict[str, tuple[dict[str, object], ...]] = {
    "claude-code": (
        {"type": "assistant", "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z", "message": {
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": CALL}]}},
    ),
    "codex": (
        {"timestamp": "2026", "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "shell",
                                              "arguments": '{"command": ["ls"]}', "call_id": "c"}},
    ),
    "copilot": (
        {"type": "session.start", "data": {"context": {"cwd": "/w", "gitRoot": "/w"}}},
        {"type": "tool.execution_start", "data": {"toolName": "bash", "arguments": CALL,
                                                  "toolCallId": "c"}},
    ),
    "gemini": (
        {"sessionId": "s", "messages": [{"type": "gemini", "toolCalls": [
            {"id": "c", "name": "run_shell_command", "args": CALL}]}]},
    ),
}  # fmt: skip


@cache
def _folder() -> str:
    kept = tempfile.TemporaryDirectory(prefix="fuzz-")
    _KEPT.append(kept)
    return kept.name


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def _transcript(format: TranscriptFormat) -> Callable[[bytes], object]:
    def take(raw: bytes) -> object:
        path = Path(_folder(), f"session-{os.getpid()}.json")
        path.write_bytes(raw)
        session = SessionFiles(paths=(str(path),), modified_s=0.0, size=len(raw))
        return [*format.read(session)]

    return take


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _run(work: Coroutine[object, object, object]) -> object:
    return _loop().run_until_complete(work)


def _form(raw: bytes) -> object:
    async def receive() -> Message:
        return {"type": "http.request", "body": raw, "more_body": False}

    headers = [(b"content-type", b"application/x-www-form-urlencoded")]
    return _run(read_form(Request({"type": "http", "headers": headers}, receive)))


def _answer(raw: bytes) -> object:
    async def read() -> object:
        reader = asyncio.StreamReader(limit=http1.LINE_LIMIT)
        reader.feed_data(raw)
        reader.feed_eof()
        status, headers = await http1._head(reader)
        stream = http1.HttpStream(status=status, headers=headers, reader=reader, limit=1 << 20)
        return [piece async for piece in stream]

    return _run(read())


def _body(raw: bytes) -> object:
    kind, _, rest = raw.partition(b"\n")
    packed, _, body = rest.partition(b"\n")
    return body_text(body, text_of(kind), text_of(packed), 1 << 20)


def _notes(raw: bytes) -> object:
    key = offline_verifier.read_key(KEY)
    return [offline_verifier.checked(note, key) for note in offline_verifier.notes_in(text_of(raw))]


WRITTEN_FILES = (
    *(
        FuzzTarget(
            name=f"transcript {host.name}",
            take=_transcript(host.transcripts),
            seeds=(b"\n".join(encoded(*TRANSCRIPTS[host.name])) + b"\n",),
        )
        for host in HOSTS
        if host.transcripts is not None
    ),
    FuzzTarget(name="checkpoint", take=lambda raw: parse_note(text_of(raw)),
               seeds=(NOTE.encode(),)),
    FuzzTarget(name="checkpoint key", take=lambda raw: NoteKey.parse(text_of(raw)),
               seeds=(KEY.encode(),)),
    FuzzTarget(
        name="offline verifier",
        take=_notes,
        seeds=(NOTE.encode(), json.dumps({"note": NOTE}).encode()),
        errors=(offline_verifier.CheckFailed, *offline_verifier.UNREAD),
    ),
    FuzzTarget(name="profile file", seeds=(PROFILE.encode(),),
               take=lambda raw: load_profile(text_of(raw))),
    FuzzTarget(name="descriptions file", seeds=(PROGRAMS.encode(),),
               take=lambda raw: read_own_file(text_of(raw), file="x.yaml")),
    FuzzTarget(
        name="hook list",
        take=lambda raw: hook_lists.commands_in(text_of(raw), lambda text: "signoff" in text),
        seeds=encoded(HOOKS),
    ),
    FuzzTarget(name="form", take=_form, seeds=(FILLED,)),
    FuzzTarget(name="request body", take=_body, seeds=BODIES,
               errors=(SignoffError, UnreadableBody)),
    # What the caller turns into a failed call.
    FuzzTarget(name="service answer", take=_answer, seeds=(ANSWER,),
               errors=(CallFailed, OSError, EOFError, ValueError)),
)  # fmt: skip
