"""One known call with its arguments -> what is written down, and what the call gives back.

`ACTS` is the visible table: one small function for each sink, the same for all languages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from signoff.actions.code.recorder import SECRET_KINDS, Recorder
from signoff.actions.code.services.aws import record_call
from signoff.actions.code.sinks import FILE_EFFECTS, CallRule, Sink
from signoff.actions.code.stand_ins.doubles import is_double, mark_of
from signoff.actions.code.value import (
    NO_TAINTS,
    UNKNOWN,
    UNKNOWN_PART,
    Taint,
    Value,
    is_address,
    taints_of,
)
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

_POISON = frozenset({
    "PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONSTARTUP", "NODE_OPTIONS",
    "PERL5OPT", "RUBYOPT", "BASH_ENV", "ENV", "GIT_SSH_COMMAND", "DYLD_INSERT_LIBRARIES",
})  # fmt: skip


class CodeCall(Struct, frozen=True, kw_only=True):
    """One library call in a snippet: its name, its rule and its arguments."""

    name: str
    rule: CallRule
    arguments: Sequence[Value]
    named: Mapping[str, Value] = field(default_factory=dict)
    receiver: Value | None = None

    def argument(self, offset: int = 0, *names: str) -> Value:
        """Return the argument `offset` places after the rule's, or the first of these keywords."""
        for name in names:
            if name in self.named:
                return self.named[name]
        index = self.rule.at + offset
        if index < 0:
            return self.receiver or UNKNOWN
        return self.arguments[index] if index < len(self.arguments) else UNKNOWN

    @property
    def rest(self) -> tuple[Value, ...]:
        """All arguments after the rule's own, including named ones."""
        return (*self.arguments[max(self.rule.at, -1) + 1 :], *self.named.values())


def perform(call: CodeCall, recorder: Recorder) -> Value:
    """Record what a known library call does; return its result as far as known."""
    result = ACTS[call.rule.sink](call, recorder)
    if call.rule.gives:
        text = call.argument().constant if call.rule.gives in _CARRY_TEXT else None
        is_cloud = call.rule.gives in _CLOUDS
        taints = result.taints | ({Taint.SERVICE} if is_cloud else NO_TAINTS)
        taints |= mark_of(call.name, call.arguments, call.named, recorder.doubles)
        return Value(kind=call.rule.gives, constant=text, taints=taints)
    return result


_CLOUDS = frozenset({"cloud", "cloud-resource"})
_CARRY_TEXT = frozenset({"file", "archive", "connection", "cloud"})


def _inert(call: CodeCall, recorder: Recorder) -> Value:
    return Value(taints=taints_of(call.receiver, *call.arguments))


def _shell(call: CodeCall, recorder: Recorder) -> Value:
    line = call.argument(0, "args", "cmd", "command")
    if any(Taint.NETWORK in taints_of(value) for value in call.named.values()):
        recorder.remote_code(call.name)
    # `Popen(["sh"], stdin=s, stdout=s)`: the socket stands in the place of the terminal.
    if {"stdin", "stdout"} & call.named.keys() and recorder.has_connection:
        recorder.has_duplicate = True
    return recorder.run(call.name, line)


def _program(call: CodeCall, recorder: Recorder) -> Value:
    words: list[Value] = []
    # `Deno.Command("rm", {args: [...]})`, `Bun.spawn({cmd: [...]})`
    named = [call.named[name] for name in ("cmd", "args") if name in call.named]
    for value in (*call.arguments[call.rule.at :], *named):
        words.extend(value.items if value.items is not None else [value])
    if not words:
        words = [UNKNOWN]
    return recorder.run(call.name, Value(items=tuple(words)))


def _system(call: CodeCall, recorder: Recorder) -> Value:
    """One text is a line for a shell, several are a program and its arguments."""
    if len(call.arguments) - call.rule.at == 1:
        return _shell(call, recorder)
    return _program(call, recorder)


def _evaluate(call: CodeCall, recorder: Recorder) -> Value:
    """Evaluate a text: what it says is read by the language's own reader beforehand."""
    code = call.argument()
    if Taint.NETWORK in taints_of(code) or recorder.has_fetched:
        recorder.remote_code(call.name)
    else:
        recorder.opaque("the code is known only when it runs", call.name)
        recorder.runs_unknown = True  # a callback may stand before the fetch that calls it
    return UNKNOWN


def _unpickle(call: CodeCall, recorder: Recorder) -> Value:
    """What is loaded may bring code along; whether it was fetched is told where files are known."""
    data = call.argument(0, "f", "file", "filename", "filepath_or_buffer", "path")
    if call.named.get("weights_only", UNKNOWN).constant == 1:
        return recorder.read(f"{call.name} weights_only", data)
    if Taint.NETWORK in taints_of(data):
        recorder.remote_code(call.name)
    elif data.name.startswith("sys.stdin"):
        recorder.operate(
            Verb.EXECUTE, call.name, thing=ResourceType.CODE, target="/dev/stdin",
            reach=Reach.PROJECT, traits=frozenset({Trait.INLINE}),
        )  # fmt: skip
    elif isinstance(data.constant, str):
        return recorder.read(call.name, data)
    elif Taint.FILES in data.taints:
        for path in [op.path for op in recorder.operations if op.verb is Verb.READ and op.path]:
            recorder.read(call.name, Value(constant=path))
    return UNKNOWN


def _load_code(call: CodeCall, recorder: Recorder) -> Value:
    path = call.argument()
    if is_address(path):
        path = recorder.fetch(call.name, path)
    if Taint.NETWORK in path.taints:
        recorder.remote_code(call.name)
    elif path.text is None:
        recorder.opaque("loads code that is unknown", call.name)
    else:
        recorder.on_file(Verb.EXECUTE, call.name, path)
    return UNKNOWN


def _read(call: CodeCall, recorder: Recorder) -> Value:
    return recorder.read(call.name, call.argument(0, "path", "file"))


def _open(call: CodeCall, recorder: Recorder) -> Value:
    path, mode = call.argument(0, "file", "path"), call.argument(1, "mode")
    is_given = "mode" in call.named or len(call.arguments) > call.rule.at + 1
    # A mode that is given but is unknown may be one that writes.
    shown = mode.shown if mode.constant is not None else "w" if is_given else "r"
    if any(sign in shown for sign in "wax+") or shown.startswith(">"):
        recorder.write(call.name, path)
        return Value(constant=path.constant, kind="file")
    return recorder.read(call.name, path)


def _file(call: CodeCall, recorder: Recorder) -> Value:
    verb, traits = FILE_EFFECTS[call.rule.sink]
    path = call.argument(0, "path", "name", "dst")
    if call.rule.sink in {Sink.WRITE, Sink.APPEND}:
        recorder.write(call.name, path, Value(taints=taints_of(*call.rest)))
        if call.rest:
            recorder.put(path, call.rest[0], is_whole=call.rule.sink is Sink.WRITE)
    elif call.rule.sink is Sink.LINK:
        recorder.on_file(verb, call.name, call.argument(1, "dst"))
    elif call.rule.sink is Sink.CHANGE_MODE:
        mode = call.argument(1, "mode")
        if mode.constant is None and call.rule.at == 1 and call.arguments:
            mode = call.arguments[0]  # Perl and Ruby name the mode first
        recorder.on_file(verb, call.name, path, traits=traits | _mode_traits(call.name, mode))
    else:
        more = {Trait.RECURSIVE} if "recursive" in call.named else set()
        for one in _paths(call) or [path]:
            recorder.on_file(verb, call.name, one, traits=traits | more)
    return UNKNOWN


def _mode_traits(name: str, value: Value) -> frozenset[Trait]:
    """What a file mode does: a program with its owner's rights, a file for everybody to write."""
    mode = value.constant
    if isinstance(mode, str) and mode.isdigit() and len(mode) <= 5:
        mode = int(mode, 8) if set(mode) <= set("01234567") else None
    if not isinstance(mode, int) or "chmod" not in name.lower():
        return frozenset()
    # CWE-250: the set-user-ID bit runs it with its owner's rights, whoever starts it.
    if mode & 0o4000:
        return frozenset({Trait.BACKDOOR})
    return frozenset({Trait.OPENS_ACCESS}) if mode & 0o002 else frozenset()


def _paths(call: CodeCall) -> list[Value]:
    """Return every path a call names: `unlink 'a', 'b'` names two."""
    if call.rule.at < 0:
        return []
    found = [item for one in call.arguments[call.rule.at :] for item in one.items or (one,)]
    return [one for one in found if (one.text or "").strip(UNKNOWN_PART)]


def _move(call: CodeCall, recorder: Recorder) -> Value:
    source = call.argument(0, "src")
    recorder.on_file(Verb.WRITE, call.name, source)
    recorder.write(call.name, call.argument(1, "dst"), recorder.content_of(source))
    return UNKNOWN


def _copy(call: CodeCall, recorder: Recorder) -> Value:
    source = call.argument(0, "src")
    recorder.write(call.name, call.argument(1, "dst"), recorder.read(call.name, source))
    return UNKNOWN


def _walk(call: CodeCall, recorder: Recorder) -> Value:
    """Return one unknown value that stands for all names found in a folder."""
    folder = call.argument(0, "path", "top")
    if call.rule.at < 0 and call.arguments:
        pattern = call.arguments[0].shown
        shown = f"{folder.shown}/{'*' if pattern in {'*', '**', '**/*'} else pattern}"
    else:
        shown = folder.shown if folder.constant is not None else "."
        shown = shown if "*" in shown else f"{shown.rstrip('/')}/*"
    at = recorder.on_file(Verb.READ, call.name, Value(constant=shown))
    recorder.walks_secrets |= at is not None and at.read_kind in SECRET_KINDS
    found = Value(constant=shown, taints=frozenset({Taint.MANY}), kind="pathlib.Path")
    return Value(items=(found,), taints=frozenset({Taint.MANY}))


def _change_folder(call: CodeCall, recorder: Recorder) -> Value:
    recorder.change_folder(call.argument())
    return UNKNOWN


def _fetch(call: CodeCall, recorder: Recorder) -> Value:
    url = call.argument(0, "url")
    data = [call.named[name] for name in ("data", "json", "files", "body") if name in call.named]
    method = call.named.get("method", UNKNOWN).shown.upper()
    # `urlopen(url, data)` and `fetch(url, {method})` send, although they are called fetching.
    if data or method in {"POST", "PUT", "PATCH", "DELETE"}:
        return recorder.send(call.name, url, url, *data)
    return recorder.fetch(call.name, url, *_carried(call))


def _send(call: CodeCall, recorder: Recorder) -> Value:
    return recorder.send(call.name, call.argument(0, "url"), call.argument(), *_carried(call))


def _carried(call: CodeCall) -> list[Value]:
    """Return the arguments that leave: a key of the environment in a header is its use."""
    carried = list(call.arguments[call.rule.at + 1 :])
    for name, value in call.named.items():
        if name in {"headers", "auth"}:
            carried.append(Value(taints=taints_of(value) - {Taint.ENVIRONMENT_SECRET}))
        elif name not in {"url", "timeout", "verify"}:
            carried.append(value)
    return carried


def _download(call: CodeCall, recorder: Recorder) -> Value:
    fetched = recorder.fetch(call.name, call.argument(0, "url"))
    path = call.argument(1, "filename")
    if path.constant is not None:
        recorder.write(call.name, path, fetched)
    return fetched


def _request(call: CodeCall, recorder: Recorder) -> Value:
    method, url = call.argument().shown.upper(), call.argument(1, "url")
    if method in {"GET", "HEAD", "OPTIONS"}:
        return recorder.fetch(call.name, url, *_carried(call)[1:])
    return recorder.send(call.name, url, url, *_carried(call))


def _connect(call: CodeCall, recorder: Recorder) -> Value:
    host = call.argument()
    recorder.connect(call.name, host.items[0] if host.items else host)
    return UNKNOWN


def _listen(call: CodeCall, recorder: Recorder) -> Value:
    host = call.argument()
    shown = (host.items[0] if host.items else host).shown
    is_near = shown in {"127.0.0.1", "localhost", "::1"}
    recorder.operate(
        Verb.CONTROL, call.name, thing=ResourceType.PROCESS, target=shown,
        reach=Reach.LOOPBACK if is_near else Reach.PROJECT,
        traits=frozenset() if is_near else frozenset({Trait.LISTENS}),
    )  # fmt: skip
    return UNKNOWN


def _mail(call: CodeCall, recorder: Recorder) -> Value:
    traits = set()
    taints = taints_of(*call.arguments, *call.named.values())
    if {Taint.SECRET, Taint.ENVIRONMENT_SECRET} & taints:
        traits.add(Trait.SENDS_SECRET)
    if Taint.FILES in taints:
        traits.add(Trait.SENDS_FILES)
    recorder.operate(
        Verb.NETWORK_OUT, call.name, thing=ResourceType.MESSAGE, target=call.argument().shown,
        reach=Reach.LOOPBACK if is_double(call.receiver) else Reach.REMOTE,
        traits=frozenset(traits), reversible=False,
    )  # fmt: skip
    return UNKNOWN


def _sql(call: CodeCall, recorder: Recorder) -> Value:
    statement = call.argument(0, "sql", "statement", "query")
    if statement.text is None:
        return Value(taints=frozenset({Taint.FILES}))
    # An unknown part stands where a value is bound, so that the rest can be parsed.
    recorder.sql.append(text := statement.text.replace("\ufffd", "?"))
    recorder.doubles.note_statement(text, is_double=is_double(call.receiver))
    return Value(taints=frozenset({Taint.FILES}))


def _read_variable(call: CodeCall, recorder: Recorder) -> Value:
    return recorder.variable(call.name, call.argument().shown)


def _stored_secret(call: CodeCall, recorder: Recorder) -> Value:
    """Read a password out of the key ring of the user."""
    recorder.operate(
        Verb.READ, call.name, thing=ResourceType.CREDENTIAL, target=call.argument().shown,
        traits=frozenset({Trait.READS_SECRET}),
    )  # fmt: skip
    return Value(taints=frozenset({Taint.SECRET}))


def _set_variable(call: CodeCall, recorder: Recorder) -> Value:
    name = call.argument().shown
    if name in _POISON:
        recorder.operate(
            Verb.CONFIGURE, call.name, thing=ResourceType.SETTING, target=name, reach=Reach.PROJECT,
            traits=frozenset({Trait.ENVIRONMENT}),
        )  # fmt: skip
    return UNKNOWN


def _kill(call: CodeCall, recorder: Recorder) -> Value:
    target = call.argument()
    # kill(2): -1 means every process that the user may signal.
    is_all = target.constant in {-1, "-1"}
    recorder.operate(
        Verb.CONTROL, call.name, thing=ResourceType.PROCESS, target=target.shown,
        reach=Reach.SYSTEM if is_all else Reach.PROJECT,
        traits=frozenset({Trait.BROAD, Trait.BY_PATTERN}) if is_all else frozenset({Trait.NAMED}),
    )  # fmt: skip
    return UNKNOWN


def _fork(call: CodeCall, recorder: Recorder) -> Value:
    recorder.fork(call.name)
    return UNKNOWN


def _duplicate(call: CodeCall, recorder: Recorder) -> Value:
    recorder.has_duplicate = True
    return UNKNOWN


def _privilege(call: CodeCall, recorder: Recorder) -> Value:
    recorder.operate(
        Verb.PRIVILEGE, call.name, thing=ResourceType.ACCOUNT, target=call.argument().shown,
        reach=Reach.SYSTEM, traits=frozenset({Trait.AS_ROOT}),
    )  # fmt: skip
    return UNKNOWN


def _cloud(call: CodeCall, recorder: Recorder) -> Value:
    service = call.receiver.text if call.receiver is not None else None
    owner = call.receiver or UNKNOWN
    return record_call(call.name, service or "", call.arguments, call.named, recorder, owner)


def _opaque(call: CodeCall, recorder: Recorder) -> Value:
    recorder.opaque(f"cannot determine what `{call.name}` loads", call.name)
    return UNKNOWN


ACTS: Mapping[Sink, Callable[[CodeCall, Recorder], Value]] = {
    Sink.INERT: _inert, Sink.SHELL: _shell, Sink.SYSTEM: _system, Sink.PROGRAM: _program,
    Sink.EVALUATE: _evaluate,
    Sink.UNPICKLE: _unpickle, Sink.LOAD_CODE: _load_code, Sink.READ: _read, Sink.OPEN: _open,
    **dict.fromkeys(FILE_EFFECTS, _file),
    Sink.MOVE: _move, Sink.COPY: _copy, Sink.WALK: _walk, Sink.CHANGE_FOLDER: _change_folder,
    Sink.FETCH: _fetch, Sink.DOWNLOAD: _download, Sink.SEND: _send, Sink.REQUEST: _request,
    Sink.CONNECT: _connect, Sink.LISTEN: _listen, Sink.MAIL: _mail, Sink.SQL: _sql,
    Sink.READ_VARIABLE: _read_variable, Sink.STORED_SECRET: _stored_secret,
    Sink.SET_VARIABLE: _set_variable, Sink.KILL: _kill,
    Sink.FORK: _fork, Sink.DUPLICATE: _duplicate, Sink.PRIVILEGE: _privilege,
    Sink.CLOUD: _cloud, Sink.OPAQUE: _opaque,
}  # fmt: skip
