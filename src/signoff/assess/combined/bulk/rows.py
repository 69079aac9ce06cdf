"""Rows of the table in `combined_facts` about acts that hit many at once."""

from __future__ import annotations

from signoff.actions.operation import Verb
from signoff.assess.combined import facts, gravity
from signoff.assess.combined.bulk import client_code, consoles, fleets, tools, unsigned
from signoff.assess.combined.row import Row
from signoff.assess.finding import Severity

_CHANGES = facts.ActPattern(frozenset(Verb) - {Verb.INERT, Verb.READ, Verb.NETWORK_IN})
_ENDS = facts.ActPattern(frozenset({Verb.DELETE, Verb.CONFIGURE, Verb.CONTROL}))
_CONTROLS = facts.ActPattern(
    frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.NETWORK_OUT})
)

BULK_ROWS = (
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.destroys_many,
        is_argued=True,
        because="everything a condition selects is deleted for good",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=facts.REMOVES_REMOTE,
        target=gravity.is_real,
        evidence=tools.destroys_container,
        is_argued=True,
        because="a shared workspace is deleted past the recycle bin",
    ),
    Row(
        ("paid-to-all", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.pays_many,
        is_argued=True,
        because="everybody whom a condition selects is paid",
    ),
    Row(
        ("paid-to-all", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.leads_money_away,
        is_argued=True,
        because="everybody whom a condition selects is paid to another account",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.ends_many,
        is_argued=True,
        because="work, home or access of a whole group of people ends at once",
    ),
    Row(
        ("all-of-production", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.sets_to_nothing,
        is_argued=True,
        because="prices, balances or stocks in use are all set to zero",
    ),
    Row(
        ("told-to-thousands", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.tells_thousands,
        is_argued=True,
        because="thousands of people get a message at once, which nobody can take back",
    ),
    Row(
        ("people-handed-over", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=tools.threatens_many,
        is_argued=True,
        because="a message to many threatens them and wants a login",
    ),
    Row(
        ("whole-set", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=unsigned.nobody_answers,
        is_argued=True,
        because="all of a kind is acted on, and the argument for who answers for it is empty",
    ),
    Row(
        ("protection-stopped", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=unsigned.nothing_holds_back,
        is_argued=True,
        because="all of a kind is acted on, and a condition of the act is switched off",
    ),
    Row(
        ("whole-set", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=unsigned.is_ordered_for_all,
        is_argued=True,
        because="all of a kind is acted on, in live operation",
    ),
    Row(
        ("protection-stopped", Severity.CRITICAL),
        act=_CHANGES,
        target=gravity.is_real,
        evidence=unsigned.lacks_both,
        is_argued=True,
        because="nobody is named who answers for it, and a condition of the act is switched off",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=facts.ActPattern(frozenset(Verb)),
        target=gravity.is_real,
        evidence=consoles.runs_bulk_code,
        is_argued=True,
        because="console code deletes everything it lists",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=_CHANGES,
        target=consoles.is_elsewhere,
        evidence=consoles.hands_over_bulk_code,
        is_argued=True,
        because="console code deletes everything it lists",
        refused=(
            "curl -d 'script=prod.items.each { it.delete() }' https://ci.acme.example/scriptText"
        ),
        spared="curl -d 'script=prod.items.each { println it }' https://ci.acme.example/scriptText",
    ),
    Row(
        ("everything-for-good", Severity.CRITICAL),
        act=facts.ActPattern(frozenset(Verb)),
        target=facts.is_anything,
        evidence=client_code.hits_each,
        is_argued=True,
        because="code pays out, opens, shuts out or erases each entry of a listing",
    ),
    Row(
        ("protection-stopped", Severity.CRITICAL),
        act=_CHANGES,
        target=fleets.is_device_or_setting,
        evidence=fleets.unguards_each,
        because="a safety device is switched off on each of many machines",
        refused="for v in agv{01..24}; do ros2 param set /$v/safety estop_enabled false; done",
        spared="for v in agv{01..24}; do ros2 param set /$v/speech enabled false; done",
    ),
    Row(
        ("safety-off", Severity.HIGH),
        act=_CHANGES,
        target=fleets.is_device_or_setting,
        evidence=fleets.unguards,
        because="a safety device is switched off",
    ),
    Row(
        ("erased-in-a-loop", Severity.CRITICAL),
        act=_CHANGES,
        target=fleets.is_device_or_setting,
        evidence=fleets.burns_each,
        because="each device of many gets bits that are written only once",
        refused='for p in /dev/serial/by-id/usb-*; do espefuse.py -p "$p" burn_efuse X 1; done',
        spared="espefuse.py -p /dev/ttyUSB0 burn_efuse X 1",
    ),
    Row(
        ("all-of-production", Severity.CRITICAL),
        act=_CONTROLS,
        target=facts.is_remote,
        evidence=fleets.restarts_several,
        because="several machines restart or stop at once",
        refused="talosctl -n 10.0.0.1,10.0.0.2 reboot",
        spared="talosctl -n 10.0.0.1 reboot",
    ),
    Row(
        ("controllers-in-a-loop", Severity.CRITICAL),
        act=_CONTROLS,
        target=facts.is_remote,
        evidence=fleets.sets_each_device,
        because="a control of each device of a list is set",
        refused="while read h; do snmpset -v2c -c rw $h 1.3.6.1.2.1.2.2.1.7.1 i 2; done < all.txt",
        spared="snmpset -v2c -c rw sw1 1.3.6.1.2.1.2.2.1.7.1 i 2",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=facts.STOPS,
        target=fleets.is_on_others,
        evidence=fleets.stops_everybody,
        because="the processes of every listed user are ended",
        refused="for u in $(squeue -h -o %u | sort -u); do scancel -u $u; done",
        spared="scancel -u $USER",
    ),
    Row(
        ("all-people", Severity.CRITICAL),
        act=_ENDS,
        target=facts.is_no_file,
        evidence=fleets.ends_listed_people,
        because="the accounts of all people in a file end, and nobody is asked",
        refused="pwsh -c 'Import-Csv staff.csv | Remove-ADUser -Confirm:$false'",
        spared="pwsh -c 'Remove-ADUser ann -Confirm:$false'",
    ),
)
