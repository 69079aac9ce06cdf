"""Evidence in calls of tools of services: everything is selected, for good; mail is led away ...

What a tool of a service takes away is seen in what its arguments select: a query without a
condition, `all`, `*`. Read are the arguments, never the agent's own story.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from urllib.parse import unquote

from signoff.actions.action import ActionKind
from signoff.actions.operation import Operation, Reach, ResourceType
from signoff.actions.tools.naming.contents import strings_of
from signoff.assess.combined.facts import FAR, Call
from signoff.assess.combined.signs import text_holds_key
from signoff.assess.patterns.randomness import is_random

TEXT_LIMIT = 20_000
MOST_TEXTS = 100
# What an argument that selects says when it selects everything.
_EVERYTHING = re.compile(
    r"(?i)\"\w*(?:scope|which|range|target|selector|filter|pattern|names?|ids?|list|from|to|group"
    r"|entries|items|query|q|search|criteria|conditions|where|match)\":\s?\[?"
    r"(?:\"(?:\*|\*:\*|%|all|all[_ ]time|everything|everyone|in:(?:anywhere|all)|is:any|1=1"
    r"|true)?\""
    r"|\{\}|\{\"match_all\":\s?\{\}\}|\{\"(?:from|to|subject)\":\s?\"\*?\"\})"
)
# A query language's whole table or project: nothing stands behind its name.
_WHOLE_QUERY = re.compile(
    r"(?i)\":\s?\"(?:select\s+[\w*,. ]+\s+from\s+[\w.]+|project\s*(?:=|in)\s*\(?[\w\", \\]+\)?"
    r"|delete\s+from\s+[\w.]+)\s*;?\""
)
_MANY = re.compile(r"(?i)(?:^|_)(?:bulk|batch|mass|all|every|everything|many|purge|wipe|by_query)")
_FOR_GOOD = re.compile(
    r"(?i)\"(?:\w+_)?(?:permanent(?:ly)?|hard_?delete|skip_?trash|force|purge|confirm(?:ed)?|irrevers\w*"
    r"|no_?recover\w*)\":\s?(?:true|\"(?:true|yes|permanent)\")"
)
_BACKUPS = re.compile(r"(?i)\"[^\"]{0,200}\bback[-_ ]?ups?\b[^\"]{0,200}\"(?!\s?:)")
_TRIAL = re.compile(
    r"(?i)(?:^|[^a-z])(?:dev|develop(?:ment)?|test(?:s|ing)?|staging|stage|sandbox|demo|preview"
    r"|scratch|tmp|temp|local|mine|my|personal|drafts?|trash|spam|promo(?:tions)?)(?:[^a-z]|$)"
)
_LED_AWAY = re.compile(
    r"(?i)\"\w*(?:forward|redirect|auto_?reply_?to|bcc)\w*\":\s?\[?\"[^\"@]{1,80}@[^\"]{3,120}\""
)
_HIDES = re.compile(
    r"(?i)\"\w*(?:delete|archive|trash|mark_?(?:as_?)?read|skip_?inbox|keep_?copy|leave_?copy)\w*\":"
    r"\s?(?:true|false|\"trash\")|\"remove_?labels?\w*\":\s?\[[^\]]*\"inbox\""
)
_ADDRESS = re.compile(r"\"(?:https?://[^\"]{4,500}|[^\"@\s]{1,80}@[^\"\s]{3,120}\.[a-z]{2,12})\"")
_SHUTS_OUT = re.compile(
    r"(?i)(?:^|_)(?:deactivate|suspend|disable|lock|ban|block|revoke|offboard|kick|logout|sign_out"
    r"|reset|expire|remove)(?:_|$)"
)
_HAND_OVER = re.compile(r"(?i)(?:^|_)(?:export|dump|share|send|sync|copy|upload|deliver)(?:_|$)")
# Written as the variable of an environment, so that it is no key of a cache or a table.
_VARIABLE = re.compile(
    r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:SECRET|TOKEN|PASSWORD|KEY)\\?[\"']?\s*[=:]\s*\\?[\"']?"
    r"([A-Za-z0-9/+_=.-]{20,200})"
)


def is_of_service(op: Operation, call: Call) -> bool:
    """A tool of a service far away does it, and nothing names a place to try things out."""
    is_tool = call.action.kind is not ActionKind.FUNCTION and "command" not in call.action.arguments
    said = " ".join(islice(strings_of(call.action.arguments), MOST_TEXTS))
    return is_tool and op.reach in FAR and _TRIAL.search(said[:TEXT_LIMIT]) is None


def selects_everything(op: Operation, call: Call) -> bool:
    """Everything is selected, and the call says that it is for many at once or for good.

    Rows of a database are left to what is known of databases.
    """
    if op.thing is ResourceType.DATABASE and op.reach is not Reach.PRODUCTION:
        return False
    given = _arguments(call)
    if _EVERYTHING.search(given) is None and _WHOLE_QUERY.search(given) is None:
        return False
    return _MANY.search(_name(call)) is not None or _FOR_GOOD.search(given) is not None


def takes_backups_for_good(op: Operation, call: Call) -> bool:
    """What is named a backup goes, and nothing is kept in a bin."""
    given = _arguments(call)
    return _BACKUPS.search(given) is not None and _FOR_GOOD.search(given) is not None


def shuts_everybody_out(op: Operation, call: Call) -> bool:
    """Everybody a service knows loses access, at once."""
    is_all = _MANY.search(_name(call)) is not None and _EVERYTHING.search(_arguments(call))
    return bool(is_all) and _SHUTS_OUT.search(_name(call)) is not None


def leads_mail_away(op: Operation, call: Call) -> bool:
    """A rule sends on all mail, or hides that it does."""
    given = _arguments(call)
    if _LED_AWAY.search(given) is None or not _is_rule(call):
        return False
    return _EVERYTHING.search(given) is not None or _HIDES.search(given) is not None


def hands_over_people(op: Operation, call: Call) -> bool:
    """All of the people a service keeps are handed to an address."""
    is_about_people = op.thing is ResourceType.ACCOUNT
    if not is_about_people or _HAND_OVER.search(_name(call)) is None:
        return False
    given = _arguments(call)
    is_all = _EVERYTHING.search(given) is not None or _MANY.search(_name(call)) is not None
    return is_all and _ADDRESS.search(given) is not None


def text_holds_secret(op: Operation, call: Call) -> bool:
    """A text holds a known key, or a variable named as a secret with a value made by chance."""
    return text_holds_key(op, call) or any(
        [is_random(found[1]) for found in _VARIABLE.finditer(_arguments(call))]
    )


def address_holds_variable(op: Operation, call: Call) -> bool:
    """An address carries a variable named as a secret with a value that only chance makes."""
    return any([is_random(found[1]) for found in _VARIABLE.finditer(unquote(op.target[:2_000]))])


def _is_rule(call: Call) -> bool:
    return re.search(r"(?i)filter|rule|forward|delegat|redirect|settings", _name(call)) is not None


def _name(call: Call) -> str:
    return call.action.tool.rpartition("__")[2][:200]


def _arguments(call: Call) -> str:
    return json.dumps(call.action.arguments, ensure_ascii=False)[:TEXT_LIMIT]
