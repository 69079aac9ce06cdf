"""A second parser looks at the same lines: what it sees running, the reader must see too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff.actions.shell.reader import read_shell

LINES = r"""
a -b c
a 'b' "c d" | e -f
a && b || c; d & e
(a; b) && { c; d; }
if a; then b; elif c; then d; else e; fi
for i in 1 2 3; do a $i; done
for ((i = 0; i < 3; i++)); do a; done
while read -r l; do a "$l"; done < f
until a; do b; done
case $x in a | b) c ;; *) d ;; esac
a() { b; c | d; }; a
function a { b; }
a $(b $(c)) `d`
a "x $(b) y ${z:-$(c)}"
a "${z:+`b`}"
a <<< "$(b)"
a < <(b) > >(c)
a 2>&1 >f | b
[[ -f x && $(a) == b ]] && c
(( $(a) > 1 )) && b
a=$(b) c
a=(x $(b) y)
! a | b
time a
coproc a
a; # b
a \
  b
select x in a b; do c; done
a &
{ a; } > f 2>&1
a "$(b "$(c "d")")"
a ${x#$(b)} ${x^^`c`}
a $((1 + $(b)))
echo "`a \`b\``"
if (a) then b; fi
x=1 y=2 a
a >| f && b &>> g
a | while read x; do b; done | c
a() ( b )
declare x=$(a); b
export P=`a`
a $'b\'c' "d"; e
a |& b
case a in (b) c;; esac
[ "$(a)" = b ] || c
"""
BLOCKS = [
    "cat <<E\nx $(a) `b`\nE\nc",
    "cat <<-E\n\t`a`\n\tE\nb",
    "cat <<'E'\n$(a)\nE\nb",
    "a <<E | b\nx\nE\nc",
    "a <<E; b\nx\nE\n",
    "a \"$(cat <<'E'\nit's )\nE\n)\" && b",
    "if a\nthen\n  b\nfi\n\nc",
    "f() {\n  a\n}\nf\nb",
    "for x in a \\\n  b\ndo\n  c\ndone",
    "case x in\na)\n  b\n  ;;\nc) d ;;\nesac\ne",
    "a &&\n  b ||\n  c",
    "a |\n  b",
    "a # x\nb",
    "x=$(\n  a\n  b\n)\nc",
    "while a; do\n  if b; then\n    continue\n  fi\n  c\ndone",
]
SHFMT = shutil.which("shfmt", path=str(Path(sys.executable).parent)) or shutil.which("shfmt")


def calls(node: object) -> Iterator[str]:
    """The programs a shfmt tree names in plain letters."""
    if isinstance(node, list):
        for item in node:
            yield from calls(item)
    elif isinstance(node, dict):
        if node.get("Type") == "CallExpr" and node.get("Args"):
            parts = node["Args"][0]["Parts"]
            if all(part["Type"] == "Lit" for part in parts):
                yield "".join(part["Value"] for part in parts)
        for value in node.values():
            yield from calls(value)


@pytest.mark.skipif(SHFMT is None, reason="shfmt (shfmt-py) is not installed")
@pytest.mark.parametrize("line", [*LINES.strip().replace("\\\n", "\\\n").split("\n"), *BLOCKS])
def test_sees_what_shfmt_sees(line: str) -> None:
    """Each program in program position is a command of the reading, or the line is opaque."""
    tree = subprocess.run(
        [str(SHFMT), "--to-json"], input=line.encode(), capture_output=True, check=False
    )
    reading = read_shell(line, cwd="/home/dev", variables={})
    seen = {command.words[0].text for command in reading.commands if command.words}
    defined = {"a", "f"} if "()" in line or "function" in line else set()
    expected = set(calls(json.loads(tree.stdout))) if tree.returncode == 0 else set()
    assert reading.opaque or expected - seen <= defined
