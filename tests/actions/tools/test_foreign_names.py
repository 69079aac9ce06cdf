"""What names of tools in other languages say in English."""

from __future__ import annotations

import pytest

from signoff.actions.lexicon.languages.translations import (
    in_english,
    is_secret,
    says_all,
    says_production,
)
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.unicode_forms import is_plain_name
from signoff.actions.lexicon.verbs import lead_verb
from signoff.actions.operation import Verb


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("buscar_facturas", Verb.READ),
        ("kunden_suchen", Verb.READ),
        ("afficher_commandes", Verb.READ),
        ("kiem_tra_don_hang", Verb.READ),
        ("顧客検索", Verb.READ),
        ("kundenLöschen", Verb.DELETE),
        ("kunden_loeschen", Verb.DELETE),
        ("ta_bort_kund", Verb.DELETE),
        ("sprawdz_i_usun", Verb.DELETE),
        ("удалить_клиента", Verb.DELETE),
        ("고객조회후삭제", Verb.DELETE),
        ("betaal_factuur", Verb.SPEND),
        ("verser_acompte", Verb.SPEND),
        ("waliduj_paczke", Verb.READ),
        ("erezept_exportieren", Verb.WRITE),
        ("calcola_termini", Verb.READ),
        ("zwirbeln_akte", None),
        ("buscar_y_triturar", None),
    ],
)
def test_an_act_anywhere_wins(name: str, verb: Verb | None) -> None:
    """A look counts first or last; what nobody knows beside a second verb is not understood."""
    lead = lead_verb(in_english(split_words(name)))

    assert (lead.verb if lead else None) is verb


@pytest.mark.parametrize(
    "name", ["list_important_messages", "get_public_repos", "controller_flash"]
)
def test_english_stays_as_it_is(name: str) -> None:
    """English words are none of another language."""
    assert in_english(split_words(name)) == split_words(name)


@pytest.mark.parametrize(
    ("name", "is_plain"),
    [
        ("查询温度", True),
        ("показать_остатки", True),
        ("näytä_saldo", True),
        ("mcp__عيادة__عرض_المواعيد", True),
        ("mcp__רפת__רשימת_פרות", True),
        ("mcp__โรงสี__ดูสต็อก", True),
        ("mcp__गोदाम__सूची_देखो", True),
        ("карта_покажи", True),  # the first word alone could be read as Latin letters
        ("gеt_user", False),  # noqa: RUF001 - a Cyrillic letter
        ("карта_gеt", False),  # noqa: RUF001 - a Cyrillic letter in a Latin word
        ("показать__сору", False),  # noqa: RUF001 - the other part tells nothing of this one
        ("عرضa", False),
        ("get\u202euser", False),
        ("сору", False),  # noqa: RUF001 - Cyrillic letters that are like Latin ones
        ("ｒｍ", False),  # noqa: RUF001 - wide letters
    ],
)
def test_letters_that_deceive_are_told(name: str, *, is_plain: bool) -> None:
    """A word of one script that has letters of its own deceives nobody."""
    assert is_plain_name(name) is is_plain


def test_words_of_values_are_told() -> None:
    """Everybody, production and passwords in other languages."""
    assert says_all("todos")
    assert not says_all("algunos")
    assert says_production("entorno", "produccion")
    assert not says_production("abteilung", "Produktion")
    assert is_secret("jelszavak")
    assert not is_secret("jegyzet")
