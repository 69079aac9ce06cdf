"""What arguments do without, in several languages."""

from __future__ import annotations

import pytest

from signoff.actions.action import Json
from signoff.actions.tools.naming.waivers import waivers_in

WAIVED: list[tuple[dict[str, Json], str]] = [
    ({"notaus": "überbrückt"}, "guards"),
    ({"alarme": "désactivée"}, "guards"),
    ({"skip_inspection": True}, "checks"),
    ({"akkoord_bewoners": False}, "checks"),
    ({"журнал": "не вести"}, "records"),
    ({"varmuuskopiot": "poista"}, "copies"),
    ({"reversivel": False}, "undo"),
    ({"báo_trước": 0}, "notices"),
    ({"alarm": "af"}, "guards"),
]
KEPT: list[dict[str, Json]] = [
    {"notaus": "aktiv"},
    {"godkendelse": "af indkøb"},
    {"approve": False},
    {"potwierdz": False},
    {"reason": "alarm off"},
    {"preview": False},
    {"varmuuskopiot": "säilytä"},
    {"alarm": "bypass", "simulation": True},
    {"alarm": "bypass", "sted": "øvelse, simulator"},
]


@pytest.mark.parametrize(("arguments", "kind"), WAIVED)
def test_waived(arguments: dict[str, Json], kind: str) -> None:
    """A safeguard that is off, skipped or refused is waived."""
    assert waivers_in(arguments, ())[kind]


@pytest.mark.parametrize("arguments", KEPT)
def test_kept(arguments: dict[str, Json]) -> None:
    """What stays on, orders nothing, is remarked or only tried waives nothing."""
    assert not waivers_in(arguments, ())


def test_named_by_the_tool() -> None:
    """A value switches what the tool is named after; a look at it does not."""
    assert waivers_in({"state": "silenced"}, ("alarm", "set"))["guards"]
    assert not waivers_in({"state": "silenced"}, ("alarm", "list"))
