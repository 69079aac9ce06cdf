"""What the file that a call writes means: the traits of its operations."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Trait
from signoff.actions.understand import understand


def traits_of(path: str, content: str) -> set[Trait]:
    """Return the traits of a new file of the project `/p`."""
    arguments = {"file_path": f"/p/{path}", "content": content}
    action = Action(tool="Write", arguments=arguments, cwd="/p")
    found = understand(action, Facts(project="/p", home="/home/ann")).operations
    return {trait for op in found for trait in op.traits}
