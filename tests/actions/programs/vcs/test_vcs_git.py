"""git by what it loses and whom it reaches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PASSES = """\
git status -sb
git add -A src
git commit -m "wipe the old cache, rm -rf it"
git switch -c topic-2
git switch -C feature
git checkout -b topic
git checkout -- src/a.py
git restore src/a.py
git restore --staged ./src
git rm src/old.py
git rm -r --cached build
git branch -d merged
git branch -M trunk-2
git merge topic
git rebase -i HEAD~2
git stash push -m wip
git tag v1.0
git push origin topic
git push upstream main
git push -u origin HEAD
git fetch --all --prune
git pull --rebase upstream topic
git clone https://forge.example/a/b.git
git remote add up https://forge.example/a/b.git
git worktree remove wt
git clean -nd out
git reset --soft topic~1
git lfs track '*.psd'
git bisect start
git summary --output-style tabular
git diff --stat main...HEAD -- src
git show HEAD:src/a.py
git apply a.patch
git format-patch -1
git undo
git symbolic-ref HEAD
"""
ASKED = """\
git reset --hard origin/topic
git clean -fdx out
git checkout HEAD~1 .
git checkout -f topic
git checkout -- src/
git restore ./
git restore --source=HEAD~3 src/
git switch --discard-changes topic
git stash drop stash@{2}
git branch -D topic
git push --force upstream topic
git push --force-with-lease origin topic
git push origin +topic
git push origin HEAD:main
git push origin --delete topic
git push --tags
git reflog expire --expire=now --all
git gc --prune=now
git filter-branch --env-filter x HEAD
git update-ref -d refs/heads/topic
git worktree remove --force wt
git rm -rf src
git config --global core.editor vim
git credential fill
git daemon --base-path=.
git send-email a.patch
git undo --hard 2
git clear --force
git delete-branch topic
git obliterate src/secret.txt
git secret reveal -f
git svn dcommit
git subtree push --prefix lib origin lib
git lfs migrate import --include='*.zip'
git nuke-everything
git reset --har HEAD~1
git clone --template=/tmp/t https://forge.example/a/b.git
git init --template=/tmp/t
git show HEAD:.env
git apply --unsafe-paths a.patch
git push https://forge.example/a/b.git topic
git format-patch -o /etc/patches HEAD~1
git config -f /etc/gitconfig a.b c
git clean --forc -d
git checkout --forc topic
git branch --delet --forc topic
git config --glob core.editor vim
git restore --work .
"""
REFUSED = """\
git checkout HEAD~2 -- .claude/settings.json
git restore --source=old .claude
git push origin --delete main
git push origin :main
git push --mirror
git push --mirr
git clone -c core.sshCommand='sh -c "rm -rf ~"' https://forge.example/a/b.git
git difftool -x 'rm -rf ~' HEAD
git archive --remote=x --exec='rm -rf ~' HEAD
git grep -O'rm -rf ~' x
git diff --no-index /dev/null ~/.ssh/id_rsa
git hash-object -w ~/.ssh/id_rsa
git push --recurse-submodules origin :main
"""
DOES = {
    "git push origin topic": "publish repository remote",
    "git push origin :topic": "delete repository remote",
    "git reset --hard topic~4": "delete repository project",
    "git restore a.txt": "write repository project",
    "git fetch upstream topic": "network-in repository remote",
    "git config --global a.b c": "configure setting home",
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
