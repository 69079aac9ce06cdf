"""Prints the description of the HTTP API, or its types for TypeScript.

python -m bench.openapi > docs/reference/openapi.json
python -m bench.openapi --types > clients/typescript/api.d.ts
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Any

from signoff.frontends.server.app import ENDPOINTS
from signoff.frontends.server.openapi.description import describe

HEAD = "/** The types of docs/reference/openapi.json: made by `python -m bench.openapi --types`. */"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def types_of(described: Mapping[str, Any]) -> str:
    """Return every schema of a description as a type of TypeScript."""
    schemas: Mapping[str, Mapping[str, Any]] = described["components"]["schemas"]
    parts = [HEAD]
    for name, schema in schemas.items():
        if schema.get("properties"):
            parts.append(f"export interface {name} {_typed(schema)}")
        else:
            parts.append(f"export type {name} = {_typed(schema)};")
    return "\n\n".join(parts) + "\n"


def _typed(schema: Mapping[str, Any], indent: str = "") -> str:
    """Return one schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_typed(one, indent) for one in schema["anyOf"])
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    if values:
        return " | ".join(map(json.dumps, values))
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_of_kind(kind, schema, indent) for kind in kinds) or "unknown"


def _of_kind(kind: str, schema: Mapping[str, Any], indent: str) -> str:
    if kind == "array":
        items = _typed(schema.get("items", {}), indent)
        return f"({items})[]" if " | " in items and "\n" not in items else f"{items}[]"
    if kind != "object":
        return PLAIN[kind]
    if schema.get("properties"):
        return "\n".join(("{", *_fields(schema, f"{indent}  "), f"{indent}}}"))
    more = schema.get("additionalProperties")
    return f"Record<string, {_typed(more, indent) if isinstance(more, Mapping) else 'unknown'}>"


def _fields(schema: Mapping[str, Any], indent: str) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        optional = "" if name in required else "?"
        yield f"{indent}{name}{optional}: {_typed(field, indent)};"


if __name__ == "__main__":
    DESCRIBED = describe(metadata.version("signoff"), ENDPOINTS)
    if "--types" in sys.argv[1:]:
        print(types_of(DESCRIBED), end="")
    else:
        print(json.dumps(DESCRIBED, indent=2))
