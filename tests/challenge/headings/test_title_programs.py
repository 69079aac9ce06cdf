"""Titles of programs whose kind of act says too little, or too much."""

from __future__ import annotations

import pytest

from signoff.actions.facts import Facts
from signoff.assess.assessment import Judge
from signoff.assess.detectors.evidence import shell_call
from signoff.assess.rules.rule import RuleSet
from signoff.challenge.heading import title_of

NO_RULES = RuleSet()
JUDGE = Judge(rules=lambda: NO_RULES)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git push origin HEAD:main", "Pushes `HEAD` to `main` on `origin`"),
        (
            "git push --force origin +a:b",
            "Force-pushes `a` to `b` on `origin`; commits already there can be lost",
        ),
        ("git push origin a:b c:d", "Pushes `a:b c:d` to `origin`"),
        ("uvicorn app:app", "Starts or stops `app:app`"),
        ("python3 -m http.server", "Starts or stops `http.server`"),
        ("flask run", "Starts or stops a process with `flask run`"),
        ("kill 12", "Stops process `12`"),
        ("pkill node", "Stops every process that matches `node`"),
        (
            "gh repo edit --visibility public",
            "Changes settings of the GitHub repository; everybody gets access",
        ),
        (
            "sudo usermod -aG sudo bob",
            "Gives user `bob` more rights as root; it lets somebody in later",
        ),
        ("aws s3 sync a s3://acme --delete", "Deletes files at `s3://acme`; cannot be undone"),
    ],
)
def test_a_title_says_what_the_program_does(command: str, expected: str) -> None:
    """A server is not stopped by its start, and a bucket stays when files in it go."""
    assert title_of(JUDGE(shell_call(command), Facts())) == expected
