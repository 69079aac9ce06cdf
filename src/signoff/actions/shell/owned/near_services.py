"""What a client does to a service of this machine that its line names, or started itself.

CONSUL_HTTP_ADDR=http://127.0.0.1:8500 consul kv delete test/a     one key of a server here
vault server -dev & VAULT_ADDR=http://127.0.0.1:8200 vault ...     a server that keeps nothing
kubectl port-forward svc/consul 8500 & consul -http-addr=...       a server elsewhere

The address has to be literal, and in every place that names one. What takes away all there is of a
kind counts as before, unless the line started a server that begins empty, or made it before.
"""

from __future__ import annotations

from collections.abc import Sequence

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.captured_names import of_captured_names
from signoff.actions.shell.owned.line_variables import LineVariables, has_subshell
from signoff.actions.shell.owned.made_again import is_bounded, is_made_again, names_trial
from signoff.actions.shell.owned.own_clients import (
    CLIENTS,
    CONTAINERS,
    EMULATED,
    LEADING,
    MOST_WORDS,
    TUNNEL_WORDS,
    TUNNELLING,
    TUNNELS,
    ServiceClient,
    aliases_in,
    holds_part,
    is_address,
    is_near_server,
    is_of_service,
    is_run_as,
    keeps_nothing,
    port_of,
    ports_of,
    serves,
    values_of,
    with_ports,
)
from signoff.actions.shell.owned.remade_folders import of_remade_folders
from signoff.actions.shell.owned.scratch_databases import in_scratch_databases
from signoff.actions.shell.owned.simulated_robots import in_simulation
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import words
from signoff.values import replace

_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION, Reach.SYSTEM, Reach.LOOPBACK, Reach.UNKNOWN})
_CHANGES = frozenset(
    {
        *(Verb.WRITE, Verb.CONFIGURE, Verb.CONTROL, Verb.DELETE, Verb.NETWORK_OUT, Verb.PERSIST),
        Verb.PRIVILEGE,
    }
)
_THINGS = frozenset(
    {
        *(ResourceType.CLOUD, ResourceType.CLUSTER, ResourceType.DATABASE, ResourceType.MESSAGE),
        *(ResourceType.URL, ResourceType.SERVICE, ResourceType.NOTHING),
    }
)
# What guards a service, and who may do what in it: passing only where it begins empty.
_GUARDED = frozenset(
    {
        *(ResourceType.CREDENTIAL, ResourceType.ACCOUNT, ResourceType.PROTECTION),
        ResourceType.BACKUP,
    }
)
_NEVER = frozenset(
    {Trait.SENDS_SECRET, Trait.READS_SECRET, Trait.SELF_APPROVAL, Trait.REMOTE_CODE, Trait.HIDDEN}
)
_OF_ALL = frozenset(
    {
        *(Trait.WHOLE_STORE, Trait.OPENS_ACCESS, Trait.BLINDS, Trait.WEAKENS, Trait.UNBOUNDED),
        *(Trait.BROAD, Trait.BULK),
    }
)
_BULK = words(
    "-r -R --recursive -recurse --recurse --all --all-topics --prefix --from-key --force --purge"
    " -purge --dangerous --incomplete --versions"
)
_MAKES = words("mb create make add new --create")
_TAKES = words("delete del remove rm purge destroy rb drop")
_LENIENT = words("-p --ignore-existing --if-not-exists --exist-ok")
_ENGINES = words("DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST CONTAINER_CONNECTION COMPOSE_FILE")
# What runs a command on this machine, or in a container of it.
_CARRYING = CONTAINERS | words(
    "env nohup nice ionice timeout stdbuf time command builtin exec bash sh zsh watch"
)
# With these the AWS command line talks to another address than AWS_ENDPOINT_URL.
_OVERRIDING = ("AWS_ENDPOINT_URL_", "AWS_IGNORE_CONFIGURED_")
_MOST_PARENTS = 8


def at_own_services(
    operations: tuple[Operation, ...], commands: tuple[Command, ...], text: str
) -> tuple[Operation, ...]:
    """Return the operations of a line, with what is done to services of this machine as such.

    Args:
        text: the whole line.
    """
    operations = in_simulation(of_captured_names(operations, commands), commands, text)
    operations = of_remade_folders(in_scratch_databases(operations, commands, text), commands)
    if any(map(_is_put_here, operations)) and any(map(_leads_elsewhere, commands)):
        operations = tuple([_published(op) if _is_put_here(op) else op for op in operations])
    clients = {one.index for one in commands if one.program in CLIENTS}
    if not clients:
        return operations
    if any(map(_leads_elsewhere, commands)):
        return tuple([_led(op, commands) if op.group in clients else op for op in operations])
    line = LineClients(commands, has_subshell=has_subshell(text))
    return tuple([line.seen(op) if op.group in clients else op for op in operations])


def _is_put_here(op: Operation) -> bool:
    """Tell what a registry at a port of this machine gets."""
    is_put = op.verb is Verb.WRITE and op.reach is Reach.LOOPBACK
    return is_put and op.thing in (ResourceType.PACKAGE, ResourceType.IMAGE)


def _published(op: Operation) -> Operation:
    return replace(op, verb=Verb.PUBLISH, reach=Reach.REMOTE, reversible=False)


def _leads_elsewhere(command: Command) -> bool:
    """Tell a command that leads a port or a container of this machine to another one."""
    if command.program in TUNNELS or any([name in _ENGINES for name, _ in command.assignments]):
        return True
    if command.program not in CLIENTS and holds_part(command, LEADING):
        return True
    if command.program in CONTAINERS:
        names = [word.text.partition("=")[0] for word in command.words[1:6]]
        return not {"-H", "--host", "-c", "--context", "--url", "context"}.isdisjoint(names)
    is_able = command.program in TUNNELLING
    return is_able and any([word.text in TUNNEL_WORDS for word in command.words[1:8]])


def _led(op: Operation, commands: tuple[Command, ...]) -> Operation:
    """Return a deletion at a port that the line leads elsewhere as one that counts."""
    is_near = op.verb is Verb.NETWORK_OUT and op.reach is Reach.LOOPBACK
    texts = {word.text.upper() for word in commands[op.group].words} if is_near else set()
    if {"DELETE", "-XDELETE", "-SXDELETE", "--REQUEST=DELETE"}.isdisjoint(texts):
        return op
    return replace(op, verb=Verb.DELETE, reversible=False)


class LineClients:
    """The commands of a line, and which services of this machine they talk to."""

    def __init__(self, commands: tuple[Command, ...], *, has_subshell: bool) -> None:
        self._commands = commands
        self._variables = LineVariables(commands, has_subshell=has_subshell)

    def seen(self, op: Operation) -> Operation:
        """Return an operation of a client, as a near one if its server is."""
        if not 0 <= op.group < len(self._commands):
            return op
        command = self._commands[op.group]
        is_shown, is_kept = _shows_secret(op), op.reach is Reach.HOME and _is_login(command)
        if not (is_shown or is_kept or _may_pass(op, CLIENTS[command.program])):
            return op
        servers = self._servers(command, CLIENTS[command.program], op.target)
        servers = servers or self._inside(command, CLIENTS[command.program])
        if not servers or not all(map(is_near_server, servers)) or not self._runs_here(command):
            return op
        is_passing = self._is_passing(command, servers)
        if is_shown:
            traits = op.traits - {Trait.READS_SECRET}
            return replace(op, thing=ResourceType.CLOUD, traits=traits) if is_passing else op
        if is_passing:
            return _passing(op)
        is_own_only = CLIENTS[command.program].is_own_only or op.verb is Verb.PRIVILEGE
        return op if is_own_only else self._near(op, command, servers)

    def _runs_here(self, command: Command) -> bool:
        """Tell whether a command runs on this machine or in a container of its tests."""
        if not _CARRYING.issuperset([one.split()[0] for one in command.carriers if one.strip()]):
            return False
        for _ in range(_MOST_PARENTS):
            if command.parent < 0:
                return True
            command = self._commands[command.parent]
            if any([is_production(word.text) for word in command.words[:MOST_WORDS]]):
                return False
        return False

    def _inside(self, command: Command, client: ServiceClient) -> list[str]:
        """The server of a client that names none, in a container of the project's own services."""
        parent = self._parent(command)
        is_composed = parent is not None and is_of_service(parent, command.program)
        is_composed |= self._is_in_own_container(command)
        if not is_composed or command.input_words or client.login or not client.options:
            return []
        names = {word.text.partition("=")[0] for word in command.words[1:MOST_WORDS]}
        is_named = not (client.options | client.port_options).isdisjoint(names)
        named = is_named or any([self._variables.values(one, command) for one in client.variables])
        return [] if named else ["localhost"]

    def _near(self, op: Operation, command: Command, servers: Sequence[str]) -> Operation:
        """An operation on a server of this machine that may hold what others left there."""
        if op.thing is ResourceType.CREDENTIAL and _is_login(command):
            return replace(op, thing=ResourceType.CLOUD, verb=Verb.WRITE, reach=Reach.LOOPBACK)
        if op.reach is Reach.PRODUCTION or op.thing in _GUARDED:
            return op
        if op.verb is not Verb.DELETE:
            return replace(op, reach=Reach.LOOPBACK)
        is_own = self._is_made_here(command) or is_bounded(command)
        is_own |= is_made_again(command, self._commands[command.index + 1 :])
        is_own |= _is_single(op, command) and (self._may_lose(op, command) or names_trial(command))
        if not is_own:
            return op
        traits = op.traits - _OF_ALL
        return replace(op, reach=Reach.PROJECT, reversible=True, traits=traits)

    def _servers(self, command: Command, client: ServiceClient, target: str) -> list[str]:
        """The addresses a command talks to; one that is not known is given as ``""``."""
        given = command.words[1:MOST_WORDS]
        if command.input_words or len(command.words) > MOST_WORDS:
            return []
        if command.program in ("mc", "mcli") and _is_login(command):
            return [word.text if word.is_known else "" for word in command.words[4:5]]
        if command.program in ("mc", "mcli"):
            names = [word.text for word in given]
            return [
                self._alias(alias) for alias in aliases_in([target] if target in names else names)
            ]
        if not client.options and not client.variables:
            return [word.text if word.is_known else "" for word in given if is_address(word.text)]
        named = list(values_of(given, client.options))
        if client.login:
            logins = [one for one in self._commands if one.program == command.program]
            named = [url for one in logins if _is_login(one) for url in _told(one, client)]
        elif client.port_options:
            named = with_ports(named, given, client)
        elif all([word.is_known or word.is_quoted for word in given]) and not named:
            named = self._of_variables(client, command)
        return named

    def _of_variables(self, client: ServiceClient, command: Command) -> list[str]:
        for variable in client.variables:
            values = self._variables.values(variable, command)
            if values:
                return values
        return []

    def _alias(self, alias: str) -> str:
        """The address of a name of `mc`: by its variable, or by `mc alias set` before."""
        values = self._variables.values(f"MC_HOST_{alias}", self._commands[-1])
        for one in self._commands:
            texts = [word.text for word in one.words[1:5]]
            if one.program in ("mc", "mcli") and texts[:3] == ["alias", "set", alias]:
                values.append("".join(texts[3:4]))
        return values[0] if values and all(map(is_near_server, values)) else ""

    def _is_passing(self, command: Command, servers: Sequence[str]) -> bool:
        """Tell whether the line started every server itself, and each of them begins empty."""
        if self._is_in_own_container(command):
            return True
        if command.program in EMULATED:
            names = [name for one in self._commands for name, _ in one.assignments]
            return not any([name.startswith(_OVERRIDING) for name in names])
        port = CLIENTS[command.program].port
        ports = {str(port_of(server) or port) for server in servers}
        before = self._commands[: command.index]
        own = [one for one in before if serves(one, command.program)]
        started = {port for one in own for port in ports_of(one)}
        return bool(ports) and ports <= started

    def _is_in_own_container(self, command: Command) -> bool:
        """Tell a client in a container of its server that the line started, and that is new."""
        parent = self._parent(command)
        if parent is None or parent.program not in CONTAINERS:
            return False
        texts = [word.text for word in parent.words[1:12]]
        name = next((text for text in texts[1:] if text[:1] != "-"), "")
        own = [one for one in self._commands[: command.index] if is_run_as(one, name)]
        is_of = [serves(one, command.program) and keeps_nothing(one) for one in own]
        return texts[:1] == ["exec"] and bool(is_of) and all(is_of)

    def _parent(self, command: Command) -> Command | None:
        """The command that runs this one, past a shell."""
        parent = self._commands[command.parent] if command.parent >= 0 else None
        if parent is not None and parent.program in ("sh", "bash") and parent.parent >= 0:
            parent = self._commands[parent.parent]
        return parent

    def _is_made_here(self, command: Command) -> bool:
        """Tell whether the line made what a command takes away, under a literal name."""
        given = [word.text for word in command.words[2:] if word.is_known]
        is_act = [text.partition("_")[0] in _TAKES for text in given]
        named = zip(given, is_act, strict=True)
        names = [text for text, is_taking in named if text[:1] != "-" and not is_taking]
        for one in self._commands[: command.index]:
            texts = [word.text for word in one.words[1:]]
            # `add_vhost` is the act of `add`; an option and its server may stand before it.
            acts = [text.partition("_")[0] for text in texts[:4]]
            is_maker = one.program == command.program and not _MAKES.isdisjoint(acts)
            if CLIENTS[command.program].login[:1] == ("config",):
                names = [part for name in names for part in name.split("/") if part]
                texts += [text.rpartition("=")[2] for text in texts]
            if is_maker and _LENIENT.isdisjoint(texts) and names and set(names) <= set(texts):
                return True
        return False

    def _may_lose(self, op: Operation, command: Command) -> bool:
        """Tell whether a client may lose one thing: one of addresses only what the line started."""
        client = CLIENTS[command.program]
        if client.holds_stores:
            # One object of a bucket, by its name.
            return command.program in ("mc", "mcli") and op.target.rstrip("/").count("/") > 1
        if client.options or client.variables:
            return True
        return op.thing is ResourceType.URL and self._is_composed()

    def _is_composed(self) -> bool:
        """Tell whether the line starts the project's own containers."""
        return any(
            [
                one.program in CONTAINERS and "up" in [word.text for word in one.words[1:12]]
                for one in self._commands
            ]
        )


def _passing(op: Operation) -> Operation:
    """Return what is done to a server that begins empty, as work of the project."""
    thing = ResourceType.CLOUD if op.thing in _GUARDED else op.thing
    verb = Verb.WRITE if op.verb is Verb.PRIVILEGE else op.verb
    traits = op.traits - _OF_ALL - {Trait.SCHEMA_LOSS}
    reach = Reach.PROJECT
    return replace(op, verb=verb, thing=thing, reach=reach, reversible=True, traits=traits)


def _may_pass(op: Operation, client: ServiceClient) -> bool:
    # A database is the project's own wherever its client runs on this machine.
    is_felt = op.reach in _FAR or (
        op.reach is Reach.PROJECT and (client.is_own_only or op.verb is Verb.DELETE)
    )
    # A file of statements, which may lose what is in a database.
    is_script = client.is_own_only and op.verb is Verb.EXECUTE and Trait.SCHEMA_LOSS in op.traits
    is_change = (op.verb in _CHANGES or is_script) and is_felt and op.understood
    return is_change and op.thing in _THINGS | _GUARDED and _NEVER.isdisjoint(op.traits)


def _shows_secret(op: Operation) -> bool:
    """Tell a client that reads what a server keeps, which may be what the line put there."""
    is_read = op.verb is Verb.READ and op.thing is ResourceType.CREDENTIAL and not op.path
    return is_read and op.understood and op.traits == {Trait.READS_SECRET}


def _is_login(command: Command) -> bool:
    """Tell a command that names the server for all calls behind it."""
    client = CLIENTS.get(command.program)
    texts = tuple([word.text for word in command.words[1:3]])
    return client is not None and client.login != () and texts == client.login


def _told(command: Command, client: ServiceClient) -> list[str]:
    """The server that a login names; one that is not named or not known is given as ``""``."""
    return list(values_of(command.words[1:MOST_WORDS], client.options)) or [""]


def _is_single(op: Operation, command: Command) -> bool:
    """Tell whether one thing is taken away by its name."""
    if not _OF_ALL.isdisjoint(op.traits) or not all([word.is_known for word in command.words]):
        return False
    if op.thing is ResourceType.URL:
        path = look_at_url(op.target).path.split("?", 1)[0].strip("/")
        return path != "" and path[0] != "_" and {*"*,"}.isdisjoint(path)
    texts = [word.text for word in command.words[1:]]
    return _BULK.isdisjoint(texts) and not any(["*" in text for text in texts])
