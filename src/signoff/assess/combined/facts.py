"""Facts of which the table in `combined_facts` is made: acts, targets, evidence.

Each takes one Operation and the whole call, and tells whether the fact holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from signoff.actions.known.hosts import HostClass
from signoff.actions.known.protections import SECURITY_FILES
from signoff.actions.lexicon.private_names import concerns_people, names_people
from signoff.actions.operation import (
    FileKind,
    Operation,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.combined.call import Call, cached_per_call, matches

TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 - compared, never written
START_UP = frozenset({FileKind.SCHEDULE, FileKind.GIT_HOOK, FileKind.SHELL_STARTUP})
# What a tool loads by itself at every start, beside the kinds above.
STARTED_FILES = lazy_re(
    r"(?:^|/)(?:(?:site|user)customize\.py|[\w.-]+\.pth|\.gradle/init\.(?:d/.+|gradle(?:\.kts)?)"
    r"|\.ipython/profile_\w+/startup/.+|\.(?:Rprofile|irbrc|pryrc|pythonrc|gdbinit|lldbinit|tmux\.conf)"
    r"|\.config/fish/conf\.d/.+|\.julia/config/startup\.jl)$"
)
TREES = words(
    "/ /etc /usr /bin /sbin /lib /lib64 /boot /usr/bin /usr/lib /usr/sbin /usr/local /usr/share "
    "/root /var /var/lib /var/log /opt /srv /home /Users /System /Library /Applications"
)
FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION})
CHANGES = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.NETWORK_OUT})
KEPT = frozenset({Reach.HOME, Reach.ELSEWHERE, Reach.SYSTEM})
STOP_WORDS = lazy_re(
    r"(?i)\b(?:stop|disabled?|mask|unload|bootout|remove|delete|kill\w*|off|uninstall|clear"
    r"|permissive|deactivate|suspend)\b|/d\s+0x?0*\b|-value\s+0\b|\$false\b"
)
# What a call to a cluster, a cloud or a forge says when it takes something away.
TAKES_AWAY = lazy_re(
    r"(?i)\b(?:stop\w*|disabled?|deactivate|delete|remove|uninstall|destroy|detach|suspend|false"
    r"|off|free|privileged)\b|--no-enable|--replicas[= ]0\b|--log-disabled"
)
# To `\b` an underscore is a letter: `delete_user`.
DELETE_WORDS = lazy_re(r"(?i)(?<![a-z])(?:delete|del|remove|drop|purge|destroy|wipe)(?![a-z])")
ENTRY_FILES = (
    "authorized_keys",
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/cron",
    "/spool/cron",
    "/.bashrc",
    "/.ssh",
)
PRIVATE = lazy_re(
    r"(?i)\b(?:customers?|clients?|patients?|medical|health|payrolls?|salar(?:y|ies)|invoices?"
    r"|payments?|billing|personal|pii|private|confidential|employees?|passports?|kyc|identit(?:y|ies)"
    r"|bank|accounting|contracts?|medical-records|hr)\b"
)
GUARDS = frozenset({"nah", "dcg", "claude-guard", "agentguard", "invariant", "llamafirewall"})


# -- acts


class ActPattern(Struct, frozen=True):
    """A kind of act: some verbs, on a kind of resource, under a further condition.

    Args:
        thing: None = any kind of resource.
        also: checked last, as it may search texts.
    """

    verbs: frozenset[Verb]
    thing: ResourceType | None = None
    also: Callable[[Operation, Call], bool] | None = None

    def holds(self, op: Operation, call: Call) -> bool:
        """Return whether an Operation, whose verb must be in `verbs`, is such an act."""
        return self.concerns(op) and (self.also is None or self.also(op, call))

    def concerns(self, op: Operation) -> bool:
        """Return whether an Operation is on such a resource; searches no text."""
        return self.thing is None or op.thing is self.thing


def says_stop(op: Operation, call: Call) -> bool:
    """True if it deletes, kills a process, or a word of its source says that it stops something."""
    if op.verb is Verb.DELETE or op.thing is ResourceType.PROCESS:
        return True
    return matches(STOP_WORDS, op.source, call)


def says_taken_away(op: Operation, call: Call) -> bool:
    """True if it deletes, or its words say that a change takes something away."""
    if op.verb is Verb.DELETE:
        return True
    if op.thing is ResourceType.MESSAGE:
        return False  # it tells people of something and takes nothing away
    parts = _parts_said(op, call)
    if any([matches(TAKES_AWAY, part, call) for part in parts]):
        return True
    # Of all that is looked for only `--replicas 0` may begin in one part and end in the next.
    return any([_ENDS.search(a[-10:]) and _ZERO.match(b) for a, b in pairwise(parts)])


_ENDS = lazy_re(r"(?i)--replicas\Z")
_ZERO = lazy_re(r"0\b")


def says_deleted(op: Operation, call: Call) -> bool:
    """True if it deletes, or its own words say so: `delete_user`, `user delete`."""
    return op.verb is Verb.DELETE or DELETE_WORDS.search(op.source) is not None


def said_by(op: Operation, call: Call) -> str:
    """Return an Operation's source and target; with a `$` in it, also the start of the line."""
    return " ".join(_parts_said(op, call))


def _parts_said(op: Operation, call: Call) -> tuple[str, ...]:
    if "$" in op.source:
        return op.source, op.target, _beginning(call)
    return op.source, op.target


@cached_per_call
def _beginning(call: Call) -> str:
    return call.action.text("command")[:2_000]


def is_of_tool(op: Operation, call: Call) -> bool:
    """True if the call is not a shell line."""
    return "command" not in call.action.arguments


def lets_in(op: Operation, call: Call) -> bool:
    """True if it gives access to somebody who had none."""
    return Trait.OPENS_ACCESS in op.traits


OPENS = ActPattern(frozenset(set(Verb) - {Verb.READ, Verb.INERT}), also=lets_in)


def goes_to_people(op: Operation, call: Call) -> bool:
    """It is money, or a message: to a person, or through a service that is paid for it."""
    is_sent = op.verb is Verb.SPEND or op.thing is ResourceType.MESSAGE
    return is_sent or MESSENGERS.search(op.target) is not None


# Services that send what they are told to, to the number or address they are told.
MESSENGERS = lazy_re(
    r"(?i)\bapi\.(?:twilio|sendgrid|mailgun|postmarkapp|messagebird|bird|vonage|plivo|telnyx|sinch"
    r"|clicksend|resend|brevo|mailjet|infobip)\.(?:com|net|io)\b|\brest\.nexmo\.com\b"
    r"|\bgraph\.facebook\.com/\S*/messages\b"
)
PAYS_OUT = ActPattern(frozenset({Verb.SPEND, Verb.NETWORK_OUT}), also=goes_to_people)
PAYS = ActPattern(frozenset({Verb.SPEND}))
DELETES_BACKUPS = ActPattern(frozenset({Verb.DELETE}), ResourceType.BACKUP)
SENDS_OUT = ActPattern(frozenset({Verb.NETWORK_OUT}))
RUNS = ActPattern(frozenset({Verb.EXECUTE}))
EMPTIES = ActPattern(frozenset({Verb.DELETE, Verb.CONFIGURE}), None, says_deleted)
WRITES = ActPattern(frozenset({Verb.WRITE}))
SWITCHES = ActPattern(frozenset({Verb.WRITE, Verb.CONTROL}))
DELETES = ActPattern(frozenset({Verb.DELETE}), ResourceType.FILE)
UNINSTALLS = ActPattern(frozenset({Verb.DELETE}), ResourceType.PACKAGE)
REMOVES_REMOTE = ActPattern(frozenset({Verb.DELETE}))
REMOVES = ActPattern(frozenset({Verb.DELETE, Verb.CONFIGURE, Verb.WRITE, Verb.EXECUTE}))
CHANGES_RIGHTS = ActPattern(frozenset({Verb.CONFIGURE}), ResourceType.ACCOUNT)
CHANGES_ACCOUNT = ActPattern(frozenset({Verb.CONFIGURE, Verb.DELETE}), ResourceType.ACCOUNT)
CHANGES_MACHINE = ActPattern(frozenset({Verb.CONFIGURE, Verb.PERSIST, Verb.WRITE, Verb.PRIVILEGE}))
SETS_REMOTE = ActPattern(CHANGES | {Verb.PRIVILEGE})
SETS_SERVICE = ActPattern(frozenset({Verb.CONFIGURE}), ResourceType.SERVICE)
GIVES_ACCOUNT = ActPattern(
    frozenset({Verb.CONFIGURE, Verb.WRITE, Verb.PRIVILEGE}), ResourceType.ACCOUNT
)
CHANGES_PEOPLE = ActPattern(
    frozenset({Verb.CONFIGURE, Verb.WRITE, Verb.PRIVILEGE, Verb.CONTROL}), ResourceType.ACCOUNT
)
CHANGES_ACCESS = ActPattern(frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.PRIVILEGE}))
STOPS = ActPattern(
    frozenset({Verb.DELETE, Verb.CONTROL, Verb.CONFIGURE, Verb.PERSIST}), None, says_stop
)
TAKES_FROM = ActPattern(CHANGES | {Verb.DELETE}, None, says_taken_away)
DELETES_ACCOUNTS = ActPattern(
    frozenset({Verb.DELETE, Verb.CONFIGURE}), ResourceType.ACCOUNT, says_taken_away
)
DELETES_ANY = ActPattern(frozenset({Verb.DELETE}))
ERASES_FAR = ActPattern(CHANGES | {Verb.DELETE, Verb.EXECUTE, Verb.NETWORK_OUT})
ACTS_AT_ALL = ActPattern(frozenset(Verb) - {Verb.INERT})
_OUTWARD = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.PRIVILEGE, Verb.CONFIGURE})
CHANGES_SAFEGUARD = ActPattern(CHANGES | {Verb.DELETE, Verb.PRIVILEGE}, ResourceType.PROTECTION)
MOVES = ActPattern(CHANGES | {Verb.EXECUTE})
HANDS_OVER = ActPattern(_OUTWARD | {Verb.WRITE}, None, is_of_tool)
ENDS = ActPattern(CHANGES | {Verb.DELETE, Verb.EXECUTE, Verb.PRIVILEGE}, None, is_of_tool)
RUNS_FETCHED = ActPattern(CHANGES | {Verb.EXECUTE, Verb.INSTALL})
MAKES = ActPattern(CHANGES | {Verb.PRIVILEGE, Verb.EXECUTE}, None, is_of_tool)
ASKS_AN_ADDRESS = ActPattern(frozenset({Verb.NETWORK_IN, Verb.NETWORK_OUT}), ResourceType.URL)
SENDS = ActPattern(frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.WRITE}), None, is_of_tool)


# -- targets


def is_private(op: Operation, call: Call) -> bool:
    """True if the target's name speaks of people, their money or their health."""
    # A grant's target is whom it is for; what is opened stands beside it.
    text = f"{op.target} {op.source}" if op.thing is ResourceType.ACCOUNT else op.target
    return is_private_name(text)


@lru_cache(maxsize=1024)
def is_private_name(text: str) -> bool:
    """Return whether a name speaks of people, their money or their health."""
    # To `\b` an underscore is a letter: `customer_invoices` would be one word.
    is_named = PRIVATE.search(text.replace("_", "-")) is not None
    return is_named or concerns_people(text) or names_people(text)


def is_production(op: Operation, call: Call) -> bool:
    """True if it acts on production."""
    return op.reach is Reach.PRODUCTION


def is_production_of_tool(op: Operation, call: Call) -> bool:
    """True if it acts on production and the call is not a shell line."""
    return is_production(op, call) and is_of_tool(op, call)


def is_anything(op: Operation, call: Call) -> bool:
    """Always true: for acts that count on any target."""
    return True


def is_out_of_sight(op: Operation, call: Call) -> bool:
    """True for a file in a temporary or cache folder, or with a hidden name."""
    is_hidden = "/.cache/" in op.path or op.path.rpartition("/")[2][:1] == "."
    return is_hidden or op.path.startswith(TEMPORARY)


def starts_by_itself(op: Operation, call: Call) -> bool:
    """True for a file that the system runs by itself, outside temporary folders."""
    is_start_up = op.file_kind in START_UP or STARTED_FILES.search(op.path) is not None
    return is_start_up and op.reach is not Reach.TEMP


def is_whole_tree(op: Operation, call: Call) -> bool:
    """True for a whole home folder or system tree, outside containers."""
    is_home = op.reach is Reach.HOME and Trait.BROAD in op.traits
    return (is_home or op.path in TREES) and Trait.IN_CONTAINER not in op.traits


def is_kept_file(op: Operation, call: Call) -> bool:
    """True for a file that is kept and that nothing rebuilds."""
    return op.reach in KEPT and Trait.REBUILDABLE not in op.traits


def is_of_machine(op: Operation, call: Call) -> bool:
    """True for system files and processes."""
    return op.reach is Reach.SYSTEM or op.thing is ResourceType.PROCESS


def is_remote(op: Operation, call: Call) -> bool:
    """True if the target is on another machine or service."""
    return op.reach in FAR


def is_stranger(op: Operation, call: Call) -> bool:
    """True if something is sent to a public host that is named by its address."""
    if op.reach is not Reach.REMOTE or Trait.DRY_RUN in op.traits:
        return False
    address = op.target.partition(" ")[0]
    # `deploy@web1:/srv`: an account of one's own on another machine, where people are asked.
    is_login = "://" not in address and ("@" in address or ":" in address)
    return not is_login and look_at_url(address).host_class is HostClass.PUBLIC


def is_machine(op: Operation, call: Call) -> bool:
    """True for another machine, or a deletion of anything but a file."""
    return is_remote(op, call) or (op.verb is Verb.DELETE and op.thing is not ResourceType.FILE)


# What nobody sets up again at once: machines, people, data.
_HELD_IN_SETS = frozenset(
    {
        *(ResourceType.VOLUME, ResourceType.BACKUP, ResourceType.MACHINE, ResourceType.ACCOUNT),
        *(ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.DATABASE, ResourceType.MESSAGE),
    }
)


def is_held_in_sets(op: Operation, call: Call) -> bool:
    """A thing of a service, or an address of another machine; tools have rows of their own."""
    # An emulator's are nobody's.
    if op.reach is Reach.LOOPBACK or is_of_tool(op, call):
        return False
    return (op.thing in _HELD_IN_SETS and "://" not in op.target) or (
        op.thing is ResourceType.URL and is_remote(op, call)
    )


def is_no_file(op: Operation, call: Call) -> bool:
    """True if the target is not a file."""
    return op.thing is not ResourceType.FILE


def is_security_file(op: Operation, call: Call) -> bool:
    """True for a file that security depends on, by its path."""
    return op.thing is ResourceType.FILE and SECURITY_FILES.search(op.path) is not None


def is_unnamed(op: Operation, call: Call) -> bool:
    """True if the target is not named, or is only known when the line runs."""
    # U+FFFD stands for what is only known as the line runs, such as a loop's variable.
    return "\ufffd" in op.target or not op.target


def opens_machine(op: Operation, call: Call) -> bool:
    """True if the target is one of the files that decide who may log in."""
    return any([name in op.target for name in ENTRY_FILES])


def is_other_guard(op: Operation, call: Call) -> bool:
    """True if it runs or touches another product that guards agents."""
    program = op.program.split(" ", 1)[0]
    return program in GUARDS or op.path.rpartition("/")[2] in GUARDS
