"""What new file content adds: lines that run later, open a way in or switch a check off.

Only what is new counts: a line that stood in the old text already says nothing about this call.
In tests, documents and generated files dangerous words are data. All patterns are linear, the
whole text is examined; what is longer than the limit is said to be not understood.

    NewText(old="get(url)", new="get(url, verify=False)")
        -> configure, traits={WEAKENS}, why="switches TLS verification off"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import re2

from signoff.actions.contents.applied.meanings import applied_meanings
from signoff.actions.contents.applied_meaning import AppliedMeaning
from signoff.actions.contents.checks.tightened import is_tightened, without_strict_forms
from signoff.actions.contents.checks.weakened import many_tests_off, reproduces_bug, weakened_checks
from signoff.actions.contents.edits.back_doors import runs_request, second_password
from signoff.actions.contents.edits.directions import checks_left_out, sees_less, turned_by_edit
from signoff.actions.contents.edits.erased import erased, home_deleted
from signoff.actions.contents.edits.form_leaks import copies_what_is_typed
from signoff.actions.contents.edits.ignored_findings import ignored_by_scanner
from signoff.actions.contents.edits.joined_shells import joined_shell
from signoff.actions.contents.edits.lowered_levels import lowered_level
from signoff.actions.contents.edits.removed import leaves_all_out
from signoff.actions.contents.edits.sign_ins.constant_access import constant_access
from signoff.actions.contents.edits.sign_ins.constant_logins import constant_login
from signoff.actions.contents.edits.sign_ins.hidden_logins import (
    planted_administrator,
    secret_knock,
)
from signoff.actions.contents.edits.web_policies import opened_policy
from signoff.actions.contents.embedded import MOST_LINES, embedded_shell
from signoff.actions.contents.erasing.disks import overwritten_disk
from signoff.actions.contents.erasing.folders import TOO_INTRICATE, erased_folder
from signoff.actions.contents.erasing.servers import emptied_server
from signoff.actions.contents.erasing.targets import project_of
from signoff.actions.contents.leaks.sent_values import sent_out
from signoff.actions.contents.loaders.dialled_shells import dialled_shell
from signoff.actions.contents.loaders.served_prompts import served_prompt
from signoff.actions.contents.named_only.refusals import without_refusals
from signoff.actions.contents.packages import script_operations
from signoff.actions.contents.patterns import CODE, MEANINGS, LineMeaning
from signoff.actions.contents.programs import MARKS_BY_NAME
from signoff.actions.contents.sources import built_sources, foreign_sources, loosened
from signoff.actions.contents.starting.planted_keys import planted_key
from signoff.actions.contents.starting.run_unasked import runs_unasked
from signoff.actions.contents.taken.acts import taken_away
from signoff.actions.contents.text import NewText
from signoff.actions.known.protections import PRODUCTS
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2, words
from signoff.values import replace

__all__ = ["MAX_CONTENT", "NewText", "added_operations", "embedded_shell", "is_production"]

MAX_CONTENT = 4_000_000  # longer is not understood; `embedded.py` relies on it
_COMMENTS = (b"# ", b"// ")  # what stands in them sets nothing
_MOST_LINES = 40  # further hits of one pattern: taken to be new
_QUIET = frozenset({FileKind.TEST, FileKind.DOC, FileKind.GENERATED, FileKind.LOCK, FileKind.LOG})
_CONFIGURATION = frozenset(
    {FileKind.DATA, FileKind.INFRA, FileKind.ENV, FileKind.CONTAINER, FileKind.OTHER}
)
_CONFIGURATION_ENDS = (
    ".yaml", ".yml", ".json", ".toml", ".ini", ".conf", ".cfg", ".cf", ".properties", ".env", ".tf",
    ".tfvars", ".hcl", ".xml", ".config", ".production", ".prod",
)  # fmt: skip
_SETTINGS_FOLDERS = words("settings config environments env envs conf inventories overlays")
_SERVED_FOLDERS = _SETTINGS_FOLDERS | words(
    "ops deploy deployment deployments infra infrastructure nginx apache httpd haproxy caddy "
    "traefik envoy systemd supervisor hosts vhosts sites etc asterisk freeswitch postfix bind"
)
# Templates of pages and rules of proxies have no kind of their own.
_MAY_BE_CODE = CODE | {FileKind.OTHER, FileKind.TOOL_CONFIG}
_PROGRAM_MANIFESTS = (".sbt", ".exs", ".swift", ".py", ".gemspec", ".clj", "/gemfile", "/podfile")
_DOORS = (
    (joined_shell, "joins a shell with a connection"),
    (dialled_shell, "joins a shell with a connection"),
    (planted_key, "writes a way in of its own into the machine"),
)
_SIGNATURES = (".yar", ".yara", ".rules", ".sig", ".ndb", ".hdb", ".ioc")  # of scanners
_OF_SCANNERS = lazy_re2(
    r"(?i)/(?:rules?|signatures|detections?|sigma|semgrep|queries|iocs?)/(?:[^/]+/)*[^/]+\.(?:ya?ml|json|toml|xml|conf)$"
)
_LEFT_OUT = frozenset({Trait.WEAKENS})
_RUN_ANYWAY = (FileKind.SHELL_STARTUP, FileKind.SCHEDULE)
_PRODUCTION = words("prod production prd live")
_OPTIONS = re2.Options()
_OPTIONS.case_sensitive = False
_OPTIONS.never_nl = False
# RE2's default of 8 MB is too little for one automaton of all patterns (re2.h, `max_mem`).
_OPTIONS.max_mem = 64 << 20


@cache
def _pattern(source: str) -> re2._Regexp[str]:
    return re2.compile(f"(?m){source}", options=_OPTIONS)


@cache
def _set_for(kind: FileKind) -> tuple[re2.Set, tuple[LineMeaning, ...]] | None:
    """The patterns that mean something in files of one kind, as one automaton."""
    meanings = tuple(meaning for meaning in MEANINGS if kind in meaning.kinds)
    if not meanings:
        return None
    patterns = re2.Set.SearchSet(options=_OPTIONS)
    for meaning in meanings:
        patterns.Add(f"(?m){meaning.pattern}")
    patterns.Add("(?s:.)")  # matches always: its absence says that the automaton gave up
    patterns.Compile()
    return patterns, meanings


def added_operations(where: Located, text: NewText, *, program: str) -> Operations:
    """Return Operations for what new text in a file causes later: hooks, jobs and the like."""
    if len(text.new) > MAX_CONTENT:
        return (_opaque(where, "content longer than is read", program),)
    return tuple(_added(where, text, program))


def _added(where: Located, text: NewText, program: str) -> Iterator[Operation]:
    name = where.path.rpartition("/")[2].lower()
    if is_production(where):
        yield _operation(
            where, frozenset(), "changes the configuration of production", name, program,
            reach=Reach.PRODUCTION,
        )  # fmt: skip
    yield from _left_out(where, name, text, program)
    yield from _erasures(where, text, program)
    # After the question of production, which a document or a test may configure as well.
    if where.kind in _QUIET:
        if where.kind is FileKind.TEST:
            yield from _meanings(where, _without_refusals(text), program)
        return
    # Only of a whole file: a piece of an edit need not have the marks.
    if text.is_whole and not _is_what_it_says(name, text.new):
        yield _opaque(where, f"{name} with content that cannot be read as such", program)
    yield from _by_name(where, name, text, program)
    done = _without_refusals(text)
    yield from _applied(where, done, program)
    for traits, says, line in weakened_checks(where.kind, where.path, done):
        yield _operation(where, traits, says, line, program)
    # The readers stop at this number, so more lines may follow.
    if len(embedded_shell(text.new, where.kind)) >= MOST_LINES:
        yield _opaque(where, "more shell lines than are read", program)
    yield from _meanings(where, done, program)


def _left_out(where: Located, name: str, text: NewText, program: str) -> Iterator[Operation]:
    """Tests and checks that are left out together: one is everyday work."""
    is_test = where.kind is FileKind.TEST or name == "conftest.py"
    if is_test and leaves_all_out(text):
        yield _operation(where, _LEFT_OUT, "leaves tests out", name, program)
    if off := many_tests_off(where.kind, where.path, text):
        yield _operation(where, _LEFT_OUT, "switches tests off", off, program)
    if left_out := checks_left_out(text):
        yield _operation(where, _LEFT_OUT, "leaves checks out", ", ".join(left_out), program)


def _erasures(where: Located, text: NewText, program: str) -> Iterator[Operation]:
    """What new code deletes as a whole: a home folder also when only a test does."""
    is_scanner = _OF_SCANNERS.search(where.path) is not None
    is_test = where.kind is FileKind.TEST
    is_program = where.kind in _MAY_BE_CODE or where.path.lower().endswith(_PROGRAM_MANIFESTS)
    if not is_program and not is_test:
        return
    project = project_of(where.path, where.depth)
    found = [
        ("deletes all of a store", (home_deleted if is_test or is_scanner else erased)(text.new)),
        (
            "deletes folders that are not the project's",
            "" if is_scanner else erased_folder(text.new, project, is_test=is_test),
        ),
    ]
    if not is_test and not is_scanner:
        found += [
            ("overwrites a disk of this machine", overwritten_disk(text.new)),
            ("deletes all that a server holds", emptied_server(text.new)),
        ]
    says, line = next((one for one in found if one[1]), ("", ""))
    if line == TOO_INTRICATE:
        yield _opaque(where, TOO_INTRICATE, program)
    elif line and line not in (text.old or ""):
        traits = frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE})
        base = _operation(where, traits, says, line, program, reach=Reach.PRODUCTION)
        yield replace(base, verb=Verb.DELETE, thing=ResourceType.BACKUP)


def _applied(where: Located, text: NewText, program: str) -> Iterator[Operation]:
    """What settings of any format cause once a machine or service has them."""
    if _OF_SCANNERS.search(where.path) is not None:
        return
    yield from _as_operations(where, applied_meanings(where, text), program)


def _as_operations(
    where: Located, meanings: Iterable[AppliedMeaning], program: str
) -> Iterator[Operation]:
    for one in meanings:
        base = _operation(where, one.traits, one.says, one.line, program, reach=one.reach)
        yield replace(base, verb=one.verb, thing=one.thing)


def _by_name(where: Located, name: str, text: NewText, program: str) -> Iterator[Operation]:
    """What only files of one name or kind can mean, and checks that an edit takes away."""
    if name == "package.json":
        for traits, says, line in script_operations(text.new, text.old or ""):
            yield _operation(where, traits, says, line, program)
    yield from _as_operations(where, taken_away(where, text), program)
    yield from _loosened(where, name, text, program)
    is_signature = name.endswith(_SIGNATURES) or _OF_SCANNERS.search(where.path) is not None
    traits = frozenset({Trait.BACKDOOR, Trait.RUNS_LATER})
    for read, says in _DOORS if not is_signature else ():
        found = read(text.new)
        if found and found not in (text.old or ""):
            yield _operation(where, traits, says, found, program)
    if where.kind in _MAY_BE_CODE and not name.endswith(_SIGNATURES):
        yield from _ways_in(where, text, program)
    if where.reach is Reach.SYSTEM and PRODUCTS.search(where.path) and sees_less(text.new):
        less = _operation(where, _LEFT_OUT, "has a security product see less", name, program)
        yield replace(less, thing=ResourceType.PROTECTION)
    more = (
        *foreign_sources(name, text),
        *built_sources(name, where.kind, text),
        *loosened(where.kind, text),
    )
    for traits, says, line in (*more, *turned_by_edit(where.kind, text)):
        yield _operation(where, traits, says, line, program)


def _loosened(where: Located, name: str, text: NewText, program: str) -> Iterator[Operation]:
    """Say which level, policy or scanner an edit of any format makes milder."""
    level = lowered_level(text.old or "", text.new, is_source=where.kind in CODE)
    for found, says in (
        (level, "lowers `{}`"),
        (opened_policy(text), "opens the policy of its pages: `{}`"),
        (ignored_by_scanner(name, text), "hides {} from a scanner"),
    ):
        if found:
            yield _operation(where, _LEFT_OUT, says.format(found[:80]), found, program)


def _ways_in(where: Located, text: NewText, program: str) -> Iterator[Operation]:
    """Say which new code lets strangers in, or copies to them what people type."""
    if sent := sent_out(text, where.path):
        traits = frozenset({Trait.SENDS_SECRET})
        yield _operation(where, traits, "hands private values to another host", sent, program)
    readers = (
        (runs_request, Trait.BACKDOOR, "runs what a request brings"),
        (second_password, Trait.BACKDOOR, "lets in with a password of the source"),
        (secret_knock, Trait.BACKDOOR, "lets in whoever knows a secret of the source"),
        (served_prompt, Trait.BACKDOOR, "serves a prompt of its language to every machine"),
        (constant_login, Trait.BACKDOOR, "lets in whoever knows a constant of the source"),
        (constant_access, Trait.BACKDOOR, "lets a request with a constant of the source through"),
        (planted_administrator, Trait.BACKDOOR, "makes an administrator at each start"),
        (copies_what_is_typed, Trait.SENDS_SECRET, "copies forms or logins to another host"),
    )
    for read, trait, says in readers:
        found = read(text.new)
        if found and found in (text.old or ""):
            # What stood there before may hide what is new.
            found = read(_new_lines(text))
        if found and found not in (text.old or ""):
            yield _operation(where, frozenset({trait}), says, found, program)


def _new_lines(text: NewText) -> str:
    before = set((text.old or "").splitlines())
    return "\n".join([line for line in text.new.splitlines() if line not in before])


def _without_refusals(text: NewText) -> NewText:
    """What a statement forbids is no act; a text that lost such a statement still says the rest."""
    new = without_strict_forms(without_refusals(text.new))
    return text if new == text.new else replace(text, new=new)


def _meanings(where: Located, text: NewText, program: str) -> Iterator[Operation]:
    """What the patterns for files of this kind find in lines that are new."""
    yield from _meanings_as(where.kind, where, text, program)
    # What lies in a folder of the system is run by others than the project.
    is_run = runs_unasked(where) or where.reach is Reach.SYSTEM
    if is_run and where.kind not in (FileKind.GIT_HOOK, *_RUN_ANYWAY):
        yield from _meanings_as(FileKind.GIT_HOOK, where, text, program)


def _meanings_as(
    kind: FileKind, where: Located, text: NewText, program: str
) -> Iterator[Operation]:
    found = _set_for(kind)
    if found is None:
        return
    patterns, meanings = found
    data = text.new.encode("utf-8", "replace")
    old = (text.old or "").encode("utf-8", "replace")
    hits = sorted(patterns.Match(data) or ())
    # The pattern that always matches is missing: RE2 ran out of memory, so nothing was ruled out.
    if data and hits[-1:] != [len(meanings)]:
        yield _opaque(where, "content that is too intricate to read", program)
    # A loader in it still counts.
    is_throwaway = reproduces_bug(where.kind, where.path)
    for index in hits[:-1]:
        meaning = meanings[index]
        line = _first_new_line(meaning, data, old)
        is_weaker = Trait.WEAKENS in meaning.traits
        if line and is_weaker and is_tightened(line, text.old or "", text.new):
            continue
        if line and not (is_throwaway and is_weaker):
            yield _operation(where, meaning.traits, meaning.says, line, program)


def _first_new_line(meaning: LineMeaning, data: bytes, old: bytes) -> str:
    """The first new line the pattern finds, "" if none. A match over several lines is new."""
    line = b""
    for count, match in enumerate(_pattern(meaning.pattern).finditer(data)):
        start = data.rfind(b"\n", 0, match.start()) + 1
        end = data.find(b"\n", match.end())
        line = data[start : end if end >= 0 else len(data)].strip()
        is_setting = Trait.WEAKENS in meaning.traits and b"\n" not in line
        if is_setting and line.startswith(_COMMENTS) and count < _MOST_LINES:
            continue
        if not line or line not in old or count >= _MOST_LINES:
            return line[:2000].decode("utf-8", "replace") or meaning.says
    return ""


def _operation(
    where: Located,
    traits: frozenset[Trait],
    says: str,
    line: str,
    program: str,
    *,
    reach: Reach | None = None,
) -> Operation:
    return Operation(
        verb=Verb.CONFIGURE,
        thing=ResourceType.CODE,
        target=where.path,
        path=where.path,
        reach=reach or where.reach,
        traits=traits,
        reversible=where.reach in (Reach.PROJECT, Reach.TEMP),
        program=program,
        source=line.strip()[:200],
        why=says,
    )


def _opaque(where: Located, why: str, program: str) -> Operation:
    return Operation(
        verb=Verb.WRITE,
        thing=ResourceType.CODE,
        target=where.path,
        path=where.path,
        reach=where.reach,
        traits=frozenset({Trait.RUNS_LATER}),
        understood=False,
        program=program,
        why=why,
    )


def _is_what_it_says(name: str, content: str) -> bool:
    for names, mark in MARKS_BY_NAME:
        if name in names:
            return not content.strip() or _pattern(mark).search(content[:20_000]) is not None
    return True


def is_production(where: Located) -> bool:
    """Return whether a file's name or folder says that it configures production."""
    if where.reach is not Reach.PROJECT or where.is_rebuildable:
        return False
    *folders, name = where.path.lower().split("/")[-where.depth or None :]
    is_settings = not _SETTINGS_FOLDERS.isdisjoint(folders[-2:])
    named = not _PRODUCTION.isdisjoint(name.replace("-", ".").replace("_", ".").split("."))
    if where.kind is FileKind.SOURCE:
        return is_settings and named
    if where.kind not in _CONFIGURATION or not name.endswith(_CONFIGURATION_ENDS):
        return False
    is_served = not _SERVED_FOLDERS.isdisjoint(folders[-3:]) or where.kind is FileKind.INFRA
    return named or (is_served and not _PRODUCTION.isdisjoint(folders[-2:]))
