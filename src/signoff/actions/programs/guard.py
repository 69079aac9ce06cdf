"""signoff's own command line, and the agents it guards.

An agent may ask signoff what it thinks and read the record. What installs, answers, stops or
changes signoff is for people. A child agent without its guard is a way around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.databases import changed_schema
from signoff.actions.vocabulary import words

# Options of Claude Code, Codex, Gemini, Copilot, Aider and others that switch asking off.
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
    "--dangerously-allow-all",
    "--skip-permissions-unsafe",
)
# Agents whose `-y` is `--yolo`; to others it is something else.
SHORT_YOLO = words("gemini qwen crush cline kilocode kimi")

MODES = ("--permission-mode", "--ask-for-approval", "-a", "--approval-mode", "--sandbox", "-s")
LOOSE_MODES = frozenset(
    {"bypassPermissions", "never", "yolo", "danger-full-access", "dontAsk", "auto-approve"}
)


AGENT_SETTINGS = frozenset({"config", "mcp", "plugin"})
LOOKING = frozenset({"list", "ls", "get", "show", "help", "status"})


# They have no hooks, so what they run is judged by nobody.
UNHOOKED = words("aider amp crush kilocode kimi vibe qwen droid auggie plandex goose")
# One value of the settings for this run: `codex -c hooks=[]`.
OVERRIDES = ("--config", "-c")
GUARDING_KEYS = ("hook", "sandbox", "approval", "permission")
# Words of options and variables that take hooks away: `--no-hooks`, `CLAUDE_CODE_DISABLE_HOOKS`.
HOOKS = frozenset({"hook", "hooks"})
TAKING_AWAY = words("no without disable disabled skip bypass ignore off")
SETTING_OPTIONS = ("--settings", "--setting-sources", "--strict-mcp-config")
BARE_VARIABLE = "CLAUDE_CODE_SIMPLE"  # what `--bare` sets
OFF = frozenset({"", "0", "false", "no"})


def _is_loose(call: ProgramCall, given: frozenset[str]) -> bool:
    """Tell whether an agent is told to go on without its guard, in any place of the line."""
    if any([word.text in LOOSE_MODES for word in call.values(*MODES)]):
        return True
    if call.texts[:1] == ("config",) and not LOOSE_MODES.isdisjoint(call.texts):
        return True
    if (call.name in SHORT_YOLO and call.has("-y")) or not given.isdisjoint(UNGUARDED):
        return True
    overrides = [word.text for word in call.values(*OVERRIDES)]
    if any([mode in text for text in overrides for mode in LOOSE_MODES]):
        return True
    variables = dict(call.place.variables) | {n: word.text for n, word in call.command.assignments}
    names = [name for name, value in variables.items() if value.lower() not in OFF]
    options = [word for word in given if word[:2] == "--"]
    return BARE_VARIABLE in names or any([_takes_hooks(one) for one in (*names, *options)])


def _takes_hooks(name: str) -> bool:
    parts = frozenset(name.lower().replace("_", "-").split("-"))
    return not parts.isdisjoint(HOOKS) and not parts.isdisjoint(TAKING_AWAY)


def agent(call: ProgramCall) -> Iterator[Effect]:
    """A coding agent started by an agent: its own guard must stay on."""
    # threats.md T-43: a child agent without hooks does what its parent may not. Words as they
    # stand: `-p` takes a value in some agents and none in others.
    given = frozenset([word.text.partition("=")[0] for word in call.command.words[1:]])
    # Other settings may leave out the hook by which the child would be guarded.
    settings = not given.isdisjoint(SETTING_OPTIONS) or any(
        [key in word.text.lower() for word in call.values(*OVERRIDES) for key in GUARDING_KEYS]
    )
    if _is_loose(call, given):
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.GUARD,
            "an agent without its guard",
            traits=(Trait.SELF_APPROVAL,),
            reach=Reach.GUARD,
        )
    elif call.texts[1:2] and call.texts[0] in AGENT_SETTINGS and call.texts[1] in LOOKING:
        # After the options: `config list --settings x` is judged by what it loads.
        yield call.operation(Verb.READ, ResourceType.SETTING, call.texts[0])
    elif settings or (call.texts[:1] and call.texts[0] in AGENT_SETTINGS | {"install"}):
        yield call.operation(
            Verb.CONFIGURE, ResourceType.SETTING, "an agent's settings", traits=(Trait.GLOBAL,)
        )
    elif call.name in UNHOOKED:
        yield call.opaque("starts an agent that signoff does not guard")
    else:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.name, reach=Reach.PROJECT)


MIGRATING = words("up up-by-one up-to down down-to redo reset status version create fix validate")


def goose(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `goose up`, `goose postgres DSN down`: migrations; else the coding agent."""
    named = [text for text in call.texts if text in MIGRATING]
    if not named:
        yield from agent(call)
        return
    lossy = not {"down", "down-to", "redo", "reset"}.isdisjoint(named)
    yield changed_schema(call, f"goose {named[0]}", lossy=lossy)
