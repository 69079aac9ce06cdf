"""Harm on services of others that has a bound: one thing, and a way back."""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.vcs.git_remote import PROTECTED
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.harm.row import GLOB_CHARS, SERVED, BoundedHarm

# What a service makes again, and what it keeps: words for the kind of a thing.
MADE_AGAIN = words(
    "pod pods po deployment deployments deploy service services svc ingress ingresses replicaset "
    "replicasets rs job jobs cronjob cronjobs daemonset hpa configmap endpoint label labels cache "
    "caches context pipeline pipelines run runs environment environments consumer agent worker "
    "alarm alarms milestone reaction workflow node runner runners task check subscription "
    "restore restores"
)
KEEPS_DATA = words(
    "pvc pv volume volumes namespace namespaces database databases db table tables stream streams "
    "queue queues topic topics index indexes indices bucket buckets stack stacks zone zones secret "
    "secrets key keys cluster clusters instance instances disk disks snapshot snapshots backup "
    "backups user users account accounts org organization project projects repo repository app "
    "site domain record certificate orb image statefulset statefulsets sts crd membership"
)
WORD = lazy_re(r"[a-z]+")
WHOLE = lazy_re(r"\s(?:--all\b|-A\b|--recursive\b|-l\b|--selector\b|-f\b|--filename\b)")
TAKEN_AWAY = lazy_re(r"\s(?:rm|remove|revoke|unassign|clear_permissions)\b")
DEEP = lazy_re(r"\s(?:--recursive\b|-\w*[rR]\b|--all-versions\b|-m\b|--version-id\b)")
OBJECT_STORES = words("s3 gs gcs az abfs oss cos b2")
TAKES = frozenset({Verb.DELETE, Verb.CONFIGURE, Verb.WRITE})
MEMBERSHIP = lazy_re(
    r"\b(?:team\s+remove\s+\S+\s+\w+|remove-user-from-group|remove-member|delete-\w+-membership"
    r"|detach-(?:user|group|role)-policy|clear_permissions)\b"
)
CACHE = lazy_re(r"\bcache\s+delete\b|/actions/caches\b")
EMPTY_ACCOUNT = lazy_re(
    r"\baws iam create-(?:user|group)\b|\bgcloud iam (?:roles|service-accounts) create\b"
)
ENTRY = lazy_re(
    r"\baws dynamodb delete-item\b|\baws sqs delete-message\b|\baws s3api delete-object\b"
    r"|\betcdctl del [A-Za-z][^\s*]*$|\bconsul kv delete [A-Za-z][^\s*]*$"
)


# What the service undoes by a command of its own: `cargo yank --undo`, an empty message.
WITHDRAWN = lazy_re(r"\b(?:cargo yank|npm deprecate)\b")


def _own_branch(op: Operation) -> bool:
    if op.verb is not Verb.PUBLISH or op.thing is not ResourceType.REPOSITORY:
        return False
    if Trait.LOSES_HISTORY in op.traits:  # without a lease: also what others pushed
        return False
    remote, _, branches = op.target.partition(" ")
    names = [name.rpartition(":")[2].removeprefix("refs/heads/") for name in branches.split()]
    is_named = bool(remote) and bool(names) and PROTECTED.isdisjoint(names)
    return is_named and not {"HEAD", "@"} & {*names} and Trait.BROAD not in op.traits


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


def _branch_of_remote(op: Operation) -> bool:
    is_ref = op.verb is Verb.DELETE and op.thing is ResourceType.REPOSITORY
    name = op.target.lstrip(":").removeprefix("refs/heads/").removeprefix("refs/tags/")
    return is_ref and op.reach is Reach.REMOTE and bool(name) and GLOB_CHARS.isdisjoint(name)


def _access_taken(op: Operation) -> bool:
    """The rights of somebody else in a service end, and can be given again."""
    is_right = op.verb is Verb.CONFIGURE and op.thing is ResourceType.ACCOUNT
    is_taken = TAKEN_AWAY.search(op.source) is not None and not WHOLE.search(op.source)
    return is_right and is_taken and op.reach is Reach.REMOTE and op.reversible


def _membership_taken(op: Operation) -> bool:
    """One account leaves a team or a group, or loses one set of rights."""
    is_one = MEMBERSHIP.search(op.source) is not None and not WHOLE.search(op.source)
    is_right = op.thing in {ResourceType.ACCOUNT, *SERVED} and op.verb in TAKES
    return is_right and is_one and op.reach is Reach.REMOTE and not is_production(op.source)


def _withdrawn(op: Operation) -> bool:
    is_back = WITHDRAWN.match(op.program) is not None and op.verb is Verb.DELETE
    return is_back and op.reach is Reach.REMOTE


def _cache(op: Operation) -> bool:
    is_cache = op.verb is Verb.DELETE and CACHE.search(f"{op.program} {op.target}") is not None
    return is_cache and op.thing in SERVED and not is_production(op.source)


def _empty_account(op: Operation) -> bool:
    is_new = EMPTY_ACCOUNT.search(op.source) is not None and op.reach is Reach.REMOTE
    return is_new and op.thing is ResourceType.ACCOUNT and op.verb is not Verb.DELETE


def _one_entry(op: Operation) -> bool:
    is_one = ENTRY.search(op.source) is not None and not DEEP.search(op.source)
    is_kept = op.thing in SERVED and not is_production(op.source)
    return op.verb is Verb.DELETE and op.reach is Reach.REMOTE and is_one and is_kept


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


FAR = (
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
        "one account that leaves a team or a group",
        undone="adding it again",
        reaches="one account and one team, group or set of rights that is not production",
        loses="nothing",
        holds=_membership_taken,
        bounded=(
            "pio team remove acme:dev ann",
            "aws iam remove-user-from-group --user-name ann --group-name dev",
        ),
        spared=("aws iam delete-user --user-name ann", "pio team destroy acme:dev"),
    ),
    BoundedHarm(
        "a published version that is withdrawn",
        undone="`cargo yank --undo`, or the opposite message",
        reaches="new installs of one version; it stays to be fetched",
        loses="nothing",
        holds=_withdrawn,
        bounded=("cargo yank acme@1.2.3", 'npm deprecate acme@1.2.3 "use 2.0"'),
        spared=("npm unpublish acme@1.2.3", "gem yank acme -v 1.2.3"),
    ),
    BoundedHarm(
        "caches of a service",
        undone="the next run fills them",
        reaches="caches of one repository",
        loses="time",
        holds=_cache,
        bounded=("gh cache delete --all",),
        spared=("gh run delete --all", "aws elasticache delete-cache-cluster --id web"),
    ),
    BoundedHarm(
        "an account or role without any rights",
        undone="deleting it",
        reaches="one name; rights and keys are another call",
        loses="nothing",
        holds=_empty_account,
        bounded=("aws iam create-user --user-name ci",),
        spared=("aws iam create-access-key --user-name ci", "aws iam create-login-profile"),
    ),
    BoundedHarm(
        "one entry of a store",
        undone="only by a copy",
        reaches="one item, message or key by its whole name, not of production",
        loses="that entry",
        holds=_one_entry,
        bounded=(
            "etcdctl del app/color",
            "aws sqs delete-message --queue-url https://sqs.example/1/jobs --receipt-handle r1",
        ),
        spared=(
            "etcdctl del --prefix app/",
            "etcdctl del /registry/secrets/default/token",
            "aws sqs purge-queue --queue-url https://sqs.example/1/jobs",
        ),
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
)
