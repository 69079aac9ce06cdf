"""The channels people answer on fail: what nobody could answer is refused, in time.

The daemon asks on Telegram or in the browser. Nobody answers there, or nobody who may.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping

from bench.faults.calls import BENIGN, DANGER, DOUBT, Observation
from bench.faults.cell import Cell, Kind, Probe
from bench.faults.cells.store import SPOILED
from bench.faults.servers import Answering, Faulty, floods, hangs, http, says, slams
from bench.faults.stage import Stage
from bench.ports import free_port

TOKEN = "4711:AAfake-token_fake-token_fake-token"
ADA, CHAT = 7, 1_000
SETTINGS = "server: {{port: {port}}}\nlimits: {{answer_timeout_s: 1}}\n{more}"
APPROVERS = {
    "version": 1,
    "approvers": [
        {
            "id": "ada",
            "role": "approver",
            "identities": [{"channel": "telegram", "id": str(ADA)}],
        }
    ],
}
CALLS = (DOUBT.must_not_run(), DANGER, BENIGN)


def ok(result: object) -> Answering:
    """Answer every method with this result."""
    return says(http(json.dumps({"ok": True, "result": result}).encode()))


def failed(code: int, said: str) -> Answering:
    """Answer every method with this error."""
    body = {"ok": False, "error_code": code, "description": said}
    return says(http(json.dumps(body).encode(), status=f"{code} {said}"))


ANSWERS: Mapping[str, Answering] = {
    "hangs": hangs,
    "hangs up": slams,
    "fails (500)": failed(500, "Internal Server Error"),
    "does not know the token (401)": failed(401, "Unauthorized"),
    "is read by somebody else (409)": failed(409, "Conflict"),
    "is overloaded (429)": failed(429, "Too Many Requests"),
    "answers garbage": says(bytes(range(256)) * 10),
    "answers half": says(http(b'{"ok": true, "result": {"message_id": 5')[:-3]),
    "answers yes to everything": ok(result=True),
    "answers with nothing": ok(None),
    "answers without end": floods(b"HTTP/1.1 200 OK\r\n\r\n{"),
}


def telegram(answering: Answering) -> Probe:
    """Return the probe of a Bot API that answers like this."""

    def probe(stage: Stage) -> Observation:
        with Faulty(answering) as api:
            stage.write("signoff.yaml", SETTINGS.format(port=free_port(), more=""))
            stage.write(
                "telegram.yaml", f"api: http://127.0.0.1:{api.port}\nchat: {CHAT}\nusers: [{ADA}]\n"
            )
            stage.write("telegram.token", TOKEN)
            stage.write("approvers.json", json.dumps(APPROVERS))
            with stage.served():
                trials = tuple(stage.client(call, deadline_s=8) for call in CALLS)
        said = f"asked {api.served} times" if api.served else ""
        return Observation(trials=trials, evidence=said)

    return probe


def said_by_homeserver(said: object, status: str = "200 OK") -> Answering:
    """Answer every call of the client-server API with this."""
    return says(http(json.dumps(said).encode(), status=status))


MATRIX_ANSWERS: Mapping[str, Answering] = {
    "hangs": hangs,
    "hangs up": slams,
    "fails (500)": said_by_homeserver({}, "500 Internal Server Error"),
    "does not know the token (401)": said_by_homeserver(
        {"errcode": "M_UNKNOWN_TOKEN"}, "401 Unauthorized"
    ),
    "is overloaded (429)": said_by_homeserver(
        {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 60_000}, "429 Too Many Requests"
    ),
    "answers garbage": says(bytes(range(256)) * 10),
    "answers half": says(http(b'{"event_id": "$e", "next_batch": "s1", "user')[:-3]),
    "approves in the name of a stranger": said_by_homeserver(
        {
            "user_id": "@signoff:test",
            "event_id": "$card",
            "next_batch": "s1",
            "rooms": {
                "join": {
                    "!room:test": {
                        "timeline": {
                            "events": [
                                {
                                    "type": "m.reaction",
                                    "event_id": "$yes",
                                    "sender": "@eve:test",
                                    "content": {
                                        "m.relates_to": {
                                            "rel_type": "m.annotation",
                                            "event_id": "$card",
                                            "key": "\N{THUMBS UP SIGN}",
                                        }
                                    },
                                }
                            ]
                        }
                    }
                }
            },
        }
    ),
    "answers without end": floods(b"HTTP/1.1 200 OK\r\n\r\n{"),
}


def matrix(answering: Answering) -> Probe:
    """Return the probe of a homeserver that answers like this."""

    def probe(stage: Stage) -> Observation:
        with Faulty(answering) as api:
            stage.write("signoff.yaml", SETTINGS.format(port=free_port(), more=""))
            said = f"homeserver: http://127.0.0.1:{api.port}\nroom: '!room:test'\n"
            stage.write("matrix.yaml", f"{said}users: ['@ada:test']\n")
            stage.write("matrix.token", TOKEN)
            with stage.served():
                trials = tuple(stage.client(call, deadline_s=8) for call in CALLS)
        return Observation(
            trials=trials, evidence=f"asked {api.served} times" if api.served else ""
        )

    return probe


def bad_file(name: str, text: str) -> Probe:
    """Return the probe of a channel that is configured and cannot be built."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", SETTINGS.format(port=free_port(), more=""))
        stage.write("telegram.yaml", f"chat: {CHAT}\nusers: [{ADA}]\n")
        stage.write("telegram.token", TOKEN)
        stage.write(name, text)
        with stage.served():
            trials = tuple(stage.client(call, deadline_s=8) for call in CALLS)
        return Observation(trials=trials, evidence=f"{name} was spoiled")

    return probe


def nobody(stage: Stage) -> Observation:
    """Ask in the browser, where nobody looks."""
    stage.write("signoff.yaml", SETTINGS.format(port=free_port(), more="channels: [web]\n"))
    with stage.served():
        trials = tuple(stage.client(call, deadline_s=8) for call in CALLS)
    return Observation(trials=trials, evidence="nobody answered")


def approvals_spoiled(fault: str) -> Probe:
    """Return the probe of a file of approvals that is spoiled while the daemon asks by it."""

    def probe(stage: Stage) -> Observation:
        stage.write("signoff.yaml", SETTINGS.format(port=free_port(), more="channels: [web]\n"))
        with stage.served():
            stage.client(DOUBT, deadline_s=8)
            path = stage.state / "approvals.db"
            is_there = path.exists()
            SPOILED[fault][1](path)
            trials = tuple(stage.client(call, deadline_s=8) for call in CALLS)
        return Observation(trials=trials, evidence="it was spoiled" if is_there else "")

    return probe


def port_taken(stage: Stage) -> Observation:
    """Ask where the webhook's port is somebody else's."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        stage.write("telegram.secret", "s" * 40)
        hook = (
            f"webhook: {{url: https://example.org/t, port: {port}, secret_file: telegram.secret}}"
        )
        probe = bad_file(
            "telegram.yaml",
            f"api: http://127.0.0.1:{free_port()}\nchat: {CHAT}\nusers: [{ADA}]\n{hook}\n",
        )
        return probe(stage)


def cells() -> Iterator[Cell]:
    """Yield every cell."""

    def cell(component: str, fault: str, probe: Probe, *, is_quick: bool = False) -> Cell:
        return Cell(
            component=component, fault=fault, kind=Kind.PEOPLE, probe=probe, is_quick=is_quick,
            limit_s=60,
        )  # fmt: skip

    for fault, answering in ANSWERS.items():
        yield cell("Telegram", fault, telegram(answering), is_quick="hang" in fault)
    for fault, answering in MATRIX_ANSWERS.items():
        yield cell("Matrix", fault, matrix(answering), is_quick=fault == "hangs up")
    for fault, name, text in (
        ("its file is empty", "telegram.yaml", ""),
        ("its file is broken", "telegram.yaml", "chat: ["),
        ("its token is none", "telegram.token", "secret"),
        ("its webhook has no secret", "telegram.yaml", f"chat: {CHAT}\nusers: [{ADA}]\n"
         "webhook: {url: https://example.org/t, port: 8443, secret_file: telegram.secret}\n"),
        ("the list of approvers is broken", "approvers.json", "{"),
    ):  # fmt: skip
        yield cell("Telegram", fault, bad_file(name, text))
    yield cell("Telegram", "its webhook's port is taken", port_taken)
    yield cell("inbox", "nobody answers", nobody, is_quick=True)
    for fault in ("its header is garbage", "it is a folder", "its pages are garbage"):
        yield cell("approvals under the daemon", fault, approvals_spoiled(fault))
