"""What judges is kept: the environment signoff is installed in, and the process by its number."""

from __future__ import annotations

import os
import sys

import pytest

from signoff.actions.action import Action, Json
from signoff.actions.facts import Facts, FileFact
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, build_memory, guard_install, guard_paths
from signoff.frontends.cli.judging import at_once, judge_of_this_user
from signoff.settings import Settings
from signoff.storage.memory import MemoryStore

SETTINGS = Settings(
    config_dir="/home/dev/.config/signoff",
    state_dir="/home/dev/.local/state/signoff",
    home="/home/dev",
)
JUDGE = build_judge(SETTINGS)
ENV, PID = "/tmp/tools/env", 41_753


def judged(line: str, *, install: str = ENV) -> Verdict:
    """Return the verdict on a line in a project, where signoff runs in an environment."""
    facts = Facts(
        home="/home/dev",
        project="/home/dev/project",
        guard_paths=guard_paths(SETTINGS),
        guard_install=install,
        guard_processes=frozenset({PID}),
    )
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")
    return JUDGE(action, facts).preliminary


@pytest.mark.parametrize(
    "line",
    [
        f"rm -rf {ENV}",
        "rm -rf /tmp/tools",
        f'V={ENV}; mv "$V" "$V.bak"',
        "mv /tmp/tools /tmp/old",
        f"cd /tmp && mv tools {ENV}2",
        f"find {ENV} -name '*.py' -delete",
        f"rm {ENV}/lib/python3.12/site-packages/msgspec/__init__.py",
        f"chmod -x {ENV}/bin/python",
        f"chmod -R 000 {ENV}",
        f"ln -sf /bin/true {ENV}/bin/python",
        f"cp /bin/true {ENV}/bin/python3",
        f"rm {ENV}/pyvenv.cfg",
        f"sed -i s/a/b/ {ENV}/pyvenv.cfg",
        f"python3 -m venv --clear {ENV}",
        f"uv venv --clear {ENV}",
        f"ln -sfn /tmp/other {ENV}",
        f"rename s/env/x/ {ENV}",
        "find /tmp/tools -name site-packages -exec rm -r {} +",
        "chmod 000 /tmp/tools",
        "cd /tmp/tools && rm -rf env",
        f"virtualenv --clear {ENV}",
        f"python3 -c \"import shutil; shutil.rmtree('{ENV}')\"",
        f"python3 -c \"import os; os.rename('{ENV}', '/tmp/y')\"",
    ],
)
def test_what_the_hook_starts_by_is_not_changed(line: str) -> None:
    """Without its interpreter and packages nothing judges any more."""
    assert judged(line) is Verdict.DENY
    assert judged(line, install="") is not Verdict.DENY


@pytest.mark.parametrize(
    "line",
    [
        f"{ENV}/bin/pip install --force-reinstall ./other",
        f"uv pip install --python {ENV}/bin/python requests",
        f"VIRTUAL_ENV={ENV} uv pip install ./other",
        f"pip install --target {ENV}/lib/python3.12/site-packages other",
        f"{ENV}/bin/python -m pip uninstall -y msgspec",
        f"tar xf other.tar -C {ENV}",
        f"cp -r other/. {ENV}/",
        f"echo x > {ENV}/lib/python3.12/site-packages/re2.py",
    ],
)
def test_nothing_is_put_beside_its_packages_unasked(line: str) -> None:
    """What is installed there runs with every judgement."""
    assert judged(line) is not Verdict.ALLOW


@pytest.mark.parametrize(
    "line",
    [
        "pip install requests",
        "uv pip install -r requirements.txt",
        ".venv/bin/pip install requests",
        "find .venv -name '*.pyc' -delete",
        "find . -name '__pycache__' -exec rm -r {} +",
        ".venv/bin/python -m pytest -q",
        "rm -rf build",
        "ls -la .venv/bin",
        "cat .venv/pyvenv.cfg",
        "mv notes.txt docs/",
        "chmod -R u+w .",
        "rm -rf /tmp/tools2",
        "tar xf more.tar -C .venv",
        "pip uninstall -y requests",
        "find . -name lib -exec rm -r {} +",
    ],
)
def test_a_project_whose_environment_is_shared_works_on(line: str) -> None:
    """In the project's own environment packages come and go."""
    env = "/home/dev/project/.venv"

    assert judged(line, install=env) is judged(line, install="")


@pytest.mark.parametrize(
    "line",
    [
        f"kill {PID}",
        f"kill -STOP {PID}",
        f"kill -9 -- -{PID}",
        f"P={PID}; kill -9 $P",
        f"prlimit --pid {PID} --nofile=4",
        f"prlimit -p {PID} --as=1",
        f"renice 19 -p {PID}",
        f"taskset -cp 0 {PID}",
        f"strace -p {PID}",
        f"cpulimit -p {PID} -l 1",
        f"cat /proc/{PID}/fd/5",
        f"cp /proc/{PID}/root/etc/hosts .",
        f"gdb -p {PID} -batch -ex 'call (int)exit(0)'",
        f"nsenter -t {PID} -m ls",
        f'python3 -c "import os, signal; os.kill({PID}, signal.SIGKILL)"',
        f'python3 -c "import psutil; psutil.Process({PID}).terminate()"',
        f"echo 1000 > /proc/{PID}/oom_score_adj",
        f"python3 -m pdb -p {PID}",
        'python3 -c "import psutil\nfor p in psutil.process_iter():\n'
        "  if 'signoff' in p.name(): p.suspend()\"",
        f'python3 -c "import sys; sys.remote_exec({PID}, 1)"',
        f'python3 -c "import signal, os; signal.pidfd_send_signal(os.pidfd_open({PID}), 9)"',
        f"lua -e 'require(\"posix\").kill({PID})'",
    ],
)
def test_the_process_that_judges_is_left_alone(line: str) -> None:
    """By its number too: a stopped daemon answers nobody."""
    assert judged(line) is Verdict.DENY


@pytest.mark.parametrize(
    "line",
    [
        "kill 41754",
        "kill 417530",
        "strace -p 9",
        f"ps -p {PID}",
        f"cat /proc/{PID}/status",
        f"ls -l /proc/{PID}/fd",
        "cpulimit -l 50 -- make",
        f"echo {PID}",
        f"python3 -c 'print({PID})'",
        "python3 -c \"import psutil; print(['signoff' in p.name() for p in psutil.pids()])\"",
        "python3 -m pdb -p 41754",
        f"head -n {PID} data.csv",
        f"curl http://localhost:{PID}/",
    ],
)
def test_other_processes_and_numbers_are_free(line: str) -> None:
    """An agent ends jobs of its own, and looks at what runs."""
    assert judged(line) is Verdict.ALLOW


@pytest.mark.parametrize(
    ("arguments", "is_denied"),
    [({"pid": PID}, True), ({"pid": str(PID), "signal": "KILL"}, True), ({"pid": PID + 1}, False)],
)
def test_a_tool_of_a_server_is_given_the_number(
    arguments: dict[str, Json], *, is_denied: bool
) -> None:
    """As an argument, and not in a line."""
    facts = Facts(home="/home/dev", project="/home/dev/project", guard_processes=frozenset({PID}))
    action = Action(tool="mcp__os__kill_process", arguments=arguments, cwd="/home/dev/project")

    assert is_denied is (JUDGE(action, facts).preliminary is Verdict.DENY)


def test_behind_a_change_of_folder_a_name_is_another_file() -> None:
    """The project has a folder of the same name, and the call names both."""
    own, theirs = "/home/dev/project/.venv", "/tmp/tools/.venv"
    known = {path: FileFact(real_path=path, is_directory=True) for path in (own, theirs)}
    known[".venv"] = known[own]
    facts = Facts(home="/home/dev", project="/home/dev/project", files=known, guard_install=theirs)
    action = Action(
        tool="Bash", arguments={"command": "cd /tmp/tools && rm -rf .venv"}, cwd="/home/dev/project"
    )

    assert JUDGE(action, facts).preliminary is Verdict.DENY


def test_the_facts_name_environment_and_process() -> None:
    """Both are those of the process that judges."""
    memory = build_memory(SETTINGS, MemoryStore())
    facts = at_once(memory.recall(Action(tool="Bash", arguments={"command": "ls"}, cwd="/")))

    assert facts.guard_install == guard_install() == sys.prefix
    assert facts.guard_processes == {os.getpid()}


def test_many_calls_are_judged_with_the_places_of_this_machine() -> None:
    """`signoff check --batch` says what the hook would say of signoff's own files."""
    action = Action(tool="Bash", arguments={"command": f"mv {sys.prefix} /tmp/y"}, cwd="/srv/x")

    assert judge_of_this_user()(action, Facts()).preliminary is Verdict.DENY
