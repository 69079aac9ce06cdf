"""Files of code that options load from anywhere, and in which language a handed-over text is.

make -f /tmp/x.mk                         ->  opaque: `/tmp/x.mk` was not read
docker compose -f https://x/c.yml         ->  opaque
make -f build/local.mk                    ->  nothing: it is the project's own
language_of("rm -rf build")               ->  shell
language_of("foo(bar(1))")                ->  code, of no language that is known here
language_of("Release notes for May")      ->  "", no code
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.known.shell_lines import starts_as_line
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.handed_over.tables import (
    COMPILERS,
    LOADED_LANGUAGES,
    LOADING_OPTIONS,
)
from signoff.actions.programs.registry import find
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import lazy_re

# What another command prints: the flow of the line tells where it comes from.
STREAMS = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
# By their endings; of code in other languages the commands inside its texts are found.
WRITTEN_LANGUAGES = {"tcl": "tcl", "lua": "lua", "py": "python", "rb": "ruby", "js": "javascript"}
# The same options with their value in the next word.
BARE_LOADING = frozenset(one[:-1] for one in LOADING_OPTIONS if one.endswith("="))


def written_texts(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of code that this line or session wrote into a file given to the program.

    cat > a.ly <<'E' ... E; lilypond a.ly    ->  the commands that stand in the texts of `a.ly`
    """
    stdin = call.command.stdin
    if call.command.program in COMPILERS and stdin is not None and stdin.text:
        yield Nested(text=stdin.text, language="literals", carrier=f"{call.name} <stdin>")
    for word in call.command.words[1:]:
        name = word.text.partition("=")[2] if word.text[:1] == "-" else word.text
        if "." not in name or not word.is_known:
            continue
        text = call.session_text(Word(text=name))
        if text:
            language = WRITTEN_LANGUAGES.get(name.rpartition(".")[2].lower(), "literals")
            yield Nested(text=text, language=language, carrier=f"{call.name} {name[:80]}")


def loaded_files(call: ProgramCall, own: frozenset[str] | None) -> Iterator[Effect]:
    """Yield the effects of unread code files that a call's options load.

    Args:
        own: options of this program that load a file; None for none.
    """
    given = call.command.words
    for at, word in enumerate(given[1:], 1):
        text = word.text
        if text[:1] != "-":
            continue
        value = _value(text, given[at + 1] if at + 1 < len(given) else None, own)
        printed = call.place.files.get(value) if value.startswith(STREAMS) else None
        language = LOADED_LANGUAGES.get(call.name, "")
        if language and printed is not None and printed.text is not None:
            yield Nested(text=printed.text, language=language, carrier=f"{call.name} {text}")
        elif value.startswith(STREAMS):
            yield call.operation(Verb.EXECUTE, ResourceType.CODE, value, traits=(Trait.NAMED,))
        elif value and _is_foreign(call, value):
            yield call.operation(
                Verb.EXECUTE,
                ResourceType.CODE,
                value[:200],
                traits=(Trait.NAMED,),
                reach=Reach.UNKNOWN,
                reversible=False,
                understood=False,
                why=f"what is in `{value[:80]}` is not known",
            )


def _value(text: str, behind: Word | None, own: frozenset[str] | None) -> str:
    """The file that an option names, "" if it names none."""
    if text.startswith(LOADING_OPTIONS):
        start = next(start for start in LOADING_OPTIONS if text.startswith(start))
        # `-javaagent:x.jar=options`: behind `=` stand options for the agent.
        return text[len(start) :].partition("=")[0]
    name, equals, value = text.partition("=")
    if name in BARE_LOADING or (own is not None and name in own):
        return value if equals else behind.text if behind is not None else ""
    # `-fFILE`, a value in the same word as its short option.
    if own is not None and len(text) > 2 and text[1] != "-" and text[:2] in own:
        return text[2:]
    return ""


def _is_foreign(call: ProgramCall, value: str) -> bool:
    """Whether anybody may have put the file there: a temporary folder, another machine."""
    if "://" in value:
        return not (value.startswith("file://") or is_near_url(value))
    # A bare name lies in the folder in force.
    if "/" not in value:
        return False
    # Anybody on the machine can write there (CWE-377).
    return locate(value, call.place).reach is Reach.TEMP


# Enough to tell a language; the text itself is read whole elsewhere.
MAX_CHARS = 4_000

_PYTHON = lazy_re(r"^\s*!?(?:import|from)\s+[\w.]+|__import__\(")
_SCRIPT = lazy_re(r"\brequire\(|\bprocess\.|=>|\bawait\s")
# A call, an index, a substitution, or several commands: what prose does not have.
_CODE = lazy_re(r"\w\(|^\s*\(\w|[\w\]]\[[\w{\"]|\$\(|`[^`]+`|;\s*\w|\|\s*\w|&&")
# One print of a constant does nothing: `newlang -e 'print("hi")'` is how tools are tried out.
_PRINTS = lazy_re(
    r"\s*\(?(?:echo|print\w*|puts|say|display|console\.log)[\s(]+"
    r"(?:'[^']*'|\"[^\"]*\"|[\d +*/-]+)\s*\)?;?\s*"
)
_FIRST = lazy_re(
    r"\s*(?:\w+=\S*\s+)*(?:(?:sudo|doas|env|nohup|exec|time)\s+(?:-\w+\s+)*)*([\w./+-]+)"
)


def language_of(text: str) -> str:
    """Guess the language of a text: `python`, `javascript`, `shell`, `code`; "" for no code."""
    text = text[:MAX_CHARS]
    if _PRINTS.fullmatch(text):
        return ""
    if _PYTHON.search(text):
        return "python"
    if _SCRIPT.search(text):
        return "javascript"
    if starts_as_line(text):
        return "shell"
    # One word may be any name (`sort`); with arguments behind it, it is a line.
    if " " in text.strip() and _is_program(text):
        return "shell"
    return "code" if _CODE.search(text) else ""


def is_line(text: str, option: str) -> bool:
    """Tell a line with an effect worth checking, or of several commands behind `--command`."""
    if starts_as_line(text):
        return True
    is_named = option.lstrip("-").endswith(("command", "cmd", "exec"))
    return is_named and _SEVERAL.search(text[:MAX_CHARS]) is not None


_SEVERAL = lazy_re(r"^\s*(?:sudo|doas)\s+\S|\w\s*&&\s*\w|\w\s*;\s*\w")


def _is_program(text: str) -> bool:
    first = _FIRST.match(text)
    return first is not None and find(first[1].rpartition("/")[2]) is not None
