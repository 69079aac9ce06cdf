"""What a detector is: one sin looked for in one call, as a value.

A detector reads `Evidence` and yields `Finding`s; it holds no state, looks at nothing else and
knows no other detector. Its id is its file name with dashes. Its docstring says four things:
Finds, Why it matters, Example, Does not find. `fires` and `passes` are its examples: three
calls it must find something in, three look-alikes it must leave alone.

    DETECTOR = Detector(id="xxe", title="XML that reads files", cwe=("CWE-611",), run=run)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations, Verb
from signoff.actions.vocabulary import Vocabulary
from signoff.assess.finding import Finding


class TextSource(Vocabulary):
    """Where a text stands in a call; decides which patterns are looked for in it."""

    ARGUMENTS = "arguments"  # what an agent hands to a tool
    DESCRIPTION = "description"  # what a tool says about itself
    REQUEST = "request"  # a web request, every value decoded
    RESULT = "result"  # what came back, on its way to the agent or the client


class RequestField(Struct, frozen=True, kw_only=True, gc=False):
    """One value of a web request.

    Args:
        place: `method`, `path`, `query`, `header`, `cookie`, `body`, or `rest` for what was cut.
        name: the parameter's name, "" where it has none.
        raw: as it was sent.
        forms: what it can be read as, most literal first, every one different.
        hits: ids of the patterns found in any of the forms.
        syntax: how it is written (`contexts.syntax.Syntax`): decides which patterns count.
    """

    place: str
    name: str
    raw: str
    forms: tuple[str, ...]
    hits: frozenset[str] = frozenset()
    syntax: str = "value"


class Evidence(Struct, frozen=True, kw_only=True, gc=False):
    """Everything a detector may look at.

    Args:
        texts: the text of each channel the call has, capped.
        hits: ids of the patterns found in each channel.
        fields: the values of a web request, decoded; empty for anything else.
        is_cut: some text was longer than what is read.
    """

    action: Action
    facts: Facts = field(default_factory=Facts)
    operations: Operations = ()
    texts: Mapping[TextSource, str] = field(default_factory=dict)
    hits: Mapping[TextSource, frozenset[str]] = field(default_factory=dict)
    fields: tuple[RequestField, ...] = ()
    is_cut: bool = False


class CallMark(Vocabulary):
    """What is true of a call as a whole, so that a detector is worth running."""

    HITS = "has-hits"  # a pattern was found in one of the texts
    CUT = "is-cut"  # some text was longer than what is read
    CONTENT = "holds-content"  # text for others to read came back or is written
    REFUSED = "was-refused"  # something was refused in this session before
    RAW = "is-raw-connection"  # a target is a connection opened by its path
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
    """One detector: what it is called, what it stands for and how it runs.

    Args:
        cwe: weakness numbers, `CWE-89`.
        asi: OWASP agentic risks, `ASI02`.
        marks: it finds something only in a call that bears one of these marks; None = in any
            call. Saves running it on most calls. A mark is a verb, thing, reach, file kind or
            trait of one of the Operations, or a `CallMark`.
        fires: calls it must find something in.
        passes: calls that look like it and must be left alone.
        given: what is known beforehand in all of its examples.
    """

    id: str
    run: Run
    title: str = ""
    cwe: tuple[str, ...] = ()
    asi: tuple[str, ...] = ()
    marks: frozenset[str] | None = None
    fires: tuple[Action, ...] = ()
    passes: tuple[Action, ...] = ()
    given: Facts = NO_FACTS
