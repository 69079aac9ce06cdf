"""Our plugins inside other hosts: yes only to an allow, no to everything else."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from signoff.frontends.hosts.claude_code.plugin import (
    marketplace_file,
    plugin_files,
    write_plugin,
)
from signoff.frontends.hosts.registry import BY_NAME

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node runs these plugins, and is not here")

OPENCODE = """
import { Signoff } from "./signoff.mjs"
const hooks = await Signoff({ directory: "/w" })
const call = [{ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "ls" } }]
try {
  await hooks["tool.execute.before"](...call)
  console.log(JSON.stringify({ runs: true }))
} catch (error) {
  console.log(JSON.stringify({ runs: false, said: error.message }))
}
"""
OPENCLAW = """
import entry from "./signoff.mjs"
let judge
entry.register({ on: (name, handler) => { judge = handler } })
const said = await judge({ toolName: "exec", params: { command: "ls" } }, { sessionId: "s" })
console.log(JSON.stringify(said ?? { runs: true }))
"""
STUB = "export const definePluginEntry = (entry) => entry\n"


def put(host: str, guard: str, folder: Path) -> Any:  # noqa: ANN401 - any JSON value
    """Put a call through a plugin, with this script as the guard, if any; return the outcome."""
    script = folder / "guard"
    if guard:
        script.write_text(f"#!/bin/sh\n{guard}\n", encoding="utf-8")
        script.chmod(0o755)
    (target, *_) = BY_NAME[host].targets(folder, is_user=True)
    lines = target.put("").splitlines()
    text = "\n".join(
        f"const GUARD = {json.dumps([str(script)])}" if line.startswith("const GUARD") else line
        for line in lines
    )
    text = text.replace("openclaw/plugin-sdk/plugin-entry", "./entry.mjs")
    (folder / "signoff.mjs").write_text(text, encoding="utf-8")
    (folder / "entry.mjs").write_text(STUB, encoding="utf-8")
    main = folder / "main.mjs"
    main.write_text(OPENCODE if host == "opencode" else OPENCLAW, encoding="utf-8")
    done = subprocess.run(
        [str(NODE), str(main)], capture_output=True, text=True, check=True, timeout=30
    )
    return json.loads(done.stdout)


NO = {
    "denies": 'echo \'{"decision": "deny", "reason": "because"}\'',
    "is killed": "kill -9 $$",
    "exits 1": "exit 1",
    "exits 2": "echo no >&2; exit 2",
    "says nothing": "exit 0",
    "says text": "echo fine",
    "says half": "printf '{\"decision\":'",
    "says null": "echo null",
    "says another word": 'echo \'{"decision": "allowed"}\'',
    "talks too much": "head -c 200000 /dev/zero | tr '\\0' x",
    "allows and fails": 'echo \'{"decision": "allow"}\'; exit 3',
    "does not read": "exec <&-; exit 0",
}
BY_PLUGIN = pytest.mark.parametrize("host", ["opencode", "openclaw"])


@needs_node
@BY_PLUGIN
@pytest.mark.parametrize("guard", NO.values(), ids=NO.keys())
def test_whatever_is_no_allow_blocks(host: str, guard: str, tmp_path: Path) -> None:
    """The plugin throws, or answers with a block."""
    came = put(host, guard, tmp_path)

    assert not came.get("runs")
    assert host == "opencode" or came["block"] is True


@needs_node
@BY_PLUGIN
def test_a_guard_that_is_missing_blocks(host: str, tmp_path: Path) -> None:
    """No program, no call."""
    assert not put(host, "", tmp_path).get("runs")


@needs_node
@BY_PLUGIN
def test_an_allow_runs(host: str, tmp_path: Path) -> None:
    """The positive control; the guard is told the call in the adapter's form."""
    guard = f'cat > {tmp_path}/event; echo \'{{"decision": "allow"}}\''

    assert put(host, guard, tmp_path)["runs"] is True
    event = json.loads((tmp_path / "event").read_text(encoding="utf-8"))
    assert {"command": "ls"} == event.get("args", event.get("params"))


@needs_node
def test_a_question_becomes_an_approval(tmp_path: Path) -> None:
    """OpenClaw asks on its own channels, and nobody's answer is a no."""
    guard = 'echo \'{"decision": "ask", "reason": "because"}\''
    came = put("openclaw", guard, tmp_path)["requireApproval"]

    assert ("because", "deny") == (came["description"], came["timeoutBehavior"])
    assert "allow-always" not in came["allowedDecisions"]


def test_the_repository_holds_the_package_as_it_is_made() -> None:
    """The plugin that a marketplace hands out is the one the code describes."""
    folder = ROOT / "plugins" / "claude-code"
    there = {name: (folder / name).read_text(encoding="utf-8") for name in plugin_files()}

    assert plugin_files() == there
    listed = (ROOT / ".claude-plugin" / "marketplace.json").read_text(encoding="utf-8")
    assert marketplace_file("./plugins/claude-code") == listed


def test_the_package_names_no_place_of_this_machine(tmp_path: Path) -> None:
    """It is for any machine, and refuses where signoff is not on the PATH."""
    write_plugin(tmp_path)
    hooks = json.loads((tmp_path / "signoff/hooks/hooks.json").read_text(encoding="utf-8"))
    hook = hooks["hooks"]["PreToolUse"][0]["hooks"][0]

    done = subprocess.run(
        ["/bin/sh", "-c", hook["command"]], env={"PATH": str(tmp_path)}, check=False, timeout=60,
        capture_output=True,
    )  # fmt: skip
    assert "block" == hook["onFailure"]
    assert str(ROOT) not in hook["command"]
    assert (2, b"") == (done.returncode, done.stdout)
