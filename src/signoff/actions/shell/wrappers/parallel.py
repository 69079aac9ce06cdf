"""GNU parallel: a template line, filled from `:::` lists or standard input.

parallel rm {1}.{2} ::: a b ::: o    ->  rm a.o, rm b.o
parallel cp {} {//}/old ::: src/x    ->  cp src/x src/old
"""

from __future__ import annotations

import posixpath
import re
from itertools import product
from math import prod

from signoff.actions.shell.command import Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.lists import (
    MAX_ITEMS,
    file_stream,
    items_of,
    list_of,
    unknown_item,
)
from signoff.actions.shell.wrappers.options import Options, OptionTable
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

_PARALLEL = OptionTable.of(
    "jaCdEILnNPsSx",
    "jobs arg-file colsep delimiter max-args max-procs joblog results timeout retries delay "
    "sshlogin workdir tmpdir load halt memfree tagstring env nice block",
)
_LISTS = (":::", ":::+", "::::", "::::+")
# `{}`, `{2}`, `{-1}`, each also as `{.}` (no ending), `{/}` (name), `{//}` (folder), `{/.}` both.
_MARKER = lazy_re(r"\{(-?[0-9]{0,3})(\.|//?|/\.)?\}")
_COUNTERS = lazy_re(r"\{[#%]\}")
_CODE = lazy_re(r"\{=.*?=\}", re.DOTALL)
# With these an item is cut or several are taken at once: which is which is not followed.
_REGROUPING = ("n", "N", "L", "C", "max-args", "colsep", "max-replace-args")
_LINES = Options(0, [("d", Word(text="\n"))])
_Row = tuple[Word, ...]


def unfold_parallel(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what `parallel` runs: one line per row of items, or one with an unknown item."""
    options = _PARALLEL.read(call.words, 1)
    rest = call.words[options.start :]
    cut = next((n for n, word in enumerate(rest) if word.text in _LISTS), len(rest))
    template = rest[:cut]
    rows = _rows(rest[cut:], call, options)
    marker = options.value("I")
    if marker is not None and marker.text:
        template = tuple(replace(w, text=w.text.replace(marker.text, "{}")) for w in template)
    if rows is None:
        inner = _line(template, (unknown_item(call.stdin),))
        return (replace(inner, input_words=True),)
    return tuple(_line(template, row) for row in rows)


def _rows(given: tuple[Word, ...], call: WrapperCall, options: Options) -> list[_Row] | None:
    """What the markers stand for, row by row; None where that is unknown."""
    if any(options.value(name) is not None for name in _REGROUPING):
        return None
    if not given:
        items = items_of(list_of(call, options), _LINES)
        return None if items is None else [(item,) for item in items]
    lists: list[list[Word]] = []
    is_file = False
    for word in given:
        if word.text in _LISTS:
            # `::::` names files that hold the items (GNU parallel manual).
            is_file = word.text.startswith("::::")
            lists.append([])
            continue
        items = items_of(file_stream(call, word), _LINES) if is_file else (word,)
        if items is None:
            return None
        lists[-1] += items
    # Each row may be a command of its own; too many are treated as unknown, never cut off.
    return list(product(*lists)) if prod(map(len, lists)) <= MAX_ITEMS else None


def _line(template: tuple[Word, ...], row: _Row) -> Inner:
    whole = joined(row)
    if not template:
        # Without a template, each item is a whole line to run.
        return Inner(carrier="parallel", text=whole)
    if any(_CODE.search(word.text) for word in template):
        return Inner(carrier="parallel", why="parallel computes a part of the line by Perl code")
    has_marker = any(_MARKER.search(word.text) for word in template)
    filled = tuple(_filled(word, row, whole) for word in template)
    words = filled if has_marker else (*filled, whole)
    # GNU parallel gives its line to a shell, so these characters separate commands there.
    is_line = len(template) == 1 and not template[0].text.isalnum()
    if is_line or any(c in word.text for word in template for c in ";|&<>"):
        return Inner(carrier="parallel", text=joined(words))
    return Inner(carrier="parallel", words=words)


def _filled(word: Word, row: _Row, whole: Word) -> Word:
    """Return a word of the template with each marker replaced by its value."""
    if "{" not in word.text:
        return word
    used: list[Word] = []

    def stood_for(match: re.Match[str]) -> str:
        item = _item(match[1], row, whole)
        used.append(item)
        return _part(item.text, match[2] or "")

    text = _COUNTERS.sub("1", _MARKER.sub(stood_for, word.text))
    return replace(
        word,
        text=text,
        is_known=word.is_known and all(item.is_known for item in used),
        sources=word.sources + tuple(source for item in used for source in item.sources),
        is_decoded=word.is_decoded or any(item.is_decoded for item in used),
        has_glob=word.has_glob or any(item.has_glob for item in used),
    )


def _item(number: str, row: _Row, whole: Word) -> Word:
    if number in ("", "-"):
        return whole
    at = int(number) - 1 if number[0] != "-" else len(row) + int(number)
    return row[at] if 0 <= at < len(row) else unknown_item(None)


def _part(text: str, cut: str) -> str:
    """The part of an item that a marker asks for."""
    match cut:
        case ".":
            return posixpath.splitext(text)[0]
        case "/":
            return posixpath.basename(text)
        case "//":
            return posixpath.dirname(text) or "."
        case "/.":
            return posixpath.splitext(posixpath.basename(text))[0]
        case _:
            return text
