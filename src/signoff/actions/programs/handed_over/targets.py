"""Shells, scripts in temporary folders and hosts that a program nobody described is handed.

glue --spawn /bin/sh          ->  opaque: it may start the shell
quickrun /tmp/job.sh          ->  opaque: it may run the script
tunnel 203.0.113.9 4444       ->  opaque: it may connect to the host
frobctl completion bash       ->  nothing: the shell is named, not started
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import Reach, Trait
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words

SHELLS = words("sh bash zsh dash ksh fish ash cmd.exe powershell pwsh")
# Behind these words the shell's name says for which shell text is printed.
NAMED_ONLY = words(
    "completion completions init hook env activate shellenv shell s complete shell-init print "
    "shell-integration generate-completion autocomplete use setup install man generate gen list"
)
SCRIPTS = (
    ".sh",
    ".bash",
    ".zsh",
    ".py",
    ".pl",
    ".rb",
    ".js",
    ".lua",
    ".php",
    ".ps1",
    ".so",
    ".elf",
)
# A file named behind these is written by the program, not run.
WRITTEN = words("-o --output --out --dest --destination --log --logfile --report --save-to")

_ADDRESS = lazy_re(r"(?:[\w.-]+@)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?")
_LOGIN = lazy_re(r"[\w.-]+@([\w-]+(?:\.[\w-]+)+)(?::\d+)?")


def handed_target(call: ProgramCall) -> Iterator[Effect]:
    """Yield the first shell, script or host that an undescribed program is given."""
    given = call.command.words
    named = False
    for at, word in enumerate(given[1:], 1):
        before = given[at - 1].text if at > 1 else ""
        # `--shell=/bin/sh` hands over the same as `--shell /bin/sh`.
        text = word.text.partition("=")[2] if word.text[:2] == "--" else word.text
        why = _why(call, Word(text=text, is_known=word.is_known), before)
        if why and before not in WRITTEN and not (named and why.endswith("shell")):
            yield call.opaque(why, Trait.INLINE)
            if why.endswith("shell"):
                yield from _lines_for(call, given)
            return
        named = named or word.text.lstrip("-") in NAMED_ONLY


def _lines_for(call: ProgramCall, given: Sequence[Word]) -> Iterator[Effect]:
    """Yield the line that stands in one word behind `-c`, whatever the program calls the word."""
    for word in given[1:]:
        found = _OPTION_C.match(word.text)
        if found is not None:
            line = _QUOTES.sub("", found[1]).strip().strip("'\"")
            yield Nested(text=line, language="shell", carrier=call.name)


# How queues write a quote within a quoted word.
_QUOTES = lazy_re(r"(?i)<quote>|&quot;|&#39;")
_OPTION_C = lazy_re(r"\s*-\w*c\s+(\S.*)", re.DOTALL)


def _why(call: ProgramCall, word: Word, before: str) -> str:
    text = word.text
    if not text or not word.is_known:
        return ""
    # As the first word a bare `bash` may be a sub-command.
    if text.rpartition("/")[2] in SHELLS and (before != "" or "/" in text):
        return f"signoff does not know `{call.name}`, which gets a shell"
    if text.endswith(SCRIPTS) and "/" in text and _is_temporary(call, text):
        return f"signoff does not know `{call.name}`, which gets `{text[:80]}`"
    if _is_host(text):
        return f"signoff does not know `{call.name}`, which gets the address `{text[:80]}`"
    return ""


def _is_temporary(call: ProgramCall, text: str) -> bool:
    return locate(text, call.place).reach is Reach.TEMP


def _is_host(text: str) -> bool:
    found = _ADDRESS.fullmatch(text) or _LOGIN.fullmatch(text)
    if found is None or len(text) > 100:
        return False
    if "@" in text and ":" not in text and not _ADDRESS.fullmatch(text):
        return False  # as well the address of a person
    # Loopback and private addresses are this machine and its neighbours; `1.2.3.4` as a version
    # is not told apart.
    return look_at_url(f"http://{found[1]}/").host_class is HostClass.PUBLIC
