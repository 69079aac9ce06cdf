"""The questions of a quiz about a call, most important first, with plausible wrong answers.

QuestionDraft(text="What is deleted?", right="/home/dev/data", wrong=("/home/dev", ...))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.wording.phrase_choice import names_its_object, phrase_of
from signoff.challenge.proofs.choices import Near
from signoff.challenge.request import Request
from signoff.values import replace

OPERATIONS_LIMIT = 8
ARGUMENTS_LIMIT = 8
TEXT_LIMIT = 200
LINE_LIMIT = 4_000
WORD_LIMIT = 80
WORDS_LIMIT = 40
STRINGS_LIMIT = 400  # values of one argument, nested ones included
TOOLS = ("Bash", "Read", "Edit", "Glob", "Grep", "Task", "Write", "WebFetch", "WebSearch")
CHANGING = (Verb.DELETE, Verb.WRITE, Verb.PUBLISH, Verb.CONFIGURE, Verb.CONTROL)
LOSING = (Verb.DELETE, Verb.WRITE)  # what others do for good is no loss: a publication, a start
HISTORY = (Trait.LOSES_HISTORY, Trait.LOSES_WORK)
FAR = (Reach.REMOTE, Reach.PRODUCTION)  # there a service decides with whose rights it acts
UNDONE_IN = (Reach.PROJECT, Reach.TEMP)
IN_FOLDERS = (ResourceType.FILE, ResourceType.REPOSITORY)
RIGHTFUL = (Verb.PRIVILEGE, Verb.CONTROL, Verb.CONFIGURE, Verb.INSTALL)

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
    Verb.INERT: "it changes nothing at all",
    Verb.READ: "it reads and changes nothing",
    Verb.WRITE: "it makes or changes something",
    Verb.DELETE: "it deletes or overwrites",
    Verb.EXECUTE: "it runs code or a program",
    Verb.NETWORK_IN: "it fetches from elsewhere",
    Verb.NETWORK_OUT: "it sends data elsewhere",
    Verb.INSTALL: "it installs software here",
    Verb.PUBLISH: "it publishes to other people",
    Verb.CONTROL: "it starts or stops something",
    Verb.CONFIGURE: "it configures something",
    Verb.PRIVILEGE: "it acts with other rights",
    Verb.PERSIST: "it adds a job for later",
    Verb.SPEND: "it spends somebody's money",
}
REACH_WORDS: Mapping[Reach, str] = {
    Reach.TEMP: "a folder for temporary files",
    Reach.PROJECT: "the folder of this project",
    Reach.LOOPBACK: "a server on this machine",
    Reach.ELSEWHERE: "another folder, not home",
    Reach.HOME: "home, outside the project",
    Reach.REMOTE: "other machines or services",
    Reach.SYSTEM: "the system of this machine",
    Reach.PRODUCTION: "a place named production",
}
# What the answers of one question may be; which is right is told by an operation's traits. Each is
# right for some calls, so none can be known to be wrong.
GONE = "all it erases: no copy is left"
BACK = "nothing: all can be made again"
UNSAVED = "only work not committed so far"
REWRITTEN = "only commits kept nowhere else"
UNDOING = (GONE, BACK, UNSAVED, REWRITTEN)
ALL_ROWS = "all of them: there is no bound"
TABLE = "none is left, nor is the table"
SOME_ROWS = "those that meet its condition"
NO_ROWS = "none of them: it only reads"
ROWS = (ALL_ROWS, TABLE, SOME_ROWS, NO_ROWS)
OTHER_USER = "as another user, root for instance"
AGENT = "as the user who runs this agent"
CONTAINER = "as a user within a container only"
REMOTE_USER = "as some user on another machine"
RIGHTS = (OTHER_USER, AGENT, CONTAINER, REMOTE_USER)
MORE_ACCESS = "more people than before"
SAME_ACCESS = "those who had it before"
FEWER_ACCESS = "fewer people than before"
ACCESS = (MORE_ACCESS, SAME_ACCESS, FEWER_ACCESS, "nobody but its owner now")
UNREAD_NETWORK = "code that the network sends"
UNREAD_DECODED = "a text decoded when it runs"
UNREAD_WRITTEN = "a file written just before"
UNREAD_INLINE = "code in the call itself"
UNREAD_ELSE = "a value set when it runs"
UNREAD = (UNREAD_NETWORK, UNREAD_DECODED, UNREAD_WRITTEN, UNREAD_INLINE, UNREAD_ELSE)
UNREAD_BY: Mapping[Trait, str] = {
    Trait.REMOTE_CODE: UNREAD_NETWORK,
    Trait.DECODED: UNREAD_DECODED,
    Trait.WRITTEN_NOW: UNREAD_WRITTEN,
    Trait.INLINE: UNREAD_INLINE,
}
# Answers that are nearly always right are seldom asked for: who gives them unread is then wrong.
ONE_IN: Mapping[str, int] = {GONE: 3, MORE_ACCESS: 2, "sh": 6}
INTERPRETERS = ("sh", "bash", "zsh", "python3", "python", "node", "perl", "ruby", "php", "make")


class QuestionDraft(Struct, frozen=True, kw_only=True):
    """One question before its choices are mixed."""

    text: str
    right: str
    wrong: tuple[str, ...]


def questions_of(request: Request, salt: str = "") -> Iterator[QuestionDraft]:
    """Yield the quiz questions a call allows, most important first.

    Args:
        salt: seeds the random choices.
    """
    operations = ranked(request.assessment.operations)
    line = request.action.text("command")
    told = [] if line else [_strings(one) for one in request.action.arguments.values()]
    words = _words_of(line) if line else _usable(one for each in told for one in each)
    # A subcommand (`kubectl delete`) is no part of a name: nobody would take it for one.
    commands = {word for op in operations for word in (*op.program.split(), *op.carriers)}
    near = Near(words=(request.action.cwd, *words), commands=frozenset(commands), salt=salt)
    # What the call does touch, or another part of it does, is never offered as wrong.
    real = {op.target for op in operations} | {op.path for op in operations}
    real.update(right for op in operations for _, right, _ in _meanings(op))
    real.update(value for value in request.action.arguments.values() if isinstance(value, str))
    for asked in _of_operations(operations, near):
        # What stands beside the right answer, in a list for instance, may be meant as well.
        true = real.union(*(each for each in told if asked.right in each))
        if asked.text == TARGET_QUESTIONS[Verb.EXECUTE]:
            true |= commands  # `env | curl` runs both
        # Another part of the call may lose more, or give itself more rights.
        if asked.right == BACK and true & {GONE, UNSAVED, REWRITTEN}:
            continue
        if asked.right == AGENT and any(op.verb is Verb.PRIVILEGE for op in operations):
            continue
        wrong = (one for one in asked.wrong if one not in true and not _overlap(one, asked.right))
        yield replace(asked, wrong=tuple(wrong))
    # What a shell line or a text means was asked above; its wording says nothing more.
    yield from _of_arguments(request.action.arguments, near, is_told=bool(operations))
    if operations:
        yield _about_effects(operations, near)
    yield _tool(request.action.tool, near)


def _words_of(line: str) -> tuple[str, ...]:
    """Return the words of a line that a wrong answer may be made of."""
    words = _usable(word.strip("'\"();|&<>$`") for word in line[:LINE_LIMIT].split())
    # Without the first word: that is the program, which some questions ask for.
    return words[1:]


def _usable(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that may be names or paths; a sentence is neither."""
    usable = (word for word in words if 1 < len(word) <= WORD_LIMIT and word.isprintable())
    plain = (word for word in usable if word[0].isalnum() or word[0] in "/.~")
    return tuple(dict.fromkeys(word for word in plain if " " not in word))[:WORDS_LIMIT]


def _strings(value: Json) -> list[str]:
    """Return the texts in the value of an argument."""
    found: list[str] = []
    stack = [value]
    for _ in range(STRINGS_LIMIT):
        if not stack:
            break
        node = stack.pop()
        if isinstance(node, Mapping):
            stack += node.values()
        elif isinstance(node, list | tuple):
            stack += node
        elif isinstance(node, str):
            found.append(node)
    return found


def ranked(operations: Operations) -> Operations:
    """Return operations ordered by severity: irreversible and far-reaching ones first."""
    reaches = list(Reach)
    changing = [op for op in operations if op.verb is not Verb.INERT]
    return tuple(
        sorted(
            changing,
            key=lambda op: (op.verb is Verb.READ, op.reversible, -reaches.index(op.reach)),
        )
    )


def _of_operations(operations: Operations, near: Near) -> Iterator[QuestionDraft]:
    """Yield what the operations give to ask about: of each its target, then what it means."""
    for operation in operations[:OPERATIONS_LIMIT]:
        if not operation.understood:
            yield from _of_unread(operation, near)
        # A word of the command (`npm version minor`) is no answer anybody can be sure of.
        elif operation.verb in TARGET_QUESTIONS and _is_named(operation, near):
            yield QuestionDraft(
                text=TARGET_QUESTIONS[operation.verb],
                right=operation.target,
                wrong=_like_target(operation, near),
            )
        for text, right, choices in _meanings(operation):
            if near.is_chosen(right, one_in=ONE_IN.get(right, 1)):
                yield QuestionDraft(text=text, right=right, wrong=_others(right, choices, near))


def _of_unread(operation: Operation, near: Near) -> Iterator[QuestionDraft]:
    """Yield what is known of something that cannot be read: what it is, and what would run it."""
    told = (said for trait, said in UNREAD_BY.items() if trait in operation.traits)
    right = next(told, UNREAD_ELSE)
    yield QuestionDraft(
        text="Which part cannot be known before it runs?",
        right=right,
        wrong=_others(right, UNREAD, near),
    )
    program = operation.program.partition(" ")[0]
    if program in INTERPRETERS and near.is_chosen(program, one_in=ONE_IN.get(program, 1)):
        others = tuple(near.nearest(program, INTERPRETERS, 3))
        yield QuestionDraft(
            text="Which program would run the unread part?", right=program, wrong=others
        )


def _meanings(operation: Operation) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield questions about what an operation means, with the right answer and all of them."""
    traits = operation.traits
    if operation.thing is ResourceType.DATABASE and operation.verb in (*CHANGING, Verb.READ):
        yield "How many rows does it touch?", _rows(operation), ROWS
    if operation.verb in LOSING or traits.intersection(HISTORY):
        lost = _undoing(operation)
        # A log of the system can be begun again, a release put back: what was there is gone.
        if lost != BACK or operation.reach in UNDONE_IN:
            yield "What would be lost for good?", lost, UNDOING
    if _tells_rights(operation):
        yield "With whose rights would it run?", _rights(operation), RIGHTS
    if right := _access(operation):
        yield "Who has access afterwards?", right, ACCESS
    # Near to the project is also what nothing says the place of: a database, a container.
    is_placed = operation.reach is not Reach.PROJECT or operation.thing in IN_FOLDERS
    if operation.reach in REACH_WORDS and operation.verb is not Verb.READ and is_placed:
        yield "Where does it act?", REACH_WORDS[operation.reach], tuple(REACH_WORDS.values())


def _is_named(operation: Operation, near: Near) -> bool:
    """Tell whether the target is a name that stands in the call, and no description of one."""
    # Of a store it may be the method that is called: `flushall`, `deleteMany`.
    of_store = operation.thing is ResourceType.DATABASE
    is_method = of_store and phrase_of(operation).named.endswith("({})")
    if is_method or not names_its_object(operation):
        return False
    # `all volumes`, `a privileged container`: words of signoff, beside which nothing is wrong.
    words = operation.target.split()
    return len(words) < 2 or not near.words or any(word in near.words for word in words)


def _tells_rights(operation: Operation) -> bool:
    """Tell whether a call says with whose rights it would run."""
    if operation.traits & {Trait.AS_ROOT, Trait.ON_REMOTE_HOST, Trait.IN_CONTAINER}:
        return True
    return operation.verb in RIGHTFUL and not (
        operation.verb is Verb.PRIVILEGE or operation.reach in FAR
    )


def _access(operation: Operation) -> str:
    """Return who has access afterwards, "" where the call does not say so."""
    if operation.traits & {Trait.OPENS_ACCESS, Trait.BACKDOOR}:
        return MORE_ACCESS
    if operation.thing is not ResourceType.ACCOUNT:
        return ""
    return {Verb.DELETE: FEWER_ACCESS, Verb.READ: SAME_ACCESS}.get(operation.verb, "")


def _rows(operation: Operation) -> str:
    if Trait.SCHEMA_LOSS in operation.traits:
        return TABLE
    if Trait.UNBOUNDED in operation.traits:
        return ALL_ROWS
    return NO_ROWS if operation.verb is Verb.READ else SOME_ROWS


def _undoing(operation: Operation) -> str:
    if Trait.LOSES_HISTORY in operation.traits:
        return REWRITTEN
    if Trait.LOSES_WORK in operation.traits:
        return UNSAVED
    return BACK if operation.reversible else GONE


def _rights(operation: Operation) -> str:
    if Trait.ON_REMOTE_HOST in operation.traits:
        return REMOTE_USER
    if Trait.IN_CONTAINER in operation.traits:
        return CONTAINER
    return OTHER_USER if Trait.AS_ROOT in operation.traits else AGENT


def _like_target(operation: Operation, near: Near) -> tuple[str, ...]:
    """Return targets that could be meant and are not."""
    target = operation.target
    near = replace(near, words=tuple(w for w in near.words if not _names_same(w, target)))
    is_branch = operation.thing is ResourceType.REPOSITORY and "://" not in target
    is_branch = is_branch and (len(target.split()) == 2 or "/" not in target)
    return near.of_branch(target) if is_branch else near.of(target)


def _overlap(one: str, other: str) -> bool:
    """Tell whether one of two choices says the other and more, so that both could be right."""
    words, more = sorted((set(one.split()), set(other.split())), key=len)
    # `origin main` beside `main`, `file=@.env` beside `.env`: who picks either has read the card.
    return words < more or (any(map(str.isalnum, other)) and _holds(one, other))


def _holds(text: str, name: str) -> bool:
    """Tell whether a name stands in a text, and not within a longer word."""
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))


def _names_same(word: str, target: str) -> bool:
    """Tell whether a word of the call is its target, written out or not: `~/a` for `/home/x/a`."""
    plain = word.lstrip("~./").rstrip("/")
    is_end = bool(plain) and f"/{target.rstrip('/')}".endswith(f"/{plain}")
    return is_end or _holds(word, target) or word in target.split()


def _others(right: str, choices: tuple[str, ...], near: Near) -> tuple[str, ...]:
    """Return the other answers, in an order of chance: so none of them is always there."""
    return tuple(near.mixed(choice for choice in choices if choice != right))


def _of_arguments(
    arguments: Mapping[str, Json], near: Near, *, is_told: bool
) -> Iterator[QuestionDraft]:
    """Yield what numbers and short texts in the arguments give to ask about."""
    items = list(arguments.items())[:ARGUMENTS_LIMIT]
    numbers = [(n, f"{v}") for n, v in items if _is_number(v)]
    # The method of a web request is one of four words and says little of what it does.
    texts = [(n, v) for n, v in items if n != "method" and isinstance(v, str)]
    texts = [(n, v) for n, v in texts if _is_short(v, is_told=is_told)]
    # Numbers first: an amount or a port changes more than a label.
    for each in (numbers, texts):
        for name, value in each:
            yield _argument(name, value, near, [other for _, other in each if other != value])


def _argument(name: str, value: str, near: Near, others: list[str]) -> QuestionDraft:
    """Ask for an argument; the value of another one is a wrong answer that stands on the card."""
    wrong = (*near.nearest(value, others, 1), *near.of(value))
    return QuestionDraft(text=f"What is `{name[:TEXT_LIMIT]}`?", right=value, wrong=wrong)


def _is_number(value: Json) -> bool:
    """Tell whether a value is a number; of true and false there are two."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_short(text: str, *, is_told: bool) -> bool:
    """Tell whether a text is short enough to be asked for."""
    return 0 < len(text) <= TEXT_LIMIT and "\n" not in text and not (is_told and " " in text)


def _about_effects(operations: Operations, near: Near) -> QuestionDraft:
    """Ask what is done at worst."""
    done = {op.verb for op in operations}
    # What another part of the call does is true as well, so it is no wrong answer.
    others = tuple(said for verb, said in VERB_WORDS.items() if verb not in done)
    right = VERB_WORDS[operations[0].verb]
    return QuestionDraft(text="What would it do?", right=right, wrong=_others(right, others, near))


def _tool(tool: str, near: Near) -> QuestionDraft:
    """Ask for the name, when nothing else is left to ask."""
    # A known tool among names nobody has heard of would tell itself.
    wrong = near.nearest(tool, TOOLS, 3) if tool in TOOLS else near.of(tool)
    return QuestionDraft(text="Which tool would be called?", right=tool, wrong=tuple(wrong))
