"""deploy/compose.yaml: nothing runs as root, no secret stands in it, all it names is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
FILE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = FILE["services"]


def compose() -> list[str]:
    """Return the command of Docker Compose, [] if it is not installed."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            done = subprocess.run([*command, "version"], capture_output=True, check=False)
            if done.returncode == 0:
                return command
    return []


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_confined(name: str) -> None:
    """No root, no rights, a root file system that nobody writes to."""
    service = SERVICES[name]

    assert re.fullmatch(r"10001:(10001|0)", service["user"])
    assert service["read_only"] is True
    assert ["ALL"] == service["cap_drop"]
    assert ["no-new-privileges:true"] == service["security_opt"]
    assert not service.get("privileged")
    assert not [one for one in service.get("volumes", ()) if "docker.sock" in one]


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_has_a_version(name: str) -> None:
    """What is started today is started tomorrow."""
    tag = SERVICES[name]["image"].rpartition(":")[2]

    assert tag
    assert tag != "latest"


def test_secrets_are_files() -> None:
    """No variable holds one; each file is made by secrets.sh, and git does not take it."""
    script = (DEPLOY / "secrets.sh").read_text(encoding="utf-8")
    variables = {
        name: str(value)
        for service in SERVICES.values()
        for name, value in service.get("environment", {}).items()
    }
    secret = [name for name in variables if re.search("PASSWORD|SECRET|TOKEN|KEY", name)]

    assert secret
    assert all(variables[name].startswith("/run/secrets/") for name in secret)
    for one in FILE["secrets"].values():
        assert Path(one["file"]).name in script
    assert "secrets/" in (DEPLOY / ".gitignore").read_text(encoding="utf-8").split()


def test_only_proxy_and_charts_are_reached_and_from_here_alone() -> None:
    """Daemons listen on loopback, the database on a socket; others take a setting."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]

    assert ["${SIGNOFF_ADDRESS:-127.0.0.1}:8443:8443", "127.0.0.1:3000:3000"] == ports
    assert "none" == SERVICES["postgres"]["network_mode"]
    assert all(SERVICES[one]["network_mode"] == "service:proxy" for one in ("node-a", "node-b"))


def test_all_files_that_are_mounted_are_there() -> None:
    """A missing one would be made as a folder, silently."""
    mounted = [
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
        if volume.startswith(".")
    ]

    assert mounted
    assert [] == [one for one in mounted if not (DEPLOY / one).exists()]


def test_docker_compose_takes_it() -> None:
    """By the program itself, where it is installed."""
    command = compose()
    if not command:
        pytest.skip("no Docker Compose")
    done = subprocess.run(
        [*command, "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (0, "") == (done.returncode, done.stderr)
