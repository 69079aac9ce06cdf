"""What a tool's or function's name says is done.

The verb that leads a name decides, for names are full of verbs that are nouns there:
`list_releases` lists, `create_pull_request` creates, `get_merge_status` gets. A word that is a
noun as often as a verb (`issue`, `comment`, `order`) leads only where no plain verb stands
behind it (`issue_create` creates). A second verb after `and`, `or`, `then` counts as well; the
worse of both wins.

    lead_verb(("issue", "create")) == Lead(Verb.WRITE, "create", 1)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Verb

_INERT = vocabulary(
    "abs average calculate calibrate canonicalize capitalize chunk classify colorize combine"
    " compile compose compress compute concat convert cosine decode dedupe deduplicate deserialize"
    " discount distance divide echo embed encode escape evaluate extract factorial fibonacci"
    " flatten format generate greet group hash highlight interpolate intersect invert join"
    " linearize lowercase map maximize mean median minify minimize multiply normalize optimize pad"
    " paginate parse percentile pow predict prettify print prompt rank reduce regex render reverse"
    " round sample sanitize score segment sequentialthinking serialize shuffle simulate sleep"
    " slugify solve sort split sqrt standardize stem strip subtract sum tabulate templatize think"
    " ocr transliterate lemmatize diarize deskew denoise binarize"
    " tokenize transcribe transform translate transpose trim truncated unescape unzip uppercase"
    " wait zip now time today random roll reflect calc simplify derive integrate plot chart"
)
_READ = vocabulary(
    "read get list search find query fetch show describe view lookup look count check inspect"
    " browse peek scan explain summarize analyze analyse compare diff preview validate verify ping"
    " health whoami retrieve enumerate head tail cat ls grep glob stat tree screenshot resolve poll"
    " watch monitor hover scroll estimate forecast recommend suggest detect recall has is are can"
    " should exists contains load trace lint audit identify locate match review examine return"
    " listen visualize snapshot pull select filter status info about help ask discover profile"
    " aggregate pluck measure benchmark annotate expand introspect observe test iterate yield"
    " plan geocode isochrone"
)
_FETCH = vocabulary("download navigate visit crawl scrape goto open clone")
_WRITE = vocabulary(
    "create write update modify set add edit insert upsert put patch save store append change"
    " rename move copy mark assign unassign label close reopen archive unarchive star unstar pin"
    " unpin complete toggle fill type click press drag transition snooze prioritize link"
    " attach import sync replace apply register unregister cache track record remember"
    " index bookmark favorite follow unfollow like react duplicate make new draft build initialize"
    " init prepare enqueue increment decrement adjust lock touch mkdir fork branch checkout commit"
    " stage stash tag rebase cherry log increase decrease finish"
    " populate backfill restore undo redo resize crop watermark backup"
    " export dump migrate enrich untrash mute unmute flag vote"
    " reschedule postpone learn design sketch paint amend"
)
_DELETE = vocabulary(
    "delete remove drop destroy purge truncate wipe erase empty unlink rm rmdir rmtree trash"
    " discard expunge clear flush nuke obliterate reset del prune evict deprovision decommission"
    " shred overwrite expire unset clean cleanup dispose forget"
)
_SEND = vocabulary(
    "send post email mail message reply comment notify tweet retweet dm text sms whatsapp "
    "broadcast announce forward invite share submit upload respond contact dial page alert "
    "escalate file dispatch emit webhook nudge remind inform request prescribe administer "
    "hire notarize countersign deliver"
)
_PUBLISH = vocabulary("publish deploy release merge push ship rollout rollback promote golive")
_SPEND = vocabulary(
    "pay transfer refund charge purchase buy order withdraw payout donate bid trade sell book"
    " reserve wire remit disburse stake swap redeem deposit tip reimburse capture settle liquidate"
    " invest borrow lend"
)
_PRIVILEGE = vocabulary(
    "grant revoke authorize permit elevate impersonate assume ban unban block unblock suspend"
    " deactivate reactivate delegate allow whitelist allowlist approve unlock kick onboard offboard"
    " sudo demote enroll enrol unenroll unenrol expel deport"
)
_EXECUTE = vocabulary("run exec execute eval invoke call trigger spawn launch shell do perform")
_CONTROL = vocabulary(
    "start stop restart reboot shutdown kill terminate scale pause resume halt drain cordon "
    "uncordon failover abort cancel quarantine isolate power boot stopall unsubscribe shed "
    "reroute divert energize energise deenergize ignite arm disarm evacuate vent inject "
    "infuse spray disconnect reassign"
)
_INSTALL = vocabulary("install uninstall upgrade")
_CONFIGURE = vocabulary("configure enable disable rotate override provision")
_PERSIST = vocabulary("schedule cron subscribe")

VERBS: dict[str, Verb] = {
    word: verb
    for verb, words in (
        (Verb.INERT, _INERT),
        (Verb.READ, _READ),
        (Verb.NETWORK_IN, _FETCH),
        (Verb.WRITE, _WRITE),
        (Verb.DELETE, _DELETE),
        (Verb.NETWORK_OUT, _SEND),
        (Verb.PUBLISH, _PUBLISH),
        (Verb.SPEND, _SPEND),
        (Verb.PRIVILEGE, _PRIVILEGE),
        (Verb.EXECUTE, _EXECUTE),
        (Verb.CONTROL, _CONTROL),
        (Verb.INSTALL, _INSTALL),
        (Verb.CONFIGURE, _CONFIGURE),
        (Verb.PERSIST, _PERSIST),
    )
    for word in words
}

# Nouns as often as verbs.
NOUN_LIKE = vocabulary(
    "request issue comment release commit branch tag merge pull push order charge message mail"
    " email post schedule transfer review fork star record run build test check status query"
    " file log report archive book call share cache monitor watch plan export page alert text"
    " sms dm index label track trade tip deposit draft snapshot profile time random group map"
    " score sample prompt hash rank distance discount mean sum change link stage stash backup"
    " vote flag filter view match shell trigger audit info health bid reserve capture do help"
    " about set start power boot tree head tail stem invite reply webhook forward dump import"
    " chart plot clean empty reset like block lock now today whatsapp join template pin make"
    " trash notebook package cron dispatch contact cleanup transform image swap stake"
    " design sketch paint"
)
# `set_unit_status`, `change_state` are acts; items of a to-do list are one's own.
_SETS = vocabulary("set make")
_TO_DO = vocabulary("task tasks subtask todo todos")
_CHANGED = frozenset([("change", one) for one in ("status", "state", "profile", "name", "url")])
# `drop_rate`, `kill_ratio`: the second word is the head, the first no act. Nobody counts in
# `delete_rate` or `remove_ratio`, which take one away.
COUNTED = vocabulary("drop kill purge wipe trash reset transfer charge refund release push deploy")
_MEASURES = vocabulary(
    "rate ratio percentage percent probability frequency latency duration fraction likelihood curve"
    " factor coefficient"
)
# `track_order`, `quote_refund`: where it is and what it would be.
_ASKS = vocabulary("track quote")
_DEALS = vocabulary(
    "order orders shipment shipments parcel parcels package packages delivery deliveries refund"
    " transfer payment purchase trade return exchange conversion shipping premium status price"
)
_CONJUNCTIONS = frozenset({"and", "or", "then"})

# `order_history`, `release_status`: a noun and what is looked up about it.
_LOOKED_AT = vocabulary(
    "status state history details info report log logs view summary total totals balance quote"
    " health profile count list snapshot result results metrics stats statistics url name id by"
)

# What a laboratory releases; a release of a program has no results.
_RELEASED = vocabulary("result results")
# Of a text or list, `reverse` only turns it round; of money it takes back what was paid.
_PAID = vocabulary(
    "transaction transactions payment payments charge charges transfer transfers payout payouts"
    " disbursement disbursements settlement settlements debit credit"
)

# As first words of a name as often the thing that its last word does something to.
_NOUNS_FIRST = vocabulary("list count recall segment match sample chart map plan lookup")

# How much care each verb needs where two stand in one name.
_CARE = (
    Verb.INERT,
    Verb.READ,
    Verb.NETWORK_IN,
    Verb.WRITE,
    Verb.INSTALL,
    Verb.CONFIGURE,
    Verb.CONTROL,
    Verb.PERSIST,
    Verb.EXECUTE,
    Verb.NETWORK_OUT,
    Verb.PUBLISH,
    Verb.PRIVILEGE,
    Verb.DELETE,
    Verb.SPEND,
)
CARE = {verb: rank for rank, verb in enumerate(_CARE)}


class Lead(Struct, frozen=True):
    """The leading verb of a name: its class, the word itself, and the word's index."""

    verb: Verb
    word: str
    at: int


def lead_verb(words: tuple[str, ...]) -> Lead | None:
    """Return the leading verb of a name's words, None if none of them is a known verb."""
    if words[:1] and words[0] in _ASKS and _DEALS.issuperset(words[1:]) and len(words) > 1:
        return Lead(Verb.READ, words[0], 0)
    if words[:1] == ("reverse",) and words[-1] in _PAID:
        return Lead(Verb.SPEND, "reverse", 0)
    known = [
        Lead(VERBS[word], word, at)
        for at, word in enumerate(words)
        if word in VERBS and not is_measured(words, at)
    ]
    if not known:
        is_looked_at = len(words) > 1 and words[-1] in _LOOKED_AT | _MEASURES
        return Lead(Verb.READ, words[-1], len(words) - 1) if is_looked_at else None
    plain = [lead for lead in known if lead.word not in NOUN_LIKE]
    lead = _first(words, known, plain)
    for other in known:
        follows = other.at > 0 and words[other.at - 1] in _CONJUNCTIONS
        if follows and CARE[other.verb] > CARE[lead.verb]:
            lead = other
    return lead


def is_measured(words: tuple[str, ...], at: int) -> bool:
    """Return whether a verb is really a noun: `drop` in `drop_rate`, not in `drop_table`."""
    after = words[at + 1 : at + 3]
    is_state = after[:1] == ("switch",) and _LOOKED_AT.issuperset(after[1:]) and len(after) == 2
    return words[at] in COUNTED and (is_state or (bool(after) and after[0] in _MEASURES))


def verb_of_sentence(text: str) -> Lead | None:
    """Return the verb a description starts with: `Deletes a record`, `Sending mail`; else None."""
    first = text[:400].split()[:2]
    if not first or first[1:] == ["of"]:  # `Share of lost packets`, `Release of the year`
        return None
    word = "".join(char for char in first[0].lower() if char.isalpha())
    for stem in _stems(word):
        if stem in VERBS:
            return Lead(VERBS[stem], stem, 0)
    return None


def _first(words: tuple[str, ...], known: list[Lead], plain: list[Lead]) -> Lead:
    """Choose the leading verb: the first word if it is one, else a plain one, else the worst."""
    first = known[0]
    if first.at == 0 and first.word in _NOUNS_FIRST and _is_last(known[-1], words):
        return known[-1]
    is_released = first.word == "release" and words[-1] in _RELEASED
    if first.at == 0 and (first.word not in NOUN_LIKE or first.word == "draft" or is_released):
        return first
    if plain:
        return plain[0]
    if words[-1] in _LOOKED_AT and len(words) > 1:
        # `set_unit_status` changes what `order_status` looks at; a to-do list is one's own.
        is_set = words[0] in _SETS or (words[0], words[-1]) in _CHANGED
        is_set = is_set and first.at == 0 and _TO_DO.isdisjoint(words)
        return first if is_set else Lead(Verb.READ, words[-1], len(words) - 1)
    known = [lead for lead in known if not _is_object(lead, words)] or known
    return max(known, key=lambda lead: CARE[lead.verb])


def _is_last(lead: Lead, words: tuple[str, ...]) -> bool:
    """Tell the verb that ends a name whose first word is its object: `list_send`."""
    is_verb = lead.word not in NOUN_LIKE or lead.word == "share"
    return lead.at == len(words) - 1 > 0 and is_verb and CARE[lead.verb] >= CARE[Verb.WRITE]


def _is_object(lead: Lead, words: tuple[str, ...]) -> bool:
    """Tell `log` in `filter_log_events`: what is read, not what is done."""
    before = words[lead.at - 1] if lead.at else ""
    return lead.word in ("log", "file", "index", "record") and VERBS.get(before) is Verb.READ


def _stems(word: str) -> tuple[str, ...]:
    """Return what a verb may be without its ending, the word itself first."""
    stems = [word, word[:-3] + "y"] if word.endswith("ies") else [word]
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            cut = word[: -len(ending)]
            stems.extend((cut, cut + "e"))
            if cut[-1] == cut[-2]:
                stems.append(cut[:-1])
    return tuple(stems)
