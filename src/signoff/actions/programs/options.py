"""Option parsing the way programs do it: clusters, `--x=v`, abbreviations, `--`.

parse(("-rfv", "--out=x", "a", "--", "-b"), takes={"--out"}, known={"--out"})
    -> options ("-r", "-f", "-v", "--out"="x"), operands ("a", "-b")
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from msgspec import Struct

from signoff.actions.shell.command import Word


class ProgramOption(Struct, frozen=True, gc=False):
    """One option given; `value` is None if it has none."""

    name: str
    value: Word | None = None


# Values by which an option is switched off: `--dry-run=none`, `--dry-run=false`.
OFF = frozenset({"", "false", "none", "no", "off", "0", "never"})
Read = tuple[Sequence[ProgramOption], bool]
MAX_KEPT = 64  # characters of an option that is remembered
NOTHING: Read = ((), False)


class Parsed(Struct, frozen=True, gc=False):
    """The options in order, and the operands."""

    options: tuple[ProgramOption, ...]
    operands: tuple[Word, ...]


def parse(
    args: Sequence[Word],
    *,
    takes: frozenset[str],
    known: frozenset[str],
    options_first: bool = False,
    clusters: bool = True,
) -> Parsed:
    """Split words into options and operands.

    Args:
        takes: options that consume a value.
        known: every option known; abbreviations of the long ones are completed.
        options_first: the first operand ends the options (`ssh host cmd -x`).
        clusters: `-rf` is `-r -f`; False for programs with long options after one dash.
    """
    if not _has_options(args):
        return Parsed((), tuple(args))
    options: list[ProgramOption] = []
    operands: list[Word] = []
    at, size = 0, len(args)
    while at < size:
        word = args[at]
        text = word.text
        at += 1
        # A bare `-` is standard input; `-$X` may be anything, and as an operand it is judged as
        # unknown.
        if text[:1] != "-" or len(text) < 2 or text[1] == "\ufffd":
            operands.append(word)
            if options_first:
                operands.extend(args[at:])
                break
            continue
        if text == "--":
            operands.extend(args[at:])
            break
        # Words with values differ from call to call and would only fill the cache.
        is_short = len(text) <= MAX_KEPT and "=" not in text
        found, is_open = _kept(text, takes, known, clusters) if is_short else NOTHING
        if not found:
            found, is_open = _read(word, takes, known, clusters)
        options.extend(found)
        # As getopt does, even if the next word looks like an option.
        if is_open and at < size:
            options[-1] = ProgramOption(found[-1].name, args[at])
            at += 1
    return Parsed(tuple(options), tuple(operands))


def _has_options(args: Sequence[Word]) -> bool:
    for word in args:  # noqa: SIM110 - a generator costs more than the test
        if word.text[:1] == "-":
            return True
    return False


def _read(
    word: Word,
    takes: frozenset[str],
    known: frozenset[str],
    clusters: bool,  # noqa: FBT001 - as `_kept`
) -> Read:
    """The options one word gives; the flag says that the last one still waits for its value."""
    text = word.text
    name = text.partition("=")[0]
    if not clusters and text[:2] in takes and name not in known and _is_path(text[2:]):
        return [ProgramOption(text[:2], _part(word, text[2:]))], False
    if text[1] == "-" or name in known or not clusters:
        found = _long(word, known)
        return found, found[0].value is None and found[0].name in takes
    return _cluster(word, takes)


def _is_path(rest: str) -> bool:
    """Whether what stands behind `-o` is a path (`-o/a`, `-oa.o`), not the rest of a long word."""
    return rest[:1] not in ("", "-") and any([mark in rest for mark in "/.~"]) and "=" not in rest


@lru_cache(maxsize=4096)
def _kept(
    text: str,
    takes: frozenset[str],
    known: frozenset[str],
    clusters: bool,  # noqa: FBT001 - positional keys are the cheap ones
) -> Read:
    """The same of a word in which no value stands; nothing if one does."""
    found, is_open = _read(Word(text=text), takes, known, clusters)
    has_value = any(option.value is not None for option in found)
    return NOTHING if has_value else (tuple(found), is_open)


def _long(word: Word, known: frozenset[str]) -> list[ProgramOption]:
    name, equals, value = word.text.partition("=")
    if name not in known and name[:2] == "--" and len(name) > 2:
        # getopt_long completes a shortened option only where one option fits.
        fits = [o for o in known if o.startswith(name)]
        name = fits[0] if len(fits) == 1 else name
    return [ProgramOption(name, _part(word, value) if equals else None)]


def _cluster(word: Word, takes: frozenset[str]) -> tuple[list[ProgramOption], bool]:
    """Split `-rfo out`; the flag says that the last one still waits for its value."""
    text = word.text
    name, equals, value = text.partition("=")
    # `-o=x` is no usual form, but Go's and Java's tools take it.
    if name in takes and equals:
        return [ProgramOption(name, _part(word, value))], False
    found: list[ProgramOption] = []
    for place, letter in enumerate(text[1:], 2):
        name = "-" + letter
        if name in takes:
            # An option with a value ends the cluster: in `-ofile` the rest is the value.
            rest = text[place:]
            found.append(ProgramOption(name, _part(word, rest) if rest else None))
            return found, not rest
        found.append(ProgramOption(name))
    if len(text) > 2:
        found.append(ProgramOption(text))  # single-dash long options: -rf is also offered whole
    return found, False


def _part(word: Word, text: str) -> Word:
    return Word(
        text=text,
        is_known="\ufffd" not in text,
        has_glob=word.has_glob,
        is_quoted=word.is_quoted,
        sources=word.sources,
        raw=text,
    )


def is_switched_on(options: Sequence[ProgramOption], names: Collection[str]) -> bool:
    """Return whether the last of these options says yes.

    `--dry-run --no-dry-run` and `--dry-run=none` are carried out.
    """
    is_on = False
    for option in options:
        name, value = option.name, option.value
        if name in names:
            # An unknown value may be `none`, so it switches nothing on.
            is_on = value is None or (value.is_known and value.text.lower() not in OFF)
        elif name.startswith("--no-") and f"--{name[5:]}" in names:
            is_on = False
    return is_on
