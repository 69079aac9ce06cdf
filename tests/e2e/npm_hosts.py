"""Real agents from npm, each in a home of its own, before a model API of our own.

None of them has an account or reaches a network: each is told to use a model on loopback.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench.warm_home import give_patterns
from fake_model_api import Call, fake_model_api

from signoff_start import run_signoff

# Where `scripts/try-hosts` has put the packages.
PACKAGES = os.environ.get("TRY_HOSTS_FOLDER", "")
NEEDS_PACKAGES = pytest.mark.skipif(
    not PACKAGES, reason="agents from npm are tried by scripts/try-hosts only"
)

TIME_LIMIT_S = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class NpmHost:
    """How one agent is started without a person, trusting every call by itself.

    Args:
        shell: its tool for shell lines, and the name of the field with the line.
        configured: writes what it needs into a home, told where the model is.
        hook_file: where signoff's installer writes.
    """

    name: str
    package: str
    binary: str
    shell: tuple[str, str]
    options: Sequence[str]
    configured: Callable[[Path, str], Mapping[str, str]]
    hook_file: str


def _codex(home: Path, url: str) -> Mapping[str, str]:
    path = home / ".codex" / "config.toml"
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    _write(
        path,
        'model = "fake"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\n'
        f'base_url = "{url}/v1"\nwire_api = "responses"\n'
        + "".join(kept.partition("[features]")[1:]),
    )
    return {}


def _copilot(home: Path, url: str) -> Mapping[str, str]:
    return {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "not-a-key",
        "COPILOT_MODEL": "gpt-5",
        "COPILOT_AUTO_UPDATE": "false",
    }


def _gemini(home: Path, url: str) -> Mapping[str, str]:
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    off = {"telemetry": {"enabled": False}, "general": {"disableAutoUpdate": True}}
    path = home / ".gemini" / "settings.json"
    if not path.exists():  # signoff's hook stands in it later
        _write(path, json.dumps({**auth, **off}))
    return {
        "GEMINI_API_KEY": "not-a-key",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }


def _opencode(home: Path, url: str) -> Mapping[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Fake",
        "options": {"baseURL": f"{url}/v1", "apiKey": "not-a-key"},
        "models": {"fake": {"name": "Fake", "tool_call": True}},
    }
    settings = {
        "autoupdate": False,
        "model": "fake/fake",
        "small_model": "fake/fake",
        "provider": {"fake": provider},
    }
    _write(home / ".config" / "opencode" / "opencode.json", json.dumps(settings))
    return {}


NPM_HOSTS = (
    NpmHost(
        name="codex",
        package="@openai/codex",
        binary="codex",
        shell=("exec_command", "cmd"),
        options=(
            *("exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"),
            *("-s", "danger-full-access", "Go on."),
        ),
        configured=_codex,
        hook_file=".codex/hooks.json",
    ),
    NpmHost(
        name="copilot",
        package="@github/copilot",
        binary="copilot",
        shell=("bash", "command"),
        options=("--allow-all-tools", "-p", "Go on."),
        configured=_copilot,
        hook_file=".copilot/hooks/signoff.json",
    ),
    NpmHost(
        name="gemini",
        package="@google/gemini-cli",
        binary="gemini",
        shell=("run_shell_command", "command"),
        options=("--yolo", "-m", "gemini-2.5-flash", "-p", "Go on."),
        configured=_gemini,
        hook_file=".gemini/settings.json",
    ),
    NpmHost(
        name="opencode",
        package="opencode-ai",
        binary="opencode",
        shell=("bash", "command"),
        options=("run", "Go on."),
        configured=_opencode,
        hook_file=".config/opencode/plugin/signoff.js",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent with a home and a project of its own; `packages` holds node_modules."""

    host: NpmHost
    packages: Path
    home: Path
    project: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment of everything that runs in this home."""
        path = f"{self.packages / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home)}

    def signoff(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run our command line in this home."""
        return run_signoff(*arguments, env=self.environment, cwd=self.project)

    def run(self, *lines: str) -> str:
        """Run one session in which the model calls the shell with these lines."""
        tool, field = self.host.shell
        return self.call(*((tool, {field: line, "description": "A step"}) for line in lines))

    def call(self, *calls: Call, without: str = "") -> str:
        """Run one session with these calls, and without one of the host's options."""
        with fake_model_api(calls) as url:
            extra = self.host.configured(self.home, url)
            done = subprocess.run(
                [self.host.binary, *(o for o in self.host.options if o != without)],
                cwd=self.project,
                env={**self.environment, **extra},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=TIME_LIMIT_S,
            )
        return done.stdout + done.stderr


def trust_codex_hooks(agent: Agent) -> None:
    """Do what a user does with /hooks: ask Codex for its hooks, and keep their hashes."""
    hello = {"clientInfo": {"name": "test", "title": "test", "version": "1"}}
    requests = (
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(agent.project)]}},
    )
    with subprocess.Popen(
        [agent.host.binary, "app-server"],
        env=agent.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin and server.stdout
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
            server.stdin.flush()
        answers = map(json.loads, server.stdout)
        found = next(answer for answer in answers if answer.get("id") == 2)
        server.kill()
    path = agent.home / ".codex" / "config.toml"
    lines = [
        f'[hooks.state."{hook["key"]}"]\ntrusted_hash = "{hook["currentHash"]}"\n'
        for hook in found["result"]["data"][0]["hooks"]
    ]
    _write(path, path.read_text(encoding="utf-8") + "".join(lines))


def _write(path: Path, text: str) -> None:
    """Write a file with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fresh(host: NpmHost, folder: Path) -> Agent:
    """Return an agent in a fresh home with an empty project; skip the test without its package."""
    packages = Path(PACKAGES)
    if not (packages / "node_modules" / ".bin" / host.binary).exists():
        pytest.skip(f"{host.package} could not be installed")
    project = folder / "home" / "project"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True, timeout=30)
    give_patterns(project.parent)
    return Agent(host=host, packages=packages, home=project.parent, project=project)
