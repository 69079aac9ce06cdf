"""The forms of the HTTP API's bodies and answers, as JSON Schema.

Closed sets (verdicts, levels ...) are read from their enumerations, so a new member is described as
soon as it exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.assess.finding import Severity
from signoff.assess.level import Challenge, Level
from signoff.assess.verdict import Verdict
from signoff.frontends.payloads import MAX_NAME, MAX_PATH, MAX_PRIOR_CALLS
from signoff.frontends.results.inspecting import TEXT_MOST, TEXTS_MOST, TextKind

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """Return a JSON schema reference to the component with this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: str, /, **properties: Schema) -> Schema:
    """Return an object schema; `required` lists its required properties, "*" = all."""
    names = list(properties) if required == "*" else required.split()
    return {"type": "object", "required": names, "properties": properties}


def _words(kind: type[StrEnum]) -> Schema:
    return {"type": "string", "enum": [word.value for word in kind]}


def _text(most: int | None = None) -> Schema:
    return {"type": "string"} if most is None else {"type": "string", "maxLength": most}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_BOOLEAN: Schema = {"type": "boolean"}
_ANY_OBJECT: Schema = {"type": "object", "additionalProperties": True}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_CALLER = {
    "session_id": _text(MAX_NAME),
    "agent_id": _text(MAX_NAME),
    "cwd": _text(MAX_PATH),
    "home": _text(MAX_PATH),
    "project": _text(MAX_PATH),
    "prior_calls": {"type": "integer", "minimum": 0, "maximum": MAX_PRIOR_CALLS},
    "id": {"type": ["string", "number", "null"]},
}
SCHEMAS: dict[str, Schema] = {
    "ToolCall": _object(
        "tool_name tool_input",
        tool_name=_text(MAX_NAME),
        tool_input=_ANY_OBJECT,
        tool_use_id=_text(MAX_NAME),
        tool_description=_text(),
        tool_schema=_ANY_OBJECT,
        tool_annotations=_ANY_OBJECT,
        **_CALLER,
    ),
    "FunctionCall": _object(
        "function",
        function=_text(MAX_NAME),
        args={"type": "array", "items": {}},
        kwargs=_ANY_OBJECT,
        docstring=_text(),
        hints={"type": "object", "additionalProperties": {"type": ["boolean", "number"]}},
        **_CALLER,
    ),
    "HttpRequest": _object(
        "hook_event_name method",
        hook_event_name={"type": "string", "const": "HttpRequest"},
        method=_text(MAX_NAME),
        path=_text(),
        query=_ANY_OBJECT,
        headers=_ANY_OBJECT,
        body={},
        client_ip=_text(MAX_NAME),
        **_CALLER,
    ),
    "Call": {"anyOf": [ref("ToolCall"), ref("FunctionCall"), ref("HttpRequest")]},
    "Factor": _object(
        "*", name=_text(), raw=_SHARE, weight=_SHARE, contribution=_SHARE, evidence=_text()
    ),
    "Finding": _object(
        "*",
        detector=_text(),
        category=_text(),
        severity=_words(Severity),
        confidence=_SHARE,
        evidence=_text(),
    ),
    "Operation": _object(
        "*",
        verb=_words(Verb),
        thing=_words(ResourceType),
        target=_text(),
        path=_text(),
        reach=_words(Reach),
        file_kind=_words(FileKind),
        traits=_list(_words(Trait)),
        reversible=_BOOLEAN,
        understood=_BOOLEAN,
        program=_text(),
        carriers=_list(_text()),
        why=_text(),
    ),
    "Decision": _object(
        "*",
        id={"type": ["string", "number", "null"]},
        verdict=_words(Verdict),
        level=_words(Level),
        risk=_SHARE,
        factors=_list(ref("Factor")),
        threat={"type": "number", "minimum": 0, "maximum": 100},
        findings=_list(ref("Finding")),
        operations=_list(ref("Operation")),
        rule={"type": ["string", "null"]},
        challenge=_words(Challenge),
        reason=_text(),
        instead=_text(),
        status={"type": "string", "enum": ["decided", "refused"]},
        decided_by=_text(),
        decision_id=_text(),
        digest=_text(),
        request_id=_text(),
    ),
    "Pending": _object(
        "*", id=_text(), status={"type": "string", "const": "pending"}, request_id=_text()
    ),
    "TextsToInspect": _object(
        "*",
        texts={
            **_list(
                _object(
                    "*",
                    kind=_words(TextKind),
                    tool={**_text(256), "minLength": 1},
                    text=_text(TEXT_MOST),
                )
            ),
            "minItems": 1,
            "maxItems": TEXTS_MOST,
        },
    ),
    "InspectedTexts": _object(
        "*",
        texts=_list(
            _object(
                "*",
                findings=_list(_object("*", detector=_text(), category=_text(), evidence=_text())),
            )
        ),
    ),
    "Health": _object(
        "status version",
        status=_text(),
        version=_text(),
        reason=_text(),
        channels={"type": "object", "additionalProperties": _text()},
    ),
    "Status": _object(
        "version pid decisions pending sessions locks problems",
        version=_text(),
        pid={"type": "integer"},
        uptime_s={"type": "number"},
        record=_text(),
        decisions={"type": "integer"},
        pending={"type": "integer"},
        sessions={"type": "integer"},
        locks=_list(_text()),
        in_force=_list(_ANY_OBJECT),
        channels={"type": "object", "additionalProperties": _text()},
        mode=_text(),
        notices=_list(_text()),
        problems=_list(_text()),
        last_error=_text(),
    ),
    "Sessions": _object("*", sessions=_list(_ANY_OBJECT)),
}
BODIES: Mapping[str, Schema] = {
    "/v1/actions": ref("Call"),
    "/v1/inspections": ref("TextsToInspect"),
}
ANSWERS: Mapping[tuple[str, int], Schema] = {
    ("/v1/actions", 200): ref("Decision"),
    ("/v1/actions", 202): ref("Pending"),
    ("/v1/actions/{id}", 200): ref("Decision"),
    ("/v1/actions/{id}", 202): ref("Pending"),
    ("/v1/inspections", 200): ref("InspectedTexts"),
    ("/v1/sessions", 200): ref("Sessions"),
    ("/v1/status", 200): ref("Status"),
    ("/healthz", 200): ref("Health"),
    ("/readyz", 200): ref("Health"),
    ("/readyz", 503): ref("Health"),
    ("/openapi.json", 200): _ANY_OBJECT,
}
