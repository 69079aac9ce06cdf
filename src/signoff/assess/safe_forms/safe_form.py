"""One row of the tables: to which findings a safe form belongs, and what it says."""

from __future__ import annotations

import re
from typing import NamedTuple

from signoff.actions.operation import Operation, ResourceType, Trait, Verb

# A name that is one plain word wherever it stands in a command.
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,29}")


class SafeForm(NamedTuple):
    """The safe alternative for one kind of finding.

    Args:
        lines: the policy lines it belongs to, separated by blanks.
        says: what to do instead, without a full stop; follows "Instead: ".
        example: a shell line with this finding, or a tool and its arguments as JSON.
        safer: shell lines that show what `says` means.
        verbs, things: of the Operation the finding is about; empty for any.
        is_called: for tools and functions, which have no shell line.
        is_shell: names a command of a shell, which whoever calls a tool may not have.
        programs: how the names of its programs begin; empty for any.
        named: the same as `says` with `{program}` and `{name}` of the call in their places; used
            where both are known and plain words.
    """

    lines: str
    says: str
    example: str
    safer: tuple[str, ...]
    verbs: frozenset[Verb] = frozenset()
    things: frozenset[ResourceType] = frozenset()
    is_called: bool = False
    is_shell: bool = False
    programs: tuple[str, ...] = ()
    named: str = ""

    def said_of(self, op: Operation | None) -> str:
        """Return what to do instead, with the names of the call where they are known."""
        if op is None or not self.named:
            return self.says
        program = op.program.partition(" ")[0]
        # Of several names the first stands for all; a branch may be called by its full ref.
        name = op.target.partition(" ")[0].removeprefix("refs/heads/")
        is_plain = all(_PLAIN.fullmatch(one) for one in (program, name or program))
        if not is_plain or ("{name}" in self.named and not name):
            return self.says
        return self.named.format(program=program, name=name)

    def fits(self, line: str, op: Operation | None) -> bool:
        """Return whether it applies to a policy line.

        Args:
            op: the Operation with the finding; None = the call as a whole.
        """
        if line not in self.lines.split():
            return False
        if op is None:
            return not (self.verbs or self.things or self.is_called or self.programs)
        is_program = not self.programs or op.program.startswith(self.programs)
        is_verb = not self.verbs or op.verb in self.verbs
        is_thing = not self.things or op.thing in self.things
        is_its_caller = not self.is_shell if is_called(op) else not self.is_called
        return is_program and is_verb and is_thing and is_its_caller


def is_called(op: Operation) -> bool:
    """Return whether it is the effect of a tool or function, told from its name."""
    is_named = Trait.BY_NAME in op.traits or op.program.startswith("mcp__")
    return is_named or op.call is not None
