"""Lists of lines as tests: a module's `PASSES`, `ASKED` and `DENIED`, one line a row.

A test that takes `line` and `expected` runs for every one of them.
"""

from __future__ import annotations

import pytest


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every listed line of the module with the verdict it must get."""
    if not {"line", "expected"} <= set(metafunc.fixturenames):
        return
    lists = (("PASSES", "allow"), ("ASKED", "ask"), ("DENIED", "deny"))
    cases = [
        (line, expected)
        for name, expected in lists
        for line in getattr(metafunc.module, name, "").splitlines()
        if line.strip()
    ]
    metafunc.parametrize(("line", "expected"), cases)
