"""Tools of macOS and of the BSDs: disks, services, start-up settings, protections, accounts.

csrutil disable              ->  CONFIGURE protection, traits={WEAKENS}
sysrc pf_enable=NO           ->  CONFIGURE protection, traits={WEAKENS}
pw groupmod wheel -m bob     ->  PRIVILEGE account, traits={BACKDOOR}
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, always
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_ACCOUNT,
    CONFIGURE_NETWORK,
    CONFIGURE_PROTECTION,
    CONFIGURE_SYSTEM,
    DELETE_ACCOUNT,
    DELETE_CREDENTIAL,
    STORE_CREDENTIAL,
    WEAKEN_PROTECTION,
)
from signoff.actions.programs.system.accounts import ADMINISTRATORS
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words
from signoff.values import replace

# loginwindow runs these as root at each login or logout.
STARTING_KEYS = frozenset({"LoginHook", "LogoutHook"})
# Of settings that protect while they are on: quarantine of downloads, the firewall, updates.
GUARDING_KEYS = frozenset(
    ["LSQuarantine", "globalstate", "GKAutoRearm", "AutomaticCheckEnabled", "CriticalUpdateInstall"]
)
STOLEN_PASSWORD = always(Verb.READ, ResourceType.FILE, Trait.READS_SECRET, reach=Reach.HOME)


def key_chain(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `security find-generic-password -w`: the password itself is shown."""
    what = call.texts[0] if call.operands else ""
    # security(1): without `-w` or `-g` only the attributes of an entry are printed.
    shows = what.startswith("find-") and "password" in what and call.has("-w", "-g", "-wa", "-ga")
    if shows or what in {"dump-keychain", "export"}:
        # The words of the call select an entry; they are the name of no file.
        yield from replace(call, operands=(Word(text="stored passwords"),)).perform(STOLEN_PASSWORD)
    elif (
        what.startswith(
            (
                "find-",
                "list-",
                "show-",
                "verify-",
                "default-",
                "login-",
                "error",
                "cms",
                "dump-trust",
                "help",
                "smartcards",
            )
        )
        or not what
    ):
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    elif what.startswith("delete-"):
        yield from call.perform(DELETE_CREDENTIAL)
    elif call.texts[:2] == ("authorizationdb", "read"):
        yield call.operation(Verb.READ, ResourceType.SETTING)
    elif call.texts[:2] == ("authorizationdb", "write") and call.texts[-1] in {"allow", "is-admin"}:
        # The right is given to everybody, or to every administrator, without a password.
        yield from call.perform(WEAKEN_PROTECTION)
    elif what in {
        "authorizationdb",
        "trust-settings-import",
        "add-trusted-cert",
        "remove-trusted-cert",
    }:
        yield from call.perform(CONFIGURE_PROTECTION)
    else:
        yield from call.perform(STORE_CREDENTIAL)


def integrity(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `csrutil status|disable`, `spctl --master-disable`, `fdesetup disable`."""
    words_ = {*call.texts, *(o.name.lstrip("-") for o in call.options)}
    # Asked first: `csrutil authenticated-root disable` also holds a word of the list that looks.
    if words_ & {"disable", "master-disable", "global-disable", "clear", "delete"}:
        yield from call.perform(WEAKEN_PROTECTION)
    elif not words_ or words_ & {
        "status",
        "list",
        "assess",
        "a",
        "isactive",
        "check",
        "report",
        "authenticated-root",
        "supportsauthrestart",
        "help",
    }:
        yield call.operation(Verb.READ, ResourceType.PROTECTION)
    else:
        yield from call.perform(CONFIGURE_PROTECTION)


def session_variable(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `launchctl setenv NAME VALUE`: for every program that starts later."""
    yield from call.perform(CONFIGURE_SYSTEM)
    if len(call.operands) > 1:
        name, value = call.texts[0], call.texts[1]
        yield Nested(
            text=f"export {name}={shlex.quote(value)}",
            language="shell",
            carrier="launchctl setenv",
            is_known=all([word.is_known for word in call.operands[:2]]),
        )


def written_setting(call: ProgramCall) -> Iterator[Effect]:
    """`defaults write DOMAIN KEY VALUE`: some keys switch protection off or start a program."""
    domain, key = (*call.texts, "", "")[:2]
    given = {text.lower() for text in call.texts[2:]}
    given |= {option.value.text.lower() for option in call.options if option.value is not None}
    is_off = not given.isdisjoint({"false", "no", "0", "off"})
    if key in STARTING_KEYS:
        yield call.operation(
            Verb.PERSIST,
            ResourceType.SERVICE,
            f"{domain} {key}",
            traits=(Trait.BACKDOOR,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    elif key in GUARDING_KEYS and is_off:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            f"{domain} {key}".strip(),
            traits=(Trait.GLOBAL,),
            reach=Reach.HOME,
        )


def new_administrator(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `sysadminctl -addUser x -admin`, `dseditgroup -o edit -a x -t user admin`."""
    given = {*call.texts, *(option.name for option in call.options)}
    # An account without an administrators' group is judged by the description alone.
    is_added = call.has("-addUser", "-a") and not given.isdisjoint({"-admin", "admin", "wheel"})
    if is_added:
        yield _way_in(call)


def _way_in(call: ProgramCall) -> Operation:
    return call.operation(
        Verb.PRIVILEGE,
        ResourceType.ACCOUNT,
        " ".join(call.texts),
        traits=(Trait.BACKDOOR,),
        reach=Reach.SYSTEM,
        reversible=False,
    )


def directory(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `dscl . -read|-create|-delete PATH`: the command is an option behind the node."""
    if call.has("-delete", "-remove"):
        yield from call.perform(DELETE_ACCOUNT)
    elif _makes_administrator(call):
        yield _way_in(call)
    elif call.has("-read", "-list", "-search", "-ls", "-cat") or not call.options:
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
    else:
        yield from call.perform(CONFIGURE_ACCOUNT)


def _makes_administrator(call: ProgramCall) -> bool:
    """Tell whether a user gets the rights of root: a group of administrators, the number 0."""
    words = [word.text for word in call.command.words[1:]]
    if not call.has("-append", "-create", "-merge", "-change"):
        return False
    groups = {word.rpartition("/")[2] for word in words if "/Groups/" in word}
    # `dscl . -create /Users/x UniqueID 0`: a second name for root.
    return not groups.isdisjoint({"admin", "wheel"}) or words[-2:] == ["UniqueID", "0"]


# Settings of `/etc/rc.conf` that start what protects or records the machine.
PROTECTING = words(
    "firewall_enable pf_enable ipfilter_enable ipfw_enable npf auditd_enable syslogd_enable "
    "pflog_enable blacklistd_enable fail2ban_enable securelevel kern_securelevel_enable"
)
OFF = words("no off false 0 none -1")
LOOKS = words("list show get nat-list table-list")


def start_setting(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `sysrc`: `name` shows a setting, `name=value` changes it, `-x name` removes it."""
    changed = [word.text for word in call.operands if "=" in word.text or call.has("-x")]
    if not changed:
        yield call.operation(Verb.READ, ResourceType.SETTING, " ".join(call.texts))
        return
    for text in changed:
        name, _, value = text.partition("=")
        # sysrc(8): `name+=value` and `name-=value` add and take away; `-x name` has no value at
        # all.
        is_off = name.rstrip("+-") in PROTECTING and value.strip("\"'").lower() in {*OFF, ""}
        yield from call.perform(WEAKEN_PROTECTION if is_off else CONFIGURE_SYSTEM)


def rules(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `ipfw`: shows rules, changes one, empties all, or lets everything through."""
    given = [text.lower() for text in call.texts]
    what = given[0] if given else "list"
    # `allow ip from any to any`: both ends are any, so no later rule is reached.
    is_open = {"allow", "from", "any"} <= set(given) and given.count("any") > 1
    if what in LOOKS:
        yield call.operation(Verb.READ, ResourceType.NETWORK)
    elif what in {"flush", "disable"} or (what == "add" and is_open) or given == ["delete", "all"]:
        yield from call.perform(WEAKEN_PROTECTION)
    else:
        yield from call.perform(CONFIGURE_NETWORK)


def accounts(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `pw useradd|usermod|groupmod`: an administrators' group is a back door."""
    what = call.texts[0] if call.operands else "show"
    if what.endswith(("show", "next")):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT, " ".join(call.texts[1:]))
        return
    if what.endswith("del"):
        yield from call.perform(DELETE_ACCOUNT)
        return
    given = [word.text for word in call.values("-G", "-g")]
    groups = {name for text in given for name in text.split(",")}
    # `pw groupmod wheel -m bob` names the group as an operand.
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
