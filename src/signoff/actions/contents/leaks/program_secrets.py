"""Secrets that a program keeps and that end up in the text of a message or behind an image.

A chat, a paste site and a server of images or fonts have no use for a secret: what a program needs
to get in there stands in the address, in a header, or has the name of the chat.

takes_secret('f"paid, key={settings.STRIPE_SECRET_KEY}"')       "settings.STRIPE_SECRET_KEY"
takes_secret('"token": settings.SLACK_BOT_TOKEN')               "": its own login there
takes_secret('f"key ends in {settings.API_KEY[-4:]}"')          "": a part tells which it is
takes_coded('"v", Data(token.utf8).base64EncodedString()')      "token": hidden from a reader
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.contents.leaks.private_parts import USED_UP
from signoff.actions.lexicon.languages.translations import is_password
from signoff.actions.lexicon.names import split_words
from signoff.actions.vocabulary import lazy_re, lazy_re2, words

_MOST = 60
# A member of a value, or what the environment is asked for, by its name.
_MEMBER = lazy_re2(
    r"\$?([A-Za-z_]\w{0,40}(?:(?:\(\))?(?:\.|->|::|\[[\"':])\w{1,40}[\"']?\]?){0,4})(?:\(\))?"
    r"(?:\.?\bget\w*!?\(\s*(?:[\"':]\w{1,40}[\"']?\s*,\s*)?[\"':]|\.?\bfetch!?\(\s*[\"':]"
    r"|\.|->|::|\[\s*[\"':])"
    r"([A-Za-z_]\w{2,60})"
)
# A part of the value, the length of it, or another thing of it.
_PART = lazy_re(
    r"(?i)[\"']?[\])]?\s*(?:\[\s*-?\w*\s*(?::|\.\.|,)|(?:\.|->|::)\w|\(|[!=]=|\s+(?:is|in|not)\b|\?[^.:])"
)
_NO_CONTENT = words(
    "masked hashed encrypted redacted hash crypt has is reset page next cursor continuation csrf"
    " xsrf cancel cancellation design public publishable test sandbox fake dummy sample expired"
    " invalid missing wrong changed forgot rotate rotated verify valid max min count length id name"
    " bot webhook hook chat slack telegram tg discord teams mattermost matrix zulip ntfy pushover"
    " dingtalk lark feishu wecom line gotify rocket msg message notify notification alert alerts"
    " pastebin paste channel sort primary foreign cache partition idempotency routing"
)
_SECRETS = words("secret token passphrase passwd pwd credential credentials")
_KEYS_OF = words("secret private api access master live encryption signing app admin service")
# Words that mean a key as often as a password; beside a server's name they are its password.
_KEY_WORDS = words("pass clave chave chiave cle schluessel klucz klic sleutel anahtar kulcs nyckel")
_SERVERS = words("db bd database datasource base banco baza datenbank base_datos smtp mail redis")
# A call or chain that encodes, with a login of a program in it.
_LOGIN_NAME = (
    r"(?:\w*(?:access|refresh|auth|id|session|bearer|api)_?tokens?|tokens?|jwt|session_?(?:id|key)"
    r"|api_?key|\w*secret(?:_?key)?|private_?key|credentials?)"
)
_CODED = lazy_re2(
    r"(?i)\b(?:btoa|\w*(?:base64|b64|hex)\w*|encode64\w*)(?:\.|::|->)?\w{0,20}!?\s*\("
    rf"[^\n\"';]{{0,60}}?\b({_LOGIN_NAME})\b|[( ,]({_LOGIN_NAME})\b[\w.()\"'-]{{0,40}}"
    r"(?:\.|->|::)(?:\w*base64\w*|hex\w*|encode64)|\|>\s*Base\.\w*encode"
)
_SIGNS = lazy_re2(r"(?i)hmac|digest|sha_?\d|md5|sign(?:ed|ature)?\b|encrypt|expires")


def takes_secret(text: str) -> str:
    """Return the secret of the program whose value a text hands on, "" if there is none."""
    plain = str(USED_UP.sub("()", text))
    for match in islice(_MEMBER.finditer(plain), _MOST):
        owner, name = str(match.group(1)), str(match.group(2))
        if _is_secret(owner, name) and _PART.match(plain, match.end()) is None:
            return str(match.group())
    return ""


def takes_coded(text: str) -> str:
    """Return the login that a text hands on in a form that hides it from a reader."""
    if _SIGNS.search(text) is not None:
        return ""
    found = _CODED.search(text)
    return next((one for one in found.groups() if one), "") if found is not None else ""


def _is_secret(owner: str, name: str) -> bool:
    told = split_words(name)
    around = {word for part in owner.replace("->", ".").split(".") for word in split_words(part)}
    if not told or not _NO_CONTENT.isdisjoint({*told, *around}):
        return False
    last, before = told[-1], told[-2:-1]
    if last == "key":
        return not _KEYS_OF.isdisjoint(before)
    if last in _SECRETS or is_password(last):
        return True
    return last in _KEY_WORDS and not _SERVERS.isdisjoint({*around, *before})
