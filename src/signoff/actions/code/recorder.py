"""Deeds -> Operations: what is collected while one snippet is read, in any language.

A recorder lives for one call of `understand_code`. It writes Operations, keeps the shell lines
and SQL texts the code would run, and remembers what data flow needs: secrets read, things
fetched, connections made. What is unknown is written as not understood.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from signoff.actions.code.file_taints import START_UP, FileTaints
from signoff.actions.code.settings.loaded import READ_FILE
from signoff.actions.code.settings.session_files import session_text
from signoff.actions.code.spelling import quoted, url_traits
from signoff.actions.code.stand_ins.doubles import Doubles
from signoff.actions.code.value import (
    NO_TAINTS,
    UNKNOWN,
    UNKNOWN_PART,
    Taint,
    Value,
    is_address,
    taints_of,
)
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.urls import look_at_url, looks_secret
from signoff.values import replace

MAX_OPERATIONS = 200  # the last one then says that more is done than can be told
Item = TypeVar("Item")
MAX_TEXT = 50_000
MAX_TEXTS = 10

SECRET_KINDS = frozenset({FileKind.CREDENTIALS, FileKind.ENV, FileKind.SHELL_HISTORY})
_NEAR = frozenset({Reach.TEMP, Reach.PROJECT, Reach.NONE})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "cmd", "cmd.exe",
                     "powershell", "powershell.exe", "pwsh", "csh", "tcsh", "busybox"})  # fmt: skip
_NO_TRAITS: frozenset[Trait] = frozenset()
_FETCHED = frozenset({Trait.FETCHED})
_PLANTED = frozenset({Trait.FETCHED, Trait.UNTRUSTED_SOURCE})
_VARIABLES = {
    "HOME": "~",
    "USERPROFILE": "~",
    "PWD": ".",
    "TMPDIR": "/tmp",  # noqa: S108 - a name
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_STATE_HOME": "~/.local/state",
    "SIGNOFF_CONFIG_DIR": "~/.config/signoff",
    "SIGNOFF_STATE_DIR": "~/.local/state/signoff",
}
_SECRET_NAMES = (
    "token", "secret", "passw", "api_key", "apikey", "private_key", "credential", "access_key",
)  # fmt: skip


class WrittenText(NamedTuple):
    """A text that code writes to a file: the whole content or a part of it."""

    path: str
    text: str
    is_whole: bool


class Recorder:
    """Collects the Operations of one snippet of inline code; library models call its methods."""

    def __init__(self, place: Place, *, source: str) -> None:
        self.place = place
        self.source = source
        self._operations: dict[Operation, None] = {}
        self.shell: list[str] = []
        self.sql: list[str] = []
        self.texts: list[WrittenText] = []
        self.held = FileTaints()
        self.written: set[str] = set()
        self.service_hosts: list[str] = []
        self.doubles = Doubles(place)
        self.has_connection = self.has_fetched = False
        self.awaits_code = False
        self.runs_unknown = self.walks_secrets = False
        self.has_shell = self.has_duplicate = False
        self.fork_count = 0
        self.is_ordinary = False

    @property
    def operations(self) -> Operations:
        """The Operations recorded so far."""
        return tuple(self._operations)

    @property
    def is_full(self) -> bool:
        """True once the limit on Operations is reached; later ones are not kept."""
        return len(self._operations) + len(self.shell) >= MAX_OPERATIONS

    def operate(  # noqa: PLR0913 - an Operation has that many sides, and this is where they meet
        self,
        verb: Verb,
        program: str,
        *,
        thing: ResourceType = ResourceType.NOTHING,
        target: str = "",
        reach: Reach = Reach.NONE,
        traits: frozenset[Trait] = _NO_TRAITS,
        reversible: bool = True,
    ) -> None:
        """Record one Operation that does not act on a file."""
        self._write(
            Operation(
                verb=verb,
                thing=thing,
                target=target[:500],
                reach=reach,
                traits=traits,
                reversible=reversible,
                program=program,
                source=self.source,
            )
        )

    def opaque(self, why: str, program: str = "", traits: frozenset[Trait] = _NO_TRAITS) -> None:
        """Record that an effect is unknown; `why` says what was unknown."""
        self._write(
            Operation(
                verb=Verb.EXECUTE,
                thing=ResourceType.CODE,
                reach=Reach.UNKNOWN,
                traits=traits | {Trait.INLINE},
                reversible=False,
                understood=False,
                program=program,
                source=self.source,
                why=why,
            )
        )

    def on_file(
        self, verb: Verb, program: str, path: Value, *, traits: frozenset[Trait] = _NO_TRAITS
    ) -> Located | None:
        """Record an Operation on a file or folder; return its location, None if unknown."""
        written = UNKNOWN_PART if path.text is None else path.text
        # `open(3)`: a number is an open descriptor, not a name.
        if isinstance(path.constant, int):
            return None
        at = locate(written or ".", self.place, has_glob=Taint.MANY in path.taints)
        if at.reach is Reach.NONE:
            return at
        self._write(self._file_operation(verb, program, path, written, at, traits))
        return at

    def _file_operation(
        self,
        verb: Verb,
        program: str,
        path: Value,
        written: str,
        at: Located,
        traits: frozenset[Trait],
    ) -> Operation:
        is_many = Taint.MANY in path.taints and not at.is_rebuildable and _names_all(written)
        is_broad = at.is_root_of_reach or is_many
        more = {Trait.BROAD} if is_broad else {Trait.NAMED} if at.is_exact else set()
        if at.is_rebuildable:
            more.add(Trait.REBUILDABLE)
        if verb is Verb.READ and at.read_kind in SECRET_KINDS:
            more.add(Trait.READS_SECRET)
        is_lost = verb is Verb.DELETE and at.reach is Reach.UNKNOWN
        near = at.reach in _NEAR and self.place.under_version_control
        return Operation(
            verb=verb,
            thing=ResourceType.DEVICE if at.kind is FileKind.DEVICE else ResourceType.FILE,
            target=written[:500],
            path=at.path,
            reach=at.reach,
            file_kind=at.read_kind if verb is Verb.READ else at.kind,
            traits=traits | more,
            reversible=near or at.is_rebuildable or verb is Verb.READ,
            understood=not is_lost,
            why="what it deletes is unknown" if is_lost else "",
            program=program,
            source=self.source,
        )

    def _write(self, operation: Operation) -> None:
        if not self.is_full:
            self._operations[operation] = None

    def at_most(self, limit: int, found: Sequence[Item], program: str) -> Sequence[Item]:
        """Return the first `limit` items; record an opaque Operation if there were more."""
        if len(found) > limit:
            self.opaque("does too many things to be told", program)
        return found[:limit]

    def read(self, program: str, path: Value) -> Value:
        """Record that a file is read, or an address in its place; return the content, tainted."""
        if is_address(path):
            return self.fetch(program, path)
        at = self.on_file(Verb.READ, program, path)
        secret = at is not None and at.kind in SECRET_KINDS | {FileKind.ACCOUNTS}
        secret |= not path.is_known and self.walks_secrets  # one of the names a walk gave
        taints = path.taints | {Taint.SECRET if secret else Taint.FILES} | self.held.of(at)
        is_old = at is not None and not secret and at.path not in self.written
        text = session_text(at.path, self.place) if at is not None and is_old else None
        return Value(constant=text, kind="" if text is None else READ_FILE, taints=taints)

    def content_of(self, path: Value) -> Value:
        """Return a file's content if known, without recording a read."""
        at = locate(path.text, self.place, has_glob=False) if path.text else None
        is_secret = at is not None and at.kind in SECRET_KINDS
        return Value(taints=self.held.of(at) | ({Taint.SECRET} if is_secret else NO_TAINTS))

    def write(self, program: str, path: Value, content: Value = UNKNOWN) -> None:
        """Record that a file is written; secrets and foreign data stay tainted in the file."""
        taints = taints_of(content)
        traits = _NO_TRAITS
        if Taint.NETWORK in taints:
            here = locate(path.text or ".", self.place, has_glob=False)
            traits = _PLANTED if here.kind in START_UP else _FETCHED
        at = self.on_file(Verb.WRITE, program, path, traits=traits)
        if at is not None and at.path:
            self.written.add(at.path)
            self.held.note(at, taints)

    def put(self, path: Value, content: Value, *, is_whole: bool) -> None:
        """Record the text written to a file, if both are known."""
        text = content.constant
        if path.is_known and path.text and isinstance(text, str) and len(self.texts) < MAX_TEXTS:
            self.texts.append(WrittenText(path.text, text[:MAX_TEXT], is_whole))

    def run(self, program: str, line: Value, *, is_line: bool = True) -> Value:
        """Record that a shell line or a list of words is run; return its output."""
        taints = taints_of(line)
        if line.items is not None:
            words = [item.shown for item in line.items]
            text = " ".join(quoted(word) for word in words)
            first = words[0] if words else ""
        else:
            text = line.text if line.text is not None else UNKNOWN_PART
            first = text.split(None, 1)[0] if text.split() else ""
            if not is_line:
                text = quoted(text)
        self._judge_program(program, text, first, taints)
        return Value(taints=taints | self._taints_of_line(text))

    def _judge_program(self, program: str, text: str, first: str, taints: frozenset[Taint]) -> None:
        name = posixpath.basename(first.strip("'\""))
        self.has_shell |= name in _SHELLS
        touched = self._paths_in(text) if self.written else frozenset()
        if Taint.NETWORK in taints or self.held.is_fetched(touched):
            self.remote_code(program, text)
        elif touched & self.written:
            self.operate(
                Verb.EXECUTE, program, thing=ResourceType.CODE, target=text, reach=Reach.PROJECT,
                traits=frozenset({Trait.WRITTEN_NOW, Trait.INLINE}), reversible=False,
            )  # fmt: skip
            self.shell.append(text.replace(UNKNOWN_PART, "${unknown}"))
        elif not text.strip(UNKNOWN_PART + " '\"") and self.has_fetched:
            self.remote_code(program)
        elif not text.strip(UNKNOWN_PART + " '\""):
            self.opaque("runs a program that is unknown", program)
            self.runs_unknown = True
        elif len(text) > MAX_TEXT:
            self.opaque("runs a line that is too long to be read", program)
        else:
            self.shell.append(text.replace(UNKNOWN_PART, "${unknown}"))

    def _taints_of_line(self, text: str) -> frozenset[Taint]:
        """Return what the output of a shell line may hold: a secret if it names one."""
        for word in text.split()[:40]:
            plain = word.strip("'\";|&<>()")
            if ("/" in plain or "." in plain) and not plain.startswith("-"):
                at = locate(plain, self.place)
                if at.kind in SECRET_KINDS:
                    return frozenset({Taint.SECRET})
        return frozenset({Taint.FILES})

    def _paths_in(self, text: str) -> frozenset[str]:
        """Return where the words of a line point, as far as they are paths."""
        words = (word.strip("'\";|&<>()") for word in text[:4000].split()[:100])
        return frozenset(locate(word, self.place).path for word in words if word)

    def remote_code(self, program: str, target: str = "") -> None:
        """Record that code this snippet downloaded is run."""
        self.operate(
            Verb.EXECUTE, program, thing=ResourceType.CODE,
            target=target.replace(UNKNOWN_PART, "?"),
            reach=Reach.REMOTE, traits=frozenset({Trait.REMOTE_CODE, Trait.INLINE}),
            reversible=False,
        )  # fmt: skip

    def fetch(self, program: str, url: Value, *others: Value) -> Value:
        """Record that a URL is fetched; data inside the URL counts as sent. Return the response."""
        if _secrets(taints_of(url, *others)):
            return self.send(program, url, url, *others)
        facts = look_at_url(url.shown)
        # What this machine's own servers answer is no foreign code.
        self.has_fetched |= facts.reach is not Reach.LOOPBACK
        if self.awaits_code:
            self.remote_code(program, url.shown)
        self.operate(
            Verb.NETWORK_IN, program, thing=ResourceType.URL, target=url.shown, reach=facts.reach,
            traits=url_traits(url.shown),
        )  # fmt: skip
        return Value(taints=frozenset({Taint.NETWORK}), kind="response")

    def send(self, program: str, url: Value, *data: Value) -> Value:
        """Record that `data` is sent to a URL; return the response."""
        taints = taints_of(*data)
        traits = set(url_traits(url.shown))
        if _secrets(taints) or any(looks_secret(value.shown) for value in data):
            traits.add(Trait.SENDS_SECRET)
        if Taint.FILES in taints:
            traits.add(Trait.SENDS_FILES)
        self.operate(
            Verb.NETWORK_OUT, program, thing=ResourceType.URL, target=url.shown,
            reach=look_at_url(url.shown).reach, traits=frozenset(traits), reversible=False,
        )  # fmt: skip
        return Value(taints=frozenset({Taint.NETWORK}), kind="response")

    def connect(self, program: str, host: Value) -> None:
        """Record that a connection to `host` is opened."""
        reach = look_at_url(f"tcp://{host.shown}").reach
        self.has_connection |= reach is not Reach.LOOPBACK
        self.operate(
            Verb.NETWORK_IN, program, thing=ResourceType.URL, target=host.shown, reach=reach
        )

    def change_folder(self, folder: Value) -> None:
        """Set the working folder for what follows; an unknown `folder` makes it unknown."""
        at = locate(folder.shown, self.place, has_glob=False) if folder.text else None
        self.place = replace(self.place, cwd=at.path if at is not None else "")

    def variable(self, program: str, name: str) -> Value:
        """Record a read of an environment variable; tainted as secret if its name says so."""
        given = self.place.variables.get(name)
        known = _VARIABLES.get(name) if given is None else given
        if name in _VARIABLES or not any(word in name.lower() for word in _SECRET_NAMES):
            return UNKNOWN if known is None else Value(constant=known)
        self.operate(
            Verb.READ, program, thing=ResourceType.CREDENTIAL, target=name, reach=Reach.PROJECT,
            traits=frozenset({Trait.READS_SECRET}),
        )  # fmt: skip
        return Value(constant=given, taints=frozenset({Taint.ENVIRONMENT_SECRET}))

    def fork(self, program: str, *, is_loop: bool = False) -> None:
        """Record a fork; forks in an endless loop, or many of them, are a fork bomb."""
        self.fork_count += 1
        # A daemon forks twice; more than four in one snippet multiply.
        is_bomb = is_loop or self.fork_count > 4
        self.operate(
            Verb.CONTROL, program, thing=ResourceType.PROCESS,
            reach=Reach.SYSTEM if is_bomb else Reach.PROJECT,
            traits=frozenset({Trait.FORK_BOMB}) if is_bomb else _NO_TRAITS,
        )  # fmt: skip

    def finish(self, *, receives: bool) -> None:
        """Record what only a whole snippet shows. `receives`: it takes data from a peer."""
        is_told = receives and self.runs_unknown
        if self.has_connection and (self.has_duplicate or self.has_shell or is_told):
            self.operate(
                Verb.EXECUTE, "socket", thing=ResourceType.CODE, reach=Reach.REMOTE,
                traits=frozenset({Trait.REVERSE_SHELL, Trait.INLINE}), reversible=False,
            )  # fmt: skip
        if self.runs_unknown and self.has_fetched:
            self.remote_code("code")
        if self.awaits_code and not any([Trait.REMOTE_CODE in o.traits for o in self._operations]):
            self.opaque("the code is known only when it runs")
        if self.is_full:
            self._operations = dict.fromkeys(self.operations[: MAX_OPERATIONS - 1])
            self.shell = self.shell[: MAX_OPERATIONS - 1 - len(self._operations)]
            self.opaque("does too many things to be told")
        if not self._operations and not self.shell and not self.sql:
            if self.is_ordinary:
                self.operate(
                    Verb.EXECUTE, "code", thing=ResourceType.CODE, reach=Reach.PROJECT,
                    traits=frozenset({Trait.INLINE}),
                )  # fmt: skip
            else:
                self.operate(Verb.INERT, "code")


def _secrets(taints: frozenset[Taint]) -> bool:
    return Taint.SECRET in taints or Taint.ENVIRONMENT_SECRET in taints


def _names_all(written: str) -> bool:
    return not any(char.isalnum() for char in written.rpartition("/")[2])
