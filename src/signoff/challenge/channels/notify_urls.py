"""Which services are told: the section `notify` of the user's settings.

notify:
  urls: ["ntfys://ntfy.example/topic", "mailto://..."]
"""

from __future__ import annotations

import yaml

from signoff.assess.rules.notation.document import RuleFileErrors, fields_of, items_of, text_of

NOTIFY_KEYS = ("urls",)
URLS_LIMIT = 20
URL_LIMIT = 2_000


def read_notify(node: yaml.Node | None, place: RuleFileErrors) -> tuple[str, ...]:
    """Read the section `notify` of the user's settings; none where there is none.

    Raises:
        BadRules: something in it is refused, with its place.
    """
    if node is None:
        return ()
    found = fields_of(node, place, what="notify", allowed=NOTIFY_KEYS)
    if "urls" not in found:
        raise place.refuse("notify: expected `urls`", node)
    items = items_of(found["urls"][1], place, what="urls", limit=URLS_LIMIT)
    return tuple(text_of(item, place, what="url", limit=URL_LIMIT) for item in items)
