"""Rows of the table in `combined_facts` about acts that the values of a call name."""

from __future__ import annotations

from signoff.actions.operation import Verb
from signoff.assess.combined import facts, gravity
from signoff.assess.combined.given import acts, retention, statements, whole_sets
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity

_ANY = facts.ActPattern(frozenset(Verb) - {Verb.INERT})
_DELETES = facts.ActPattern(frozenset({Verb.DELETE}))
_CHANGES = facts.ActPattern(frozenset(Verb) - {Verb.INERT, Verb.READ, Verb.NETWORK_IN})

GIVEN_ROWS = (
    Row(
        ("erased-in-a-loop", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.erases_machines,
        is_argued=True,
        because="each of several machines loses its data, settings or program",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.erases_all,
        is_argued=True,
        because="all that a service holds is erased",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.destroys_store,
        is_argued=True,
        because="a flag destroys a whole store",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=acts.shuts_out_all,
        is_argued=True,
        because="everybody whom a condition selects is shut out",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=facts.is_no_file,
        evidence=retention.leaves_nothing,
        is_argued=True,
        because="by its new retention a store deletes all it holds",
        refused="mc ilm rule add lake/scans --expire-days 1 --noncurrent-expire-days 1",
        spared="mc ilm rule add lake/scans --expire-days 90 --noncurrent-expire-days 30",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_ANY,
        target=statements.names_console,
        evidence=statements.empties_by_statement,
        is_argued=True,
        because="a console empties what production holds, or stops its audit",
        refused="rman target /@GSPROD <<'E'\nDELETE NOPROMPT BACKUP;\nE",
        spared="rman target /@GSPROD <<'E'\nDELETE NOPROMPT OBSOLETE;\nE",
    ),
    Row(
        ("whole-set", Severity.CRITICAL),
        act=_DELETES,
        target=facts.is_no_file,
        evidence=whole_sets.takes_root,
        is_argued=True,
        because="everything below the root of a store in production is deleted",
        refused="CONSUL_HTTP_ADDR=https://consul.prod.acme.example consul kv delete -recurse /",
        spared="CONSUL_HTTP_ADDR=https://consul.prod.acme.example consul kv delete -recurse app/x",
    ),
    Row(
        ("listing-emptied", Severity.CRITICAL),
        act=_CHANGES,
        target=facts.is_no_file,
        evidence=whole_sets.takes_own_list,
        is_argued=True,
        because="all that a program lists in production is deleted for good",
        refused="wp @production post delete $(wp @production post list --format=ids) --force",
        spared="wp @production post delete 17 --force",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=_CHANGES,
        target=facts.is_no_file,
        evidence=whole_sets.ends_branch,
        is_argued=True,
        because="the accounts or devices of a whole branch of a directory end",
        refused="gam delete users ou_and_children /Pupils",
        spared="gam delete user ann@acme.example",
    ),
    Row(
        ("all-of-production", Severity.CRITICAL),
        act=_CHANGES,
        target=facts.is_no_file,
        evidence=whole_sets.makes_anew,
        is_argued=True,
        because="a whole database of a server is dropped and made anew",
        refused="ssh deploy@shop.example 'php artisan migrate:fresh --seed --force'",
        spared="php artisan migrate:fresh --seed --force",
    ),
)
