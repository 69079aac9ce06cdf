"""Settings that an application keeps for itself, by the names that frameworks give them.

The key that signs sessions, the logins of the database and of the mail server, all credentials at
once: no service outside ever needs them. A key for a service (`settings.STRIPE_KEY`) is none.

    own_setting("post(url, config('app.key'))")        "config('app.key')"
    own_setting("jwt.encode(claims, settings.SECRET_KEY)")    "": it is used here
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.vocabulary import lazy_re

_MOST = 20
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


def own_setting(text: str) -> str:
    """Return the setting that a text hands on and that an application keeps for itself, else ""."""
    for found in islice(_OWN.finditer(text), _MOST):
        if _USED.search(text[max(0, found.start() - 160) : found.start()]) is None:
            return found.group()
    return ""
