"""Which names are names of secrets: of variables, options, keys, fields and columns.

is_secret_name("DB_PASSWORD"), is_secret_name("clientSecret")   -> True, True
is_secret_name("token-type"), is_secret_name("PASSWORD_FILE")   -> False, False
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff.actions.vocabulary import words

NAME_LIMIT = 200  # characters
NAMES_REMEMBERED = 4_096

# `APIKey` is `API` and `Key`, `clientSecret` is `client` and `Secret`.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|[0-9]+")
_SECRETS = words(
    "password passwords passwd pass pwd pw passphrase passcode secret secrets token "
    "credential credentials creds apikey accesskey secretkey authkey authtoken psk otp "
    "pin cookie bearer jwt auth authorization signature sig sshpass requirepass "
    "masterauth pgpassword passkey"
)
# What is secret before one of these last words.
_KEYS = frozenset({"key", "token", "secret", "pass", "password"})
_KEYS_OF = words(
    "api access auth account private secret encryption signing shared master client "
    "license service session storage subscription admin deploy jwt hmac signature webhook "
    "app"
)
# Last words that say nothing of what it is.
_QUIET_ENDS = words(
    "value text plain plaintext prod production staging test dev b64 base64 old new "
    "string data default"
)
_ANYWHERE = words("token password passwd secret oauth basic authtoken pat")


@lru_cache(maxsize=NAMES_REMEMBERED)
def is_secret_name(name: str) -> bool:
    """Return whether a name is that of a secret; not `token_type` or `password_file`."""
    found = _words_of(name)
    while len(found) > 1 and (found[-1] in _QUIET_ENDS or found[-1].isdecimal()):
        # `password_2`, `TOKEN_PROD`: still the password and the token.
        found.pop()
    if not found:
        return False
    if found[-1] in _SECRETS:
        return True
    # `key` alone is a name in a map more often than a secret; `api_key` is none such.
    return len(found) > 1 and found[-1] in _KEYS and found[-2] in _KEYS_OF


@lru_cache(maxsize=NAMES_REMEMBERED)
def has_secret_word(name: str) -> bool:
    """Return whether a setting's name says that it holds a secret: `pypi-token.pypi`."""
    return is_secret_name(name) or not _ANYWHERE.isdisjoint(_words_of(name))


def _words_of(name: str) -> list[str]:
    """Return the words of a name in small letters: by case, digits and marks."""
    # From the end, because the last words decide.
    return [word.lower() for word in _WORDS.findall(name[-NAME_LIMIT:])]
