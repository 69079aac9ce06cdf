"""Change what decides, one small change at a time, and see that a test fails each time.

python -m bench.mutation                        every group
python -m bench.mutation --only decisions       one of them
python -m bench.mutation --again                only what survived, with the present tests
python -m bench.mutation --read-only            what the last run found
python -m bench.mutation --survivors            with the change of every survivor

Takes `pip install mutmut==3.8.1`, which no group installs. Each group is mutated in a copy of the
working tree, in .cache/mutation. A survivor is explained in survivors.yaml, or is a gap. Exit
status 1 if fewer than 90 % of a group are killed, or a survivor is not explained.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from bench.mutation.groups import GROUPS, Group
from bench.mutation.results import Mutant, Outcome, mutants_in

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "mutation"
EXPLAINED = Path(__file__).with_name("survivors.yaml")
LEAST = 0.9
QUICK_CODES = ("SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 14,", "SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 4,")
ALIVE = frozenset({Outcome.SURVIVED, Outcome.UNTESTED, Outcome.NOT_RUN})
Explained = Mapping[tuple[str, str], str]


def explained() -> dict[tuple[str, str], str]:
    """Return why each explained survivor cannot or need not be killed, by place and change."""
    rows = yaml.safe_load(EXPLAINED.read_text(encoding="utf-8")) or []
    return {(row["place"], row["change"].strip()): row["why"] for row in rows}


def copy_tree(to: Path, *, only: str = "") -> None:
    """Copy the working tree, or one folder of it."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file() and name.startswith(only):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def prepare(to: Path, group: Group) -> None:
    """Make the copy that is mutated, with the settings that mutmut takes for a group."""
    shutil.rmtree(to, ignore_errors=True)
    copy_tree(to)
    slow = to / "src/signoff/challenge/proofs/seal.py"
    slow.write_text(slow.read_text(encoding="utf-8").replace(*QUICK_CODES), encoding="utf-8")
    write_settings(to, group)


def write_settings(to: Path, group: Group) -> None:
    """Say to mutmut what is changed, and by which tests."""
    settings = {
        "source_paths": ["src/signoff"],
        "only_mutate": list(group.sources),
        "also_copy": ["bench", "docs", "scripts", "README.md", "CONTRIBUTING.md"],
        "pytest_add_cli_args": ["-p", "no:randomly", "-p", "no:xdist"],
        "pytest_add_cli_args_test_selection": list(group.tests),
        "timeout_constant": 20.0,
        "on_dependency_change": "warn",
    }
    lines = [f"{name} = {value!r}" for name, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    said = f"{project}\n[tool.mutmut]\n" + "\n".join(lines) + "\n"
    (to / "pyproject.toml").write_text(said, encoding="utf-8")


def survivors(folder: Path, group: Group) -> list[str]:
    """Return the names of what was not killed, after the present tests were copied there."""
    write_settings(folder, group)
    for to in (folder, folder / "mutants"):
        copy_tree(to, only="tests/")
    return [one.name for one in mutants_in(folder) if one.outcome in ALIVE]


def codes_in(folder: Path) -> dict[Path, dict[str, int | None]]:
    """Return what mutmut keeps of each mutant, by file."""
    found = {}
    for meta in (folder / "mutants").rglob("*.py.meta"):
        found[meta] = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def give_back(codes: Mapping[Path, Mapping[str, int | None]]) -> None:
    """Keep what came of mutants before, where mutmut ran others and forgot them."""
    for meta, before in codes.items():
        said = json.loads(meta.read_text(encoding="utf-8"))
        now = said["exit_code_by_key"]
        said["exit_code_by_key"] = {
            key: before.get(key) if code is None else code for key, code in now.items()
        }
        meta.write_text(json.dumps(said), encoding="utf-8")


def run_mutmut(folder: Path, names: Sequence[str] = (), *, processes: int) -> None:
    """Make the mutants and run the tests of each, or of the named ones."""
    line = [sys.executable, "-m", "mutmut", "run", "--max-children", str(processes), *names]
    with (folder / "mutmut.log").open("wb") as log:
        done = subprocess.run(
            line, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False, env=_environment()
        )
    if done.returncode:
        sys.exit(f"mutmut ended with {done.returncode}; see {folder / 'mutmut.log'}")


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def report(name: str, mutants: list[Mutant], known: Explained, *, shows_all: bool) -> bool:
    """Print what came of a group; tell whether it is as it must be."""
    count = Counter(one.outcome for one in mutants)
    alive = [one for one in mutants if one.outcome in ALIVE]
    gaps = [one for one in alive if (one.place, one.change) not in known]
    counted = len(mutants) - count[Outcome.TEXT]
    share = count[Outcome.KILLED] / counted if counted else 0.0
    print(
        f"{name:<12} {counted:>5} mutants  {count[Outcome.KILLED]:>5} killed  {share:6.1%}"
        f"  {len(alive) - len(gaps):>4} explained  {len(gaps):>4} gaps"
        f"  ({count[Outcome.TEXT]} texts for people not counted)",
        flush=True,
    )
    for one in alive if shows_all else gaps:
        print(f"\n{one.place}: {one.outcome}\n{one.change}")
    return share >= LEAST and not gaps


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=tuple(GROUPS), action="append")
    parser.add_argument("--again", action="store_true", help="only what survived before")
    parser.add_argument("--read-only", action="store_true", help="run nothing")
    parser.add_argument("--survivors", action="store_true", help="show the explained ones too")
    parser.add_argument("--processes", type=int, default=1, help="how many tests run at once")
    chosen = parser.parse_args()
    good = []
    for name in chosen.only or GROUPS:
        folder = FOLDER / name
        if chosen.again and (left := survivors(folder, GROUPS[name])):
            before = codes_in(folder)
            run_mutmut(folder, left, processes=chosen.processes)
            give_back(before)
        elif not chosen.read_only and not chosen.again:
            prepare(folder, GROUPS[name])
            run_mutmut(folder, processes=chosen.processes)
        found = list(mutants_in(folder))
        good.append(report(name, found, explained(), shows_all=chosen.survivors))
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
