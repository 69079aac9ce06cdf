"""The compiled index says what the YAML files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.actions.programs import registry
from signoff.actions.programs.compiled import FILES, digest_of, load_index
from signoff.actions.programs.compiling import compile_index
from signoff.actions.programs.families import FAMILIES
from signoff.actions.programs.handlers import handler_of
from signoff.actions.programs.program import HandlerRef, Program
from signoff.actions.programs.registry import find, index, load_all, read_source
from signoff.errors import BadProgram
from signoff.storage.compiled import keep_index

DATA = Path(registry.__file__).parent / "data"


def programs() -> list[Program]:
    """Give every description, sub-commands too."""
    found: dict[int, Program] = {}

    def walk(one: Program) -> None:
        if id(one) not in found:
            found[id(one)] = one
            for inner in one.subs.values():
                walk(inner)

    for name in index().names:
        described = find(name)
        assert described is not None
        walk(described)
    return list(found.values())


def references() -> set[HandlerRef]:
    """Give every handler the descriptions name."""
    named = {
        ref
        for one in programs()
        for ref in (one.handler, one.by_options, one.prelude)
        if ref is not None
    }
    return named | {
        ref for one in programs() if one.service for ref in one.service.handlers.values()
    }


def test_every_file_is_listed_and_every_listed_file_is_there() -> None:
    """A file that the table does not list would describe nothing."""
    assert {path.stem for path in DATA.glob("*.yaml")} == {*FAMILIES, "presets", "secret_places"}


def test_every_handler_a_description_names_exists() -> None:
    """A name that leads nowhere would fail at the first call."""
    wrong = []
    for ref in sorted(references(), key=lambda one: one.name):
        try:
            handler_of(ref)
        except LookupError as error:
            wrong.append(str(error))

    assert wrong == []


def test_a_handler_that_does_not_exist_is_named() -> None:
    """The error names the function and the package."""
    with pytest.raises(LookupError, match=r"no handler `vcs\.git\.nothing`"):
        handler_of(HandlerRef(name="vcs.git.nothing"))


def test_at_most_one_way_says_what_a_program_does() -> None:
    """A handler, a service line, an act for the rest, and reading by name exclude each other."""
    ways = [
        [bool(one.handler), bool(one.service), bool(one.otherwise), one.reads_by_name]
        for one in programs()
    ]

    assert [way for way in ways if sum(way) > 1] == []


def test_nothing_is_said_of_a_program_nobody_described() -> None:
    """A name that is in no file has no description."""
    assert find("nobody-ever-wrote-this") is None


def test_all_descriptions_can_be_decoded_beforehand() -> None:
    """A process that stays decodes all of them at its start."""
    assert len(list(index().names)) == load_all() > 7_000


def test_a_name_described_twice_is_refused() -> None:
    """Of two descriptions nobody could tell which counts."""

    def read(name: str) -> bytes:
        more = b"\n  - names: git\n    does: inspect\n"
        return read_source(name) + (more if name == "archives.yaml" else b"")

    with pytest.raises(BadProgram, match=r"`git` is described in archives\.yaml already"):
        compile_index(read)


def test_a_changed_source_changes_the_digest() -> None:
    """A stored index is used only while its sources are the same."""

    def read(name: str) -> bytes:
        return read_source(name) + (b"\n" if name == FILES[-1] else b"")

    assert digest_of(read) != digest_of(read_source)


def test_a_release_index_is_marked() -> None:
    """A wheel's index is used without reading the sources."""
    made = load_index(compile_index(read_source, is_release=True))

    assert (True, digest_of(read_source)) == (made.is_release, made.digest)


def test_an_index_of_another_form_is_refused() -> None:
    """Bytes of another version are no index: the sources are compiled again."""
    with pytest.raises(ValueError, match="missing required field"):
        load_index(b"\x81\xa6format\x02")


def test_the_index_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where this process compiled, the next one finds the index; else nothing is written."""
    monkeypatch.setattr(registry, "compiled_now", lambda: b"index")
    first = keep_index(str(tmp_path))
    monkeypatch.setattr(registry, "compiled_now", lambda: None)

    assert (True, False) == (first, keep_index(str(tmp_path)))
    assert [b"index"] == [path.read_bytes() for path in tmp_path.iterdir()]
