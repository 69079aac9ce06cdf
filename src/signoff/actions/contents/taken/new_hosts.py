"""Values that an edit hands to a host that the text did not name before, with no use of the answer.

A client of a service uses what it answers. A line put in among others that only sends what the
function holds serves somebody else. A whole object or private values to a host that nobody knows
are refused; the same to a well-known service is asked about, and its messages and events pass.

    requests.post("https://m.example/e", json=record.to_dict())         a whole object
    rates = requests.get("https://api.example/rates").json()            none: the answer is used
    navigator.sendBeacon("https://t.example/p", '{"page": "home"}')     none: nothing of the program
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks import places
from signoff.actions.contents.taken.changes import Change, LineDiff
from signoff.actions.lexicon.private_names import concerns_people
from signoff.actions.vocabulary import lazy_re2, words

_MOST = 20
_READ = 4_000  # characters of one change
_SENDS = lazy_re2(
    r"(?i)\b(?:post|put|patch|send|sendBeacon|upload|publish|postForObject|postForEntity|postForLocation|write_?body|writeBytes)\w*!?\s*[(<\"'\[]"
    r"|method[\"']?\s*[:=]\s*[\"'](?:POST|PUT|PATCH)|[\"'](?:POST|PUT|PATCH)[\"']\s*,|:post\b|->post\b|\bhttpBody\b|\bHttpMethod\.(?:Post|Put)"
    r"|\bMethod::(?:POST|PUT)|\.data\(from:|\bhttp\.Get\(|\brequests\.get\(|\bfetch\(|\b(?:curl|wget)\b[^\n]*(?:\s-\w*[TFd]\b|--data|--upload-file|--form|--post)"
)
_USED = lazy_re2(
    r"(?i)^(?:return|yield|await\s+return|if|while|for|unless|guard|switch|case)\b"
    r"|^(?:(?:const|let|var|val|final|my|auto|use)\s+)?[\w$,\[\]{}.:<>*&@ ]{1,60}?\s*(?::=|=|<-)\s*"
)
_UNUSED = lazy_re2(
    r"(?i)^(?:(?:let|val|var|const|auto)\s+)?_\w{0,10}(?:\s*,\s*_)*\s*(?::=|=|<-)"
    r"|^(?:var|let|val|auto|final|const)?\s*[\w ]{1,40}\s*(?::=|=)\s*(?:try[?!]?\s*)?(?:new\s+)?"
    r"(?:URLRequest|HttpRequest\w*|Request|QNetworkRequest|http\.NewRequest\w*"
    r"|Net::HTTP::(?:Post|Put)|HttpPost|StringContent|Uri|URI|URL)\b"
)
_WHOLE = lazy_re2(
    r"(?i)to_?dict\(|to_?json|as_?json|to_?map\(|stringify\(\s*[a-z_$]|json_encode\(\s*\$|marshal\w*\(\s*&?[a-z_]|dumps\(\s*[a-z_]|encode\w*\(\s*\$?[a-z_]"
    r"|serialize\w*\(\s*[a-z_]|PostAsJsonAsync\([^,\n]+,\s*[a-z_]\w*|model_dump|attributes\b|json!\(\s*[a-z_&]\w*\s*\)|json[=:]\s*[a-z_]\w*\b|\.json\(\s*&|\bfindMany|\.all\b|::all\("
    r"|\bJson\.encodeToString\(|write_?value_?as_?string|dict\(\w|vars\(\w|cookies?\b|\bget_?env|process\.env|os\.environ|secret|passw|token\b|api_?key"
)
_KNOWN = lazy_re2(
    r"(?i)(?:^|\.)(?:stripe|mailchimp|openai|anthropic|googleapis|google|facebook|sentry|slack|twilio|sendgrid|mailgun|postmarkapp|hubspot|salesforce|segment|mixpanel"
    r"|datadoghq|newrelic|github|gitlab|amazonaws|azure|windows|microsoft|microsoftonline|paypal|adyen|mollie|intercom|zendesk|atlassian|pagerduty|opsgenie|cloudflare"
    r"|algolia|auth0|okta|firebaseio|posthog|amplitude|plausible|telegram|discord|discordapp|twitter|linkedin|shopify|mapbox|safaricom|xero|intuit|plaid|wise)\.\w{2,6}$|\.(?:gov|edu)(?:\.\w{2})?$|\.ac\.\w{2}$"
)
_TEXT = lazy_re2(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_FILLED = lazy_re2(r"\$\{\w|\\\(\w|#\{\w|(?-i:\bf[\"'][^\"'\n]*\{\w)|\$\w|\{\w+\}")
_KEY = lazy_re2(r"\b[A-Za-z_]\w{0,40}\s*:(?:[^:]|$)")
_NAME = lazy_re2(r"[A-Za-z_$][\w$]{0,40}")


_PLAIN = words(
    "method post put body headers content type json stringify timeout true false null none nil new"
    " map string void class await async then catch err error application fetch request location"
    " pathname"
)


def sent_to_new_host(diff: LineDiff, path: str) -> tuple[str, bool]:
    """Return the line that sends values to a host of its own, and whether they are grave."""
    for change in islice(diff.each, _MOST):
        added = "\n".join(change.added)[:_READ]
        if "://" not in added or _SENDS.search(added) is None:
            continue
        for at, address in places.addresses_in(added, {}):
            line = added[added.rfind("\n", 0, at) + 1 :].partition("\n")[0]
            if not _is_new(address, diff, change) or _is_own(address, path):
                continue
            given = _given(added, at, address)
            if not _is_unused(line, added, at) or not _has_values(given):
                continue
            is_private = _is_private(given, added, path)
            is_known = _KNOWN.search(_host(address)) is not None
            if is_private or not is_known:
                return line, is_private and not is_known
    return "", False


def _is_new(address: str, diff: LineDiff, change: Change) -> bool:
    host = _host(address)
    return bool(host) and host not in diff.kept and not any([host in one for one in change.removed])


def _is_own(address: str, path: str) -> bool:
    """Whether the host is called as the project's folder: `note-book.example` in `note_book/`."""
    same = address.replace("-", "_")
    return places.is_own(address, path) or places.is_own(same, path.replace("-", "_"))


def _host(address: str) -> str:
    return address.partition("://")[2].partition("/")[0].partition(":")[0].lower()


def _is_unused(line: str, added: str, at: int) -> bool:
    """Whether nobody takes what the host answers."""
    begin = added.rfind("\n", 0, at) + 1
    first = line
    if begin and not _SENDS.search(line):  # a call over several lines
        first = added[: begin - 1].rpartition("\n")[2]
    return _UNUSED.search(first) is not None or _USED.search(first) is None


def _given(added: str, at: int, address: str) -> str:
    """What the statement says behind the address, and what the address is filled with."""
    behind = added[at + len(address) : at + len(address) + 600]
    behind = behind[1:] if behind[:1] in ("'", '"', "`") else behind
    lines: list[str] = []
    depth = 1
    for line in behind.split("\n"):
        lines.append(line)
        depth += sum([line.count(sign) for sign in "([{"]) - sum([line.count(s) for s in ")]}"])
        if depth <= 0:
            break
    return f"{address} {' '.join(lines)}"


def _has_values(given: str) -> bool:
    """Whether anything is sent that the program holds, and not only words of the source."""
    if _FILLED.search(given) is not None:
        return True
    said = str(_KEY.sub(" ", str(_TEXT.sub(" ", given.partition(" ")[2]))))
    return any([one.lower() not in _PLAIN for one in _NAME.findall(said)])


def _is_private(given: str, added: str, path: str) -> bool:
    return _WHOLE.search(added) is not None or concerns_people(f"{given} {path}")
