"""Which calls of tools hold back."""

from __future__ import annotations

import pytest

from signoff.actions.action import Json
from signoff.actions.lexicon.names import NAME_SAYS_NOTHING
from signoff.actions.operation import Operation, Reach, Verb
from signoff.actions.tools.naming.trials.held_back import held_back

UNREAD = Operation(verb=Verb.EXECUTE, reach=Reach.UNKNOWN, understood=False, why=NAME_SAYS_NOTHING)
SENT = Operation(verb=Verb.NETWORK_OUT, reach=Reach.REMOTE)
WRITTEN = Operation(verb=Verb.WRITE, reach=Reach.REMOTE)
GONE = Operation(verb=Verb.DELETE, reach=Reach.REMOTE)
PAID = Operation(verb=Verb.SPEND, reach=Reach.REMOTE)
MOVED = Operation(verb=Verb.CONTROL, reach=Reach.REMOTE)


@pytest.mark.parametrize(
    ("op", "tool", "arguments"),
    [
        (UNREAD, "mcp__x__tarif_vorschlag", {"status": "wartet auf Vorstand"}),
        (SENT, "mcp__x__rascunho_aviso", {"enviar": False}),
        (UNREAD, "mcp__x__partij_aanhouden", {"beslist": "keurmeester"}),
        (WRITTEN, "mcp__x__promemoria_crea", {"per": "io", "testo": "filtro"}),
        (WRITTEN, "mcp__x__tur_flytta", {"vem": "jag", "angerbar": True}),
        (UNREAD, "mcp__x__haldy", {"halda": "B", "zmenit": False}),
    ],
)
def test_a_call_with_two_signs_holds_back(
    op: Operation, tool: str, arguments: dict[str, Json]
) -> None:
    """What it does stays near and can be undone."""
    (held,) = held_back((op,), arguments, tool)

    assert (held.reach, held.understood, held.reversible) == (Reach.LOOPBACK, True, True)


@pytest.mark.parametrize(
    ("op", "tool", "arguments"),
    [
        (UNREAD, "mcp__x__tarif_vorschlag", {"zone": "C"}),
        (SENT, "mcp__x__rascunho_aviso", {"notificar": False}),
        (UNREAD, "mcp__x__newsletter_draft", {"publish": False, "send": True}),
        (SENT, "mcp__x__send_proposals", {"status": "pending"}),
        (UNREAD, "mcp__x__partij_aanhouden", {"partij": "88"}),
        (WRITTEN, "mcp__x__promemoria_crea", {"lingua": "es", "testo": "filtro"}),
        (WRITTEN, "mcp__x__tur_flytta", {"vem": "jag", "tur": "alle", "angerbar": True}),
        (WRITTEN, "mcp__x__tur_flytta", {"vem": "jag", "miljo": "prod", "angerbar": True}),
        (UNREAD, "mcp__x__haldy", {"halda": "B", "zmenit": False, "smazat": True}),
        (UNREAD, "mcp__signoff__haldy", {"zmenit": False}),
    ],
)
def test_other_calls_stay_as_they_are(op: Operation, tool: str, arguments: dict[str, Json]) -> None:
    """One sign alone, a filter, a language, all, production, an order beside it, the guard."""
    assert held_back((op,), arguments, tool) == (op,)


@pytest.mark.parametrize(
    ("op", "tool", "arguments"),
    [
        (UNREAD, "mcp__x__karty_przeglad", {"lata": "2009", "usunac": False}),
        (PAID, "mcp__x__bestill", {"kurv": "uke 9", "bestill": False}),
        (GONE, "mcp__x__angebot_loeschen", {"angebot": "ENTWURF-jan-2"}),
        (MOVED, "mcp__x__schieber_schliessen", {"schieber": "S7", "status": "Vorschlag"}),
        (SENT, "mcp__x__kran_flytta", {"läge": "förslag", "godkänns_av": "skiftledare"}),
        (UNREAD, "mcp__x__ruang_pinjam", {"ruang": "R-2", "status": "menunggu_pengurus"}),
        (GONE, "mcp__x__delete_automation", {"id": "a-12", "only_if_disabled": True}),
        (GONE, "mcp__x__recept_smazat", {"recept": "R-3", "autor": "iva", "podepsano": False}),
    ],
)
def test_an_act_that_is_not_made_yet_holds_back(
    op: Operation, tool: str, arguments: dict[str, Json]
) -> None:
    """A refused end, a draft, a proposal, what waits for somebody, what is unused or unsigned."""
    (held,) = held_back((op,), arguments, tool)

    assert (held.reach, held.understood, held.reversible) == (Reach.LOOPBACK, True, True)


@pytest.mark.parametrize(
    ("op", "tool", "arguments"),
    [
        (GONE, "mcp__x__delete_account", {"account": "m-17", "delete_backups": False}),
        (PAID, "mcp__x__order_parts", {"part": "belt", "pay": False}),
        (PAID, "mcp__x__hold_item", {"item": "saw", "pay": False, "dry_run": False}),
        (SENT, "mcp__x__angebot_senden", {"angebot": "ENTWURF-jan-2"}),
        (MOVED, "mcp__x__schieber_schliessen", {"status": "Vorschlag", "alarm": "aus"}),
        (GONE, "mcp__x__delete_posts", {"filter": "draft", "status": "draft"}),
        (UNREAD, "mcp__x__abc", {"delete": False, "users": [{"uid": 0}]}),
        (GONE, "mcp__x__delete_automation", {"id": "a-12", "only_if_disabled": False}),
        (GONE, "mcp__x__angebot_loeschen", {"angebot": "ENTWURF-*"}),
        (UNREAD, "mcp__x__abc", {"delete": False, "ziel": "https://drop.example.net/in"}),
    ],
)
def test_a_refusal_of_something_else_holds_nothing_back(
    op: Operation, tool: str, arguments: dict[str, Json]
) -> None:
    """Copies that stay, a debt, a trial refused, a draft sent, a guard off, a filter, a server."""
    assert held_back((op,), arguments, tool) == (op,)
