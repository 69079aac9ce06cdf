"""Structs say what a file may hold; nothing but a refusal comes of anything else."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import pytest
from document_kinds import KINDS, message_of
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from signoff.documents.convert import convert, names_of
from signoff.documents.node import READ_LIMIT, FileForm, Node
from signoff.documents.raw import DEPTH_LIMIT
from signoff.documents.reading import read_json, read_yaml
from signoff.errors import BadFile, BadSettings

YAML = FileForm(what="a plan", expected="fields", error=BadSettings)
JSON = FileForm(what="a plan", expected="fields", error=BadSettings, is_typed=True)
ALIASES = FileForm(what="a plan", expected="fields", error=BadSettings, has_aliases=True)
PIECES = st.sampled_from(
    (
        *("version: 1\n", "chat", ": ", "- ", "[", "]", "{", "}", '"', "'", "\\", ",", "\n", "  "),
        *("&a ", "*a", "!!int ", "|", ">", "~", "1e999", "0x1", "\u202e", "\0", "\t", "%", "---\n"),
        *('"version": 1', '"locks": ', '"approvers": ', "rules: ", "limits: ", "programs: ", "é"),
    )
)


class Colour(StrEnum):
    """A closed set."""

    RED = "red"
    OFF = "off"


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """A section."""

    size: Annotated[int, Meta(ge=0, le=1 << 60)] = 1
    kind: Colour = msgspec.field(default=Colour.RED, name="from")


class Outer(msgspec.Struct, frozen=True, kw_only=True):
    """A file."""

    inner: Inner = Inner()
    share: Annotated[float, Meta(ge=0, le=1)] | None = None
    names: tuple[str, ...] = ()
    shares: Mapping[Colour, Annotated[float, Meta(ge=0, le=1)]] = msgspec.field(
        default_factory=dict
    )
    is_on: bool = False
    rest: Node | None = None


def outer(text: str) -> Outer:
    """Read a YAML text."""
    return convert(read_yaml(text, file="f", form=YAML), Outer)


def test_every_type_is_read() -> None:
    """As the struct says."""
    said = outer(
        "inner: {size: 1152921504606846975, from: off}\nshare: 1e-1\nnames: 5\n"
        "shares: {red: 0.5}\nis_on: True\nrest: [1]\n"
    )

    assert Inner(size=(1 << 60) - 1, kind=Colour.OFF) == said.inner
    assert (0.1, ("5",), {Colour.RED: 0.5}, True) == (
        said.share,
        said.names,
        said.shares,
        said.is_on,
    )
    assert said.rest is not None
    assert "f:6:7" == said.rest.place


def test_what_is_not_said_has_its_default() -> None:
    """None is said of a field that is not there."""
    assert Outer() == outer("is_on: false\n")
    assert ("size", "from") == names_of(Inner)


def test_json_has_the_types_it_is_written_with() -> None:
    """Text is no number, a number is no text, one value is no list."""
    for text in ('{"share": "0.5"}', '{"names": [5]}', '{"names": "a"}', '{"is_on": "true"}'):
        with pytest.raises(BadSettings, match=r"^f:1:"):
            convert(read_json(text, file="f", form=JSON), Outer)

    good = '{"names": ["\\ud83d\\ude00"], "share": 0.5}'
    assert ("\U0001f600",) == convert(read_json(good, file="f", form=JSON), Outer).names


@pytest.mark.parametrize("read", [read_yaml, read_json])
def test_depth_is_bounded(read: object) -> None:
    """In both notations, with the place."""
    text = '{"a": ' + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + "}"
    reader = read_yaml if read is read_yaml else read_json

    with pytest.raises(BadSettings, match=f"^f:1:{6 + DEPTH_LIMIT}: nested deeper"):
        reader(text, file="f", form=JSON)


def test_what_aliases_repeat_counts_every_time() -> None:
    """A small file cannot make a reader read without end."""
    root = read_yaml(f"a: &a {'x' * 1_000}\nb: *a\n", file="f", form=ALIASES)
    repeated = root.fields()["b"]

    with pytest.raises(BadSettings, match="aliases written out"):
        for _ in range(READ_LIMIT // 1_000):
            repeated.text()


@settings(max_examples=150, deadline=None)
@given(kind=st.sampled_from(sorted(KINDS)), pieces=st.lists(PIECES, max_size=20))
def test_nothing_but_a_refusal_comes_of_any_text(kind: str, pieces: list[str]) -> None:
    """No other error leaves a reader, whatever the file holds."""
    with tempfile.TemporaryDirectory() as folder:
        message_of(kind, "".join(pieces), Path(folder))


def test_an_error_carries_its_place() -> None:
    """For programs that show it."""
    with pytest.raises(BadFile) as caught:
        outer("inner:\n  size: -1\n")

    assert ("f", 2, 9) == (caught.value.file, caught.value.line, caught.value.column)
