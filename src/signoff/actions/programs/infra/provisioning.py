"""Infrastructure as code: terraform, pulumi, ansible, packer and their like.

Plans and checks pass; applying changes an estate that others use; destroying it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, remote
from signoff.actions.programs.call import Call
from signoff.actions.programs.infra.deeds import (
    BUILD,
    FETCH,
    INERT,
    LOCAL_BACKUP_GONE,
    LOGS_IN,
    LOOK,
    RELEASES,
    RUNS_THERE,
    SETS_PROJECT,
    SHOWS_SECRET,
    STORE_GONE,
    TAKEN_OUT,
    near,
)
from signoff.actions.programs.infra.services import service, service_program
from signoff.actions.programs.lexicon import is_production, words
from signoff.actions.programs.program import Program, program, sub

CHANGE = remote(Verb.WRITE, Thing.CLOUD)
STATE = remote(Verb.DELETE, Thing.CLOUD)
AUTO = ("-auto-approve", "--auto-approve", "--yes", "-y", "--skip-preview", "-f", "--force")


CHECKING = ("--check", "-C", "--syntax-check", "--list-hosts", "--list-tasks", "--list-tags")
SHELL_MODULES = words("shell command raw script")
READING_MODULES = words("ping setup debug stat gather_facts service_facts package_facts")


def _reach(call: Call) -> Reach:
    named = any(is_production(w.text) for w in call.command.words[1:])
    return Reach.PRODUCTION if named else Reach.REMOTE


def apply(call: Call) -> Iterator[Effect]:
    """`apply`, `up`, `deploy`; with `-destroy` it is a destruction."""
    if call.has("-destroy", "--destroy"):
        yield from destroy(call)
    elif call.has("--dry-run", "-dry-run", "--preview-only"):
        yield call.operation(Verb.INERT, Thing.CLOUD, traits=(Trait.DRY_RUN,))
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
    module = call.value("-m", "--module-name")
    if call.has(*CHECKING) or (module is not None and module.text in READING_MODULES):
        yield call.operation(Verb.INERT, Thing.MACHINE, traits=(Trait.DRY_RUN,))
    else:
        yield call.operation(
            Verb.EXECUTE, Thing.CLOUD, " ".join(call.texts[:2]), reach=_reach(call)
        )
        arguments = call.value("-a", "--args")
        if arguments is not None and (module is None or module.text in SHELL_MODULES):
            yield Nested(
                text=arguments.text,
                language="shell",
                carrier=call.name,
                is_known=arguments.is_known,
            )


def run_all(call: Call) -> Iterator[Effect]:
    """`terragrunt run-all plan|apply|destroy`: every module at once."""
    inner = call.texts[0] if call.operands else ""
    if inner in READING:
        yield call.operation(Verb.INERT, Thing.CLOUD, traits=(Trait.DRY_RUN,))
    elif inner == "destroy":
        yield call.operation(
            Verb.DELETE,
            Thing.CLOUD,
            "every module",
            traits=(Trait.WHOLE_STORE,),
            reach=_reach(call),
            reversible=False,
        )
    else:
        yield from apply(call)


def salt(call: Call) -> Iterator[Effect]:
    """`salt TARGET module.function`: functions that only look pass, others change machines."""
    functions = [text for text in call.texts[:3] if "." in text and "/" not in text]
    looks = functions and all(text.startswith(SALT_LOOKS) for text in functions)
    if looks or any("test=True" in text for text in call.texts):
        yield call.operation(Verb.READ, Thing.CLOUD)
    else:
        yield call.operation(
            Verb.EXECUTE, Thing.CLOUD, " ".join(call.texts[:2]), reach=_reach(call)
        )
        for place, text in enumerate(call.texts[:4]):
            if text.startswith("cmd."):
                for word in call.operands[place + 1 : place + 2]:
                    yield Nested(
                        text=word.text,
                        language="shell",
                        carrier=call.name,
                        is_known=word.is_known,
                    )


SALT_VALUES = "-l --log-level --out -G -L -E -N -C -S -I -t -b"
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
HOSTS = Act(
    Verb.CONFIGURE, Thing.SERVICE, On.NOTHING, reach=Reach.SYSTEM, reversible=False, always=True
)
HOSTS_LOOK = Act(Verb.READ, Thing.SERVICE, On.NOTHING, always=True)
INSTALLS = near(Verb.INSTALL, Thing.PACKAGE)


def _galaxy(call: Call) -> Iterator[Effect]:
    """`ansible-galaxy install NAME`: from the usual place, or from a repository anywhere."""
    foreign = any("://" in text or text.startswith("git+") for text in call.texts)
    yield call.operation(
        Verb.INSTALL,
        Thing.PACKAGE,
        " ".join(call.texts[1:3]),
        traits=(Trait.UNTRUSTED_SOURCE,) if foreign else (),
        reach=Reach.PROJECT,
    )


READING = words("plan validate show output init fmt graph providers test")
TERRAFORM_VALUES = (
    "-chdir -var -var-file -target -state -out -backend-config -lock-timeout -t -s -replace "
    "-parallelism -backup -state-out --terragrunt-working-dir --working-dir"
)
HELP = "-h -help --help"
STATE_GONE = sub(STATE, values=TERRAFORM_VALUES, clusters=False, harmless="-dry-run --dry-run")
PULUMI_VALUES = "-s --stack -t --target -m --message -c --config -C --cwd -p --parallel"
PROGRAMS: tuple[Program, ...] = (
    program(
        "terraform tofu terragrunt tf cdktf",
        INERT,
        values=TERRAFORM_VALUES,
        clusters=False,
        subs={
            "plan validate show output graph providers version console fmt get init test metadata "
            "modules hclfmt hcl hclvalidate render-json synth list catalog scaffold": BUILD,
            "login": LOGS_IN,
            "logout": INERT,
            "apply deploy": sub(
                handler=apply, values=TERRAFORM_VALUES, clusters=False, harmless=HELP
            ),
            "destroy": sub(handler=destroy, values=TERRAFORM_VALUES, clusters=False, harmless=HELP),
            "run-all run stack": sub(handler=run_all, values=TERRAFORM_VALUES, clusters=False),
            "import refresh taint untaint": CHANGE,
            "force-unlock": remote(Verb.CONTROL, Thing.CLOUD),
            "state": sub(
                LOOK,
                subs={
                    "list show pull": LOOK,
                    "rm": STATE_GONE,
                    "mv push replace-provider": sub(CHANGE, harmless="-dry-run --dry-run"),
                },
            ),
            "workspace": sub(
                LOOK,
                subs={"list show": LOOK, "select new": SETS_PROJECT, "delete": STATE_GONE},
            ),
        },
    ),
    program(
        "pulumi",
        values=PULUMI_VALUES,
        subs={
            "preview whoami version about logs console new plugin schema convert pre "
            "gen-completion install package policy": BUILD,
            "login": LOGS_IN,
            "logout": INERT,
            "up update": sub(handler=apply, values=PULUMI_VALUES),
            "destroy down": sub(handler=destroy, values=PULUMI_VALUES),
            "cancel import refresh watch": sub(CHANGE, harmless="--preview-only"),
            "stack": sub(
                LOOK,
                subs={"ls output graph history": LOOK, "rm": STATE, "init select": SETS_PROJECT},
                handler=service(),
            ),
            "state": sub(LOOK, subs={"export": LOOK}, handler=service()),
            "config": sub(LOOK, subs={"get": LOOK, "set rm set-all cp refresh env": SETS_PROJECT}),
            "env": sub(
                LOOK,
                subs={"ls get tag version": LOOK, "open run": SHOWS_SECRET, "init edit": CHANGE},
                handler=service(),
            ),
        },
        handler=service(),
    ),
    program(
        "ansible ansible-playbook ansible-pull ansible-console",
        handler=playbook,
        values="-i --inventory -m --module-name -a --args -u --user -e --extra-vars -l --limit -t "
        "--tags --skip-tags -f --forks --vault-password-file --private-key -c --connection -U "
        "--url -d --directory --start-at-task --become-user",
    ),
    program(
        "ansible-inventory ansible-doc ansible-lint ansible-config ansible-test molecule "
        "ansible-navigator ansible-builder ansible-creator tflint tfsec checkov terrascan "
        "infracost terraform-docs driftctl cfn-lint cfn_nag conftest opa regula kics inframap "
        "tenv tofuenv terraformer terramate pike terracognita",
        BUILD,
    ),
    service_program(
        "ansible-galaxy",
        {
            "list | info | search | init | role init | role list | role info | role search | "
            "collection init | collection list | collection build | collection verify": BUILD,
            "install | role install | collection install | collection download": _galaxy,
            "remove | role remove | delete | role delete": TAKEN_OUT,
            "collection publish | role import | import": RELEASES,
        },
        reach=Reach.PROJECT,
    ),
    program(
        "ansible-vault",
        INERT,
        values="--vault-password-file --vault-id --encrypt-vault-id --output",
        subs={"view decrypt edit": SHOWS_SECRET, "encrypt encrypt_string create rekey": BUILD},
    ),
    service_program("packer", {"build": CHANGE, "inspect | validate | fmt | init": BUILD}),
    service_program(
        "vagrant",
        {
            "up | halt | reload | suspend | resume | provision | ssh | ssh-config | status | "
            "init | "
            "port | rdp | powershell | winrm | global-status | validate | plugin list | version | "
            "box list | box outdated | snapshot list | package | rsync | upload": (BUILD),
            "box add | box update": FETCH,
            "plugin install | plugin update": INSTALLS,
            "plugin uninstall": TAKEN_OUT,
            "snapshot save | snapshot push": BUILD,
            "snapshot delete | snapshot pop": LOCAL_BACKUP_GONE,
            "snapshot restore": near(Verb.DELETE, Thing.CONTAINER, reversible=False),
            "cloud publish | push": RELEASES,
            "cloud auth | login": LOGS_IN,
        },
        thing=Thing.CONTAINER,
        reach=Reach.PROJECT,
    ),
    program(
        "puppet puppet-agent",
        INERT,
        harmless="--noop",
        subs={
            "agent apply": sub(HOSTS, harmless="--noop --version"),
            "resource": sub(HOSTS_LOOK),
            "parser lookup facts describe doc epp strings help": BUILD,
            "config": sub(LOOK, subs={"print": LOOK, "set delete": HOSTS}),
            "module": sub(BUILD, subs={"install upgrade": INSTALLS, "uninstall": TAKEN_OUT}),
            "node cert ca ssl": sub(HOSTS, subs={"list": LOOK}),
        },
    ),
    program(
        "chef-client chef-solo chef-apply cinc-client cf-agent cfengine pssh parallel-ssh "
        "pnuke prsync pslurp nixops pyinfra bolt fab "
        "capistrano-deploy mgmt itamae mitamae colmena deploy-rs morph",
        RUNS_THERE,
        harmless="-W --why-run --noop -n --dry-run --dry --check",
    ),
    service_program(
        "knife chef berks inspec habitat hab",
        {
            "ssh | winrm | exec": RUNS_THERE,
            "list | status | search | diff | show | check | vendor": LOOK,
            "converge | verify | test | create | setup | destroy | login | generate": BUILD,
            "upload | cookbook upload | bootstrap": CHANGE,
            "data bag show --secret | vault show": SHOWS_SECRET,
            "node delete | client delete": remote(Verb.DELETE, Thing.CLOUD),
        },
    ),
    program(
        "salt salt-call salt-run salt-ssh salt-cloud salt-cp", handler=salt, values=SALT_VALUES
    ),
    program(
        "salt-key",
        LOOK,
        acting={"-a -A -d -D -r -R --accept --delete --delete-all --accept-all": HOSTS},
        values="",
    ),
    program("cloud-nuke aws-nuke gcp-nuke azure-nuke", STORE_GONE),
)
