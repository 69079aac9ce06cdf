"""All that a text means once it is applied, as Operations' traits, things and words.

applied_meanings(where, NewText(new="SecRuleEngine Off")) -> (WEAKENS, PROTECTION, why, line)
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.applied.emptied_stores import emptied_store, is_migration
from signoff.actions.contents.applied.guards_off import guards_off
from signoff.actions.contents.applied.handed_out import handed_out, prepended
from signoff.actions.contents.applied.losses import (
    emptied_at_boot,
    is_of_whole_cluster,
    kept_for_nothing,
    prunes_to_nothing,
)
from signoff.actions.contents.applied.opened_rows import opened_rows
from signoff.actions.contents.applied.paid_out import paid_out
from signoff.actions.contents.applied.records.audit_objects import audit_off
from signoff.actions.contents.applied.records.muted_alarms import muted_alarms
from signoff.actions.contents.applied.records.unwritten_records import unwritten_record
from signoff.actions.contents.applied.rights.blinded_guards import (
    blinded_guard,
    exempted_all,
    exempted_more,
)
from signoff.actions.contents.applied.rights.cloud_doors import opened_cloud
from signoff.actions.contents.applied.rights.given_rights import GivenRights, given_rights
from signoff.actions.contents.applied.rights.new_superusers import new_superuser
from signoff.actions.contents.applied.rights.open_doors import open_door
from signoff.actions.contents.applied.rights.open_filters import open_filter
from signoff.actions.contents.applied.rights.open_statements import opened_to_all
from signoff.actions.contents.applied.rights.proxy_settings import proxy_settings
from signoff.actions.contents.applied.rights.undone_rules import undone_rules
from signoff.actions.contents.applied.rights.wider_doors import wider_door
from signoff.actions.contents.applied.sent_rows import sent_rows
from signoff.actions.contents.applied.ways_in import way_in
from signoff.actions.contents.applied_meaning import AppliedMeaning
from signoff.actions.contents.callers.acts import caller_acts
from signoff.actions.contents.leaks.public_objects import public_records
from signoff.actions.contents.named_only.refusals import muted_records
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import Located
from signoff.actions.vocabulary import lazy_re2, words

_MANY = 2  # guards at once
_OF_TRIALS = lazy_re2(r"(?i)/(?:tests?|testy|testdata|fixtures|dev|sandbox)/")
_NO_SETTINGS = frozenset({FileKind.SOURCE})
_OF_APPLICATIONS = frozenset({FileKind.SOURCE, FileKind.OTHER})
_DECLARES = words("nix pp tf tfvars bicep sql hcl")


def applied_meanings(where: Located, text: NewText) -> Iterator[AppliedMeaning]:
    """Yield what the new part of a text switches off, opens, hands out or loses."""
    old, new = text.old or "", text.new
    line = way_in(new)
    if line and line not in old:
        yield AppliedMeaning(
            says="lets strangers in once it is applied",
            line=line,
            traits=frozenset({Trait.BACKDOOR, Trait.RUNS_LATER}),
        )
    yield from _rows(where, old, new)
    yield from _migrated(where, old, new)
    yield from _records_and_money(where, old, new)
    if where.kind in _OF_APPLICATIONS:
        yield from caller_acts(_within(where), text)
    if _is_program(where):
        return
    yield from _guards(old, new)
    yield from _doors(old, new)
    yield from _statements(old, new)
    if _OF_TRIALS.search(f"/{_within(where)}") is None:
        yield from _blinded(old, new)
        yield from _rights(where, old, new)
    yield from _leaks(old, new)
    yield from _losses(where, old, new)


def _is_program(where: Located) -> bool:
    """Whether a file is a program, in which the words of settings are names."""
    ending = where.path.lower().rpartition(".")[2]
    return where.kind in _NO_SETTINGS and ending not in _DECLARES


def _rows(where: Located, old: str, new: str) -> Iterator[AppliedMeaning]:
    """What becomes of the rows of a database."""
    public = public_records(new, where.path, old)
    for says, opened in (
        ("shows private data of people to everybody", opened_rows(new)),
        ("stores records of people where everybody may read them", public),
    ):
        if opened and opened not in old:
            yield AppliedMeaning(
                says=says,
                line=opened,
                traits=frozenset({Trait.OPENS_ACCESS, Trait.BROAD, Trait.RUNS_LATER}),
                thing=ResourceType.DATABASE,
                reach=Reach.REMOTE,
            )
    sent = sent_rows(new, where.path)
    if sent and sent not in old:
        traits = frozenset({Trait.SENDS_SECRET, Trait.RUNS_LATER})
        yield AppliedMeaning(says="sends private data of people away", line=sent, traits=traits)
    emptied = emptied_store(new, f"/{_within(where)}")
    if emptied and emptied not in old:
        yield AppliedMeaning(
            says="empties a database or its copies",
            line=emptied,
            traits=frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE}),
            verb=Verb.DELETE,
            thing=ResourceType.DATABASE,
            reach=Reach.PRODUCTION,
        )


def _within(where: Located) -> str:
    """Return the path of a file in its project."""
    return "/".join(where.path.split("/")[-where.depth or None :])


def _migrated(where: Located, old: str, new: str) -> Iterator[AppliedMeaning]:
    """What a migration does to every database that gets it."""
    made = new_superuser(new, f"/{_within(where)}")
    if made and made not in old:
        traits = frozenset({Trait.BACKDOOR, Trait.RUNS_LATER})
        says = "makes an administrator with a password of the source"
        yield AppliedMeaning(says=says, line=made, traits=traits)
    is_read = _is_program(where) and is_migration(where.path)
    off = dict.fromkeys(audit_off(new, has_english=True)) if is_read else {}
    if len(off) >= _MANY and not all([one in old.lower() for one in off]):
        yield AppliedMeaning(
            says=f"switches {', '.join(list(off)[:6])} off",
            line=", ".join(off),
            traits=frozenset({Trait.WEAKENS, Trait.BLINDS}),
            thing=ResourceType.PROTECTION,
        )


def _records_and_money(where: Located, old: str, new: str) -> Iterator[AppliedMeaning]:
    """Acts that a program leaves out of its records, and payments that nobody approved."""
    left_out = unwritten_record(new, where.path)
    if left_out and left_out not in " ".join(old.split()):
        yield AppliedMeaning(
            says=f"writes no audit record under `{left_out[:80]}`",
            line=left_out,
            traits=frozenset({Trait.WEAKENS, Trait.BLINDS}),
            thing=ResourceType.PROTECTION,
        )
    paid = paid_out(new)
    if paid and paid not in " ".join(old.split()):
        yield AppliedMeaning(
            says="pays all that is open, approved by nobody",
            line=paid,
            traits=frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE}),
            verb=Verb.SPEND,
            thing=ResourceType.MONEY,
            reach=Reach.PRODUCTION,
        )


def _guards(old: str, new: str) -> Iterator[AppliedMeaning]:
    before = guards_off(old)
    names = [one for one in guards_off(new) if one not in before]
    if names:
        is_many = len(names) >= _MANY
        yield AppliedMeaning(
            says=f"switches {', '.join(names[:6])} off",
            line=", ".join(names),
            traits=frozenset({Trait.WEAKENS, Trait.BLINDS} if is_many else {Trait.WEAKENS}),
            thing=ResourceType.PROTECTION if is_many else ResourceType.CODE,
        )


def _doors(old: str, new: str) -> Iterator[AppliedMeaning]:
    """What services do with who is at their door."""
    opened = open_door(new)
    if opened and opened not in old:
        yield AppliedMeaning(
            says="lets strangers in once it is applied",
            line=opened,
            traits=frozenset({Trait.BACKDOOR, Trait.RUNS_LATER}),
        )
    for says, wider, before in (
        ("loosens who gets in: `{}`", wider_door(new), wider_door(old)),
        ("opens `{}` to others", opened_cloud(new)[1], opened_cloud(old)[1]),
    ):
        if wider and wider != before:
            line = says.format(wider[:80])
            yield AppliedMeaning(says=line, line=wider, traits=frozenset({Trait.WEAKENS}))


def _rights(where: Located, old: str, new: str) -> Iterator[AppliedMeaning]:
    """What lines of rights and rules of a firewall give."""
    given, before = given_rights(new), given_rights(old) if old else GivenRights()
    grave = next((one for one in given.grave if one not in before.grave), "")
    opened = open_filter(old, new)
    for says, line in (
        ("gives rights by which one rules the machine", grave),
        ("lets all in, or gives what passes to a stranger", opened if opened not in old else ""),
    ):
        if line:
            traits = frozenset({Trait.BACKDOOR, Trait.RUNS_LATER})
            yield AppliedMeaning(says=says, line=line, traits=traits)
    proxy, was = proxy_settings(new), proxy_settings(old)
    for says, line, trait in (
        ("lets in whoever sends a sign", proxy.lets_in, Trait.BACKDOOR),
        ("gives keys or requests away", proxy.gives, Trait.SENDS_SECRET),
    ):
        if line and line not in (was.lets_in, was.gives):
            yield AppliedMeaning(says=says, line=line, traits=frozenset({trait, Trait.RUNS_LATER}))
    other = next((one for one in given.other if one not in before.other), "")
    # Elsewhere it is a text that a later call may put there, and that call is asked about.
    if other and "sudoers" in _within(where):
        says = f"gives rights: `{other[:80]}`"
        yield AppliedMeaning(says=says, line=other, traits=frozenset({Trait.WEAKENS}))


def _statements(old: str, new: str) -> Iterator[AppliedMeaning]:
    """What statements of policies forbid and allow that no policy should."""
    for opened, before in (
        (opened_to_all(new), opened_to_all(old)),
        (opened_cloud(new)[0], opened_cloud(old)[0]),
    ):
        if opened and opened != before:
            yield AppliedMeaning(
                says="lets everybody do everything",
                line=opened,
                traits=frozenset({Trait.OPENS_ACCESS, Trait.BROAD}),
                thing=ResourceType.CLOUD,
                reach=Reach.REMOTE,
            )
    for says, read in (
        ("forbids records to be written", muted_records),
        ("undoes the rules of a guard", undone_rules),
    ):
        line = read(new)
        if line and line != read(old):
            yield AppliedMeaning(
                says=says,
                line=line,
                traits=frozenset({Trait.WEAKENS, Trait.BLINDS}),
                thing=ResourceType.PROTECTION,
            )


def _blinded(old: str, new: str) -> Iterator[AppliedMeaning]:
    """What guards and alarms see and tell no more."""
    grave, other = muted_alarms(new)
    before = muted_alarms(old)
    for says, line, was, is_grave in (
        ("leaves a guard blind", blinded_guard(new), blinded_guard(old), True),
        ("exempts everybody from a guard", exempted_all(old, new), "", True),
        ("throws grave alarms away", grave, before[0], True),
        ("mutes an alarm", other, before[1], False),
        ("exempts more from a guard", exempted_more(old, new), "", False),
    ):
        if line and line != was:
            yield AppliedMeaning(
                says=says,
                line=line,
                traits=frozenset({Trait.WEAKENS, Trait.BLINDS} if is_grave else {Trait.WEAKENS}),
                thing=ResourceType.PROTECTION if is_grave else ResourceType.CODE,
            )


def _leaks(old: str, new: str) -> Iterator[AppliedMeaning]:
    says, line = handed_out(new, old)
    if says and line not in old:
        traits = frozenset({Trait.SENDS_SECRET, Trait.RUNS_LATER})
        yield AppliedMeaning(says=says, line=line, traits=traits)
    code = prepended(new)
    if code and code not in old:
        traits = frozenset({Trait.REMOTE_CODE, Trait.RUNS_LATER})
        yield AppliedMeaning(says="runs code of another host first", line=code, traits=traits)


def _losses(where: Located, old: str, new: str) -> Iterator[AppliedMeaning]:
    pruned = prunes_to_nothing(new)
    if pruned and not is_of_whole_cluster(new):
        if pruned != prunes_to_nothing(old):
            says = "lets an empty folder empty an application"
            yield AppliedMeaning(says=says, line=pruned, traits=frozenset({Trait.WEAKENS}))
        pruned = ""
    for says, line, thing in (
        ("keeps nothing of a store", kept_for_nothing(where.path, old, new), ResourceType.BACKUP),
        ("empties a folder of the machine", emptied_at_boot(new, where.path), ResourceType.FILE),
        ("lets an empty folder empty a cluster", pruned, ResourceType.CLUSTER),
    ):
        if line and line not in old:
            yield AppliedMeaning(
                says=says,
                line=line,
                traits=frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE}),
                verb=Verb.DELETE,
                thing=thing,
                reach=Reach.PRODUCTION,
            )
