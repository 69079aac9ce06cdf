"""Patterns that are compiled when they are first used: all of them compile, and behave alike."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

import pytest
import re2

import signoff.actions
import signoff.assess
import signoff.challenge
from signoff.actions.vocabulary import compile_all, lazy_re, lazy_re2

PACKAGES = (signoff.actions, signoff.assess, signoff.challenge)
METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split")


def test_every_pattern_of_the_readers_and_detectors_compiles() -> None:
    """What is no valid pattern is told here, not by the first call that needs it."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    compile_all()

    assert [] == list(compile_all())


def test_an_invalid_pattern_is_told_by_compiling_all() -> None:
    """Nothing is skipped."""
    lazy_re("(")

    with pytest.raises(re.error):
        compile_all()


def test_an_invalid_pattern_of_linear_time_is_told_by_compiling_all() -> None:
    """A lookahead is none of its constructs."""
    lazy_re2("a(?=b)")

    with pytest.raises(re2.error):
        compile_all()


@pytest.mark.parametrize("method", METHODS)
def test_a_pattern_of_linear_time_answers_as_a_compiled_one(method: str) -> None:
    """Before and after its first use."""
    compiled, later = re2.compile(r"(?i)(b)\w"), lazy_re2(r"(?i)(b)\w")

    for text in ("abc", "ABC", "xyz"):
        assert _plain(getattr(compiled, method)(text)) == _plain(getattr(later, method)(text))
    assert compiled.pattern == later.pattern


@pytest.mark.parametrize("method", METHODS)
def test_a_pattern_answers_as_a_compiled_one(method: str) -> None:
    """Its methods are those of the compiled one, with its flags, before and after its first use."""
    compiled, later = re.compile(r"(b)\w", re.IGNORECASE), lazy_re(r"(b)\w", re.IGNORECASE)

    for text in ("abc", "ABC", "xyz"):
        assert _plain(getattr(compiled, method)(text)) == _plain(getattr(later, method)(text))
    assert (compiled.pattern, compiled.flags) == (later.pattern, later.flags)
    assert compiled.sub("-", "aBc") == later.sub("-", "aBc")


def _plain(found: object) -> object:
    if isinstance(found, re.Match | re2._Match):
        return found.span()
    if found is None or isinstance(found, list):
        return found
    return [match.span() for match in found]  # type: ignore[attr-defined]  # an iterator of matches
