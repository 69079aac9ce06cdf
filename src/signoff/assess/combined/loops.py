"""Evidence that something is done to each entry of a list, for the rows in `loop_rows`."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import islice

from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re, lazy_words_re, words
from signoff.assess.combined.call import TEXT_LIMIT, TRIAL, Call, cached_per_call, matches
from signoff.assess.combined.facts import is_remote
from signoff.assess.combined.signs import PUBLIC

# What a loop names one by one, from a listing or a file: `for r in $(`, `while read -r a b`.
LOOPED = lazy_re(r"\bfor\s+(\w+)\s+in\s[^;\n]*?(?:\$\(|`)|\bread\s+(?:-\w+\s+)*(\w+(?:[ \t]+\w+)*)")
# To `\b` an underscore is a letter: `$MAINNET_RPC`.
REAL_MONEY = lazy_re(r"(?i:(?<![a-z])mainnet)|\bALL\b|--sweep\b")
ENCODED = lazy_re(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}={0,2}")
MOST_ENCODED = 8
# To the pattern an underscore is no letter: `all_customers.txt`.
PEOPLE = lazy_re(
    r"(?i)(?<![a-z])(?:customers?|clients?|users?|subscribers?|members?|employees?|staff|contacts?"
    r"|patients?|students?|parents|guests?|recipients?|leads|phones?|mailing|tenants?|donors?"
    r"|voters?|audience)(?![a-z])"
)
LISTED = lazy_re(r"\$\(([^()]{1,200})\)|<\s*([^\s;|&]+)")
_TRIAL_CHAIN = lazy_re(r"(?i)\b(?:regtest|signet|testnet\d?|devnet|sepolia|holesky|goerli|anvil)\b")
REPEATERS = frozenset({"xargs", "parallel"})
# How code takes what a line gives it: its arguments, its environment, what is piped in.
_TAKES_GIVEN = lazy_re(r"\b(?:argv|ARGV|args|environ|getenv|ENV|stdin|STDIN)\b|process\.env|\$env:")
# A loop of code over what is not written out: rows of a file, a listing.
_CODE_LOOP = lazy_re(
    r"\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+(?!range\b|[(\[{\d'\"])"
    r"|\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+[\w{}\[\], ]+\s+of\s+(?!\[)"
    r"|(?<![\])])\.(?:each|foreach|forEach|map|find_each|each_row|each_line)\b\s*[({d]"
    r"|\.foreach\(|\bforeach\s*\(\s*(?!\[)"
)


def goes_through_a_list(op: Operation, call: Call) -> bool:
    """True if a loop, or a program like `xargs`, repeats it for each entry of a list."""
    if not REPEATERS.isdisjoint(op.carriers):
        return True
    if op.carriers and _is_in_loop_of_code(op.source, op.program.rpartition(".")[2]):
        return True
    names = _looped_names(call)
    if not names:
        return False
    # Code in a line is given the loop's entry as an argument: `python3 -c CODE "$ip"`.
    # A line for another machine has the entry filled in: `ssh host "qm destroy $id"`.
    is_filled = "\ufffd" in op.source and Trait.ON_REMOTE_HOST in op.traits
    is_given = op.carriers and (is_filled or matches(_TAKES_GIVEN, op.source, call))
    said = call.action.text("command")[:TEXT_LIMIT] if is_given else op.source
    return any([re.search(rf"\$\{{?{name}\b", said) is not None for name in names])


def _is_in_loop_of_code(code: str, name: str) -> bool:
    """Tell whether a call of this name stands in the body of a loop, or in a comprehension."""
    text = code[:TEXT_LIMIT]
    calls = [found.start() for found in islice(re.finditer(rf"\b{re.escape(name)}\b", text), 20)]
    for loop in islice(_CODE_LOOP.finditer(text), 20) if calls else ():
        if any([_is_within(text, loop.start(), loop.end(), at) for at in calls]):
            return True
    return False


def _is_within(text: str, start: int, end: int, at: int) -> bool:
    """Tell whether a place belongs to the loop whose head stands from `start` to `end`."""
    line = text.rfind("\n", 0, start) + 1
    if at < start:  # `[pay(row) for row in rows]`
        return at > line and re.search(r"[(\[]", text[line:at]) is not None and text[line] != " "
    between = text[end:at]
    if "\n" not in between or text[end - 1] in "({":
        return between.count("{") >= between.count("}")
    if re.search(r"\{|\bdo\b", between.partition("\n")[0]) is not None:
        is_open = between.count("{") >= between.count("}")
        return is_open and re.search(r"(?m)^end\b", between) is None
    # The body of a loop in Python is indented further than its head.
    own = len(text[line:]) - len(text[line:].lstrip())
    lines = (*between.split("\n")[1:-1], text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0])
    return all([len(one) - len(one.lstrip()) > own for one in lines if one.strip()])


@cached_per_call
def _looped_names(call: Call) -> frozenset[str]:
    line = call.action.text("command")[:TEXT_LIMIT]
    said = [line, *[one.source for one in call.operations], *_decoded(line)]
    loops = LOOPED.finditer("\n".join(said)[: 2 * TEXT_LIMIT])
    return frozenset([name for loop in loops for name in (loop[1] or loop[2]).split()])


def pays_each(op: Operation, call: Call) -> bool:
    """The same with real money, or with messages to people."""
    if op.verb is Verb.SPEND:
        return _is_real_money(op, call) and goes_through_a_list(op, call)
    is_paid = op.thing is not ResourceType.MESSAGE or _names_people(call)
    return is_paid and goes_through_a_list(op, call)


def _is_real_money(op: Operation, call: Call) -> bool:
    """Production, a main chain, all that an account holds; else where nothing says it is a trial.

    `stripe` on a command line uses test keys unless it is told otherwise; code uses what it gets.
    """
    if op.reach is Reach.PRODUCTION or matches(REAL_MONEY, op.source, call):
        return True
    is_trial = op.program.split(" ", 1)[0] == "stripe" or _names_trial(call)
    return not is_trial


@cached_per_call
def _names_trial(call: Call) -> bool:
    said = "\n".join([call.action.text("command"), *[one.source for one in call.operations]])
    return TRIAL.search(said[:TEXT_LIMIT]) is not None or _TRIAL_CHAIN.search(said) is not None


@cached_per_call
def _names_people(call: Call) -> bool:
    """A list of people: what is read or listed is named after them."""
    named = [one.target for one in call.operations if one.verb is Verb.READ]
    listed = LISTED.finditer(call.action.text("command")[:TEXT_LIMIT])
    said = " ".join([*named, *[found[0] for found in listed]])
    return PEOPLE.search(said) is not None and not _names_trial(call)


def _decoded(line: str) -> Iterator[str]:
    """The texts in base64 that stand in a line: of a decoded loop no Operation shows the head."""
    for found in islice(ENCODED.finditer(line), MOST_ENCODED):
        try:
            yield base64.b64decode(found[0], validate=True).decode()
        except ValueError:
            continue


def goes_through_production(op: Operation, call: Call) -> bool:
    """True if it is repeated for a list and the call names production."""
    if not goes_through_a_list(op, call):
        return False
    return op.reach is Reach.PRODUCTION or _names_production(call)


@cached_per_call
def _names_production(call: Call) -> bool:
    said = [call.action.text("command"), *[one.source for one in call.operations]]
    return is_production("\n".join(said)[:TEXT_LIMIT])


# What leaves a machine or device empty: settings and data gone, to be set up by hand.
ERASES = lazy_words_re(
    r"(?i)\bwrite\s+erase\b|\berase\s+(?:startup-config|nvram|flash|all)"
    r"|\bfactory[-_ ]?(?:reset|default)"
    r"|\bzeroize\b|\bwipe[-_]?(?:data|device)\b|\berase[-_]?device\b"
    r"|\bremote[-_]?wipe\b|/(?:wipe|erase)\b|--wipe\b|\berase[-_]flash\b|\bMASTER_CLEAR\b|\bflash:?\s+format\b"
    r"|\bformat\s+(?:flash|disk|nvram)|\bsystem\s+reset-config"
    r"|\bdelete\s+/(?:force|recursive)\S*\s+\S*flash"
    r"|\breset\s+saved-configuration|\bclear\s+(?:config|configuration)\s+all|\bload\s+factory-default"
    r"|\bsecure[-_ ]?erase\b|\breset-configuration\b|\bmass_erase\b"
)
BRACED = lazy_re(r"\bfor\s+\w+\s+in\s[^;\n]*\{[^}\n]*(?:\.\.|,)[^}\n]*\}")


def erases_each(op: Operation, call: Call) -> bool:
    """True if each machine of a list is erased."""
    line = call.action.text("command")[:TEXT_LIMIT]
    text = "\n".join([line, *_decoded(line)])
    if not matches(ERASES, text, call):
        return False
    return (
        matches(BRACED, text, call)
        or matches(LOOPED, text, call)
        or (not REPEATERS.isdisjoint(op.carriers))
    )


def opens_a_list(op: Operation, call: Call) -> bool:
    """True if it is repeated for a list and makes each entry public."""
    return goes_through_a_list(op, call) and matches(PUBLIC, op.source, call)


# What a server holds for others: zones, logins, mailboxes, databases.
_HELD = frozenset(
    {ResourceType.NETWORK, ResourceType.ACCOUNT, ResourceType.MESSAGE, ResourceType.DATABASE}
)
# What leaves some of a listing out; `tail -n +2` only drops its head.
_PICKS = lazy_re(
    r"\b(?:[ef]?grep|rg|head|fzf|comm)\b|\bselect\(|--(?:filter|query|selector)\b|(?i:\bwhere\b)"
    r"|\btail\b(?!\s+(?:-n\s*)?\+)|\bawk\b[^|;)]*(?:/|==|~|\$\d\s*[<>])|\[\[?\s|\bcase\b"
)
# Masters that write to the controllers of plants: Modbus, BACnet, OPC UA, KNX.
_MASTERS = words("mbpoll modpoll modbus mbtget bacwp bacrd uawrite knxtool")


# `Get-Mailbox -ResultSize Unlimited | Remove-Mailbox`, or `| ForEach-Object { Search-Mailbox }`.
_PIPED_LISTING = lazy_re(
    r"(?i)(?<!\bin )\bget-([a-z]+)\b([^|;\n]*)\|([^;\n]*)"
    r"|\bin\s+get-([a-z]+)\b([^|;\n)]*)\)\s*\{([^}]*)\}"
)
_KEPT_LISTING = lazy_re(r"(?i)\$(\w+)\s*=\s*(get-[^;|\n$]+)[;\n]")
# What leaves some of it out, or names one: a condition, a name, the first few.
_NARROWED = lazy_re(
    r"(?i)\bwhere|\bselect|-(?:identity|id|name|searchbase|ldapfilter|filter)\b|\s['\"\w]"
)
_UNNARROWED = lazy_re(
    r"(?i)-(?:resultsize|filter|all|properties)\b\S*(?:\s+['\"]?(?:unlimited|\*)['\"]?)?"
)


def is_held_for_others(op: Operation, call: Call) -> bool:
    if op.thing in (ResourceType.CLUSTER, ResourceType.VOLUME):
        return is_remote(op, call) or Trait.ON_REMOTE_HOST in op.traits
    return op.thing in _HELD or op.thing is ResourceType.CLOUD


def says_purged(op: Operation, call: Call) -> bool:
    """True if an option of a change says that nothing stays: `job stop -purge`."""
    return _PURGED.search(op.source) is not None


_PURGED = lazy_re(r"\s--?(?:purge|destroy|delete-data|remove-volumes)\b")


def says_cancelled(op: Operation, call: Call) -> bool:
    """True if it ends what people hold: `subscriptions cancel`."""
    return op.thing is not ResourceType.MESSAGE and _CANCELLED.search(op.source) is not None


_CANCELLED = lazy_re(r"(?i)(?<![a-z])(?:cancel|terminate|revoke|void|unsubscribe|expire)(?![a-z])")


def goes_through_live(op: Operation, call: Call) -> bool:
    """True if it acts on production itself, for each entry of a list."""
    return op.reach is Reach.PRODUCTION and goes_through_a_list(op, call)


def empties_a_pipe(op: Operation, call: Call) -> bool:
    """All that a cmdlet lists goes to one that deletes the same kind, and nothing is left out."""
    verb, _, noun = op.program.partition("-")
    if not noun or op.verb is not Verb.DELETE:
        return False
    text = op.source[:TEXT_LIMIT]
    for kept in islice(_KEPT_LISTING.finditer(text), 8):
        use = rf"\bin\s+\${kept[1]}\b|(?m:^\s*|;\s*)\${kept[1]}(?=\s*\|)"
        text = re.sub(use, f"in {kept[2]}".replace("\\", r"\\"), text)
    for found in _PIPED_LISTING.finditer(text):
        kind, given, then = found.groups()[:3] if found[1] else found.groups()[3:]
        kind, given = kind.lower(), _UNNARROWED.sub("", given)
        is_same = kind in (noun, f"{noun}s") or noun in (f"{kind}s", kind.removesuffix("s"))
        is_next = re.search(rf"(?i)\b{verb}-{noun}\b", then) is not None
        if is_same and is_next and _NARROWED.search(given) is None:
            return re.search(r"(?i)\bwhere|\bselect\b|\s\?\s|\bif\s*\(", then) is None
    return False


def empties_a_listing(op: Operation, call: Call) -> bool:
    """True if a program deletes everything it lists itself, without exception."""
    text = call.action.text("command")[:TEXT_LIMIT]
    if not goes_through_a_list(op, call) or matches(_PICKS, text, call):
        return False
    program = re.escape(op.program.split(" ", 1)[0])
    listing = (
        rf"(?:^|[\s(`|;&'\"]){program}\s[^|;&)\n]{{0,200}}?(?:list|\bls\b|show|\bget|['\"]\*['\"]"
        # `nomad job status`, `heroku apps --json`: what there is, without a word for it.
        r"|\bstatus\b|\ws\s+--?(?:json|format|output|quiet|o|q)\b)"
    )
    return re.search(listing, text) is not None


_PLANT = lazy_re(
    r"(?i)(?<![a-z])(?:plcs?|plants?|scada|rtus?|substations?|reactors?|turbines?|pumps?|valves?|relays?"
    r"|controllers?|factory|factories)(?![a-z])"
)


def is_plant(op: Operation, call: Call) -> bool:
    """True for the controller of a plant or building, on another machine."""
    is_far = op.reach is Reach.REMOTE or op.reach is Reach.PRODUCTION
    if is_far and op.thing is ResourceType.DEVICE:
        return matches(_PLANT, call.action.text("command")[:TEXT_LIMIT], call)
    return is_far and op.program.split(" ", 1)[0] in _MASTERS


# Groups that hold every right of a Windows machine or a domain, and what makes a login.
_ADMIN_GROUPS = lazy_re(r"(?i)\b(?:domain|enterprise|schema)\s+admins\b|\badministrators\b")
_NEW_LOGIN = lazy_re(
    r"(?i)\busers?\s+(?:create|add)\b|\bnew-(?:local|ad)user\b|\benable-(?:local|ad)"
    r"|\bnet1?(?:\.exe)?\s+user\s+\S+\s+(?:\S+\s+)*?/(?:add|active:yes)\b"
)


def makes_administrator(op: Operation, call: Call) -> bool:
    """The call makes a login, or wakes one, and puts it among the administrators."""
    text = call.action.text("command")[:TEXT_LIMIT]
    return matches(_ADMIN_GROUPS, text, call) and matches(_NEW_LOGIN, text, call)


# Columns of a table that are about persons.
_COLUMNS = lazy_re(
    r"(?i)(?<![a-z])(?:iban|ssn|passport|e?mails?|phones?|birth(?:day|date)?|dob|salary|diagnos[ei]s"
    r"|address(?:es)?|card_?numbers?)(?![a-z])"
)


# `user@host:path` of a program that copies.
_HOST = lazy_re(r"^(?![\w+.-]+://)(?:[^@/\s]*@)?(?=[\w.-]+:)")


def sends_people(op: Operation, call: Call) -> bool:
    """A file named after people, of whose columns some are private, goes to another machine."""
    if Trait.SENDS_FILES not in op.traits or not _names_people(call):
        return False
    if look_at_url(_HOST.sub("x://", op.target)).host_class is HostClass.PRIVATE:
        return False
    return matches(_COLUMNS, call.action.text("command")[:TEXT_LIMIT], call)
