"""What `import signoff` gives: few names, no weight."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import signoff

NAMES = [
    "Action",
    "CompositeRiskScorer",
    "Decision",
    "DefaultResolver",
    "DefaultRiskScorer",
    "Denied",
    "Finding",
    "FixedRiskScorer",
    "Gate",
    "LenientResolver",
    "Level",
    "MaxRiskScorer",
    "MaxScoreAggregator",
    "MultiLevelResolver",
    "Pipeline",
    "Severity",
    "StrictResolver",
    "Verdict",
    "WeightedAggregator",
    "gate",
]


def run(code: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_public_names_are_these() -> None:
    """At most twenty, sorted, and all of them there."""
    assert signoff.__all__ == NAMES
    assert len(NAMES) <= 20
    assert [name for name in NAMES if not hasattr(signoff, name)] == []


def test_importing_loads_msgspec_and_the_standard_library_only() -> None:
    """And of the library neither asyncio nor sqlite3."""
    code = "import sys; old = set(sys.modules); import signoff; print(*set(sys.modules) - old)"
    roots = {name.partition(".")[0] for name in run(code).split()}

    assert roots - sys.stdlib_module_names - {"typing_extensions"} == {"signoff", "msgspec"}
    assert roots.isdisjoint({"asyncio", "sqlite3", "yaml", "ssl"})


@pytest.mark.parametrize(
    "first",
    [
        "import signoff",
        "import signoff.gate",
        "from signoff.gate import Gate",
        "import signoff.build.gate",
        "import signoff.frontends.decorator",
        "from signoff import gate",
        "import importlib; importlib.import_module('signoff.gate')",
    ],
)
def test_gate_is_the_decorator_in_whatever_order_things_are_imported(first: str) -> None:
    """The module of the same name is reached by `from signoff.gate import ...`."""
    code = (
        f"{first}\n"
        "import signoff, signoff.gate\n"
        "from signoff.gate import Gate\n"
        "from signoff import gate\n"
        "print(signoff.gate is gate, callable(gate), Gate is signoff.Gate)"
    )

    assert run(code) == "True True True"


def test_the_version_is_that_of_the_package() -> None:
    """One number in two places."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())

    assert signoff.__version__ == project["project"]["version"]
