"""`signoff mcp-server`: an MCP server with tools an agent may use; none of them could approve.

signoff mcp-server        started by an MCP client, on its pipes
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import click
import msgspec

from signoff.actions.action import Action, Json
from signoff.assess.advice import advice_for, safer_lines
from signoff.challenge.card import title_and_command
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.visible import visible
from signoff.errors import BadPayload
from signoff.frontends.assessed_json import assessed_json
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.judging import judge_here
from signoff.frontends.cli.request_lookup import ID_SHOWN, approvals_here, is_named
from signoff.frontends.mcp.own_server import OwnTools, serve
from signoff.frontends.payloads import read_call
from signoff.sync import run_now

SOURCE = "mcp-server"
LISTED_MOST = 20


@click.command("mcp-server", short_help="Serve tools that explain verdicts, to MCP clients.")
def command() -> None:
    """Serve MCP on standard input and output: explain_verdict, propose_narrower, request_status."""
    out = os.dup(1)
    os.dup2(2, 1)  # whatever is printed from now on is no message
    with errors_as_messages(), open(out, "wb") as answers:
        serve(
            OwnTools(explain=explain, narrower=narrower, status=status), sys.stdin.buffer, answers
        )


def explain(call: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return what `signoff check --json` prints for a call.

    Raises:
        SignoffError: it cannot be read, or settings or rules are refused.
    """
    cwd = call.get("cwd") or os.getcwd()
    assessed = judge_here(read_call({**call, "cwd": cwd}, source=SOURCE).action)
    found: Mapping[str, Json] = msgspec.json.decode(assessed_json(assessed))
    return {name: value for name, value in found.items() if name not in ("id", "factors")}


def narrower(line: str, cwd: str) -> Mapping[str, Json]:
    """Return safer alternatives of a shell line, each with the verdict it would get.

    Raises:
        SignoffError: settings or rules are refused.
    """
    if not line:
        raise BadPayload("give `command`")
    folder = cwd or os.getcwd()
    assessed = judge_here(_line(line, folder))
    proposed: list[Json] = [
        {"command": safer, "verdict": judge_here(_line(safer, folder)).preliminary.value}
        for safer in safer_lines(assessed)
    ]
    return {
        "verdict": assessed.preliminary.value,
        "reason": assessed.reason,
        "instead": advice_for(assessed),
        "proposed": proposed,
    }


def status(id: str) -> Mapping[str, Json]:
    """Return the state of a request; for "" a list of the open ones.

    Raises:
        SignoffError: there is no such request, or the store cannot be read.
    """
    approvals = approvals_here()
    states = () if id else (RequestState.PENDING,)
    listed = run_now(approvals.requests.listed(*states, limit=1_000))
    found = [one for one in listed if not id or is_named(one, id.lower())]
    if id and not found:
        raise BadPayload(f"no request has an id that begins with `{visible(id[:40])}`")
    return {"requests": [_told(one) for one in found[:LISTED_MOST]]}


def _line(line: str, cwd: str) -> Action:
    return Action(tool="Bash", arguments={"command": line}, cwd=cwd, source=SOURCE)


def _told(pending: PendingRequest) -> Json:
    """Return what an agent may know of a request: no code, no nonce, and not who may answer."""
    return {
        "id": pending.id[:ID_SHOWN],
        "state": pending.state.value,
        "is_open": pending.state.is_open,
        "level": pending.level.value,
        "what": title_and_command(pending.card),
        "expires_at": pending.expires_at.isoformat(),
        "words": pending.words,
    }
