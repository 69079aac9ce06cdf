"""Evidence in the table of `combined_facts`: what else a call says of one of its Operations."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from itertools import islice

from signoff.actions.action import ActionKind
from signoff.actions.known.protections import (
    LOOSENING,
    PRODUCTS,
    PROTECTIVE_VALUES,
    REMOTE_SAFEGUARDS,
    SAFEGUARD_KINDS,
    WINDOWS_CORE,
)
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.facts import FAR, Call, said_by
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
# A policy of access for whoever asks, as an argument of a tool.
PRINCIPAL = lazy_re(
    r'"Effect": "Allow"[^]]{0,400}"Principal": (?:\{"AWS": )?\[?"\*"'
    r'|"Principal": (?:\{"AWS": )?\[?"\*"[^]]{0,400}"Effect": "Allow"'
)
TEXT_LIMIT = 20_000
# One rule by its name may be ordinary work; all rules of a protective kind are not.
ALL_OF_KIND = lazy_re(r"\s--all\b|\s-A\b|--all-namespaces\b")
SURE_SHAPE = 0.9
ADMIN = lazy_re(r"AdministratorAccess|\broles/owner\b|--role[= ]\"?Owner\b|:policy/.*FullAccess")
LOGIN = lazy_re(r"\bcreate-(?:access-key|login-profile)\b|\bkeys create\b|create-for-rbac")
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
    r"|(?:^|[_.])(?:drop|truncate)_(?:table|database|schema|collection)"
)
# What a loop names one by one, from a listing or a file: `for r in $(`, `while read -r a b`.
LOOPED = lazy_re(r"\bfor\s+(\w+)\s+in\s[^;\n]*?(?:\$\(|`)|\bread\s+(?:-\w+\s+)*(\w+(?:[ \t]+\w+)*)")
# To `\b` an underscore is a letter: `$MAINNET_RPC`.
REAL_MONEY = lazy_re(r"(?i:(?<![a-z])mainnet)|\bALL\b|--sweep\b")
ENCODED = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}={0,2}")
MOST_ENCODED = 8
REPEATERS = frozenset({"xargs", "parallel"})
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
    for text in (op.source, op.target):
        if PRODUCTS.search(text) is not None:
            return True
    return op.thing is ResourceType.SETTING and PROTECTIVE_VALUES.search(op.source) is not None


def names_safeguard(op: Operation, call: Call) -> bool:
    """Name what protects a cluster, an account or a forge, or all rules of a protective kind."""
    source = said_by(op, call)
    if REMOTE_SAFEGUARDS.search(source) is not None:
        return True
    return ALL_OF_KIND.search(source) is not None and SAFEGUARD_KINDS.search(source) is not None


def names_windows_core(op: Operation, call: Call) -> bool:
    return WINDOWS_CORE.search(op.source) is not None


def text_loosens(op: Operation, call: Call) -> bool:
    """The call carries a setting that lets others in, or switches a protection off."""
    given = call.action.arguments
    texts = [str(given.get(key, "")) for key in ("command", "content", "new_string")]
    return any([LOOSENING.search(text[:TEXT_LIMIT]) is not None for text in texts])


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
    """A key or token whose shape says whose it is, and that stands for no other."""
    for channel, hits in call.hits.items():
        for hit in hits:
            if hit.startswith("secret.") and certainty(hit) >= SURE_SHAPE:
                text, patterns = call.texts[channel], catalogue().of(channel)
                places = [text[start:end] for _, (start, end) in patterns.places(hit, text)]
                if not all(map(is_placeholder, places)) or hit == "secret.private-key":
                    return True
    return False


def gives_way_in(op: Operation, call: Call) -> bool:
    """The call makes a login for the account and gives it every right."""
    sources = "\n".join([one.source for one in call.operations])
    return ADMIN.search(sources) is not None and LOGIN.search(sources) is not None


def lets_everybody(op: Operation, call: Call) -> bool:
    """The call says that nobody needs a login."""
    return PUBLIC.search(_given(op, call)) is not None


def pays_everybody(op: Operation, call: Call) -> bool:
    """The call says that all of them are paid, or that it pays many at once."""
    given = _given(op, call)
    return any([one.search(given) is not None for one in (PAID_ALL, MANY_PEOPLE, PAYEES)])


def goes_through_a_list(op: Operation, call: Call) -> bool:
    """A loop, or a program that repeats it, does it to each entry of a listing or a file."""
    if not REPEATERS.isdisjoint(op.carriers):
        return True
    line = call.action.text("command")[:TEXT_LIMIT]
    said = [line, *[one.source for one in call.operations], *_decoded(line)]
    loops = LOOPED.finditer("\n".join(said)[: 2 * TEXT_LIMIT])
    names = {name for loop in loops for name in (loop[1] or loop[2]).split()}
    return any([re.search(rf"\$\{{?{name}\b", op.source) is not None for name in names])


def pays_each(op: Operation, call: Call) -> bool:
    """The same with real money: production, a main chain, or all that an account holds."""
    is_real = op.reach is Reach.PRODUCTION or REAL_MONEY.search(op.source) is not None
    is_real = is_real or op.verb is Verb.NETWORK_OUT
    return is_real and goes_through_a_list(op, call)


def _decoded(line: str) -> Iterator[str]:
    """The texts in base64 that stand in a line: of a decoded loop no Operation shows the head."""
    for found in islice(ENCODED.finditer(line), MOST_ENCODED):
        try:
            yield base64.b64decode(found[0], validate=True).decode()
        except ValueError:
            continue


def goes_through_production(op: Operation, call: Call) -> bool:
    """The same, where the call names production: in a listing's filter, an alias, a path."""
    if not goes_through_a_list(op, call):
        return False
    said = [call.action.text("command"), *[one.source for one in call.operations]]
    return op.reach is Reach.PRODUCTION or is_production("\n".join(said)[:TEXT_LIMIT])


# What leaves a machine or device empty: settings and data gone, to be set up by hand.
ERASES = lazy_re(
    r"(?i)\bwrite\s+erase\b|\berase\s+(?:startup-config|nvram|flash|all)"
    r"|\bfactory[-_ ]?(?:reset|default)"
    r"|\bzeroize\b|\bwipe[-_]?data\b|--wipe\b|\berase[-_]flash\b|\bMASTER_CLEAR\b|\bflash:?\s+format\b"
    r"|\bformat\s+(?:flash|disk|nvram)|\bsystem\s+reset-config"
    r"|\bdelete\s+/(?:force|recursive)\S*\s+\S*flash"
    r"|\breset\s+saved-configuration|\bclear\s+(?:config|configuration)\s+all|\bload\s+factory-default"
    r"|\bsecure[-_ ]?erase\b|\breset-configuration\b|\bmass_erase\b"
)
BRACED = lazy_re(r"\bfor\s+\w+\s+in\s[^;\n]*\{[^}\n]*(?:\.\.|,)[^}\n]*\}")


def erases_each(op: Operation, call: Call) -> bool:
    """Each machine of a list is erased."""
    text = call.action.text("command")[:TEXT_LIMIT]
    if ERASES.search(text) is None:
        return False
    return (
        BRACED.search(text) is not None
        or LOOPED.search(text) is not None
        or (not REPEATERS.isdisjoint(op.carriers))
    )


def keeps_only_one(op: Operation, call: Call) -> bool:
    """All accounts but those that a condition names: `where name!=root`."""
    return ALL_BUT.search(op.source) is not None


ALL_BUT = lazy_re(r"!=|(?i:\bnot\s+in\b|--all-except|\bexcept\b)")


def opens_a_list(op: Operation, call: Call) -> bool:
    """The same, and the world can see each entry."""
    return goes_through_a_list(op, call) and PUBLIC.search(op.source) is not None


def takes_all(op: Operation, call: Call) -> bool:
    """The arguments say that nothing is left: all of them, whatever their age."""
    return TAKES_ALL.search(_given(op, call)) is not None


def deletes_all(op: Operation, call: Call) -> bool:
    """The name of the function, or its arguments, say that nothing is left.

    A function whose author declares what it does by hints is asked about with its full proof.
    """
    if call.action.kind is ActionKind.FUNCTION and call.action.hints:
        return False
    return DELETES_ALL.search(call.action.tool) is not None or takes_all(op, call)


def _given(op: Operation, call: Call) -> str:
    """What a shell line says of an Operation; of any other tool its arguments."""
    if "command" in call.action.arguments:
        return op.source
    return json.dumps(call.action.arguments)[:TEXT_LIMIT]


def names_branch_rules(op: Operation, call: Call) -> bool:
    """The rules of a branch go, and the same call lets somebody in or rewrites the branch."""
    if BRANCH_RULES.search(op.target) is None:
        return False
    others = [one.source for one in call.operations if one is not op]
    return any([LET_IN.search(source) is not None for source in others])


def runs_the_machine(op: Operation, call: Call) -> bool:
    return ESSENTIAL.search(op.target) is not None
