"""What a call does: the one vocabulary of rules, detectors, risk, cards and questions.

A call of any kind (shell line, SQL, file tool, HTTP, Python code, MCP tool) is taken apart into
`Operation`s: verb class, what it acts on, how far it reaches, whether it can be undone, whether
it was understood. Two calls that do the same mean the same Operations, however they
were written:

    rm -rf ~        find ~ -delete        python -c "shutil.rmtree(Path.home())"
        -> Operation(verb=DELETE, object=FILE, reach=HOME, target="~", traits={BROAD, RECURSIVE})
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.vocabulary import Vocabulary


class Verb(Vocabulary):
    """What an Operation does: read, write, delete, execute, send ..."""

    INERT = "inert"  # prints, computes, waits: no effect outside itself
    READ = "read"
    WRITE = "write"  # creates or changes
    DELETE = "delete"  # deletes, empties or overwrites so that the old content is gone
    EXECUTE = "execute"  # runs code or a program; its own effects are not known further
    NETWORK_IN = "network-in"  # fetches: GET, download, clone
    NETWORK_OUT = "network-out"  # sends data or a change: upload, POST, message, mail
    INSTALL = "install"  # packages, plugins, extensions
    PUBLISH = "publish"  # makes work visible to others: push, release, package upload
    CONTROL = "control"  # starts, stops, kills processes, services, containers, machines
    CONFIGURE = "configure"  # changes how tools, the system or access behave
    PRIVILEGE = "privilege"  # acts as somebody else or widens what may be done
    PERSIST = "persist"  # plants something that will run later by itself
    SPEND = "spend"  # moves money or buys


class ResourceType(Vocabulary):
    """The kind of resource an Operation acts on: file, process, database, repository ..."""

    NOTHING = "nothing"
    FILE = "file"
    DEVICE = "device"  # disks, partitions, volumes of the machine
    REPOSITORY = "repository"  # work tree, index, refs, objects, stashes of version control
    DATABASE = "database"  # schema, tables, rows, keys of a data store
    PROCESS = "process"
    SERVICE = "service"  # system services, scheduled jobs
    MACHINE = "machine"  # power, kernel, boot, clock
    NETWORK = "network"  # interfaces, routes, firewall, DNS
    ACCOUNT = "account"  # users, groups, permissions, roles, grants
    PACKAGE = "package"
    CONTAINER = "container"
    IMAGE = "image"
    VOLUME = "volume"  # container volumes with data
    CLUSTER = "cluster"  # Kubernetes and its like
    CLOUD = "cloud"  # cloud resources of any provider
    BACKUP = "backup"  # backups, snapshots, archives kept for recovery
    CREDENTIAL = "credential"
    URL = "url"
    MESSAGE = "message"  # chat, mail, issues, comments, invitations
    CODE = "code"  # inline code, a script, a program
    MONEY = "money"
    SETTING = "setting"  # tool, editor, agent or system configuration
    PROTECTION = "protection"  # firewall, antivirus, audit, logs, history, SELinux
    GUARD = "guard"  # signoff itself


class Reach(Vocabulary):
    """How far an effect goes, ordered from the nearest (nowhere) to the farthest."""

    NONE = "none"
    TEMP = "temp"  # temporary folders
    PROJECT = "project"
    LOOPBACK = "loopback"
    ELSEWHERE = "elsewhere"  # a local path outside project, home and system, e.g. /data/x
    HOME = "home"
    REMOTE = "remote"
    SYSTEM = "system"
    PRODUCTION = "production"
    GUARD = "guard"
    UNKNOWN = "unknown"  # was unknown: variables, globs in program position, input


class FileKind(Vocabulary):
    """What a file is for, as its path tells; OTHER where nothing special is known."""

    OTHER = "other"
    SOURCE = "source"
    TEST = "test"
    DOC = "doc"
    DATA = "data"
    GENERATED = "generated"  # build output, caches, dependencies: rebuilt by a command
    LOG = "log"
    LOCK = "lock"  # lock files of package managers
    MANIFEST = "manifest"  # package.json, pyproject.toml, Cargo.toml ...
    BUILD = "build"  # Makefile, CMakeLists.txt, build.rs, setup.py, conftest.py ...
    CI = "ci"  # workflows and pipelines
    CONTAINER = "container"  # Dockerfile, compose files, entry points
    INFRA = "infra"  # Terraform, Kubernetes manifests, Helm charts
    GIT_HOOK = "git-hook"  # hooks, .husky, pre-commit configuration
    GIT_INTERNAL = "git-internal"  # .git and what is in it (but hooks)
    TOOL_CONFIG = "tool-config"  # .gitconfig, .npmrc, pip.conf, .gitattributes ...
    EDITOR_CONFIG = "editor-config"  # .vscode, .idea ...
    AGENT_CONFIG = "agent-config"  # settings, hooks, permissions of coding agents; MCP servers
    AGENT_NOTES = "agent-notes"  # CLAUDE.md, AGENTS.md, memory files, skills
    SHELL_STARTUP = "shell-startup"
    SCHEDULE = "schedule"  # cron, systemd units, launchd, at
    AUTHORIZED_KEYS = "authorized-keys"
    CREDENTIALS = "credentials"  # private keys, tokens, cloud credentials, password stores
    ENV = "env"  # .env of a project
    SHELL_HISTORY = "shell-history"
    SYSTEM_CONFIG = "system-config"  # /etc and its like
    SYSTEM_BINARY = "system-binary"
    ACCOUNTS = "accounts"  # passwd, shadow, sudoers, group
    BOOT = "boot"
    AUDIT_LOG = "audit-log"  # system logs
    BACKUP = "backup"
    DEVICE = "device"  # raw disks; harmless devices (/dev/null, /dev/tty) are OTHER
    KERNEL = "kernel"  # /proc, /sys switches
    GUARD = "guard"  # signoff's own files


class Trait(Vocabulary):
    """An extra fact about an Operation that detectors and rules read, as `recursive`."""

    BROAD = "broad"  # whole tree, everything, no name given
    RECURSIVE = "recursive"
    FORCED = "forced"  # -f, --yes: no question would be asked
    PARTIAL = "partial"  # a part is added or changed, the rest of the file stays
    NAMED = "named"  # single things called by their names
    REBUILDABLE = "rebuildable"  # build output, caches, dependencies
    DRY_RUN = "dry-run"
    LOSES_WORK = "loses-work"  # uncommitted or unpublished work is gone
    LOSES_HISTORY = "loses-history"  # published history, refs or the repository itself is gone
    UNBOUNDED = "unbounded"  # DELETE or UPDATE without a bound
    SCHEMA_LOSS = "schema-loss"  # DROP, TRUNCATE, ALTER that loses data
    WHOLE_STORE = "whole-store"  # a whole database, bucket, cluster, repository, account
    BULK = "bulk"  # many people or resources at once
    AS_ROOT = "as-root"  # under sudo, doas, su or as another user
    IN_CONTAINER = "in-container"
    ON_REMOTE_HOST = "on-remote-host"  # by ssh and its like
    REMOTE_CODE = "remote-code"  # runs what came from the network, unread
    UNTRUSTED_SOURCE = "untrusted-source"  # installs from a URL, a git repository, an archive
    DECODED = "decoded"  # runs what was decoded or decompressed
    WRITTEN_NOW = "written-now"  # runs what was written in this line or session
    FETCHED = "fetched"  # what is written came from the network, by whatever way
    BUILT = "built"  # what is written is compiled from sources at hand
    INLINE = "inline"  # code given on the command line
    REVERSE_SHELL = "reverse-shell"
    LISTENS = "listens"  # opens a port to others than loopback
    READS_SECRET = "reads-secret"  # noqa: S105 - a name, no password
    HOLDS_SECRET = "holds-secret"  # noqa: S105 - a file that a secret was copied into
    SENDS_SECRET = "sends-secret"  # noqa: S105 - a name, no password
    SENDS_FILES = "sends-files"  # project files or local data leave
    COVERT = "covert"  # DNS, paste sites, request bins, tunnels
    METADATA_HOST = "metadata-host"  # cloud metadata service
    PRIVATE_HOST = "private-host"
    BACKDOOR = "backdoor"  # authorized_keys, setuid shells, new privileged users, hidden units
    BLINDS = "blinds"  # logs, history, audit gone or off
    WEAKENS = "weakens"  # switches a protection or a check off
    OPENS_ACCESS = "opens-access"  # 777, public buckets, grants, public data
    FORK_BOMB = "fork-bomb"
    EXHAUSTS = "exhausts"  # fills disks or memory
    RUNS_LATER = "runs-later"  # what is written will run without review
    ENVIRONMENT = "environment"  # poisons PATH, LD_PRELOAD, GIT_*, PYTHONPATH ...
    GLOBAL = "global"  # beyond the project: user-wide or system-wide configuration
    BY_PATTERN = "by-pattern"  # kills by name or pattern
    COSTS = "costs"  # costs money
    HIDDEN = "hidden"  # invisible or look-alike characters, encodings
    PROTECTED_BRANCH = "protected-branch"
    BY_NAME = "by-name"  # told from the name of a plain function only, not from what it does
    GUARD_TREE = "guard-tree"  # changes the checkout or environment signoff runs from
    SELF_APPROVAL = "self-approval"  # the agent answering signoff's own questions


class CallWords(Struct, frozen=True, kw_only=True, gc=False):
    """What the call of a tool or function says of itself; for titles and reasons only.

    Args:
        does: the verb, as the first words of a sentence; "" if nothing is known to say it.
        noun: what is acted on, "" if neither the name nor the kind of server says it.
        is_own_noun: whether the noun is a word of ours; else it is quoted.
        by: the tool's own name, where `does` is not what it says or is empty.
        is_sent: whether the verb says already what is sent.
        objects: the first names of what is acted on; `count` says how many there are.
        chosen: what selects the objects, as words and value: ("with status", "open").
        receivers: the first who get it; `receiver_count` says how many there are.
        link: what stands before the receivers: "to", "with".
        role: the right that somebody gets; value: what something is set to.
        amount: of money, with its currency.
        beside: kind and name of what no word of the tool's name speaks of.
        place: link, kind and name of where it happens, the nearest first.
        text: subject or first line of what is sent.
        scope: of what all is meant, in words: "for all years".
        flags: what is switched on and makes it graver, in words.
        is_public: whether everybody gets access.
    """

    does: str
    noun: str = ""
    is_own_noun: bool = True
    by: str = ""
    is_plural: bool = False
    is_all: bool = False
    is_sent: bool = False
    objects: tuple[str, ...] = ()
    count: int = 0
    chosen: tuple[tuple[str, str], ...] = ()
    receivers: tuple[str, ...] = ()
    receiver_count: int = 0
    link: str = "to"
    role: str = ""
    value: str = ""
    amount: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    place: tuple[tuple[str, str, str], ...] = ()
    text: str = ""
    scope: str = ""
    flags: tuple[str, ...] = ()
    is_public: bool = False


class Operation(Struct, frozen=True, kw_only=True, gc=False):
    """One effect of a call: a verb, the resource it acts on, and what else is known of it.

    Args:
        target: the resource, as the call names it, resolved as far as known.
        path: absolute normal path, where the target is a local file; else "".
        reversible: True if it can be undone cheaply (version control, rebuildable, a copy
            exists).
        understood: False if its real effect is unknown; such an Operation is always asked
            about.
        program: the program, statement or function that does it: `rm`, `git push`, `shutil.rmtree`.
        source: the part of the call it was read from, for evidence; at most 200 characters.
        carriers: the wrapper commands around it, outermost first: ("sudo", "bash -c").
        why: if not understood: what was unknown, in a few words; else "".
        group: index of the command or statement it belongs to; one command may have several.
        thing: kind of the resource acted on.
        place: where it is, as the call names it: (("namespace", "prod"),); for titles only.
        call: what the call of a tool or function says of itself; None for everything else.
    """

    verb: Verb
    thing: ResourceType = ResourceType.NOTHING
    target: str = ""
    path: str = ""
    reach: Reach = Reach.NONE
    file_kind: FileKind = FileKind.OTHER
    traits: frozenset[Trait] = frozenset()
    reversible: bool = True
    understood: bool = True
    program: str = ""
    source: str = ""
    carriers: tuple[str, ...] = ()
    why: str = ""
    group: int = 0
    place: tuple[tuple[str, str], ...] = ()
    call: CallWords | None = None


Operations = tuple[Operation, ...]
