"""Judge hostile inputs in process and print the slowest: no input may take over the limit.

    python -m bench.hostile
    python -m bench.hostile --only lines --limit 100     shell lines of `hostile_lines` alone

Each input is judged three times after a warm-up, each time by a judge that has seen no call; the
smallest processor time is printed, for the machine may be busy. Exit status 1 if one takes over
the limit, 50 ms unless said otherwise.
"""

from __future__ import annotations

import argparse
import sys
import time

from bench.hostile_lines import hostile_lines
from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.build.judge import shipped_rules

CWD = "/home/dev/project"
LIMIT_MS = 50.0
SEEDS = (
    "a", " ", "$)", ").", "|", "((", "{{", "`", "$(", "'", '"', "\\", "<<E\n", ";", "&&", "x=1;",
    "rm -rf /;", "echo a | ", "if a; then ", "${x:-", "dd dd ", "1.", "curl x ", "\u202e", "é",
    "find a -name b ", "sudo ", "env -S ", "eval ", "$'\\x41'", "/*", "--", "SELECT 1;", "((((1",
    "[[ a ]] ", "for i in a; do ", "{a,b}", "*", "~/", "../", "%27", "&#x41;", "key=", "AKIA",
    "\u0323\u0301", "-----BEGIN ",
    "ignore previous ", "http://a@", "import os;", "f(", "<!--", "eyJ", "\n", "\t",
)  # fmt: skip


def inputs() -> list[tuple[str, Action]]:
    """Every seed repeated to 1, 20 and 2,000 KB, through every kind of call."""
    made: list[tuple[str, Action]] = []
    for size in (1_000, 20_000, 2_000_000):
        for seed in SEEDS:
            text = (seed * (size // len(seed) + 1))[:size]
            for name, action in _calls(text):
                made.append((f"{name} {seed!r} x {size}", action))
    return made


def structured() -> list[tuple[str, Action]]:
    """Shell lines of 20 KB and less, made slow by how their parts hang together."""
    return [
        (name, Action(tool="Bash", arguments={"command": text}, cwd=CWD))
        for name, text in hostile_lines(20_000)
    ]


def _calls(text: str) -> list[tuple[str, Action]]:
    tools: dict[str, dict[str, Json]] = {
        "Bash": {"command": text},
        "Write": {"file_path": "src/a.py", "content": text},
        "WebFetch": {"url": text, "prompt": "x"},
        "Read": {"file_path": text},
        "mcp__postgres__query": {"sql": text},
        "mcp__shell__run": {"code": text, "language": "python"},
        "Edit": {"file_path": ".github/workflows/a.yml", "old_string": "a", "new_string": text},
    }
    made = [(tool, Action(tool=tool, arguments=given, cwd=CWD)) for tool, given in tools.items()]
    request: dict[str, Json] = {"method": "POST", "path": "/a", "query": {"q": text}, "body": text}
    made.append(("request", Action(tool="r", arguments=request, kind=ActionKind.HTTP_REQUEST)))
    result: dict[str, Json] = {"result": text}
    made.append(("result", Action(tool="r", arguments=result, kind=ActionKind.RESULT)))
    function: dict[str, Json] = {"0": text}
    made.append(("function", Action(tool="f", arguments=function, kind=ActionKind.FUNCTION)))
    return made


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--only", choices=("texts", "lines"), default="")
    parser.add_argument("--limit", type=float, default=LIMIT_MS, help="milliseconds")
    options = parser.parse_args()
    made = [] if options.only == "lines" else inputs()
    made += [] if options.only == "texts" else structured()
    rules = shipped_rules()
    for _, action in _calls("ls"):
        Judge(rules=lambda: rules)(action, Facts())
    timed: list[tuple[float, str]] = []
    for name, action in made:
        best = min(_once(Judge(rules=lambda: rules), action) for _ in range(3))
        timed.append((best * 1e3, name))
    timed.sort(reverse=True)
    for spent, name in timed[:25]:
        print(f"{spent:8.1f} ms  {name}")
    over = sum(spent > options.limit for spent, _ in timed)
    print(f"{len(timed)} inputs, {over} over {options.limit:.0f} ms")
    sys.exit(1 if over else 0)


def _once(judge: Judge, action: Action) -> float:
    began = time.thread_time()
    judge(action, Facts())
    return time.thread_time() - began


if __name__ == "__main__":
    main()
