"""Evidence in the table of `combined_facts`: what else a call says of one of its Operations."""

from __future__ import annotations

from signoff.actions.known.protections import (
    LOOSENING,
    PRODUCTS,
    PROTECTIVE_VALUES,
    REMOTE_SAFEGUARDS,
    SAFEGUARD_KINDS,
    WINDOWS_CORE,
)
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import (
    TEXT_LIMIT,
    Call,
    arguments_of,
    cached_per_call,
    is_declared,
    matches,
)
from signoff.assess.combined.facts import FAR, said_by
from signoff.assess.patterns.catalogue import catalogue, certainty
from signoff.assess.patterns.randomness import is_placeholder

SCHEDULERS = frozenset({"crontab", "at", "batch", "systemd-run", "schedule file", "anacron"})
EVERYBODY = lazy_re(
    r"(?i:\ball(?:Authenticated)?Users\b)|\bsystem:(?:anonymous|unauthenticated)\b|\bpublic-read"
    r"|^(?=.*\b(?:cluster-admin|--clusterrole[= ]admin)\b).*"
    r"\b(?:system:authenticated|system:serviceaccounts|--serviceaccount[= ]default:default)\b"
    r"|(?i:\bGRANT\s+ALL\b[^;]{0,120}\bTO\s+(?:PUBLIC\b|\S{0,40}@'%'))"
    r"|--public-access[= ](?:container|blob)\b"
    r"|^(?=.*\b(?:internal|private|confidential|secret|customer|payments?|payroll|finance)\b)"
    r".*--visibility[= ]public\b"
)
# Whom a cluster takes a caller for who did not sign in.
NOBODY = lazy_re(r"\bsystem:(?:anonymous|unauthenticated)\b")
# A policy of access for whoever asks, as an argument of a tool.
PRINCIPAL = lazy_re(
    r'"Effect": "Allow"[^]]{0,400}"Principal": (?:\{"AWS": )?\[?"\*"'
    r'|"Principal": (?:\{"AWS": )?\[?"\*"[^]]{0,400}"Effect": "Allow"'
)
# One rule by its name may be ordinary work; all rules of a protective kind are not.
ALL_OF_KIND = lazy_re(r"\s--all\b|\s-A\b|--all-namespaces\b")
SURE_SHAPE = 0.9
ADMIN = lazy_re(
    r"AdministratorAccess|\broles/owner\b|--role[= ]\"?Owner\b|:policy/.*FullAccess"
    r"|\bset_user_tags\s+\S+\s+.*\badministrator\b|\bconsoleAdmin\b"
    # IPMI 2.0, 22.27: 4 is the administrator of a channel.
    r"|\buser\s+priv\s+\d+\s+(?:0x)?4\b|\buser\b.*\bprivilege[= ](?:0x)?4\b|0x1ff\b"
    r"|--rolename[= ]\"?(?:realm-)?admin\b"
    # SQL: roles that may do everything.
    r"|(?i:\b(?:create|alter)\s+(?:user|role|login)\b[^;]*\bsuperuser\b)"
    r"|(?i:\bgrant\s+(?:role\s+)?(?:accountadmin|securityadmin|orgadmin|dba|sysdba|rds_superuser)\b)"
    r"|(?i:\b(?:default_role\s*=\s*accountadmin|add\s+member)\b|\bsp_addsrvrolemember\b.*\bsysadmin)"
    r"|(?i:\bgrant\s+all(?:\s+privileges)?\s+on\s+\*\s*\.\s*\*\s+to\b)"
    r"|--role[= ]\"?(?i:super_?admin|admin(?:istrator)?|superuser)\b|\ball-privileges\b"
)
LOGIN = lazy_re(
    r"\bcreate-(?:access-key|login-profile)\b|\bkeys create\b|create-for-rbac"
    r"|\brabbitmqctl\b.*\badd_user\b|\badmin\s+user\s+add\b|\buser\s+set\s+(?:name|password)\b"
    r"|(?i:\bcreate\s+(?:user|role|login)\b[^;]*\b(?:password|identified|login)\b)"
    r"|\bkcadm(?:\.sh)?\s+set-password\b|\baz\s+ad\s+user\s+create\b"
    r"|\bset\s+\S*[Uu]sers\.\d+\.(?:[Uu]ser[Nn]ame|[Pp]assword)\b"
)
BRANCH_RULES = lazy_re(r"/branches/[^/]+/protection\b|/rulesets/\d+|/protected_branches/")
LET_IN = lazy_re(r"/collaborators/|\bpermission=admin\b|\bpush\b.*(?:--force\b|\s-f\b|\s\+)")
# Without these packages the machine does not start, or cannot be repaired. One kernel of several,
# by its version, is not among them.
ESSENTIAL = lazy_re(
    r"(?:^|[\s/])(?:linux-(?:image|modules|generic)(?!\S*\d\.\d)\S*|kernel(?:-core|-default|-modules)?|grub\S*"
    r"|shim-signed|systemd(?:-boot)?|libc6|glibc|base-files|coreutils|bash|dpkg|apt|rpm|dnf|pacman"
    r"|initramfs-tools|dracut)(?:$|[\s*])"
)
PUBLIC = lazy_re(
    r"(?i)\b(?:public|anonymous|everyone|everybody|anyone|all_?users|unauthenticated|world)\b"
    r"|\bpublic[-_](?:read|write|access)|\bPrincipal\W{1,8}\*"
)
PAID_ALL = lazy_re(
    r"(?i)\b(?:bulk|mass|batch)_?(?:pay|payout|payouts|payment|payments|refund|refunds|transfer)"
    r"|\bpay_?out_?all|\b(?:pay|refund|transfer)\w*_all\b"
    r"|\ball[ _-](?:customers|users|accounts|employees|members|sellers|vendors|recipients)\b"
)
# How many people an argument says it is for: hundreds.
MANY_PEOPLE = lazy_re(
    r"(?i)\"\w*(?:recipient|payee|beneficiar(?:y|ie)|customer|user|employee|member|seller|vendor"
    r"|payout|payment|transfer|refund)(?:s|s?_count|s?_total)\": \"?[1-9]\d{2,}\b"
)
# Three or more of them in a list.
PAYEES = lazy_re(
    r"(?i)\"\w*(?:recipient|payee|beneficiar(?:y|ie)|customer|user|employee|member|seller|vendor"
    r"|account|iban|order|payment|payout|refund)\w*\": \[(?:[^\],]+,){2}"
)
# A function's name that says it deletes all of something.
DELETES_ALL = lazy_re(
    r"(?i)(?:^|[_.])(?:delete|remove|purge|wipe|erase|destroy|drop|truncate|clear)_?(?:all|every)(?:_|$)"
    r"|(?:delete|remove|purge|wipe|erase|destroy|drop)_\w+_all$|(?:delete|remove|purge)All[A-Z]?"
    r"|(?:^|[_.])(?:purge|wipe|truncate|erase)_\w+s$"
    r"|(?:^|[_.])(?:drop|truncate|reset|recreate|reinit(?:ialize)?|nuke)_"
    r"(?:table|database|db|schema|collection)"
)
TAKES_ALL = lazy_re(
    r"(?i)\"(?:scope|which|target|selector|filter|pattern|names?|ids?)\": \[?"
    r"\"(?:all|\*|everything)\""
    r"|\"(?:all|everything|delete_all|purge|force_all)\": true|\"(?:keep|retain)\w*\": 0\b"
    r"|\"(?:older_than|age|min_age)\w*\": 0\b"
)
TAKEN_BACK = lazy_re(r"(?i)\b(?:remove|delete|revoke|unset|get|list|describe)\b")
ACCOUNT_LISTS = lazy_re(r"/etc/passwd\b|\bgetent\s+(?:passwd|shadow)\b|\bdscl\b.*\s-list\b")
OFF_WORDS = lazy_re(r"(?i)\b(?:uninstall|remove|disable|off|pause|bypass|delete|rm|chmod|mv)\b")
ENCRYPTERS = {
    **dict.fromkeys(("gpg", "gpg2"), lazy_re(r"\s(?:-\w*[ce]\b|--symmetric|--encrypt)")),
    "openssl": lazy_re(r"\benc\b(?!.*\s-d\b)"),
    "age": lazy_re(r"\s-[pre]\b"),
    **dict.fromkeys(("7z", "7za"), lazy_re(r"\s-p\w")),
    "zip": lazy_re(r"\s(?:-e|-r?e|--encrypt|-P)\b"),
    **dict.fromkeys(("ccrypt", "mcrypt"), lazy_re("")),
}


def is_scheduled(op: Operation, call: Call) -> bool:
    """True if it is scheduled at every start, or from a hidden or in-memory file."""
    if not any([name in SCHEDULERS for name in op.carriers]):
        return False
    is_hidden = "/." in op.path or op.path.startswith("/dev/shm/")  # noqa: S108 - compared
    return is_hidden or "@reboot" in call.action.text("command")


IN_FORCE = lazy_re(r"/\.git/|/(?:site|dist)-packages/|/\.husky/")


def comes_from_network(op: Operation, call: Call) -> bool:
    """True if it handles content from an untrusted source."""
    if Trait.UNTRUSTED_SOURCE in op.traits:
        return True
    # In the project a hook or a unit is a file of its sources, until somebody puts it in force.
    if op.reach is Reach.PROJECT and IN_FORCE.search(op.path) is None:
        return False
    if Trait.FETCHED in op.traits:
        return True
    downloaded = call.facts.downloaded
    # A tool that moves or copies names both files.
    return bool(downloaded) and "command" not in call.action.arguments and _reads(downloaded, call)


def _reads(paths: frozenset[str], call: Call) -> bool:
    return any([one.verb is Verb.READ and one.path in paths for one in call.operations])


def is_recursive(op: Operation, call: Call) -> bool:
    """True if it works on whole folders."""
    return Trait.RECURSIVE in op.traits


def call_encrypts(op: Operation, call: Call) -> bool:
    """True if any command of the call encrypts."""
    return _encrypts(call)


@cached_per_call
def _encrypts(call: Call) -> bool:
    for one in call.operations:
        options = ENCRYPTERS.get(one.program.split(" ", 1)[0])
        if options is not None and options.search(one.source) is not None:
            return True
    return False


def names_protection(op: Operation, call: Call) -> bool:
    """True if source or target names a protective product or setting."""
    for text in (op.source, op.target):
        if matches(PRODUCTS, text, call):
            return True
    return op.thing is ResourceType.SETTING and matches(PROTECTIVE_VALUES, op.source, call)


def names_safeguard(op: Operation, call: Call) -> bool:
    """True if it names a safeguard of a cluster, account or forge, or all rules of a kind."""
    source = said_by(op, call)
    if matches(REMOTE_SAFEGUARDS, source, call):
        return True
    return matches(ALL_OF_KIND, source, call) and matches(SAFEGUARD_KINDS, source, call)


def names_windows_core(op: Operation, call: Call) -> bool:
    """True if it names a core part of Windows."""
    return matches(WINDOWS_CORE, op.source, call)


# Users by this key are left out of the sign-in screen of Windows.
HIDES_ACCOUNT = lazy_re(r"(?i)\\SpecialAccounts\\+UserList\b")


def hides_account(op: Operation, call: Call) -> bool:
    """True if an account is hidden from the people at the machine."""
    return matches(HIDES_ACCOUNT, op.source, call)


def text_loosens(op: Operation, call: Call) -> bool:
    """True if the call contains a setting that opens access or disables a protection."""
    return _loosens(call)


@cached_per_call
def _loosens(call: Call) -> bool:
    given = call.action.arguments
    texts = [str(given.get(key, "")) for key in ("command", "content", "new_string")]
    return any([LOOSENING.search(text[:TEXT_LIMIT]) is not None for text in texts])


def names_everybody(op: Operation, call: Call) -> bool:
    """True if it gives something to everybody, such as `Principal: *`."""
    if call.action.tool.startswith("mcp__"):
        given = arguments_of(call)
        return matches(PRINCIPAL, given, call) or matches(NOBODY, given, call)
    # Of code an Operation only shows the beginning; of a line that was decoded, the call nothing.
    line = call.action.text("command")[:TEXT_LIMIT] if op.carriers else ""
    is_named = matches(EVERYBODY, op.source, call) or matches(EVERYBODY, line, call)
    return is_named and not matches(TAKEN_BACK, op.source, call)


def call_lists_accounts(op: Operation, call: Call) -> bool:
    """True if a command of the call lists the accounts of the machine."""
    return _lists_accounts(call)


@cached_per_call
def _lists_accounts(call: Call) -> bool:
    return any([ACCOUNT_LISTS.search(one.source) is not None for one in call.operations])


def is_written_by_server(op: Operation, call: Call) -> bool:
    """True for a file on another machine that a server writes, without a path."""
    return op.thing is ResourceType.FILE and op.reach in FAR and not op.path


def says_off(op: Operation, call: Call) -> bool:
    """True if its words say remove, disable, pause or the like."""
    return matches(OFF_WORDS, op.source, call)


def text_holds_key(op: Operation, call: Call) -> bool:
    """True if a text contains a key or token of a known form that is no placeholder."""
    return _holds_key(call)


@cached_per_call
def _holds_key(call: Call) -> bool:
    for channel, hits in call.hits.items():
        for hit in hits:
            if hit.startswith("secret.") and certainty(hit) >= SURE_SHAPE:
                text, patterns = call.texts[channel], catalogue().of(channel)
                places = [text[start:end] for _, (start, end) in patterns.places(hit, text)]
                if not all(map(is_placeholder, places)) or hit == "secret.private-key":
                    return True
    return False


def gives_way_in(op: Operation, call: Call) -> bool:
    """True if the call creates a login for the account and gives it all rights."""
    return _makes_admin(call)


@cached_per_call
def _makes_admin(call: Call) -> bool:
    sources = "\n".join([one.source for one in call.operations])
    return ADMIN.search(sources) is not None and LOGIN.search(sources) is not None


# postconf(5): copies of all mail, and a server that takes mail for anybody.
MAIL_AWAY = lazy_re(
    r"(?i)\b(?:always_bcc|(?:recipient|sender)_bcc_maps|luser_relay)\s*=[^'\"=]{0,80}\w@[\w-]+\.\w"
    r"|\bsmtpd_(?:relay|recipient)_restrictions\s*=\s*permit(?:\s|,|'|\"|$)"
    # The mail of all users of an office service, forwarded or opened to one address.
    r"|\ball\s+users\b.*\b(?:forward(?:ingaddress)?|delegates?|imap|sendas)\b.*\w@[\w-]+\.\w"
)


def leads_mail_away(op: Operation, call: Call) -> bool:
    """True if a mail server copies all mail to an address, or forwards anybody's."""
    return MAIL_AWAY.search(said_by(op, call)) is not None


# A rule for the mail of a whole organisation, and in it the address that gets a copy.
MAIL_RULES = lazy_re(
    r"(?i)(?:transport|mail[-_ ]?flow|routing|journal(?:ing)?|compliance|forwarding|delivery"
    r"|catch[-_ ]?all|global|org(?:ani[sz]ation)?(?:[-_ ]?wide)?|tenant|domain)"
    r"[-_ ]?(?:mail[-_ ]?)?(?:rules?|polic(?:y|ies)|settings?|routes?|config)\b"
    r"|\b(?:default_?routing|mail_?flow|journal_?(?:rule|report)\w*|catch_?all)\b"
)
MAIL_COPIES = lazy_re(
    r"(?i)(?:\bb?cc|blind_?carbon\w*|blind_?copy\w*|copy_?to\w*|journal_?(?:email_?)?(?:address|to)"
    r"|redirect_?(?:message_?)?to|also_?(?:deliver|send)_?to|(?:extra|additional)_?recipients?"
    r"|archive_?(?:to|address)|forward\w*_?to|add_?recipients?)"
    r"[\s\"':=\[@({-]{1,12}[^\s\"'@]{1,80}@[\w-]+\.\w"
)


def copies_all_mail(op: Operation, call: Call) -> bool:
    """True if a rule for the mail of a whole organisation gives a copy to an address."""
    said = _given(op, call)
    is_rule = matches(MAIL_RULES, said, call) or matches(MAIL_RULES, call.action.tool, call)
    return is_rule and matches(MAIL_COPIES, said, call)


# `/dc1/vm/*`, `all`, `host/index-*` at the end of what is named; a branch of a directory.
EVERY_ONE = lazy_re(
    r"(?:^|[\s/])(?:\*|all(?: users)?)$|^https?://[^?#]*/[^/?#]*\*[^/?#]*/?(?:[?#].*)?$"
)
SUBTREE = lazy_re(r"(?i)\bldapdelete\b.*\s-\w*r\w*\b|\bldapdelete\b.*--recursive")
BRANCH = lazy_re(r"(?i)^(?:ou|o|dc|c|l)=|^cn=(?:users|accounts|people|groups|computers)\b")


def names_every_one(op: Operation, call: Call) -> bool:
    """What is deleted is named by a sign for all of them, or is a branch with all below it."""
    if EVERY_ONE.search(op.target) is not None:
        return True
    return BRANCH.search(op.target) is not None and SUBTREE.search(op.source) is not None


def lets_everybody(op: Operation, call: Call) -> bool:
    """True if the call says that no login is needed."""
    return matches(PUBLIC, _given(op, call), call)


def pays_everybody(op: Operation, call: Call) -> bool:
    """True if the call says that everybody is paid, or many at once."""
    given = _given(op, call)
    return any([matches(one, given, call) for one in (PAID_ALL, MANY_PEOPLE, PAYEES)])


def keeps_only_one(op: Operation, call: Call) -> bool:
    """True if it hits all accounts except those of a condition: `where name!=root`."""
    return matches(ALL_BUT, op.source, call)


ALL_BUT = lazy_re(r"!=|(?i:\bnot\s+in\b|--all-except|\bexcept\b)")


def takes_all(op: Operation, call: Call) -> bool:
    """True if the arguments select everything, whatever its age."""
    return matches(TAKES_ALL, _given(op, call), call)


def deletes_all(op: Operation, call: Call) -> bool:
    """True if the function's name or arguments say that nothing is left.

    A function whose author declares what it does by hints is asked about with its full proof.
    """
    if is_declared(call):
        return False
    return DELETES_ALL.search(call.action.tool) is not None or takes_all(op, call)


def _given(op: Operation, call: Call) -> str:
    """What a shell line says of an Operation; of any other tool its arguments."""
    if "command" in call.action.arguments:
        return op.source
    return arguments_of(call)


def names_branch_rules(op: Operation, call: Call) -> bool:
    """True if branch rules are removed and the call also adds people or rewrites history."""
    if BRANCH_RULES.search(op.target) is None:
        return False
    others = [one.source for one in call.operations if one is not op]
    return any([LET_IN.search(source) is not None for source in others])


def runs_the_machine(op: Operation, call: Call) -> bool:
    """True if it names a package without which the machine does not start."""
    return ESSENTIAL.search(op.target) is not None
