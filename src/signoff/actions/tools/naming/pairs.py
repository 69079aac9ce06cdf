"""Pairs of words that say more than each alone.

`merge_dicts` publishes nothing, `log_message` sends nothing; `bypass_approval`, `make_public`,
`update_dns` and `format_volume` do more than their verbs say.

    sharpened(op, {"disable", "backup"}) -> configure protection, traits={WEAKENS}
"""

from __future__ import annotations

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.objects import singular
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.values import replace

_AROUND = vocabulary("bypass override skip circumvent ignore disable suppress lift")
_CHECKS = vocabulary(
    "approval approvals check checks limit limits review reviews validation policy auth quota"
    " verification signoff guard gate permission safety interlock"
)
_OFF = vocabulary("disable stop pause suspend mute silence cancel turn switch")
_WATCHES = vocabulary(
    "backup alert alarm monitoring monitor watchdog audit fraud screening interlock"
)
_WIRES = vocabulary("dns firewall nameserver")
_DISKS = vocabulary("volume disk drive partition disks drives partitions volumes")
_MACHINES = vocabulary("instance instances vm vms machine machines droplet server servers")
_EMPTIES = vocabulary("format blank zero wipe erase overwrite")
_SMALL = vocabulary("the all a usb hard whole data storage boot root and")
_MERGED = vocabulary("pull pr request branch release mr main master upstream")
# Two of these become one, and no tool takes them apart again.
_RECORDS = vocabulary(
    "ticket contact account customer user lead deal company person people profile patient record"
    " candidate employee vendor supplier member student conversation case incident card household"
    " identity organization organisation subscriber guest donor"
)
_OPENED = vocabulary("make set turn mark open")
# What binds or reaches other people, though its verb alone says little.
_BINDS = vocabulary("sign accept decline execute renew terminate cancel reject ratify waive")
_PAPERS = vocabulary(
    "contract agreement lease deed nda offer treaty settlement mortgage tender affidavit subpoena"
    " warrant consent waiver bid"
)
_DISMISSES = vocabulary("fire dismiss terminate sack layoff expel evict")
_STAFF = vocabulary(
    "worker employee staff tenant pupil student resident driver teacher nurse officer"
)
_MEDICAL_ORDERS = vocabulary("prescription dosage dose medication")
_STARTS = vocabulary("launch start run activate begin resume trigger execute")
_SHOWS = vocabulary("campaign promotion auction sale giveaway sweepstake flashsale")
_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
_LOOKING = frozenset({Verb.READ, Verb.INERT})
_TAKES_OUT = vocabulary("remove drop truncate strip trim erase terminate clean cut")
_OF_A_VALUE = vocabulary(
    "text texts string strings word words sentence sentences na nan nans null nulls none "
    "duplicate duplicates whitespace whitespaces space spaces blank blanks newline newlines "
    "prefix prefixes suffix suffixes punctuation stopword stopwords accent accents "
    "diacritics outlier outliers comma commas quotes ansi html markdown emoji emojis digits "
    "vowels bom leading trailing from characters chars special non ascii extra background "
    "noise silence foreground watermark terminator vignette headline title caption summary "
    "paragraph description preview"
)


def is_pure(words: tuple[str, ...]) -> bool:
    """Return whether a name only computes: `remove_duplicates` does, `remove_user` does not."""
    return len(words) > 1 and words[0] in _TAKES_OUT and _OF_A_VALUE.issuperset(words[1:])


_RELEASED = frozenset({"create", "release"})


def sharpened(op: Operation, words: frozenset[str]) -> Operation:
    """Adjust an Operation derived from a name, by pairs of words in it."""
    if _empties_a_disk(words):
        return replace(op, verb=Verb.DELETE, thing=ResourceType.DEVICE, reversible=False)
    if op.verb in _LOOKING:
        return op
    if "terminate" in words and words & _MACHINES:
        return replace(op, verb=Verb.DELETE, reversible=False)
    if op.verb is Verb.PUBLISH and "merge" in words and not words & _MERGED:
        return _merged(op, words)
    if op.verb is Verb.NETWORK_OUT and "log" in words and op.thing is ResourceType.PROTECTION:
        return replace(op, verb=Verb.INERT, thing=ResourceType.NOTHING, reach=Reach.NONE)
    return _released(op, words) or _bound(op, words) or _weakened(op, words)


def _released(op: Operation, words: frozenset[str]) -> Operation | None:
    """Read a release that is made: others see it, as one that `gh release create` publishes."""
    if op.verb is not Verb.WRITE or op.thing is not ResourceType.REPOSITORY:
        return None
    if not words.issuperset(_RELEASED):
        return None
    return replace(op, verb=Verb.PUBLISH, thing=ResourceType.PACKAGE, reversible=False)


def _merged(op: Operation, words: frozenset[str]) -> Operation:
    """Tell records of a service, which stay one, from data that the program holds."""
    is_of_service = op.program.startswith("mcp__") and op.reach in _FAR
    if is_of_service and not _RECORDS.isdisjoint(map(singular, words)):
        return replace(op, verb=Verb.WRITE, reversible=False)
    return replace(op, verb=Verb.WRITE, reach=Reach.NONE, reversible=True)


def _bound(op: Operation, words: frozenset[str]) -> Operation | None:
    """Read what binds somebody or reaches many: `sign_contract`, `launch_campaign`."""
    is_binding = words & _BINDS and words & _PAPERS
    is_order = op.verb is Verb.WRITE and words & _MEDICAL_ORDERS
    is_end = words & _DISMISSES and {singular(word) for word in words} & _STAFF
    if is_binding or is_order or is_end or (words & _STARTS and words & _SHOWS):
        return replace(op, verb=Verb.NETWORK_OUT, reach=Reach.REMOTE, reversible=False)
    return None


def _empties_a_disk(words: frozenset[str]) -> bool:
    """Tell `format_disk` from `format_disk_size`: nothing else may stand in the name."""
    return bool(words & _DISKS and words & _EMPTIES) and words <= _DISKS | _EMPTIES | _SMALL


def _weakened(op: Operation, words: frozenset[str]) -> Operation:
    around = words & _AROUND and words & _CHECKS
    unwatched = words & _OFF and {singular(word) for word in words} & _WATCHES
    if around or unwatched:
        traits = op.traits | {Trait.WEAKENS}
        return replace(op, verb=Verb.CONFIGURE, thing=ResourceType.PROTECTION, traits=traits)
    if "public" in words and words & _OPENED:
        traits = op.traits | {Trait.OPENS_ACCESS}
        return replace(op, verb=Verb.CONFIGURE, reach=Reach.REMOTE, traits=traits)
    if words & _WIRES:
        thing = ResourceType.PROTECTION if "firewall" in words else ResourceType.NETWORK
        return replace(op, verb=Verb.CONFIGURE, thing=thing, reach=Reach.REMOTE)
    return op
