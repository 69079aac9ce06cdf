"""The real Claude Code, once for all tests that drive it."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest
from bench.warm_home import give_patterns
from claude_code import ClaudeCode


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """Return the binary that comes with the Agent SDK; it is a test's dependency only."""
    found = importlib.util.find_spec("claude_agent_sdk")
    if found is None or found.origin is None:
        pytest.skip("claude-agent-sdk, which brings Claude Code, is not installed (group e2e)")
    binary = Path(found.origin).parent / "_bundled" / "claude"
    if not binary.is_file():
        pytest.skip("claude-agent-sdk brings no Claude Code for this platform")
    return binary


@pytest.fixture
def claude(claude_binary: Path, tmp_path: Path) -> ClaudeCode:
    """Return Claude Code in a fresh home with an empty project under version control."""
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project)], check=True, timeout=30)
    give_patterns(project.parent)
    return ClaudeCode(binary=claude_binary, home=tmp_path / "home", project=project)
