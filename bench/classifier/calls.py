"""The examples of the classifier of calls: every own labelled call that is no step of a session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bench.classifier.training import Example
from bench.quality.cases import case_of, read_rows
from signoff.actions.understand import HOST_TOOLS, understand
from signoff.assess.assessment import Judge
from signoff.assess.classifier.call_words import call_features, judged_features, tool_words
from signoff.assess.classifier.text_words import Features
from signoff.assess.detectors.call_classifier import ID
from signoff.assess.pack import AdjustedPack
from signoff.assess.verdict import Verdict
from signoff.build.judge import shipped_rules
from signoff.errors import BadPayload
from signoff.frontends.payloads import parse_payload

CHAINS = ("chains", "sessions")
LABELS = frozenset({"allow", "ask", "deny"})


def call_examples(folder: Path) -> Iterator[Example]:
    """Yield the labelled calls of a folder, each with whether it is right to deny it."""
    for file in sorted(folder.glob("*.jsonl")):
        if not any(word in file.stem for word in CHAINS):
            yield from _examples(file.stem, read_rows(file))


def _examples(source: str, rows: Iterable[dict[str, Any]]) -> Iterator[Example]:
    for row in rows:
        label = row.get("expect")
        read = _read(json.dumps(row, sort_keys=True)) if label in LABELS else None
        if read is not None:
            features, of_tool, verdict = read
            yield Example(
                source=source,
                id=f"{source}/{row['id']}",
                words=features.words,
                pairs=features.pairs,
                tool_words=of_tool,
                is_hit=label == "deny",
                label=str(label),
                verdict=verdict,
            )


@cache
def _read(row: str) -> tuple[Features, frozenset[str], str] | None:
    """Return the features and verdict of a row's call, None if it is none or cannot be read."""
    given = json.loads(row)
    if "payload" in given or "request" in given:
        return None
    case = case_of(given)
    if case.text or not case.document:
        return None
    try:
        payload = parse_payload(case.document)
    except BadPayload:
        return None
    told = call_features(payload.action, understand(payload.action, payload.facts))
    if not told:
        return None
    said = _judge()(payload.action, payload.facts)
    found = judged_features(said.findings, said.preliminary)
    is_named = payload.action.tool not in HOST_TOOLS
    of_tool = tool_words(payload.action) if is_named else frozenset[str]()
    return told[0].with_facts(found), of_tool, said.preliminary.value


@cache
def _judge() -> Judge:
    """Return the judge of a fresh installation without the classifier."""
    rules = shipped_rules()
    return Judge(rules=lambda: rules, policy=AdjustedPack(lines={ID: Verdict.ALLOW}))
