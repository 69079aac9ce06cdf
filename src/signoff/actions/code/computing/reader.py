"""Reads code that only computes; of all else, the literals tell what it may do.

read_computed(HASKELL, 'import Data.List\\nmain = print (sum [1, 2])', recorder)   computes
read_computed(HASKELL, 'import System.Process\\nmain = callCommand "ls"', recorder) cannot be read
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat

from signoff.actions.code.computing.acts import unread_act
from signoff.actions.code.computing.file_calls import take_readings
from signoff.actions.code.computing.language import Computing
from signoff.actions.code.computing.languages import EVERY
from signoff.actions.code.computing.looking import only_looks
from signoff.actions.code.computing.more_languages import MORE
from signoff.actions.code.literals import read_literals
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.scripts.javascript import GRAMMAR
from signoff.actions.code.scripts.minor import LUA
from signoff.actions.code.value import Taint, Value
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.verbs import VERBS
from signoff.actions.operation import Verb
from signoff.actions.vocabulary import lazy_re, words

MAX_CHARS = 20_000
# A call of no object and no module; functions that a language brings itself.
_FREE = lazy_re(r"(?<![\w.:>!])([a-z]\w*)\s*\(")
_BUILT_IN = words(
    "append copy make new delete close clear drop check run let apply index scan verify transfer"
    " merge pack move swap find count sort search fill require repeat remove unique reverse match"
    " for if while switch catch return open write print read select do import const var type"
)
_STATEMENTS = words("return new throw yield await case else do in and or not print println")
_GO_QUOTES = '"`'
_GO_LINE = lazy_re(r"(?:[\w.]+\s+)?[\"`]([^\"`]+)[\"`];?")


def read_computed(language: Computing, text: str, recorder: Recorder) -> None:
    """Record that a text computes, or that it cannot be read."""
    literals = Recorder(recorder.place, source=text[:200])
    read_literals(text, literals)
    says_line = literals.shell or literals.operations
    if len(text) <= MAX_CHARS and not says_line:
        rest, paths = take_readings(language.name, text)
        if only_computes(language, rest):
            recorder.is_ordinary = True
            for path in paths:
                many = frozenset({Taint.MANY} if "*" in path else ())
                recorder.on_file(Verb.READ, language.name, Value(constant=path, taints=many))
            return
    recorder.opaque(f"code in `{language.name}` cannot be read", language.name)
    read_literals(text, recorder)


def only_computes(language: Computing, text: str) -> bool:
    """Return whether all that a text imports, names and calls only computes."""
    # What is no ASCII letter may look like one.
    if language.reaches.search(text) is not None or "\x00" in text:
        return False
    for found in language.imports.finditer(text):
        if not all([language.allowed.fullmatch(one) for one in _modules(found.groups())]):
            return False
    if language.calls is None:
        return not any(map(_is_undefined_act, _FREE.findall(text), repeat(text)))
    own = set() if language.defines is None else _names(language.defines.finditer(text))
    return _names(language.calls.finditer(text)) <= language.computes | own


def _is_undefined_act(name: str, text: str) -> bool:
    """Tell `loadAll()`, which the text does not define and which says that it does something."""
    said = split_words(name)
    if (
        name in _BUILT_IN
        or not said
        or said[-1] == "of"
        or VERBS.get(said[0], Verb.INERT) is Verb.INERT
    ):
        return False
    typed, named = r"\b\w[\w<>\[\]*&:]*[ \t*&]+", r"\b(?:let|fn|def|fun|func)\s+"
    defines = rf"(?:{typed}|{named}){name}\b\s*(?:<[^>]*>)?\s*[(=]"
    return all([found[0].split()[0] in _STATEMENTS for found in re.finditer(defines, text)])


def _modules(groups: tuple[str | None, ...]) -> list[str]:
    """Return the modules of an import; a block of Go has one on each line, perhaps renamed."""
    text = next((one for one in groups if one is not None), "").strip()
    if '"' in text:
        text = text.replace(";", "\n")
    if "\n" not in text:
        return [text if text.startswith("<") else text.strip(_GO_QUOTES)]
    lines = [line.partition("//")[0].strip() for line in text.splitlines()]
    found = [_GO_LINE.fullmatch(line) for line in lines if line]
    return ["" if one is None else one[1] for one in found]


def _names(found: Iterator[re.Match[str]]) -> set[str]:
    return {
        name.lower().rpartition("/")[2] or name
        for match in found
        for name in match.groups()
        if name is not None and name[:1] != ":"
    }


READERS: dict[str, Callable[[str, Recorder], None]] = {
    language.name: partial(read_computed, language) for language in (*EVERY, *MORE)
}
(
    read_haskell, read_go, read_rust, read_java, read_kotlin, read_scala, read_csharp, read_swift,
    read_cpp, read_fortran, read_ocaml, read_clojure, read_algebra, read_dart, read_crystal,
    read_nim, read_zig, read_dlang, read_pascal, read_gleam, read_elm,
) = READERS.values()  # fmt: skip


def read_console(language: str, text: str, recorder: Recorder) -> None:
    """Record script for the console of an application: it looks, or it cannot be read."""
    if only_looks(text, GRAMMARS[language]):
        recorder.operate(Verb.READ, f"{language} console", target=text.strip()[:200])
        return
    recorder.opaque(f"signoff cannot tell what this `{language}` code changes", language)
    read_literals(text, recorder)


def check_acts(language: str, text: str, recorder: Recorder) -> None:
    """Record that code a tool is handed reaches outside in a way its reader does not know."""
    name = unread_act(language, text)
    if name:
        recorder.opaque(f"what `{name[:60]}` does is not known", language)


GRAMMARS = {"lua": LUA.grammar, "javascript": GRAMMAR}
read_lua_console = partial(read_console, "lua")
read_javascript_console = partial(read_console, "javascript")
