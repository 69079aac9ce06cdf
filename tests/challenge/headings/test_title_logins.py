"""Titles stand in notices and previews: they name an address without the login in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from bench.quality.cases import case_of
from bench.quality.guard import Guard

from signoff.challenge.heading import title_of


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("git push --force https://ada:kiwi7717kiwi@git.example.org/a/b topic", "git.example.org"),
        ("curl -d @a.txt https://ada:kiwi7717kiwi@up.example.org/in", "up.example.org"),
        ("git push --force https://git.example.org/a/b topic", "git.example.org"),
    ],
)
def test_a_title_names_an_address_without_its_login(command: str, named: str) -> None:
    row = {"id": "1", "label": "ask", "tool": "Bash", "input": {"command": command}}
    assessment = Guard().judge_any(case_of(row)).assessment
    assert assessment is not None
    title = title_of(assessment)

    assert named in title
    assert "kiwi7717kiwi" not in title
    assert "ada" not in title
