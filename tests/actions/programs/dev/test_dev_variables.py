"""Variables that steer development tools."""

from __future__ import annotations

import pytest

from signoff.actions.programs.dev.variables import Steering, steering

RUNNING = (
    ("RUSTC_WRAPPER", "/tmp/x"),
    ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "./x.sh"),
    ("GOFLAGS", "-mod=mod -toolexec=/tmp/x"),
    ("npm_config_script_shell", "./x.sh"),
    ("MAVEN_OPTS", "-javaagent:/tmp/a.jar"),
    ("MAKEFLAGS", "--eval=all:;id"),
    ("PYTEST_ADDOPTS", "-p evil"),
    ("CC", "sh -c id"),
    ("CC", "gcc; id"),
)
ELSEWHERE = (
    ("PIP_INDEX_URL", "https://mirror.example/simple"),
    ("npm_config_registry", "http://mirror.example"),
    ("GOPROXY", "https://mirror.example,direct"),
    ("UV_FIND_LINKS", "/tmp/wheels"),
)
WEAKER = (
    ("GOINSECURE", "*"),
    ("GOSUMDB", "off"),
    ("PIP_TRUSTED_HOST", "mirror.example"),
    ("npm_config_strict_ssl", "false"),
)
ORDINARY = (
    ("RUST_LOG", "debug"),
    ("RUSTC_WRAPPER", "sccache"),
    ("RUSTC_WRAPPER", ""),
    ("GOFLAGS", "-mod=vendor"),
    ("GOPROXY", "direct"),
    ("GOSUMDB", "sum.golang.org"),
    ("MAVEN_OPTS", "-Xmx2g"),
    ("MAKEFLAGS", "-j8"),
    ("PYTEST_ADDOPTS", "-q --color=yes"),
    ("CC", "clang"),
    ("CC", "ccache gcc"),
    ("NODE_ENV", "test"),
)


@pytest.mark.parametrize(("name", "text"), RUNNING)
def test_variables_that_run_programs(name: str, text: str) -> None:
    """The tool runs or loads what the value names."""
    assert steering(name, text) is Steering.RUNS


@pytest.mark.parametrize(("name", "text"), ELSEWHERE)
def test_variables_that_move_the_source(name: str, text: str) -> None:
    """Packages come from another place than usual."""
    assert steering(name, text) is Steering.SOURCE


@pytest.mark.parametrize(("name", "text"), WEAKER)
def test_variables_that_weaken_a_check(name: str, text: str) -> None:
    """What comes in is no longer checked."""
    assert steering(name, text) is Steering.WEAKENS


@pytest.mark.parametrize(("name", "text"), ORDINARY)
def test_ordinary_variables_steer_nothing(name: str, text: str) -> None:
    """Plain settings of a tool are no matter."""
    assert steering(name, text) is None
