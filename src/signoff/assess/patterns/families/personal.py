"""What may be personal data in a result; `detectors/personal_data.py` looks at it closely.

The forms stand in `actions.lexicon`: check digits tell a number from one that only looks like it.
"""

from __future__ import annotations

from signoff.actions.lexicon import private_values
from signoff.actions.lexicon.numbers.national_numbers import NUMBERS
from signoff.assess.patterns.pattern import Pattern

PATTERNS = (
    Pattern("personal.account", private_values.ACCOUNT, ""),
    Pattern("personal.birth", private_values.BIRTH, ""),
    Pattern("personal.card", private_values.CARD, ""),
    Pattern("personal.health", private_values.ILLNESS, ""),
    Pattern("personal.national-number", "|".join(one.expression for one in NUMBERS), ""),
    Pattern("personal.pay", private_values.PAY, ""),
)
