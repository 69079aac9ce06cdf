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
NAMES_OBJECT = lazy_re(r"--(?:(?P<noun>[a-z-]+)-)?(?:ids?|identifiers?|names?|arn)\Z")
SHORT_OF_AZURE: Mapping[str, str] = {"-n": OBJECT, "-g": "resource group"}
STORES = frozenset({"--bucket"})
# Whose key or password it is, where the sub-command names no account itself.
ACCOUNTS = frozenset({"user", "role", "group"})
ORDER = (OBJECT, *dict.fromkeys((*OPTIONS.values(), *VARIABLES.values())), *sorted(ACCOUNTS))


def named_place(command: Command) -> tuple[tuple[str, str], ...]:
    """Return where a command's target is, as (kind, name) pairs for a title; () if unnamed."""
    found: dict[str, str] = {}
    for name, word in command.assignments[:MAX_WORDS]:
        if name in VARIABLES:
            _keep(found, VARIABLES[name], word, word.text)
    words = command.words[1 : MAX_WORDS + 1]
    for at, word in enumerate(words):
        if word.text.startswith("-"):
            _read_option(found, command, word, behind=words[at + 1 : at + 2])
    if not found:
        return NO_PLACE
    return tuple([(kind, found[kind]) for kind in ORDER if kind in found][:MAX_PLACES])


def _read_option(
    found: dict[str, str], command: Command, word: Word, *, behind: tuple[Word, ...]
) -> None:
    """Note what an option names, joined to it or in the word behind it."""
    option, is_joined, value = word.text.partition("=")
    kind = OPTIONS.get(option)
    if kind is None and command.program in CLUSTER_PROGRAMS:
        kind = SHORT.get(option)
    if kind is None and command.program in CLOUD_PROGRAMS:
        kind = _kind_in_cloud(command, option)
    if kind is None or (kind == OBJECT and OBJECT in found):
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
    named = NAMES_OBJECT.match(option)
    if named is None:
        return OBJECT if option in STORES else None
    noun = named["noun"]
    acts = "-".join(word.text for word in command.words[1:4] if not word.text.startswith("-"))
    if noun is None or noun in acts:
        return OBJECT
    return noun if noun in ACCOUNTS else None
