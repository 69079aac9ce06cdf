"""Calls of tools that name a settings file of the session: judged with what the file says.

`update_lifecycle(bucket="b", rules_file="rules.json")` says nothing of the rules. The same call is
judged once more with the text in place of the name; what cannot be read stays a name.

    handed_calls(action, facts)     [update_lifecycle(bucket="b", rules={"rule": [...]})]
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from signoff.actions.action import Action, Json
from signoff.actions.contents.settings.formats import parse_settings
from signoff.actions.facts import Facts
from signoff.actions.understand import HOST_TOOLS
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

FILES_LIMIT, TEXT_LIMIT = 4, 20_000
SAID = "with what this session wrote into the file"
_SETTINGS = words("json yaml yml toml json5 jsonc conf cfg ini sql hcl tf rego cedar xml")
_PARSED = words("json yaml yml toml")
# `rules_file` is about rules; who saves something names a file that is not read.
_ABOUT_FILE = lazy_re(r"(?i)_?(?:file_?(?:path|name)?|path)$")
_SAVES = lazy_re(r"(?i)^(?:save|out|output|dest|target|to)(?:_|$)|^save|destination|export")


def handed_calls(action: Action, facts: Facts) -> Iterator[Action]:
    """Yield the call with the texts of the files of the session that its arguments name."""
    is_tool = action.tool.startswith("mcp__") and action.tool not in HOST_TOOLS
    if not is_tool or not facts.written or not facts.files:
        return
    given: dict[str, Json] = {}
    found = 0
    for name, value in action.arguments.items():
        text = _text_of(name, value, action, facts) if found < FILES_LIMIT else None
        if text is None or not isinstance(value, str):
            given[name] = value
            continue
        found += 1
        ending = value.rpartition(".")[2].lower()
        parsed = parse_settings(text) if ending in _PARSED else None
        given[_ABOUT_FILE.sub("", name) or "content"] = text if parsed is None else parsed
    if found:
        given.setdefault("description", SAID)
        yield replace(action, arguments=given)


def _text_of(name: str, value: Json, action: Action, facts: Facts) -> str | None:
    if not isinstance(value, str) or len(value) > 1_024 or _SAVES.search(name) is not None:
        return None
    if value.rpartition(".")[2].lower() not in _SETTINGS:
        return None
    path = posixpath.normpath(posixpath.join(action.cwd or "/", value))
    fact = facts.files.get(path) if path in facts.written else None
    return fact.text[:TEXT_LIMIT] if fact is not None and fact.text else None
