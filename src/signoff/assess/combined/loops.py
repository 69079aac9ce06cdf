"""Evidence that something is done to each entry of a list, for the rows in `loop_rows`."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import islice

from signoff.actions.operation import Operation, Reach, ResourceType, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import lazy_re, lazy_words_re, words
from signoff.assess.combined.call import TEXT_LIMIT, Call, cached_per_call, matches
from signoff.assess.combined.signs import PUBLIC

# What a loop names one by one, from a listing or a file: `for r in $(`, `while read -r a b`.
LOOPED = lazy_re(r"\bfor\s+(\w+)\s+in\s[^;\n]*?(?:\$\(|`)|\bread\s+(?:-\w+\s+)*(\w+(?:[ \t]+\w+)*)")
# To `\b` an underscore is a letter: `$MAINNET_RPC`.
REAL_MONEY = lazy_re(r"(?i:(?<![a-z])mainnet)|\bALL\b|--sweep\b")
ENCODED = lazy_re(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}={0,2}")
MOST_ENCODED = 8
REPEATERS = frozenset({"xargs", "parallel"})


def goes_through_a_list(op: Operation, call: Call) -> bool:
    """A loop, or a program that repeats it, does it to each entry of a listing or a file."""
    if not REPEATERS.isdisjoint(op.carriers):
        return True
    names = _looped_names(call)
    return any([re.search(rf"\$\{{?{name}\b", op.source) is not None for name in names])


@cached_per_call
def _looped_names(call: Call) -> frozenset[str]:
    line = call.action.text("command")[:TEXT_LIMIT]
    said = [line, *[one.source for one in call.operations], *_decoded(line)]
    loops = LOOPED.finditer("\n".join(said)[: 2 * TEXT_LIMIT])
    return frozenset([name for loop in loops for name in (loop[1] or loop[2]).split()])


def pays_each(op: Operation, call: Call) -> bool:
    """The same with real money: production, a main chain, or all that an account holds."""
    is_real = op.reach is Reach.PRODUCTION or matches(REAL_MONEY, op.source, call)
    is_real = is_real or op.verb is Verb.NETWORK_OUT
    return is_real and goes_through_a_list(op, call)


def _decoded(line: str) -> Iterator[str]:
    """The texts in base64 that stand in a line: of a decoded loop no Operation shows the head."""
    for found in islice(ENCODED.finditer(line), MOST_ENCODED):
        try:
            yield base64.b64decode(found[0], validate=True).decode()
        except ValueError:
            continue


def goes_through_production(op: Operation, call: Call) -> bool:
    """The same, where the call names production: in a listing's filter, an alias, a path."""
    if not goes_through_a_list(op, call):
        return False
    return op.reach is Reach.PRODUCTION or _names_production(call)


@cached_per_call
def _names_production(call: Call) -> bool:
    said = [call.action.text("command"), *[one.source for one in call.operations]]
    return is_production("\n".join(said)[:TEXT_LIMIT])


# What leaves a machine or device empty: settings and data gone, to be set up by hand.
ERASES = lazy_words_re(
    r"(?i)\bwrite\s+erase\b|\berase\s+(?:startup-config|nvram|flash|all)"
    r"|\bfactory[-_ ]?(?:reset|default)"
    r"|\bzeroize\b|\bwipe[-_]?(?:data|device)\b|\berase[-_]?device\b"
    r"|\bremote[-_]?wipe\b|/(?:wipe|erase)\b|--wipe\b|\berase[-_]flash\b|\bMASTER_CLEAR\b|\bflash:?\s+format\b"
    r"|\bformat\s+(?:flash|disk|nvram)|\bsystem\s+reset-config"
    r"|\bdelete\s+/(?:force|recursive)\S*\s+\S*flash"
    r"|\breset\s+saved-configuration|\bclear\s+(?:config|configuration)\s+all|\bload\s+factory-default"
    r"|\bsecure[-_ ]?erase\b|\breset-configuration\b|\bmass_erase\b"
)
BRACED = lazy_re(r"\bfor\s+\w+\s+in\s[^;\n]*\{[^}\n]*(?:\.\.|,)[^}\n]*\}")


def erases_each(op: Operation, call: Call) -> bool:
    """Each machine of a list is erased."""
    text = call.action.text("command")[:TEXT_LIMIT]
    if not matches(ERASES, text, call):
        return False
    return (
        matches(BRACED, text, call)
        or matches(LOOPED, text, call)
        or (not REPEATERS.isdisjoint(op.carriers))
    )


def opens_a_list(op: Operation, call: Call) -> bool:
    """The same, and the world can see each entry."""
    return goes_through_a_list(op, call) and matches(PUBLIC, op.source, call)


# What a server holds for others: zones, logins, mailboxes, databases.
_HELD = frozenset(
    {ResourceType.NETWORK, ResourceType.ACCOUNT, ResourceType.MESSAGE, ResourceType.DATABASE}
)
# What leaves some of a listing out; `tail -n +2` only drops its head.
_PICKS = lazy_re(
    r"\b(?:[ef]?grep|rg|head|fzf|comm)\b|\bselect\(|--(?:filter|query|selector)\b|(?i:\bwhere\b)"
    r"|\btail\b(?!\s+(?:-n\s*)?\+)|\bawk\b[^|]*(?:/|==|~|\$\d\s*[<>])|\[\[?\s|\bcase\b"
)
# Masters that write to the controllers of plants: Modbus, BACnet, OPC UA, KNX.
_MASTERS = words("mbpoll modpoll modbus mbtget bacwp bacrd uawrite knxtool")


def is_held_for_others(op: Operation, call: Call) -> bool:
    return op.thing in _HELD


def empties_a_listing(op: Operation, call: Call) -> bool:
    """All that a program lists is deleted by the same program, and nothing is left out."""
    text = call.action.text("command")[:TEXT_LIMIT]
    if not goes_through_a_list(op, call) or matches(_PICKS, text, call):
        return False
    program = re.escape(op.program.split(" ", 1)[0])
    listing = (
        rf"(?:^|[\s(`|;&]){program}\s[^|;&)\n]{{0,200}}?(?:list|\bls\b|show|\bget|['\"]\*['\"])"
    )
    return re.search(listing, text) is not None


def is_plant(op: Operation, call: Call) -> bool:
    """A controller of a plant or a building that is on another machine."""
    is_far = op.reach is Reach.REMOTE or op.reach is Reach.PRODUCTION
    return is_far and op.program.split(" ", 1)[0] in _MASTERS
