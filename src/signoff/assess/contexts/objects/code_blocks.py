"""Recognises objects that hold code by their members, all of which must be known.

is_own_block({"type": "code", "code": {"language": "sh", "rich_text": []}})          ->  True
are_files({"a.py": {"content": "print()"}, "b.py": {"content": "", "host": "a.example"}})  ->  False
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.action import Json

_OF_FILES = frozenset({"content", "filename", "language", "type", "encoding"})
_OF_OWN_BLOCKS = frozenset({"object", "type", "code", "id"})
_OF_CODE = frozenset({"language", "rich_text", "caption"})


def are_files(node: Mapping[str, Json]) -> bool:
    """Return whether a JSON object is a set of files: names with contents, nothing else."""
    return bool(node) and all(
        isinstance(one, Mapping) and "content" in one and one.keys() <= _OF_FILES
        for one in node.values()
    )


def is_own_block(node: Mapping[str, Json]) -> bool:
    """Return whether a JSON object is a code block in Notion's format."""
    content = node.get("code")
    if node.get("type") != "code" or not isinstance(content, Mapping):
        return False
    return node.keys() <= _OF_OWN_BLOCKS and content.keys() <= _OF_CODE
