"""Whoever builds signoff from its source has nothing but what `build-system` asks for."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
# What the build hook does, and then the top-level names it loaded. What its requirements load by
# themselves if it happens to be there is none of the hook's business.
BUILD = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
before = set(sys.modules)
from signoff.actions.programs.compiling import compile_index
from signoff.actions.programs.registry import read_source
compile_index(read_source, is_release=True)
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
IMPORTED = {"msgspec": "msgspec", "pyyaml": "yaml", "google-re2": "re2", "hatchling": "hatchling"}


def test_the_build_hook_loads_only_what_is_asked_for() -> None:
    """An isolated build, as of pip, uv or the plugin, has no other package."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    names = [IMPORTED[canonicalize_name(Requirement(one).name)] for one in wanted]
    words = (sys.executable, "-I", "-c", BUILD, *names)
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    found = packages_distributions()
    loaded = {
        package
        for name in json.loads(done.stdout)
        if name not in sys.stdlib_module_names
        for package in found.get(name, ())
    }

    assert loaded <= {"signoff"}
