"""Carriers that fill in words from input or from a search: xargs, find, fd.

printf '/\\0' | xargs -0 rm -rf     ->  rm -rf /
find src -exec rm {} ;             ->  rm src/<unknown>, input_words
"""

from __future__ import annotations

from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall
from signoff.actions.shell.wrappers.options import Options, OptionTable
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

MAX_ITEMS = 40
UNKNOWN_TEXT = "\ufffd"

_XARGS = OptionTable.of(
    "adEIiJLlnPRsS",
    "arg-file delimiter max-lines max-args max-procs max-chars process-slot-var",
    "null no-run-if-empty verbose interactive exit open-tty replace",
)
_BARE_VALUE = lazy_re(r"-([0rtpx]*)([ile])")
_FIND_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FOUND = Word(text="./" + UNKNOWN_TEXT, is_known=False)
_FD_MARKERS = (
    ("{}", _FOUND),
    ("{.}", _FOUND),
    ("{/}", Word(text=UNKNOWN_TEXT, is_known=False)),
    ("{/.}", Word(text=UNKNOWN_TEXT, is_known=False)),
    # Of what lies at the top, the folder is the one that is searched.
    ("{//}", Word(text=".")),
)


def unfold_xargs(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what `xargs` runs: its words with the items of standard input."""
    options = _XARGS.read(_optional_values(call.words), 1)
    # POSIX: xargs without a program runs `echo`.
    words = call.words[options.start :] or (Word(text="echo"),)
    marker = _marker(options)
    given = list_of(call, options)
    items = items_of(given, options)
    carrier = call.name
    if items is None:
        unknown = unknown_item(given)
        filled = _filled(words, marker, unknown) if marker else (*words, unknown)
        return (Inner(carrier=carrier, words=filled, input_words=True, stdin=Stream(text="")),)
    if not marker:
        return (Inner(carrier=carrier, words=(*words, *items), stdin=Stream(text="")),)
    return tuple(
        Inner(carrier=carrier, words=_filled(words, marker, item), stdin=Stream(text=""))
        for item in items
    )


def _optional_values(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`-i`, `-l` and `-e` take their value only when it is joined to them: `-i`, `-0i`."""
    made: list[Word] = []
    for at, word in enumerate(words):
        cluster = _BARE_VALUE.fullmatch(word.text) if at and word.text[:1] == "-" else None
        if cluster is None:
            made.append(word)
            continue
        if cluster[1]:
            made.append(replace(word, text=f"-{cluster[1]}"))
        made.append(replace(word, text="--replace" if cluster[2] == "i" else "--verbose"))
    return tuple(made)


def _marker(options: Options) -> str:
    value = options.value("I", "J", "replace", "i")
    if value is not None:
        return value.text
    return "{}" if "replace" in options.flags else ""


def list_of(call: WrapperCall, options: Options) -> Stream | None:
    """Return what the items are read from: the file that an option names, or standard input."""
    named = options.value("a", "arg-file")
    return call.stdin if named is None else file_stream(call, named)


def file_stream(call: WrapperCall, named: Word) -> Stream | None:
    """Return a file that the line or the session wrote, as a stream; None if it is unknown."""
    known = call.file_text(named)
    if known is None:
        return None
    return Stream(text=known.text, sources=known.sources, is_decoded=known.is_decoded)


def items_of(stdin: Stream | None, options: Options) -> tuple[Word, ...] | None:
    """Return the items on standard input, None if they are not known."""
    if stdin is None or stdin.text is None:
        return None
    delimiter = options.value("d", "delimiter")
    if options.flags & {"0", "null"}:
        parts = stdin.text.split("\0")
    elif delimiter is not None:
        parts = stdin.text.split(
            {"\\n": "\n", "\\0": "\0", "\\t": "\t"}.get(delimiter.text, delimiter.text or "\n")
        )
    elif _marker(options):
        # With a marker, each line is one item, blanks inside it included (POSIX, `-I`).
        parts = [line.strip() for line in stdin.text.split("\n")]
    else:
        # xargs takes quotes and backslashes away by itself, unless `-0` or `-d` is given.
        parts = stdin.text.replace("'", "").replace('"', "").replace("\\", "").split()
    parts = [part for part in parts if part]
    # Each item may be a command of its own; too many are treated as unknown, never cut off.
    if len(parts) > MAX_ITEMS:
        return None
    return tuple(
        Word(text=part, sources=stdin.sources, is_decoded=stdin.is_decoded) for part in parts
    )


def unknown_item(stdin: Stream | None) -> Word:
    """Return an item of which only the source is known."""
    sources = stdin.sources if stdin is not None else ()
    return Word(text=UNKNOWN_TEXT, is_known=False, sources=sources)


def _filled(words: tuple[Word, ...], marker: str, item: Word) -> tuple[Word, ...]:
    """Return the words with every marker replaced by the item."""
    return tuple(
        replace(
            word,
            text=word.text.replace(marker, item.text),
            is_known=word.is_known and item.is_known,
            sources=word.sources + item.sources,
            is_decoded=word.is_decoded or item.is_decoded,
        )
        if marker in word.text
        else word
        for word in words
    )


def unfold_find(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what `find` runs for each result; `{}` is an unknown path below the roots."""
    words = call.words
    roots = _roots(words)
    made: list[Inner] = []
    n = 1
    while n < len(words):
        if words[n].text not in _FIND_EXEC:
            n += 1
            continue
        in_place = words[n].text in ("-execdir", "-okdir")
        end = n + 1
        while end < len(words) and not _ends(words, end):
            end += 1
        inner = words[n + 1 : end]
        made.extend(_found(inner, root, words[n].text, in_place) for root in roots if inner)
        n = end + 1
    return tuple(made)


def _ends(words: tuple[Word, ...], n: int) -> bool:
    if words[n].text == ";":
        return True
    # POSIX: `+` ends an `-exec` only right behind `{}`; elsewhere it is an argument.
    return words[n].text == "+" and words[n - 1].text == "{}"


def _roots(words: tuple[Word, ...]) -> tuple[Word, ...]:
    roots: list[Word] = []
    for n, word in enumerate(words[1:], 1):
        # These stand before the roots; anything else with a dash begins the expression.
        if word.text in ("-H", "-L", "-P") or (word.text[:2] in ("-D", "-O") and not roots):
            continue
        if word.text[:1] == "-" or word.text in ("(", "!", ")"):
            break
        if words[n - 1].text != "-D":
            roots.append(word)
    # GNU find searches the current folder where no root is given.
    return tuple(roots[:4]) or (Word(text="."),)


def _found(words: tuple[Word, ...], root: Word, action: str, in_place: bool) -> Inner:  # noqa: FBT001 - private, one caller
    """The command of one `-exec`, for things below one root."""
    below = replace(
        root, text=root.text.rstrip("/") + "/" + UNKNOWN_TEXT, is_known=False, has_glob=False
    )
    filled = _filled(words, "{}", below)
    return Inner(
        carrier=f"find {action}",
        words=filled,
        input_words=True,
        # `-execdir` runs in the folder of each thing found, which may be any below the root.
        folder="" if in_place and "/" not in words[0].text else None,
    )


def unfold_fd(call: WrapperCall) -> tuple[Inner, ...]:
    """Inner commands: `fd -x words` and `-X`; the placeholder is appended if it is not there."""
    cut = next(
        (n for n, w in enumerate(call.words) if w.text in ("-x", "-X", "--exec", "--exec-batch")),
        0,
    )
    words = tuple(word for word in call.words[cut + 1 :] if word.text != ";")
    if not cut or not words:
        return ()
    filled = words
    for marker, item in _FD_MARKERS:
        filled = _filled(filled, marker, item)
    if filled == words:
        filled = (*words, _FD_MARKERS[0][1])
    return (Inner(carrier="fd -x", words=filled, input_words=True),)
