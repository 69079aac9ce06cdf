"""What is known before judging, as values: the judgement itself looks at nothing.

Time, folders, file contents, what the session did before: all of it is gathered at the edge
(the store, the file system) and handed in. Without anything known, `Facts()` gives the
assumptions of `check --batch`: home is `/home/<user>` or `/root`, the project is the cwd, files
are what their paths say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from msgspec import Struct, field

GUARD_PORT = 4440  # where the daemon listens unless told otherwise


class ProgramDescriptions:
    """Program descriptions of user and project, made and read by `programs/own.py`.

    Compared by identity: other descriptions are another object, and a kept answer is not theirs.

    Attributes:
        digest: names the state of all descriptions, for approvals bound to what was judged.
        without_additions: the same without what may only make a judgement stricter; None = that is
            signoff's own descriptions alone. The object itself where there are no additions.
    """

    __slots__ = ("digest", "without_additions")

    digest: str
    without_additions: ProgramDescriptions | None


class FileFact(Struct, frozen=True, kw_only=True, gc=False):
    """What is known about one file. `text` is None if it was not read (missing, big, binary)."""

    real_path: str
    exists: bool = True
    is_directory: bool = False
    link_count: int = 1
    text: str | None = None


class Denial(Struct, frozen=True, kw_only=True):
    """An earlier denial in the same session: the tool, its target and the policy line."""

    tool: str
    target: str
    category: str


# Acts are counted beside functions: no function's name begins with it.
ACT_MARK = "\x1f"
DENIED_ACT = f"{ACT_MARK}denied "
LINK = "link:"  # a symbolic link that the session made, and where it leads


def act_of(program: str, verb: str) -> str:
    """Return the name by which calls of one program that do the same are counted."""
    return f"{ACT_MARK}did {verb} {program}"


def denied_act(said: str) -> str:
    """Return the name by which denials of one act are counted."""
    return f"{DENIED_ACT}{said}"


class Facts(Struct, frozen=True, kw_only=True, gc=False):
    """What was known about machine and session before the call was judged.

    Args:
        home: the agent user's home folder, absolute; "" = derived from the cwd.
        project: root of the project the agent works on, absolute; "" = the action's cwd.
        under_version_control: changes inside the project can be undone from its repository.
        prior_calls: how often this function was called before in this session (spec 1, novelty).
        acts: how often this session did an act, as `act_of` names it, and how often one was denied,
            as `denied_act` names it; for cards only.
        files: looks at files named by the action, by the path as written and as absolute path.
        written: absolute paths this session wrote before (write-then-run is one act).
        downloaded: absolute paths this session fetched from the network, copies of them too; a
            folder whose whole content came so ends in `/`.
        built: absolute paths of programs this session compiled.
        created: absolute paths of folders this session made where nothing was before; the
            terminals it started, as `tmux:<name>`; keys it made, as `key:<path>`; what it
            decoded, as `decoded:<path>`; what settings start, as `loads:<tool>:<path>`;
            scripts that start by themselves, as `starts:<path>`; what holds private data, as
            `private:<path or table>`; ways out, as `way-out:<name>`; a search for
            login codes, as `codes:mailbox`; unread files put elsewhere, as `placed:<path>`; texts
            it kept in a store, as `kept:<number>:<order>:<names>:<text>`; what it chose for later
            calls, as `chose:<number>:<what>:<value>`; what holds a secret, as
            `secret:<number>:<in or out>:<name>`; files with the number of signoff's process, as
            `number:<path>`; where it put folders of the project and the repository's history, as
            `work:<path>` and `history:<path>`; git remotes it gave an address, as `remote:<name>`;
            what it mounted, as `mount:<number>:<what>:<path>`; links it made, as
            `link:<path>=<target>`; what it switched off of backups and locks on deletion,
            as `net:<number>:<off or on>:<name>`; files into which it wrote what a search found,
            as `listed:<number>:<path>:<what is known>`.
        moved: absolute paths that this session moved somewhere and had not made itself.
        secrets_read: absolute paths of secrets this session read before.
        denials: earlier refusals in this session (deny-then-workaround).
        guard_paths: signoff's own files, folders and sockets, absolute.
        guard_ports: ports of this machine the daemon listens on.
        guard_install: the virtual environment signoff runs in, absolute; "" = it runs in none.
        guard_tree: the working tree signoff is imported from, absolute; "" = it is installed.
        guard_processes: numbers of the processes that judge.
        programs: descriptions of programs beside signoff's own; None = there are none.
        trust: trust in the agent by domain, 0..1; None = trust is not used.
        now: the time of the judgement, aware; None = unknown.
    """

    home: str = ""
    project: str = ""
    under_version_control: bool = True
    prior_calls: int = 0
    acts: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, FileFact] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    downloaded: frozenset[str] = frozenset()
    built: frozenset[str] = frozenset()
    created: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    secrets_read: frozenset[str] = frozenset()
    denials: tuple[Denial, ...] = ()
    guard_paths: tuple[str, ...] = ()
    guard_ports: frozenset[int] = frozenset({GUARD_PORT})
    guard_install: str = ""
    guard_tree: str = ""
    guard_processes: frozenset[int] = frozenset()
    programs: ProgramDescriptions | None = None
    trust: Mapping[str, float] | None = None
    now: datetime | None = None


def numbered_marks(created: Collection[str], prefix: str) -> list[tuple[str, str]]:
    """Return the two parts of each mark `<prefix><number>:<part>:<part>`, in order of numbers."""
    found = [one.removeprefix(prefix).split(":", 2) for one in created if one.startswith(prefix)]
    return [(first, rest) for _, first, rest in sorted(found, key=_number_first)]


def next_number(created: Collection[str], prefix: str) -> int:
    """Return the number of the next mark; a session forgets old marks, so they are not counted."""
    given = [one.removeprefix(prefix) for one in created if one.startswith(prefix)]
    return 1 + max([int(one.partition(":")[0]) for one in given], default=0)


def is_made_link(path: str, fact: FileFact | None, facts: Facts) -> bool:
    """Tell whether a path is a link of the session that leads where the session made it lead."""
    return fact is not None and f"{LINK}{path}={fact.real_path}" in facts.created


def _number_first(parts: list[str]) -> tuple[int, list[str]]:
    return int(parts[0]), parts[1:]
