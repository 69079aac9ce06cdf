"""All patterns together, on both engines."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from signoff.assess.detectors.content import CONTENT_DETECTORS
from signoff.assess.detectors.detector import Evidence, TextSource
from signoff.assess.detectors.texts import with_texts
from signoff.assess.patterns.catalogue import (
    CONTENT,
    REQUEST,
    Catalogue,
    catalogue,
    catalogue_on,
    certainty,
)
from signoff.assess.patterns.engines import Re2Engine
from signoff.assess.patterns.pattern import joined
from signoff.assess.patterns.pattern_set import PatternSet

OWN_TEXTS = (
    "",
    "An ordinary sentence, with (brackets) and \u2018quotes\u2019.",
    "caf\u00e9 \u65e5\u672c\u8a9e \U0001f600 drop table; <b> ../../ ${x} {{y}}",
    "def run(self) -> None:\n    return self.items['key']  # \u200b hidden",
    "SELECT name FROM users WHERE id = 1 OR 1=1; --",
    "https://example.org/a?b=c&d=%27%20or%20%27\n127.0.0.1\tlocalhost",
    "\ud800 lone \udfff",
    "\x00\x01\x02\x1e\x7f\x85\xa0",
)


@pytest.fixture(scope="module")
def warm() -> Catalogue:
    return catalogue().warm()


@pytest.fixture(scope="module")
def fallback() -> Catalogue:
    content, request = catalogue().of("content"), catalogue().of("request")
    return Catalogue(
        PatternSet(CONTENT, Re2Engine(content.patterns)),
        PatternSet(REQUEST, Re2Engine(request.patterns)),
    )


@pytest.mark.parametrize("channel", [TextSource.RESULT, TextSource.REQUEST])
def test_engines_give_the_same_answers(
    fallback: Catalogue, warm: Catalogue, channel: TextSource
) -> None:
    """Where Hyperscan is missing nothing else is found and nothing less."""
    texts = list(OWN_TEXTS)
    for detector in CONTENT_DETECTORS:
        for action in (*detector.fires, *detector.passes):
            evidence = with_texts(Evidence(action=action))
            texts += [text[:5000] for text in evidence.texts.values()]
            texts += [joined(field.forms)[:5000] for field in evidence.fields]
    fast, slow = warm.of(channel), fallback.of(channel)
    assert [slow.scan(text) for text in texts] == [fast.scan(text) for text in texts]


def test_ids_have_a_family_and_a_certainty() -> None:
    """Each id says where it belongs; certainty lies in 0..1."""
    patterns = (*CONTENT, *REQUEST)
    assert all("." in one.id and 0 < certainty(one.id) <= 1 for one in patterns)


def test_catalogue_is_kept(warm: Catalogue) -> None:
    """Both sets come back from a shelf, and find what freshly compiled ones find."""
    shelf = Shelf()
    catalogue_on(shelf).warm()
    kept = catalogue_on(shelf)

    assert 2 == len(shelf.kept)
    for channel, text in (
        ("request", "1 union select 2"),
        ("arguments", "ghp_" + "q7R2mZk9Lw4Tn8Xc1Vb6Hj3Ds5Gf0PaYe2Ui"),
    ):
        assert warm.of(channel).scan(text) == kept.of(channel).scan(text) != frozenset()


class Shelf:
    """Keeps compiled patterns for the length of a test."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def take(self, name: str) -> bytes:
        """Give what was kept."""
        return self.kept.get(name, b"")

    def put(self, name: str, compiled: bytes) -> None:
        """Keep something."""
        self.kept[name] = compiled


def test_import_compiles_nothing() -> None:
    """Importing the patterns loads no engine."""
    code = (
        "import sys; import signoff.assess.patterns.catalogue as c; c.catalogue(); "
        "print(sorted({'re2', 'hyperscan'} & sys.modules.keys()))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == out.stdout.strip()


@pytest.mark.parametrize(
    "unit", ["{{", "../", "'\"", "/*", "' or ", "<a b=", "key=", "a\u200b", "\uff41", "\x1e", "id;"]
)
def test_hostile_text_is_scanned_in_time(unit: str) -> None:
    """A megabyte of any repeated piece costs milliseconds."""
    text = (unit * 1_000_000)[:1_000_000]
    patterns = catalogue().of("content")
    patterns.scan("warm")
    start = time.process_time()
    patterns.scan(text)
    assert time.process_time() - start < 10  # ends; the benches measure
