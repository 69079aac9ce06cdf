"""hg, svn, jj, fossil, bzr and helpers of git."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
hg status
hg commit -m x
hg update feature
hg revert src/a.py
hg push
svn update -r 40 src
svn diff
svn delete old.c
svn revert a.c
jj log
jj new -m x
jj git fetch
jj git push
fossil commit -m x
fossil rm old.c
bzr status
p4 sync
lazygit
tig
gitmoji --list
svnadmin verify repo
"""
ASKED = """\
hg update --clean
hg revert --all
hg purge
hg strip tip
hg push --force
hg serve
svn commit -m x
svn delete https://svn.example/r/branches/x -m gone
svn copy https://svn.example/r/trunk https://svn.example/r/tags/1 -m tag
svn revert -R .
svn cleanup --remove-unversioned
jj git push --deleted
jj op abandon ..@-
fossil clean
fossil scrub
bzr uncommit
p4 submit
bfg --delete-files key.pem
gitmoji --init
cvs commit -m x
"""
REFUSED = """\
hg --config alias.x='!rm -rf ~' x
"""
DOES = {
    "hg push": "publish repository remote",
    "svn commit -m x": "publish repository remote",
    "hg purge": "delete repository project",
    "jj git fetch": "network-in repository remote",
}


@pytest.mark.parametrize("line", PASSES.splitlines())
def test_ordinary_work_passes(line: str, verdict: Callable[[str], str]) -> None:
    """Reading, building and changing the project need no question."""
    assert verdict(line) == "allow"


@pytest.mark.parametrize("line", ASKED.splitlines())
def test_consequential_work_is_asked_about(line: str, verdict: Callable[[str], str]) -> None:
    """What reaches beyond the project or loses something is put to somebody."""
    assert verdict(line) == "ask"


@pytest.mark.parametrize("line", REFUSED.splitlines())
def test_disasters_are_refused(line: str, verdict: Callable[[str], str]) -> None:
    """What nobody ever wants is refused alone."""
    assert verdict(line) == "deny"


@pytest.mark.parametrize(("line", "effect"), DOES.items())
def test_effect_is_told(line: str, effect: str, effects: Callable[[str], set[str]]) -> None:
    """A line means its verb, its thing and its reach."""
    assert effect in effects(line)
