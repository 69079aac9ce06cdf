"""Text that an editing command puts into a file: `sed -i s/old/new/`, `npm pkg set a.b=c`.

What is put in is read as an edit of the file, with the text it replaces where the command names it.

    sed -i 's/verify=True/verify=False/' a.py      -> old `verify=True`, new `verify=False`
    npm pkg set scripts.postinstall='node x.js'    -> new `"postinstall": "node x.js"`
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from signoff.actions.contents.text import NewText
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command, Word

EDITS = frozenset({"sed", "gsed", "perl", "npm"})
_TAKES_SCRIPT = frozenset({"-e", "--expression"})
_MOST_SCRIPT = 4_000  # characters of a script that are read
_MOST_EDITS = 50


def edits_of(command: Command, place: Place) -> Iterator[tuple[Located, NewText]]:
    """Yield each file that a command edits, with the text it inserts."""
    words = command.words[1:]
    if command.program == "npm":
        yield from _settings_of_package(words, place)
    elif any([word.text.startswith(("-i", "--in-place", "-pi", "-p -i")) for word in words]):
        scripts, files = _parts(words)
        texts = [text for script in scripts for text in _texts(script)][:_MOST_EDITS]
        for word in files if texts else ():
            where = locate(word.text, place, has_glob=word.has_glob)
            yield from ((where, text) for text in texts)


def _settings_of_package(words: Sequence[Word], place: Place) -> Iterator[tuple[Located, NewText]]:
    if [word.text for word in words[:2]] != ["pkg", "set"]:
        return
    where = locate("package.json", place, has_glob=False)
    for word in words[2:]:
        name, _, value = word.text.partition("=")
        leaf = name.rpartition(".")[2]
        if name.startswith("scripts.") and word.is_known:
            yield where, NewText(new=f"{json.dumps(leaf)}: {json.dumps(value)}")


def _parts(words: Sequence[Word]) -> tuple[list[str], list[Word]]:
    """The scripts and the files of `sed` or `perl`."""
    scripts: list[str] = []
    plain: list[Word] = []
    takes = False
    for word in words:
        if takes or word.text.startswith("--expression="):
            scripts.append(word.text.removeprefix("--expression="))
            takes = False
        elif word.text[:1] == "-" and len(word.text) > 1:
            takes = word.text in _TAKES_SCRIPT or _ends_in_e(word.text)
        else:
            plain.append(word)
    if not scripts:
        scripts, plain = [word.text for word in plain[:1]], plain[1:]
    return [script[:_MOST_SCRIPT] for script in scripts], plain


def _ends_in_e(option: str) -> bool:
    """`-pie`, `-ne`: a group of single letters that ends with the one that takes a script."""
    return option[:2] != "--" and option[-1] == "e" and option[1:].isalnum()


def _texts(script: str) -> Iterator[NewText]:
    """The substitutions, insertions and deletions of a script, as far as they are plain."""
    for line in script.splitlines():
        rest = line.strip()
        while rest:
            rest = rest.lstrip("0123456789,$;{} ")
            if rest[:1] == "s" and len(rest) > 3:
                old, new, rest = _split(rest[1:])
                yield NewText(new=new, old=old)
                rest = rest.partition(";")[2]
            elif rest[:1] == "/":
                address, _, rest = _cut(rest[1:], "/")
                if rest.lstrip()[:1] == "d":
                    yield NewText(new="", old=address)
                    rest = rest.partition(";")[2]
            elif rest[:1] in {"a", "i", "c"}:
                yield NewText(new=rest[1:].lstrip("\\ "))
                rest = ""
            else:
                rest = rest.partition(";")[2]


def _split(text: str) -> tuple[str, str, str]:
    """`/old/new/flags` at the delimiter it begins with."""
    delimiter = text[0]
    old, _, rest = _cut(text[1:], delimiter)
    new, _, flags = _cut(rest, delimiter)
    return old, new.replace("\\n", "\n"), flags


def _cut(text: str, delimiter: str) -> tuple[str, str, str]:
    """Cut at the first delimiter without a backslash; what is escaped stands plainly."""
    kept: list[str] = []
    at = 0
    while at < len(text) and text[at] != delimiter:
        if text[at] == "\\" and text[at + 1 : at + 2] not in {"", "n"}:
            at += 1
        elif text[at] == "\\":
            kept.append(text[at])
            at += 1
        kept.append(text[at : at + 1])
        at += 1
    return "".join(kept), delimiter, text[at + 1 :]
