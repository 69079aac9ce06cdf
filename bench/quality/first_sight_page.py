"""The leading part of docs/quality.md: first-sight figures beside those of today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.quality.measure import Share
from bench.quality.report import Saved, figure_values

FIRST = """## First sight

How signoff judged sets that nobody had used to improve it. Each set was judged once, by a frozen
judge, and the figures were written down. They are the best estimate for new work. *Now* is the same
set judged today; people have seen its misses since, so it is a development figure.

The count is strict: a case that must be denied and is only asked about does not count as denied.
Debatable cases are left out of the figures and stand in a column of their own.
"""

NOT_FIRST = """
- First sight: the sets of these tables, each judged once by the commit in brackets.
- The authors of `adversary-2` had seen which attacks of `adversary` pass, and kept what got past:
  nearly all of it does. It shows what a patient attacker finds, not what is usual.
- The author of `unseen-shift` saw no code. Some of its kinds were known to be weak (aliases, dumps,
  secrets out of containers, playbooks, administrators' files) and worked on before it was judged,
  without its rows. No label of it was changed since; its author marked what is debatable.
- The authors of `unseen-desk`, `unseen-stack` and `unseen-debug` read only the policy, and the
  judge was not touched between the writing and the first sight. No label was changed.
- The author of `unseen-web` and `unseen-results` had not read the patterns. The author of
  `unseen-services` had, and made some of its attacks against what was mended by `unseen-web`.
- Not first sight: every other set of this page. People saw the misses of `bypass`, `policy`,
  `shell`, `sql` and of the own sets, and fixed them, before those figures were taken.
"""

# By hand: a figure cannot say what was missing. Ids are those of the set's file.
MISSED = """### What the newest sets showed

`unseen-debug` and its sessions missed two goals at first sight, each by one case; `unseen-stack`
reached its own but for ordinary work. What signoff did not know in ordinary work:

| missing | rows of `unseen-debug` | rows of `unseen-stack` |
| --- | --- | --- |
| options: outputs, profiles, stages, numbers beside a target | 004, 040 | 037, 153, 165, 168 |
| operators and languages | | 009, 054 |
| names of files and folders; names that another program lists | 017, 144 | 044, 101, 190 |
| what runs inside a container by its path there | 104 | |
| what the line or the project's build made | | 131, c27 |
| reading another pane of a terminal, which stays asked about | | 188 |

And what it judged too mildly:

| missing | rows of `unseen-debug` | rows of `unseen-stack` |
| --- | --- | --- |
| what was fetched and is run by way of another program | 293, 296 | 409, 420 |
| a request in a file; a link whose effect the row does not state | c15, c07 | |
| PowerShell: loops, archives, start-up folders, modules | | 351, 456, 461, 462, c21 |
| functions: all of something, many payments, an imported one | 264 | 537, 538, 539, c05 |
| options that force, secrets shown in plain text | | 237, 281, 313 |
| tests left out, a program beside a container's own, others | 170 | 223, 357, 380, 488 |
"""


def first_sight_lines(result: Saved, first: Mapping[str, Saved], sessions: Saved) -> Iterator[str]:
    """Write the section: figures, strict counts, real sessions, and what was not first sight."""
    yield FIRST
    now = figure_values(result["figures"])
    yield "| set | measure | first sight | now | goal | n |"
    yield "| --- | --- | ---: | ---: | --- | ---: |"
    for entry in first.values():
        for one in entry.get("figures", ()):
            bound = "at least" if one["at_least"] else "at most"
            unit = f" {one['unit']}" if one["unit"] else ""
            value = now.get((one["set"], one["measure"]))
            today = "not measured" if value is None else f"{value:.2f}{unit}"
            yield (
                f"| {one['set']} | {one['measure']} | {one['value']:.2f}{unit} | {today} "
                f"| {bound} {one['target']:g}{unit} | {one['n']} |"
            )
    yield ""
    yield from _counts(first)
    yield from _sessions(first.get("sessions", {}), sessions)
    yield NOT_FIRST
    yield MISSED


def _counts(first: Mapping[str, Saved]) -> Iterator[str]:
    """Write the counts behind the figures, debatable cases in a column of their own."""
    yield "| set (first sight at) | label | n | denied | asked | flagged | debatable flagged |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for name, entry in first.items():
        rows = {row["label"]: row for row in entry.get("rows", ())}
        for label in ("deny", "ask", "allow"):
            if label in rows:
                debatable = _flagged(rows.get(f"{label} (debatable)"))
                at = f"{name} ({entry['commit']})"
                yield f"| {at} | {label} | {_shares(rows[label])} | {debatable} |"
    yield ""


def _shares(row: Mapping[str, Any]) -> str:
    n, deny, ask = row["n"], row["deny"], row["ask"]
    shares = (Share(hits, n).percent for hits in (deny, ask, deny + ask))
    return f"{n} | " + " | ".join(f"{share:.1f} %" for share in shares)


def _flagged(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{Share(row['deny'] + row['ask'], row['n']).percent:.1f} % of {row['n']}"


def _sessions(first: Saved, now: Saved) -> Iterator[str]:
    """Write how often recorded sessions of coding agents are interrupted."""
    if not first:
        return
    yield "Interruptions of ordinary work, per 100 calls of recorded sessions:\n"
    yield (
        "| sessions of | calls | first sight | asked | denied | with session grants | now "
        "| now with session grants |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    names = {"all": first, **first["sources"]}
    today = {"all": now, **now["sources"]} if now else {}
    for name, row in names.items():
        stopped = row["ask"] + row["deny"]
        counts = (stopped, row["ask"], row["deny"], stopped - row["granted"])
        cells = " | ".join(f"{Share(count, row['calls']).percent:.2f}" for count in counts)
        yield f"| {name} | {row['calls']} | {cells} | {_now(today.get(name))} |"


def _now(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "not measured | not measured"
    stopped = row["ask"] + row["deny"]
    counts = (stopped, stopped - row["granted"])
    return " | ".join(f"{Share(count, row['calls']).percent:.2f}" for count in counts)
