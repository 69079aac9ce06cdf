"""What the classifiers of calls see: words, neighbours, words near to each other, and operations.

Of a line of a shell these are the words of the commands that act: a wrapper, a `cd` or an `echo`
makes an act no milder; of an edit those that it puts in or takes away. What changes nothing about
an act is left out of all calls: the agent's description, who is at an address, whose home folder it
is, the figures of a number, the spelling of a name.

    call_features(Action(tool="drop_db", arguments={"name": "crm2"}), understanding)
        -> (Features(words={"drop", "db", "name", "crm", "drop _", "crm 0", "op delete", ...},
                     pairs={("db", "drop"), ("drop", "name"), ("crm", "drop"), ...}),)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.known.hosts import is_usual_registry
from signoff.actions.operation import Operation, Operations, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.tools.files import OLD_NAMES
from signoff.actions.understand import HOST_TOOLS, Understanding
from signoff.actions.vocabulary import words
from signoff.assess.classifier.edit_words import edit_features
from signoff.assess.classifier.text_words import Features, features_of
from signoff.assess.finding import Finding
from signoff.assess.verdict import Verdict

LEAST = 24  # of a line or a file: features; `find . -name '*.c' -delete` has 7
SHORTEST = 60  # characters: fewer hold no 24 features
FACTS = 40  # more features are no facts of operations
LEAST_NAMED = 18  # of a function or a tool: `delete_all_notes(folder="x")` has 15
NODE_LIMIT = 400  # arguments, nested ones included
COMMANDS_LIMIT = 200
WRAPPERS_LIMIT = 12
# Told by the agent, or of what is no more: they say nothing about what will be.
SILENT = words("description cwd workdir timeout explanation") | frozenset(OLD_NAMES)

# Version control and forges: their acts are described in full, their texts are those of people.
FORGES = words("git gh glab hg svn jj")
# What they write is a text that passes through; its file says what it is.
COPIES = words("echo printf cat tee")
INSTALLING = words("install i add ci sync download")
# How an act is wrapped: the act is the same.
OF_WRAPPERS = frozenset(
    {Trait.AS_ROOT, Trait.IN_CONTAINER, Trait.DECODED, Trait.INLINE, Trait.WRITTEN_NOW}
    | {Trait.HIDDEN, Trait.ENVIRONMENT}
)


def call_features(action: Action, understanding: Understanding) -> tuple[Features, ...]:
    """Return the features of a call as a whole, then those of what each wrapper in it runs."""
    commands, operations = understanding.commands, understanding.operations
    acting = _acting(commands, operations)
    if commands and not acting:
        return ()
    if not acting:
        told = edit_features(action) or features_of(" \n ".join(_texts(action)))
        return (told.with_facts(*map(_facts, operations)),)
    whole = Features().and_of(acting.values())
    parents = {one.index: one.parent for one in commands}
    inner = [
        Features().and_of(one for at, one in acting.items() if _is_in(at, wrapper, parents))
        for wrapper in islice(dict.fromkeys(one.parent for one in commands), WRAPPERS_LIMIT)
        if wrapper >= 0
    ]
    return (whole, *inner)


def tool_words(action: Action) -> frozenset[str]:
    """Return the words of a tool's name and arguments, and neighbours among them."""
    return features_of(" \n ".join(_texts(action))).words


def judged_features(found: Iterable[Finding], so_far: Verdict) -> frozenset[str]:
    """Return what was found in a call, and the verdict on it, as features."""
    return frozenset((f"verdict {so_far}", *(f"find {one.category}" for one in found)))


def is_long_enough(action: Action) -> bool:
    """Return whether a call may have words enough; cheap, as it is asked of every call."""
    # Several edits stand in a list, whose texts are not counted here.
    if _is_named(action) or "edits" in action.arguments:
        return True
    sizes = [len(one) for one in action.arguments.values() if isinstance(one, str)]
    return sum(sizes) >= SHORTEST


def says_enough(action: Action, features: Features) -> bool:
    """Return whether there are words enough to tell a call by.

    What a short line of a shell or a path does is told better by its operations: of such calls
    whose right verdict is to ask the classifier would deny one in ten (measured on other
    people's lines).
    """
    least = LEAST_NAMED if _is_named(action) else LEAST
    words = features.words
    return len(words) >= least + FACTS or len(words) >= least + sum(
        [one.startswith(("op ", "trait ")) for one in words]
    )


def _acting(commands: tuple[Command, ...], operations: Operations) -> dict[int, Features]:
    """Return the features of each command that does something, by its index."""
    wrappers = {one.parent for one in commands}
    doing: dict[int, frozenset[str]] = {}
    for one in operations:
        if one.verb is not Verb.INERT:
            doing[one.group] = doing.get(one.group, frozenset()) | _facts(one)
    return {
        one.index: features_of(" ".join(_words(one))).with_facts(doing[one.index])
        for one in commands[:COMMANDS_LIMIT]
        if one.index in doing and one.index not in wrappers and one.program not in FORGES
    }


def _facts(op: Operation) -> frozenset[str]:
    """Return what an operation does, to what and where, as features."""
    return _facts_of(op.verb, op.thing, op.reach, op.file_kind, op.traits, op.understood)


@lru_cache(maxsize=4_096)
def _facts_of(
    verb: str,
    thing: str,
    reach: str,
    kind: str,
    traits: frozenset[Trait],
    understood: bool,  # noqa: FBT001 - as above
) -> frozenset[str]:
    if verb == Verb.INERT:
        return frozenset()
    does = f"op {verb}"
    kept = [trait for trait in traits if trait not in OF_WRAPPERS]
    return frozenset(
        (
            does,
            f"{does} {thing}",
            f"{does} {reach}",
            f"{does} {kind}",
            *(f"trait {trait}" for trait in kept),
            *(f"{does} {trait}" for trait in kept),
            *(() if understood else ("op unknown",)),
        )
    )


def _words(command: Command) -> Iterator[str]:
    is_prose = command.program in COPIES
    is_install = not INSTALLING.isdisjoint([word.text for word in command.words[1:4]])
    for word in command.words:
        text = word.text if word.is_known else word.raw or word.text
        # Named or not, everybody installs from there; of other commands an address says much.
        is_usual = is_install and is_usual_registry(text)
        if not (is_usual or (is_prose and " " in text)):
            yield text
    for one in command.redirects:
        yield f"> {one.target.text}"
    if command.stdin is not None and command.stdin.text and not is_prose:
        yield command.stdin.text


def _is_in(at: int, wrapper: int, parents: Mapping[int, int]) -> bool:
    """Return whether a wrapper runs a command, by itself or through others."""
    for _ in range(WRAPPERS_LIMIT):
        at = parents.get(at, -1)
        if at < 0 or at == wrapper:
            break
    return at == wrapper


def _is_named(action: Action) -> bool:
    """Return whether names say what is done: of a function, of a tool of a server."""
    return action.kind is not ActionKind.TOOL or action.tool not in HOST_TOOLS


def _name_of(argument: tuple[object, Json]) -> str:
    """Return an argument's name; a program may hand over keys that are no texts."""
    return str(argument[0])


def _texts(action: Action) -> Iterator[str]:
    is_named = _is_named(action)
    if is_named:
        yield action.tool
    # By name, as the tables were trained: who orders arguments otherwise says nothing else.
    stack: list[Json] = [
        part
        for name, value in sorted(action.arguments.items(), key=_name_of, reverse=True)
        if name not in SILENT
        for part in ((value, name) if is_named else (value,))
    ]
    for _ in range(NODE_LIMIT):
        if not stack:
            return
        node = stack.pop()
        if isinstance(node, Mapping):
            ordered = sorted(node.items(), key=_name_of, reverse=True)
            stack += [part for pair in ordered for part in reversed(pair)]
        elif isinstance(node, (list, tuple)):
            stack.extend(reversed(node))
        else:
            yield node if isinstance(node, str) else json.dumps(node)
