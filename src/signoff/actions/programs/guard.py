"""signoff's own command line, and the agents it guards.

An agent may ask signoff what it thinks and read the record. What installs, answers, stops or
changes signoff is for people. A child agent without its guard is a way around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub

LOOK = Act(Verb.READ, Thing.GUARD, On.NOTHING, always=True)
TOUCH = Act(Verb.CONTROL, Thing.GUARD, On.OPERANDS, reach=Reach.GUARD, always=True)
ANSWER = Act(
    Verb.CONTROL,
    Thing.GUARD,
    On.OPERANDS,
    frozenset({Trait.SELF_APPROVAL}),
    Reach.GUARD,
    reversible=False,
    always=True,
)
UNGUARDED = (
    "--dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--allow-dangerously-skip-permissions",
    "--yolo",
    "--full-auto",
    "--allow-all-tools",
    "--trust-all-tools",
    "--bare",
    "--force",
    "--yes-always",
)


def agent(call: Call) -> Iterator[Effect]:
    """A coding agent started by an agent: its own guard must stay on."""
    mode = call.value("--permission-mode", "--ask-for-approval", "-a", "--approval-mode")
    loose = mode is not None and mode.text in {"bypassPermissions", "never", "yolo"}
    settings = call.has("--settings", "--setting-sources", "--strict-mcp-config")
    if call.has(*UNGUARDED) or loose:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.GUARD,
            "an agent without its guard",
            traits=(Trait.SELF_APPROVAL,),
            reach=Reach.GUARD,
        )
    elif settings or (call.texts[:1] and call.texts[0] in {"config", "mcp", "plugin", "install"}):
        yield call.operation(
            Verb.CONFIGURE, Thing.SETTING, "an agent's settings", traits=(Trait.GLOBAL,)
        )
    else:
        yield call.operation(Verb.EXECUTE, Thing.CODE, call.name, reach=Reach.PROJECT)


PROGRAMS: tuple[Program, ...] = (
    program(
        "signoff guard agent-guard guard-hook guard-server",
        TOUCH,
        subs={
            "check status pending show watch doctor demo cost version help": LOOK,
            "rules": sub(LOOK, subs={"lint test explain list show": LOOK}, by_words=TOUCH),
            "audit": sub(
                LOOK,
                subs={
                    "tail verify stats export prove rubber-stamps": sub(LOOK, writes="-o --output")
                },
                by_words=TOUCH,
            ),
            "policies sessions trust": sub(LOOK, subs={"list show": LOOK}, by_words=TOUCH),
            "approve deny answer reply unlock open": ANSWER,
            "exec": LOOK,
        },
    ),
    program(
        "claude codex gemini copilot cursor-agent opencode aider goose amp crush qwen droid agy q "
        "kiro-cli auggie plandex",
        handler=agent,
        values="--permission-mode --ask-for-approval -a --approval-mode --settings --model -m "
        "--setting-sources -p --print --prompt --append-system-prompt --output-format",
    ),
)
