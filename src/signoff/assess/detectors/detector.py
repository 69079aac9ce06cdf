"""What a detector is: one sin looked for in one call, as a value.

A detector reads `Evidence` and yields `Finding`s; it holds no state, looks at nothing else and
knows no other detector. Its id is its file name with dashes. Its docstring says four things:
Finds, Why it matters, Example, Does not find. `fires` and `passes` are its examples: three
calls it must find something in, three look-alikes it must leave alone.

    DETECTOR = Detector(id="xxe", title="XML that reads files", cwe=("CWE-611",), run=run)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations, Verb
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import Vocabulary
from signoff.assess.finding import Finding
from signoff.assess.verdict import Verdict


class TextSource(Vocabulary):
    """Where in a call a text stands; decides which patterns are searched in it."""

    ARGUMENTS = "arguments"  # what an agent hands to a tool
    DESCRIPTION = "description"  # what a tool says about itself
    REQUEST = "request"  # a web request, every value decoded
    RESULT = "result"  # what came back, on its way to the agent or the client


class RequestField(Struct, frozen=True, kw_only=True, gc=False):
    """One value of a web request.

    Args:
        place: `method`, `path`, `query`, `header`, `cookie`, `body`, or `rest` for what was cut.
        name: the parameter's name, "" if it has none.
        raw: the value as sent.
        forms: its possible decodings, most literal first, all different.
        hits: ids of the patterns found in any of the forms.
        syntax: the syntax it is written in (`contexts.syntax.Syntax`), which decides which
            patterns count.
    """

    place: str
    name: str
    raw: str
    forms: tuple[str, ...]
    hits: frozenset[str] = frozenset()
    syntax: str = "value"


class Evidence(Struct, frozen=True, kw_only=True, gc=False):
    """All that a detector may read about one call.

    Args:
        commands: the commands of a line of a shell; given to classifiers alone.
        found, so_far: what other detectors found, and the verdict on it; for classifiers alone.
        texts: texts of the call by where they come from, cut at a limit.
        hits: ids of the patterns that matched, by text source.
        fields: decoded values of a web request; empty for other calls.
        is_cut: True if some text was longer than the limit, so its end was not read.
        cache: answers about the whole call (see `combined.call.cached_per_call`).
    """

    action: Action
    facts: Facts = field(default_factory=Facts)
    operations: Operations = ()
    commands: tuple[Command, ...] = ()
    found: tuple[Finding, ...] = ()
    so_far: Verdict = Verdict.ALLOW
    texts: Mapping[TextSource, str] = field(default_factory=dict)
    hits: Mapping[TextSource, frozenset[str]] = field(default_factory=dict)
    fields: tuple[RequestField, ...] = ()
    is_cut: bool = False
    cache: dict[Any, Any] = field(default_factory=dict)


class CallMark(Vocabulary):
    """A property of a whole call; detectors that need another one are skipped."""

    HITS = "has-hits"  # a pattern was found in one of the texts
    CUT = "is-cut"  # some text was longer than what is read
    CONTENT = "holds-content"  # text for others to read came back or is written
    REFUSED = "was-refused"  # something was refused in this session before
    RAW = "is-raw-connection"  # a target is a connection opened by its path
    NAMED = "is-named"  # a function or a tool of a server: its name says what it does
    UNREVIEWED = "is-unreviewed"  # not understood, or more text than anybody can review


ACTING = frozenset(Verb) - {Verb.INERT, Verb.READ}
# Arguments that carry text for others to read: files, messages, pages.
CONTENT = frozenset(
    ("content", "new_string", "body", "text", "message", "edits", "description", "prompt")
)
RAW_DEVICES = ("/dev/tcp/", "/dev/udp/")
REVIEWABLE = 200_000  # characters; over that a card can only be refused (threats.md 6.4)
NO_FACTS = Facts()
Run: TypeAlias = Callable[[Evidence], Iterator[Finding]]


class Detector(Struct, frozen=True, kw_only=True):
    """One detector: its id, its function, what it is mapped to, and its examples.

    Args:
        lines: its policy lines, which users may move, separated by spaces.
        families: families of patterns; each pattern of them is a policy line, too.
        cwe: weakness numbers, as `CWE-89`.
        asi: ids of the OWASP agentic risks, as `ASI02`.
        marks: run it only on calls with one of these marks; None = on every call. A mark is a
            verb, resource type, reach, file kind or trait of an Operation, or a `CallMark`. It
            saves time and must not change results.
        fires: example calls in which it must find something.
        passes: similar harmless calls in which it must find nothing.
        given: facts that hold for all of its examples.
    """

    id: str
    run: Run
    title: str = ""
    lines: str = ""
    families: tuple[str, ...] = ()
    cwe: tuple[str, ...] = ()
    asi: tuple[str, ...] = ()
    marks: frozenset[str] | None = None
    fires: tuple[Action, ...] = ()
    passes: tuple[Action, ...] = ()
    given: Facts = NO_FACTS
