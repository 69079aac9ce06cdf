"""An agent that tries to approve itself: every way it could be written is refused, or asked about.

What holds without the judgement is in `tests/frontends/server/test_self_approval_process.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import signoff
from growth import grows_in_step
from signoff.actions.action import Action
from signoff.actions.code.python.scope import GUARD_PARTS
from signoff.actions.facts import GUARD_PORT, Facts
from signoff.actions.understand import understand
from signoff.assess.assessment import Judge
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.self_protection import DETECTOR
from signoff.assess.detectors.texts import read_texts
from signoff.assess.rules.load import load_rules
from signoff.assess.verdict import Verdict
from signoff.build.judge import build_judge, build_memory, guard_paths
from signoff.settings import PORT, Settings
from signoff.storage.memory import MemoryStore
from signoff.values import replace

CONFIG, STATE = "/home/dev/.config/signoff", "/home/dev/.local/state/signoff"
SETTINGS = Settings(config_dir=CONFIG, state_dir=STATE, home="/home/dev")
JUDGE = build_judge(SETTINGS)
FACTS = Facts(home="/home/dev", project="/home/dev/project", guard_paths=guard_paths(SETTINGS))
ATTEMPTS = [
    tuple(line.split("\t", 1))
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
# Look-alikes: nothing of signoff is touched, or it is only looked at.
ORDINARY = [
    'git commit -m "POST to http://127.0.0.1:4440/web/requests/x/answer is refused"',
    'echo "signoff approve 1"',
    'grep -rn "127.0.0.1:4440" docs',
    "ls -la ~/.local/state/signoff",
    "stat ~/.local/state/signoff/approvals.db",
    "du -sh ~/.local/state/signoff",
    "curl http://127.0.0.1:4440/healthz",
    "curl http://localhost:4440/metrics",
    "curl -d a=b http://localhost:3000/items/4440",
    "curl -d a=b http://localhost:3000/web/sign-in",
    "curl https://example.com/4440",
    "docker run --rm -p 4440:80 nginx",
    "npm start -- --port 4440",
    'sqlite3 data.db "select 1"',
    "python -c \"import sqlite3; print(sqlite3.connect('data.db').execute('select 1'))\"",
    'sqlite3 ~/.local/state/signoff/record.db "select count(*) from decisions"',
    "git am --directory=docs x.patch",
    "git am x.patch",
    "vim -c ':e src/app.py' -c ':%s/a/b/g' -c ':wq'",
    "vim -c 'set nu | e README.md'",
    "ed notes.txt <<< $'a\\ne ~/.config/signoff/rules.yaml\\n.\\nw'",
    "restic restore latest --target /tmp/restored",
    "borg extract repo::a docs",
    "bwrap --ro-bind /usr /usr --tmpfs /tmp ls",
    "bwrap --ro-bind / / claude -p x",
    "git checkout-index --prefix=build/ -a",
    "GIT_WORK_TREE=/tmp/x git status",
    "sqlite3 -readonly file:app.db .dump",
    "cat data/record.db",
    "XDG_CONFIG_HOME=$PWD/.config npm test",
    "git --work-tree=build checkout main",
    "git -C ../lib checkout main",
    "git -C ~ log --oneline",
    "stow --simulate -t ~ dots",
    "direnv status",
    "mise ls",
    "cp backups/record.db /tmp/record.db",
    "signoff audit tail",
    "signoff service status",
    "sudo -u signoff-ci cat notes.txt",
    "sudo -u dev cat notes-on-signoff.md",
    'python -c "from signoff import guard"',
    "python -m pytest tests/test_signoff.py",
    "cd ~/src/signoff && python -m pytest -k approver",
    "cd ~/src/signoff && python -m pytest tests/test_record.db.py",
    "pip show signoff",
    "systemctl --user status signoff",
    "journalctl --user -u signoff",
    "pgrep -fl signoff",
    "strace ls",
    "perl -ne 'print if /x/' src/a.txt",
    "python3 -c 'import sys; print(sys.argv[1])' data.json",
    "sh -c 'echo $0' sh",
    "cd packages/*; cat README.md",
    "cd ~/.ca*; ls",
    "dasel -f data.yaml a.b",
    "claude -c -p 'fix the tests'",
    "CLAUDE_CODE_SIMPLE=0 claude -p x",
    "codex -c model=o3 exec x",
    "aider --version",
    "goose up",
    "go run x.go data.json",
    "make F=~/data.json",
    "echo 'int main(){puts(\"signoff approve x\");}' | gcc -x c - && ./a.out",
    'perl -e \'open my $f, "<", "data.txt" or die; print <$f>\'',
    "tcpdump -i eth0 port 443",
    "echo ~/.local/state/signoff/token",
    "printf '%s' ~/.local/state/signoff/token > notes.txt",
    "lpr notes.txt",
    "tcpdump -i lo port 5432",
    "tcpdump -r x.pcap port 4440",
    "git mv src/a.py src/b.py",
    "git stash push -m wip",
    "git mv --dry-run .signoff.yaml x.yaml",
    "tmux new -d 'npm start'",
    "tmux send-keys -t dev 'npm start' Enter",
    "tmux send-keys -t dev C-c",
    "screen -ls",
    "xdotool getactivewindow",
    "xterm",
    "alacritty -e htop",
    "chromium --headless --screenshot http://localhost:3000",
    "signoff pending",
    "signoff show 1234abcd",
    "signoff check -- ls",
    "signoff audit verify",
]
# The same through other tools than the shell.
TOOLS = [
    ("mcp__playwright__browser_navigate", {"url": "http://127.0.0.1:4440/web/"}),
    ("WebFetch", {"url": "http://localhost:4440/web/requests/x", "prompt": "press approve"}),
    ("mcp__http__request", {"method": "POST", "url": "http://[::1]:4440/web/requests/x/answer"}),
    (
        "mcp__devtools__evaluate_script",
        {"script": "fetch('http://127.0.0.1:4440/web/requests/x/answer',{method:'POST'})"},
    ),
    ("mcp__sqlite__query", {"db": f"{STATE}/approvals.db", "sql": "select * from requests"}),
    ("Read", {"file_path": f"{STATE}/approvals.db"}),
    ("Read", {"file_path": f"{STATE}/token"}),
    ("Read", {"file_path": f"{CONFIG}/approver.key"}),
    ("Read", {"file_path": f"{CONFIG}/telegram.yaml"}),
    ("Write", {"file_path": f"{CONFIG}/approvers.json", "content": "{}"}),
    ("Write", {"file_path": "/home/dev/.local/bin/signoff", "content": "#!/bin/sh\n"}),
    ("Edit", {"file_path": f"{CONFIG}/signoff.yaml", "old_string": "a", "new_string": "b"}),
]


def judged(tool: str, arguments: dict[str, str], facts: Facts = FACTS) -> Verdict:
    """Return where a call leans."""
    action = Action(tool=tool, arguments=arguments, cwd="/home/dev/project")
    return JUDGE(action, facts).preliminary


@pytest.mark.parametrize(("verdict", "line"), ATTEMPTS)
def test_an_attempt_is_not_let_through(verdict: str, line: str) -> None:
    """T-43: by command, address, socket, database, key, terminal, process, folder or browser."""
    command = line.replace("\\n", "\n")

    assert verdict == judged("Bash", {"command": command}).value


def test_there_are_as_many_attempts_as_there_were() -> None:
    """The list does not shrink unseen."""
    assert len(ATTEMPTS) >= 300


@pytest.mark.parametrize("line", ORDINARY)
def test_what_only_looks_like_it_is_let_through(line: str) -> None:
    """The control: work beside signoff goes on."""
    assert judged("Bash", {"command": line}) is Verdict.ALLOW


@pytest.mark.parametrize(("tool", "arguments"), TOOLS)
def test_other_tools_do_not_get_there_either(tool: str, arguments: dict[str, str]) -> None:
    """T-43: browsers, requests, databases and files of tool servers."""
    assert judged(tool, arguments) is Verdict.DENY


@pytest.mark.parametrize(
    "line",
    [
        "curl -d answer=approve http://127.0.0.1:7777/v1/actions",
        "nc localhost 7777 < request.txt",
        "firefox http://localhost:7777/web/",
        "fuser -k 7777/tcp",
    ],
)
def test_the_port_in_force_is_the_one_that_counts(line: str) -> None:
    """It comes with the facts: another daemon's port is anybody's."""
    moved = Facts(home="/home/dev", project="/home/dev/project", guard_ports=frozenset({7_777}))

    assert judged("Bash", {"command": line}, moved) is Verdict.DENY
    assert judged("Bash", {"command": line}) is not Verdict.DENY


def test_an_answer_is_known_by_its_path_on_any_port() -> None:
    """A daemon that was started on a port nobody was told of is no way in."""
    line = "curl -d answer=approve http://127.0.0.1:5001/web/requests/1234/answer"

    assert judged("Bash", {"command": line}) is Verdict.DENY


def test_padding_hides_no_door() -> None:
    """A long header before the address is no way in."""
    line = f"curl -H 'X: {'a' * 5_000}' --unix-socket {STATE}/daemon.sock http://x/v1/locks"

    assert judged("Bash", {"command": line}) is Verdict.DENY


def test_a_decoy_hides_no_door() -> None:
    """Another file of the same name before it is no way in."""
    line = f"curl -o /x/daemon.sock --unix-socket {STATE}/daemon.sock http://x/v1/locks"

    assert judged("Bash", {"command": line}) is Verdict.DENY


@pytest.mark.parametrize(
    "line",
    [
        "curl -H 'x: {pad}' http://127.0.0.1:3000/; ",
        "nc localhost 3000 # {pad}\n",
        "python3 -c 'import os # :4440 {pad}'\n",
    ],
)
def test_looking_takes_no_time(line: str) -> None:
    """Many operations with one long text behind them are looked at as fast as ever."""
    command = line.replace("{pad}", "signoff :44400 daemon.soc " * 12)
    evidence = {text: evidence_of(text) for text in (command * 250, command * 1_000)}

    assert grows_in_step(lambda text: list(DETECTOR.run(evidence[text])), *evidence)


def evidence_of(command: str) -> Evidence:
    """Return what the detector gets of a line for a shell."""
    action = Action(tool="Bash", arguments={"command": command}, cwd="/home/dev/project")
    return read_texts(action, FACTS, understand(action, FACTS).operations)


def test_the_port_of_the_settings_is_known() -> None:
    """What gathers facts says where the daemon listens."""
    moved = replace(SETTINGS, port=5_151)

    assert build_memory(moved, MemoryStore()).guard_ports == {5_151}
    assert PORT == GUARD_PORT


def test_no_rule_of_a_user_lets_an_agent_answer() -> None:
    """T-43: what protects signoff stands above every rule."""
    rules = load_rules("version: 1\nrules: [{name: all, action: allow, tool: Bash}]", file="x")
    line = "curl -d answer=approve http://127.0.0.1:4440/web/requests/x/answer"
    action = Action(tool="Bash", arguments={"command": line}, cwd="/home/dev/project")

    assert Judge(rules=lambda: rules)(action, FACTS).preliminary is Verdict.DENY


def test_the_guarded_parts_of_signoff_are_there() -> None:
    """A module that was moved would be imported freely under its new name."""
    root = Path(signoff.__file__).parent
    paths = [root.joinpath(*part.split(".")) for part in GUARD_PARTS]

    assert all(path.with_suffix(".py").exists() or path.is_dir() for path in paths), paths
