"""Languages that can only ask, and Flux, whose functions say where rows go.

PromQL, LogQL, TraceQL, Lucene, JQL, SOQL, NRQL, ES|QL and their like have no statement that changes
anything; a text in one of them reads, whatever its words are.

from(bucket: "a") |> range(start: -1h)              reads
from(bucket: "a") |> to(bucket: "b")                writes rows
"""

from __future__ import annotations

from signoff.actions.code.queries import acts
from signoff.actions.code.queries.parts import blanked
from signoff.actions.code.recorder import Recorder
from signoff.actions.vocabulary import lazy_re, words

_FLUX_IMPORT = lazy_re(r"(?m)^\s*import\s+(?:\w+\s+)?\"([^\"]{1,200})\"")
_FLUX_COMPUTES = words(
    "array bitwise contrib csv date dict experimental generate internal interpolate join json math"
    " pagerduty regexp runtime sampledata slack strings system testing timezone types universe"
    " influxdata profiler"
)
_FLUX_SENDS = lazy_re(r"\b(?:slack|pagerduty|opsgenie|teams|discord|telegram|http)\.\w+\s*\(")
_FLUX_WRITES = lazy_re(r"(?:\|>|\.)\s*(?:to|wideTo)\s*\(")


def read_only(text: str, recorder: Recorder) -> None:
    """Record that a text in a language without any statement of change reads."""
    acts.reads(recorder, "query", text.strip()[:200])


def read_flux(text: str, recorder: Recorder) -> None:
    """Record what a script of Flux does with the rows it reads."""
    plain = blanked(text, quotes='"', comments=("//",))
    if plain is None:
        recorder.opaque("the text cannot be read", "flux")
        return
    for module in _FLUX_IMPORT.findall(text):
        if module.partition("/")[0] not in _FLUX_COMPUTES:
            recorder.opaque(f"`{module[:60]}` reaches other services", "flux")
    if _FLUX_SENDS.search(plain) is not None:
        acts.sends(recorder, "flux", text[:200])
    if _FLUX_WRITES.search(plain) is not None:
        acts.changes(recorder, "flux to", text[:200])
    acts.reads(recorder, "flux", text.strip()[:200])
