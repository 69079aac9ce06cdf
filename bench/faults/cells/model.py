"""The model that is asked before people: what it gets wrong goes on to people, never through.

Nobody else is there to be asked, so a call that runs was let through by the model's failure.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing

from bench.faults.calls import DANGER, DOUBT, Observation, Seen
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.python_gate import gated
from bench.faults.servers import (
    Answering,
    Faulty,
    dribbles,
    floods,
    hangs,
    http,
    says,
    slams,
)
from bench.faults.stage import Stage
from bench.ports import free_port

NAME = "model"
YES = '{"allowed": true, "confident": true, "reason": "reads only"}'
SETTINGS = """
limits: {{busy_timeout_s: 0.2}}
evaluator: {{base_url: "{scheme}://127.0.0.1:{port}", timeout_s: 1, daily_budget_cents: {cents}}}
"""
KEY = {"ANTHROPIC_API_KEY": "not-a-key"}


def message(text: str, **changed: object) -> bytes:
    """Return an answer of the Messages API."""
    said = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5-20251001",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
        **changed,
    }
    return json.dumps(said).encode()


GOOD = http(message(YES))
ANSWERS: Mapping[str, Answering] = {
    "hangs": hangs,
    "hangs up at once": slams,
    "answers one byte now and then": dribbles(GOOD, pause_s=0.05),
    "answers without end": floods(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"),
    "is overloaded (429)": says(http(message(YES), status="429 Too Many Requests")),
    "fails (500)": says(http(message(YES), status="500 Internal Server Error")),
    "is overloaded (529)": says(http(message(YES), status="529 Overloaded")),
    "does not know the key (401)": says(http(message(YES), status="401 Unauthorized")),
    "points elsewhere (302)": says(
        http(message(YES), status="302 Found", location="http://127.0.0.1:9/")
    ),
    "answers nothing": says(http(b"")),
    "answers HTML": says(http(b"<html>allowed</html>", content_type="text/html")),
    "answers half": says(http(message(YES))[:-30]),
    "answers another protocol": says(b"SSH-2.0-server\r\n"),
    "answers garbage": says(bytes(range(256)) * 10),
    "says it in words": says(http(message("Yes, this is allowed."))),
    "says it twice": says(http(message(YES + YES))),
    "says it in a fence": says(http(message(f"```json\n{YES}\n```"))),
    "says half of it": says(http(message(YES[:30]))),
    "is not sure": says(http(message(YES.replace('"confident": true', '"confident": false')))),
    "leaves out whether it is sure": says(http(message('{"allowed": true}'))),
    "is sure in words": says(http(message(YES.replace('"confident": true', '"confident": "yes"')))),
    "was cut off by its limit": says(http(message(YES, stop_reason="max_tokens"))),
    "refuses to answer": says(http(message(YES, stop_reason="refusal"))),
    "answers with no block": says(http(message(YES, content=[]))),
    "answers with another block": says(
        http(message(YES, content=[{"type": "thinking", "thinking": YES}]))
    ),
}
SLOW = frozenset({"hangs", "answers one byte now and then", "answers without end"})


def answered(answering: Answering, *, scheme: str = "http") -> Probe:
    """Return the probe of a model that answers like this."""

    def probe(stage: Stage) -> Observation:
        with Faulty(answering) as server:
            stage.write("signoff.yaml", SETTINGS.format(scheme=scheme, port=server.port, cents=100))
            trials = tuple(gated(stage, call.must_not_run(), **KEY) for call in (DOUBT, DANGER))
        said = f"asked {server.served} times" if server.served else ""
        return Observation(trials=trials, evidence=said)

    return probe


def not_there(stage: Stage) -> Observation:
    """Ask where nothing listens."""
    stage.write("signoff.yaml", SETTINGS.format(scheme="http", port=free_port(), cents=100))
    trial = gated(stage, DOUBT.must_not_run(), **KEY)
    return Observation(trials=(trial,), evidence="nobody listens on the port")


def no_key(stage: Stage) -> Observation:
    """Ask without a key."""
    with Faulty(says(GOOD)) as server:
        stage.write("signoff.yaml", SETTINGS.format(scheme="http", port=server.port, cents=100))
        trial = gated(stage, DOUBT.must_not_run())
    return Observation(trials=(trial,), evidence="" if server.served else "there was no key")


def no_money(stage: Stage) -> Observation:
    """Ask with nothing left to spend."""
    with Faulty(says(GOOD)) as server:
        stage.write("signoff.yaml", SETTINGS.format(scheme="http", port=server.port, cents=0))
        trial = gated(stage, DOUBT.must_not_run(), **KEY)
    return Observation(trials=(trial,), evidence="" if server.served else "the budget was spent")


def purse(spoil: str) -> Probe:
    """Return the probe of a good model whose costs cannot be kept; the good answer may count."""

    def probe(stage: Stage) -> Observation:
        path = stage.state / "costs.db"
        with Faulty(says(GOOD)) as server:
            stage.write("signoff.yaml", SETTINGS.format(scheme="http", port=server.port, cents=100))
            is_asked = gated(stage, DOUBT, **KEY).seen is Seen.RUNS and path.exists()
            if spoil == "corrupt":
                path.write_bytes(b"no database" * 1_000)
                trial = gated(stage, DOUBT.must_not_run(), **KEY)
            else:
                with closing(sqlite3.connect(path)) as db, db:
                    db.execute("BEGIN EXCLUSIVE")
                    trial = gated(stage, DOUBT.must_not_run(), **KEY)
                    db.execute("ROLLBACK")
                db.close()
        return Observation(trials=(trial,), evidence=f"costs {spoil}" if is_asked else "")

    return probe


def cells() -> Iterator[Cell]:
    """Yield every cell."""
    for fault, answering in ANSWERS.items():
        yield Cell(
            component=NAME, fault=fault, kind=Kind.MODEL, probe=answered(answering),
            is_quick=fault not in SLOW or fault == "hangs",
        )  # fmt: skip
    for fault, probe in (
        ("speaks no TLS", answered(says(GOOD), scheme="https")),
        ("is not there", not_there),
        ("has no key", no_key),
        ("has no budget left", no_money),
        ("its costs cannot be read", purse("corrupt")),
        ("its costs are held by another", purse("locked")),
    ):
        yield Cell(component=NAME, fault=fault, kind=Kind.MODEL, probe=probe)
