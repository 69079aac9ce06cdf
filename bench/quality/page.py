"""Writes docs/quality.md from a saved run: figures, method, the peers beside them, limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.quality.first_sight import ROOT, read_first_sight
from bench.quality.first_sight_page import first_sight_lines
from bench.quality.measure import Share
from bench.quality.question_page import COST, HEAVY, heavy_lines, question_lines
from bench.quality.report import Saved, read_saved
from bench.quality.sets import SETS

RESULTS = ROOT / "bench" / "results"
SAVED = RESULTS / "quality.json"
VARIANTS = RESULTS / "metamorphic.json"
SESSIONS = RESULTS / "sessions.json"
QUESTIONS = RESULTS / "questions.json"
PAGE = ROOT / "docs" / "quality.md"

HEAD = """# Quality, measured

How rarely signoff interrupts and how little it misses, without a model and without a person:
default rules, pack `balanced`, one process. This page is written by
`python -m bench.quality --publish`; do not edit it by hand.
"""

PEERS = """## Beside others

Measured on one sealed set of 2,034 everyday, destructive and malicious commands, labelled by the
default policy; these are figures of others, not of the development sets below.

| guard | caught of what to refuse | caught of what to ask | interrupted of what passes |
| --- | --- | --- | --- |
| nah 0.11, the best deterministic guard that asks | 94 % | 79 % | 38 % |
| the quiet deterministic guards | 27 to 45 % | | 6 to 11 % |
| a model-based judge, as reported | misses 17 % of what it should stop | | 0.4 % |

The same measure of signoff, on the development half of that kind of set:

"""

METHOD = """## How it is measured

- `python -m bench.quality --corpora FOLDER` judges every row in process, through the frontend that
  reads the payloads of hosts; home is `/home/dev`, the project `/home/dev/project`, under version
  control, and no file of the machine is looked at.
- *Flagged* is asked about or refused. *Interrupted* is the same, said of what should pass. The
  interval is the 95 % interval of Wilson. A mean over sources counts every source alike.
- Texts (secrets, web attacks, prompts) are given to the detectors that read texts, as the content
  of a file, the value of a request, or the result of a tool.
- Wrapped: every command of `policy` in eleven disguises (`bash -c`, `env`, `timeout`, `eval`, `cd`,
  subshell, variables, quotes in quotes); compared with the same command bare.
- Own sessions (`traces`) are scored by their worst call: the higher of threat and risk.
- Chains are replayed step by step with the facts a daemon would have: what the session did before,
  and the files its earlier steps changed, on a scratch disk. A chain is let through if every step
  passes, denied if some step is.
- `python -m bench.sessions` replays recorded sessions of coding agents in the same way; files are
  those the session wrote. What is asked about is taken as approved. With session grants: an earlier
  ask of the session, approved for the session, covers the call.
- SQL: *all writes* is the label of the source, with grants, roles, functions, triggers and settings
  of the server, which the policy asks about; *of data and tables* leaves these out. Grants alone
  are 7.4 % of all writes; with events, programs and settings of the server, exports to its files,
  superusers, production and unbounded changes, a goal of 10 % would need the policy to ask less.
- Speed is of the last run with little other work on the machine: one judgement, reading the
  payload included, on one core.

## What this does not say

- Below first sight, the shared sets are development halves: the people who changed signoff saw
  their misses. Sealed halves are harder. Expect the first-sight figures on new work, not these.
- Labels are judgements. Those of `shell` and `shell-longtail` are weak: they come from the verb of
  a description, and are wrong for about 8 % of what they call destructive; `cargo clean` is in it
  and passes by policy. Read-only and ordinary commands that ask for `sudo` or reach outside are
  asked about by policy.
- The own sets were written by the people who wrote the guard, and what they showed was fixed:
  they show that what was thought of holds, not what nobody thought of. Judged for the first time,
  before anything was fixed, their figures were: attacks flagged 95 % of `deny` (83 % denied) and
  91 % of `ask`, but only about half of the programs that are made to start a shell; harmless
  calls interrupted 2.2 %; edits 88 % and 0 %, MCP calls 98 % and 6 %, functions 86 % and 17 %.
  Expect new commands to fare like that. Cases still misjudged stay in the sets and are counted.
- The sets of web attacks judge one value without its page: some payloads are harmless words
  anywhere else.
- No figure here says what a person answers when asked, nor what a host does with the answer.
- With few cases an interval is wide: read it, not the middle.
"""


def publish() -> None:
    """Write the page from the runs that were kept last."""
    page = page_of(
        read_saved(SAVED),
        read_saved(VARIANTS),
        read_first_sight(),
        sessions=read_saved(SESSIONS),
        questions=read_saved(QUESTIONS),
    )
    PAGE.write_text(page, encoding="utf-8")


def page_of(
    result: Saved,
    variants: Saved,
    first: Mapping[str, Saved],
    *,
    sessions: Saved,
    questions: Saved,
) -> str:
    """Write the page.

    Args:
        variants: the last run of bench.metamorphic, {} where there is none.
        first: what is kept of first sights, by set.
        sessions: the last run of bench.sessions that was kept, {} where there is none.
        questions: the same of `python -m bench.quality --questions`.
    """
    return "\n".join(
        [
            HEAD,
            *first_sight_lines(result, first, sessions),
            COST,
            *question_lines(questions, first.get("questions", {})),
            HEAVY,
            *heavy_lines(questions),
            "",
            "## Development figures\n",
            *_figures(result),
            "",
            PEERS + "\n".join(_beside(result)),
            "",
            "## All sets\n",
            *_sets(result),
            "",
            "## In other words\n",
            _in_other_words(variants),
            "## Speed\n",
            *_speed(result["speed"]),
            "",
            METHOD,
        ]
    )


def _figures(result: Saved) -> Iterator[str]:
    yield "| set | measure | measured | goal | n | |"
    yield "| --- | --- | ---: | --- | ---: | --- |"
    for one in result["figures"]:
        bound = "at least" if one["at_least"] else "at most"
        unit = f" {one['unit']}" if one["unit"] else ""
        mark = "reached" if one["reached"] else "**missed**"
        yield (
            f"| {one['set']} | {one['measure']} | {one['value']:.2f}{unit} "
            f"| {bound} {one['target']:g}{unit} | {one['n']} | {mark} |"
        )


def _beside(result: Saved) -> Iterator[str]:
    yield "| guard | caught of `deny` | caught of `ask` | interrupted of `allow` |"
    yield "| --- | --- | --- | --- |"
    rows = {row["label"]: row for row in result["sets"].get("policy", [])}
    if rows:
        cells = " | ".join(_with_interval(rows[name]) for name in ("deny", "ask", "allow"))
        yield f"| signoff, `policy` | {cells} |"
    else:
        yield "| signoff | not measured | not measured | not measured |"


def _with_interval(row: Mapping[str, Any]) -> str:
    flagged = Share(row["deny"] + row["ask"], row["n"])
    low, high = flagged.interval
    return f"{flagged.percent:.1f} % ({low:.1f} to {high:.1f})"


def _sets(result: Saved) -> Iterator[str]:
    yield "| set | label | n | denied | asked | flagged | 95 % interval | mean (of sources) |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- | ---: |"
    for name, rows in result["sets"].items():
        for row in rows:
            flagged = Share(row["deny"] + row["ask"], row["n"])
            low, high = flagged.interval
            macro = f"{row['flagged_macro']:.1f} % ({row['sources']})" if row["sources"] > 1 else ""
            yield (
                f"| {name} | {row['label']} | {row['n']} "
                f"| {Share(row['deny'], row['n']).percent:.1f} % "
                f"| {Share(row['ask'], row['n']).percent:.1f} % | {flagged.percent:.1f} % "
                f"| {low:.1f} to {high:.1f} | {macro} |"
            )
    yield ""
    for name in result["sets"]:
        yield f"- `{name}`: {SETS[name].what}."


def _in_other_words(variants: Mapping[str, int]) -> str:
    if not variants:
        return "Not measured: `python -m bench.metamorphic --save`.\n"
    return (
        f"`python -m bench.metamorphic` wrote every own case in other words. Of "
        f"{variants['wrapped']} wrapped acts {variants['weaker']} were judged more mildly than bare"
        f" ({variants['let_through']} of them let through, the others asked about instead of"
        f" refused; the goal is none). Of {variants['as_data']} commands put where they are data "
        f"{variants['raised']} were taken for an act.\n"
    )


def _speed(speed: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield "| judged | n | half within | 99 % within | slowest |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, row in speed.items():
        yield (
            f"| {name} | {row['n']:.0f} | {row['p50_us']:.0f} us | {row['p99_us']:.0f} us "
            f"| {row['worst_ms']:.1f} ms |"
        )
