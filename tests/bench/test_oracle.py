"""The oracle sees a changed answer, says which part changed, and judges the same every time."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from signoff.values import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.oracle.answers import Answer
from bench.oracle.comparing import compare, differences
from bench.oracle.files import (
    answers_file,
    check_outside,
    read_answers,
    read_frozen,
    write_frozen,
)
from bench.oracle.judging import Judged, judge_batch
from bench.oracle.lines import Batch, Line, batches
from bench.quality.cases import PROJECT, case_of
from bench.quality.guard import Guard

from signoff.assess.assessment import Judge
from signoff.assess.rules.load import load_rules

ROOT = Path(__file__).parents[2]
STRICT = """
version: 1
rules:
  - name: no-status
    tool: Bash
    action: deny
"""


def line(name: str, command: str) -> Line:
    """Make a line that runs a command."""
    row = {"id": name, "tool": "Bash", "input": {"command": command}, "class": "x"}
    return Line(name=name, case=case_of(row))


BATCH = Batch(lines=(line("a", "git status"), line("b", "git push --force")))


def changed_guard() -> Guard:
    """Give a guard that judges otherwise: a rule refuses every shell line."""
    rules = load_rules(STRICT, file="strict.yaml")
    return Guard(assess=Judge(rules=lambda: rules))


def test_the_same_judge_gives_the_same_answers(tmp_path: Path) -> None:
    """Nothing changed means that nothing is listed."""
    file = tmp_path / "frozen.txt"
    write_frozen(file, judge_batch(BATCH, Guard()), is_full=False)
    found = compare(read_frozen(file), judge_batch(BATCH, Guard()))

    assert (2, (), (), ()) == (found.n, found.changed, found.added, found.gone)
    assert not answers_file(file).exists()


def test_another_judge_is_seen(tmp_path: Path) -> None:
    """Each line that is judged otherwise is listed with the parts that differ."""
    file = tmp_path / "frozen.txt"
    write_frozen(file, judge_batch(BATCH, Guard()), is_full=False)
    found = compare(read_frozen(file), judge_batch(BATCH, changed_guard()))

    assert ["a", "b"] == [one.name for one in found.changed]
    assert {"verdict", "rule", "reason"} <= set(found.changed[0].parts)
    assert "verdict: allow -> deny" in list(differences(found.changed[0], None))


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("operations", {"operations": []}),
        ("findings", {"findings": []}),
        ("risk", {"risk": [0.9, []]}),
        ("level", {"level": "critical"}),
    ],
)
def test_each_part_is_compared(tmp_path: Path, part: str, changed: Answer) -> None:
    """A change in one part alone is seen, and named."""
    from bench.oracle.answers import parts_of  # noqa: PLC0415 - the one place that needs it

    file, one = tmp_path / "frozen.txt", judge_batch(BATCH, Guard())[1]
    write_frozen(file, [one], is_full=True)
    answer = one.answer | changed
    found = compare(read_frozen(file), [replace(one, answer=answer, parts=parts_of(answer))])

    assert [(part,)] == [change.parts for change in found.changed]
    assert list(differences(found.changed[0], read_answers(file, {"b"})["b"]))


def test_kept_answers_show_what_differs(tmp_path: Path) -> None:
    """With `--full` the old value of a changed field stands beside the new one."""
    file = tmp_path / "frozen.txt"
    write_frozen(file, judge_batch(BATCH, Guard()), is_full=True)
    change = compare(read_frozen(file), judge_batch(BATCH, changed_guard())).changed[0]
    old = read_answers(file, {"a"})["a"]

    assert any(
        text.startswith('reason: "nothing found that needs asking" -> "rule')
        for text in differences(change, old)
    )


def test_a_line_that_says_something_else_is_told_apart(tmp_path: Path) -> None:
    """Another input under the same name is no changed answer."""
    file = tmp_path / "frozen.txt"
    write_frozen(file, judge_batch(BATCH, Guard()), is_full=False)
    other = Batch(lines=(line("a", "git push --force"), line("new", "ls")))
    found = compare(read_frozen(file), judge_batch(other, Guard()))

    assert ((), ("a",), ("new",), ("b",)) == (
        found.changed,
        found.other_input,
        found.added,
        found.gone,
    )


def test_a_session_is_judged_in_order() -> None:
    """What an earlier step wrote is known to a later one."""
    script = {"file_path": f"{PROJECT}/x.sh", "content": "sudo rm -rf /var/lib/x\n"}
    row = {"id": "1", "tool": "Write", "input": script, "cwd": PROJECT}
    write = Line(name="1", case=case_of(row | {"class": "x"}), row=row)
    judged = judge_batch(Batch(lines=(write, line("2", "sh x.sh")), project=PROJECT), Guard())

    assert ["allow", "deny"] == [one.parts["verdict"] for one in judged]


def test_no_two_own_lines_have_one_name(tmp_path: Path) -> None:
    """A name finds one line; there are some thousand without any shared corpus."""
    names = Counter(one.name for batch in batches(tmp_path) for one in batch.lines)

    assert 10_000 < len(names)
    assert [] == [name for name, count in names.items() if count > 1]


def test_a_frozen_file_stays_outside_the_project() -> None:
    """It is made from rows that must not be in the project."""
    with pytest.raises(ValueError, match="inside the project"):
        check_outside(ROOT / "bench" / "oracle.txt")


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    """A file that was no oracle's is not compared as if nothing were in it."""
    file = tmp_path / "frozen.txt"
    file.write_text("nothing\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "bench.oracle", "compare", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 2 == done.returncode
    assert "nothing judged" in done.stdout


def test_a_name_is_one_cell(tmp_path: Path) -> None:
    """A tab or line break in a name breaks no line."""
    one = judge_batch(BATCH, Guard())[0]
    odd = Judged(name="a\tb\nc", given=one.given, parts=one.parts, answer=one.answer)
    file = tmp_path / "frozen.txt"
    write_frozen(file, [odd], is_full=False)

    assert ["a b c"] == list(read_frozen(file))
