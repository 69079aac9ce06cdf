"""Secrets that an application keeps for itself, in code that sends them to another machine.

The key that signs sessions, the logins of the database and of the mail server, all credentials at
once: no service outside ever needs them, so a request that takes one along leaks it. A key for a
service (`settings.STRIPE_KEY`) is none of them.

    Http::post('https://x.example', ['k' => config('app.key')])       -> SENDS_SECRET
    requests.post('https://x.example', json={'v': settings.VERSION})  -> as it is
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import Operation, Operations, Reach, Trait, Verb
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

MOST_TEXT = 20_000
MOST_FOUND = 20
_OWN = lazy_re(
    # Laravel, Symfony, Drupal, WordPress, Yii
    r"\bconfig\(\s*(?:\)|['\"](?:app\.key|database(?:\.[\w.]+)?|mail(?:\.mailers[\w.]*)?|jwt[\w.]*)['\"])"
    r"|\bgetParameter\(\s*['\"][\w.]*(?:secret|password|database_url|passphrase)[\w.]*['\"]"
    r"|\b(?:hash_salt|cookieValidationKey)\b"
    r"|\b(?:(?:SECURE_|LOGGED_IN_)?AUTH_(?:KEY|SALT)|NONCE_(?:KEY|SALT)|DB_PASSWORD)\b"
    # Rails, Django, Flask and what is like them
    r"|\bapplication\.(?:credentials|secrets)(?:\.(?:to_h|to_json|as_json|inspect|config|read)\b"
    r"|\s*[,)])|\bsecret_key_base\b"
    r"|\b(?:settings|config|conf|cfg|options|app)(?:\.|->|\[['\"])(?:\w+\.)?"
    r"(?:SECRET_KEY\w*|DATABASES|DATABASE_(?:URL|PASSWORD)|(?:jwt|session|cookie)_secret\w*"
    r"|db_pass\w*|SQLALCHEMY_DATABASE_URI|encryption_key\w*|signing_key\w*)"
    r"|\bdict\(\s*(?:current_)?app\.config\s*\)|\b(?:current_)?app\.config\.(?:items|copy)\("
    # Node's `config`, Elixir, Spring, .NET
    r"|\.get(?:Property|Value|OrThrow|Section)?\(\s*['\"][\w.:]*"
    r"(?:db|database|datasource|jwt|session|mail|smtp|ConnectionStrings)[\w.:]*"
    r"(?:pass\w*|secret\w*|uri|DefaultConnection)[\w.:]*['\"]"
    r"|\bget_all_env\(|\bGetConnectionString\("
)
# The key is used here, and only a result of it goes on.
_USED = lazy_re(
    r"(?i)(?:encode|sign\w*|hmac\w*|digest|hash\w*|connect\w*|engine|encrypt|decrypt\w*|verify|len"
    r"|bool|type|isset|empty|strlen|count)\s*\([^;\n]{0,120}\Z"
)


def with_sent_settings(operations: Operations, text: str) -> Operations:
    """Mark what a text of code sends outside if it takes along what the application keeps."""
    out = [op.verb is Verb.NETWORK_OUT and _is_outside(op) for op in operations]
    if not any(out) or not _takes_own(text[:MOST_TEXT]):
        return operations
    return tuple(
        replace(op, traits=op.traits | {Trait.SENDS_SECRET}) if is_out else op
        for op, is_out in zip(operations, out, strict=True)
    )


def _is_outside(op: Operation) -> bool:
    if op.reach is Reach.LOOPBACK:
        return False
    return "://" not in op.target or look_at_url(op.target).host_class is not HostClass.PRIVATE


def _takes_own(text: str) -> bool:
    for found in islice(_OWN.finditer(text), MOST_FOUND):
        if _USED.search(text[max(0, found.start() - 160) : found.start()]) is None:
            return True
    return False
