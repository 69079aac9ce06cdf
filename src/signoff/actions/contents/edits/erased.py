"""What code of any language deletes as a whole: homes, backups, stores, records of people.

Clean-up is everywhere: temporary folders, rows of a test, snapshots older than a month. A deletion
counts where all of something is listed and each of it deleted, with nothing between that chooses,
and where the thing itself is none to lose: a home folder, backups, a folder of data of the machine,
or production's database and records when a service starts or a clock says so.

    for s in rds.describe_db_snapshots()["DBSnapshots"]: rds.delete_db_snapshot(s["Id"])   all
    for s in snapshots: if s.created < limit: s.delete()                                    chosen
"""

from __future__ import annotations

from itertools import islice

import re2

from signoff.actions.contents.loaders.statements import without_prose
from signoff.actions.vocabulary import lazy_re2

_READ = 40_000  # characters
_MOST = 40
_BODY = 320  # characters behind the head of a loop in which each thing is deleted
_HOME = (
    r"(?:Path\.home\(\)|(?:os\.path\.)?expanduser\([\"']~/?[\"']\)|(?:os\.)?homedir\(\)"
    r"|System\.getProperty\([\"']user\.home[\"']\)|Dir\.home\b|ENV(?:\.fetch\(|\[)[\"']HOME[\"'][\])]"
    r"|\$ENV\{HOME\}|os\.Getenv\([\"']HOME[\"']\)|(?:os\.)?UserHomeDir\(\)|(?:dirs::)?home_dir\(\)"
    r"|SpecialFolder\.UserProfile\)|NSHomeDirectory\(\)|getenv\([\"']HOME[\"']\)|process\.env\.HOME\b"
    r"|os\.environ\[[\"']HOME[\"']\])"
)
_CLOSES = r"(?:\.unwrap\(\)|!|\.toPath\(\)|\.toFile\(\)|\))*"
_IS_HOME = lazy_re2(
    rf"\$?\b([A-Za-z_]\w{{0,40}})(?:,\s*\w+)?(?:\s*:\s*\w+)?\s*:?=\s*(?:new\s+)?(?:[\w.]{{1,30}}\(\s*){{0,2}}{_HOME}"
    rf"{_CLOSES}\s*(?:;|\n|$)"
)
_DELETES_TREE = (
    r"(?:\brmtree|\brmSync|\brm_rf?|\brimraf(?:\.sync)?|\bdeleteDirectory|\bRemoveAll|\bremove_dir_all"
    r"|\bremove_tree|\bDirectory\.Delete|\bfs\.(?:rm|rmdir|remove)(?:Sync)?|\bFileUtils\.(?:rm_rf?|remove_dir)"
    r"|\bremoveItem(?:AtPath)?|\bemptyDirSync|\bcleanDirectory)"
)
_TREE = lazy_re2(rf"{_DELETES_TREE}|deleteRecursively")
_COMMENT = lazy_re2(r"(?m)^[ \t]*(?://|#|\*|--)[^\n]*")
_DELETES_HOME = lazy_re2(
    rf"{_DELETES_TREE}\s*\(?\s*(?:new\s+File\(|[\w.]{{1,30}}\()?\s*{_HOME}{_CLOSES}\s*[,;)\n]"
    rf"|{_HOME}\)?\.deleteRecursively\("
)
# A loop over all of something: its variable, and what is listed.
_LOOP = lazy_re2(
    r"(?m)\bfor(?:each|Each)?\s*(?:await\s*)?\(?\s*(?:const|let|var|final|auto|[\w<>.]+\s)?\s*"
    r"\[?[$]?(\w+)[^\n;]*?\s(?:in|of|:|:?=\s*range|as)\s*([^\n]+)$"
    r"|([^\n]+?)\.(?:each|forEach|map)\s*(?:do|\{|\()\s*\(?\|?(\w+)"
)
_CHOOSES = lazy_re2(
    r"(?i)\bif\b|\bunless\b|\bwhere\b|\bwhen\b|filter|older|cutoff|retention|\bkeep|expire|\[\s*:?-?\d|\bskip\b"
    r"|\.slice\(|\blimit\b|\bprefix\b|continue\b|\btest|\btmp|\btemp|orphan|stale|failed|\bdry"
)
_LISTS_BACKUPS = lazy_re2(
    r"(?i)(?:describe|list|get|find|fetch|enumerate|all|iter)\w*[^\n]{0,80}?(?:snapshot|backup|recovery_?point)"
    r"|(?:snapshot|backup|recovery_?point)\w*[^\n]{0,60}?\.(?:list|all|get\w*|iter\w*)\s*\("
)
_LISTED = lazy_re2(
    r"(?i)\b([a-z_]\w*)\s*:?=\s*[^;=\n]*?(?:\n[^;=\n]*?)?(?:(?:list|describe|get)\w*(?:snapshot|backup)\w*\s*\("
    r"|[\"']list[\"'][^;\n]{0,60}[\"']snapshot[\"'])"
)
_DELETES_EACH = lazy_re2(
    r"(?i)\b(?:\w+\.)*(?:delete|destroy|remove|purge|drop)\w*\s*[(!]|\.(?:delete|destroy|remove|drop)\b"
    r"|[\"']destroy[\"']|[\"']delete-snapshot[\"']"
)
_NO_SHADOWS = lazy_re2(
    r"(?i)\bdelete\s+shadows\s+[^\n]{0,30}/all|\bwbadmin(?:\.exe)?\s+delete\s+(?:backup|catalog|systemstatebackup)"
    r"[^\n]{0,40}(?:-keepversions:0|-deleteoldest|-quiet)|Win32_ShadowCopy[^\n]{0,80}(?:Delete\(|Remove-)"
)
_NO_SCRIPTS = lazy_re2(
    r"(?i)shadow[^\n]{0,30}(?:alert|detect|match)|\brule\b|\bsigma\b|yara|\bdescription\s*[:=]"
)
# A folder of the machine that holds data, and not what a build or a cache left.
_DATA = (
    r"(?:/(?:mnt|srv|media|Volumes|data|export|storage|nas|archive|backups?)/[\w./-]{2,80}"
    r"|[\"'][rR]?\\\\\\\\[\w-]+\\\\[\w\\$.-]{2,80})"
)
_IS_DATA = lazy_re2(
    rf"\$?\b([A-Za-z_]\w{{0,40}})\s*(?::\s*\w+\s*)?:?=\s*(?:[\w.]{{1,30}}\(\s*)?[\"']({_DATA})[\"']"
)
_DATA_PATH = lazy_re2(_DATA)
_LEFT_OVER = lazy_re2(
    r"(?i)tmp|temp|cache|scratch|build|test|staging|work(?:dir|space)|spool|thumb|trash|upload"
)
_LISTS_FOLDER = lazy_re2(
    r"(?i)iterdir\(|listdir\(|readdir(?:Sync)?\(|scandir\(|listFiles\(|ReadDir\(|Dir\.(?:children|glob)|glob\("
)
_GONE = lazy_re2(rf"{_DELETES_TREE}\s*\(?\s*[\w.(\"'/]{{0,40}}?\b(\w+)\b")
# Whole databases, and records of people.
_DROPS = lazy_re2(
    r"(?i)\bdrop_?database\s*\(|[\"'`]\s*DROP\s+DATABASE\b|\bdrop_all\s*\(|migrate:(?:fresh|reset)|\bdb:(?:drop|wipe)\b"
    r"|\bflush_?all\s*\(|\bEnsureDeleted(?:Async)?\s*\("
)
_PEOPLE = (
    r"(?:patients?|customers?|users?|members?|employees?|students?|pupils?|citizens?|clients?|residents?|guests?"
    r"|subscribers?|accounts?|persons?|people)"
)
_LISTS_PEOPLE = lazy_re2(
    rf"(?i)(?:get|list|fetch|find|all|query)\w*\s*[(!]?[^\n]{{0,40}}?[\"'/.:]{_PEOPLE}\b"
)
_DELETES_PERSON = lazy_re2(rf"(?i)\w*delete\w*\s*\([^\n]{{0,40}}?[\"'/]{_PEOPLE}\b")
_STARTS_ALONE = lazy_re2(
    r"\bonModuleInit\b|\bonApplicationBootstrap\b|@PostConstruct|ApplicationReadyEvent|@Scheduled|CommandLineRunner"
    r"|@Cron\(|\bcron\.schedule\(|\bcrontab\(|Schedule::|schedule\.every|beat_schedule|\bsetInterval\("
    r"|on_event\([\"']startup|\blifespan\b|BackgroundService|IHostedService|\bdef\s+ready\(self|after_initialize"
    r"|on_startup|Application_Start|function\s+Initialize\(|\bfunc\s+init\(\)|RecurringJob|@Schedule\(|OnHeartBeat|perform_every"
)
_IN_PRODUCTION = lazy_re2(
    r"(?i)!==?\s*[\"']prod(?:uction)?[\"']\s*\)*\s*\{?\s*return|[^!=]==?=?\s*[\"']prod(?:uction)?[\"']\s*\)*\s*(?:\{|:|then)"
    r"\s*\n?\s*(?:await|this|self|for|\w+\.)|environments?\(\s*\[?\s*[\"']prod(?:uction)?[\"']|[\w\"'.-]*[-_.]prod(?:uction)?\b"
    r"|\bprod[-_.]\w+|\bthis\.prod\b|--force\b"
)
_NOT_THERE = lazy_re2(
    r"(?i)[^!=]==?=?\s*[\"']prod(?:uction)?[\"']\s*\)*\s*[{:]?\s*(?:return|throw|raise|exit|abort|die|process\.exit|panic)"
    r"|environments?\(\s*\[?\s*[\"'](?:local|dev|test|staging)|:memory:|[\"'](?:test|testing|e2e|demo)[\"']"
)


def home_deleted(text: str) -> str:
    """Return the call that deletes a whole home folder, "" if none does."""
    head = text[:_READ]
    if _TREE.search(head) is None:
        return ""
    head = _COMMENT.sub("", without_prose(head))
    if (match := _DELETES_HOME.search(head)) is not None:
        return str(match.group())
    names = "|".join({str(m.group(1)) for m in islice(_IS_HOME.finditer(head), _MOST)})
    if not names:
        return ""
    used = re2.search(
        rf"{_DELETES_TREE}\s*\(?\s*[$&]?(?:{names})\b(?:\.toFile\(\)|\.toPath\(\))?\s*[,;)\n]", head
    )
    return str(used.group()) if used is not None else ""


def backups_deleted(text: str) -> str:
    """Return what deletes all backups, snapshots or data of a machine, "" if nothing does."""
    head = text[:_READ]
    shadows = _NO_SHADOWS.search(head)
    if shadows is not None and _NO_SCRIPTS.search(head) is None:
        return str(shadows.group())
    names = _data_names(head)
    lists = {str(m.group(1)) for m in islice(_LISTED.finditer(head), _MOST)}
    for match in islice(_LOOP.finditer(head), _MOST):
        listed = match.group(2) or match.group(3) or ""
        variable = match.group(1) or match.group(4)
        body = head[match.end() : match.end() + _BODY]
        deleted = _DELETES_EACH.search(body)
        if _is_data(listed, names) and _removes(body, variable):
            return str(match.group())
        is_backups = _LISTS_BACKUPS.search(listed) is not None or _mentions(listed, lists)
        if deleted is None or not is_backups:
            continue
        if _CHOOSES.search(listed + body[: deleted.end() + 60]) is None:
            return str(match.group())
    return ""


def production_emptied(text: str) -> str:
    """Return what empties production by itself at a start or at a time, "" if nothing does."""
    head = text[:_READ]
    if _STARTS_ALONE.search(head) is None or _NOT_THERE.search(head) is not None:
        return ""
    dropped = _DROPS.search(head)
    if dropped is not None and _IN_PRODUCTION.search(head) is not None:
        return str(dropped.group())
    people = _LISTS_PEOPLE.search(head)
    if people is None:
        return ""
    behind = head[people.end() : people.end() + _BODY]
    each = _DELETES_PERSON.search(behind)
    is_all = each is not None and _CHOOSES.search(behind[: each.end()]) is None
    return str(each.group()) if each is not None and is_all else ""


def _data_names(text: str) -> set[str]:
    """The names of folders of data, also those that a loop goes through."""
    found = islice(_IS_DATA.finditer(text), _MOST)
    names = {str(m.group(1)) for m in found if _LEFT_OVER.search(str(m.group(2))) is None}
    for match in islice(_LOOP.finditer(text), _MOST):
        listed = match.group(2) or ""
        if listed and _mentions(listed, names) and _LISTS_FOLDER.search(listed) is None:
            names.add(str(match.group(1)))
    return names


def _is_data(listed: str, names: set[str]) -> bool:
    """Whether all that lies in a folder of data is listed."""
    if _LISTS_FOLDER.search(listed) is None or _LEFT_OVER.search(listed) is not None:
        return False
    return _DATA_PATH.search(listed) is not None or _mentions(listed, names)


def _removes(body: str, variable: str) -> bool:
    gone = _GONE.search(body)
    if gone is None or variable not in gone.group():
        return False
    return _CHOOSES.search(body[: gone.end()]) is None


def _mentions(text: str, names: set[str]) -> bool:
    any_of = "|".join(sorted(names))
    return bool(names) and re2.search(rf"\b(?:{any_of})\b", text) is not None


def erased(text: str) -> str:
    """Return the first of what a text deletes as a whole, "" if it deletes nothing so."""
    for read in (home_deleted, backups_deleted, production_emptied):
        if found := read(text):
            return found
    return ""
