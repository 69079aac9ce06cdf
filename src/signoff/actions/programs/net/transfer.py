"""Copying between machines: scp, rsync, sftp, rclone, ftp, and raw connections.

A word with a host in it is the other machine. What goes there was read here first; what a mirror
deletes on its target is a deletion.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.programs.net.arrivals import HERE, arriving, asked_for, file_name
from signoff.actions.programs.option_values import SSH_LOADS, ssh_line, ssh_option
from signoff.actions.programs.plain_names import is_plain_value
from signoff.actions.shell.command import Word
from signoff.actions.urls import is_every_interface, is_near_url, look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace

SENDING_ORDERS = frozenset({"put", "mput", "reput", "send", "append"})
MAX_ORDERS = 50
NEAR = frozenset({Reach.PROJECT, Reach.TEMP})
CARRIERS = frozenset({"ssh", "rsh", "rsync"})
SHELLS = words("sh bash zsh dash ksh fish csh tcsh python python3 perl ruby node psql mysql")


def is_remote(text: str) -> bool:
    """Return whether a word names another machine: `user@host:path`, `host:path`, `rsync://`."""
    if "://" in text:
        return True
    head, colon, _ = text.partition(":")
    # scp(1): a slash before the colon makes it a local file; one letter is a Windows drive,
    # an unknown part (`$HOST:/tmp`) is none.
    return bool(colon) and "/" not in head and (len(head) > 1 or head == "\ufffd")


def sent(call: ProgramCall, target: str, *traits: Trait) -> Operation:
    """Build the Operation of sending something to another machine."""
    reach = Reach.PRODUCTION if is_production(target) else Reach.REMOTE
    return call.operation(
        Verb.NETWORK_OUT, ResourceType.URL, target, traits=traits, reach=reach, reversible=False
    )


def copy_between(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `scp`, `rsync`: the last word is where it goes."""
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    target, sources = call.operands[-1], call.operands[:-1]
    goes_out = is_remote(target.text)
    for word in sources:
        if is_remote(word.text):
            yield call.operation(Verb.NETWORK_IN, ResourceType.URL, word.text, reach=Reach.REMOTE)
        else:
            yield call.on_file(Verb.READ, word)
    if goes_out:
        yield sent(call, target.text, Trait.SENDS_FILES)
    elif any([is_remote(word.text) for word in sources]):
        yield from arriving(call, sources, target)
    elif sources:
        yield call.on_file(Verb.WRITE, target)


def rsync(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `rsync`: `--delete` empties what the source does not have."""
    if call.is_dry("-n", "--dry-run", "--list-only"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING, traits=(Trait.DRY_RUN,))
        return
    for word in call.values("-e", "--rsh", "--rsync-path"):
        if not is_plain_value(word.text, CARRIERS):
            yield Nested(
                text=word.text, language="shell", carrier="rsync -e", is_known=word.is_known
            )
    yield from copy_between(call)
    # `--delete-after`, `--delete-excluded`, `--del`: all delete on the target.
    deletes = any(o.name.startswith(("--delete", "--del")) for o in call.options)
    if deletes and call.operands:
        yield mirrored(call, call.operands[-1], call.operands[:-1])
    elif call.has("--remove-source-files"):
        for word in call.operands[:-1]:
            yield call.on_file(Verb.DELETE, word, Trait.RECURSIVE)


def mirrored(call: ProgramCall, target: Word, sources: tuple[Word, ...]) -> Operation:
    """Build the Operation of a mirror that deletes: an empty source would delete everything."""
    # Mirroring an empty folder is a known way to delete without `rm`.
    empties = any("empty" in w.text or w.text == "/dev/null" for w in sources)
    if not is_remote(target.text):
        # As where `rm -r` deletes it: build output is made again, a named temporary folder passes.
        at = locate(target.text, call.place)
        is_own = at.reach is Reach.TEMP and target.is_known and not target.has_glob
        more = () if at.is_rebuildable or is_own else (Trait.BROAD,)
        return call.on_file(Verb.DELETE, target, Trait.RECURSIVE, *more)
    reach = Reach.PRODUCTION if is_production(target.text) else Reach.REMOTE
    return call.operation(
        Verb.DELETE,
        ResourceType.CLOUD,
        target.text,
        traits=(Trait.WHOLE_STORE,) if empties else (),
        reach=reach,
        reversible=False,
    )


def connect(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `nc`, `socat`, `telnet`: raw connections, listening, programs behind them."""
    for word in call.values("-e", "-c", "--exec", "--sh-exec", "--lua-exec"):
        yield call.operation(
            Verb.EXECUTE,
            ResourceType.CODE,
            word.text,
            traits=(Trait.REVERSE_SHELL,),
            reach=Reach.REMOTE,
        )
    # nc(1): `-z` only asks whether a port is open and sends nothing.
    if call.has("-z", "--zero"):
        yield call.operation(Verb.NETWORK_IN, ResourceType.NETWORK, " ".join(call.texts))
        return
    if call.has("-l", "--listen", "-lp", "-lvp", "-lvnp", "-nlvp", "-lk"):
        # Two operands: the address to listen at, and the port; `-s` names the address as well.
        given = call.value("-s", "--source")
        at = given.text if given is not None else call.texts[0] if len(call.operands) > 1 else ""
        yield _served(call, " ".join(call.texts), at)
        return
    yield _raw(call, " ".join(call.texts))


def _raw(call: ProgramCall, target: str) -> Operation:
    host = target.split(" ", 1)[0].lower()
    near = host in {"localhost", "127.0.0.1", "::1", "[::1]", ""}
    stdin = call.command.stdin
    fed = stdin is not None and bool(
        (stdin.sources and stdin.text is None)
        or (stdin.text or "").strip()
        or stdin.path not in {"", "/dev/null"}
    )
    verb = Verb.NETWORK_IN if near or not fed else Verb.NETWORK_OUT
    reach = Reach.LOOPBACK if near else Reach.REMOTE
    return call.operation(verb, ResourceType.URL, target, reach=reach, reversible=not fed)


def socat(call: ProgramCall) -> Iterator[Effect]:
    """`socat A B`: an address that runs a program joined to the network is a remote shell."""
    text = " ".join(call.texts)
    upper = text.upper()
    runs = any(part in upper for part in ("EXEC:", "SYSTEM:", "SHELL:"))
    network = any(part in upper for part in ("TCP", "UDP", "OPENSSL", "SSL", "SOCKS", "SCTP"))
    # `EXEC:sh TCP:host:port` joins a shell to the network (MITRE ATT&CK T1059).
    if runs and network:
        yield call.operation(
            Verb.EXECUTE, ResourceType.CODE, text, traits=(Trait.REVERSE_SHELL,), reach=Reach.REMOTE
        )
    elif runs:
        for word in call.operands:
            kind, _, line = word.text.partition(":")
            if kind.upper() in {"EXEC", "SYSTEM", "SHELL"}:
                yield Nested(text=line, language="shell", carrier="socat", is_known=word.is_known)
    elif "LISTEN" in upper:
        for word in call.operands[:2]:
            kind, _, path = word.text.partition(":")
            # A relay that listens serves the file to whoever connects.
            if kind.upper() in FILE_ENDS:
                yield call.on_file(Verb.READ, Word(text=path.split(",", 1)[0]))
        yield _listening(call, text)
    else:
        yield from _relayed(call, text, network=network)


def _served(call: ProgramCall, text: str, address: str) -> Operation:
    """A server at an address: that of this machine is reached by nobody else."""
    # A client that is given 0.0.0.0 reaches this machine; a server there is open to all.
    if address and is_near_url(f"tcp://{address}") and not is_every_interface(address):
        return call.operation(
            Verb.CONTROL, ResourceType.PROCESS, text, traits=(Trait.NAMED,), reach=Reach.LOOPBACK
        )
    return call.operation(Verb.CONTROL, ResourceType.NETWORK, text, traits=(Trait.LISTENS,))


def _listening(call: ProgramCall, text: str) -> Operation:
    """A relay that waits for connections: of this machine alone where it is bound so."""
    if "bind=127." in text or "bind=localhost" in text or "UNIX-LISTEN" in text.upper():
        return call.operation(
            Verb.CONTROL, ResourceType.PROCESS, text, traits=(Trait.NAMED,), reach=Reach.LOOPBACK
        )
    return call.operation(Verb.CONTROL, ResourceType.NETWORK, text, traits=(Trait.LISTENS,))


FILE_ENDS = frozenset({"FILE", "OPEN", "GOPEN", "CREATE", "CREAT"})


def _relayed(call: ProgramCall, text: str, *, network: bool) -> Iterator[Operation]:
    """Files that stand at one end: `-u` goes from the first to the second, else both ways."""
    one_way = call.has("-u")
    out = False
    for at, word in enumerate(call.operands[:2]):
        kind, colon, rest = word.text.partition(":")
        if colon and kind.upper() in FILE_ENDS:
            # socat writes options of an address behind a comma: `FILE:a,creat`.
            path = Word(text=rest.split(",", 1)[0], is_known=word.is_known)
            if at == 0 or not one_way:
                out = True
                yield call.on_file(Verb.READ, path)
            if at == 1 or not one_way:
                yield call.on_file(Verb.WRITE, path)
    if out and network:
        yield sent(call, text)
    else:
        yield _raw(call, text)


PUBLIC = words("x509 crl verify req")
NOTHING: frozenset[Trait] = frozenset()


def openssl(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `openssl s_client` is a connection; the rest works on files."""
    what = call.texts[0] if call.operands else ""
    if what == "s_client":
        yield _raw(call, (call.value("-connect") or Word(text="")).text)
    elif what == "s_server":
        accepted = call.value("-accept")
        yield _served(call, "", accepted.text.rpartition(":")[0] if accepted is not None else "")
    else:
        for option in call.options:
            if option.name in {"-in", "-inkey", "-key"} and option.value is not None:
                read = call.on_file(Verb.READ, option.value)
                # Of a file that holds a key as well, these only take the certificate.
                is_public = option.name == "-in" and what in PUBLIC and _is_pem(read)
                yield replace(read, file_kind=FileKind.DATA, traits=NOTHING) if is_public else read
            elif option.name in {"-out", "-keyout"} and option.value is not None:
                yield made_here(call.on_file(Verb.WRITE, option.value), call)
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _is_pem(op: Operation) -> bool:
    return op.target.endswith((".pem", ".crt", ".cer")) and op.reach in NEAR


def made_here(operation: Operation, call: ProgramCall) -> Operation:
    """Return the operation without secrecy if the key is a new one for test data.

    That is one made in the project or a temporary folder.
    """
    fact = call.place.files.get(operation.path)
    # Overwriting a key that is there would lose it.
    is_new = fact is None or not fact.exists
    if operation.file_kind is FileKind.CREDENTIALS and operation.reach in NEAR and is_new:
        return replace(operation, file_kind=FileKind.DATA)
    return operation


def secure_shell(call: ProgramCall) -> Iterator[Effect]:
    """`ssh`: the remote command is unfolded by the reader; here the connection and its options."""
    for word in call.values("-o"):
        name, value = ssh_option(word.text)
        line = ssh_line(word)
        if line is not None:
            yield Nested(
                text=line.text, language="shell", carrier=f"ssh {name}", is_known=line.is_known
            )
        elif name in SSH_LOADS:
            yield call.opaque(f"ssh loads or runs `{value[:80]}`")
        elif name == "stricthostkeychecking" and value.lower() in {"no", "off"}:
            # Any machine in the middle may answer then (CWE-322).
            yield call.operation(
                Verb.CONFIGURE,
                ResourceType.SETTING,
                word.text,
                reach=Reach.PROJECT,
            )
    for word in call.values("-F"):
        yield call.on_file(Verb.READ, word)
    # A tunnel stays open and carries what no line of this call shows.
    if call.has("-R", "-L", "-D", "-w", "-W"):
        yield call.operation(
            Verb.CONTROL,
            ResourceType.NETWORK,
            "a tunnel",
            traits=(Trait.LISTENS,),
            reach=Reach.REMOTE,
        )
    if call.operands:
        yield call.operation(
            Verb.NETWORK_IN if _only_asks(call) else Verb.NETWORK_OUT,
            ResourceType.MACHINE,
            call.texts[0],
            reach=Reach.REMOTE,
            reversible=False,
        )
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _only_asks(call: ProgramCall) -> bool:
    """Whether the line for the other machine is known and nothing else is sent.

    The line is judged by itself, so the connection sends no more than a request for a page.
    """
    line = _behind_settings(call.operands[1:])
    # An interactive shell, or input that goes to the other machine.
    if not line or line[0].text[:1] == "-" or call.command.stdin is not None:
        return False
    if call.has("-A", "-X", "-Y", "-L", "-R", "-D", "-w", "-W", "-M", "-f", "-N"):
        return False  # what is opened here serves others beyond the line
    is_told = all([word.is_known for word in call.operands])
    parts = [part for word in line for part in word.text.split() if part[:1] != "-"]
    # `ssh host bash` reads what to do from somewhere else than the line.
    return is_told and not (len(parts) == 1 and parts[0].rpartition("/")[2] in SHELLS)


def _behind_settings(given: tuple[Word, ...]) -> tuple[Word, ...]:
    """The line behind the host and behind settings there: `host -o X=1 uptime`."""
    while given and given[0].text[:2] in {"-o", "-p", "-i"}:
        given = given[1:] if len(given[0].text) > 2 else given[2:]
    return given


def batch_transfer(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `sftp`, `ftp`, `lftp`: what is done is in a script or is typed."""
    stdin = call.command.stdin
    typed = [Word(text=stdin.text.replace("\n", ";"))] if stdin and stdin.text is not None else []
    for word in call.values("-b", "-f"):
        if not (typed and word.text == "-"):
            yield call.opaque(f"the transfers stand in `{word.text}`")
    fetched: list[Word] = []
    for word in (*call.values("-e", "-c"), *typed):
        text = word.text.lower().replace(";", " ; ")
        # `mirror -R` of lftp sends a whole tree; without it the worse direction is assumed.
        if any(name in text.split() for name in ("put", "mput", "mirror", "-r", "rm", "mrm")):
            yield from _put(call, word.text)
            yield sent(call, text, Trait.SENDS_FILES)
        fetched += asked_for(word.text)
    fetched += asked_for(";".join([*call.texts[:1], " ".join(call.texts[1:])]))
    into = call.value("-o") or HERE
    if call.operands and file_name(call.operands[0].text) and _names_file(call.operands[0]):
        # `sftp host:file .`, `ftp https://host/file`: the address itself names what is fetched.
        fetched.append(call.operands[0])
        into = call.operands[1] if call.operands[1:] else into
    if fetched:
        target = " ".join(call.texts[:1]) or fetched[0].text
        yield call.operation(Verb.NETWORK_IN, ResourceType.URL, target, reach=Reach.REMOTE)
        yield from arriving(call, fetched, into)
    else:
        yield sent(call, " ".join(call.texts[:1]))


def _put(call: ProgramCall, orders: str) -> Iterator[Operation]:
    """Yield the reading of each file that one of the orders sends: `put a b; mput c d`."""
    if orders.count(";") >= MAX_ORDERS:
        yield call.opaque("more orders than are read")
    for order in orders.split(";")[:MAX_ORDERS]:
        name, *files = [part for part in order.split() if part[:1] != "-"] or [""]
        if name in SENDING_ORDERS:
            for file in files if name == "mput" else files[:1]:
                yield call.on_file(Verb.READ, Word(text=file, has_glob="*" in file))


def _names_file(word: Word) -> bool:
    """Tell whether an operand names a file of another machine: `host:file`, `https://host/file`."""
    address = word.text.partition("://")[2]
    return "/" in address if address else ":" in word.text


def pictures(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `storescu HOST PORT FILE...`: pictures of patients go to a server for them."""
    for word in call.operands[2:]:
        yield call.on_file(Verb.READ, word)
    host = call.operands[0].text if call.operands else ""
    reach = look_at_url(f"tcp://{host}").reach
    yield call.operation(
        Verb.NETWORK_OUT,
        ResourceType.URL,
        host,
        traits=() if reach is Reach.LOOPBACK else (Trait.SENDS_FILES,),
        reach=reach,
        reversible=False,
    )
