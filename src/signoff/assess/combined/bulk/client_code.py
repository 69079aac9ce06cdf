"""Code for a runtime, in any language, that does something grave to each entry of what it lists.

The library need not be known. Every language writes a loop or hands a function to a listing, every
client library calls its acts by their names, and where it goes is told by an address, a key from
outside or the word production. A list that is written out and a place for tests are spared.

    for o in shop.orders.all(): o.refund()                    pays each of them back
    for b in store.buckets(): b.set_policy(ANYBODY)           opens each of them
    for a in api.artifacts(): a.ttl = timedelta(minutes=1)    deletes each of them, soon
    pool.map(lambda h: link(h).send("write erase"), hosts)    erases each device
    for o in shop.orders.all(): print(o.id)                   nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.operation import Operation
from signoff.actions.programs.lexicon import is_production
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.bulk.acts_on_others import is_done_to_others, needs_no_loop
from signoff.assess.combined.bulk.consoles import piped_code
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TEXT_LIMIT,
    TRIAL_IN_LINE,
    Call,
    cached_per_call,
    name_words,
)

_RUNS = vocabulary(
    "run exec execute eval evaluate code python js javascript node ruby php script jshell"
    " typescript kotlin scala groovy lua julia repl"
)
_LEAST = 60  # characters of code that can have a loop
_MOST = 20
_REACH = 700  # characters of the body of a loop
_REMARK = lazy_re2(r"(?m)(?:^|[ \t])(?:#|//|--[ ])[^\n]*$|(?s:/\*.*?\*/)")
# A loop over what was listed, or over many numbers; a list that is written out is none.
_LOOP = lazy_re2(
    r"\bfor\s+(?:await\s*)?\(?\s*(?:const|let|var|my)?\s*[\w$, \[\]({})]{1,60}?\s*\b(?:in|of)\s+"
    r"(?:[A-Za-z_$([][\w$.]*[\w$.(\[{\"':/]|range\(\s*(?:\d+\s*,\s*)?\d{2})"
    r"|\bwhile\s*\(?\s*(?:True|true|1)\b|\bwhile\s+(?:len|not)\b|\bwhile\s*\(\s*(?:await\b"
    r"|\w+\.length\b)|\bdo\s+for\b"
    r"|\bfor\s+\w+\s*=\s*\d+\s*,|\.(?:each|find_?each|forEach|map|flatMap|each_\w+)\s*[({]"
    r"|\.run\(\s*task\s*=|\b(?:imap\w*|starmap|map)\s*\(\s*\w+\s*,|\bdo\s*\{|\bforeach\s*\("
)
_WRITTEN_OUT = lazy_re2(r"\b(?:in|of)\s*[\[(]\s*[\"'\d]")
_FUNCTION_BEFORE = lazy_re2(r"\.run\(\s*task|\bi?map\w*\s*\(\s*\w+\s*,|\bstarmap")
# Client libraries call their acts so; what lists or reads them is left out.
_PAYS = lazy_re2(
    r"(?i)(?:refund|payout|gift_?card|voucher|credit_?note)s?(?:\(\))?[._]?(?:create|issue|send"
    r"|submit|make)\w*"
    r"\s*[({]|\.(?:refund|payout|disburse)\w*\s*\(|/refunds?(?:[\"'`?]|$)"
)
_EVERYBODY = lazy_re2(
    r"(?i)principal\w*[\"']?\s*[:=]\s*[{\[\s]*(?:[\"']AWS[\"']\s*:\s*)?\[?\s*[\"'](?:\*|public"
    r"|allusers"
    r"|anyone|everyone)[\"']|\b(?:is_?)?private[\"']?\s*[:=]\s*(?:False\b|false\b|0\b)"
    r"|\b(?:is_?)?public[\"']?\s*[:=]\s*(?:True\b|true\b|1\b)"
    r"|(?:\btype|visibility|access\w*|acl)[\"']?\s*[:=]\s*[\"'](?:anyone|public(?:[-_]read\w*)?"
    r"|world|everyone)"
    r"[\"']|\ballusers\b|[\"']public[-_]read"
)
_CHANGES = lazy_re2(
    r"(?i)[._](?:set|put|patch|update|edit|modify|share|add|grant|make|change|save)\w*\s*\("
    r"|permissions?(?:\(\))?\.create\s*\("
)
_SOON = lazy_re2(
    r"(?i)\b(?:ttl|expir\w*|retention\w*|time_?to_?live|keep\w*)\s*=\s*\w*\.?timedelta\(\s*"
    r"(?:minutes|seconds|hours)\s*=|\.p?expire(?:_?at)?\s*\(\s*[\w.\[\]\"']+\s*,\s*\d{1,2}\s*\)"
)
_SHUTS_OUT = lazy_re2(r"(?i)\.(?:ban|kick|suspend|deactivate|expel)(?:_?user|_?member)?\s*\(")
_DELETES = lazy_re2(
    r"(?i)\bmutation\b[^`\"']{0,160}\b\w{3,40}Delete\s*\("
    r"|\bmutation\b[^`\"']{0,160}\bdelete[A-Z_]\w*\s*\("
    r"|\)\.(?:delete|destroy|purge)\s*\(|(?:\bawait\s+|\b)(?:\w+\.){1,4}(?:delete|destroy|purge"
    r"|erase|terminate)(?:_?\w{0,20})?\s*\(\s*\w*"
)
_PEOPLE = lazy_re2(
    r"(?i)member|user|account|customer|student|patient|subscriber|lid\b|guild|contact|people"
)
# Lines of network devices, and commands of vehicles, that take what a device holds or holds it up.
_ERASES = lazy_re2(
    r"(?i)[\"'`](?:do\s+)?(?:write\s+erase|erase\s+(?:startup|nvram|flash)"
    r"|(?:request\s+system\s+)?zeroi[sz]e"
    r"|request\s+system\s+zeroi[sz]e[^\"'`]*|(?:execute\s+)?factory-?reset\w*"
    r"|reset\s+saved-config\w*"
    r"|delete\s+startup-config|format\s+flash\w*|system\s+reset-configuration)\b"
    r"|FLIGHT_?TERMINATION\b|ARM_DISARM\b[^)\n]{0,60}\b21196\b|\b(?:factory_?reset|wipe_?device"
    r"|erase_?device|zeroize)\s*\("
)
# What leaves some of it out; one's own account that is skipped leaves nobody out.
_NARROWS = lazy_re2(
    r"(?i)\b(?:if|unless|when|filter|reject|grep|limit|first|startswith|endswith|includes|match)\b"
    r"|\.get\(\s*[\"']|\bold|expired|stale|archived|orphan|\btmp|temp\b|draft"
)
_OWN_SKIPPED = lazy_re2(
    r"(?i)\bif\b[^\n;{]{0,60}(?:owner|\bme\b|self|own\w*id|bot)[^\n;]{0,30}(?:continue|return"
    r"|next)\b;?"
)
_ADDRESS = lazy_re2(
    r"(?i)[\"'`](?:https?|opc\.tcp|wss?|rediss?|tcps?|udp|ssl|amqps?|mongodb(?:\+srv)?"
    r"|postgres\w*):(?://)?"
    r"(?:[^@\s\"'`/]*@)?([\w.-]+)"
)
_KEY = lazy_re2(
    r"(?i)(?:environ|getenv|process\.env|\bENV\b)[^\n]{0,12}?\w*(?:token|key|secret|passw|_pw\b"
    r"|sid|credential)"
    r"|service_account|credentials?[\w.]*\(|\bfleet\b|mainnet|_SEED\b|_PAT\b|inventar"
    r"|credentials?\s*=\s*\w+\(|Client\(\)|Client\(\{|profile\s*=|from_profile|\.token\b"
    r"|inventory|config_file"
    r"|\.login\("
)
# Some client of some service, wherever it is: enough for what hits people.
_CLIENT = lazy_re2(r"\b\w*(?:Api|API|[cC]lients?)(?:\.\w+)?\s*\(")
_NEAR = ("localhost", "127.", "0.0.0.0", "::1", "host.docker.internal")  # noqa: S104 - compared
_LAB = lazy_re2(r"(?i)gns3|eve-?ng|container_?lab|\bclab|\blab\b|simulat|\bsitl\b|emulator|moto\b")


@cached_per_call
def _acts(call: Call) -> bool:
    return any(map(acts_on_each, _codes(call)))


def is_code(call: Call) -> bool:
    """Return whether a call hands code to a runtime."""
    return next(_codes(call), None) is not None


def hits_each(op: Operation, call: Call) -> bool:
    """True if code pays, opens, shuts out or erases each entry of a listing of a service."""
    return bool(op.program or op.target) and _acts(call)


def _codes(call: Call) -> Iterator[str]:
    """Yield the code that a call hands to a runtime."""
    if "command" in call.action.arguments:
        yield from piped_code(call)
    elif not _RUNS.isdisjoint((*name_words(call), *split_words(call.action.tool))):
        for text in islice(strings_of(call.action.arguments), MOST_TEXTS):
            if len(text) >= _LEAST and ("\n" in text or ";" in text):
                yield text


def acts_on_each(code: str) -> bool:
    """Return whether code does something grave to each entry of what a service lists."""
    code = _REMARK.sub(" ", code[:TEXT_LIMIT])
    if _LAB.search(code) is not None or TRIAL_IN_LINE.search(code) is not None:
        return False
    is_far = _is_far(code)
    if is_far is not False and needs_no_loop(code):
        return True
    if not is_far and (is_far is False or _CLIENT.search(code) is None):
        return False
    return any([_is_grave(one, is_far=bool(is_far)) for one in _bodies(code)])


def _is_far(code: str) -> bool | None:
    """Whether production, another host or a key from outside is named; None if no place is."""
    if is_production(code):
        return True
    hosts = [match.group(1).lower() for match in islice(_ADDRESS.finditer(code), _MOST)]
    if hosts:
        return any([not host.startswith(_NEAR) for host in hosts])
    if any([f"{quote}{host}" in code for host in _NEAR for quote in "\"'"]):
        return False
    return True if _KEY.search(code) is not None else None


def _bodies(code: str) -> Iterator[tuple[str, str]]:
    """Yield each loop with what it does: the text behind it, or the function that it calls."""
    for match in islice(_LOOP.finditer(code), _MOST):
        line = code[match.start() : match.start() + 120].partition("\n")[0]
        if _WRITTEN_OUT.search(line) is not None and not is_production(line):
            continue
        if _FUNCTION_BEFORE.search(line) is not None:
            yield line, code
        else:
            yield line, code[match.start() : match.end() + _REACH]


def _is_grave(loop: tuple[str, str], *, is_far: bool) -> bool:
    head, body = loop
    if any([find.search(body) is not None for find in (_PAYS, _SOON, _ERASES)]):
        return True
    if _EVERYBODY.search(body) is not None and _CHANGES.search(body) is not None:
        return True
    if is_far and is_done_to_others(head, body):
        return True
    rest = _OWN_SKIPPED.sub(" ", body)
    for find in (_DELETES, _SHUTS_OUT) if is_far else (_SHUTS_OUT,):
        match = find.search(rest)
        if match is None or (find is _SHUTS_OUT and _PEOPLE.search(body) is None):
            continue
        said = rest[: match.end()] + rest[match.end() :].partition("\n")[0]
        if _NARROWS.search(f"{head}\n{said}") is None:
            return True
    return False
