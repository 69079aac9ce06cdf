"""An editable installation: nobody changes the tree signoff is imported from unasked."""

from __future__ import annotations

import os

import pytest

import signoff
from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, build_memory, guard_tree
from signoff.frontends.cli.judging import at_once
from signoff.settings import Settings
from signoff.storage.memory import MemoryStore

SETTINGS = Settings(
    config_dir="/home/dev/.config/signoff",
    state_dir="/home/dev/.local/state/signoff",
    home="/home/dev",
    # What the words of a call are typical of is no matter of this tree.
    lines={"call-classifier": Verdict.ALLOW},
)
JUDGE = build_judge(SETTINGS)
TREE, ENV = "/srv/src/signoff", "/srv/tools/env"


def judged(
    line: str, *, tree: str = TREE, project: str = "/home/dev/project", env: str = ENV
) -> Verdict:
    """Return the verdict on a line in a project, where signoff is imported from a checkout."""
    facts = Facts(
        home="/home/dev",
        project=project,
        guard_paths=(f"{tree}/src/signoff",) if tree else (),
        guard_install=env,
        guard_tree=tree,
    )
    action = Action(tool="Bash", arguments={"command": line}, cwd=project)
    return JUDGE(action, facts).preliminary


@pytest.mark.parametrize(
    "line",
    [
        f"git -C {TREE} pull",
        f"git -C {TREE}/src stash",
        f"cd {TREE} && git checkout main~5",
        "cd ../../../srv/src/signoff; git switch other",
        f"GIT_WORK_TREE={TREE} git checkout other",
        f"export GIT_WORK_TREE={TREE}; git checkout other",
        f"git -C {TREE} apply /tmp/p.patch",
        f"git -C {TREE} merge origin/other",
        f"(cd {TREE}; git stash pop)",
        f"pushd {TREE} && git revert HEAD",
        f"bash -c 'cd {TREE} && git pull'",
        f"env -C {TREE} git pull",
        f"hg -R {TREE} update",
        f"svn update {TREE}",
        f"cd {TREE} && gh pr checkout 3",
        f"uv sync --project {TREE}",
        f"uv --directory={TREE} sync",
        f"cd {TREE} && uv sync",
        f"poetry -C {TREE} env remove --all",
        f"python3 -c \"import subprocess; subprocess.run(['git', 'pull'], cwd='{TREE}')\"",
    ],
)
def test_what_changes_the_checkout_is_asked_about(line: str) -> None:
    """No path of the call names a file there."""
    assert judged(line) is Verdict.ASK
    assert judged(line, tree="") is Verdict.ALLOW


@pytest.mark.parametrize(
    "line",
    [
        f"git -C {TREE} reset --hard HEAD~3",
        f"git --work-tree={TREE} --git-dir=/x/.git checkout -f",
        f"tar xf a.tar -C {TREE}",
        f"unzip -o a.zip -d {TREE}/src",
        f"cd {TREE}/src && unzip -o /tmp/a.zip",
        f"rsync -a x/ {TREE}/src/",
        f"patch -d {TREE} -p1 < x.patch",
        f"echo x > {TREE}/src/sitecustomize.py",
        f"{ENV}/bin/python -m ensurepip --upgrade",
        "cd /srv/tools/env && bin/pip install x",
        "cd /srv/tools; uv pip install -p env x",
        "E=/srv/tools; $E/env/bin/pip install x",
    ],
)
def test_nothing_is_put_over_it_unasked(line: str) -> None:
    """An archive, a patch or a module that Python loads at its start runs with every judgement."""
    assert judged(line) is Verdict.ASK


@pytest.mark.parametrize(
    "line",
    [
        f"mv {TREE} /tmp/x",
        "mv /srv/src /tmp/x",
        f"ln -sfn /tmp/other {TREE}/src",
        f"chmod -R 000 {TREE}",
    ],
)
def test_it_is_not_taken_away(line: str) -> None:
    """Without its code nothing judges any more."""
    assert judged(line) is Verdict.DENY
    assert judged(line, tree="") is not Verdict.DENY


@pytest.mark.parametrize(
    "line",
    [
        f"git -C {TREE} status",
        f"git -C {TREE} log --oneline",
        f"git -C {TREE} fetch",
        f"git -C {TREE} stash list",
        f"git -C {TREE} commit -m x",
        f"git -C {TREE}-2 pull",
        f"cat {TREE}/README.md && git pull",
        f"python3 -c \"import subprocess; subprocess.run(['git', 'log'], cwd='{TREE}')\"",
        "git pull",
        "git stash",
        "uv sync",
        "poetry env remove --all",
        "python -m ensurepip",
        ".venv/bin/python -m ensurepip --upgrade",
        "gh pr checkout 3",
    ],
)
def test_other_trees_and_looks_are_free(line: str) -> None:
    """Work in the project goes on, and who looks at the checkout changes nothing."""
    assert judged(line) is Verdict.ALLOW


def test_who_works_on_signoff_itself_installs_packages_there() -> None:
    """In the project's own environment packages come and go; its code is still kept."""
    assert judged("uv sync", project=TREE) is Verdict.ALLOW
    assert judged("git checkout other", project=TREE) is Verdict.ASK


def test_a_project_that_has_signoff_in_its_environment_installs_packages() -> None:
    """The checkout lies elsewhere, and stays as it is."""
    env = "/home/dev/project/.venv"

    assert judged(".venv/bin/pip install requests", env=env) is Verdict.ALLOW
    assert judged("uv sync", env=env) is Verdict.ALLOW
    assert judged(f"git -C {TREE} pull", env=env) is Verdict.ASK


def test_the_facts_name_the_checkout() -> None:
    """It is where this process imports signoff from, if that is a checkout."""
    memory = build_memory(SETTINGS, MemoryStore())
    facts = at_once(memory.recall(Action(tool="Bash", arguments={"command": "ls"}, cwd="/")))
    package = os.path.dirname(os.path.abspath(signoff.__file__))

    assert facts.guard_tree == guard_tree()
    assert ("site-packages" in package) is (guard_tree() == "")
    assert package.startswith(guard_tree())
