"""GraphQL requests that try many secrets at once, or ask in circles.

Finds:
    Ten or more calls of one field with a password, a code or a token in one request, under other
    names or in a batch; a field that is asked for within itself ten times.

Why it matters:
    A limit on requests counts one, and the server tries every code; answers of a circle grow with
    each round until the server stops.

Example:
    {"query": "mutation { a: login(pin: \\"0000\\") { ok } b: login(pin: \\"0001\\") { ok } ... }"}

Does not find:
    Large requests of any other kind: `graphql_limits` bounds those, by your numbers.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from signoff.actions.action import ActionKind
from signoff.actions.vocabulary import lazy_re
from signoff.assess.contexts.graphql import GraphqlCall, calls_of, documents_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.matching import request
from signoff.assess.finding import Finding, Severity

ID = "graphql-abuse"
GUESSES = 10
ROUNDS = 8  # through other fields: authors of posts of authors
LEVELS = 15  # of one field: answers to answers
BODY_LIMIT = 1 << 20
# Types of lists and of what must be there, as questions about the schema unfold them.
_OF_SCHEMA = frozenset({"ofType"})
# What only a sign-in or a payment is given, and what many other things have as well: codes of
# currencies are asked for by the dozen, users are made by the dozen with a password.
_OF_SIGN_IN = frozenset(("otp", "totp", "passcode", "cvv", "cvc", "mfa"))
_OFTEN_SECRET = frozenset(
    (
        *("pin", "password", "passwd", "passwort", "senha", "contrasena", "secret", "code"),
        *("token", "key", "coupon", "voucher", "giftcard"),
    )
)
_WORD = lazy_re(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TRYING = lazy_re(
    r"log_?in|sign_?in|auth|verif|otp|redeem|unlock|reset|two_?factor|2fa|mfa|coupon|voucher"
    r"|activate|confirm|validate|check|anmeld|einlog|connexion|entrar|acceder|iniciar|accedi",
    re.IGNORECASE,
)


def run(evidence: Evidence) -> Iterator[Finding]:
    """Yield at most one finding of guesses or circles in a GraphQL request."""
    action = evidence.action
    if action.kind is not ActionKind.HTTP_REQUEST:
        return
    query, body = action.arguments.get("query"), action.text("body")
    # More than this of a body is a finding of its own.
    body = body if len(body) <= BODY_LIMIT and _may_be_one(body) else ""
    if not (body or isinstance(query, Mapping)):
        return
    texts = documents_of(query, body)
    calls = [call for text in texts for call in calls_of(text)]
    tries = Counter(call.name for call in calls if _tries(call))
    if tries and (most := tries.most_common(1)[0])[1] >= GUESSES:
        yield _finding("guesses", f"`{most[0]}` is called {most[1]} times with a secret")
        return
    circles = [call for call in calls if _goes_in_circles(call)]
    if circles:
        deepest = max(circles, key=lambda call: call.rounds)
        what = f"`{deepest.name}` is asked for within itself {deepest.rounds} times"
        yield _finding("circle", what)


def _may_be_one(body: str) -> bool:
    """Return whether a body has to be read: no document begins with a text in a brace."""
    if "{" not in body:
        return False
    # `\u0071uery` is `query` as well.
    is_named = "query" in body or "mutation" in body or "\\u" in body
    start = body.lstrip()[:2]
    return is_named or (start[:1] == "{" and start != '{"')


def _goes_in_circles(call: GraphqlCall) -> bool:
    """Return whether a field leads back to itself more often than trees of anything are deep."""
    limit = LEVELS if call.parent == call.name else ROUNDS
    return call.rounds >= limit and call.name not in _OF_SCHEMA


def _tries(call: GraphqlCall) -> bool:
    words = {word.lower() for one in call.arguments for word in _WORD.findall(one)}
    if not _OF_SIGN_IN.isdisjoint(words):
        return True
    return not _OFTEN_SECRET.isdisjoint(words) and _TRYING.search(call.name) is not None


def _finding(line: str, evidence: str) -> Finding:
    return Finding(
        detector=ID, category=f"{ID}.{line}", severity=Severity.CRITICAL, evidence=evidence
    )


def _body(document: str) -> str:
    return json.dumps({"query": document})


_GUESSES = " ".join(f'a{at}: verifyOtp(code: "{at:04}") {{ token }}' for at in range(20))
_RATES = "{ " + " ".join(f'a{at}: currency(code: "{at}") {{ rate }}' for at in range(20)) + " }"
_TRY = _body('mutation { login(pin: "1") { ok } }')
_CIRCLE = "{ user { " + "friends { " * 20 + "id " + "} " * 22

DETECTOR = Detector(
    id=ID,
    run=run,
    title="GraphQL requests that try many secrets or ask in circles",
    lines="circle guesses",
    cwe=("CWE-307", "CWE-770"),
    asi=("ASI02",),
    fires=(
        request("/graphql", method="POST", body=_body(f"mutation {{ {_GUESSES} }}")),
        request("/graphql", method="POST", body=_body(_CIRCLE)),
        request("/graphql", method="POST", body=f"[{','.join([_TRY] * 12)}]"),
    ),
    passes=(
        request("/graphql", method="POST", body=_TRY),
        request("/graphql", method="POST", body=_body(_RATES)),
        request("/graphql", method="POST", body=_body("{ a { replies { replies { id } } } }")),
    ),
)
