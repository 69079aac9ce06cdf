"""Metamorphic tests: the same act in other words is judged at least as strictly, data is no act.

Every shell case of the own corpus is wrapped in ways that do not change what it does; the verdict
may not become weaker. Every one is put where it is data; an outer command that passes must pass.
A printed count says that the variants were really made. What is known to go wrong stands in
tests/corpus/known_weaker.txt, a case and its wrappers a line.

    python -m bench.metamorphic                    at least 50,000 variants
    python -m bench.metamorphic --list 40          and the first 40 that went wrong
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bench.quality.cases import Case, read_cases, shell_case
from bench.quality.guard import Guard
from bench.quality.sets import OWN, ROOT
from bench.quality.wrapping import DATA, HARDER, WRAPPERS, Wrapper

RANK = {"allow": 0, "ask": 1, "deny": 2}
AT_LEAST = 50_000
PAIRS = 24  # of wrappers around wrappers, for each case
KNOWN = OWN / "known_weaker.txt"
SAVED = ROOT / "bench" / "results" / "metamorphic.json"
ALL = {**WRAPPERS, **HARDER}
# What reads its caller's arguments, functions or arrays means something else in another shell.
OF_CALLER = ("$1", "$@", "$*", "$0", "${0", "${1", "[$i]", "$REPLY", "!!")
# What only changes the shell it runs in changes nothing when that shell is another one.
OF_SHELL = frozenset(
    {"alias", "declare", "exec", "export", "history", "readonly", "set", "typeset", "unset"}
)
HIDDEN = ("\u200b", "\u202e")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One case in another form.

    Args:
        way: names of the wrappers, outermost first.
        bare: the verdict on the case as it stands; for data, on the outer command.
    """

    case: Case
    way: tuple[str, ...]
    line: str
    bare: str

    @property
    def name(self) -> str:
        """How it stands in the list of what is known."""
        return f"{self.case.id} {'/'.join(self.way)}"


def shell_cases(*, attacks: bool) -> tuple[Case, ...]:
    """Give the own shell cases, attacks or harmless ones."""
    names = "attacks-*.jsonl" if attacks else "benign-*.jsonl"
    cases = (case for path in sorted(OWN.glob(names)) for case in read_cases(path))
    return tuple(case for case in cases if case.command)


def is_portable(command: str) -> bool:
    """Whether a line means the same in another shell."""
    words = command.replace("=", " ").split()
    is_of_shell = bool(words) and words[0] in OF_SHELL
    assigns = command.split("=")[0].isidentifier() and " " not in command.split("'")[0]
    return not (is_of_shell or assigns or any(mark in command for mark in OF_CALLER))


def wrapped(cases: Iterable[Case], guard: Guard, *, pairs: int = PAIRS) -> Iterator[Variant]:
    """Give every case in every wrapper, and in some wrappers around wrappers."""
    for case in cases:
        if not is_portable(case.command):
            continue
        bare = guard.judge(case).verdict
        for way, line in ways(case, pairs=pairs):
            yield Variant(case=case, way=way, line=line, bare=bare)


def ways(case: Case, *, pairs: int = PAIRS) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give a case in every wrapper, and in some wrappers around wrappers: their names, the line."""
    for way in (*((name,) for name in ALL), *_pairs(case, pairs)):
        line = _apply(way, case.command)
        if line is not None:
            yield way, line


def as_data(cases: Iterable[Case], guard: Guard) -> Iterator[Variant]:
    """Give every case in every place where it is data and the outer command passes."""
    outer = {
        name: guard.judge(shell_case(_ANY, wrap("example") or "")).verdict
        for name, wrap in DATA.items()
    }
    for case in cases:
        if any(mark in case.command for mark in HIDDEN):
            continue
        for name, wrap in DATA.items():
            line = wrap(case.command)
            if line is not None and outer[name] == "allow":
                yield Variant(case=case, way=(name,), line=line, bare=outer[name])


def known() -> frozenset[str]:
    """Give what is known to go wrong: `case-id outer/inner`."""
    lines = KNOWN.read_text(encoding="utf-8").splitlines() if KNOWN.exists() else []
    return frozenset(line.split("#")[0].strip() for line in lines) - {""}


def is_weaker(variant: Variant, verdict: str) -> bool:
    """Say whether a wrapped case is judged more mildly than the bare one."""
    return RANK[verdict] < RANK[variant.bare]


def is_raised(_: Variant, verdict: str) -> bool:
    """Say whether data was taken for an act."""
    return verdict != "allow"


def failures(
    variants: Iterable[Variant], guard: Guard, is_wrong: Callable[[Variant, str], bool]
) -> tuple[int, tuple[tuple[Variant, str], ...]]:
    """Judge variants: how many there were, and the wrong ones with their verdicts."""
    count, wrong = 0, []
    for variant in variants:
        count += 1
        verdict = guard.judge(shell_case(variant.case, variant.line)).verdict
        if is_wrong(variant, verdict):
            wrong.append((variant, verdict))
    return count, tuple(wrong)


def main() -> int:
    """Run all variants and print how many went wrong; exit status 1 if a new one did."""
    parser = argparse.ArgumentParser(prog="python -m bench.metamorphic", description=__doc__)
    parser.add_argument("--list", type=int, default=0, help="print so many wrong ones")
    parser.add_argument("--way", default="", help="only wrong ones of this wrapper")
    parser.add_argument("--save", action="store_true", help="keep the counts for the page")
    parser.add_argument("--prune", action="store_true", help="take fixed ones off the list")
    options = parser.parse_args()
    guard = Guard()
    attacks, harmless = shell_cases(attacks=True), shell_cases(attacks=False)
    weaker = failures(wrapped(attacks, guard), guard, is_weaker)
    raised = failures(as_data((*attacks, *harmless), guard), guard, is_raised)
    for words, (count, wrong) in (("weaker when wrapped", weaker), ("raised as data", raised)):
        print(f"{len(wrong)} of {count} {words}")
        for way, n in Counter(variant.way[-1] for variant, _ in wrong).most_common():
            print(f"    {n:5} {way}")
        _print_some(wrong, options.list, options.way)
    count = weaker[0] + raised[0]
    if options.save:
        counts = {
            "wrapped": weaker[0],
            "weaker": len(weaker[1]),
            "let_through": sum(verdict == "allow" for _, verdict in weaker[1]),
            "as_data": raised[0],
            "raised": len(raised[1]),
        }
        SAVED.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    wrong_now = {variant.name for variant, _ in (*weaker[1], *raised[1])}
    if options.prune:
        _prune(wrong_now)
    new = wrong_now - known()
    print(f"{count} variants, at least {AT_LEAST} wanted; {len(new)} wrong ones are new")
    return int(bool(new) or count < AT_LEAST)


def _prune(wrong: set[str]) -> None:
    """Take off the list what is fixed; never adds to it."""
    lines = KNOWN.read_text(encoding="utf-8").splitlines(keepends=True)
    fixed = known() - wrong
    kept = [line for line in lines if line.split("#")[0].strip() not in fixed]
    KNOWN.write_text("".join(kept), encoding="utf-8")


def _print_some(wrong: Sequence[tuple[Variant, str]], most: int, way: str) -> None:
    chosen = (one for one in wrong if way in ("", *one[0].way))
    for variant, verdict in islice(chosen, most):
        print(f"  {variant.name}: {variant.bare} -> {verdict}")
        print(f"      {variant.line[:200]!r}")


def _pairs(case: Case, most: int) -> Iterator[tuple[str, str]]:
    """Choose wrappers around wrappers, the same for a case every time."""
    names = sorted(ALL)
    seed = zlib.crc32(case.id.encode())
    for step in range(most):
        mixed = zlib.crc32(f"{seed}/{step}".encode())
        yield names[mixed % len(names)], names[mixed // len(names) % len(names)]


def _apply(way: tuple[str, ...], command: str) -> str | None:
    line: str | None = command
    for name in reversed(way):
        wrap: Wrapper = ALL[name]
        line = None if line is None else wrap(line)
    return line


_ANY = Case(id="", source="", label="allow")

if __name__ == "__main__":
    sys.exit(main())
