"""Harm on the project and on this machine that has a bound."""

from __future__ import annotations

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import lazy_re
from signoff.assess.harm.row import (
    CHANGES,
    GLOB_CHARS,
    MACHINE,
    PLANTED_KINDS,
    PROJECT,
    SERVED,
    UNIQUE_KINDS,
    BoundedHarm,
)

INSTALLED = frozenset({ResourceType.PACKAGE, ResourceType.IMAGE, ResourceType.CONTAINER})
SWITCHED = INSTALLED | {
    *(ResourceType.SERVICE, ResourceType.PROCESS, ResourceType.SETTING, ResourceType.NETWORK),
    *(ResourceType.REPOSITORY, ResourceType.NOTHING),
}
# Kinds that no folder has the name of: a wildcard of them takes files alone.
SINGLE_KINDS = frozenset({FileKind.SOURCE, FileKind.TEST, FileKind.DOC})
# These keep what was before in `refs/original` and in the reflog; `git filter-repo` does not.
KEEPS_OLD = frozenset({"git filter-branch", "git reauthor", "git obliterate"})
RESTARTS = lazy_re(r"(?:\S*/)?(?:reboot|shutdown\s+-r|systemctl\s+reboot)\b")
UNCLEAN = lazy_re(r"\s(?:-\w*[fpn]\b|--force|--halt|--poweroff|--no-)")
ONE_STEP = lazy_re(
    r"\b(?:db:rollback|ecto\.rollback|db:migrate:undo(?!:)|migration:revert|migrate:down"
    r"|alembic\s+downgrade\s+-1)(?!\S)"
)
STEPS = lazy_re(
    r"\b(?:STEP=(?!1\b)|VERSION=)|\s(?:-n|--step|-s)[ =](?!1\b)|--(?:all|to|to-exclusive|name)\b"
)
CONTEXT = lazy_re(r"\bkubectx\s+-d\s+\w|\bkubectl\s+config\s+delete-context\s+\w")
ALL = lazy_re(r"\s--?(?:all|all-topics)\b|[*?]")


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
    is_flat = is_flat or op.file_kind in SINGLE_KINDS
    is_pattern = any(map(str.isalpha, op.target.rpartition("/")[2]))
    return is_file and is_flat and is_pattern and op.reach is Reach.PROJECT


def _modes_in_project(op: Operation) -> bool:
    is_mode = op.verb is Verb.CONFIGURE and op.thing is ResourceType.ACCOUNT
    return is_mode and op.reach in {Reach.PROJECT, Reach.TEMP} and bool(op.path)


def _local_service(op: Operation) -> bool:
    is_one = op.verb is Verb.DELETE and op.thing in SERVED and not ALL.search(op.source)
    return is_one and op.reach is Reach.LOOPBACK


def _rewritten_with_a_copy(op: Operation) -> bool:
    """The old commits stay in `refs/original`, unless the line removes them too."""
    is_rewrite = op.verb is Verb.DELETE and op.thing is ResourceType.REPOSITORY
    return is_rewrite and op.reach is Reach.PROJECT and op.program in KEEPS_OLD


def _migration_back(op: Operation) -> bool:
    is_schema = op.verb is Verb.DELETE and op.thing is ResourceType.DATABASE
    is_one = ONE_STEP.search(op.source) is not None and not STEPS.search(op.source)
    is_near = op.reach in {Reach.PROJECT, Reach.LOOPBACK}
    return is_schema and is_near and is_one and not is_production(op.source)


def _restart(op: Operation) -> bool:
    is_power = op.verb is Verb.CONTROL and op.thing is ResourceType.SERVICE
    is_again = RESTARTS.search(op.source) is not None and not UNCLEAN.search(op.source)
    return is_power and is_again and op.reach is Reach.SYSTEM


def _context(op: Operation) -> bool:
    is_setting = op.verb is Verb.DELETE and op.thing is ResourceType.SETTING
    return is_setting and op.reach is Reach.HOME and CONTEXT.search(op.source) is not None


def _rebuilt(op: Operation) -> bool:
    is_file = op.verb is Verb.DELETE and op.thing is ResourceType.FILE and op.reversible
    is_built = Trait.REBUILDABLE in op.traits and op.file_kind is FileKind.GENERATED
    return is_file and is_built and op.reach in MACHINE and Trait.BROAD not in op.traits


def _one_file(op: Operation) -> bool:
    is_file = op.verb is Verb.DELETE and op.thing is ResourceType.FILE
    is_named = Trait.NAMED in op.traits and Trait.RECURSIVE not in op.traits
    is_own = op.reach in {Reach.HOME, Reach.ELSEWHERE} and Trait.AS_ROOT not in op.traits
    is_plain = op.file_kind not in UNIQUE_KINDS | PLANTED_KINDS and Trait.BROAD not in op.traits
    return is_file and is_named and is_own and is_plain and GLOB_CHARS.isdisjoint(op.target)


NEAR = (
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
        bounded=("find . -name '*.txt' -delete", "rm src/*.c", "rm -rf src/*.c"),
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
        "one thing of a service on this machine",
        undone="creating it again",
        reaches="loopback",
        loses="one entry of development data",
        holds=_local_service,
        bounded=(
            "curl -X DELETE http://localhost:7700/items/blue",
            "kafka-topics --bootstrap-server localhost:9092 --delete --topic orders",
        ),
        spared=("curl -X DELETE https://api.example/items/7",),
    ),
    BoundedHarm(
        "history rewritten with a copy kept",
        undone="`refs/original` and the reflog hold the old commits",
        reaches="the project; nothing is pushed",
        loses="nothing",
        holds=_rewritten_with_a_copy,
        bounded=("git filter-branch --index-filter 'git rm --cached big.bin' HEAD",),
        spared=("git filter-repo --path src --invert-paths", "git push --force"),
    ),
    BoundedHarm(
        "one migration taken back",
        undone="migrating again",
        reaches="the development database of the project",
        loses="what was in the columns and tables of the newest migration",
        holds=_migration_back,
        bounded=("bin/rails db:rollback STEP=1", "mix ecto.rollback", "alembic downgrade -1"),
        spared=("bin/rails db:rollback STEP=9", "alembic downgrade base"),
        despite=frozenset({Trait.SCHEMA_LOSS}),
    ),
    BoundedHarm(
        "a restart of this machine",
        undone="it starts by itself",
        reaches="programs that run on this machine",
        loses="what they have not saved",
        holds=_restart,
        bounded=("sudo reboot", "shutdown -r now"),
        spared=("reboot -f", "ssh web-1 sudo reboot"),
    ),
    BoundedHarm(
        "the name of a cluster in one's own settings",
        undone="signing in again",
        reaches="the user's settings",
        loses="nothing: cluster and access stay",
        holds=_context,
        bounded=("kubectl config delete-context dev", "kubectx -d dev"),
        spared=("kubectl config delete-user admin", "defaults delete com.example.editor"),
    ),
    BoundedHarm(
        "caches and build output outside the project",
        undone="building or downloading again",
        reaches="one folder of this machine that holds nothing else",
        loses="nothing unique",
        holds=_rebuilt,
        bounded=("sudo rm -rf /var/cache/apt/archives",),
        spared=("sudo rm -rf /var/lib/apt", "sudo rm -rf /var/log"),
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
