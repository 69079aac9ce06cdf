"""Tasks of a project by their names: `make deploy`, `npm run build`, `just reset-db`.

A task runs what the project's own file says; that is ordinary work. Its name may say that it goes
beyond the project: publishing, deploying, installing on the machine, dropping data.

    task_effects(call, ("deploy",)) -> PUBLISH
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.programs.program import Handler
from signoff.actions.vocabulary import words

PUBLISHING = words("deploy publish release ship upload rollout promote undeploy")
PUSHED = words("image images container containers docker oci registry chart charts")
# Beside a strong word they weaken it: `publish-dry`, `release-notes`, `deploy-preview`.
HARMLESS = words(
    "dry check preview notes build test lint plan prepare verify local snapshot status"
)
DESTROYING = words("destroy nuke drop truncate wipe purge reset teardown flush obliterate erase")
INSTALLING = words("install uninstall")


def task_effects(
    call: ProgramCall, names: Iterable[str], *, installs: bool = False
) -> Iterator[Effect]:
    """Yield the effects of running build tasks with these names.

    Args:
        installs: True if the task `install` copies files to the system (make, ninja, meson).
    """
    for name in names:
        yield _task(call, name, installs=installs)


def _task(call: ProgramCall, name: str, *, installs: bool) -> Operation:
    parts = frozenset(split_name(name))
    is_pushed = "push" in parts and not parts.isdisjoint(PUSHED)
    if (parts & PUBLISHING or is_pushed) and not parts & HARMLESS:
        return call.operation(
            Verb.PUBLISH, ResourceType.PACKAGE, name, reach=Reach.REMOTE, reversible=False
        )
    if parts & DESTROYING and not parts & HARMLESS:
        reach = Reach.PRODUCTION if is_production(name) else Reach.PROJECT
        return call.operation(
            Verb.DELETE, ResourceType.NOTHING, name, reach=reach, reversible=False
        )
    # `install-deps` and `install-hooks` stay in the project; `install` alone copies to the
    # system.
    if installs and parts & INSTALLING and len(parts) == 1:
        return call.operation(
            Verb.INSTALL, ResourceType.PACKAGE, name, traits=(Trait.GLOBAL,), reach=Reach.SYSTEM
        )
    return call.operation(
        Verb.EXECUTE, ResourceType.CODE, name, reach=Reach.PROJECT, reversible=True
    )


def runs_tasks(*, installs: bool = False, first_only: bool = False, options: str = "") -> Handler:
    """Return the handler of a task runner: its operands are names of tasks.

    Args:
        installs: as in `task_effects`.
        first_only: only the first operand is a task.
        options: whose values name tasks in place of operands: `tox -e lint,docs`.
    """
    naming = tuple(options.split())

    def run(call: ProgramCall) -> Iterator[Effect]:
        # `NAME=value` sets a variable and is no task.
        named = [one for w in call.values(*naming) for one in w.text.split(",") if one]
        names = named if naming else [w.text for w in call.operands if "=" not in w.text]
        yield from task_effects(call, names[:1] if first_only else names, installs=installs)
        if not names:
            yield call.operation(
                Verb.EXECUTE, ResourceType.CODE, reach=Reach.PROJECT, reversible=True
            )

    return run
