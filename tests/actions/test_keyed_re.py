"""Patterns that are searched only in texts with one of their words find what they find alone."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from signoff.actions.vocabulary import keyed, lazy_re
from signoff.build.judge import shipped_rules

CORPUS = Path(__file__).parents[1] / "corpus"


def keyed_patterns() -> dict[str, re.Pattern[str]]:
    """Return every such pattern of the package by module and name."""
    shipped_rules()  # loads the detectors
    kind = type(keyed(lazy_re("a"), "a"))
    return {
        f"{module}.{name}": found
        for module, room in sorted(sys.modules.items())
        if module.startswith("signoff.")
        for name, found in vars(room).items()
        if isinstance(found, kind)
    }


def lines() -> Iterator[str]:
    """Yield the shell lines that are to be refused or asked about."""
    for file in sorted(CORPUS.glob("attacks-*.jsonl")):
        for row in file.read_text(encoding="utf-8").splitlines():
            command = json.loads(row).get("input", {}).get("command")
            if isinstance(command, str):
                yield command


def test_a_text_without_the_words_is_not_searched() -> None:
    """In any case of letters; one with them is."""
    pattern = keyed(lazy_re(r"(?i)\bxdotool\s+key"), "xdotool")

    assert pattern.search("sleep 1; XdoTool key Return") is not None
    assert pattern.search("xdotool type") is None
    assert pattern.search("ls -la") is None
    assert ["xdotool key"] == [found[0] for found in pattern.finditer("ls; xdotool key y")]


def test_no_pattern_of_the_package_needs_other_words() -> None:
    """Each finds in every dangerous line of the corpus what it finds without its words."""
    patterns = keyed_patterns()
    texts = list(lines())
    missed = [
        (name, text)
        for name, pattern in patterns.items()
        for text in texts
        if pattern.search(text) is None and next(pattern.finditer(text), None) is not None
    ]

    assert len(patterns) >= 7
    assert len(texts) > 1_000
    assert missed == []
