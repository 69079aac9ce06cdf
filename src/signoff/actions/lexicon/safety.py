"""Words of what keeps people from harm, of switching it off, and of bits that are written once.

unguards("param set /agv/safety_monitor estop_enabled false")
burns("espefuse.py burn_efuse X 1")
"""

from __future__ import annotations

from signoff.actions.vocabulary import lazy_re2

LONGEST = 2_000  # characters of a command that are searched
_SAFETY = lazy_re2(
    r"(?i)interlock|safety|(?:^|[^a-z])e_?stop|emergency[_-]?stop|light[_-]?curtain|geo[_-]?fence"
    r"|protective[_-]?field|laser[_-]?guard|anti[_-]?collision|collision[_-]?(?:avoid|monitor)"
    r"|over[_-]?speed|gas[_-]?detect|dead[_-]?man|flight[_-]?term|obstacle[_-]?avoid|over[_-]?pressure"
    r"|relief[_-]?valve|hard[_-]?limit"
)
_OFF = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:false|off|disabled?|bypass\w*|inhibit\w*|override|mute|suppress|passive|none"
    r"|0(?:\.0+)?)(?:[^a-z0-9]|$)"
)
_FUSES = lazy_re2(
    r"(?i)\b(?:burn|blow|write|program|set|lock)[-_ ]?(?:e?fuses?|otp|lock[-_]?bits?|key_?digest)\b"
    r"|\bwrite_protect_efuse\b|\b(?:e?fuses?|otp)[-_ ](?:burn|blow|write|program|lock)\b"
    r"|\breadout[-_ ]protection\b|\bset[-_]?rdp\b|\block[-_]?(?:flash|chip|device)\b"
)


def unguards(text: str, *others: str) -> bool:
    """Return whether a command switches off what keeps people from harm, named in any of these."""
    named = any([names_safety(one[:LONGEST]) for one in (text, *others)])
    return named and _OFF.search(text[:LONGEST]) is not None


def names_safety(text: str) -> bool:
    """Return whether a text names what keeps people from harm."""
    return _SAFETY.search(text) is not None


def burns(text: str) -> bool:
    """Return whether a command writes bits of a chip that are written only once."""
    return _FUSES.search(text[:LONGEST]) is not None
