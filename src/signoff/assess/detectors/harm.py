"""How much harm one Operation can do, by reversibility, reach and loss: the table of severities.

A detector says what a HIGH finding is about; this table says which of them are bounded. The harm
of an Operation is bounded if one row holds of it: it can be undone, it reaches no further than the
row says, and it loses nothing unique. A bounded finding is still asked about in every pack, but
its score (75 * 0.8 = 60) makes the call MEDIUM: an approval takes one tap.

    git reset --hard           bounded: unsaved edits of this project are lost
    git update-ref -d HEAD     not bounded: history of the project is lost

What is not understood, planted to run later, from outside, secret, opened to others, on production
or about signoff itself is never bounded, whatever a row says (`UNBOUNDED_TRAITS`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.vcs.git_remote import PROTECTED
from signoff.actions.vocabulary import words

PROJECT = frozenset({Reach.PROJECT, Reach.TEMP, Reach.LOOPBACK})
MACHINE = PROJECT | {Reach.ELSEWHERE, Reach.HOME, Reach.SYSTEM}
CHANGES = frozenset({Verb.WRITE, Verb.DELETE, Verb.CONFIGURE, Verb.CONTROL, Verb.INSTALL})
# Kinds of which a version in the repository, or a second one, cannot be expected.
UNIQUE_KINDS = frozenset(
    {
        *(FileKind.DATA, FileKind.ENV, FileKind.CREDENTIALS, FileKind.BACKUP, FileKind.DEVICE),
        *(FileKind.GIT_INTERNAL, FileKind.AUDIT_LOG, FileKind.SHELL_HISTORY),
    }
)
# Kinds that run later by themselves; a workflow runs after it was pushed and is seen in between.
PLANTED_KINDS = frozenset(
    {
        *(FileKind.GIT_HOOK, FileKind.SHELL_STARTUP, FileKind.SCHEDULE, FileKind.EDITOR_CONFIG),
        *(FileKind.AGENT_CONFIG, FileKind.AUTHORIZED_KEYS, FileKind.GUARD, FileKind.ACCOUNTS),
        *(FileKind.GIT_INTERNAL, FileKind.CREDENTIALS, FileKind.SYSTEM_BINARY, FileKind.BOOT),
    }
)
# What a service makes again, and what it keeps: words for the kind of a thing.
SERVED = frozenset({ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.URL})
MADE_AGAIN = words(
    "pod pods po deployment deployments deploy service services svc ingress ingresses replicaset "
    "replicasets rs job jobs cronjob cronjobs daemonset hpa configmap endpoint label labels cache "
    "caches context pipeline pipelines run runs environment environments consumer agent worker "
    "alarm alarms milestone reaction workflow node runner runners task check subscription"
)
KEEPS_DATA = words(
    "pvc pv volume volumes namespace namespaces database databases db table tables stream streams "
    "queue queues topic topics index indexes indices bucket buckets stack stacks zone zones secret "
    "secrets key keys cluster clusters instance instances disk disks snapshot snapshots backup "
    "backups user users account accounts org organization project projects repo repository app "
    "site domain record certificate orb image statefulset statefulsets sts crd membership"
)
WORD = re.compile(r"[a-z]+")
WHOLE = re.compile(r"\s(?:--all\b|-A\b|--recursive\b|-l\b|--selector\b|-f\b|--filename\b)")
TAKEN_AWAY = re.compile(r"\s(?:rm|remove|revoke|unassign|clear_permissions)\b")
DEEP = re.compile(r"\s(?:--recursive\b|-\w*[rR]\b|--all-versions\b|-m\b|--version-id\b)")
OBJECT_STORES = words("s3 gs gcs az abfs oss cos b2")
GLOB_CHARS = frozenset("*?[")
INSTALLED = frozenset({ResourceType.PACKAGE, ResourceType.IMAGE, ResourceType.CONTAINER})
SWITCHED = INSTALLED | {
    *(ResourceType.SERVICE, ResourceType.PROCESS, ResourceType.SETTING, ResourceType.NETWORK),
    *(ResourceType.REPOSITORY, ResourceType.NOTHING),
}
UNBOUNDED_TYPES = frozenset(
    {
        *(ResourceType.GUARD, ResourceType.MONEY, ResourceType.PROTECTION, ResourceType.DEVICE),
        *(ResourceType.BACKUP, ResourceType.MACHINE, ResourceType.MESSAGE),
    }
)
UNBOUNDED_TRAITS = frozenset(
    {
        # code from outside, hidden, planted
        *(Trait.REMOTE_CODE, Trait.UNTRUSTED_SOURCE, Trait.DECODED, Trait.HIDDEN, Trait.FETCHED),
        *(Trait.REVERSE_SHELL, Trait.BACKDOOR, Trait.RUNS_LATER, Trait.ENVIRONMENT),
        # secrets, data that leaves
        *(Trait.READS_SECRET, Trait.HOLDS_SECRET, Trait.SENDS_SECRET, Trait.SENDS_FILES),
        *(Trait.COVERT, Trait.METADATA_HOST),
        # checks and limits taken away
        *(Trait.WEAKENS, Trait.BLINDS, Trait.OPENS_ACCESS, Trait.LISTENS, Trait.SELF_APPROVAL),
        # loss without a limit, beyond the project, of others
        *(Trait.WHOLE_STORE, Trait.SCHEMA_LOSS, Trait.UNBOUNDED, Trait.BULK, Trait.COSTS),
        *(Trait.FORK_BOMB, Trait.EXHAUSTS, Trait.PROTECTED_BRANCH, Trait.ON_REMOTE_HOST),
        # told from a name only
        Trait.BY_NAME,
    }
)


class BoundedHarm(NamedTuple):
    """One kind of bounded harm.

    Args:
        name: what it is called on the docs page.
        undone: how it is taken back.
        reaches: what it touches at most.
        loses: what is gone for good.
        holds: tells whether it is true of an Operation.
        bounded: shell lines of which it holds.
        spared: shell lines that look like it and are not bounded.
    """

    name: str
    undone: str
    reaches: str
    loses: str
    holds: Callable[[Operation], bool]
    bounded: tuple[str, ...]
    spared: tuple[str, ...]


def is_bounded(op: Operation) -> bool:
    """Tell whether the harm of an Operation has a limit that one tap is enough for."""
    if not op.understood or op.thing in UNBOUNDED_TYPES:
        return False
    if not UNBOUNDED_TRAITS.isdisjoint(op.traits):
        return False
    return any([row.holds(op) for row in TABLE])


def _undone_in_project(op: Operation) -> bool:
    is_near = op.reach in PROJECT and op.verb in CHANGES
    return is_near and op.reversible and op.file_kind not in PLANTED_KINDS


def _undone_on_machine(op: Operation) -> bool:
    if not op.reversible or op.reach not in MACHINE or op.verb not in CHANGES:
        return False
    is_own_login = op.thing is ResourceType.CREDENTIAL and op.verb is Verb.CONFIGURE
    return is_own_login or op.thing in SWITCHED


def _installed_again(op: Operation) -> bool:
    is_removed = op.verb is Verb.DELETE and op.thing in INSTALLED
    return is_removed and op.reach in MACHINE and Trait.BROAD not in op.traits


def _unsaved_work(op: Operation) -> bool:
    is_work = op.thing is ResourceType.REPOSITORY and Trait.LOSES_WORK in op.traits
    return is_work and op.reach is Reach.PROJECT and Trait.LOSES_HISTORY not in op.traits


def _part_of_project(op: Operation) -> bool:
    is_file = op.verb is Verb.DELETE and op.thing is ResourceType.FILE
    is_part = Trait.BROAD not in op.traits and op.file_kind not in UNIQUE_KINDS
    return is_file and is_part and op.reach is Reach.PROJECT


def _files_by_name(op: Operation) -> bool:
    is_file = op.verb is Verb.DELETE and op.thing is ResourceType.FILE
    is_flat = Trait.RECURSIVE not in op.traits and op.file_kind not in UNIQUE_KINDS
    is_pattern = any(map(str.isalpha, op.target.rpartition("/")[2]))
    return is_file and is_flat and is_pattern and op.reach is Reach.PROJECT


def _modes_in_project(op: Operation) -> bool:
    is_mode = op.verb is Verb.CONFIGURE and op.thing is ResourceType.ACCOUNT
    return is_mode and op.reach in {Reach.PROJECT, Reach.TEMP} and bool(op.path)


def _own_branch(op: Operation) -> bool:
    if op.verb is not Verb.PUBLISH or op.thing is not ResourceType.REPOSITORY:
        return False
    if Trait.LOSES_HISTORY in op.traits:  # without a lease: also what others pushed
        return False
    remote, _, branches = op.target.partition(" ")
    names = [name.rpartition(":")[2].removeprefix("refs/heads/") for name in branches.split()]
    is_named = bool(remote) and bool(names) and PROTECTED.isdisjoint(names)
    return is_named and not {"HEAD", "@"} & {*names} and Trait.BROAD not in op.traits


def _local_service(op: Operation) -> bool:
    is_one = op.verb is Verb.DELETE and op.thing is ResourceType.URL
    return is_one and op.reach is Reach.LOOPBACK


def _branch_of_remote(op: Operation) -> bool:
    is_ref = op.verb is Verb.DELETE and op.thing is ResourceType.REPOSITORY
    name = op.target.lstrip(":").removeprefix("refs/heads/").removeprefix("refs/tags/")
    return is_ref and op.reach is Reach.REMOTE and bool(name) and GLOB_CHARS.isdisjoint(name)


def _part_of_service(op: Operation) -> bool:
    """One thing that a service makes again: recognised from what kind of thing it is called."""
    if op.verb is not Verb.DELETE or op.reach is not Reach.REMOTE or op.thing not in SERVED:
        return False
    text = f"{op.program} {op.target}".lower()
    if "://" in op.target:  # the last collection names the kind: `projects/42/jobs/7`
        text = "/".join(op.target.lower().partition("?")[0].rstrip("/").split("/")[-2:])
    kinds = frozenset(WORD.findall(text))
    is_one = not WHOLE.search(op.source) and GLOB_CHARS.isdisjoint(op.target)
    is_again = not MADE_AGAIN.isdisjoint(kinds) and KEEPS_DATA.isdisjoint(kinds)
    return is_one and is_again and not is_production(op.source)


def _access_taken(op: Operation) -> bool:
    """The rights of somebody else in a service end, and can be given again."""
    is_right = op.verb is Verb.CONFIGURE and op.thing is ResourceType.ACCOUNT
    is_taken = TAKEN_AWAY.search(op.source) is not None and not WHOLE.search(op.source)
    return is_right and is_taken and op.reach is Reach.REMOTE and op.reversible


def _one_object(op: Operation) -> bool:
    if (
        op.verb is not Verb.DELETE
        or op.thing is not ResourceType.CLOUD
        or op.reach is not Reach.REMOTE
    ):
        return False
    scheme, mark, rest = op.target.partition("://")
    _bucket, slash, name = rest.partition("/")
    is_named = bool(mark and slash and name) and not name.endswith("/")
    is_one = GLOB_CHARS.isdisjoint(name) and not DEEP.search(op.source)
    return is_named and is_one and scheme in OBJECT_STORES and not is_production(op.source)


def _one_file(op: Operation) -> bool:
    is_file = op.verb is Verb.DELETE and op.thing is ResourceType.FILE
    is_named = Trait.NAMED in op.traits and Trait.RECURSIVE not in op.traits
    is_own = op.reach in {Reach.HOME, Reach.ELSEWHERE} and Trait.AS_ROOT not in op.traits
    is_plain = op.file_kind not in UNIQUE_KINDS | PLANTED_KINDS and Trait.BROAD not in op.traits
    return is_file and is_named and is_own and is_plain and GLOB_CHARS.isdisjoint(op.target)


TABLE = (
    BoundedHarm(
        "changes of the project that can be undone",
        undone="version control, or the opposite command",
        reaches="the project, temporary folders, loopback",
        loses="nothing",
        holds=_undone_in_project,
        bounded=("sudo chown ann notes.txt", "sudo mkdir build"),
        spared=("sudo chown -R ann /srv", "sudo sh run.sh"),
    ),
    BoundedHarm(
        "switches and installs on this machine that can be undone",
        undone="the opposite command",
        reaches="this machine",
        loses="nothing",
        holds=_undone_on_machine,
        bounded=("sudo systemctl restart nginx", "sudo apt-get install -y jq", "npm logout"),
        spared=("sudo mount /dev/sdb1 /mnt", "pip install git+https://code.example/a.git"),
    ),
    BoundedHarm(
        "removing what can be installed again",
        undone="installing it again",
        reaches="this machine",
        loses="nothing unique",
        holds=_installed_again,
        bounded=("sudo apt-get remove -y jq",),
        spared=("sudo userdel ann",),
    ),
    BoundedHarm(
        "unsaved work of the project",
        undone="commits stay in the reflog; edits that nobody committed do not",
        reaches="the project",
        loses="edits since the last commit",
        holds=_unsaved_work,
        bounded=("git reset --hard", "git branch -D feature/login", "git stash drop"),
        spared=("git update-ref -d HEAD", "git reflog expire --expire=now --all"),
    ),
    BoundedHarm(
        "a named part of the project",
        undone="version control",
        reaches="the project",
        loses="what was never committed in it",
        holds=_part_of_project,
        bounded=("rm -rf src/old",),
        spared=("rm -rf .", "rm -rf ../other", 'rm -rf "$OLD"', "find . -delete"),
    ),
    BoundedHarm(
        "files of the project by a part of their name",
        undone="version control",
        reaches="files of the project, not whole folders",
        loses="what was never committed of them",
        holds=_files_by_name,
        bounded=("find . -name '*.txt' -delete", "rm src/*.c"),
        spared=("rm *", "rm -rf *", "find . -mtime +10 -delete"),
    ),
    BoundedHarm(
        "modes and owners inside the project",
        undone="the opposite command",
        reaches="the project, temporary folders",
        loses="modes and owners",
        holds=_modes_in_project,
        bounded=("chmod -R 700 scripts",),
        spared=("chmod -R 777 scripts", "chmod -R 700 /opt/app"),
    ),
    BoundedHarm(
        "a branch of one's own",
        undone="the reflog",
        reaches="one named branch that is not protected",
        loses="nothing of others: the lease refuses if they pushed",
        holds=_own_branch,
        bounded=("git push --force-with-lease origin feature/login",),
        spared=(
            "git push --force-with-lease",
            "git push --force-with-lease origin main",
            "git push --force-with-lease --all origin",
            "git push --force origin feature/login",
        ),
    ),
    BoundedHarm(
        "one thing of a service on this machine",
        undone="creating it again",
        reaches="loopback",
        loses="one entry of development data",
        holds=_local_service,
        bounded=("curl -X DELETE http://localhost:7700/items/blue",),
        spared=("curl -X DELETE https://api.example/items/7",),
    ),
    BoundedHarm(
        "one thing that a service makes again",
        undone="applying it again, or the next run",
        reaches="one named job, run, cache, label, pod, deployment ... that is not production",
        loses="its state since it was started",
        holds=_part_of_service,
        bounded=("kubectl delete pod web-1", "gh run delete 123", "gh label delete stale"),
        spared=(
            "kubectl delete pvc data",
            "kubectl delete pods --all",
            "kubectl delete deployment web-prod",
            "aws sqs delete-queue --queue-url https://sqs.example/1/jobs",
        ),
    ),
    BoundedHarm(
        "one branch or tag on the remote",
        undone="pushing it again: its commits stay in clones",
        reaches="one named branch or tag that is not protected",
        loses="nothing that a clone has",
        holds=_branch_of_remote,
        bounded=("git push origin --delete feature/login",),
        spared=("git push origin --delete main", "git push --mirror origin"),
    ),
    BoundedHarm(
        "rights of one account in a service, taken away",
        undone="giving them again",
        reaches="one member of one team, package or queue",
        loses="nothing",
        holds=_access_taken,
        bounded=("npm team rm acme:dev ann", "npm owner rm ann left-pad"),
        spared=("npm access grant read-write acme:dev left-pad", "gh api -X DELETE orgs/acme"),
    ),
    BoundedHarm(
        "one object of a store",
        undone="only by a copy or a version",
        reaches="one object by its whole name, not of production",
        loses="that object",
        holds=_one_object,
        bounded=("aws s3 rm s3://reports/2025/a.csv", "gsutil rm gs://reports/a.csv"),
        spared=("aws s3 rm s3://reports/2025 --recursive", "gsutil rm gs://reports/2025/*.csv"),
    ),
    BoundedHarm(
        "one file outside the project",
        undone="only by a copy",
        reaches="one file by its name, of no kind that others rest on",
        loses="that file",
        holds=_one_file,
        bounded=("rm ~/notes/old.txt", "rm -f /data/run/a.lock"),
        spared=("rm ~/notes/*.txt", "rm -r ~/notes/old", "rm ~/data/app.sqlite", "rm ~/.bashrc"),
    ),
)
