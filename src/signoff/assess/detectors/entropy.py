"""Values that look like noise.

Finds:
    Values of a web request that are long and close to random: packed or encrypted payloads.

Why it matters:
    What cannot be read cannot be judged; ordinary values are words, numbers and identifiers.

Example:
    entropy(at_least_bits=5.2, length=200)

Does not find:
    Short noise, and noise in bodies that are meant to be binary.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity
from signoff.assess.patterns.randomness import bits_per_character

ID = "entropy"
TEXT_LIMIT = 4096


def entropy(*, at_least_bits: float = 5.2, length: int = 200) -> Detector:
    """Return a detector of random-looking text in queries, paths and cookies.

    Args:
        at_least_bits: Shannon entropy per character from which it reports.
        length: least number of characters.
    """

    def run(evidence: Evidence) -> Iterator[Finding]:
        for field in evidence.fields:
            text = field.forms[-1][:TEXT_LIMIT]
            is_text = field.place in ("query", "path", "cookie") and len(text) >= length
            # Packed data has no blanks; long sentences come close to its entropy.
            if is_text and " " not in text and bits_per_character(text) >= at_least_bits:
                yield Finding(
                    detector=ID,
                    category=f"{ID}.noise",
                    severity=Severity.LOW,
                    confidence=0.6,
                    evidence=f"{field.place} `{field.name}` looks like noise",
                )
                return

    return Detector(id=ID, run=run, title="Values that look like noise", asi=("ASI02",))
