"""Evidence in calls of tools of services: everything is selected, for good; mail is led away ...

What a tool of a service takes away is seen in what its arguments select: a query without a
condition, `all`, `*`. Read are the arguments, never the agent's own description.
"""

from __future__ import annotations

import re
from itertools import islice
from urllib.parse import unquote

from signoff.actions.action import ActionKind
from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.operation import Operation, Reach, ResourceType
from signoff.actions.vocabulary import lazy_re
from signoff.assess.combined.call import (
    MOST_TEXTS,
    TRIAL,
    Call,
    arguments_of,
    matches,
    texts_of,
    tool_name,
)
from signoff.assess.combined.facts import FAR
from signoff.assess.combined.signs import text_holds_key
from signoff.assess.patterns.randomness import is_placeholder, is_random

# What an argument that selects says when it selects everything.
_EVERYTHING = lazy_re(
    r"(?i)\"\w*(?:scope|which|range|target|selector|filter|pattern|names?|ids?|list|from|to|group"
    r"|entries|items|query|q|search|criteria|conditions|where|match)\":\s?\[?"
    r"(?:\"(?:\*|\*:\*|%|all|all[_ ]time|everything|everyone|in:(?:anywhere|all)|is:any|1=1"
    r"|true)?\""
    r"|\{\}|\{\"match_all\":\s?\{\}\}|\{\"(?:from|to|subject)\":\s?\"\*?\"\})"
)
# A query language's whole table or project: nothing stands behind its name.
_WHOLE_QUERY = lazy_re(
    r"(?i)\":\s?\"(?:select\s+[\w*,. ]+\s+from\s+[\w.]+|project\s*(?:=|in)\s*\(?[\w\", \\]+\)?"
    r"|delete\s+from\s+[\w.]+)\s*;?\""
)
_MANY = lazy_re(r"(?i)(?:^|_)(?:bulk|batch|mass|all|every|everything|many|purge|wipe|by_query)")
_FOR_GOOD = lazy_re(
    r"(?i)\"(?:\w+_)?(?:permanent(?:ly)?|hard_?delete|skip_?trash|force|purge|confirm(?:ed)?|irrevers\w*"
    r"|no_?recover\w*)\":\s?(?:true|\"(?:true|yes|permanent)\")"
)
_BACKUPS = lazy_re(r"(?i)\"[^\"]{0,200}\bback[-_ ]?ups?\b[^\"]{0,200}\"(?!\s?:)")
_LED_AWAY = lazy_re(
    r"(?i)\"\w*(?:forward|redirect|auto_?reply_?to|bcc)\w*\":\s?\[?\"[^\"@]{1,80}@[^\"]{3,120}\""
)
_HIDES = lazy_re(
    r"(?i)\"\w*(?:delete|archive|trash|mark_?(?:as_?)?read|skip_?inbox|keep_?copy|leave_?copy)\w*\":"
    r"\s?(?:true|false|\"trash\")|\"remove_?labels?\w*\":\s?\[[^\]]*\"inbox\""
)
_ADDRESS = lazy_re(r"\"(?:https?://[^\"]{4,500}|[^\"@\s]{1,80}@[^\"\s]{3,120}\.[a-z]{2,12})\"")
_SHUTS_OUT = lazy_re(
    r"(?i)(?:^|_)(?:deactivate|suspend|disable|lock|ban|block|revoke|offboard|kick|logout|sign_out"
    r"|reset|expire|remove)(?:_|$)"
)
_HAND_OVER = lazy_re(r"(?i)(?:^|_)(?:export|dump|share|send|sync|copy|upload|deliver)(?:_|$)")
# Written as the variable of an environment, so that it is no key of a cache or a table.
_VARIABLE = lazy_re(
    r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|TOKEN|PASSWORD|KEY)\\?[\"']?\s*[=:]\s*\\?[\"']?"
    r"([A-Za-z0-9/+_=.-]{20,200})"
)
# A whole login: whose account it is, and its password.
_LOGIN = lazy_re(
    r"(?i)(?:\b|\\[nrt])(?:user(?:name)?|login|uid|account)\\?[\"']?\s?[=:]\s?\\?[\"']?[\w.@-]{2,60}[^\n]{1,40}?"
    r"(?:\b|\\[nrt])(?:password|passwd|passphrase|pwd|pw|pass)\\?[\"']?\s?[=:]\s?\\?[\"']?([^\s\"'<>{}$*\\,;]{8,60})"
)


# Lines of a file of secrets, as a tool is handed them.
_NAMED_SECRET = lazy_re(
    r"(?:\b|(?<=\\n))[A-Z][A-Z0-9_]*?(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|_KEY)[A-Z0-9_]*\s*=\s*"
    r"(?:\\[\"'])?([^\s\\\"',]{1,200})"
)
_LEAST_FILLED = 8  # characters


def is_of_service(op: Operation, call: Call) -> bool:
    """True if a tool of a remote service does it, and no place for tests is named."""
    is_tool = call.action.kind is not ActionKind.FUNCTION and "command" not in call.action.arguments
    return is_tool and op.reach in FAR and not matches(TRIAL, texts_of(call), call)


def selects_everything(op: Operation, call: Call) -> bool:
    """True if everything is selected, in bulk or for good.

    Rows of a database are left to the database's own analysis.
    """
    if op.thing is ResourceType.DATABASE and op.reach is not Reach.PRODUCTION:
        return False
    given = arguments_of(call)
    if _EVERYTHING.search(given) is None and _WHOLE_QUERY.search(given) is None:
        return False
    return _MANY.search(tool_name(call)) is not None or _FOR_GOOD.search(given) is not None


def takes_backups_for_good(op: Operation, call: Call) -> bool:
    """True if something named a backup is deleted without a recycle bin."""
    given = arguments_of(call)
    return _BACKUPS.search(given) is not None and _FOR_GOOD.search(given) is not None


def shuts_everybody_out(op: Operation, call: Call) -> bool:
    """True if all users of a service lose access at once."""
    is_all = _MANY.search(tool_name(call)) is not None and _EVERYTHING.search(arguments_of(call))
    return bool(is_all) and _SHUTS_OUT.search(tool_name(call)) is not None


def leads_mail_away(op: Operation, call: Call) -> bool:
    """True if a mail rule forwards all mail, or hides that it does."""
    given = arguments_of(call)
    if _LED_AWAY.search(given) is None or not _is_rule(call):
        return False
    return _EVERYTHING.search(given) is not None or _HIDES.search(given) is not None


def hands_over_people(op: Operation, call: Call) -> bool:
    """True if all people a service stores are sent to an address."""
    is_about_people = op.thing is ResourceType.ACCOUNT
    if not is_about_people or _HAND_OVER.search(tool_name(call)) is None:
        return False
    given = arguments_of(call)
    is_all = _EVERYTHING.search(given) is not None or _MANY.search(tool_name(call)) is not None
    return is_all and _ADDRESS.search(given) is not None


def text_holds_secret(op: Operation, call: Call) -> bool:
    """True if a text contains a known kind of key, a random secret value, or a login."""
    if text_holds_key(op, call):
        return True
    text = arguments_of(call)
    if any([is_random(found[1]) for found in _VARIABLE.finditer(text)]) or any(
        [_is_password(found[1]) for found in _LOGIN.finditer(text)]
    ):
        return True
    if any([_is_login(found) for found in islice(_URL_LOGIN.finditer(text), MOST_TEXTS)]):
        return True
    # Several variables of secrets, one of them with a value of its own: no template of a file.
    values = [found[1] for found in islice(_NAMED_SECRET.finditer(text), MOST_TEXTS)]
    return len(values) > 1 and any(map(_is_filled, values))


# A server's address with a login: `postgres://admin:W3r-kR4ft@db.acme.example/core`.
_URL_LOGIN = lazy_re(
    r"\b[a-z][a-z0-9+]{1,20}://[\w.-]{1,60}:([^\s:@/\"'<>{}$*\\]{6,80})@([\w.-]{3,200})"
)


def _is_login(found: re.Match[str]) -> bool:
    return _is_password(found[1]) and class_of_host(found[2]) is HostClass.PUBLIC


def _is_filled(value: str) -> bool:
    is_long = len(value) >= _LEAST_FILLED and any([char.isdecimal() for char in value])
    return is_long and not is_placeholder(value)


def _is_password(value: str) -> bool:
    """Tell `Tr0ub4dor-77` from a word of a sentence and from what stands for a password."""
    is_mixed = any([one.isdigit() for one in value]) and any([one.isalpha() for one in value])
    return is_mixed and not is_placeholder(value, is_short=True)


def address_holds_variable(op: Operation, call: Call) -> bool:
    """True if a URL has a parameter named like a secret, with a random value."""
    return any([is_random(found[1]) for found in _VARIABLE.finditer(unquote(op.target[:2_000]))])


def _is_rule(call: Call) -> bool:
    return (
        re.search(r"(?i)filter|rule|forward|delegat|redirect|settings", tool_name(call)) is not None
    )
