"""Tools of the BSDs whose words decide: start-up settings, packet filter rules, accounts.

sysrc pf_enable=NO            -> CONFIGURE protection, traits={WEAKENS}
pw groupmod wheel -m bob      -> PRIVILEGE account, traits={BACKDOOR}
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_ACCOUNT,
    CONFIGURE_NETWORK,
    CONFIGURE_SYSTEM,
    DELETE_ACCOUNT,
    WEAKEN_PROTECTION,
)
from signoff.actions.programs.system.accounts import ADMINISTRATORS
from signoff.actions.vocabulary import words

# Settings of `/etc/rc.conf` that start what protects or records the machine.
PROTECTING = words(
    "firewall_enable pf_enable ipfilter_enable ipfw_enable npf auditd_enable syslogd_enable "
    "pflog_enable blacklistd_enable fail2ban_enable securelevel kern_securelevel_enable"
)
OFF = words("no off false 0 none -1")
LOOKS = words("list show get nat-list table-list")


def start_setting(call: ProgramCall) -> Iterator[Effect]:
    """`sysrc`: `name` shows a setting, `name=value` changes it, `-x name` removes it."""
    changed = [word.text for word in call.operands if "=" in word.text or call.has("-x")]
    if not changed:
        yield call.operation(Verb.READ, ResourceType.SETTING, " ".join(call.texts))
        return
    for text in changed:
        name, _, value = text.partition("=")
        is_off = name.rstrip("+-") in PROTECTING and value.strip("\"'").lower() in {*OFF, ""}
        yield from call.perform(WEAKEN_PROTECTION if is_off else CONFIGURE_SYSTEM)


def rules(call: ProgramCall) -> Iterator[Effect]:
    """`ipfw`: shows rules, changes one, empties all, or lets everything through."""
    given = [text.lower() for text in call.texts]
    what = given[0] if given else "list"
    is_open = {"allow", "from", "any"} <= set(given) and given.count("any") > 1
    if what in LOOKS:
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif what in {"flush", "disable"} or (what == "add" and is_open) or given == ["delete", "all"]:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def accounts(call: ProgramCall) -> Iterator[Effect]:
    """`pw useradd|usermod|groupmod ...`: with an administrators' group it is a way back in."""
    what = call.texts[0] if call.operands else "show"
    if what.endswith(("show", "next")):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT, " ".join(call.texts[1:]))
        return
    if what.endswith("del"):
        yield from call.perform(DELETE_ACCOUNT)
        return
    given = [word.text for word in call.values("-G", "-g")]
    groups = {name for text in given for name in text.split(",")}
    groups |= set(call.texts[1:2]) if what == "groupmod" and call.has("-m", "-M") else set()
    uid = call.value("-u")
    if groups & ADMINISTRATORS or (uid is not None and not uid.text.strip("0")):
        yield call.operation(
            Verb.PRIVILEGE,
            ResourceType.ACCOUNT,
            " ".join(call.texts),
            traits=(Trait.BACKDOOR,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    else:
        yield from call.perform(CONFIGURE_ACCOUNT)
