"""Evidence in the table of `combined_facts`: what else a call says of one of its Operations."""

from __future__ import annotations

import json
import re

from signoff.actions.known.protections import PRODUCTS
from signoff.actions.operation import Operation, ResourceType, Trait
from signoff.assess.combined.facts import FAR, Call

SCHEDULERS = frozenset({"crontab", "at", "batch", "systemd-run", "schedule file", "anacron"})
EVERYBODY = re.compile(
    r"\ball(?:Authenticated)?Users\b|\bsystem:(?:anonymous|unauthenticated)\b|\bpublic-read"
    r"|--public-access[= ](?:container|blob)\b"
)
# A policy of access for whoever asks, as an argument of a tool.
PRINCIPAL = re.compile(
    r'"Effect": "Allow"[^]]{0,400}"Principal": (?:\{"AWS": )?\[?"\*"'
    r'|"Principal": (?:\{"AWS": )?\[?"\*"[^]]{0,400}"Effect": "Allow"'
)
TEXT_LIMIT = 20_000
TAKEN_BACK = re.compile(r"(?i)\b(?:remove|delete|revoke|unset|get|list|describe)\b")
ACCOUNT_LISTS = re.compile(r"/etc/passwd\b|\bgetent\s+(?:passwd|shadow)\b|\bdscl\b.*\s-list\b")
OFF_WORDS = re.compile(r"(?i)\b(?:uninstall|remove|disable|off|pause|bypass|delete|rm|chmod|mv)\b")
ENCRYPTERS = {
    **dict.fromkeys(("gpg", "gpg2"), re.compile(r"\s(?:-\w*[ce]\b|--symmetric|--encrypt)")),
    "openssl": re.compile(r"\benc\b(?!.*\s-d\b)"),
    "age": re.compile(r"\s-[pre]\b"),
    **dict.fromkeys(("7z", "7za"), re.compile(r"\s-p\w")),
    "zip": re.compile(r"\s(?:-e|-r?e|--encrypt|-P)\b"),
    **dict.fromkeys(("ccrypt", "mcrypt"), re.compile("")),
}


def is_scheduled(op: Operation, call: Call) -> bool:
    """It runs at every start, or from where nobody looks: hidden, or in memory."""
    if not any([name in SCHEDULERS for name in op.carriers]):
        return False
    is_hidden = "/." in op.path or op.path.startswith("/dev/shm/")  # noqa: S108 - compared
    return is_hidden or "@reboot" in call.action.text("command")


def comes_from_network(op: Operation, call: Call) -> bool:
    return Trait.UNTRUSTED_SOURCE in op.traits


def is_recursive(op: Operation, call: Call) -> bool:
    return Trait.RECURSIVE in op.traits


def call_encrypts(op: Operation, call: Call) -> bool:
    for one in call.operations:
        options = ENCRYPTERS.get(one.program.split(" ", 1)[0])
        if options is not None and options.search(one.source) is not None:
            return True
    return False


def names_protection(op: Operation, call: Call) -> bool:
    return PRODUCTS.search(op.source) is not None or PRODUCTS.search(op.target) is not None


def names_everybody(op: Operation, call: Call) -> bool:
    if call.action.tool.startswith("mcp__"):
        return PRINCIPAL.search(json.dumps(call.action.arguments)[:TEXT_LIMIT]) is not None
    source = op.source
    return EVERYBODY.search(source) is not None and TAKEN_BACK.search(source) is None


def call_lists_accounts(op: Operation, call: Call) -> bool:
    return any([ACCOUNT_LISTS.search(one.source) is not None for one in call.operations])


def is_written_by_server(op: Operation, call: Call) -> bool:
    return op.thing is ResourceType.FILE and op.reach in FAR and not op.path


def says_off(op: Operation, call: Call) -> bool:
    return OFF_WORDS.search(op.source) is not None


def text_holds_key(op: Operation, call: Call) -> bool:
    return any(["secret.private-key" in hits for hits in call.hits.values()])
