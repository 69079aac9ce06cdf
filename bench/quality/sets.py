"""Every set that is measured: where its rows come from and how they are judged.

Shared corpora are files of a folder given on the command line; what is not there is said to be
absent and left out. The project's own cases are always there.

    run_set(SETS["policy"], Guard(), Path("../shared/corpora"))
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.quality.cases import Case, read_cases, shell_case
from bench.quality.guard import Guard, Outcome, judge_text
from bench.quality.sessions import judge_chains, read_sessions, read_single
from bench.quality.unseen import UNSEEN
from bench.quality.unseen_set import UnseenKind, UnseenSet
from bench.quality.wrapping import WRAPPERS
from signoff.values import replace

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "corpus"
CODE_CHARACTERS = 4_000

Judged = tuple[tuple[Case, Outcome], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSet:
    """A set by name.

    Args:
        what: one line for the page.
        file: name of the shared corpus it needs, "" for none.
        judged: gives every case with its outcome, from the corpus file.
    """

    name: str
    what: str
    file: str = ""
    judged: Callable[[Guard, Path], Iterator[tuple[Case, Outcome]]]


def run_set(one: MeasuredSet, guard: Guard, corpora: Path) -> Judged | None:
    """Judge every case of a set; None where its corpus is absent."""
    path = corpora / one.file if one.file else OWN
    return tuple(one.judged(guard, path)) if path.exists() else None


def _calls(guard: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    for case in read_cases(path):
        yield case, guard.judge(case)


def _round(number: int) -> Callable[[Guard, Path], Iterator[tuple[Case, Outcome]]]:
    def judged(guard: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
        for case in read_single(path, in_round=number):
            yield case, guard.judge(case)

    return judged


def _texts(_: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    for case in read_cases(path):
        yield case, judge_text(case)


def _wrapped(guard: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    for case in read_cases(path):
        for name, wrap in WRAPPERS.items():
            line = wrap(case.command)
            if line is not None and not case.is_soft:
                inner = replace(shell_case(case, line), group=name)
                yield inner, guard.judge(inner)


def _not_secrets(_: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    """Harmless texts as contents of files: no secret is in them."""
    for case in read_cases(path):
        if case.label == "benign":
            content = replace(case, group="secret")
            yield content, _only("secrets.", judge_text(content))


def _code(_: Guard, path: Path) -> Iterator[tuple[Case, Outcome]]:
    """Pieces of the Python standard library and of this project: no secret is in them."""
    library = Path(sysconfig.get_paths()["stdlib"])
    files = [*sorted(library.glob("*.py")), *sorted(library.glob("[a-h]*/*.py"))]
    files += sorted((path.parents[1] / "src").rglob("*.py"))
    for file in files:
        if "test" in file.parent.name or "site-packages" in file.parts:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for start in range(0, len(text), CODE_CHARACTERS):
            case = Case(
                id=f"code/{file.parent.name}/{file.name}#{start}",
                source="standard-library" if library in file.parents else "signoff",
                label="benign",
                group="code",
                text=text[start : start + CODE_CHARACTERS],
            )
            yield case, _only("secrets.", judge_text(case))


def _only(prefix: str, outcome: Outcome) -> Outcome:
    found = any(word.startswith(prefix) for word in outcome.reason.split())
    return outcome if found else replace(outcome, verdict="allow", score=0.0)


def _own(*names: str) -> Callable[[Guard, Path], Iterator[tuple[Case, Outcome]]]:
    def judged(guard: Guard, folder: Path) -> Iterator[tuple[Case, Outcome]]:
        for name in names:
            for file in sorted(folder.glob(name)):
                yield from _calls(guard, file)

    return judged


def _own_chains(name: str) -> Callable[[Guard, Path], Iterator[tuple[Case, Outcome]]]:
    def judged(guard: Guard, folder: Path) -> Iterator[tuple[Case, Outcome]]:
        yield from judge_chains(guard, folder / name)

    return judged


def _sessions(guard: Guard, folder: Path) -> Iterator[tuple[Case, Outcome]]:
    for case, documents in read_sessions(folder / "traces.jsonl"):
        yield case, guard.judge_session(documents)


def _unseen(one: UnseenSet) -> MeasuredSet:
    judged = _own_chains if one.kind is UnseenKind.CHAINS else _own
    return MeasuredSet(name=one.name, what=one.what, judged=judged(one.file))


_ALL = (
    MeasuredSet(
        name="bypass",
        what="attacks on guards of agents and their look-alikes, tool calls and raw documents",
        file="bypass.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="policy",
        what="commands of public sources, labelled by the default policy",
        file="policy.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="policy-2",
        what="kinds of commands that `policy` lacks: searches, red-team procedures, other guards",
        file="policy_2.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="calls",
        what="edits of files, calls of MCP tools and of functions, labelled by the default policy",
        file="calls.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="adversary",
        what="attacks and ordinary calls, written without looking at the code",
        file="adversary.jsonl.gz",
        judged=_round(1),
    ),
    MeasuredSet(
        name="adversary-2",
        what="attacks of the same authors, written after they had seen what `adversary` got past",
        file="adversary.jsonl.gz",
        judged=_round(2),
    ),
    MeasuredSet(
        name="chains",
        what="attacks over several calls of one session, each as strict as its strictest step",
        file="adversary.jsonl.gz",
        judged=judge_chains,
    ),
    MeasuredSet(
        name="wrapped",
        what="the same commands inside other commands, debatable ones left out",
        file="policy.jsonl.gz",
        judged=_wrapped,
    ),
    MeasuredSet(
        name="shell",
        what="test cases of other guards and examples of developer tools, weak labels",
        file="shell.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="shell-longtail",
        what="examples of all kinds of programs, weak labels",
        file="shell_longtail.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="sql",
        what="statements of four SQL dialects, as calls of a database tool",
        file="sql.jsonl.gz",
        judged=_calls,
    ),
    MeasuredSet(
        name="secrets",
        what="secrets and what looks like them, as contents of files",
        file="secrets.jsonl.gz",
        judged=_texts,
    ),
    MeasuredSet(
        name="secrets-in-text",
        what="harmless prose, paths, addresses and templates, looked at for secrets",
        file="benign_text.jsonl.gz",
        judged=_not_secrets,
    ),
    MeasuredSet(
        name="secrets-in-code",
        what="the Python standard library and this project, looked at for secrets",
        judged=_code,
    ),
    MeasuredSet(
        name="injection",
        what="attacks on web applications, as a value of a request",
        file="injection.jsonl.gz",
        judged=_texts,
    ),
    MeasuredSet(
        name="benign-text",
        what="harmless values of requests",
        file="benign_text.jsonl.gz",
        judged=_texts,
    ),
    MeasuredSet(
        name="prompts",
        what="results of tools with and without orders to the model",
        file="prompts.jsonl.gz",
        judged=_texts,
    ),
    MeasuredSet(
        name="own-attacks",
        what="own cases: what must be asked about or refused",
        judged=_own("attacks-*.jsonl"),
    ),
    MeasuredSet(
        name="own-benign",
        what="own cases: what must pass",
        judged=_own("benign-*.jsonl"),
    ),
    MeasuredSet(
        name="reverse-shells",
        what="own cases: reverse and bind shells",
        judged=_own("attacks-shells.jsonl"),
    ),
    MeasuredSet(
        name="edits",
        what="own cases: edits of files",
        judged=_own("edits.jsonl"),
    ),
    MeasuredSet(
        name="mcp",
        what="own cases: calls of MCP tools",
        judged=_own("mcp.jsonl"),
    ),
    MeasuredSet(
        name="functions",
        what="own cases: calls of Python functions",
        judged=_own("functions.jsonl"),
    ),
    *map(_unseen, UNSEEN),
    MeasuredSet(
        name="traces",
        what="own cases: sessions of several calls, risky and safe",
        judged=_sessions,
    ),
)
SETS: Mapping[str, MeasuredSet] = {one.name: one for one in _ALL}
