"""The settings page is what the structs say: every name, default, range and choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, get_args, get_origin

import msgspec
import pytest

from signoff.challenge.evaluators.chosen import EvaluatorSettings
from signoff.challenge.terms.notation import (
    ApprovalSection,
    ChallengesSection,
    ChannelSection,
    GroupsSection,
)
from signoff.challenge.words.stopping import StopSettings
from signoff.documents.convert import names_of
from signoff.sections import (
    PORT,
    PORT_RANGE,
    PROJECT_KEYS,
    USER_KEYS,
    AuditSection,
    HostsAllow,
    HostsSection,
    Limits,
    McpSection,
    NotifySection,
    PackName,
    PythonDecides,
    PythonSection,
    ServerSection,
    WithoutDaemon,
)
from signoff.settings import CHANNEL_NAMES, KNOWN_VARIABLES

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "reference" / "settings.md").read_text() + (DOCS / "mcp.md").read_text()
SECTIONS: Mapping[str, type[msgspec.Struct]] = {
    "`evaluator.`": EvaluatorSettings,
    "`limits.`": Limits,
    "`approval.`": ApprovalSection,
    "`approval.groups.`": GroupsSection,
    "`approval.challenges.`": ChallengesSection,
    "`approval.channels.NAME.`": ChannelSection,
    "`stops.`": StopSettings,
    "`mcp.`": McpSection,
}
WORDS = {
    *USER_KEYS,
    *PROJECT_KEYS,
    *KNOWN_VARIABLES,
    *PackName,
    *HostsAllow,
    *CHANNEL_NAMES,
    *WithoutDaemon,
    *PythonDecides,
    *(f"python.{name}" for name in names_of(PythonSection)),
    *(f"hosts.{name}" for name in names_of(HostsSection)),
    *(f"server.{name}" for name in names_of(ServerSection)),
    *(f"{name}:" for name in names_of(NotifySection)),
    *(f"{name}:" for name in names_of(AuditSection)),
}


def rows_of(header: str) -> dict[str, list[str]]:
    """Return the other cells of a table by the name in its first column."""
    table = PAGE[PAGE.index(f"| {header} | default | values |") :].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    return {cells[0].strip("`"): cells[1:] for cells in rows}


def choices() -> Iterator[tuple[str, str, str, str]]:
    """Give section, name, default and values of every field that is a number or a choice."""
    for header, struct in SECTIONS.items():
        for info in msgspec.structs.fields(struct):
            kind, meta = info.type, msgspec.Meta()
            if get_origin(kind) is Annotated:
                kind, meta = get_args(kind)
            if kind in (int, float):
                yield header, info.encode_name, f"{info.default:g}", f"{meta.ge} to {meta.le}"
            elif kind is bool:
                yield header, info.encode_name, f"`{str(info.default).lower()}`", "`true`, `false`"
            elif isinstance(kind, type) and issubclass(kind, StrEnum):
                words = ", ".join(f"`{word.value}`" for word in kind)
                yield header, info.encode_name, f"`{info.default}`", words


CHOICES = tuple(choices())


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_setting_is_on_the_page(word: str) -> None:
    """Keys, values and variables."""
    assert f"`{word}`" in PAGE or f"`{word}." in PAGE


@pytest.mark.parametrize("header", SECTIONS)
def test_a_table_has_the_fields_of_its_section(header: str) -> None:
    """All of them, and no others."""
    assert set(rows_of(header)) == set(names_of(SECTIONS[header]))


@pytest.mark.parametrize(("header", "name", "default", "values"), CHOICES)
def test_a_row_has_the_default_and_the_values(
    header: str, name: str, default: str, values: str
) -> None:
    """As they are in the code."""
    assert [default, values] == rows_of(header)[name][:2]


def test_there_are_rows_to_compare() -> None:
    """Numbers and choices of every section."""
    assert len(CHOICES) >= 25
    assert {header for header, *_ in CHOICES} == set(SECTIONS) - {"`approval.challenges.`"}


def test_the_port_is_on_the_page() -> None:
    """In the table of keys."""
    assert f"| `server.port` | {PORT}; {PORT_RANGE[0]} to {PORT_RANGE[1]} |" in PAGE


@pytest.mark.parametrize("name", ["base_url", "key_env", "model"])
def test_texts_have_their_default_on_the_page(name: str) -> None:
    """Of the evaluator; other texts have none."""
    default = getattr(EvaluatorSettings(), name)
    assert rows_of("`evaluator.`")[name][0].startswith(f"`{default}`")
