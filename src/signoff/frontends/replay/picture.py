"""The summary of a replay as one file: an SVG picture, or an HTML page around it.

Nothing in it is loaded from elsewhere and nothing in it runs: it can be sent and opened anywhere.

    save_picture("report.html", summary)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from signoff.errors import BadSettings
from signoff.frontends.replay.summary import TOOLS, CallCounts, ReplaySummary
from signoff.frontends.replay.summary_text import headline, host_title
from signoff.storage.text_file import write_whole
from signoff.values import count_of

WIDTH = 760
ROW = 24
LEFT = 190
BAR = 380
DAY_HEIGHT = 80
NAME_LIMIT = 24
ENDINGS = (".html", ".svg")
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #ffffff;
  --ask: #c77700; --deny: #c0262d; --calls: #b8c4d4; --line: #dde3ea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf4; --soft: #9aa7b8; --paper: #12171e;
  --ask: #f0a63a; --deny: #ff6b6b; --calls: #3c4a5c; --line: #27303b; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 760px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .5rem;
  border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child, th:first-child { text-align: right; white-space: nowrap; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.soft { color: var(--soft); } svg { max-width: 100%; height: auto; }
"""
SVG_STYLE = """
text { font: 13px system-ui, sans-serif; fill: var(--ink, #1c2430); }
.big { font-size: 30px; font-weight: 600; } .soft { fill: var(--soft, #5b6675); }
.ask { fill: var(--ask, #c77700); } .deny { fill: var(--deny, #c0262d); }
.calls { fill: var(--calls, #b8c4d4); }
"""


def save_picture(path: str, summary: ReplaySummary) -> None:
    """Write the summary as a picture: `.svg`, or `.html` with the lists too.

    Raises:
        BadSettings: the name ends otherwise, or the file cannot be written.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise BadSettings(f"cannot save `{path}`: expected a name ending in .html or .svg")
    text = svg(summary) if ending == ".svg" else page(summary)
    try:
        # What agents did on this machine is for its user alone, until they send it.
        write_whole(os.path.abspath(path), text.encode(), mode=0o600)
    except OSError as error:
        raise BadSettings(f"cannot save `{path}`: {error.strerror or error}") from error


def page(summary: ReplaySummary) -> str:
    """Return the summary as an HTML page."""
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>signoff: what would have been asked</title><style>{STYLE}</style></head>",
            f"<body><h1>{escape(headline(summary))}</h1>",
            svg(summary),
            *_questions(summary),
            *_grants(summary),
            *_denied(summary),
            '<p class="soft">Made by <code>signoff replay --transcripts</code> from the session',
            "files of this machine. Secrets are masked. Nothing was run or sent.</p>",
            "</body></html>\n",
        ]
    )


def svg(summary: ReplaySummary) -> str:
    """Return the summary as an SVG picture."""
    tools = [one for one in summary.tools if one.asked or one.denied][:TOOLS]
    drawn: list[str] = [*_figures(summary)]
    y = 100
    drawn += _bars("Questions per 100 calls, by agent", _hosts(summary), y)
    y += ROW * (len(summary.hosts) + 2)
    drawn += _bars("Questions per 100 calls, by tool (those that were asked about)", tools, y)
    y += ROW * (len(tools) + 2)
    drawn += _days(summary.days, y)
    height = y + DAY_HEIGHT + 60
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
            f' width="{WIDTH}" height="{height}">',
            f"<title>{escape(headline(summary))}</title><style>{SVG_STYLE}</style>",
            *drawn,
            "</svg>",
        ]
    )


def _hosts(summary: ReplaySummary) -> list[CallCounts]:
    return [
        CallCounts(name=host_title(one.name), calls=one.calls, asked=one.asked, denied=one.denied)
        for one in summary.hosts
    ]


def _figures(summary: ReplaySummary) -> Iterator[str]:
    shown = (
        (f"{summary.calls:,}", "calls", ""),
        (f"{summary.asks_per_100:.2f}", "questions per 100 calls", " ask"),
        (f"{summary.asks_per_100_with_grants:.2f}", "with session approvals", " ask"),
        (f"{summary.denied:,}", "denied", " deny"),
    )
    for index, (figure, words, kind) in enumerate(shown):
        x = 10 + index * 185
        yield f'<text class="big{kind}" x="{x}" y="40">{figure}</text>'
        yield f'<text class="soft" x="{x}" y="62">{words}</text>'


def _bars(title: str, rows: Sequence[CallCounts], y: int) -> Iterator[str]:
    most = max((one.asks_per_100 for one in rows), default=0.0) or 1.0
    yield f'<text x="10" y="{y}" font-weight="600">{title}</text>'
    for index, one in enumerate(rows):
        top = y + 12 + index * ROW
        width = BAR * one.asks_per_100 / most
        yield f'<text x="10" y="{top + 14}">{escape(_cut(one.name))}</text>'
        yield f'<rect class="ask" x="{LEFT}" y="{top + 3}" width="{width:.1f}" height="14" rx="2"/>'
        denied = f", {one.denied:,} denied" if one.denied else ""
        yield (
            f'<text class="soft" x="{LEFT + width + 8:.1f}" y="{top + 14}">{one.asks_per_100:.2f}'
            f" ({one.asked:,} of {one.calls:,}{denied})</text>"
        )


def _days(days: Sequence[CallCounts], y: int) -> Iterator[str]:
    if not days:
        return
    most = max(one.calls for one in days)
    step = min(24.0, (WIDTH - 20) / len(days))
    yield f'<text x="10" y="{y}" font-weight="600">Calls and questions a day</text>'
    for index, one in enumerate(days):
        x, floor = 10 + index * step, y + 12 + DAY_HEIGHT
        for kind, count in (("calls", one.calls), ("ask", one.asked + one.denied)):
            height = max(DAY_HEIGHT * count / most, 1.0 if count else 0.0)
            yield (
                f'<rect class="{kind}" x="{x:.1f}" y="{floor - height:.1f}"'
                f' width="{step * 0.8:.1f}" height="{height:.1f}"><title>{escape(one.name)}:'
                f" {count_of(one.calls, 'call')}, {one.asked:,} asked, {one.denied:,} denied"
                "</title></rect>"
            )
    yield f'<text class="soft" x="10" y="{y + DAY_HEIGHT + 30}">{escape(days[0].name)}</text>'
    end = 10 + len(days) * step
    yield (
        f'<text class="soft" x="{max(end, 180):.0f}" y="{y + DAY_HEIGHT + 30}" text-anchor="end">'
        f"{escape(days[-1].name)}</text>"
    )


def _questions(summary: ReplaySummary) -> Iterator[str]:
    rows = (
        (
            f"{one.count:,}",
            f"{escape(one.title)}<br><code>{escape(one.example)}</code>"
            f'<br><span class="soft">{escape(one.cause)}</span>',
        )
        for one in summary.questions
    )
    yield from _table("Most frequent questions", ("asked", "what"), rows)


def _grants(summary: ReplaySummary) -> Iterator[str]:
    rows = (
        (f"{one.silenced:,} of {one.asked:,}", f"<code>{escape(one.covers)}</code>")
        for one in summary.grants
    )
    title = 'Approvals "for this session" that would have answered most'
    yield from _table(title, ("answered", "what it covers"), rows)


def _denied(summary: ReplaySummary) -> Iterator[str]:
    rows = (
        (
            escape(one.at[:16].replace("T", " ")),
            f"<code>{escape(one.call)}</code><br>{escape(one.reason)}",
        )
        for one in reversed(summary.denied_calls)
    )
    yield from _table("Denied, newest first", ("when", "what"), rows)


def _table(title: str, names: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    body = [f"<tr><td>{first}</td><td>{second}</td></tr>" for first, second in rows]
    if body:
        yield f"<h2>{escape(title)}</h2><table><tr><th>{names[0]}</th><th>{names[1]}</th></tr>"
        yield from body
        yield "</table>"


def _cut(name: str) -> str:
    # Of a tool of an MCP server the end tells more: `mcp__server__tool`.
    return name if len(name) <= NAME_LIMIT else f"...{name[3 - NAME_LIMIT :]}"
