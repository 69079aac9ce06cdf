"""Audit objects of a database that are switched off or emptied, named in any language.

ALTER TABLE umowa DISABLE TRIGGER audyt_umowa;  TRUNCATE audyt.zmiany;     Polish
DROP TRIGGER trg_bitacora_pagos;  DELETE FROM bitacora;                    Spanish
ALTER TABLE t DISABLE TRIGGER journal_t; ...; ENABLE TRIGGER journal_t;    off for a backfill

A journal or a protocol may be that of a book-keeper: such words count only where both a trigger
goes off and what it wrote is emptied.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.vocabulary import lazy_re2

_MOST = 60
_WORD = r"[\pL\w$]"
_NAME = rf"[\"'`\[]?((?:{_WORD}+[\"'`\]]?\.[\"'`\[]?)?{_WORD}+)"
_OFF = lazy_re2(
    rf"(?i)\bdisable\s+trigger\s+{_NAME}|\bdrop\s+trigger\s+(?:if\s+exists\s+)?{_NAME}"
    rf"|\balter\s+trigger\s+{_NAME}[\"'`\]]?\s+disable\b"
)
_EMPTIED = lazy_re2(
    rf"(?i)\btruncate\s+(?:table\s+)?(?:only\s+)?{_NAME}"
    rf"|\bdelete\s+from\s+(?:only\s+)?{_NAME}[\"'`\]]?\s*;"
    rf"|\bdrop\s+table\s+(?:if\s+exists\s+)?{_NAME}"
    rf"|\brevoke\s+[\w, ]*\binsert\b[\w, ]*\s+on\s+(?:all\s+tables\s+in\s+schema\s+"
    rf"|table\s+)?{_NAME}"
)
_ON_AGAIN = lazy_re2(
    rf"(?i)\b(?:enable\s+(?:always\s+)?trigger"
    rf"|create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger)\s+{_NAME}"
    rf"|\balter\s+trigger\s+{_NAME}[\"'`\]]?\s+enable\b"
)
_MADE = lazy_re2(rf"(?i)\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?{_NAME}")
_AUDIT = lazy_re2(
    r"(?i)audyt|bit[aá]cora|revis(?:ions|jons)_?(?:logg?|spo?r|sp[åa]r|protokoll)"
    r"|kontroll?_?sp(?:ur|or|år)|denetim|kirjausketju|jejak"
    r"|dziennik_?(?:zdarze|zmian|dost)|nhat_?ky|nh[aậ]t_?k[ýy]|hendelses?_?log|haendelses?_?log"
    r"|handelse_?log|zugriffs_?protokoll|protokollierung"
    r"|aenderungs_?protokoll|журнал|аудит|esemeny_?naplo|traza_?audit|adgangs_?log|åtkomst_?logg"
    r"|atkomst_?logg|kaytto_?loki|lokitus|erisim_?kaydi"
    r"|registro_?(?:de_?)?(?:accesos|cambios|acessos|attivita)|registre_?acces"
    r"|journal_?(?:des_?)?(?:acces|audit|modif)|zaznam_?(?:zmen|pristup)|hanh_?dong_?log"
)
_MAY_BE_AUDIT = lazy_re2(
    r"(?i)journal|protokol|revision|revisjon|historik|historie|historial|historia|\blogg?\b"
    r"|_logg?(?:_|\b)|zurnal|dziennik"
)
_ENGLISH = lazy_re2(r"(?i)audit")


def audit_off(text: str, *, has_english: bool = False) -> Iterator[str]:
    """Yield the audit objects that a text switches off or empties, and does not switch on again.

    Args:
        has_english: names with `audit` as well; `guards_off` reads those in files of SQL.
    """
    if _OFF.search(text) is None and _EMPTIED.search(text) is None:
        return
    again = set(_named(_ON_AGAIN, text))
    off = [one for one in _named(_OFF, text) if one not in again]
    made = set(_named(_MADE, text))
    emptied = [f"rows of {one}" for one in _named(_EMPTIED, text) if one not in made]
    for name in (*off, *emptied):
        if _AUDIT.search(name) is not None or (has_english and _ENGLISH.search(name)):
            yield name
    weak = [[one for one in part if _MAY_BE_AUDIT.search(one)] for part in (off, emptied)]
    if all(weak):
        yield from weak[0]
        yield from weak[1]


def _named(find: re2._Regexp[str], text: str) -> Iterator[str]:
    for match in islice(find.finditer(text), _MOST):
        yield str(next(filter(None, match.groups()), "")).lower()
