"""The texts of a tool's result, whatever its shape: found, put into pieces, and replaced.

    texts_of({"rows": [{"name": "Kim"}]})                       -> ["rows", "name", "Kim"]
    replaced({"a": ["x", "y"]}, lambda t: "-" if t == "x" else t)  -> {"a": ["-", "y"]}

A value that is neither text, number, mapping nor list is read as `str` shows it, as frameworks do
when they hand it to the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from signoff.frontends.results.inspecting import TEXT_MOST

OVERLAP = 2_000  # characters that two pieces of a long text share
READ_MOST = 4_194_304  # characters of one result
NODES_MOST = 100_000
SHORTEST = 12  # characters: nothing shorter gives an order or is a secret
OPAQUE = ("data", "blob")  # base64 of images, sounds and files


def texts_of(root: object) -> list[str]:
    """Return every text in a result, names included, without Base64 data."""
    found: list[str] = []
    stack: list[Any] = [root]
    for _ in range(NODES_MOST):
        if not stack:
            return found
        node = stack.pop()
        if isinstance(node, Mapping):
            for name, value in list(node.items())[::-1]:
                stack += (name,) if _is_opaque(node, name, value) else (value, name)
        elif isinstance(node, list | tuple):
            stack.extend(reversed(node))
        elif not isinstance(node, bool | int | float | None):
            found.append(shown(node))
    # So many parts that nobody reads them one by one: what is left is one text.
    found.append(str(stack)[:READ_MOST])
    return found


def shown(value: object) -> str:
    """Return a value as the text that the model reads."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def pieces(texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts in pieces small enough to send; short ones are joined."""
    whole = "\n".join(texts)[:READ_MOST]
    if len(whole) < SHORTEST:
        return
    for at in range(0, len(whole), TEXT_MOST - OVERLAP):
        yield whole[at : at + TEXT_MOST]


def replaced(node: Any, change: Callable[[str], str], *, has_names: bool = True) -> Any:  # noqa: ANN401 - of any shape
    """Return a copy of a result with `change` applied to every text.

    Args:
        has_names: False leaves names in mappings alone, where they are the tool's own.
    """
    if isinstance(node, bool | int | float | None):
        return node
    if isinstance(node, Mapping):
        return {
            _changed(name, change) if has_names else name: value
            if _is_opaque(node, name, value)
            else replaced(value, change, has_names=has_names)
            for name, value in node.items()
        }
    if isinstance(node, list):
        return [replaced(one, change, has_names=has_names) for one in node]
    if isinstance(node, tuple):
        return tuple(replaced(one, change, has_names=has_names) for one in node)
    return _changed(node, change)


def _changed(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - as above
    text = shown(value)
    new = change(text)
    return value if new == text else new


def _is_opaque(node: Mapping[Any, Any], name: object, value: object) -> bool:
    return name in OPAQUE and isinstance(value, str) and "mimeType" in node
