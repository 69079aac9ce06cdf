"""Which names of tools are a value that is read."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.operation import Verb
from signoff.actions.tools.naming.languages.readings import reading_of


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("mcp__x__kuehlraum_temperatur", {"raum": "K4", "stunden": 12}),
        ("mcp__x__冷蔵庫温度", {"棟": "第一"}),
        ("mcp__x__wersja_bazy", {"seria": "G5"}),
        ("mcp__x__sepet_ara", {"urun": "ekmek"}),
        ("mcp__x__остатки", {"склад": "Б-7", "удалить": False}),
    ],
)
def test_a_value_is_read(tool: str, arguments: dict[str, Json]) -> None:
    """A noun or a short verb heads the name; the arguments say of what."""
    lead = reading_of(Action(tool=tool, arguments=arguments))

    assert lead is not None
    assert lead.verb is Verb.READ


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("mcp__x__kuehlraum_temperatur", {"raum": "K4", "grad": 12}),
        ("mcp__x__kuehlraum_temperatur", {"raum": "K4", "modus": "aus"}),
        ("mcp__x__kuehlraum_temperatur", {"raum": "K4", "aktiv": False}),
        ("mcp__x__kuehlraum_temperatur", {"raum": {"soll": 12}}),
        ("mcp__x__temperatur_regeln", {"raum": "K4"}),
        ("mcp__x__loeschen_temperatur", {"raum": "K4"}),
        ("mcp__x__yetki_ver", {"rol": "kasiyer"}),
    ],
)
def test_what_may_set_a_value_is_not_read(tool: str, arguments: dict[str, Json]) -> None:
    """A number, a state, a switch, a part of its own, an act in the name."""
    assert reading_of(Action(tool=tool, arguments=arguments)) is None
