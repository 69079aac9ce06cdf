"""The nodes of a YAML file that ships with signoff, stored so that a start reads no YAML.

    stored = store_nodes(root, text)                              # when the file was read
    read_stored(stored, text, file="default.yaml", form=FORM)     # the same root, or None

What is stored counts only for the very text it was made from.
"""

from __future__ import annotations

import hashlib

import msgspec

from signoff.documents.node import Document, FileForm, Node
from signoff.documents.raw import LIST, SCALAR, Mark, PlainNode, RawMark, RawNode

DIGEST_BYTES = 16

_DECODER = msgspec.msgpack.Decoder(PlainNode)


def store_nodes(root: Node, text: bytes) -> bytes:
    """Serialise a parsed file for the cache.

    Args:
        root: the file's root node.
        text: the file's content, whose hash is stored too.
    """
    return _digest(text) + msgspec.msgpack.encode(_plain(root.raw))


def read_stored(stored: bytes, text: bytes, *, file: str, form: FileForm) -> Node | None:
    """Restore a parsed file from the cache; None if it was stored for another text.

    Args:
        stored: what `store_nodes` returned.
        text: the file's present content.
    """
    if stored[:DIGEST_BYTES] != _digest(text):
        return None
    try:
        raw = _DECODER.decode(stored[DIGEST_BYTES:])
    except msgspec.DecodeError:
        return None
    return Node(raw, Document(file, form), form.what)


def _digest(text: bytes) -> bytes:
    # A new number with every change of the stored form.
    return hashlib.blake2b(b"signoff-nodes-v1\0" + text, digest_size=DIGEST_BYTES).digest()


def _plain(raw: RawNode) -> PlainNode:
    if raw.id == SCALAR:
        parts: list[PlainNode] = []
    elif raw.id == LIST:
        parts = [_plain(item) for item in raw.value]
    else:
        parts = [_plain(one) for pair in raw.value for one in pair]
    return PlainNode(
        id=raw.id,
        tag=raw.tag,
        start_mark=_mark(raw.start_mark),
        end_mark=_mark(raw.end_mark),
        text=raw.value if raw.id == SCALAR else "",
        parts=tuple(parts),
        flow_style=bool(getattr(raw, "flow_style", False)),
    )


def _mark(mark: RawMark) -> Mark:
    return Mark(mark.index, mark.line, mark.column)
