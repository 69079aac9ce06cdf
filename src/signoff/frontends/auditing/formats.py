"""The audit log in the forms other programs read: JSON lines, CSV, OCSF and CEF.

Each takes the content of entries and yields lines without their ends.

    for line in FORMATS["ocsf"](contents): print(line)
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TypeAlias

from signoff.actions.action import Json
from signoff.storage.reading import Content

COLUMNS = (
    "seq",
    "ts",
    "verdict",
    "outcome",
    "decided_by",
    "level",
    "tool",
    "call",
    "reason",
    "rule",
    "risk",
    "threat",
    "agent",
    "session",
    "source",
    "cwd",
    "approver",
    "channel",
    "answered_in_ms",
    "latency_ms",
    "id",
    "action_digest",
    "policy_digest",
    "host",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins so
OCSF_VERSION = "1.9.0"
OCSF_CLASS, OCSF_OTHER = 6003, 99  # API Activity
SEVERITIES = {"low": 2, "medium": 3, "high": 4, "critical": 5}
OCSF_UNKNOWN = 0
# What OCSF calls the outcome: (action_id, disposition_id, status_id).
OUTCOMES = {"allow": (1, 1, 1), "deny": (2, 2, 2)}
OTHER_OUTCOME = (99, 99, 99)
CEF_SEVERITIES = {"low": 2, "medium": 5, "high": 8, "critical": 10}
CEF_LIMIT = 1_000  # characters of one field
FINDINGS = 5
# What OCSF has no field for.
UNMAPPED = (
    *("decided_by", "approver", "channel", "level", "risk", "threat"),
    *("prev", "outcome"),
)

Lines: TypeAlias = Callable[[Iterable[Content]], Iterator[str]]


def json_lines(contents: Iterable[Content]) -> Iterator[str]:
    """Yield each entry as a line of JSON, as stored."""
    for content in contents:
        yield json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def csv_lines(contents: Iterable[Content]) -> Iterator[str]:
    """Yield a CSV header and one line per entry; no cell is a spreadsheet formula."""
    yield _csv_line(COLUMNS)
    for content in contents:
        row = {**content, "call": call_of(content)}
        yield _csv_line(_cell(row.get(name)) for name in COLUMNS)


def ocsf_lines(contents: Iterable[Content]) -> Iterator[str]:
    """Yield each entry as an OCSF event of class API Activity, in JSON."""
    for content in contents:
        yield json.dumps(_ocsf(content), ensure_ascii=False, separators=(",", ":"))


def cef_lines(contents: Iterable[Content]) -> Iterator[str]:
    """Yield each entry as a line of the Common Event Format."""
    for content in contents:
        verdict = _text(content, "verdict")
        head = (
            "CEF:0",
            "signoff",
            "signoff",
            _text(content, "version") or "0",
            f"tool-call-{verdict}",
            f"tool call: {verdict}",
            # An entry without a known level must not look harmless.
            str(CEF_SEVERITIES.get(_text(content, "level"), CEF_SEVERITIES["critical"])),
        )
        fields = {
            "rt": str(_time_ms(content)),
            "act": verdict,
            "outcome": _text(content, "outcome"),
            "cat": _text(content, "tool"),
            "msg": call_of(content),
            "reason": _text(content, "reason"),
            "suser": _text(content, "agent"),
            "duser": _text(content, "approver"),
            "dvchost": _text(content, "host"),
            "externalId": _text(content, "id"),
            "cn1": str(content.get("seq", "")),
            "cn1Label": "seq",
            "cs1": _text(content, "session"),
            "cs1Label": "session",
            "cs2": _text(content, "decided_by"),
            "cs2Label": "decidedBy",
            "cs3": _text(content, "rule"),
            "cs3Label": "rule",
        }
        labelled = {name for name, value in fields.items() if value}
        said = " ".join(
            f"{name}={_cef(value)}"
            for name, value in fields.items()
            if value and name.removesuffix("Label") in labelled
        )
        yield "|".join([head[0], *map(_cef_head, head[1:]), said])


def call_of(content: Content) -> str:
    """Return the call of an entry in one line of text."""
    given = content.get("action_redacted")
    command = given.get("command") if isinstance(given, Mapping) else None
    if isinstance(command, str):
        return command
    return json.dumps(given, ensure_ascii=False) if given else ""


def _ocsf(content: Content) -> dict[str, Json]:
    verdict = _text(content, "verdict")
    action, disposition, status = OUTCOMES.get(verdict, OTHER_OUTCOME)
    return {
        "class_uid": OCSF_CLASS,
        "class_name": "API Activity",
        "category_uid": 6,
        "category_name": "Application Activity",
        "activity_id": OCSF_OTHER,
        "activity_name": "Tool call",
        "type_uid": OCSF_CLASS * 100 + OCSF_OTHER,
        "time": _time_ms(content),
        "severity_id": SEVERITIES.get(_text(content, "level"), OCSF_UNKNOWN),
        "status_id": status,
        "action_id": action,
        "disposition_id": disposition,
        "message": _text(content, "reason"),
        "metadata": {
            "version": OCSF_VERSION,
            "uid": _text(content, "id"),
            "sequence": content.get("seq"),
            "profiles": ["security_control", "ai_operation", "record_integrity"],
            "product": {
                "name": "signoff",
                "vendor_name": "signoff",
                "version": _text(content, "version"),
            },
        },
        "actor": {
            "app_name": _text(content, "source"),
            "session": {"uid": _text(content, "session")},
        },
        "ai_agent": {"name": _text(content, "source"), "uid": _text(content, "agent")},
        "api": {
            "operation": _text(content, "tool"),
            "service": {"name": _text(content, "source")},
            "request": {"uid": _text(content, "request_id"), "data": call_of(content)},
        },
        "src_endpoint": {"hostname": _text(content, "host")},
        "firewall_rule": {"name": _text(content, "rule")},
        "unmapped": {name: content.get(name) for name in UNMAPPED}
        | {"findings": _findings(content)},
    }


def _findings(content: Content) -> list[Json]:
    found = content.get("findings")
    return list(found)[:FINDINGS] if isinstance(found, list) else []


def _time_ms(content: Content) -> int:
    """Return the time of an entry in milliseconds since the epoch, 0 if it has none."""
    try:
        return int(datetime.fromisoformat(_text(content, "ts")).timestamp() * 1000)
    except ValueError:
        return 0


def _text(content: Content, name: str) -> str:
    value = content.get(name)
    return value if isinstance(value, str) else ""


def _cell(value: Json) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _csv_line(cells: Iterable[str]) -> str:
    made = io.StringIO()
    csv.writer(made, lineterminator="").writerow(list(cells))
    return made.getvalue()


def _cef_head(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("\r", " ")


def _cef(text: str) -> str:
    # The backslash first, or it would double those that the other escapes add.
    text = text[:CEF_LIMIT].replace("\\", "\\\\").replace("=", "\\=")
    return text.replace("\r", "\\r").replace("\n", "\\n")


FORMATS: Mapping[str, Lines] = {
    "jsonl": json_lines,
    "csv": csv_lines,
    "ocsf": ocsf_lines,
    "cef": cef_lines,
}
