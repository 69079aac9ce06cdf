"""Labelled calls: rows of a corpus file, each with the payload a host would send for it.

Two shapes of file are read: gzip of JSON lines (shared corpora, which live outside the project)
and plain JSON lines (the project's own cases). A row is a call (`tool` and `input`, or `function`
and `kwargs`; `place` gives the folders of another machine), a web request (`request`), a raw
document (`__raw_stdin__`), or a text with its `kind` (`payload`).

    {"id": "git-017", "class": "git", "tool": "Bash", "input": {"command": "git push -f"},
     "expect": "ask", "why": "rewrites what others may have pulled"}
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HOME = "/home/dev"
PROJECT = "/home/dev/project"
RAW = "__raw_stdin__"
SQL_TOOL = "mcp__postgres__query"
TEXT_TOOLS = {"shell": ("Bash", "command"), "sql": (SQL_TOOL, "sql")}
VERDICTS = ("allow", "ask", "deny")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled call.

    Args:
        source: where it comes from, the prefix of the id; macro figures are means over sources.
        label: the expected verdict, or a weak label (`destructive`, `readonly` ...).
        group: the class of an own case, the kind of a text.
        document: what is handed to the reader of payloads; b"" for a text.
        text: a text that is no call: a secret, a prompt, a value of a web request.
        command: the shell line, "" for other calls.
    """

    id: str
    source: str
    label: str
    group: str = ""
    is_soft: bool = False
    document: bytes = b""
    text: str = ""
    command: str = ""
    why: str = ""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Give the rows of one file of JSON lines, gzip or plain.

    Raises:
        ValueError: a line is no JSON; the message names file and line.
    """
    read = gzip.open if path.suffix == ".gz" else open
    with read(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path.name}:{number}: {error}") from error


def read_cases(path: Path) -> tuple[Case, ...]:
    """Give the labelled calls of one file."""
    return tuple(case_of(row) for row in read_rows(path))


def case_of(row: Mapping[str, Any]) -> Case:
    """Make the case of one row."""
    group = str(row.get("class") or row.get("kind") or "")
    origin = str(row.get("class") or row.get("source") or group)
    payload = payload_of(row)
    command = (payload or {}).get("tool_input", {}).get("command", "")
    return Case(
        id=row["id"],
        source=str(row["id"]).partition("/")[0] if "/" in row["id"] else origin,
        label=row.get("expect") or row.get("label") or "",
        group=group,
        is_soft=bool(row.get("soft")),
        document=_document(row, payload),
        text="" if payload or row.get("tool") == RAW else row["payload"],
        command=command if payload and payload.get("tool_name") == "Bash" else "",
        why=row.get("why") or row.get("note", ""),
    )


def _document(row: Mapping[str, Any], payload: Mapping[str, Any] | None) -> bytes:
    if row.get("tool") == RAW:
        return base64.b64decode(row["input"]["bytes_b64"])
    return b"" if payload is None else json.dumps(payload).encode()


def payload_of(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Make the payload a host would send for a row; None for a text and a raw document."""
    if row.get("tool") == RAW:
        return None
    if "request" in row:
        return {"hook_event_name": "HttpRequest", **row["request"]}
    given = row.get("input", ())
    if "function" in given and "args" in given:  # a call of a function, written as one of a tool
        row = row["input"]
    if "tool" in row:
        payload = tool_payload(row["tool"], row["input"], cwd=row.get("cwd") or PROJECT)
        return {**payload, **row.get("place", {})}
    if "function" in row:
        names = ("function", "args", "kwargs", "docstring", "hints", "prior_calls")
        return {name: row[name] for name in names if name in row}
    tool, argument = TEXT_TOOLS.get(row.get("kind", ""), ("", ""))
    return tool_payload(tool, {argument: row["payload"]}) if tool else None


def tool_payload(tool: str, given: Mapping[str, Any], *, cwd: str = PROJECT) -> dict[str, Any]:
    """Make the payload of one tool call in the project of a developer.

    Args:
        cwd: the folder of the call. One outside `PROJECT`, but for the home folder itself, is a
            project of its own, in the home that its path tells.
    """
    payload = {"tool_name": tool, "tool_input": given, "cwd": cwd}
    if f"{cwd}/".startswith(f"{PROJECT}/") or cwd == HOME:
        payload |= {"home": HOME, "project": PROJECT}
    return payload


def shell_case(case: Case, command: str) -> Case:
    """Give the same case with another shell line."""
    payload = tool_payload("Bash", {"command": command})
    return Case(
        id=case.id,
        source=case.source,
        label=case.label,
        group=case.group,
        is_soft=case.is_soft,
        document=json.dumps(payload).encode(),
        command=command,
        why=case.why,
    )
