"""Names of protections and records, and the words that switch one off.

Products name them differently, but all of them join a name and a value: an option, a property of a
cmdlet, a key of settings, a sub-command. `audit`, `real-time protection` or `firewall` beside
`off`, `false`, `none` or `disable` is the same act in each of them.

    guard_off(("-AuditEnabled", "$false"))             "audit enabled"
    guard_off(("audit-log", "disable"))                "audit log"
    guard_off(("--set", "firewall.enabled=true"))      ""
    guard_off(("--exclude-path", "/", "--av"))         ""  the name of no product stands beside it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.vocabulary import lazy_re, lazy_re2

MOST_WORDS = 48
_MOST_PAIRS = 60
_LONGEST = 4_000  # characters of one word that holds settings
_OFF = vocabulary(
    "false off no none 0 disabled disable null nil noop never inactive stopped permissive n"
)
_ON = vocabulary("true on yes 1 enabled enable y")
# Words that stop what stands beside them: `audit disable`, `disable-audit`, `--no-audit-log`.
_STOPS = vocabulary("disable off stop suspend deactivate false none disabled")
_NEGATES = vocabulary("no disable disabled without skip bypass suppress off deactivate")
# Words of a key that only say that the rest is a switch.
_STATES = vocabulary(
    "enabled enable active activated status state mode type on set value setting settings config"
    " configuration default global org organization update is allow change use with for the all"
)
# At the end of a name: what stands before it is what the switch is about.
_RECORD = (
    r"(?:audit(?:ing|d)?|pgaudit|auditlogs?|auditlogging)"
    r"(?: (?:logs?|logging|trails?|events?|records?|ingestion|polic(?:y|ies)|devices?|sinks?"
    r"|webhook|stream(?:s|ing)?|daemon|service|collection|capture))*"
    r"|(?:activity|security|admin|flow|command|keystroke) (?:logs?|logging|recording|journal)"
    r"|(?:log ?traffic|traffic ?logs?|traffic logging)|cloudtrail"
    r"|script ?block logging|powershell transcription"
)
_WATCH = (
    r"(?:protections?|detection|prevention|scan(?:s|ner|ning)?|monitor(?:ing)?|engine|agent"
    r"|sensor|guard|defen[cs]e|shields?)"
)
_SHIELD = (
    r"(?:anti ?virus|anti ?malware|anti ?spyware|defender|firewalls?|edr|xdr|waf|dlp|smartscreen"
    rf"|amsi|clamav|uac|selinux|apparmor)(?: (?:{_WATCH}|service|profiles?|rules?))*"
    rf"|(?:intrusion|tamper|ransomware|malware|virus|threat|exploit|real ?time|realtime|on ?access"
    rf"|behaviou?r|endpoint|network|cloud|bruteforce|brute force)(?: {_WATCH})+"
    r"|(?:mfa|2fa|two factor|multi ?factor)(?: (?:auth|authentication|required|requirement"
    r"|enforced|enforcement|policy))+"
    r"|requires? (?:mfa|2fa|factors?|two factor|multi ?factor|second factor)"
)
_GUARD = lazy_re2(rf"(?:^| )((?:{_RECORD})|(?:{_SHIELD}))$")
_RECORDS = lazy_re2(rf"(?:{_RECORD})$")
# One look that nearly every command fails.
_HINT = lazy_re2(
    r"(?i)audit|virus|malware|spyware|defender|firewall|edr|xdr|waf|dlp|smart_?screen|amsi|clamav"
    r"|\buac|selinux|apparmor|intrusion|tamper|ransom|threat|exploit|real.?time|on.?access|behavi"
    r"|endpoint|brute|mfa|2fa|factor|activity|security.?(?:log|rec|jou)|flow.?log|admin.?log"
    r"|cloudtrail|script.?block|transcription|keystroke|log.?traffic|traffic.?log"
    r"|command.?(?:log|rec)|protection|MpPref"
)
_PAIR = lazy_re2(
    r"[\"']?([A-Za-z][\w.-]{1,60})[\"']?\s*(?:=>|:=|[:=])\s*[\"']?\\?[\"']?(\$?\w{1,10})\b"
)
_LIST = lazy_re2(r"[\"']([A-Za-z][\w.-]{1,60})[\"']\s*:\s*\[([^\[\]{}]{1,600})\]")
_KEY = lazy_re2(r"(?:^|[\s\"'{;,&?-])([A-Za-z][\w.-]{3,40})[\"']?(?:\s*[=:]|\s+)")
_NESTED = lazy_re2(
    r"[\"']?([A-Za-z][\w.-]{1,60})[\"']?\s*[:=]\s*@?\{[^{}]{0,200}?[\"']?\b"
    r"(?:enabled?|active|status|state|mode|on)[\"']?\s*[:=]\s*[\"']?(\$?\w{1,10})\b"
)
# A word that holds settings or a statement, and no text for people: JSON, a table, SQL.
_HOLDS_PAIRS = lazy_re(r"\s*(?:[\[{<]|@[{(]|(?i:alter|set|exec(?:ute)?|call|begin|configure)\s)")
_EXEMPTS = vocabulary("exclusion exclusions exclude excluded whitelist allowlist exemption exempt")
_EXEMPTED = vocabulary(
    "path paths process processes extension extensions folder folders directory dir drive file"
)
_PRODUCT = lazy_re2(
    r"(?i)\b(?:defender|anti.?virus|anti.?malware|mp_?preference|msft_mp\w*|mpcmdrun|sophos\w*"
    r"|crowdstrike|falcon\w*|sentinel(?:one|ctl)|mdatp|clam\w*|eset\w*|kaspersky|bitdefender"
    r"|symantec|mcafee|trellix|trend.?micro|carbon.?black|cb(?:agent|defense)|cylance\w*|avast|avg"
    r"|malwarebytes|endpoint.?(?:protection|security)|real.?time.?(?:scan|protection)\w*|edr|xdr)\b"
)
Pair = tuple[str, str | None]


def hints_at_guard(text: str) -> bool:
    """Return whether a text can name a protection or record at all."""
    return _HINT.search(text) is not None


def guard_off(words: Sequence[str]) -> str:
    """Return the protection or record that the words of a command switch off, else ""."""
    head = words[:MOST_WORDS]
    for name, value in _pairs_of(head):
        if found := _switched_off(name, value):
            return found
    return _stopped(head) or _exempted(head)


def guard_off_in(text: str) -> str:
    """Return the protection that settings in a text, as JSON, switch off, else ""."""
    if not hints_at_guard(text[:_LONGEST]):
        return ""
    for name, value in _pairs_in(text):
        if found := _switched_off(name, value):
            return found
    return _listed(text[:_LONGEST])


def _listed(text: str) -> str:
    """Return the protection that a list of what is to be switched off names, else ""."""
    for match in islice(_LIST.finditer(text), _MOST_PAIRS):
        if _NEGATES.isdisjoint(split_words(match.group(1))):
            continue
        for item in match.group(2).split(","):
            if found := _named([*split_words(item.strip(" \"'")), "enabled"]):
                return found
    return ""


def is_record(name: str) -> bool:
    """Return whether a protection by its name records what is done."""
    return _RECORDS.search(name) is not None


def _switched_off(name: str, value: str | None) -> str:
    """Return the protection that a key names, if the value switches it off."""
    said = split_words(name)
    is_negated = bool(said) and (said[0] in _NEGATES or said[-1] in ("disabled", "off"))
    is_on = value is None or value.lower().strip("$") in _ON
    is_off = value is not None and value.lower().strip("$") in _OFF
    if not (is_on if is_negated else is_off):
        return ""
    core = [word for word in said if word not in _NEGATES] if is_negated else list(said)
    return _named(core)


def _named(said: Sequence[str]) -> str:
    """Return the protection that words name at their end, without words such as `enabled`."""
    core = [word for word in said if word not in _STATES]
    match = _GUARD.search(" ".join(core))
    # One bare `audit` is as often the check of packages: it counts with what says that it is a log.
    if match is None or (str(match.group(1)) == "audit" and len(said) == 1):
        return ""
    return str(match.group(1))


def _pairs_of(words: Sequence[str]) -> Iterator[Pair]:
    """Yield names with their values, None for a bare option; a text for people holds none."""
    for at, word in enumerate(words):
        if _HOLDS_PAIRS.match(word) is not None:
            yield from _pairs_in(word)
        elif not any(map(str.isspace, word)):
            after = words[at + 1] if at + 1 < len(words) else ""
            yield from _pairs_at(word, after.strip("'\""), words[:at])


def _pairs_at(word: str, after: str, before: Sequence[str]) -> Iterator[Pair]:
    """Yield what one word without blanks and the word after it say."""
    name, sign, value = word.partition("=") if "=" in word else word.partition(":")
    is_option = word[:1] == "-"
    if sign and "//" not in word:
        # `AUDIT_LOG=off` is the environment of a run, and no setting of a service.
        if is_option or not name.isupper():
            yield name, value.strip("'\"")
        return
    is_value = after.lower().strip("$") in _OFF | _ON
    if is_option:
        yield word, after if is_value else None
    if is_option and is_value and before:
        # `Set-AuditConfig -Enabled $false`: the command says what the switch is about.
        yield f"{_subject(before)} {word}", after
    elif is_value and ("." in word or "_" in word):
        yield word, after


def _subject(words: Sequence[str]) -> str:
    plain = [word for word in words[:4] if word[:1] != "-" and word.replace("-", "").isalnum()]
    return " ".join(plain)


def _pairs_in(text: str) -> Iterator[Pair]:
    head = text[:_LONGEST].replace('\\"', '"')
    for match in islice(_PAIR.finditer(head), _MOST_PAIRS):
        yield str(match.group(1)), str(match.group(2))
    for match in islice(_NESTED.finditer(head), _MOST_PAIRS):
        yield f"{match.group(1)} enabled", str(match.group(2))


def _stopped(words: Sequence[str]) -> str:
    """Find `audit-log disable`, `disable audit-log`: plain words beside a word that stops."""
    plain = [word for word in words[1:8] if word[:1] != "-" and word.replace("-", "").isalnum()]
    for at, word in enumerate(plain):
        if word.lower() not in _STOPS:
            continue
        for named in (plain[max(0, at - 3) : at], plain[at + 1 : at + 3]):
            said = [part for one in named for part in split_words(one)]
            if said and (found := _named([*said, "enabled"])):
                return found
    return ""


def _exempted(words: Sequence[str]) -> str:
    """Find what a product that looks for malware is told to leave out."""
    told = [one for one in words if " " not in one or _HOLDS_PAIRS.match(one) is not None]
    text = " ".join(told)[:_LONGEST]
    if _PRODUCT.search(text) is None:
        return ""
    keys = [str(match.group(1)) for match in islice(_KEY.finditer(text), _MOST_PAIRS)]
    for said in (frozenset(split_words(key)) for key in keys):
        if said & _EXEMPTS and said & _EXEMPTED:
            return "antivirus"
    return ""
