"""Evidence that a call hands code to a console, and the code empties all that it lists.

Which language it is does not matter: `scripts` reads loops and whole statements. What counts is
that the console belongs to something that others use: a service, an address, production.
"""

from __future__ import annotations

import re
from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re, lazy_re2
from signoff.assess.combined.bulk.scripts import empties_everything
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TEXT_LIMIT,
    TRIAL_IN_LINE,
    Call,
    cached_per_call,
    name_words,
)
from signoff.assess.combined.facts import FAR

_RUNS = vocabulary(
    "run exec execute eval evaluate invoke submit apply console script scripts code repl macro job"
    " snippet background shell perform call"
)
# Runtimes of a machine of one's own, where a developer empties a database many times a day.
_OWN_RUNTIMES = vocabulary(
    "python ruby rails django node javascript php perl lua jupyter notebook repl sandbox"
    " interpreter database db sqlite postgres mysql mongo redis duckdb shell terminal bash local"
    " ide editor vscode intellij browser playwright puppeteer chrome figma excel blender unity"
)
_ADDRESS = lazy_re2(r"(?i)https?://[^/\s\"']+")
_NEAR = lazy_re2(r"(?i)https?://(?:localhost|127\.|\[::1\]|[^/\s]*\.(?:local|test|localhost)\b)")
# Of a line: a program, sub-command or address that runs what it is given elsewhere.
_CONSOLES = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:submit\w*|script\w*|console|eval\w*|exec\w*|run\w*|apex|groovy\w*|repl|invoke"
    r"|apply|query|macro|job\w*|sql)(?:[^a-z]|$)"
)
_HERE = lazy_re(r"(?m)^(?P<line>[^\n]*)<<-?\s*\\?['\"]?(?P<mark>\w+)['\"]?(?P<rest>[^\n]*)\n")
_INTO = lazy_re(r">{1,2}\s*['\"]?([^\s'\";|&]{1,200})")
_TEMPORARY = lazy_re2(r"/(?:(?:var/)?tmp|dev)/\S*")
_HANDED = frozenset({Verb.WRITE, Verb.EXECUTE, Verb.CONTROL, Verb.CONFIGURE, Verb.NETWORK_OUT})
_LEAST_STEM, _LONGEST_PLACE, _MOST = 4, 200, 10


def runs_bulk_code(op: Operation, call: Call) -> bool:
    """True if a tool runs code at a service or in production that empties what it lists."""
    if _RUNS.isdisjoint(name_words(call)) or not _is_of_others(op, call):
        return False
    return _empties(call)


@cached_per_call
def _empties(call: Call) -> bool:
    given = islice(strings_of(call.action.arguments), MOST_TEXTS)
    return any([empties_everything(text) for text in given])


def _is_of_others(op: Operation, call: Call) -> bool:
    """Tell production, an address or an unread console of a service from one's own runtime."""
    texts = list(islice(strings_of(call.action.arguments), MOST_TEXTS))
    short = " ".join([text for text in texts if len(text) <= _LONGEST_PLACE])
    if op.reach is Reach.PRODUCTION or is_production(f"{call.action.environment} {short}"):
        return True
    if op.thing is ResourceType.DATABASE:
        return False
    places = [text for text in texts if len(text) <= _LONGEST_PLACE and _ADDRESS.match(text)]
    if any([_NEAR.match(place) is None for place in places]):
        return True
    server = split_words(call.action.tool.rpartition("__")[0])
    is_own = not _OWN_RUNTIMES.isdisjoint((*server, *name_words(call)))
    return bool(server) and not is_own and not op.understood and not places


def hands_over_bulk_code(op: Operation, call: Call) -> bool:
    """True if a line gives such code to a console elsewhere, itself or as a file it has written."""
    if op.verb not in _HANDED or _CONSOLES.search(f"{op.program} {op.target[:200]}") is None:
        return False
    bodies = [body for name, body in _here_texts(call) if _is_handed(name, op, call)]
    handed = "\n".join([op.source, *bodies])
    if not empties_everything(handed):
        return False
    said = _TEMPORARY.sub(" ", f"{op.source}\n{op.target}\n{handed}")
    is_theirs = op.reach is Reach.PRODUCTION or is_production(said)
    return TRIAL_IN_LINE.search(said) is None and (is_theirs or op.verb is Verb.NETWORK_OUT)


def _is_handed(name: str, op: Operation, call: Call) -> bool:
    """Tell whether the command of an Operation reads such a text, or names the file it is in."""
    program = re.escape(op.program.split(" ", 1)[0])
    line = call.action.text("command")[:TEXT_LIMIT]
    if name.startswith("<"):
        return re.search(rf"(?:^|[\s;&|(]){program}\b", name[1:]) is not None
    named = rf"(?m)(?:^|[\s;&|(]){program}\b[^\n;&|]*\b{re.escape(name)}\b"
    return len(name) >= _LEAST_STEM and re.search(named, line) is not None


_RUNTIMES = lazy_re2(
    r"(?:^|[\s;&|(])(?:python[\d.]*|node|deno|bun|ruby|php|perl|tsx|ts-node|uv run|poetry run)\b"
)


def piped_code(call: Call) -> list[str]:
    """Return the here-documents of a line that a runtime of a language reads."""
    return [body for name, body in _here_texts(call) if _RUNTIMES.search(name[1:]) is not None]


@cached_per_call
def _here_texts(call: Call) -> list[tuple[str, str]]:
    """Return the here-documents of a line: the stem of the file each is written to, and its text.

    One that a command reads itself has `<` and the command in the place of the stem.
    """
    line, found = call.action.text("command")[:TEXT_LIMIT], []
    if "<<" not in line:
        return []
    for mark in islice(_HERE.finditer(line), _MOST):
        end = re.search(rf"(?m)^\s*{mark['mark']}\s*$", line[mark.end() :])
        stop = len(line) if end is None else mark.end() + end.start()
        into = _INTO.search(f"{mark['line']} {mark['rest']}")
        stem = "" if into is None else into[1].rpartition("/")[2].partition(".")[0]
        found.append((stem or f"<{mark['line']}", line[mark.end() : stop]))
    return found


def is_elsewhere(op: Operation, call: Call) -> bool:
    """True for another machine or a service, outside containers."""
    return op.reach in FAR and Trait.IN_CONTAINER not in op.traits
