"""Private data of people that a session wrote somewhere: files, archives of them, tables.

What holds names together with birth dates, accounts, illnesses or wages stays private under every
name it gets. Sent out by any tool it is a leak. What a session remembers is a mark a thing:

    private:/p/out/q3.csv        a file that was written with such columns, or made of such a file
    private:fx_rates_tmp         a table that was made of such columns
    way-out:fx_share             a stage or server that the session made, with an address elsewhere

    private_marks(operations, call)     the marks of one call
    leaves(op, call)                    an operation sends something out
    holds_private(op, call)             the call names a thing that holds private data
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator

from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Verb
from signoff.actions.shell.origins.marks import compressed
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.combined.call import TRIAL, Call, cached_per_call, texts_of
from signoff.assess.remembered.exported_people import exported_files
from signoff.assess.remembered.private_fields import is_private
from signoff.assess.remembered.secrets.sent_secrets import takes_site

PREFIX, WAY_OUT = "private:", "way-out:"
ROWS = 3  # lines of a file with data of people, its header included
_WRITTEN = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.EXECUTE})
_SENT = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
_DATA = words("csv tsv json jsonl ndjson xlsx xls ods txt parquet sql xml vcf db sqlite")
_EXAMPLES = lazy_re(
    r"(?i)(?:^|[/_.-])(?:tests?|specs?|fixtures?|examples?|samples?|demo|seeds?|mocks?|fakes?|dummy"
    r"|synthetic|anonym\w*|schema\w*|migrations?|docs?)(?=[/_.-]|$)"
)
_TABLE = lazy_re(
    r"(?i)\bcreate\s+(?:or\s+replace\s+)?(?:\w+\s+){0,3}?(?:table|view)\s+(?:if\s+not\s+exists\s+)?"
    r"([\w.\"`\[\]-]+)[^;]{0,200}?\bas\b|\binto\s+([\w.\"`-]+)\s+from\b"
)
_STAGE = lazy_re(
    r"(?i)\bcreate\s+(?:or\s+replace\s+)?(?:\w+\s+){0,3}?(?:stage|server|volume|external\s+location"
    r"|data\s+source|storage\s+integration|database\s+link)\s+(?:if\s+not\s+exists\s+)?([\w.\"`-]+)"
    r"[^;]*?(?:://|\bhost\b|\bdata_?source\b)"
)
_UNLOADS = lazy_re(
    r"(?i)\bcopy\s+into\s+['\"]?(?P<to>@[\w.\"-]+|\w+://)|\bexport\s+data\b|\bunload\s*\("
    r"|\bto\s+(?:program\b|['\"]?\w+://)|\binto\s+outfile\b"
)
# What tells nothing of single people: numbers, checksums, names of fields.
_COUNTS = lazy_re(r"\b(?:wc|length|group_by|uniq|md5sum|sha\d+sum|keys|count|add)\b")
_ADDRESS = lazy_re(r"(?i)\b(?:s3[an]?|gs|gcs|azure|abfss?|wasbs?|https?|ftps?|sftp)://")


def private_marks(operations: Operations, call: Call) -> Iterator[str]:
    """Yield a mark for each thing that private data comes to lie in, and each way out made."""
    known = known_private(call.facts.created)
    if known:
        yield from [f"{PREFIX}{path}" for path in _carried(operations, known, call)]
        packed = [compressed(op) for op in operations if op.path in known]
        yield from [f"{PREFIX}{path}" for path in packed if path]
    yield from [f"{PREFIX}{path}" for path in exported_files(call)]
    if not any([op.verb in _WRITTEN for op in operations]):
        return
    text = texts_of(call)
    if _STAGE.search(text) is not None:
        yield from [f"{WAY_OUT}{_plain(name)}" for name in _STAGE.findall(text)]
    tables = [_plain(one or other) for one, other in _TABLE.findall(text)]
    if is_private(text) and (tables or text.count("\n") >= ROWS or _reads_people(operations)):
        yield from [
            f"{PREFIX}{name}" for name in tables if TRIAL.search(name) is None or _far(call)
        ]
        yield from [f"{PREFIX}{op.path}" for op in operations if _is_data_file(op)]


def known_private(created: Collection[str]) -> frozenset[str]:
    """Return the paths and names that hold private data."""
    marks = [mark for mark in created if mark.startswith(PREFIX)]
    return frozenset([mark.removeprefix(PREFIX) for mark in marks])


def leaves(op: Operation, call: Call) -> bool:
    """Return whether an operation sends something to people or machines elsewhere."""
    if not known_private(call.facts.created):
        return False
    if op.verb in _SENT:
        is_near = op.reach in {Reach.LOOPBACK, Reach.NONE, Reach.PROJECT}
        is_kept = op.thing in {ResourceType.CLOUD, ResourceType.REPOSITORY}
        return not is_near and (not is_kept or _makes_public(op, call))
    is_far = op.reach is Reach.REMOTE or op.thing is ResourceType.DATABASE
    return is_far or (op.verb in _WRITTEN and _makes_public(op, call))


def holds_private(op: Operation, call: Call) -> bool:
    """Return whether the call sends a thing that holds private data."""
    if _makes_public(op, call):
        return True
    return _sends_file(call) if op.verb in _SENT else _unloads_table(call)


def _makes_public(op: Operation, call: Call) -> bool:
    """Tell whether a site goes to the web that was made of a folder with private data in it."""
    files = frozenset([name for name in known_private(call.facts.created) if name[:1] == "/"])
    return bool(files) and takes_site(op, files, call)


@cached_per_call
def _sends_file(call: Call) -> bool:
    known = known_private(call.facts.created)
    if any([op.path in known for op in call.operations if op.verb in {Verb.READ, *_SENT}]):
        return True
    here = call.action.cwd or "/"
    given = [text for text in strings_of(call.action.arguments) if len(text) < 1_024]
    return any([posixpath.normpath(posixpath.join(here, text)) in known for text in given])


@cached_per_call
def _unloads_table(call: Call) -> bool:
    text = texts_of(call)
    found = _UNLOADS.search(text)
    if found is None:
        return False
    marks = call.facts.created
    to = _plain((found["to"] or "").lstrip("@"))
    is_out = f"{WAY_OUT}{to}" in marks or _ADDRESS.search(text) is not None
    tables = [name for name in known_private(marks) if "/" not in name]
    return is_out and any([re.search(rf"(?i)\b{re.escape(name)}\b", text) for name in tables])


def _carried(operations: Operations, known: Collection[str], call: Call) -> Iterator[str]:
    """Yield the files that a command writes of private ones, as it copies, packs, encrypts them."""
    groups = {op.group for op in operations if op.path in known or _holds_one(op, known)}
    line = call.action.text("command")
    is_piped = bool(groups) and "|" in line and _COUNTS.search(line) is None
    for op in operations:
        is_fed = op.group in groups or (is_piped and op.group > min(groups))
        if is_fed and op.verb is Verb.WRITE and op.path and op.path not in known:
            yield op.path


def _holds_one(op: Operation, known: Collection[str]) -> bool:
    below = f"{op.path.rstrip('/')}/" if op.path else ""
    return bool(below) and op.verb is Verb.READ and any([one.startswith(below) for one in known])


def _reads_people(operations: Operations) -> bool:
    """Tell whether a call takes its data from a database: a query has one line for all of them."""
    return any([op.verb is Verb.READ and op.thing is ResourceType.DATABASE for op in operations])


def _is_data_file(op: Operation) -> bool:
    name = op.path.rpartition("/")[2]
    is_data = "." not in name or name.rpartition(".")[2].lower() in _DATA
    return op.verb is Verb.WRITE and bool(name) and is_data and _EXAMPLES.search(op.path) is None


def _far(call: Call) -> bool:
    return any([op.reach in {Reach.REMOTE, Reach.PRODUCTION} for op in call.operations]) or (
        "prod" in texts_of(call).lower()
    )


def _plain(name: str) -> str:
    return re.sub(r"[\"`\[\]]", "", name).rpartition(".")[2].lower()
