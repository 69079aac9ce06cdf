"""The frozen file: a line of text for each judged line; beside it, if wanted, the answers.

    # signoff oracle 1: name, input, verdict, level, ...
    policy/tldr/git#3<TAB>9a..<TAB>allow<TAB>low<TAB>...

The answers (`FILE.answers.gz`) are one JSON array a line: name and answer.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import IO

from bench.oracle.answers import PARTS, Answer
from bench.oracle.judging import Judged
from bench.quality.first_sight import ROOT

HEAD = "# signoff oracle 1: name, input, " + ", ".join(PARTS)
Frozen = dict[str, tuple[str, dict[str, str]]]


def check_outside(path: Path) -> None:
    """See that the file is no part of the project: it is made from rows that must not be in it.

    Raises:
        ValueError: it lies in the project.
    """
    if path.resolve().is_relative_to(ROOT):
        raise ValueError(
            f"{path} is inside the project; choose a file outside, in /tmp or beside it"
        )


def answers_file(path: Path) -> Path:
    """Give where the answers of a frozen file stand."""
    return path.with_name(f"{path.name}.answers.gz")


def write_frozen(path: Path, judged: Iterable[Judged], *, is_full: bool) -> int:
    """Write all lines, and their answers if wanted; give how many there are."""
    count = 0
    with path.open("w", encoding="utf-8") as lines, _answers_to(path, is_full) as answers:
        lines.write(HEAD + "\n")
        for one in judged:
            count += 1
            cells = (one.name, one.given, *(one.parts[name] for name in PARTS))
            lines.write("\t".join(map(cell, cells)) + "\n")
            answers.write(json.dumps([cell(one.name), one.answer]) + "\n" if is_full else "")
    return count


def _answers_to(path: Path, is_full: bool) -> IO[str]:  # noqa: FBT001 - of one caller
    """Open what the answers are written to; old ones go where none are kept."""
    if is_full:
        return gzip.open(answers_file(path), "wt", encoding="utf-8", compresslevel=1)
    answers_file(path).unlink(missing_ok=True)
    return StringIO()


def read_frozen(path: Path) -> Frozen:
    """Read a frozen file: by name, the digest of what was judged and the parts of the answer.

    Raises:
        ValueError: it is no such file, or of another format.
    """
    with path.open(encoding="utf-8") as file:
        head = file.readline().rstrip("\n")
        if head != HEAD:
            raise ValueError(f"{path}:1: expected `{HEAD}`, found `{head[:80]}`; freeze it again")
        rows = (line.rstrip("\n").split("\t") for line in file)
        return {row[0]: (row[1], dict(zip(PARTS, row[2:], strict=True))) for row in rows}


def read_answers(path: Path, names: set[str]) -> dict[str, Answer]:
    """Read the answers to some lines; {} where none were kept."""
    if not answers_file(path).exists():
        return {}
    return {name: answer for name, answer in _answers(answers_file(path)) if name in names}


def _answers(path: Path) -> Iterator[tuple[str, Answer]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            name, answer = json.loads(line)
            yield name, answer


def cell(text: str) -> str:
    """Give a text as it stands in a frozen line."""
    return text.replace("\t", " ").replace("\n", " ")
