"""Which versions of the parsers the corpus was measured with.

Their readings are part of the verdict, so figures and expectations hold for these versions alone.
To take a new one: `./scripts/lock --upgrade-package NAME`, `./scripts/install`, run `tests/corpus`
and `python -m bench.quality`, look at every verdict that changed, and only then change the table.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

MEASURED_WITH = {
    "tree-sitter": "0.26.1",  # shell lines, with the grammar below
    "tree-sitter-bash": "0.25.1",
    "hyperscan": "0.9.1",  # patterns over texts
    "google-re2": "1.1.20251105",  # the same where Hyperscan does not run, and single patterns
    "PyYAML": "6.0.3",  # rules
}
LOCK = Path(__file__).parents[2] / "requirements" / "lock.toml"


@pytest.mark.parametrize("name", MEASURED_WITH)
def test_the_corpus_runs_with_the_versions_it_was_measured_with(name: str) -> None:
    """Another version may read a line another way: its verdicts are not the published ones."""
    measured, installed = MEASURED_WITH[name], version(name)

    assert measured == installed, (
        f"the corpus was measured with {name} {measured}, and {installed} is installed;"
        f" run ./scripts/install to get {measured}, or measure again (see this file)"
    )


@pytest.mark.parametrize("name", MEASURED_WITH)
def test_the_lock_holds_the_versions_the_corpus_was_measured_with(name: str) -> None:
    """So everybody who installs from it has them."""
    locked = {
        package["name"]: package["version"]
        for package in tomllib.loads(LOCK.read_text(encoding="utf-8"))["package"]
    }

    assert MEASURED_WITH[name] == locked[name.lower()], (
        f"lock.toml has {name} {locked[name.lower()]}, the corpus was measured with"
        f" {MEASURED_WITH[name]}; measure again (see this file)"
    )
