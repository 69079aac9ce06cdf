"""Consoles of servers that take a script of commands: IBM MQ (`runmqsc`), Oracle RMAN.

DISPLAY QLOCAL(*) CURDEPTH          reads
CLEAR QLOCAL(ORDERS.IN)             takes every message away
LIST BACKUP; REPORT OBSOLETE;       reads
DELETE NOPROMPT BACKUP;             takes backups away

IBM MQ, "MQSC commands reference"; Oracle, "Backup and Recovery Reference".
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.code.queries import acts
from signoff.actions.code.queries.parts import blanked, split_at
from signoff.actions.code.recorder import Recorder
from signoff.actions.code.value import UNKNOWN_PART, Value
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re, words

_MQ_READS = words("display dis ping end")
_MQ_TAKES = words("clear delete purge archive")
_MQ_STEERS = words("start sta stop suspend resume recover refresh reset resolve backup set move")
_MQ_CHANGES = words("alter alt define def inhibit rvrecover rverify")
# Queues of a developer's own, as IBM's image for development makes them: `DEV.QUEUE.1`.
_MQ_OWN = lazy_re(r"(?i)\(\s*'?(?:dev|test|tmp)[._]")
# Objects that say who may connect: the rules of channels and of authority.
_MQ_RIGHTS = lazy_re(r"(?i)\b(?:chlauth|authrec|authinfo|policy|security)\b")


def read_mqsc(text: str, recorder: Recorder) -> None:
    """Record what a script of MQSC commands does."""
    for line in _mq_lines(text):
        said = line.split()
        first, target = said[0].lower(), " ".join(said[1:4])[:200]
        if first in _MQ_READS:
            acts.reads(recorder, "mqsc", target)
        elif first == "clear" and _MQ_OWN.search(line) is not None:
            recorder.operate(Verb.WRITE, "mqsc clear", thing=ResourceType.MESSAGE, target=target)
        elif first in _MQ_TAKES:
            trait = Trait.UNBOUNDED if first in ("clear", "purge") else Trait.SCHEMA_LOSS
            acts.takes_away(recorder, f"mqsc {first}", target, trait)
        elif _MQ_RIGHTS.search(line) is not None and first in _MQ_STEERS | _MQ_CHANGES:
            recorder.operate(
                Verb.PRIVILEGE, f"mqsc {first}", thing=ResourceType.ACCOUNT, target=target,
                reach=Reach.REMOTE, reversible=False,
            )  # fmt: skip
        elif first in _MQ_STEERS:
            recorder.operate(
                Verb.CONTROL, f"mqsc {first}", thing=ResourceType.SERVICE, target=target,
                reach=Reach.REMOTE,
            )  # fmt: skip
        elif first in _MQ_CHANGES:
            acts.changes(recorder, f"mqsc {first}", target)
        else:
            recorder.opaque(f"the command `{first[:40]}` is unknown", "mqsc")


def _mq_lines(text: str) -> Iterator[str]:
    """Yield the commands: a line that ends in `+` or `-` goes on; a `*` in front is a comment."""
    held = ""
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("*") or not stripped:
            continue
        if stripped[-1] in "+-":
            held += stripped[:-1] + " "
            continue
        yield held + stripped
        held = ""
    if held.strip():
        yield held


_RMAN_READS = words(
    "list report show validate crosscheck print connect exit quit set spool spfile echo debug"
    " allocate release desc describe catalog resync import"
)
_RMAN_OVERWRITES = words("restore recover duplicate flashback switch reset upgrade convert")
_RMAN_HOST = lazy_re(r"(?is)host\s+['\"](.*)['\"]\s*\Z")
_RMAN_KEEPS = lazy_re(
    r"(?i)\b(?:obsolete|expired)\b|\bbacked\s+up\s+\d+\s+times\b|\b(?:completed|until)\b.*\bsysdate\b"
)


def read_rman(text: str, recorder: Recorder) -> None:
    """Record what a script of Oracle's Recovery Manager does."""
    plain = blanked(text, comments=("#", "--"))
    said = blanked(text, comments=("#", "--"), keeps_quotes=True)
    if plain is None or said is None:
        recorder.opaque("the text cannot be read", "rman")
        return
    # The braces of `RUN { ... }` only hold commands together.
    flat = plain.replace("{", ";").replace("}", ";")
    start = 0
    for part in split_at(flat, flat, ";"):
        raw = said[start : start + len(part)].strip()
        start += len(part) + 1
        if raw and raw.lower() != "run":
            _rman(raw, recorder)


def _rman(raw: str, recorder: Recorder) -> None:
    said = raw.lower().split()
    first, target = said[0], raw[:200]
    host = _RMAN_HOST.match(raw)
    if first == "host":
        recorder.run("host", Value(constant=host[1] if host else UNKNOWN_PART))
    elif first in _RMAN_READS or _rman_tries(said):
        acts.reads(recorder, "rman", target)
    elif first == "drop":
        acts.takes_away(recorder, "rman drop", target, Trait.WHOLE_STORE)
    elif first == "delete" or (first == "change" and {"delete", "uncatalog"} & set(said)):
        _rman_deletes(raw, recorder)
    else:
        _rman_acts(raw, said, recorder)


def _rman_tries(said: list[str]) -> bool:
    """Tell `restore ... preview` and `... validate`, which only say what would be read."""
    behind = {word.strip(",") for word in said[1:] if word.isalpha()}
    return said[0] in ("restore", "backup") and not {"preview", "validate"}.isdisjoint(behind)


def _rman_acts(raw: str, said: list[str], recorder: Recorder) -> None:
    """Record what makes, overwrites or steers."""
    first, target = said[0], raw[:200]
    if first == "backup" and {"input", "delete"} <= set(said):
        _rman_deletes("obsolete", recorder)
    elif first == "backup":
        recorder.operate(Verb.WRITE, "rman backup", thing=ResourceType.BACKUP, target=target)
    elif first in ("shutdown", "startup"):
        recorder.operate(
            Verb.CONTROL, f"rman {first}", thing=ResourceType.SERVICE, target=target,
            reach=Reach.REMOTE,
        )  # fmt: skip
    elif first in _RMAN_OVERWRITES or first in ("configure", "alter", "change", "create"):
        acts.changes(recorder, f"rman {first}", target)
    elif first == "sql":
        recorder.sql.append(raw[3:].strip(" '\""))
    else:
        recorder.opaque(f"the command `{first[:40]}` is unknown", "rman")


def _rman_deletes(raw: str, recorder: Recorder) -> None:
    """Record the removal of backups: of what the rules of retention no longer need, or of more."""
    if _RMAN_KEEPS.search(raw) is not None:
        acts.changes(recorder, "rman delete", raw[:200])
        return
    recorder.operate(
        Verb.DELETE, "rman delete", thing=ResourceType.BACKUP, target=raw[:200],
        reach=Reach.REMOTE, reversible=False,
    )  # fmt: skip
