"""One pass over many patterns, on both engines."""

from __future__ import annotations

import threading

import pytest

from signoff.assess.patterns.engines import HyperscanEngine, Re2Engine
from signoff.assess.patterns.pattern import Pattern
from signoff.assess.patterns.pattern_set import CUT, TEXT_LIMIT, PatternSet

PATTERNS = (
    Pattern("sql.drop", r"\bdrop\s+table\b"),
    Pattern("key.value", r"\bkey\s*=\s*(\w+)"),
    Pattern("exact", r"\bExact\b", ""),
)


def on_hyperscan() -> PatternSet:
    return PatternSet(PATTERNS)


def on_re2() -> PatternSet:
    return PatternSet(PATTERNS, Re2Engine(PatternSet(PATTERNS).patterns))


@pytest.fixture(params=[on_hyperscan, on_re2], ids=["hyperscan", "re2"])
def patterns(request: pytest.FixtureRequest) -> PatternSet:
    made: PatternSet = request.param()
    return made


def test_every_pattern_found_is_named(patterns: PatternSet) -> None:
    """One scan names all patterns a text matches."""
    assert {"sql.drop", "key.value"} == patterns.scan("key = 1; DROP  TABLE users")


def test_nothing_found_is_empty(patterns: PatternSet) -> None:
    """A harmless text gives no id."""
    assert frozenset() == patterns.scan("a monkey at a table")


def test_case_counts_where_the_pattern_says_so(patterns: PatternSet) -> None:
    """Without the flag `i` the case of letters counts."""
    assert (frozenset({"exact"}), frozenset()) == (patterns.scan("Exact"), patterns.scan("exact"))


@pytest.mark.parametrize(
    "text",
    [
        "dr\u200bop table",
        "\uff24\uff32\uff2f\uff30 table",
        "dr\u043ep table",
        "dro\u00adp ta\u2060ble",
        "".join(chr(0xE0000 + ord(letter)) for letter in "drop table"),
        "\U0001d41drop table",
    ],
    ids=["zero-width", "fullwidth", "cyrillic", "soft-hyphen", "tags", "mathematical"],
)
def test_disguise_does_not_help(patterns: PatternSet, text: str) -> None:
    """Look-alike and invisible characters are seen through."""
    assert "sql.drop" in patterns.scan(text)


def test_lone_surrogate_is_no_obstacle(patterns: PatternSet) -> None:
    """Text that has no UTF-8 form is scanned all the same."""
    assert {"sql.drop"} == patterns.scan("\ud800 drop table \udfff")


def test_spans_are_those_of_the_part_that_matters(patterns: PatternSet) -> None:
    """Group 1 is given, in characters, behind wide characters too."""
    assert ((6, 9), (14, 17)) == patterns.spans("key.value", "\u00e9 key=abc key=def")


def test_spans_of_an_unknown_id_are_refused(patterns: PatternSet) -> None:
    """Only ids of the set have spans."""
    with pytest.raises(KeyError):
        patterns.spans("no.such", "text")


def test_long_text_is_read_at_both_ends_and_marked(patterns: PatternSet) -> None:
    """What was not read is said."""
    text = "drop table " + "x" * TEXT_LIMIT + " key=1"
    assert {"sql.drop", "key.value", CUT} == patterns.scan(text)


def test_the_same_id_twice_is_refused() -> None:
    """An id names one pattern."""
    with pytest.raises(ValueError, match="same id"):
        PatternSet([Pattern("a", "x"), Pattern("a", "y")])


def test_stored_form_gives_the_same_answers() -> None:
    """A compiled set can be kept and restored."""
    restored = on_hyperscan().restore(on_hyperscan().serialise())
    assert {"sql.drop"} == restored.scan("drop table")


def test_stored_form_of_other_patterns_is_refused() -> None:
    """A stored set is used only for the patterns it was made from."""
    other = PatternSet([Pattern("other", "other")])
    with pytest.raises(ValueError, match="made from others"):
        other.restore(on_hyperscan().serialise())


def test_broken_stored_form_is_refused() -> None:
    """Half a stored set is an error, not an empty set."""
    with pytest.raises(ValueError, match="another version"):
        on_hyperscan().restore(on_hyperscan().serialise()[:100])


def test_threads_scan_at_once() -> None:
    """Each thread has its own scratch space."""
    patterns, answers = on_hyperscan(), list[frozenset[str]]()

    def scan() -> None:
        answers.extend(patterns.scan("drop table " * 500) for _ in range(50))

    threads = [threading.Thread(target=scan) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [frozenset({"sql.drop"})] * 200 == answers


def test_engine_that_gave_up_is_an_error() -> None:
    """RE2 says that it ran out of memory only by finding nothing; that is no answer."""
    engine = Re2Engine(PATTERNS)
    engine._canary = 99
    with pytest.raises(MemoryError):
        engine.scan(b"text")


def test_engines_agree_on_flags() -> None:
    """Dot, line and case flags mean the same on both engines."""
    patterns = (
        Pattern("dot", "a.b", ""),
        Pattern("dot-all", "a.b", "s"),
        Pattern("line", "^b", "m"),
        Pattern("begin", "^b", ""),
        Pattern("end", r"a\z", ""),
        Pattern("word", r"\bb\b", "i"),
    )
    fast, slow = HyperscanEngine(patterns), Re2Engine(patterns)
    texts = [b"a\nb", b"axb", b"b a", "a\u00e9b".encode(), b"B\na", b"", b"ab"]
    assert [sorted(fast.scan(text)) for text in texts] == [
        sorted(slow.scan(text)) for text in texts
    ]
