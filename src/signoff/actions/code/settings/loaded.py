"""Values that code loads from a text of settings: JSON, TOML, YAML, lines of `NAME=value`.

load("json.load", Value(constant='{"dir": "out"}'))     entries: dir = "out"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from signoff.actions.action import Json
from signoff.actions.code.value import Taint, Value
from signoff.actions.contents.settings.formats import parse_json, parse_toml, parse_yaml

READ_FILE = "read-file"  # the kind of a file whose text is known
MAX_LINES = 200
_YAML = ("yaml.safe_load", "yaml.load", "yaml.full_load", "ruamel.yaml.safe_load")
_TOML = ("tomllib.load", "tomllib.loads", "tomli.load", "tomli.loads", "toml.load", "toml.loads")
_PARSERS: Mapping[str, Callable[[str], Json]] = {
    **dict.fromkeys(
        ("json.load", "json.loads", "JSON.parse", "json5.load", "orjson.loads"), parse_json
    ),
    **dict.fromkeys((*_YAML, "YAML.parse", "jsyaml.load", "js-yaml.load"), parse_yaml),
    **dict.fromkeys((*_TOML, "TOML.parse"), parse_toml),
}


def load(name: str, given: Value) -> Value | None:
    """Return what a parser of settings makes of a known text; None if it is no such call."""
    parse = _PARSERS.get(name)
    if parse is None or not given.text or not given.is_known:
        return None
    value = parse(given.text)
    return None if value is None else as_value(value, given.taints)


def as_value(value: Json, taints: frozenset[Taint]) -> Value:
    """Return a value of settings as one of code."""
    if isinstance(value, Mapping):
        entries = tuple([(str(key), as_value(one, taints)) for key, one in value.items()])
        return Value(entries=entries, taints=taints)
    if isinstance(value, list | tuple):
        return Value(items=tuple([as_value(one, taints) for one in value]), taints=taints)
    known = value if isinstance(value, str | int | float) else None
    return Value(constant=known, taints=taints)


def entry_of(method: str, receiver: Value, given: Sequence[Value]) -> Value | None:
    """Return what `settings.get("dir")` gives of a mapping whose entries are known."""
    if method != "get" or not receiver.entries or not given or not given[0].is_known:
        return None
    return dict(receiver.entries).get(given[0].shown)


def lines_of(source: Value) -> Value | None:
    """Return the lines of a file whose text is known, as a list; None if it is no such file."""
    if source.kind != READ_FILE or source.text is None:
        return None
    lines = source.text.splitlines(keepends=True)[:MAX_LINES]
    return Value(
        items=tuple([Value(constant=line, taints=source.taints) for line in lines]),
        taints=source.taints,
    )
