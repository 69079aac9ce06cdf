"""The project's own sets that were judged before anybody had seen what the judge says to them.

One line a set. What is measured of it follows from its kind; its file is `NAME.jsonl` among the
own cases. A new set is added here and judged once:

    python -m bench.quality --first-sight NAME
"""

from __future__ import annotations

from bench.quality.unseen_set import UnseenKind, UnseenSet

_FROM_THE_POLICY = "written from the policy alone, as `unseen-trades`"
_CHAINS = "own sessions of such work, written from the policy alone, as above"
UNSEEN = (
    UnseenSet(
        name="unseen-calls",
        kind=UnseenKind.CALLS,
        cases=439,
        what="own calls, written without looking at the code: macOS, BSD, Windows, tools",
    ),
    UnseenSet(
        name="unseen-work",
        kind=UnseenKind.CALLS,
        cases=386,
        what="own calls, written without looking at the code: what agents type in many trades",
    ),
    UnseenSet(
        name="unseen-requests",
        kind=UnseenKind.REQUESTS,
        cases=424,
        what="own web requests, ordinary and hostile, written without looking at the detectors",
    ),
    UnseenSet(
        name="unseen-traffic",
        kind=UnseenKind.REQUESTS,
        cases=258,
        what="the same of other kinds: filters, sign-in, templates, code, machines, people",
    ),
    UnseenSet(
        name="unseen-web",
        kind=UnseenKind.REQUESTS,
        cases=378,
        what="the same of other kinds: frameworks, storage, queries, hooks, logs, languages",
    ),
    UnseenSet(
        name="unseen-services",
        kind=UnseenKind.REQUESTS,
        cases=114,
        what="the same of other services, by somebody who had seen the misses of `unseen-web`",
    ),
    UnseenSet(
        name="unseen-sites",
        kind=UnseenKind.REQUESTS,
        cases=260,
        what="the same of other kinds, by somebody who saw neither patterns nor misses",
    ),
    UnseenSet(
        name="unseen-portals",
        kind=UnseenKind.REQUESTS,
        cases=170,
        what="the same of other kinds, written after `unseen-sites` was mended, as it was",
    ),
    UnseenSet(
        name="unseen-apps",
        kind=UnseenKind.REQUESTS,
        cases=208,
        what="the same of common applications, by a reader of the guide, not of the patterns",
    ),
    UnseenSet(
        name="unseen-forms",
        kind=UnseenKind.REQUESTS,
        cases=323,
        what="the same of a hundred products, by a reader of the specification alone",
    ),
    UnseenSet(
        name="unseen-results",
        kind=UnseenKind.RESULTS,
        cases=60,
        what="own results of tools with and without orders to the model, written as `unseen-web`",
    ),
    UnseenSet(
        name="unseen-chains",
        kind=UnseenKind.CHAINS,
        cases=43,
        what="own sessions of several calls, written without looking at the code",
    ),
    UnseenSet(
        name="unseen-tools",
        kind=UnseenKind.CALLS,
        cases=310,
        what="own calls, written without looking at the code: tools that run what they are given",
    ),
    UnseenSet(
        name="unseen-tools-chains",
        kind=UnseenKind.CHAINS,
        cases=23,
        what="own sessions of such tools, written without looking at the code",
    ),
    UnseenSet(
        name="unseen-trades",
        kind=UnseenKind.CALLS,
        cases=462,
        what="own calls of many trades, written from the policy alone by somebody who saw no code",
    ),
    UnseenSet(
        name="unseen-trades-chains",
        kind=UnseenKind.CHAINS,
        cases=40,
        what="own sessions of many trades, written from the policy alone, as above",
    ),
    UnseenSet(
        name="unseen-shift",
        kind=UnseenKind.CALLS,
        cases=514,
        what=f"own calls of other kinds of work, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-shift-chains", kind=UnseenKind.CHAINS, cases=40, what=_CHAINS),
    UnseenSet(
        name="unseen-desk",
        kind=UnseenKind.CALLS,
        cases=495,
        what=f"own calls of a developer's desk, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-desk-chains", kind=UnseenKind.CHAINS, cases=30, what=_CHAINS),
    UnseenSet(
        name="unseen-stack",
        kind=UnseenKind.CALLS,
        cases=541,
        what=f"own calls of newer tools and other stacks, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-stack-chains", kind=UnseenKind.CHAINS, cases=36, what=_CHAINS),
    UnseenSet(
        name="unseen-debug",
        kind=UnseenKind.CALLS,
        cases=347,
        what=f"own calls of debugging, releases, legacy and laboratories, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-debug-chains", kind=UnseenKind.CHAINS, cases=24, what=_CHAINS),
    UnseenSet(
        name="unseen-craft",
        kind=UnseenKind.CALLS,
        cases=463,
        what=f"own calls of games, firmware, science, sites, data and networks, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-craft-chains", kind=UnseenKind.CHAINS, cases=30, what=_CHAINS),
    UnseenSet(
        name="unseen-guild",
        kind=UnseenKind.CALLS,
        cases=373,
        what=f"own calls of web teams, on call, robots, media, chains, offices, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-guild-chains", kind=UnseenKind.CHAINS, cases=24, what=_CHAINS),
    UnseenSet(
        name="unseen-field",
        kind=UnseenKind.CALLS,
        cases=360,
        what=f"own calls, half of every project's kinds, half of thirty trades, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-field-chains", kind=UnseenKind.CHAINS, cases=26, what=_CHAINS),
    UnseenSet(
        name="unseen-hands",
        kind=UnseenKind.CALLS,
        cases=245,
        what=f"own edits, calls of MCP servers and of functions, {_FROM_THE_POLICY}",
    ),
    UnseenSet(
        name="unseen-agents",
        kind=UnseenKind.CALLS,
        cases=270,
        what=f"own edits, tools of further services, functions of trades, {_FROM_THE_POLICY}",
    ),
    UnseenSet(
        name="unseen-tasks",
        kind=UnseenKind.CALLS,
        cases=180,
        what=f"the same as `unseen-agents` by another author, {_FROM_THE_POLICY}",
    ),
    UnseenSet(
        name="unseen-mix",
        kind=UnseenKind.CALLS,
        cases=279,
        what=f"own calls, half of every project's kinds, half of other trades, {_FROM_THE_POLICY}",
    ),
    UnseenSet(
        name="unseen-more",
        kind=UnseenKind.CALLS,
        cases=109,
        what="further rows by the author of `unseen-mix`, judged the same day",
    ),
    UnseenSet(name="unseen-mix-chains", kind=UnseenKind.CHAINS, cases=28, what=_CHAINS),
    UnseenSet(
        name="unseen-week",
        kind=UnseenKind.CALLS,
        cases=330,
        what=f"own calls, half of every project's kinds, half of other trades, {_FROM_THE_POLICY}",
    ),
    UnseenSet(name="unseen-week-chains", kind=UnseenKind.CHAINS, cases=24, what=_CHAINS),
    UnseenSet(
        name="unseen-bench",
        kind=UnseenKind.CALLS,
        cases=220,
        what="own calls by another author, a quarter of them code with libraries of services,"
        " written from the policy alone, after the misses of `unseen-week` were mended",
    ),
    UnseenSet(name="unseen-bench-chains", kind=UnseenKind.CHAINS, cases=26, what=_CHAINS),
    UnseenSet(
        name="unseen-counter",
        kind=UnseenKind.REQUESTS,
        cases=286,
        what="requests of ordinary sites and of products for technical people, by another author,"
        " after the misses of `unseen-doors` were mended",
    ),
    UnseenSet(
        name="unseen-wire",
        kind=UnseenKind.RESULTS,
        cases=120,
        what="the same as `unseen-pages` by a third author, after the misses of both were mended",
    ),
    UnseenSet(
        name="unseen-doors",
        kind=UnseenKind.REQUESTS,
        cases=360,
        what="own requests of 190 products and attacks, written from the specification alone",
    ),
    UnseenSet(
        name="unseen-feeds",
        kind=UnseenKind.RESULTS,
        cases=300,
        what="the same as `unseen-pages` by another author, after its misses were mended",
    ),
    UnseenSet(
        name="unseen-mailroom",
        kind=UnseenKind.RESULTS,
        cases=320,
        what="the same as `unseen-pages` by a fourth author, after those of all three were mended",
    ),
    UnseenSet(
        name="unseen-round",
        kind=UnseenKind.CALLS,
        cases=288,
        what="own calls of thirty trades by another author, written from the policy alone",
    ),
    UnseenSet(name="unseen-round-chains", kind=UnseenKind.CHAINS, cases=26, what=_CHAINS),
    UnseenSet(
        name="unseen-gates",
        kind=UnseenKind.REQUESTS,
        cases=290,
        what="the same as `unseen-counter` by another author, after its misses were known",
    ),
    UnseenSet(
        name="unseen-shore",
        kind=UnseenKind.CALLS,
        cases=280,
        what="own calls of twenty further settings, written from the policy alone",
    ),
    UnseenSet(name="unseen-shore-chains", kind=UnseenKind.CHAINS, cases=28, what=_CHAINS),
    UnseenSet(
        name="unseen-quays",
        kind=UnseenKind.REQUESTS,
        cases=273,
        what="the same as `unseen-gates` by another author, after its misses were known",
    ),
    UnseenSet(
        name="unseen-harbor",
        kind=UnseenKind.RESULTS,
        cases=304,
        what="the same as `unseen-mailroom` by a fifth author, after its misses were known",
    ),
    UnseenSet(
        name="unseen-cove",
        kind=UnseenKind.RESULTS,
        cases=260,
        what="the same as `unseen-harbor` by a sixth author, after part of its misses were mended",
    ),
    UnseenSet(
        name="unseen-isle",
        kind=UnseenKind.CALLS,
        cases=240,
        what="own calls of twenty other settings, after the misses of `unseen-shore` were mended",
    ),
    UnseenSet(name="unseen-isle-chains", kind=UnseenKind.CHAINS, cases=26, what=_CHAINS),
    UnseenSet(
        name="unseen-fjord",
        kind=UnseenKind.CALLS,
        cases=240,
        what="own calls of twenty other settings by two authors, after the classifier of calls",
    ),
    UnseenSet(
        name="unseen-gorge",
        kind=UnseenKind.CALLS,
        cases=120,
        what="the same as `unseen-fjord` by a third author, after the classifier saw operations",
    ),
    UnseenSet(
        name="unseen-plains",
        kind=UnseenKind.CALLS,
        cases=900,
        what="own calls of sixty further settings by six authors, after the classifier of calls",
    ),
    UnseenSet(
        name="unseen-uplands",
        kind=UnseenKind.CALLS,
        cases=900,
        what="the same by six authors with other mixes of tools, after learning from unseen-plains",
    ),
    UnseenSet(
        name="unseen-scree",
        kind=UnseenKind.CALLS,
        cases=300,
        what="the same by two further authors, after learning from unseen-uplands",
    ),
    UnseenSet(
        name="unseen-ordinary",
        kind=UnseenKind.CALLS,
        cases=400,
        what="own ordinary edits and calls of forty projects each, half of them near a danger",
    ),
    UnseenSet(
        name="unseen-lagoon",
        kind=UnseenKind.CALLS,
        cases=420,
        what="own calls of 28 further settings by three authors, after everything above",
    ),
    UnseenSet(
        name="unseen-tundra",
        kind=UnseenKind.CALLS,
        cases=600,
        what="own calls of forty settings of software, machines and offices by four authors",
    ),
    UnseenSet(
        name="unseen-taiga",
        kind=UnseenKind.CALLS,
        cases=150,
        what="the same of ten settings by a fifth author, after learning from unseen-tundra",
    ),
    UnseenSet(
        name="unseen-steppe",
        kind=UnseenKind.CALLS,
        cases=150,
        what="own calls of ten settings of data and models by a sixth author, after the above",
    ),
    UnseenSet(
        name="unseen-strand",
        kind=UnseenKind.CALLS,
        cases=420,
        what="own calls of thirty further settings by three authors, after everything above",
    ),
    UnseenSet(
        name="unseen-meadow",
        kind=UnseenKind.CALLS,
        cases=150,
        what="own ordinary calls of forty projects, half of them near a danger, as above",
    ),
    UnseenSet(
        name="unseen-reef",
        kind=UnseenKind.RESULTS,
        cases=240,
        what="the same as `unseen-cove` by a seventh author",
    ),
    UnseenSet(
        name="unseen-fen",
        kind=UnseenKind.RESULTS,
        cases=400,
        what="results for coding agents and for office and research agents, by two authors",
    ),
    UnseenSet(
        name="unseen-burn",
        kind=UnseenKind.RESULTS,
        cases=160,
        what="results by a third author, half of the ordinary ones near no order",
    ),
    UnseenSet(
        name="unseen-pages",
        kind=UnseenKind.RESULTS,
        cases=289,
        what="own results of tools, with and without orders to a model, written without the code",
    ),
)


def unseen_names(kind: UnseenKind) -> tuple[str, ...]:
    """Give the names of the sets of one kind, the oldest first."""
    return tuple(one.name for one in UNSEEN if one.kind is kind)
