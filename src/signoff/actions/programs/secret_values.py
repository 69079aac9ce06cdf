"""What is in the described places of one command: the values of options, operands, input.

A secret is given as the program gets it, and as it is written where that reads otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from signoff.actions.programs.secret_names import has_secret_word
from signoff.actions.programs.secret_notation import PlaceKind, SecretPlace
from signoff.actions.shell.command import Stream, Word

UNKNOWN = "\ufffd"
SHORTEST_PART = 4  # characters of what is known of a secret
LINES_LIMIT = 2_000

Operands = Sequence[Word]
Reader = Callable[[SecretPlace, Sequence[Word], Operands], Iterator[str]]


def secrets_at(place: SecretPlace, words: Sequence[Word], operands: Operands) -> Iterator[str]:
    """Yield the secrets at one position in the words after a program."""
    yield from _READERS[place.kind](place, words, operands)


def secrets_of_input(mark: str, stdin: Stream) -> Iterator[str]:
    """Yield the secrets in a command's standard input, if it is known.

    Args:
        mark: what precedes the secret in a line.
    """
    # A sketch has marks where parts are unknown; the parts between may still be a secret.
    text = stdin.text if stdin.text is not None else stdin.sketch
    for line in text.splitlines()[:LINES_LIMIT]:
        value = line.partition(mark)[2] if mark else line
        yield from _known_parts(value.strip())


def written(word: Word, text: str) -> Iterator[str]:
    """Yield a secret, and its word as written if that differs."""
    yield from _known_parts(text)
    raw = word.raw
    # With a variable in it the raw word is no secret: it only names where one comes from.
    is_literal = "$'" in raw or "$" not in raw
    if raw and text and is_literal and UNKNOWN not in text and text not in raw:
        yield raw


def _known_parts(text: str) -> Iterator[str]:
    """Yield the parts of a secret that are known before the line runs."""
    if UNKNOWN not in text:
        if text:
            yield text
        return
    yield from (part for part in text.split(UNKNOWN) if len(part) >= SHORTEST_PART)


def _of_option(place: SecretPlace, words: Sequence[Word], _: Operands) -> Iterator[str]:
    for word, text in _values(place, words):
        yield from _after_mark(place, word, text)


def _values(place: SecretPlace, words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
    """Yield each value of an option, and the word it is in."""
    name, is_attached_only = place.name, place.mark == "!"
    for at, word in enumerate(words):
        text = word.text
        if text[:1] != name[0]:
            continue
        attached = _attached(place, text)
        if attached:
            yield word, attached
        elif attached is not None and not is_attached_only and at + 1 < len(words):
            yield words[at + 1], words[at + 1].text


def _attached(place: SecretPlace, text: str) -> str | None:
    """Return an option's value in its own word, "" if it is the next one, None if none is."""
    name = place.name
    if text == name:
        return ""
    if text.startswith(name + "="):
        # `--password=` is an empty value, not one in the next word.
        return text[len(name) + 1 :] or None
    where = text.find(place.letter, 1) if place.letter and text[1:2] != "-" else -1
    # Before the letter only other short options may stand: `-vpX`, not `-1pX`.
    if where < 1 or not (where == 1 or text[1:where].isalpha()):
        return None
    rest = text[where + 1 :]
    return rest if rest or text[1:].isalpha() else None


def _of_operand(place: SecretPlace, _: Sequence[Word], operands: Operands) -> Iterator[str]:
    number = place.number
    if place.mark == ">":
        if len(operands) > number and has_secret_word(operands[number - 1].text):
            for word in operands[number:]:
                yield from written(word, word.text)
        return
    at = number - 1 if number > 0 else len(operands) + number
    if not 0 <= at < len(operands):
        return
    for word in operands[at:] if place.is_from_there else operands[at : at + 1]:
        yield from _after_mark(place, word, word.text)


def _after_word(place: SecretPlace, words: Sequence[Word], _: Operands) -> Iterator[str]:
    for before, word in pairwise(words):
        if before.text == place.name:
            yield from written(word, word.text)


def _from_beginning(place: SecretPlace, words: Sequence[Word], _: Operands) -> Iterator[str]:
    for word in words:
        if word.text.startswith(place.name):
            yield from written(word, word.text[len(place.name) :])


def _nothing(place: SecretPlace, words: Sequence[Word], _: Operands) -> Iterator[str]:
    yield from ()


_READERS: Mapping[PlaceKind, Reader] = {
    PlaceKind.OPTION: _of_option,
    PlaceKind.OPERAND: _of_operand,
    PlaceKind.AFTER_WORD: _after_word,
    PlaceKind.BEGINNING: _from_beginning,
    PlaceKind.INPUT: _nothing,  # read by whoever has the input
}


def _after_mark(place: SecretPlace, word: Word, text: str) -> Iterator[str]:
    """Yield the secret part of a value."""
    mark = place.mark
    if mark in {"", "!"}:
        yield from written(word, text)
    elif mark in {"==", "="}:
        yield from _of_pairs(word, [text, *text.split(",")] if mark == "==" else [text])
    elif mark[0] == "=":
        if text.startswith(mark[1:]):
            yield from written(word, text[len(mark) - 1 :])
    elif mark == "/":
        rest = text.partition("/")[2]
        # sqlplus: `user/password@host`; a password may hold an `@` itself, so the last one
        # counts.
        yield from written(word, rest.rpartition("@")[0] or rest)
    else:
        yield from written(word, text.partition(mark)[2])


def _of_pairs(word: Word, pairs: Sequence[str]) -> Iterator[str]:
    """Yield the values of `key=value`; one that begins with `@` is a file."""
    for pair in pairs:
        value = pair.partition("=")[2]
        if value[:1] != "@":
            yield from written(word, value)
