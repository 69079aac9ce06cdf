"""The arguments of a call as a page shows them: the most telling one first, then all others.

A shell line has its colours. An edit is a diff, a new file a list of added lines, a patch its own
signs. Every argument of the call is in some block with all its lines: long ones begin with a part
that is always open, and the rest is one press away.

    call_blocks(card)[0].rows
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import Markup, escape
from msgspec import Struct

from signoff.challenge.card import Argument, Card
from signoff.challenge.visible import restore, visible_lines
from signoff.frontends.web.drawing import shown
from signoff.frontends.web.request_view.colours import (
    LENGTH_LIMIT,
    SHELL,
    Span,
    colour_spans,
    language_of,
)
from signoff.frontends.web.request_view.diff import (
    COMES,
    GOES,
    PLACE,
    STAYS,
    DiffLine,
    diff_lines,
    is_patch,
    patch_lines,
)

FIRST_SHOWN = 18  # lines of the first block that are open at once
OTHERS_SHOWN = 6  # lines of every other block
SLACK = 4  # so many more are not worth a fold
INLINE = 120  # characters of a value that stands beside its name
EDITS_LIMIT = 50
UNSEEN = "\\u{"  # how `visible` begins a character that cannot be seen
PATHS = ("file_path", "path", "notebook_path", "filename", "target_file")
OLD_AND_NEW = (
    *(("old_string", "new_string"), ("old_str", "new_str"), ("old_text", "new_text")),
    *(("oldText", "newText"), ("old_source", "new_source")),
)
CONTENTS = ("content", "contents", "file_text", "new_source", "insert_text")
ROW_KINDS = {STAYS: "stays", GOES: "goes", COMES: "comes", PLACE: "place"}
COMMANDS = ("command", "cmd", "script")


class CodeRow(Struct, frozen=True):
    """One line of code: its change in a diff ("" elsewhere), its sign, its HTML."""

    kind: str
    sign: str
    markup: Markup


class CodeBlock(Struct, frozen=True, kw_only=True):
    """One or two arguments shown as a block.

    Args:
        name: of the arguments, as the call spells them.
        title: what the block is, in words.
        open_rows: how many rows are shown at once.
        unseen: how many characters cannot be seen as such.
        is_diff: True where lines come and go.
        is_inline: True if it is short enough to stand beside its name.
    """

    name: str
    title: str
    rows: tuple[CodeRow, ...]
    open_rows: int
    unseen: int = 0
    is_diff: bool = False
    is_inline: bool = False

    @property
    def shown(self) -> tuple[CodeRow, ...]:
        """The rows that are visible at first."""
        return self.rows[: self.open_rows]

    @property
    def folded(self) -> tuple[CodeRow, ...]:
        """The rows that are hidden at first."""
        return self.rows[self.open_rows :]


def call_blocks(card: Card) -> tuple[CodeBlock, ...]:
    """Return a call's arguments as blocks, the most informative first."""
    arguments = {argument.name: argument for argument in card.arguments}
    first, used = _first(arguments)
    rest = [one for one in card.arguments if one.name not in used]
    return (*first, *(_plain(one, open_rows=OTHERS_SHOWN) for one in rest))


def _first(arguments: dict[str, Argument]) -> tuple[list[CodeBlock], set[str]]:
    """Return what is shown first, and the names of the arguments that are told by it."""
    path = next((arguments[name] for name in PATHS if name in arguments), None)
    language = language_of("".join(path.lines)) if path else ""
    for old, new in OLD_AND_NEW:
        if old in arguments and new in arguments:
            lines = diff_lines(arguments[old].lines, arguments[new].lines)
            name = f"{old}, {new}"
            return [_block(name, "The edit", lines, language=language)], {old, new}
    patch = next((one for one in arguments.values() if one.is_text and is_patch(one.lines)), None)
    if patch:
        lines = patch_lines(patch.lines)
        return [_block(patch.name, "The patch", lines, has_signs=True)], {patch.name}
    if path and (edits := _edits(arguments.get("edits"))):
        return [_block("edits", "The edits", edits, language=language)], set()
    content = next((arguments[name] for name in CONTENTS if name in arguments), None)
    if path and content is not None and content.is_text:
        added = [DiffLine(COMES, line) for line in content.lines]
        title = "The new content"
        block = _block(content.name, title, added, language=language)
        return [block], {content.name}
    name = next((name for name in COMMANDS if name in arguments), next(iter(arguments), ""))
    if not name:
        return [], set()
    return [_plain(arguments[name], open_rows=FIRST_SHOWN)], {name}


def _edits(argument: Argument | None) -> list[DiffLine]:
    """Return several edits of one call as one diff; nothing where they are of another form.

    Their argument itself is shown as well, as it was sent: this is its reading.
    """
    if argument is None or argument.is_text:
        return []
    try:
        # The lines have passed `visible`, whose marks are no JSON escapes.
        found = json.loads(restore("".join(argument.lines)))
    except ValueError:
        return []
    if not isinstance(found, list) or len(found) > EDITS_LIMIT:
        return []
    lines: list[DiffLine] = []
    for at, edit in enumerate(found):
        pair = next((p for p in OLD_AND_NEW if isinstance(edit, dict) and {*p} <= {*edit}), None)
        if pair is None or not all(isinstance(edit[name], str) for name in pair):
            return []
        old, new = (visible_lines(edit[name]) for name in pair)
        lines += [DiffLine(PLACE, f"edit {at + 1} of {len(found)}"), *diff_lines(old, new)]
    return lines


def _plain(argument: Argument, *, open_rows: int) -> CodeBlock:
    language = SHELL if argument.name in COMMANDS and argument.is_text else ""
    if not argument.is_text:
        language = "data"
    lines = [DiffLine("", line) for line in argument.lines]
    return _block(argument.name, argument.name, lines, language=language, open_rows=open_rows)


def _block(
    name: str,
    title: str,
    lines: Sequence[DiffLine],
    *,
    language: str = "",
    open_rows: int = FIRST_SHOWN,
    has_signs: bool = False,
) -> CodeBlock:
    is_diff = any(line.sign for line in lines)
    rows = tuple(
        _diff_rows(lines, language, has_signs=has_signs) if is_diff else _rows(lines, language)
    )
    return CodeBlock(
        name=name,
        title=title,
        rows=rows,
        open_rows=len(rows) if len(rows) <= open_rows + SLACK else open_rows,
        unseen=sum(line.text.count(UNSEEN) for line in lines),
        is_diff=is_diff,
        is_inline=name not in COMMANDS
        and not is_diff
        and len(lines) == 1
        and len(lines[0].text) <= INLINE,
    )


def _diff_rows(lines: Sequence[DiffLine], language: str, *, has_signs: bool) -> Iterator[CodeRow]:
    """Yield the lines of a diff, each coloured by itself: its neighbours are of another text."""
    left = LENGTH_LIMIT
    for sign, text in lines:
        # `LENGTH_LIMIT` is of all rows together: each of them is read on its own.
        left -= len(text)
        spans = colour_spans(text, language) if left > 0 and sign != PLACE else []
        yield CodeRow(ROW_KINDS[sign], "" if has_signs else sign, _markup(text, spans))


def _rows(lines: Sequence[DiffLine], language: str) -> Iterator[CodeRow]:
    """Yield the lines of one text with its colours."""
    whole = "\n".join(line.text for line in lines)
    start, at = 0, 0
    spans = sorted(colour_spans(whole, language))
    for line in lines:
        end = start + len(line.text)
        own: list[Span] = []
        while at < len(spans) and spans[at].start < end:
            span = spans[at]
            own.append(Span(max(span.start, start) - start, min(span.end, end) - start, span.kind))
            if span.end > end:
                break  # it goes on in the next line
            at += 1
        yield CodeRow("", "", _markup(line.text, own))
        start = end + 1


def _markup(text: str, spans: Sequence[Span]) -> Markup:
    """Return a line with its colours; what cannot be seen stands out whatever is around it."""
    if not spans and UNSEEN not in text:
        return escape(shown(text))
    kinds = [""] * len(text)
    for start, end, kind in spans:
        kinds[start:end] = [kind] * (min(end, len(text)) - start)
    at = text.find(UNSEEN)
    while at >= 0:
        end = text.find("}", at) + 1 or len(text)
        kinds[at:end] = ["unseen"] * (end - at)
        at = text.find(UNSEEN, end)
    parts: list[Markup] = []
    start = 0
    for kind, run in groupby(kinds):
        end = start + len(list(run))
        parts.append(_tagged(kind, text[start:end]))
        start = end
    return Markup("").join(parts)


def _tagged(kind: str, text: str) -> Markup:
    safe = shown(text)
    if not kind:
        return escape(safe)
    if kind == "unseen":
        return Markup('<b class="unseen">{}</b>').format(safe)
    return Markup('<i class="c-{}">{}</i>').format(kind, safe)
