"""What tools run without being given its name is judged by its content, if the session wrote it."""

from __future__ import annotations

import pytest

from signoff.actions.action import Action
from signoff.actions.facts import Facts, FileFact
from signoff.assess.assessment import Judge
from signoff.assess.rules.rule import RuleSet

PROJECT = "/home/dev/project"
JUDGE = Judge(rules=RuleSet)
JS_BAD = "const cp = require('child_process');\ncp.execSync('rm -rf ~/')\n"
JS_GOOD = "const os = require('os');\nconsole.log(os.cpus().length)\nmodule.exports = {}\n"
YAML = "version: '3'\ntasks:\n  default:\n    cmds:\n      - {line}\n"
PLAY = "- hosts: all\n  tasks:\n    - name: a\n      shell: {line}\n"
TERRAFORM = 'data "external" "x" {{\n  program = ["sh", "-c", "{line}"]\n}}\n'
GRADLE = 'task x {{\n  commandLine "sh", "-c", "{line}"\n}}\n'
JAVA = 'class A {{ void a() {{ Runtime.getRuntime().exec(new String[]{{"{line}"}}); }} }}\n'
GO = 'package main\nfunc main() {{ exec.Command("sh", "-c", "{line}").Run() }}\n'
RUST = 'fn main() {{ Command::new("sh"); let command = "{line}"; }}\n'
WIPE, FINE = "rm -rf ~/", "ls -la src"

LINES = [
    ("task", "Taskfile.yml", YAML),
    ("ansible-playbook --check site.yml", "site.yml", PLAY),
    ("terraform plan", "main.tf", TERRAFORM),
    ("./gradlew build", "build.gradle", GRADLE),
    ("java A.java", "A.java", JAVA),
    ("go run ./cmd/x", "cmd/x/main.go", GO),
    ("go test ./...", "a_test.go", GO),
    ("cargo build", "build.rs", RUST),
]
CODE = [
    ("npx vite build", "vite.config.ts"),
    ("npx jest", "jest.config.js"),
    ("npm run build", "webpack.config.cjs"),
    ("node ./tool", "tool.js"),
    ("node -e \"require('./tool')\"", "tool.js"),
    ("npx tsx scripts/x.ts", "scripts/x.ts"),
]


def _verdict(line: str, name: str, text: str, *, is_own: bool = True) -> str:
    path = f"{PROJECT}/{name}"
    fact = FileFact(real_path=path, text=text)
    facts = Facts(
        home="/home/dev",
        project=PROJECT,
        written=frozenset({path}) if is_own else frozenset(),
        files={name: fact, path: fact},
    )
    action = Action(tool="Bash", arguments={"command": line}, cwd=PROJECT)
    return JUDGE(action, facts).preliminary.value


@pytest.mark.parametrize(("line", "name", "text"), LINES)
def test_shell_lines_that_a_tool_starts_count(line: str, name: str, text: str) -> None:
    assert _verdict(line, name, text.format(line=WIPE)) == "deny"
    assert _verdict(line, name, text.format(line=FINE)) == "allow"


def test_a_file_that_runs_from_now_on_is_asked_about() -> None:
    """It runs at each visit of the folder, in whatever state it is then."""
    assert _verdict("direnv allow", ".envrc", f"{WIPE}\n") == "deny"
    assert _verdict("direnv allow", ".envrc", f"{FINE}\n") == "ask"


@pytest.mark.parametrize(("line", "name"), CODE)
def test_code_that_a_tool_loads_counts(line: str, name: str) -> None:
    assert _verdict(line, name, JS_BAD) == "deny"
    assert _verdict(line, name, JS_GOOD) == "allow"


@pytest.mark.parametrize(
    ("line", "name", "text"),
    [
        ("go test ./...", "a_test.go", 'package a\nvar cases = []string{"rm -rf ~/", "ls"}\n'),
        ("terraform plan", "main.tf", 'variable "x" {\n  description = "never rm -rf ~/"\n}\n'),
        ("java A.java", "A.java", 'class A { String text = "rm -rf ~/"; }\n'),
        ("go test ./...", "a_test.go", 'd := t.TempDir()\nos.RemoveAll(d)\nos.RemoveAll("out")\n'),
        ("ls", "Taskfile.yml", YAML.format(line=WIPE)),
        ("cat vite.config.ts", "vite.config.ts", JS_BAD),
    ],
)
def test_data_and_files_that_do_not_run_do_not_count(line: str, name: str, text: str) -> None:
    assert _verdict(line, name, text) == "allow"


def test_a_module_that_inline_code_imports_counts() -> None:
    line = "python3 -c 'import helper'"

    assert _verdict(line, "helper.py", "import os\nos.system('rm -rf ~/')\n") == "deny"
    assert _verdict(line, "helper.py", "import os\nprint(os.getcwd())\n") == "allow"


@pytest.mark.parametrize(
    "text",
    [
        "h, _ := os.UserHomeDir()\nos.RemoveAll(h)\n",
        'os.RemoveAll(os.Getenv("HOME"))\n',
        'os.RemoveAll("/etc")\n',
    ],
)
def test_a_home_that_go_removes_counts(text: str) -> None:
    assert _verdict("go test ./...", "x_test.go", f"package x\n{text}") == "deny"
