"""Names of fields that are private together: who somebody is, and what nobody would have told.

is_private("name,iban,amount")       True
is_private("name,amount")            False
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re

HEADER = 1_500  # characters in which columns and keys are named
_WHO = lazy_re(
    r"(?i)(?<![a-z])(?:(?:full|first|last|sur|given|family|patient|customer|employee)[_ -]?name"
    r"|patient|vorname|nachname|e-?mail|phone|telefon|mobile|anschrift|employee[_ -]?id)(?![a-z])"
    r"|(?<![\w-])(?:name|address)(?![\w-])"
)
# What nobody would have told of themselves, one kind an alternative.
_WHAT = tuple(
    lazy_re(rf"(?i)(?<![a-z])(?:{kind})(?![a-z])")
    for kind in (
        r"(?:date[_ -]?of[_ -]?)birth|birth[_ -]?da(?:te|y)|dob|geburtsdatum",
        r"iban|bic|account[_ -]?(?:no|number)|(?:credit[_ -]?)?card[_ -]?(?:no|number)|kontonummer",
        r"ssn|social[_ -]?security(?:[_ -]?(?:no|number))?|tax[_ -]?id|passport[_ -]?(?:no|number)"
        r"|pesel|cpf|bsn|personnummer|kennitala|codice[_ -]?fiscale|rodne[_ -]?cislo|henkilotunnus"
        r"|tc[_ -]?kimlik(?:[_ -]?no)?|aadhaar|jmbg|cnp|curp|national[_ -]?id"
        r"|insurance[_ -]?(?:no|number|id)|versicherungsnummer|steuer[_ -]?id|mrn",
        r"diagnos[ie]s|icd(?:10)?|medication|blood[_ -]?type|befund|allergies|hiv[_ -]?status",
        r"(?:gross|net|base|annual)[_ -]?(?:salary|wage|pay)|salary|salaries|wages|income"
        r"|gehalt|lohn",
        r"religion|ethnicity|union[_ -]?member\w*|criminal[_ -]?record|sexual[_ -]?orientation",
    )
)
_STRONG = 2  # kinds that are private without a name beside them


def is_private(text: str) -> bool:
    """Return whether a text names fields of people that are private, in its first lines."""
    header = text[:HEADER]
    kinds = sum([kind.search(header) is not None for kind in _WHAT])
    return kinds >= _STRONG or (kinds > 0 and _WHO.search(header) is not None)
