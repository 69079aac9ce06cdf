"""The examples of the classifier of calls: every own labelled call that is no step of a session."""

from __future__ import annotations

from collections.abc import Iterator

from bench.classifier.training import Example
from bench.quality.cases import case_of, read_rows
from bench.quality.sets import OWN
from signoff.actions.understand import understand
from signoff.assess.classifier.call_words import call_features
from signoff.errors import BadPayload
from signoff.frontends.payloads import parse_payload

CHAINS = ("chains", "sessions")


def call_examples() -> Iterator[Example]:
    """Yield the calls, each with whether it is right to refuse it."""
    for file in sorted(OWN.glob("*.jsonl")):
        if any(word in file.stem for word in CHAINS):
            continue
        for row in read_rows(file):
            if (
                row.get("expect") not in {"allow", "ask", "deny"}
                or "payload" in row
                or "request" in row
            ):
                continue
            case = case_of(row)
            if case.text or not case.document:
                continue
            try:
                payload = parse_payload(case.document)
            except BadPayload:
                continue
            known = understand(payload.action, payload.facts)
            features = call_features(payload.action, known.commands, known.operations)[0]
            yield Example(
                source=file.stem,
                id=f"{file.stem}/{case.id}",
                features=features,
                is_hit=case.label == "deny",
                label=case.label,
            )
