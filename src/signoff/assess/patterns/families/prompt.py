from __future__ import annotations
from signoff.assess.patterns.pattern import Pattern
PATTERNS: tuple[Pattern, ...] = ()
