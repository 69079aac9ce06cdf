r"""Backslash escapes and braces: what `$'..'`, `echo -e`, `printf` and `{a,b}` write out.

decode_ansi(r"\x72\155")  ->  "rm"          expand_braces("a{1..3}", fuel)  ->  ["a1", "a2", "a3"]
"""

from __future__ import annotations

import re
from itertools import pairwise

from signoff.actions.shell.syntax.lexer import command_end
from signoff.actions.shell.syntax.scan import Fuel, Scanner
from signoff.actions.shell.syntax.tree import Unreadable
from signoff.actions.vocabulary import lazy_re

# `{a,b}{a,b}...` doubles with each pair, so a short word may stand for millions.
MAX_ALTERNATIVES = 64

_ESCAPE = lazy_re(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|(0?[0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_SINGLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_RANGE = lazy_re(r"(-?[0-9]{1,9}|[A-Za-z])\.\.(-?[0-9]{1,9}|[A-Za-z])(?:\.\.(-?[0-9]{1,6}))?")


def decode_ansi(text: str) -> str:
    """Return the value of a `$'...'` string: backslash escapes are decoded."""
    return _ESCAPE.sub(_decoded, text) if "\\" in text else text


def _decoded(match: re.Match[str]) -> str:
    hexadecimal = match[1] or match[2] or match[3]
    if hexadecimal:
        code = int(hexadecimal, 16)
        # Beyond Unicode's last code point `chr` raises.
        return chr(code) if code < 0x110000 else "\ufffd"
    if match[4]:
        # Bash keeps the lowest eight bits of an octal escape.
        return chr(int(match[4], 8) & 0xFF)
    if match[5]:
        # `\cx` is control-x: the lowest five bits of the letter.
        return chr(ord(match[5].upper()) & 0x1F)
    return _SINGLE.get(match[6], match.group())


def expand_braces(raw: str, fuel: Fuel) -> list[str]:
    """Return all words that `{a,b}` and `{1..3}` in one word expand to, in order.

    Raises:
        Unreadable: there are too many.
    """
    done: list[str] = []
    todo = [raw]
    while todo:
        fuel.burn()
        text = todo.pop()
        found = _first_brace(text, fuel)
        if found is None:
            done.append(text)
        else:
            start, end, parts = found
            # Reversed, as the stack gives back the last one first.
            todo.extend(text[:start] + part + text[end:] for part in reversed(parts))
        if len(done) + len(todo) > MAX_ALTERNATIVES:
            raise Unreadable("braces stand for too many words")
    return done


def _first_brace(text: str, fuel: Fuel) -> tuple[int, int, list[str]] | None:
    scanner = Scanner(text, fuel, command_end)
    i = 0
    while i < len(text):
        c = text[i]
        if c in "'\"\\`" or (c == "$" and text[i + 1 : i + 2] in "({'\"["):
            i = scanner.special(i)
        elif c == "{":
            parts, end = _alternatives(text, i, scanner)
            if parts:
                return i, end, parts
            i += 1
        else:
            i += 1
    return None


def _alternatives(text: str, start: int, scanner: Scanner) -> tuple[list[str], int]:
    """What the brace at `start` stands for and the index behind it; nothing if it is plain."""
    level, cuts, i = 0, [start], start
    while i < len(text):
        scanner.fuel.burn()
        c = text[i]
        if c in "'\"\\`" or (c == "$" and text[i + 1 : i + 2] in "({'\"["):
            i = scanner.special(i)
            continue
        if c == "{":
            level += 1
        elif c == "," and level == 1:
            cuts.append(i)
        elif c == "}":
            level -= 1
            if level == 0:
                break
        i += 1
    else:
        return [], start
    if len(cuts) > 1:
        return [text[a + 1 : b] for a, b in pairwise([*cuts, i])], i + 1
    return _range(text[start + 1 : i]), i + 1


def _range(inside: str) -> list[str]:
    match = _RANGE.fullmatch(inside)
    if match is None or match[1].isalpha() != match[2].isalpha():
        return []
    is_letters = match[1].isalpha()
    first, last = (ord(match[1]), ord(match[2])) if is_letters else (int(match[1]), int(match[2]))
    step = abs(int(match[3] or 1)) or 1
    # Before the list is made: `{1..999999999}` fits into a few characters.
    if abs(last - first) // step > MAX_ALTERNATIVES:
        raise Unreadable("braces stand for too many words")
    numbers = range(first, last + 1, step) if last >= first else range(first, last - 1, -step)
    width = max(len(match[1]), len(match[2])) if _is_padded(match) else 0
    return [chr(n) if is_letters else str(n).zfill(width) for n in numbers]


def _is_padded(match: re.Match[str]) -> bool:
    return any(len(n.lstrip("-")) > 1 and n.lstrip("-")[0] == "0" for n in (match[1], match[2]))
