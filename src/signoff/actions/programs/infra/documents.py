"""Document stores: what `mongosh --eval`, its scripts and its standard input do to collections.

The text is JavaScript and is taken apart as such; what its methods do to the data is told by
their names, wherever the object came from: `dropDatabase()` is a whole store, `deleteMany({})`
empties a collection, `updateOne(...)` is ordinary work on a development database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.infra.databases import environment_of, script
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, words

MAX_TEXT = 10_000
MAX_PARTS = 50
_PUT_OUT = lazy_re(
    r"[\"'`]?\$(out|merge)[\"'`]?:(?:\{[^{}]{0,200}?(?:coll|into)[\"'`]?:)?[\"'`]?([\w.-]*)[\"'`]?"
)
# A plan of any method; an argument may not be code.
_PLANNED = lazy_re(
    r"(?<=\w)\.explain\((?:true|false|[\"'](?:queryPlanner|executionStats|allPlansExecution)[\"'])?"
    r"\)\.(?:remove|deleteMany|deleteOne|updateMany|updateOne|update|findAndModify|find|count"
    r"|distinct|aggregate)(?=\()"
)
WHOLE = words("dropDatabase dropAllUsers dropAllRoles")
LOSES = words("drop dropIndexes dropIndex renameCollection convertToCapped dropCollection")
EMPTIES = words("deleteMany remove updateMany deleteOne findAndModify")
# Users, roles, replication, and methods that run any command of the server.
CONTROLS = words(
    "shutdownServer createUser updateUser dropUser grantRolesToUser revokeRolesFromUser createRole "
    "dropRole adminCommand runCommand fsyncLock killOp changeUserPassword auth initiate reconfig "
    "stepDown addShard removeShard eval setProfilingLevel"
)


def methods_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield every method called in a text, with the start of its arguments, without blanks."""
    # JavaScript allows blanks anywhere: `db . dropDatabase ()`.
    # `db.orders.explain().remove(...)` returns the plan, and nothing is done.
    plain = _PLANNED.sub(".planned", "".join(text[:MAX_TEXT].split()))
    at = plain.find("(")
    while at >= 0:
        start = at
        while start and (plain[start - 1].isalnum() or plain[start - 1] == "_"):
            start -= 1
        name = plain[start:at]
        # `db["dropDatabase"]()` calls the same method by its name as a text.
        if not name and plain[max(at - 2, 0) : at] in {'"]', "']", "`]"}:
            name = plain[max(at - 40, 0) : at - 2].replace("'", '"').replace("`", '"')
            name = name.rsplit('"', 1)[-1]
        yield name, plain[at + 1 : at + 4]
        at = plain.find("(", at + 1)


def mongo(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mongosh ADDRESS --eval TEXT`, `-f FILE`, `mongosh < FILE`."""
    environment = environment_of(call)
    texts = call.values("--eval")
    files = (*call.values("--file", "-f"), *(w for w in call.operands if w.text.endswith(".js")))
    for word in texts:
        yield from _text(call, word, environment)
    for word in files:
        yield from script(call, word, "javascript", environment)
    if not texts and not files:
        yield from _fed(call, environment)


def _fed(call: ProgramCall, environment: str) -> Iterator[Effect]:
    stream = call.command.stdin
    if stream is None:
        yield call.operation(Verb.READ, ResourceType.DATABASE)
    elif stream.text is not None:
        yield from _text(call, Word(text=stream.text), environment)
    elif stream.path:
        yield from script(call, Word(text=stream.path), "javascript", environment)
    else:
        yield call.opaque("its statements come on standard input")


def _text(call: ProgramCall, word: Word, environment: str) -> Iterator[Effect]:
    reach = Reach.PRODUCTION if environment else Reach.PROJECT
    if len(word.text) > MAX_TEXT:
        yield call.opaque("the statements are too long to read")
    yield from _put_out(call, word.text, reach)
    for name, arguments in methods_of(word.text):
        operation = _method(call, name, arguments, reach)
        if operation is not None:
            yield operation
    yield Nested(
        text=word.text,
        language="javascript",
        carrier=call.name,
        is_known=word.is_known,
        environment=environment,
    )


def _put_out(call: ProgramCall, text: str, reach: Reach) -> Iterator[Operation]:
    """`{$out: "c"}` replaces all of a collection by a result, `$merge` writes into it."""
    plain = "".join(text[:MAX_TEXT].split())
    for found in islice(_PUT_OUT.finditer(plain), MAX_PARTS):
        # A result that takes the place of what it was computed from.
        beside = plain[: found.start()] + plain[found.end() :]
        is_source = re.search(rf"[.\"'`]{re.escape(found[2])}(?:[\"'`]|\.)", beside) is not None
        if found[1] == "out" and is_source:
            yield _lost(call, "$out", Trait.UNBOUNDED, reach)
        else:
            yield call.operation(Verb.WRITE, ResourceType.DATABASE, f"${found[1]}", reach=reach)


def _method(call: ProgramCall, name: str, arguments: str, reach: Reach) -> Operation | None:
    if name in WHOLE:
        return _lost(call, name, Trait.WHOLE_STORE, reach)
    if name in LOSES:
        return _lost(call, name, Trait.SCHEMA_LOSS, reach)
    # An empty filter, or none, fits every document.
    if name in EMPTIES and arguments.startswith(("{}", ")")):
        return _lost(call, name, Trait.UNBOUNDED, reach)
    if name in CONTROLS:
        return call.operation(
            Verb.CONFIGURE, ResourceType.DATABASE, name, traits=(Trait.SCHEMA_LOSS,), reach=reach
        )
    if name in EMPTIES or name.startswith(("insert", "update", "replace", "bulkWrite", "create")):
        return call.operation(Verb.WRITE, ResourceType.DATABASE, name, reach=reach)
    return None


def _lost(call: ProgramCall, name: str, trait: Trait, reach: Reach) -> Operation:
    return call.operation(
        Verb.DELETE, ResourceType.DATABASE, name, traits=(trait,), reach=reach, reversible=False
    )
