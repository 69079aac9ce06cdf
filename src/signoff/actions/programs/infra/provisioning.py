"""Infrastructure as code: terraform, pulumi, ansible, packer and their like.

Plans and checks pass; applying changes an estate that others use; destroying it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD, MACHINE
from signoff.actions.programs.infra.modules import arguments_of, declared_lines, line_of
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.named_place import applied_place
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

AUTO = ("-auto-approve", "--auto-approve", "--yes", "-y", "--skip-preview", "-f", "--force")


CHECKING = ("--check", "-C", "--syntax-check", "--list-hosts", "--list-tasks", "--list-tags")
PLAN_FILES = (".tfplan", ".plan", "tfplan")
TERRAFORM = words("terraform tofu tf terragrunt")
RUN_ALL = (" run-all", " run", " stack")
SHELL_MODULES = words("shell command raw script")
# Ansible modules that only report; `debug` prints.
READING_MODULES = words("ping setup debug stat gather_facts service_facts package_facts")


def _reach(call: ProgramCall) -> Reach:
    named = any(is_production(w.text) for w in call.command.words[1:])
    return Reach.PRODUCTION if named else Reach.REMOTE


def apply(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `apply`, `up`, `deploy`; with `-destroy` it is a destruction."""
    if call.has("-destroy", "--destroy"):
        yield from destroy(call)
    elif call.is_dry("--dry-run", "-dry-run", "--preview-only"):
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
    else:
        yield call.operation(
            Verb.WRITE,
            ResourceType.CLOUD,
            "the infrastructure",
            reach=_reach(call),
            reversible=False,
            place=_place(call),
        )


def _place(call: ProgramCall) -> tuple[tuple[str, str], ...]:
    """Return what is applied and where: for titles."""
    plans = [word for word in call.operands if word.text.endswith(PLAN_FILES)]
    is_terraform = call.command.program in TERRAFORM and not call.name.endswith(RUN_ALL)
    plan = next(iter(plans or (call.operands if is_terraform else ())), None)
    return applied_place(
        call.command,
        plan=plan,
        target=call.value("-target", "--target", "-t"),
        is_unasked=call.has(*AUTO),
    )


def initialise(call: ProgramCall) -> Iterator[Effect]:
    """`init`: fetches what the configuration names; `-from-module` brings a configuration in."""
    for word in call.values("-from-module", "--from-module"):
        # Modules elsewhere bring code of others; a path names one's own.
        if not word.text.startswith((".", "/")):
            traits = (Trait.UNTRUSTED_SOURCE,)
            yield call.operation(Verb.INSTALL, ResourceType.CODE, word.text, traits=traits)
    yield from call.perform(BUILD)


def destroy(call: ProgramCall) -> Iterator[Effect]:
    """`destroy`: everything the configuration made is gone; without a question it is refused."""
    if call.name.startswith("pulumi ") and call.is_dry("--preview-only") and not call.has(*AUTO):
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
        return
    unasked = call.has(*AUTO)
    # Single resources are asked about as other deletions are.
    limited = call.has("-target", "--target", "-t")
    target = call.value("-target", "--target", "-t")
    yield call.operation(
        Verb.DELETE,
        ResourceType.CLOUD,
        target.text if target is not None else "the infrastructure",
        traits=(Trait.WHOLE_STORE,) if unasked and not limited else (),
        reach=_reach(call),
        reversible=False,
        place=_place(call),
    )


def playbook(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ansible-playbook`, `ansible`: changes machines unless it only checks."""
    module = call.value("-m", "--module-name")
    if call.has(*CHECKING) or (
        module is not None and module.text.rpartition(".")[2] in READING_MODULES
    ):
        yield call.operation(Verb.INERT, ResourceType.MACHINE, traits=(Trait.DRY_RUN,))
    else:
        yield call.operation(
            Verb.EXECUTE, ResourceType.CLOUD, " ".join(call.texts[:2]), reach=_reach(call)
        )
        # ansible(1): without `-m` the module is `command`.
        yield from _module_lines(call, module.text.rpartition(".")[2] if module else "command")


def _module_lines(call: ProgramCall, module: str) -> Iterator[Effect]:
    """What an ad-hoc module does to the hosts, as a shell line there."""
    arguments = call.value("-a", "--args")
    if module in SHELL_MODULES and arguments is not None:
        line, is_known = arguments.text, arguments.is_known
    elif arguments is None or arguments.is_known:
        line = line_of(module, arguments_of(arguments.text if arguments is not None else ""))
        is_known = True
    else:
        return
    if line == "reboot":
        yield from call.perform(MACHINE)
    elif line:
        yield Nested(text=line, language="shell", carrier=call.name, is_known=is_known)


def puppet(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `puppet apply -e TEXT`: what the resources in the text make of this machine."""
    yield call.operation(
        Verb.CONFIGURE, ResourceType.SERVICE, call.name, reach=Reach.SYSTEM, reversible=False
    )
    text = call.value("-e", "--execute")
    if text is not None and text.is_known:
        for line in declared_lines(text.text):
            yield Nested(text=line, language="shell", carrier=call.name)


def run_all(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `terragrunt run-all plan|apply|destroy`: every module at once."""
    inner = call.texts[0] if call.operands else ""
    if inner in READING:
        yield call.operation(Verb.INERT, ResourceType.CLOUD, traits=(Trait.DRY_RUN,))
    elif inner == "destroy":
        yield call.operation(
            Verb.DELETE,
            ResourceType.CLOUD,
            "every module",
            traits=(Trait.WHOLE_STORE,),
            reach=_reach(call),
            reversible=False,
        )
    else:
        yield from apply(call)


def taken_down(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `sst remove --stage NAME`: all that an application has there."""
    yield call.operation(
        Verb.DELETE, ResourceType.CLOUD, call.name, reach=_reach(call), reversible=False
    )


def salt(call: ProgramCall) -> Iterator[Effect]:
    """`salt TARGET module.function`: functions that only look pass, others change machines."""
    named = [text for text in call.texts[:3] if "." in text and "/" not in text]
    # Several functions stand in one word: `test.ping,cmd.run`.
    functions = [name for text in named for name in text.split(",") if name]
    looks = functions and all(text.startswith(SALT_LOOKS) for text in functions)
    # `test=True` is Salt's dry run.
    if looks or any("test=True" in text for text in call.texts):
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        yield call.operation(
            Verb.EXECUTE, ResourceType.CLOUD, " ".join(call.texts[:2]), reach=_reach(call)
        )
        for place, text in enumerate(call.texts[:4]):
            # Salt's `cmd.run`, `cmd.shell` and the like take a shell line.
            if any([name.startswith("cmd.") for name in text.split(",")]):
                yield from _salted(call, call.operands[place + 1 :])


def _salted(call: ProgramCall, given: Sequence[Word]) -> Iterator[Effect]:
    """The lines of `cmd.run`; of several functions each has its words between commas."""
    for word in given[:SALT_WORDS]:
        line = word.text.strip(" ,")
        if line and not re.match(r"\w+=", line):
            yield Nested(text=line, language="shell", carrier=call.name, is_known=word.is_known)


SALT_WORDS = 20
SALT_LOOKS = (
    "test.",
    "grains.item",
    "grains.get",
    "grains.ls",
    "pillar.items",
    "status.",
    "disk.usage",
    "sys.doc",
    "manage.status",
    "manage.up",
    "pkg.list",
    "service.status",
)


def galaxy(call: ProgramCall) -> Iterator[Effect]:
    """`ansible-galaxy install NAME`: from the usual place, or from a repository anywhere."""
    # A bare name comes from Ansible Galaxy, the usual registry.
    foreign = any("://" in text or text.startswith("git+") for text in call.texts)
    yield call.operation(
        Verb.INSTALL,
        ResourceType.PACKAGE,
        " ".join(call.texts[1:3]),
        traits=(Trait.UNTRUSTED_SOURCE,) if foreign else (),
        reach=Reach.PROJECT,
    )


READING = words("plan validate show output init fmt graph providers test")
