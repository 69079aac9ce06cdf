"""Lines for the shell in the names of files a program opens, and at the prompt an option feeds.

gs '-sOutputFile=%pipe%lpr' a.ps     ->  the line `lpr`
magick '|cat a.png' b.png            ->  the line `cat a.png`
lftp -e 'open host; !ls'             ->  the line `ls`
gs -sOutputFile=out/a.pdf a.ps       ->  nothing
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from signoff.actions.programs.acts import Nested
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, words

# A name of a file that begins so is a line: in an option, an operand, or behind a format (`png:`).
_BAR, _BARS = ("|",), ("|", "!")
OPENERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        words(
            "gs ghostscript ghostpdl gpdl gxps gpcl6 pcl6 ps2pdf ps2pdf12 ps2pdf13 ps2pdf14 "
            "ps2pdfwr ps2ps ps2ps2 eps2eps pdf2ps ps2ascii pdf2dsc"
        ),
        ("%pipe%", "|"),
    ),
    **dict.fromkeys(
        words(
            "magick convert montage composite gm compare conjure identify mogrify animate display"
        ),
        _BAR,
    ),
    **dict.fromkeys(words("dvips odvips"), _BARS),
}
# ImageMagick before 6.9.3-10 (CVE-2016-3714): an address ends the quotes of the line that fetches
# it.
_BROKEN_OUT = lazy_re(r"\w+:.*[\"'`]\s*[|;&]+\s*(.+?)[\"'`]*\)?$")
_NAMED = lazy_re(r"(?:--?[A-Za-z][\w-]*=|-o|\w{2,8}:)?(.*)$")
# PostScript on the command line opens its files by texts in brackets: `(%pipe%line) (w) file`.
_POSTSCRIPT = lazy_re(r"\((%pipe%[^)]*)\)")

# Options whose value is typed at the prompt of the program, and how a line for the shell begins.
PROMPTS: Mapping[str, tuple[frozenset[str], tuple[str, ...]]] = {
    **dict.fromkeys(("lftp", "smbclient"), (words("-c -e --command"), ("!",))),
    "gnuplot": (words("-e"), ("!",)),
    "ghci": (words("-e"), (":!",)),
    **dict.fromkeys(("weechat", "weechat-headless", "irssi"), (words("-r -c"), ("/exec ",))),
    **dict.fromkeys(("asterisk", "rasterisk"), (words("-rx -x"), ("!",))),
    "fs_cli": (
        words("-x -X --execute"),
        ("system ", "bg_system ", "api system ", "bgapi system ", "spawn ", "bg_spawn "),
    ),
}
# Programs that type the last word behind this one into a shell, or run it on other machines.
TYPED_BEHIND: Mapping[str, frozenset[str]] = {
    "screen": words("stuff"),
    "zellij": words("write-chars"),
    **dict.fromkeys(("kitty", "kitten", "wezterm"), words("send-text")),
    **dict.fromkeys(("consul", "mco"), words("exec run")),
    "bolt": words("run"),
    "knife": words("ssh winrm"),
    "salt-ssh": words("-r --raw"),
}
_GNUPLOT = lazy_re(r"([\"'])\s*[<|]((?:\\.|(?!\1).)*)\1")
MOST_LINES = 20
NAMED_LINES = frozenset([*OPENERS, *PROMPTS, *TYPED_BEHIND])


def named_lines(name: str, given: Sequence[Word]) -> Iterator[Nested]:
    """Every line for the shell that one of these programs is handed."""
    yield from opened_lines(name, given)
    yield from prompt_lines(name, given)
    yield from typed_lines(name, given)


def opened_lines(name: str, given: Sequence[Word]) -> Iterator[Nested]:
    """Lines that stand in place of a file."""
    starts = OPENERS.get(name)
    for word in given[1:] if starts is not None else ():
        if starts is not None and (line := _in_place_of_file(name, word.text, starts)).strip():
            yield Nested(text=line, language="shell", carrier=name, is_known=word.is_known)


def _in_place_of_file(name: str, text: str, starts: tuple[str, ...]) -> str:
    if "%pipe%" in starts and (inner := _POSTSCRIPT.search(text)) is not None:
        text = inner[1]
    named = _NAMED.match(text)
    opened = text if text.startswith(starts) else named[1] if named is not None else ""
    for start in starts:
        if opened.startswith(start):
            return opened[len(start) :]
    is_image = "%pipe%" not in starts and name not in ("dvips", "odvips")
    broken = _BROKEN_OUT.match(text) if is_image else None
    return broken[1] if broken is not None else ""


def prompt_lines(name: str, given: Sequence[Word]) -> Iterator[Nested]:
    """Lines for the shell that an option types at the prompt."""
    options, starts = PROMPTS.get(name, (frozenset(), ()))
    for at, word in enumerate(given[1:] if options else (), 1):
        option, equals, joined = word.text.partition("=")
        if option not in options or not (equals or at + 1 < len(given)):
            continue
        value = Word(text=joined, is_known=word.is_known) if equals else given[at + 1]
        for count, line in enumerate(_lines_in(name, value.text, starts)):
            # What is not read is asked about, never skipped.
            known = value.is_known and count < MOST_LINES
            yield Nested(text=line, language="shell", carrier=f"{name} {option}", is_known=known)
            if count == MOST_LINES:
                return


def typed_lines(name: str, given: Sequence[Word]) -> Iterator[Nested]:
    """The line that is typed into a terminal, or sent to other machines, behind a word."""
    behind = TYPED_BEHIND.get(name, frozenset())
    at = next((n for n, word in enumerate(given) if word.text in behind), len(given))
    # One word without a blank may be the name of a task or of a window.
    lines = [w for w in given[at + 1 :] if w.text[:1] != "-" and " " in w.text.strip()]
    for word in lines[-1:]:
        text = word.text.replace("\\n", "\n")
        yield Nested(text=text, language="shell", carrier=name, is_known=word.is_known)


def _lines_in(name: str, text: str, starts: tuple[str, ...]) -> Iterator[str]:
    if name == "gnuplot":
        yield from (match[2].replace('\\"', '"') for match in _GNUPLOT.finditer(text))
    for one in text.splitlines():
        at = _first(one, starts)
        if at is not None:
            yield at


def _first(line: str, starts: tuple[str, ...]) -> str | None:
    """What stands behind the first start, at the beginning of the line or behind a semicolon."""
    rest = line
    while True:
        rest = rest.lstrip()
        for start in starts:
            if rest[: len(start)].lower() == start:
                return rest[len(start) :]
        _, semicolon, rest = rest.partition(";")
        if not semicolon:
            return None
