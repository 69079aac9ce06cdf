"""The Claude Code plugin installs the signoff it brings, and leaves one that is there alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from signoff.frontends.hosts.claude_code.plugin import write_plugin

# Notes what it was told, and puts a `signoff` where uv would.
UV = """#!/bin/sh
echo "$@" >> "$HOME/uv.log"
[ ! -e "$HOME/broken" ] || exit 1
mkdir -p "$HOME/.local/bin"
printf '#!/bin/sh\\necho "$@" >> "$HOME/signoff.log"\\n' > "$HOME/.local/bin/signoff"
chmod +x "$HOME/.local/bin/signoff"
"""


class Machine:
    """A home with uv and the plugin, and with no signoff."""

    def __init__(self, home: Path) -> None:
        self.home = home
        programs = home / "programs"
        programs.mkdir()
        (programs / "uv").write_text(UV, encoding="utf-8")
        (programs / "uv").chmod(0o755)
        write_plugin(home / "market")
        self.plugin = home / "market" / "signoff"
        self.path = f"{programs}:/usr/bin:/bin"

    def start_session(self) -> str:
        """Run what Claude Code runs at a session's start; return what its user is shown."""
        hooks = json.loads((self.plugin / "hooks/hooks.json").read_text("utf-8"))["hooks"]
        done = subprocess.run(
            ["sh", "-c", hooks["SessionStart"][0]["hooks"][0]["command"]],
            env={"HOME": str(self.home), "PATH": self.path, "CLAUDE_PLUGIN_ROOT": str(self.plugin)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert "" == done.stderr
        return str(json.loads(done.stdout)["systemMessage"]) if done.stdout else ""

    def add_wheel(self, content: str) -> None:
        """Put a wheel into the plugin."""
        (self.plugin / "signoff-0.1.0-py3-none-any.whl").write_text(content, encoding="utf-8")

    def told(self, name: str) -> list[str]:
        """Return what a program was told, a line a start."""
        path = self.home / f"{name}.log"
        return path.read_text("utf-8").splitlines() if path.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine without signoff."""
    return Machine(tmp_path)


def test_a_wheel_in_the_plugin_is_installed_once(machine: Machine) -> None:
    """And again when an update of the plugin brings another one; the old daemon ends."""
    machine.add_wheel("one")
    assert "signoff init" in machine.start_session()
    assert "" == machine.start_session()
    machine.add_wheel("two")
    assert "installed" in machine.start_session()

    wheel = f"{machine.plugin}/signoff-0.1.0-py3-none-any.whl"
    assert [f"tool install --force --quiet {wheel}"] * 2 == machine.told("uv")
    assert ["down", "down"] == machine.told("signoff")


def test_one_that_somebody_installed_stays(machine: Machine) -> None:
    """Whatever the plugin brings."""
    machine.add_wheel("one")
    there = machine.home / "programs" / "signoff"
    there.write_text("#!/bin/sh\n", encoding="utf-8")
    there.chmod(0o755)

    assert ("", []) == (machine.start_session(), machine.told("uv"))


@pytest.mark.parametrize("place", ["beside", "copied"])
def test_the_repository_it_came_with_is_installed(machine: Machine, place: str) -> None:
    """From the folder above it, or from where Claude Code keeps a marketplace's repository."""
    plugins = machine.home / ".claude" / "plugins"
    repository = machine.home / "repo" if place == "beside" else plugins / "marketplaces/ours"
    target = repository / "plugins/claude-code"
    if place == "copied":
        target = plugins / "cache/ours/signoff/0.1.0"
    repository.mkdir(parents=True)
    (repository / "pyproject.toml").write_text('[project]\nname = "signoff"\n', encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    machine.plugin = machine.plugin.rename(target)

    assert "installed" in machine.start_session()
    assert machine.told("uv")[0].endswith(f" {repository}")


def test_what_went_wrong_is_said(machine: Machine) -> None:
    """With nothing to install, and where the installer fails."""
    assert "every call is refused" in machine.start_session()
    machine.add_wheel("one")
    (machine.home / "broken").touch()
    assert "plugin-install.log" in machine.start_session()
    os.remove(machine.home / "broken")
    assert "signoff init" in machine.start_session()
