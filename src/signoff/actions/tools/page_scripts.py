"""Script that a browser's tool runs in a page: what stays in the page, and what leaves it.

of_script(action, "document.title", source="evaluate(script)") -> EXECUTE, understood
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.operation import CallWords, Operation, Reach, ResourceType, Trait, Verb
from signoff.values import replace

_BROWSER_REACHES_OUT = ("fetch(", "xmlhttp", "cookie", "storage", "submit", "click(", "beacon")
_PAGE_SECRETS = ("document.cookie", "localstorage", "sessionstorage", "indexeddb")
# A whole address: `fetch("/api")` stays with the page's own site.
_SENDS_AWAY = tuple(
    f"{call}{mark}http"
    for call in ("fetch(", "sendbeacon(", "src=", "src = ", "websocket(", "location=", "href=")
    for mark in ("'", '"', "`")
)
_BROWSER_RUNS_MORE = ("eval(", "import(", "postmessage", "websocket", "new function", "innerhtml")


def of_script(action: Action, code: str, *, source: str) -> Operation:
    """Return the effect of a script for a web page: whether it stays within the page.

    Args:
        code: in lower case.
        source: for evidence.
    """
    if any(one in code for one in _PAGE_SECRETS) and any(one in code for one in _SENDS_AWAY):
        return _page_secrets_sent(action, code, source)
    signs = (*_BROWSER_REACHES_OUT, *_BROWSER_RUNS_MORE)
    # These signs are no parser, and longer script has more room to hide what they look for.
    is_plain = len(code) < 2_000 and not any(sign in code for sign in signs)
    operation = Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=code[:200],
        traits=frozenset({Trait.INLINE}),
        program=action.tool[:100],
        source=source,
    )
    if is_plain:
        return operation
    return replace(operation, understood=False, why="script that acts for the user of the page")


def _page_secrets_sent(action: Action, code: str, source: str) -> Operation:
    """Say that a script takes cookies or stored tokens of a page and names another address."""
    return Operation(
        verb=Verb.NETWORK_OUT,
        thing=ResourceType.CREDENTIAL,
        target=code[:200],
        reach=Reach.REMOTE,
        traits=frozenset({Trait.SENDS_SECRET, Trait.INLINE}),
        reversible=False,
        program=action.tool[:100],
        source=source,
        call=CallWords(does="Sends", noun="cookies or stored tokens", is_plural=True),
    )
