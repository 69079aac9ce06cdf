"""What a tool of infrastructure as code applies: a plan, changes, or the end of everything.

applied(op, 120)  ->  "Applies Terraform plan `prod.tfplan` to real infrastructure", "" for others
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Verb
from signoff.actions.programs.named_place import PLAN, TARGET, UNASKED
from signoff.actions.wording.objects import ALL_INFRASTRUCTURE, object_of

EVERY_MODULE = "every module"
_TOOLS = {
    **dict.fromkeys(("terraform", "tf", "atmos"), "Terraform"),
    **{"tofu": "OpenTofu", "terragrunt": "Terragrunt", "cdktf": "CDK for Terraform"},
    "pulumi": "Pulumi",
}


def applied(op: Operation, room: int) -> str:
    """Return the sentence for what is applied or destroyed as a whole, "" for other operations."""
    tool = _TOOLS.get(op.program.partition(" ")[0])
    if tool is None or op.target not in (ALL_INFRASTRUCTURE, EVERY_MODULE):
        return ""
    if op.verb is Verb.DELETE:
        return f"Destroys all infrastructure that {tool} manages"
    named = dict(op.place)
    what = f"{tool} plan {object_of(named[PLAN], room)}" if PLAN in named else f"{tool} changes"
    only = f" for {object_of(named[TARGET], room)}" if TARGET in named else ""
    return f"Applies {what}{only} to real infrastructure{' without asking' * (UNASKED in named)}"
