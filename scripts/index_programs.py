"""Write the index of described programs anew: which family describes which name.

    python scripts/index_programs.py

Run it after a program was added to a family, renamed or taken out; a test compares the index
with the families.
"""

from __future__ import annotations

import sys
import textwrap
from collections import defaultdict
from pathlib import Path

from signoff.actions.programs import families
from signoff.actions.programs.program import Program

PREFIX = "signoff.actions.programs."
FOLDER = Path(families.__file__).parent / "index"
HEAD = '''"""Which family describes which program: {what}.

Written by `scripts/index_programs.py`; not edited by hand.
"""

from __future__ import annotations

NAMES = {{
'''


def owners() -> dict[str, list[str]]:
    """Give each family's names, in the families' order; of two families the later one owns."""
    modules = {
        id(module.PROGRAMS): name.removeprefix(PREFIX)
        for name, module in list(sys.modules.items())
        if name.startswith(PREFIX) and isinstance(getattr(module, "PROGRAMS", None), tuple)
    }
    owner: dict[str, str] = {}
    for family in families.FAMILIES:
        owner.update((name, modules[id(family)]) for one in family for name in _names(one))
    found: dict[str, list[str]] = defaultdict(list)
    for name, family_name in owner.items():
        found[family_name].append(name)
    return found


def _names(described: Program) -> tuple[str, ...]:
    return described.names


def part_of(family: str) -> str:
    """Name the file of the index a family stands in."""
    room, *rooms = family.split(".")[:-1] or ["near"]
    if room in {"near", "net", "vcs"}:
        return "near"
    return "_".join((room, *rooms)) if room == "system" else room


SHORT_LINE = 84  # what is left of a line of 100 beside quotes and brackets


def _block(quoted: list[str]) -> str:
    return "\n        ".join(("(", *quoted)) + "\n    )"


def main() -> None:
    """Write every file of the index."""
    parts: dict[str, list[str]] = defaultdict(list)
    for family, names in sorted(owners().items()):
        lines = textwrap.wrap(
            " ".join(sorted(names)), 88, break_long_words=False, break_on_hyphens=False
        )
        quoted = [f'"{line} "' for line in lines]
        fits = len(lines) == 1 and len(family) + len(lines[0]) < SHORT_LINE
        text = f"({quoted[0]})" if fits else _block(quoted)
        parts[part_of(family)].append(f'    "{family}": {text},\n')
    for part, entries in parts.items():
        head = HEAD.format(what=f"the part `{part}`")
        (FOLDER / f"{part}.py").write_text(head + "".join(entries) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
