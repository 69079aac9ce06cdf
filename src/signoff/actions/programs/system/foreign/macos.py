"""Tools of macOS: disks, services, settings, protections, key chain, backups, firmware."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, always
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_ACCOUNT,
    CONFIGURE_PROTECTION,
    DELETE_ACCOUNT,
    DELETE_CREDENTIAL,
    STORE_CREDENTIAL,
    WEAKEN_PROTECTION,
)

STOLEN_PASSWORD = always(Verb.READ, ResourceType.FILE, Trait.READS_SECRET, reach=Reach.HOME)


def key_chain(call: ProgramCall) -> Iterator[Effect]:
    """`security find-generic-password -w`: the password itself is shown."""
    what = call.texts[0] if call.operands else ""
    shows = what.startswith("find-") and "password" in what and call.has("-w", "-g", "-wa", "-ga")
    if shows or what in {"dump-keychain", "export"}:
        yield from call.perform(STOLEN_PASSWORD)
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
    """`csrutil status|disable`, `spctl --master-disable`, `fdesetup disable`."""
    words_ = {*call.texts, *(o.name.lstrip("-") for o in call.options)}
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


def directory(call: ProgramCall) -> Iterator[Effect]:
    """`dscl . -read|-create|-delete PATH`: the command is an option behind the node."""
    if call.has("-delete", "-remove"):
        yield from call.perform(DELETE_ACCOUNT)
    elif call.has("-read", "-list", "-search", "-ls", "-cat") or not call.options:
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
    else:
        yield from call.perform(CONFIGURE_ACCOUNT)
