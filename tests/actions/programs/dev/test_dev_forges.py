"""gh, hub, glab and other forges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
gh pr list --state open
gh pr view 12 --json title
gh pr checkout 12
gh pr diff 12
gh issue list
gh run view 99 --log
gh release download v1.0
gh repo clone a/b
gh api repos/a/b/pulls
gh api graphql -f query='query { viewer { login } }'
gh secret list
gh auth status --active
gh search code thing
gh issue create --web --title t
glab mr list
glab ci status
hub status
tea pulls
"""
ASKED = """\
gh pr create --fill
gh pr merge 12 --squash
gh pr comment 12 --body done
gh issue close 3
gh issue delete 3
gh release create v1.0 dist/app.zip
gh release delete v1.0
gh repo create thing --public
gh repo edit --visibility public
gh repo archive a/b
gh workflow run ci.yml
gh run cancel 99
gh secret set DEPLOY_KEY --body x
gh secret delete TOKEN
gh variable set A --body b
gh auth login --web
gh auth token
gh gist create notes.md
gh extension install a/b
gh api -X DELETE repos/a/b/git/refs/heads/x
gh api repos/a/b/issues -f title=t
gh api graphql -f query='mutation { x }'
gh ssh-key add key.pub
glab mr merge 4
glab issue create --title t --yes
hub pull-request
"""
REFUSED = """\
gh repo delete a/b --yes
gh api --method DELETE repos/a/b
hub delete thing
glab api projects/7 -X DELETE
gh alias set x '!rm -rf ~'
"""
DOES = {
    "gh pr list": "read url remote",
    "gh pr create --fill": "network-out message remote",
    "gh repo delete a/b": "delete repository remote",
    "gh secret set T --body x": "configure credential remote",
    "gh auth token": "read credential none",
    "gh workflow run ci.yml": "control service remote",
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
