"""Rules by which a bucket deletes by itself: one that takes everything within days empties it.

aws s3api put-bucket-lifecycle-configuration --bucket b --lifecycle-configuration file://all.json
    all.json: {"Rules": [{"Status": "Enabled", "Filter": {}, "Expiration": {"Days": 1}}]}
    -> DELETE cloud, WHOLE_STORE
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words
from signoff.values import replace

SOON = 7  # days: shorter than anybody notices
TEXT_LIMIT = 20_000
# What is kept for a while by intention.
PASSING = words("tmp temp temporary cache scratch logs log artifacts staging test dev ci preview")


def bucket_lifecycle(call: ProgramCall) -> Iterator[Effect]:
    """`put-bucket-lifecycle-configuration`, `gsutil lifecycle set`: by the rules it is given."""
    texts = [word.text for word in call.command.words]
    name = _behind(texts, "--bucket") or next((t for t in texts if t.startswith("gs://")), "")
    takes_all = any([_takes_all(_text_of(call, word)) for word in call.command.words[1:]])
    is_emptied = takes_all and PASSING.isdisjoint(split_name(name))
    yield call.operation(
        Verb.DELETE if is_emptied else Verb.WRITE,
        ResourceType.CLOUD,
        name,
        traits=(Trait.WHOLE_STORE,) if is_emptied else (),
        reach=Reach.PRODUCTION if is_production(name) else Reach.REMOTE,
        reversible=not is_emptied,
    )


def _behind(texts: list[str], option: str) -> str:
    return next((b for a, b in pairwise(texts) if a == option), "")


def _text_of(call: ProgramCall, word: Word) -> str:
    """The rules as written, or those of a file that the session wrote."""
    if word.text[:1] in {"{", "["}:
        return word.text
    path = word.text.removeprefix("fileb://").removeprefix("file://")
    is_file = path != word.text or path.endswith(".json")
    return call.session_text(replace(word, text=path)) if is_file else ""


def _takes_all(text: str) -> bool:
    try:
        given = json.loads(text[:TEXT_LIMIT]) if text else None
    except ValueError:
        return False
    found = _rules(given)
    return any([_is_soon(rule) and _is_for_all(rule) for rule in found])


def _rules(given: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401 - JSON of anybody
    while isinstance(given, Mapping):
        given = next(
            (given[name] for name in ("Rules", "rule", "rules", "lifecycle") if name in given), None
        )
    return [one for one in given or () if isinstance(one, Mapping)]


def _is_soon(rule: Mapping[str, Any]) -> bool:
    """Whether objects are deleted within days: by Amazon's words, or by Google's."""
    expiration, condition = rule.get("Expiration"), rule.get("condition")
    if isinstance(expiration, Mapping):
        days = expiration.get("Days")
        return rule.get("Status") == "Enabled" and isinstance(days, int) and days <= SOON
    action = rule.get("action")
    is_delete = isinstance(action, Mapping) and action.get("type") == "Delete"
    age = condition.get("age") if isinstance(condition, Mapping) else None
    return is_delete and isinstance(age, int) and age <= SOON


def _is_for_all(rule: Mapping[str, Any]) -> bool:
    condition = rule.get("condition")
    if isinstance(condition, Mapping):
        return set(condition) <= {"age", "isLive"}
    chosen = rule.get("Filter")
    prefix = chosen.get("Prefix", "") if isinstance(chosen, Mapping) else rule.get("Prefix", "")
    others = set(chosen) - {"Prefix"} if isinstance(chosen, Mapping) else set()
    return prefix == "" and not others
