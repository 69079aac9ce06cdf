"""Infrastructure as code: terraform, pulumi, ansible, packer and their like.

Plans and checks pass; applying changes an estate that others use; destroying it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, builds, inert, local, remote
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.program import Program, program, sub

LOOK = Act(Verb.READ, Thing.CLOUD, On.NOTHING, always=True)
CHANGE = remote(Verb.WRITE, Thing.CLOUD)
STATE = remote(Verb.DELETE, Thing.CLOUD)
AUTO = ("-auto-approve", "--auto-approve", "--yes", "-y", "--skip-preview", "-f", "--force")


def _reach(call: Call) -> Reach:
    named = any(is_production(w.text) for w in call.command.words[1:])
    return Reach.PRODUCTION if named else Reach.REMOTE


def apply(call: Call) -> Iterator[Effect]:
    """`apply`, `up`, `deploy`; with `-destroy` it is a destruction."""
    if call.has("-destroy", "--destroy"):
        yield from destroy(call)
    else:
        yield call.operation(
            Verb.WRITE, Thing.CLOUD, "the estate", reach=_reach(call), reversible=False
        )


def destroy(call: Call) -> Iterator[Effect]:
    """`destroy`: everything the configuration made is gone; without a question it is refused."""
    unasked = call.has(*AUTO)
    limited = call.has("-target", "--target", "-t")
    yield call.operation(
        Verb.DELETE,
        Thing.CLOUD,
        "the estate",
        traits=(Trait.WHOLE_STORE,) if unasked and not limited else (),
        reach=_reach(call),
        reversible=False,
    )


def playbook(call: Call) -> Iterator[Effect]:
    """`ansible-playbook`, `ansible`: changes machines unless it only checks."""
    if call.has("--check", "-C", "--syntax-check", "--list-hosts", "--list-tasks", "--list-tags"):
        yield call.operation(Verb.INERT, Thing.MACHINE, traits=(Trait.DRY_RUN,))
    else:
        yield call.operation(
            Verb.EXECUTE, Thing.CLOUD, " ".join(call.texts[:2]), reach=_reach(call)
        )


TERRAFORM_VALUES = "-chdir -var -var-file -target -state -out -backend-config -lock-timeout -t -s"
PROGRAMS: tuple[Program, ...] = (
    program(
        "terraform tofu terragrunt tf",
        inert(),
        values=TERRAFORM_VALUES,
        subs={
            "plan validate show output graph providers version console fmt get init test metadata "
            "modules hclfmt login logout": builds(),
            "apply": sub(handler=apply, values=TERRAFORM_VALUES, clusters=False),
            "destroy": sub(handler=destroy, values=TERRAFORM_VALUES, clusters=False),
            "run-all": sub(handler=apply),
            "import refresh taint untaint": CHANGE,
            "force-unlock": remote(Verb.CONTROL, Thing.CLOUD),
            "state": sub(
                LOOK,
                subs={
                    "list show pull": LOOK,
                    "rm": STATE,
                    "mv push replace-provider": CHANGE,
                },
            ),
            "workspace": sub(
                LOOK,
                subs={
                    "list show": LOOK,
                    "select new": local(Verb.CONFIGURE, Thing.SETTING, reversible=True),
                    "delete": STATE,
                },
            ),
        },
    ),
    program(
        "pulumi",
        inert(),
        values="-s --stack -C --cwd -t --target -m --message -c --config",
        subs={
            "preview stack-ls whoami version about logs console new plugin schema convert "
            "gen-completion": builds(),
            "up update": sub(handler=apply, values="-s --stack -t --target"),
            "destroy down": sub(handler=destroy, values="-s --stack -t --target"),
            "cancel import refresh": CHANGE,
            "stack": sub(
                LOOK,
                subs={"ls output graph history": LOOK, "rm": STATE, "init select": inert()},
                by_words=CHANGE,
            ),
            "config": sub(LOOK, by_words=local(Verb.CONFIGURE, Thing.SETTING, reversible=True)),
        },
        by_words=CHANGE,
    ),
    program(
        "ansible ansible-playbook ansible-pull ansible-console",
        handler=playbook,
        values="-i --inventory -m --module-name -a --args -u --user -e --extra-vars -l --limit -t "
        "--tags --skip-tags -f --forks --vault-password-file --private-key -c --connection",
    ),
    program(
        "ansible-inventory ansible-doc ansible-lint ansible-config ansible-test molecule "
        "tflint tfsec checkov terrascan infracost terraform-docs terraformer-plan driftctl "
        "cfn-lint cfn_nag rain-fmt conftest opa regula kics inframap",
        builds(),
    ),
    program(
        "ansible-galaxy",
        inert(),
        subs={
            "list info search init": inert(),
            "install": Act(
                Verb.INSTALL, Thing.PACKAGE, On.OPERANDS, reach=Reach.PROJECT, always=True
            ),
            "role collection": sub(
                inert(),
                subs={
                    "install download": Act(
                        Verb.INSTALL, Thing.PACKAGE, On.OPERANDS, reach=Reach.PROJECT, always=True
                    ),
                    "publish": remote(Verb.PUBLISH, Thing.PACKAGE),
                    "remove delete": local(Verb.DELETE, Thing.PACKAGE, reversible=True),
                },
            ),
        },
    ),
    program(
        "ansible-vault",
        inert(),
        values="--vault-password-file --vault-id -i --kms --pgp --age",
        subs={
            "view decrypt edit": Act(
                Verb.READ,
                Thing.CREDENTIAL,
                On.OPERANDS,
                frozenset({Trait.READS_SECRET}),
                always=True,
            ),
        },
    ),
    program(
        "packer vagrant",
        builds(),
        values="-var -var-file -only -except",
        subs={
            "destroy": Act(
                Verb.DELETE,
                Thing.MACHINE,
                On.OPERANDS,
                reach=Reach.PROJECT,
                reversible=False,
                always=True,
            ),
            "box": sub(
                builds(),
                subs={
                    "remove": local(Verb.DELETE, Thing.IMAGE, reversible=False),
                    "list outdated": inert(),
                },
            ),
            "snapshot": sub(
                builds(),
                subs={
                    "delete": local(Verb.DELETE, Thing.BACKUP, reversible=False),
                    "list": inert(),
                },
            ),
        },
    ),
)
