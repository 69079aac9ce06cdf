"""Where a secret went in a session: copies, archives, images, tables, login states, ignore lists.

A copy of a secret is that secret, whatever it is called and whichever tool made it. What a session
remembers is a numbered mark a change (`actions/shell/secret_copies/held_secrets.py`).

    secret_marks(operations, call)     the marks of one call
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator

from signoff.actions.facts import next_number
from signoff.actions.operation import FileKind, Operation, Operations, Trait, Verb
from signoff.actions.paths import is_inside, locate
from signoff.actions.shell.origins.carried import COPIERS
from signoff.actions.shell.origins.marks import MOVERS
from signoff.actions.shell.secret_copies.held_secrets import PREFIX, RECIPE, TABLE, held_secrets
from signoff.actions.understand import place_of
from signoff.actions.vocabulary import lazy_re2, words
from signoff.assess.combined.call import Call, name_words, texts_of
from signoff.assess.remembered.login_states import states_kept
from signoff.assess.remembered.secrets.bundles import changed_bundles
from signoff.assess.remembered.secrets.ignore_lists import changed_lists
from signoff.assess.remembered.secrets.images import images_made

TEXT_LIMIT = 20_000
SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.ENV})
# What a test or an example shows is no secret; neither is the public half of a key.
OPEN = lazy_re2(
    r"(?i)(?:^|[/_.-])(?:tests?|specs?|fixtures?|testdata|examples?|samples?|templates?|dummy|mocks?"
    r"|pub|crt|cer)(?:$|[/_.-])|\.dist$"
)
_SECRET_TRAITS = frozenset({Trait.READS_SECRET, Trait.HOLDS_SECRET})
_WRITES, _READS = frozenset({Verb.WRITE}), frozenset({Verb.READ})
_MOVING = frozenset({"move", "rename", "mv", "cut"})
_RECIPE = lazy_re2(r"(?:^|/)(?:Dockerfile|Containerfile)[\w.-]*$|\.dockerfile$")
_COPIES = lazy_re2(r"(?mi)^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*[\[\"']*(?P<path>[\w./~-]+)")
_STEP = lazy_re2(r"[\"'\s\\](COPY|ADD)\s")
_NEW = ("content", "new_string", "file_text", "new_str")
# The program that was named last takes what is in a secret without telling it.
_QUIET = lazy_re2(
    r"(?i)\bopenssl\s+(?:x509|req|verify)|-pubout\b|\bssh-keygen\s[^|;]*-y\b|\bsops\b|\bkubeseal\b"
    r"|\bgit-crypt\b|\bansible-vault\s+encrypt"
)
# Programs that nobody describes, told what to read and where to put it.
_PUT_INTO = lazy_re2(r"\s(?:-o|--out(?:put|file)?(?:-file)?|-out)[= ]['\"]?(?P<path>[\w./~-]+)")
_INPUTS = words("-r -in --in --input -f --file --read-from --input-file <")
# A statement that fills a table from a file.
_FROM_FILE = lazy_re2(
    r"(?i)(?:readfile|pg_read_(?:binary_)?file|load_file|lo_import|bfilename)\s*\(\s*'(?P<a>[^']+)'"
    r"|\binfile\s+'(?P<b>[^']+)'|\bcopy\s+[\w.\"]+[^;]{0,80}\sfrom\s+'(?P<c>[^']+)'"
    r"|\.import\s+(?P<d>[\w./~-]+)"
)
_TABLE = lazy_re2(r"(?i)\b(?:into|update|copy|infile\s+'[^']+'\s+into\s+table)\s+[\"`]?([\w.]+)")
_DUMPS = lazy_re2(
    r"(?i)\b(?:pg_dump(?:all)?|mysqldump|mariadb-dump|mongodump)\b|\.(?:dump|backup|clone)\b"
)


def secret_marks(operations: Operations, call: Call) -> Iterator[str]:
    """Yield a mark for each thing that a secret goes into, or is gone from, in a call."""
    held = held_secrets(call.facts.created)
    number = next_number(call.facts.created, PREFIX)
    for state, name in _changes(operations, call, held):
        if (state == "in") != (name in held):
            yield f"{PREFIX}{number}:{state}:{name}"
            number += 1


def _changes(operations: Operations, call: Call, held: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield ("in" or "out", name) in the order in which it happens."""
    made = dict.fromkeys([*_copies(operations, call), *_carried(operations, call, held)])
    yield from [("out", path) for path in _gone(operations, call, held)]
    yield from [("in", path) for path in made]
    if any([op.verb in _WRITES and op.path for op in operations]):
        for state, path in changed_lists(operations, call):
            yield ("in" if state == "lost" else "out"), f"lost:{path}"
        yield from _recipes(operations, call)
        yield from changed_bundles(operations, call)
    yield from [("in", path) for path in _states(call)]
    yield from _tables(operations, call, held)
    yield from images_made(operations, call, held | made.keys())


def _copies(operations: Operations, call: Call) -> Iterator[str]:
    """Yield the files that a call writes of secrets."""
    if call.action.text("command"):
        yield from _put_into(operations, call)
    sources = {op.group for op in operations if _is_source(op)}
    if not sources or _QUIET.search(texts_of(call)) is not None:
        return
    for op in operations:
        path = _written(op, call)
        if not path or (op.path and op.file_kind in SECRET_KINDS and op.reach.value == "project"):
            continue
        is_copy = Trait.HOLDS_SECRET in op.traits or op.program == call.action.tool
        if op.group in sources and (is_copy or _is_put_by_code(op)):
            yield path


def _is_source(op: Operation) -> bool:
    """Tell whether a real secret is read, or goes into what is written."""
    is_taken = op.verb is Verb.READ or (op.verb is Verb.WRITE and op.program in MOVERS)
    is_secret = op.file_kind in SECRET_KINDS and is_taken
    return (is_secret or not _SECRET_TRAITS.isdisjoint(op.traits)) and not _is_open(op)


def _is_open(op: Operation) -> bool:
    return Trait.HOLDS_SECRET not in op.traits and OPEN.search(op.path) is not None


def _is_put_by_code(op: Operation) -> bool:
    return op.verb is Verb.WRITE and (op.program in COPIERS or op.program.startswith("fs."))


def _written(op: Operation, call: Call) -> str:
    """Return the absolute path of a file that an operation writes, "" if there is none."""
    if op.verb is not Verb.WRITE:
        return ""
    if op.path:
        return op.path
    # Of a tool that nobody knows the target is what an argument says.
    is_path = "/" in op.target and "://" not in op.target and op.program == call.action.tool
    return _absolute(op.target, call) if is_path else ""


def _put_into(operations: Operations, call: Call) -> Iterator[str]:
    """Yield what programs are told to write, where they are told to read a secret."""
    line = call.action.text("command")[:TEXT_LIMIT]
    targets = _PUT_INTO.findall(line)
    if not targets or _QUIET.search(line) is not None:
        return
    if any([op.verb in {Verb.NETWORK_OUT, Verb.NETWORK_IN} for op in operations]):
        return
    before = "-"
    for text in line.split()[:200]:
        is_read = before[:1] != "-" or before in _INPUTS
        before = text
        if is_read and text[:1] != "-" and _is_secret(text.strip("'\"@"), call):
            yield from [_absolute(path, call) for path in targets]
            return


def _carried(operations: Operations, call: Call, held: Collection[str]) -> Iterator[str]:
    """Yield the files that a call writes of what holds a secret already."""
    files = [name for name in held if name.startswith("/")]
    if not files:
        return
    groups = {op.group for op in operations if op.path and _takes(op, files)}
    named = {_absolute(text, call) for text in _strings(call)} if not groups else set()
    if not groups and named.isdisjoint(files):
        return
    is_piped = "|" in call.action.text("command")
    for op in operations:
        path = _written(op, call)
        if not path or path in held:
            continue
        if op.group in groups or named or (is_piped and op.group > min(groups)):
            yield path


def _takes(op: Operation, files: Collection[str]) -> bool:
    if op.verb is not Verb.READ and not (op.verb is Verb.WRITE and op.program in MOVERS):
        return False
    below = f"{op.path.rstrip('/')}/"
    return any([one == op.path or one.startswith(below) for one in files])


def _strings(call: Call) -> list[str]:
    given = call.action.arguments.values() if not call.action.text("command") else ()
    return [text for text in given if isinstance(text, str) and "/" in text and len(text) < 512]


def _gone(operations: Operations, call: Call, held: Collection[str]) -> Iterator[str]:
    """Yield what holds a secret no longer, as it is deleted, moved away or written anew."""
    files = [name for name in held if name.startswith("/")]
    is_moved = not _MOVING.isdisjoint(name_words(call))
    for op in operations if files else ():
        if op.verb is Verb.DELETE and op.path:
            yield from [one for one in files if is_inside(one, op.path)]
        elif op.verb is Verb.WRITE and op.path in held:
            is_mover = op.program in MOVERS or (is_moved and op.program == call.action.tool)
            if is_mover or call.action.tool == "Write":
                yield op.path


def _recipes(operations: Operations, call: Call) -> Iterator[tuple[str, str]]:
    """Yield the build files of images that copy a secret into them, or do so no longer."""
    for op in operations:
        if op.verb is Verb.WRITE and op.path and _RECIPE.search(op.path) is not None:
            if _copies_secret(_new_text(call), call):
                yield "in", f"{RECIPE}{op.path}"
            elif _is_replaced(call):
                yield "out", f"{RECIPE}{op.path}"


def _copies_secret(text: str, call: Call) -> bool:
    return any([_is_secret(path, call) for path in _COPIES.findall(text)])


def _new_text(call: Call) -> str:
    """Return what a build file is given, a line of its own for each part."""
    line = call.action.text("command")
    if line:  # `echo "COPY .env /app/" >> Dockerfile`, `sed -i '$a COPY .env /app/' Dockerfile`
        return _STEP.sub(r"\n\1 ", line[:TEXT_LIMIT].replace("\\n", "\n"))
    given = call.action.arguments
    text = "\n".join([text for key in _NEW for text in [given.get(key)] if isinstance(text, str)])
    return (text or texts_of(call))[:TEXT_LIMIT].replace("\\n", "\n")


def _is_replaced(call: Call) -> bool:
    """Tell whether the whole text is new, or a line that copied a secret is taken out."""
    line = call.action.text("command")
    if line:
        return ">" in line and ">>" not in line
    old = call.action.text("old_string")
    return _copies_secret(old, call) if old else call.action.tool == "Write"


def _states(call: Call) -> Iterator[str]:
    for path in states_kept(texts_of(call)):
        yield _absolute(path, call)


def _tables(operations: Operations, call: Call, held: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the tables that are filled from a secret, and the files those are put into."""
    text = texts_of(call)[:TEXT_LIMIT]
    known = {name.removeprefix(TABLE) for name in held if name.startswith(TABLE)}
    found = _FROM_FILE.search(text)
    if found is not None and _is_secret(next(filter(None, found.groups())), call):
        yield from [("in", f"{TABLE}{name}") for name in _TABLE.findall(text)]
        yield from [("in", path) for path in _databases(text, call)]
    elif known:
        is_named = any([name in text for name in known]) or _DUMPS.search(text) is not None
        for op in operations if is_named else ():
            if op.verb is Verb.WRITE and op.path:
                yield "in", op.path


_DATABASE = lazy_re2(r"(?:^|[\s'\"=])(?P<path>[\w./~-]+\.(?:db|sqlite3?|db3|duckdb|mdb))\b")


def _databases(text: str, call: Call) -> list[str]:
    return [_absolute(path, call) for path in _DATABASE.findall(text)]


def _is_secret(path: str, call: Call) -> bool:
    if OPEN.search(path) is not None:
        return False
    at = locate(path, place_of(call.action, call.facts), has_glob=False)
    return at.read_kind in SECRET_KINDS or at.path in held_secrets(call.facts.created)


def _absolute(path: str, call: Call) -> str:
    if path[:2] == "~/":
        path = posixpath.join(call.facts.home or "/", path[2:])
    return posixpath.normpath(posixpath.join(call.action.cwd or "/", path))
