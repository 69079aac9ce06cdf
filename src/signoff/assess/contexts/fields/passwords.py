"""Tells signs that passwords are full of from an attack in the field of one.

A password is hashed or compared, and only who knows it gains by cutting off what follows it. Logic
behind a quote changes a statement only if the statement can be read on to its end: the quotes of
that kind come in pairs, or a comment takes the rest away.

    is_of_a_password("Gr1mm'--#x", "sql.quote-tail")         ->  True
    is_of_a_password("' or Not2b!", "sql.quoted-logic")      ->  True
    is_of_a_password("' or '1'='1", "sql.quoted-logic")      ->  False
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.fields.remarks import acts

_SIGNS = frozenset(
    (
        *("sql.comment-end", "sql.comment-mid", "sql.only-quotes", "sql.quote-tail"),
        *("sql.number-comment", "path.nul-end", "template.probe", "template.config"),
    )
)
_LOGIC = frozenset(("sql.quoted-logic", "sql.quote-operator", "sql.number-logic"))
_OF_SHELLS = frozenset(("command.chained-word", "command.leading"))
_QUOTE = lazy_re(r"['\"`]")
_CUTS_OFF = lazy_re(r"--|#|/\*|\x00|%00")
# What forms of a password call its fields, beside `password` itself.
_FIELDS = frozenset(
    (
        *("old", "new", "new1", "new2", "confirm", "confirmation", "current", "repeat", "again"),
        *("retype", "verify", "pw", "pw1", "pw2", "newpw", "oldpw"),
    )
)
_PATH = lazy_re(
    r"/[\w-]*(?:password|passwd|passwort|passphrase|kennwort|wachtwoord|contrasen|mot-de-passe|parola"
    r"|senha)[\w-]*(?:/[\w-]+)?/?\Z",
    re.IGNORECASE,
)


def is_form_for_passwords(path: str) -> bool:
    """Return whether a form is for passwords: its path says so."""
    return _PATH.search(path) is not None


def is_field_of_a_password(name: str) -> bool:
    """Return whether a field is a password if its form is for passwords."""
    return name in _FIELDS


def is_of_a_password(value: str, hit: str) -> bool:
    """Return whether a pattern says nothing about a password."""
    if hit in _OF_SHELLS:
        return not acts(value)
    return hit in _SIGNS or (hit in _LOGIC and not _can_land(value))


def _can_land(value: str) -> bool:
    """Return whether a statement around the value can be read to its end."""
    quote = _QUOTE.search(value)
    if quote is None or _CUTS_OFF.search(value, quote.end()):
        return True
    return value.count(quote[0]) % 2 == 0
