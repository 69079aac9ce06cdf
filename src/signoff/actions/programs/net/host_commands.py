"""Commands of a mainframe that are handed over as one text: `zowe zos-tso issue command TEXT`.

RACF's `ADDUSER X SPECIAL` makes a user who may do everything, `SETROPTS NOAUDIT` ends the record.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BLIND_PROTECTION
from signoff.actions.programs.lexicon import is_production, read_words
from signoff.actions.vocabulary import lazy_re, words

ISSUING = words("issue exec execute shell tsocmd")
READS = lazy_re(
    r"(?i)^\W*(?:list\w*|lu|lg|ld|lv|listuser|listdsd|rlist|rl|search|status|st|display|d|help"
    r"|time|profile)(?:\W|$)"
    # `zowe db2 execute sql --query "SELECT ..."`, one statement that only looks.
    r"|^sql\b[^;]*--query\s+(?:SELECT|EXPLAIN|VALUES)\b(?![^;]*\b(?:INTO|FOR\s+UPDATE|DELETE|INSERT"
    r"|UPDATE|MERGE|CALL)\b)[^;]*;?\s*$"
)
# RACF, Top Secret and ACF2 end their records and checks by these words.
BLINDS = lazy_re(
    r"(?i)\bsetr(?:opts)?\b.*\bno(?:s?audit|cmdviol|logoptions|operaudit|protectall)\b"
    r"|\bsetr(?:opts)?\b.*\blogoptions\(never|\bno(?:u?audit)\b.*\ball\b"
    r"|\b(?:z|halt)\s+eod\b.*\bsmf\b|\bsetsmf\b.*\bno(?:type|rec)"
)
# Rights over everything; `NOSPECIAL` takes them away, and no word begins within it.
GRANTS = lazy_re(
    r"(?i)\b(?:adduser|au|altuser|alu|connect|co)\b.*\b(?:special|operations|auditor)\b"
    r"|\b(?:altuser|alu|adduser|au)\b.*\bomvs\([^)]*\buid\(0\)"
    r"|\buacc\((?:alter|update)\)|\bid\(\*\).*\baccess\((?:alter|update)\)"
)
SUBMITS = words("submit cancel modify issue start stop provision")


def zowe(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `zowe GROUP ACTION ... TEXT`: an issued command by its own words."""
    texts = [call.name, *call.texts]
    at = next((n for n, text in enumerate(texts[:3]) if text in ISSUING), -1)
    if at < 0:
        yield _listed(call, texts[1:])
        return
    line = " ".join(texts[at + 1 :])
    if BLINDS.search(line) is not None:
        yield from call.perform(BLIND_PROTECTION)
    elif GRANTS.search(line) is not None:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.ACCOUNT,
            line,
            traits=(Trait.BACKDOOR,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    else:
        looks = READS.match(line.removeprefix("command ")) is not None
        yield _far(call, Verb.READ if looks else Verb.EXECUTE, line)


def _listed(call: ProgramCall, texts: list[str]) -> Effect:
    """Say what is done to data sets and jobs: the second word is the verb."""
    action = texts[1] if len(texts) > 1 else ""
    if texts[:3] == ["jobs", "submit", "stdin"] and _is_scanned(call):
        return call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
    verb = read_words([action]).verb if action else Verb.READ
    return _far(call, Verb.WRITE if verb is None or action in SUBMITS else verb, " ".join(texts))


# The first lines of jobs, and what acts while a job is only read: commands to the system.
_JOB = lazy_re(r"(?m)^//\S*\s+JOB\b")
_COMMANDS = lazy_re(r"(?m)^(?://\S*\s+COMMAND\b|/\*[$])")
_SCAN = lazy_re(r"[ ,]TYPRUN=SCAN(?:[ ,\n]|$)")


def _is_scanned(call: ProgramCall) -> bool:
    """Tell jobs of which the system only checks the syntax: each has `TYPRUN=SCAN` (JCL)."""
    stdin = call.command.stdin
    if stdin is None or stdin.text is None or _COMMANDS.search(stdin.text) is not None:
        return False
    starts = [found.start() for found in _JOB.finditer(stdin.text)]
    return bool(starts) and all([_SCAN.search(_card(stdin.text[at:])) for at in starts])


def _card(text: str) -> str:
    """The statement a text begins with: a line that ends in a comma goes on in the next."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if not line.rstrip().endswith(",")), 0)
    return "\n".join(lines[: end + 1])


def _far(call: ProgramCall, verb: Verb, target: str) -> Effect:
    is_look = verb is Verb.READ
    named = any([is_production(word.text) for word in call.command.words[1:]])
    far = Reach.PRODUCTION if named else Reach.REMOTE
    return call.operation(
        verb,
        ResourceType.CLOUD,
        target,
        reach=Reach.NONE if is_look else far,
        reversible=is_look or verb is Verb.WRITE,
    )
