"""What stands behind a limit is read, or said to be unread: it is never passed over in silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PADDING = "x" * 21_000


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"echo 'dnl {PADDING}\nsyscmd(`rm -rf ~`)' | m4", "deny"),
        ("pdflatex '\\input|\"rm -rf ~\"'", "deny"),
        (f"pdflatex '{PADDING}\\write18{{rm -rf ~}}'", "deny"),
        ("pdflatex '" + "\\write18{true}" * 60 + "'", "ask"),
        (f"bpftrace -e '{PADDING}'", "ask"),
        ("docker build - <<'X'\nFROM a\n" + "RUN true | cat\n" * 60 + "X", "ask"),
        ("echo 'define(x, 1)x' | m4", "allow"),
        ("pdflatex paper.tex", "allow"),
        ("docker build - <<'X'\nFROM a\n" + "RUN true | cat\n" * 20 + "X", "allow"),
    ],
)
def test_padding_hides_nothing(verdict: Callable[[str], str], line: str, expected: str) -> None:
    """More than is read is asked about, and what is read far behind counts."""
    assert verdict(line) == expected
