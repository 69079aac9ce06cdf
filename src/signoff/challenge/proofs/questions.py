"""What a quiz asks about a call, most important first, with answers that could be true.

Asked(text="What is deleted?", right="/home/dev/data", wrong=("/home/dev", ...))
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Operations, Reach, Thing, Trait, Verb
from signoff.challenge.request import Request

OPERATIONS_LIMIT = 8
ARGUMENTS_LIMIT = 8
TEXT_LIMIT = 200

TARGET_QUESTIONS: Mapping[Verb, str] = {
    Verb.DELETE: "What would be deleted or overwritten?",
    Verb.WRITE: "What would be written?",
    Verb.EXECUTE: "What would be run?",
    Verb.NETWORK_OUT: "Where would it be sent?",
    Verb.NETWORK_IN: "Where would it be fetched from?",
    Verb.INSTALL: "What would be installed?",
    Verb.PUBLISH: "What would be published?",
    Verb.CONTROL: "What would be started, stopped or changed?",
    Verb.CONFIGURE: "What would be configured?",
    Verb.PRIVILEGE: "Whose rights would change?",
    Verb.PERSIST: "What would run later by itself?",
    Verb.SPEND: "What would be paid?",
    Verb.READ: "What would be read?",
}
VERB_WORDS: Mapping[Verb, str] = {
    Verb.INERT: "it changes nothing",
    Verb.READ: "it reads",
    Verb.WRITE: "it writes",
    Verb.DELETE: "it deletes or overwrites",
    Verb.EXECUTE: "it runs code",
    Verb.NETWORK_IN: "it downloads",
    Verb.NETWORK_OUT: "it sends data out",
    Verb.INSTALL: "it installs software",
    Verb.PUBLISH: "it publishes",
    Verb.CONTROL: "it starts or stops something",
    Verb.CONFIGURE: "it changes a configuration",
    Verb.PRIVILEGE: "it acts with other rights",
    Verb.PERSIST: "it plants something that runs later",
    Verb.SPEND: "it spends money",
}
REACH_WORDS: Mapping[Reach, str] = {
    Reach.TEMP: "temporary folders only",
    Reach.PROJECT: "the project",
    Reach.LOOPBACK: "this machine's own network only",
    Reach.ELSEWHERE: "another folder of this machine",
    Reach.HOME: "the home folder",
    Reach.REMOTE: "something outside this machine",
    Reach.SYSTEM: "the whole system",
    Reach.PRODUCTION: "production",
}
# What a trait means, and what somebody who did not read would take it for.
TRAIT_QUESTIONS: Mapping[Trait, tuple[str, str, tuple[str, ...]]] = {
    Trait.UNBOUNDED: (
        "How many rows does it touch?",
        "all of them: there is no bound",
        ("one row", "only rows older than a month", "none, it only counts"),
    ),
    Trait.SCHEMA_LOSS: (
        "What becomes of the table?",
        "it loses data for good",
        ("a column is added", "it is copied first", "it is only read"),
    ),
    Trait.LOSES_HISTORY: (
        "What becomes of the history?",
        "published history is rewritten or lost",
        ("one commit is added", "nothing changes", "a tag is added"),
    ),
    Trait.LOSES_WORK: (
        "What becomes of changes that were not committed?",
        "they are lost",
        ("they are kept", "they are committed first", "there are none by its nature"),
    ),
    Trait.AS_ROOT: (
        "With whose rights would it run?",
        "as another user, root for instance",
        ("as a guest", "with the agent's own", "with none"),
    ),
    Trait.OPENS_ACCESS: (
        "Who has access afterwards?",
        "more people than before",
        ("fewer people than before", "the same as before", "nobody"),
    ),
    Trait.BROAD: (
        "How much of it is meant?",
        "everything in it, no names are given",
        ("one named file", "files older than a day", "an empty folder"),
    ),
}
COMMITS = ("HEAD", "HEAD~1", "HEAD~2", "origin/HEAD")
BRANCHES = ("origin develop", "origin staging", "origin release/1.0", "upstream main")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question before its choices are mixed."""

    text: str
    right: str
    wrong: tuple[str, ...]


def questions_of(request: Request) -> Iterator[Asked]:
    """Yield the questions a call gives, most important first."""
    operations = ranked(request.assessment.operations)
    # What the call does touch is never offered as wrong.
    real = {op.target for op in operations} | {op.path for op in operations}
    real.update(value for value in request.action.arguments.values() if isinstance(value, str))
    for operation in operations[:OPERATIONS_LIMIT]:
        for asked in _of_operation(operation):
            yield Asked(
                text=asked.text,
                right=asked.right,
                wrong=tuple(choice for choice in asked.wrong if choice not in real),
            )
    # What a shell line or a text comes down to was asked above; its wording says nothing more.
    is_told = bool(operations)
    yield from _of_arguments(request.action.arguments, is_told=is_told)
    if operations:
        yield _deed(operations)
    yield _tool(request.action.tool)


def ranked(operations: Operations) -> Operations:
    """Return the operations, those that cannot be undone and reach furthest first."""
    reaches = list(Reach)
    changing = [op for op in operations if op.verb is not Verb.INERT]
    return tuple(
        sorted(
            changing,
            key=lambda op: (op.verb is Verb.READ, op.reversible, -reaches.index(op.reach)),
        )
    )


def _of_operation(operation: Operation) -> Iterator[Asked]:
    """Yield what one operation gives to ask about."""
    if operation.target and operation.verb in TARGET_QUESTIONS:
        yield Asked(
            text=TARGET_QUESTIONS[operation.verb],
            right=operation.target,
            wrong=_like_target(operation),
        )
    for trait, (text, right, wrong) in TRAIT_QUESTIONS.items():
        if trait in operation.traits:
            yield Asked(text=text, right=right, wrong=wrong)
    if operation.reach in REACH_WORDS and operation.verb is not Verb.READ:
        others = tuple(said for reach, said in REACH_WORDS.items() if reach is not operation.reach)
        yield Asked(text="What does it reach?", right=REACH_WORDS[operation.reach], wrong=others)


def _like_target(operation: Operation) -> tuple[str, ...]:
    """Return targets that could be meant and are not."""
    target = operation.target
    if "://" in target:
        return _like_url(target)
    if operation.thing is Thing.REPOSITORY:
        return COMMITS if target.startswith("HEAD") else BRANCHES
    if "/" in target or target in ("~", ".") or operation.path:
        return _like_path(target)
    return (f"{target}_backup", f"{target}_old", f"test_{target}", f"{target}-staging")


def _like_path(path: str) -> tuple[str, ...]:
    """Return paths near a path."""
    plain = path.rstrip("/") or "/"
    folder, name = posixpath.split(plain)
    stem, ending = posixpath.splitext(name)
    return (
        posixpath.join(folder, f"{stem or 'data'}.bak{ending}"),
        posixpath.join("/tmp", name or "build"),  # noqa: S108 - a wrong answer, no file is made
        posixpath.join(plain, "build"),
        posixpath.join(folder, f"{stem}_old{ending}"),
    )


def _like_url(url: str) -> tuple[str, ...]:
    """Return addresses near an address."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return (
        f"{scheme}://staging.{host}{slash}{path}",
        f"{scheme}://localhost:8080{slash}{path}",
        f"{scheme}://{host}.internal{slash}{path}",
    )


def _of_arguments(arguments: Mapping[str, Json], *, is_told: bool) -> Iterator[Asked]:
    """Yield what numbers and short texts in the arguments give to ask about."""
    items = list(arguments.items())[:ARGUMENTS_LIMIT]
    for name, value in items:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield Asked(
                text=f"What is `{name[:TEXT_LIMIT]}`?",
                right=f"{value}",
                wrong=(f"{value * 10}", f"{value + 1}", f"{value / 10:g}"),
            )
    for name, value in items:
        if isinstance(value, str) and _is_short(value, is_told=is_told):
            yield Asked(
                text=f"What is `{name[:TEXT_LIMIT]}`?", right=value, wrong=_like_text(value)
            )


def _is_short(text: str, *, is_told: bool) -> bool:
    """Tell whether a text is short enough to be asked for."""
    return 0 < len(text) <= TEXT_LIMIT and "\n" not in text and not (is_told and " " in text)


def _like_text(text: str) -> tuple[str, ...]:
    """Return texts near a text."""
    digits = [char for char in text if char.isdigit()]
    if digits:
        other = str((int(digits[-1]) + 3) % 10) if digits[-1].isascii() else "7"
        at = text.rindex(digits[-1])
        return (text[:at] + other + text[at + 1 :], f"{text}0", f"{text}-test")
    return (f"{text}-test", f"{text}-old", f"my-{text}")


def _deed(operations: Operations) -> Asked:
    """Ask what is done at worst."""
    done = {op.verb for op in operations}
    return Asked(
        text="What would it do?",
        right=VERB_WORDS[operations[0].verb],
        wrong=tuple(said for verb, said in VERB_WORDS.items() if verb not in done),
    )


def _tool(tool: str) -> Asked:
    """Ask for the name, when nothing else is left to ask."""
    others = ("Read", "Grep", "Write", "Bash", "WebFetch")
    return Asked(
        text="Which tool would be called?",
        right=tool,
        wrong=tuple(other for other in others if other != tool),
    )
