"""The environment a line chose earlier: `export KUBECONFIG=prod.yaml; helm uninstall web`.

A choice holds for the commands behind it. An exported variable holds for every one; `kubectl config
use-context` and the like hold for the tools that read the same settings. Only choices that name
production, tests or a local cluster are carried on: no other one changes a judgement.

    carry_choices("export RAILS_ENV=production; rails db:drop")
        rails db:drop  gets the assignment RAILS_ENV=production
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff.actions.known.hosts import is_local_cluster
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.command import CHOSEN_CONTEXT, Command, Word
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

EXPORTING = words("export declare typeset")
# The whole name, or its last part: `RAILS_ENV` and `AWS_PROFILE` select, `ENVOY_PORT` does not.
SELECTING = lazy_re(
    r"(?:.*_)?(?:ENV|ENVIRONMENT|STAGE|PROFILE|CONTEXT|CLUSTER|PROJECT|WORKSPACE|HOST|URL|ACCOUNT"
    r"|SETTINGS_MODULE|DSN|DATABASE)|KUBECONFIG",
    re.ASCII,
)
CLUSTER_TOOLS = words("kubectl oc helm helmfile kustomize flux argocd k9s stern skaffold tilt")
_TERRAFORM = words("terraform tofu terragrunt")
# The words of a choice, and the tools that follow it; the choice is the word behind them.
CHOICES: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("kubectl", "config use-context", CLUSTER_TOOLS),
    ("kubectx", "", CLUSTER_TOOLS),
    ("oc", "project", CLUSTER_TOOLS),
    ("terraform", "workspace select", _TERRAFORM),
    ("tofu", "workspace select", _TERRAFORM),
    ("gcloud", "config set project", words("gcloud gsutil bq")),
    ("gcloud", "config configurations activate", words("gcloud gsutil bq")),
    ("az", "account set", words("az")),
    ("pulumi", "stack select", words("pulumi")),
    ("firebase", "use", words("firebase")),
    ("doctl", "auth switch", words("doctl")),
    ("railway", "environment", words("railway")),
    ("supabase", "link", words("supabase")),
)
_CHOOSERS = frozenset([name for name, _, _ in CHOICES])
_CHOOSING = EXPORTING | _CHOOSERS
LONGEST = 200
TESTS = words("test testing")


def carry_choices(commands: Sequence[Command]) -> tuple[Command, ...]:
    """Return the commands with settings chosen by earlier commands as assignments."""
    # A choice in the last command has nothing behind it; nearly every line ends here.
    if len(commands) < 2 or not any([one.program in _CHOOSING for one in commands[:-1]]):
        return tuple(commands)
    exported: dict[str, Word] = {}
    chosen: dict[str, Word] = {}
    return tuple([_with_choices(command, exported, chosen) for command in commands])


def _with_choices(command: Command, exported: dict[str, Word], chosen: dict[str, Word]) -> Command:
    """Add what was chosen, then note what this command chooses."""
    program = command.program
    added: tuple[tuple[str, Word], ...] = ()
    if exported or program in chosen:
        more = dict(exported)
        if program in chosen:
            more[CHOSEN_CONTEXT] = chosen[program]
        # `RAILS_ENV=test rails db:drop`: what stands before a command wins over what was
        # exported.
        own = {name for name, _ in command.assignments}
        added = tuple((name, word) for name, word in more.items() if name not in own)
    if program in EXPORTING:
        exported.update({n: w for n, w in command.assignments if SELECTING.fullmatch(n)})
        # `export RAILS_ENV=development` takes an earlier `production` back.
        for name in [name for name, word in exported.items() if not _matters(word)]:
            del exported[name]
    if program in _CHOOSERS:
        for tool, choice in _choice_of(command):
            chosen[tool] = choice
    return replace(command, assignments=(*command.assignments, *added)) if added else command


def _choice_of(command: Command) -> Iterator[tuple[str, Word]]:
    program = command.program
    for name, lead, tools in CHOICES:
        if program != name:
            continue
        size = len(lead.split())
        if " ".join([word.text for word in command.words[1 : size + 1]]) == lead:
            for tool in tools:
                # Options may stand before the name: `az account set --subscription prod`.
                for word in command.words[size + 1 : size + 4]:
                    if _matters(word):
                        yield tool, word


def _matters(word: Word) -> bool:
    text = word.text
    return len(text) < LONGEST and (text in TESTS or is_production(text) or is_local_cluster(text))
