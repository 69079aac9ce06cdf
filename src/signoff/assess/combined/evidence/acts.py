"""Acts that the values of a call name, where its own name says nothing, or less.

send(commandType="ERASE_DEVICE", target={"group": "All tablets"})    erases each machine
invoke(operation="$expunge", level="system")                         erases everything
call(method="pool.export", params=[2, {"destroy": true}])            destroys a whole store
users_update_many(query="role:end-user", user={"suspended": true})   shuts everybody out
send(commandType="SYNC", target={"group": "All tablets"})            nothing of the kind
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import singular
from signoff.actions.operation import Operation
from signoff.actions.vocabulary import lazy_re2
from signoff.assess.combined.bulk.selection import REMARKS
from signoff.assess.combined.call import Call, Entry, cached_per_call, entries_of, name_words
from signoff.assess.combined.evidence.scope import is_for_all, is_for_several
from signoff.assess.combined.gravity import weights_of
from signoff.assess.combined.gravity_words import MADE_AGAIN, PEOPLE, Weight

_ACT_NAMES = vocabulary(
    "action operation op command cmd method verb procedure mutation instruction directive function"
)
_ERASES = vocabulary(
    "erase wipe expunge purge destroy format powerwash nuke sanitize zeroize shred obliterate"
    " decommission lowlevelformat"
)
_DELETES = vocabulary("delete remove clear drop clr dlt discard bulkdelete")
_RESETS = vocabulary("reset restore clear initialize initialise reinitialize default")
# What a machine cannot work without: its program, its settings, all that is on it.
_INSIDES = vocabulary("factory memory program programs configuration config flash firmware storage")
_MACHINES = vocabulary(
    "device machine plc mdm tablet ipad iphone phone laptop computer controller host switch router"
    " kiosk terminal robot panel firewall gateway disk drive endpoint node server workstation"
    " chromebook printer camera sensor meter inverter charger"
)
_STORES = vocabulary(
    "pool volume cluster database bucket tenant organization organisation stack environment"
    " dataset filesystem vault catalog keyspace namespace project zone"
)
_SHUT_OUT = vocabulary(
    "suspended banned blocked locked disabled deactivated terminated expelled revoked barred"
)
_IN_USE = vocabulary("active enabled")
_LONGEST = 80  # characters: a longer value is a text
# The first field of a mutation in GraphQL is what it does.
_MUTATION = lazy_re2(r"^\s*mutation\b[^{]{0,400}\{\s*(\w{1,80})")


@cached_per_call
def act_words(call: Call) -> frozenset[str]:
    """Return the words of a call's name and of the values that say what it does."""
    found = set(name_words(call))
    for one in entries_of(call):
        if isinstance(one.value, str) and not _ACT_NAMES.isdisjoint(one.name):
            found.update(split_words(_act(one.value)))
    return frozenset(found)


def _act(value: str) -> str:
    """Return the name of an act; "" for a text."""
    mutation = _MUTATION.search(value)
    if mutation is not None:
        return mutation[1]
    return value if len(value) <= _LONGEST and " " not in value.strip() else ""


@cached_per_call
def _flags(call: Call) -> frozenset[str]:
    """Return the words of the names that are true."""
    true = [one.name for one in entries_of(call) if one.value is True]
    return frozenset([word for name in true if len(name) <= 3 for word in name])


def _erases(call: Call) -> bool:
    words = act_words(call)
    if not _ERASES.isdisjoint(words | _flags(call)):
        return True
    return not _RESETS.isdisjoint(words) and not _INSIDES.isdisjoint(words)


@cached_per_call
def _said(call: Call) -> frozenset[str]:
    """Return the words of the tool and of short values, in the singular."""
    names = [*split_words(call.action.tool), *act_words(call)]
    for one in islice(entries_of(call), 60):
        names += [*one.above, *one.name]
        if isinstance(one.value, str) and len(one.value) <= _LONGEST:
            names += split_words(one.value) if REMARKS.isdisjoint(one.name) else ()
    return frozenset(map(singular, names))


def erases_machines(op: Operation, call: Call) -> bool:
    """True if each of several machines loses its data, settings or program."""
    is_wide = is_for_several(call) or is_for_all(call)
    return is_wide and _erases(call) and not _MACHINES.isdisjoint(_said(call))


def erases_all(op: Operation, call: Call) -> bool:
    """True if all that a service holds is erased, or deleted in bulk."""
    if not MADE_AGAIN.isdisjoint(act_words(call)) or not is_for_all(call):
        return False
    given = act_words(call) - name_words(call)
    if not _ERASES.isdisjoint(given | _flags(call)):
        return True
    is_bulk = not {"bulk", "batch", "mass", "many"}.isdisjoint(act_words(call))
    is_live = Weight.PRODUCTION in weights_of(call)
    return not _DELETES.isdisjoint(given) and (is_bulk or is_live)


def destroys_store(op: Operation, call: Call) -> bool:
    """True if a flag destroys a whole store that the call itself only names."""
    if _ERASES.isdisjoint(_flags(call)):
        return False
    return not _STORES.isdisjoint(map(singular, act_words(call)))


def shuts_out_all(op: Operation, call: Call) -> bool:
    """True if a flag takes access away from everybody that a condition selects."""
    is_about = not PEOPLE.isdisjoint(name_words(call))
    return is_about and is_for_all(call) and any([_takes_access(one) for one in entries_of(call)])


def _takes_access(one: Entry) -> bool:
    if one.value is True:
        return one.name[-1:] != () and one.name[-1] in _SHUT_OUT
    return one.value is False and one.name[-1:] != () and one.name[-1] in _IN_USE
