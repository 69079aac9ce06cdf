"""The sentence for an Operation whose effect is unknown, with the reason.

unknown(op, 90)  ->  "Runs `/tmp/setup.sh`, whose content is unknown"
"""

from __future__ import annotations

import re

from signoff.actions.lexicon.names import NAME_SAYS_NOTHING, split_words, vocabulary
from signoff.actions.operation import Operation, ResourceType, Trait
from signoff.actions.wording.objects import object_of
from signoff.actions.wording.phrases import DECODED, FETCHED

# Names of readers, where the call names no program.
_UNNAMED = {"shell": "a shell command", "code": "code", "unknown": "code"}
_SAME = vocabulary(
    "python ruby perl lua haskell scala kotlin julia elixir erlang clojure swift rust java"
)
_LANGUAGES = {
    **{name: name.capitalize() for name in sorted(_SAME)},
    **dict.fromkeys(("javascript", "js", "node"), "JavaScript"),
    **dict.fromkeys(("typescript", "ts"), "TypeScript"),
    **{"php": "PHP", "r": "R", "csharp": "C#", "go": "Go", "lisp": "Lisp", "ocaml": "OCaml"},
    **{"powershell": "PowerShell", "groovy": "Groovy", "matlab": "MATLAB", "sql": "SQL"},
    **{"bash": "Bash", "shell": "shell", "cobol": "COBOL", "fortran": "Fortran", "jcl": "JCL"},
}
_RUNS = vocabulary("run execute exec eval evaluate")
_FILE_UNKNOWN = re.compile(r"what is in `([^`]*)` is not known")
_NOT_READ = re.compile(r"code in `([^`]*)` cannot be read")
_GETS = re.compile(r"signoff does not know `([^`]*)`, which gets (.*)")
# A reason that begins with such a word has no subject.
_ACTS = vocabulary(
    "runs starts builds fetches asks feeds changes imports loads reads takes hands sends calls"
    " makes names steers"
)


def unknown(op: Operation, room: int) -> str:
    """Return the sentence for an Operation whose effect is unknown.

    Args:
        room: most characters of a name or a reason.
    """
    if Trait.REMOTE_CODE in op.traits:
        return FETCHED
    if Trait.DECODED in op.traits:
        return DECODED
    program = op.program.removeprefix("?") or op.target
    return _of_file(op, room) or _of_code(op, program) or _of_program(op, program, room)


def _of_file(op: Operation, room: int) -> str:
    """Return the sentence for a file that nobody could read before it runs."""
    file = _FILE_UNKNOWN.fullmatch(op.why)
    if file is None:
        return ""
    return f"Runs {object_of(file.group(1), room)}, whose content is unknown"


def _of_code(op: Operation, program: str) -> str:
    """Return the sentence for code in a language that the call names, "" for other calls."""
    unread = _NOT_READ.fullmatch(op.why)
    if unread is not None:
        language = _LANGUAGES.get(unread.group(1), "")
        return f"Runs {language} code that signoff cannot read" if language else _OTHER_LANGUAGE
    if op.thing is ResourceType.DATABASE and program == "sql":
        return f"Runs SQL with unknown effects: {with_subject(op.why)}"
    if op.why != NAME_SAYS_NOTHING:
        return ""
    words = split_words(program.rpartition("__")[2])
    named = [_LANGUAGES[word] for word in words[1:] if word in _LANGUAGES]
    is_runner = bool(words) and words[0] in _RUNS and bool(named)
    return f"Runs {named[0]} code that signoff cannot read" if is_runner else ""


_OTHER_LANGUAGE = "Runs code in a language that signoff cannot read"


def _of_program(op: Operation, program: str, room: int) -> str:
    runs = "Runs"
    if program.startswith("mcp__"):
        runs, program = "Calls", program.rpartition("__")[2]
    name = _UNNAMED.get(program) or object_of(program, room) or "a program"
    gets = _GETS.fullmatch(op.why)
    if gets is not None and gets.group(1) == program:
        return f"{runs} {name}, which signoff does not know and which gets {gets.group(2)}"
    why = with_subject(op.why)
    why = why if len(why) <= room else f"{why[: room - 3]}..."
    return f"{runs} {name} with unknown effects{f': {why}' if why else ''}"


def with_subject(why: str) -> str:
    """Return a reason as a sentence: "runs decoded text" has no subject."""
    return f"it {why}" if why.partition(" ")[0] in _ACTS else why
