"""Where a call changes something, as options and variables name it: for titles, not verdicts.

    named_place(command)     for `kubectl -n prod delete deployment web`
        -> (("namespace", "prod"),)
    named_place(command)     for `aws ec2 terminate-instances --instance-ids i-12`
        -> (("object", "i-12"),)

Only what the call names is told. Whether it is production is settled elsewhere, by all its words.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.shell.command import CHOSEN_CONTEXT, Command, Word
from signoff.actions.vocabulary import lazy_re

# Looked at for every remote operation of a line; options for the place stand early.
MAX_WORDS = 60
MAX_PLACES = 3
VALUE_LIMIT = 60
NO_PLACE: tuple[tuple[str, str], ...] = ()
# What is named first in a title stands first here.
OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("--namespace",), "namespace"),
    **dict.fromkeys(("--context", "--kube-context"), "context"),
    **dict.fromkeys(("--cluster", "--cluster-name"), "cluster"),
    **dict.fromkeys(("--environment", "--env", "--environment-name"), "environment"),
    "--stage": "stage",
    "--stack": "stack",
    **dict.fromkeys(("-chdir", "--chdir", "--working-dir", "--cwd"), "folder"),
    "--workspace": "workspace",
    "--profile": "profile",
    **dict.fromkeys(("--project", "--project-id"), "project"),
    **dict.fromkeys(("--app", "--app-name"), "app"),
    "--subscription": "subscription",
    "--resource-group": "resource group",
    "--region": "region",
    "--version": "version",
}
VARIABLES: Mapping[str, str] = {
    CHOSEN_CONTEXT: "context",
    **dict.fromkeys(("APP_ENV", "NODE_ENV", "RAILS_ENV"), "environment"),
    "TF_WORKSPACE": "workspace",
    "PULUMI_STACK": "stack",
    "AWS_PROFILE": "profile",
    "CLOUDSDK_CORE_PROJECT": "project",
    **dict.fromkeys(("AWS_REGION", "AWS_DEFAULT_REGION"), "region"),
}
CLUSTER_PROGRAMS = frozenset(
    {"kubectl", "oc", "k", "kubecolor", "helm", "helm3", "helmfile", "flux"}
)
SHORT: Mapping[str, str] = {"-n": "namespace"}  # of those alone
# Tools of clouds name what they act on by an option: `--db-instance-identifier`, `--name`.
CLOUD_PROGRAMS = frozenset({"aws", "az", "aliyun", "tccli", "oci", "ibmcloud", "awslocal"})
OBJECT = "object"
# What an earlier command chose (`terraform workspace select prod`), as the tool calls it.
CHOSEN: Mapping[str, str] = {
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), "workspace"),
    **{"pulumi": "stack", "az": "subscription"},
    **dict.fromkeys(("gcloud", "gsutil", "bq", "firebase"), "project"),
}
NAMES_OBJECT = lazy_re(r"--(?:(?P<noun>[a-z-]+)-)?(?:ids?|identifiers?|names?|arn)\Z")
SHORT_OF_AZURE: Mapping[str, str] = {"-n": OBJECT, "-g": "resource group"}
STORES = frozenset({"--bucket"})
IN_STORE = "--key"  # what is in a bucket, and acted on in its place
# Whose key or password it is, where the sub-command names no account itself.
ACCOUNTS = frozenset({"user", "role", "group"})
# What tools of infrastructure as code apply; a title says it in its sentence, not as a place.
PLAN, TARGET, UNASKED = "plan", "target", "unasked"
APPLIED = frozenset({PLAN, TARGET, UNASKED})
ORDER = (OBJECT, *dict.fromkeys((*OPTIONS.values(), *VARIABLES.values())), *sorted(ACCOUNTS))


def named_place(command: Command) -> tuple[tuple[str, str], ...]:
    """Return where a command's target is, as (kind, name) pairs for a title; () if unnamed."""
    return _in_order(_found(command))


def applied_place(
    command: Command, *, plan: Word | None, target: Word | None, is_unasked: bool
) -> tuple[tuple[str, str], ...]:
    """Return what a tool of infrastructure as code applies, then where.

    Args:
        plan: the file of a plan.
        target: the only resource that is meant.
        is_unasked: whether nobody is asked before it happens.
    """
    found: dict[str, str] = {}
    for kind, word in ((PLAN, plan), (TARGET, target)):
        if word is not None:
            _keep(found, kind, word, word.text)
    unasked = ((UNASKED, UNASKED),) if is_unasked and plan is None else ()
    return (*found.items(), *unasked, *_in_order(_found(command)))


def _in_order(found: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not found:
        return NO_PLACE
    return tuple([(kind, found[kind]) for kind in ORDER if kind in found][:MAX_PLACES])


def _found(command: Command) -> dict[str, str]:
    """Return what options and variables name, by kind."""
    found: dict[str, str] = {}
    for name, word in command.assignments[:MAX_WORDS]:
        if name in VARIABLES:
            chosen = CHOSEN.get(command.program) if name == CHOSEN_CONTEXT else None
            _keep(found, chosen or VARIABLES[name], word, word.text)
    words = command.words[1 : MAX_WORDS + 1]
    for at, word in enumerate(words):
        if word.text.startswith("-"):
            _read_option(found, command, word, behind=words[at + 1 : at + 2])
    return found


def _read_option(
    found: dict[str, str], command: Command, word: Word, *, behind: tuple[Word, ...]
) -> None:
    """Note what an option names, joined to it or in the word behind it."""
    option, is_joined, value = word.text.partition("=")
    kind = OPTIONS.get(option)
    if kind is None and command.program in CLUSTER_PROGRAMS:
        kind = SHORT.get(option)
    if kind is None and command.program == "pulumi" and option == "-s":
        kind = "stack"
    if kind is None and command.program in CLOUD_PROGRAMS:
        kind = _kind_in_cloud(command, option)
    if kind is None or (kind == OBJECT and OBJECT in found and option != IN_STORE):
        return
    if is_joined:
        _keep(found, kind, word, value)
    elif behind:
        _keep(found, kind, behind[0], behind[0].text)


def _keep(found: dict[str, str], kind: str, word: Word, value: str) -> None:
    """Note a value that is known, short and no assignment of its own (`--env A=b`)."""
    # Docker's `--env A=b` is a variable, and `--context --force` names nothing.
    is_name = 0 < len(value) <= VALUE_LIMIT and "=" not in value and not value.startswith("-")
    # It goes into a title: no control characters there (threats.md T-36).
    if word.is_known and is_name and value.isprintable():
        found[kind] = value


def _kind_in_cloud(command: Command, option: str) -> str | None:
    """Return OBJECT for an option that names what the sub-command acts on.

    `--instance-ids` does so for `terminate-instances`; `--image-id` does not for `run-instances`.
    An account beside it is one of ACCOUNTS (`create-access-key --user-name`), all else None.
    """
    if command.program == "az" and option in SHORT_OF_AZURE:
        return SHORT_OF_AZURE[option]
    if option == IN_STORE and "object" in " ".join(word.text for word in command.words[1:4]):
        return OBJECT
    named = NAMES_OBJECT.match(option)
    if named is None:
        return OBJECT if option in STORES else None
    noun = named["noun"]
    acts = "-".join(word.text for word in command.words[1:4] if not word.text.startswith("-"))
    if noun is None or noun in acts:
        return OBJECT
    return noun if noun in ACCOUNTS else None
