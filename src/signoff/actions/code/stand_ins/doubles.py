"""Stand-ins for services in inline code: servers in memory, emulators, mocks.

What a snippet does to them is gone with it, or was only ever a test's. A client is taken for one
where the code itself says so literally; a client that may talk to anything else is real.

    create_engine("sqlite:///:memory:")                        a database in memory
    boto3.client("s3", endpoint_url="http://127.0.0.1:9000")   a server in the place of AWS
    os.environ["PUBSUB_EMULATOR_HOST"] = "localhost:8085"      an emulator
    Connection(server, client_strategy=MOCK_SYNC)              a directory inside the process
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from signoff.actions.code.stand_ins.known import INTERCEPTORS, SWITCHES, VARIABLES
from signoff.actions.code.value import NO_TAINTS, Taint, Value, taints_of
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.operation import Reach
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.lexicon import is_production
from signoff.actions.urls import is_near_url, look_at_url
from signoff.actions.vocabulary import lazy_re

_DOUBLE = frozenset({Taint.DOUBLE})
_REAL = frozenset({Taint.REAL})
_MARKS = _DOUBLE | _REAL
_IN_MEMORY = lazy_re(
    r"(?i)(?::memory:|sqlite(?:\+\w{1,20})?:(?:///?)?(?::memory:)?|file::memory:[\w?&=]{0,60}"
    r"|duckdb:(?:///?)?:memory:|dbi:sqlite:(?:dbname=)?:memory:|jdbc:(?:h2|hsqldb):mem:[\w;=-]{0,80}"
    r"|jdbc:sqlite::memory:|memory://)\Z"
)
_AZURE = lazy_re(r"(?i)\s*UseDevelopmentStorage=true;?\s*\Z")
_AZURE_KEY = "devstoreaccount1"
# Libraries whose objects live in the process, or in a container made for the run.
_STAND_INS = vocabulary("fakeredis mongomock testcontainers pglite magicmock birdisle moto")
_TOGETHER = (("memory", "server"), ("pg", "mem"), ("ioredis", "mock"), ("redis", "mock"))
# Services that only their owner runs: what answers for them on this machine is a mock.
_HOSTED = vocabulary(
    "boto boto3 botocore aws stripe braintree paypal adyen mollie razorpay twilio sendgrid postmark"
    " mailgun slack azure openai anthropic algolia shopify hubspot mailchimp vonage plaid xero"
)
_GOOGLE = vocabulary("firebase google googleapis gcloud")
_ADDRESSES = vocabulary("url uri host hosts hostname endpoint endpoints server servers dsn address")
_FILES = frozenset({"database", "storage", "filename", "connection", "conn_str", "bind"})
# Clients that speak HTTP by Node.js's own module and nothing else, which nock takes the place of.
_BY_HTTP = _HOSTED - vocabulary("azure aws") | vocabulary("axios superagent microsoft octokit")
# Libraries that the tables of calls describe, and whose clients may be stand-ins.
_DESCRIBED = ("boto3.", "sqlite3.", "duckdb.")
_WORKED_ON = frozenset(
    {"bind", "engine", "connection", "conn", "client", "session", "db", "database", "transport"}
)
_KEYS = frozenset({Taint.SECRET, Taint.ENVIRONMENT_SECRET})
_MAIL_PORTS = (25, 465, 587)  # a mail server at these hands on what it gets
_NEAR = frozenset({Reach.TEMP})
_DEPTH = 3
_MOST = 100


class Doubles:
    """What a snippet has set up so far."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.variables: dict[str, str] = {}
        self.is_aws_mocked = False
        self._is_offline = False
        self.has_memory_models = False  # of Django, all databases of which are in memory
        self._statements: dict[str, bool] = {}  # SQL: True if only databases in memory get it
        self.names: dict[str, bool] = {}  # of the snippet: True for a stand-in and what it gives

    def of_client(
        self, name: str, arguments: Sequence[Value], named: Mapping[str, Value]
    ) -> frozenset[Taint]:
        """Return the mark of a new client: a stand-in, or one of a real service."""
        return self.of_call(name, arguments, named) or _REAL

    def of_call(
        self, name: str, arguments: Sequence[Value], named: Mapping[str, Value]
    ) -> frozenset[Taint]:
        """Return the mark DOUBLE for a call that gives a stand-in, none for others."""
        given = list(_flat(arguments, named))
        if is_production(name) or any([is_production(value.text or "") for _, value in given]):
            return NO_TAINTS
        if self._is_decided(name, given):
            return _DOUBLE
        is_file = _is_file_database(name)
        places = [v for key, v in given if _is_place(key, v) or (is_file and key == "")]
        if any([not self._is_double(name, value) for value in places]):
            return NO_TAINTS
        is_one = _is_stand_in(name) or bool(places) or _is_given_double(given)
        is_one |= name == "duckdb.connect" and not given
        return _DOUBLE if is_one else NO_TAINTS

    def set_variable(self, name: str, value: str) -> None:
        """Note a variable of the environment; "" if its value is not sure."""
        self.variables[name] = value

    def note_setup(self, name: str, named: Mapping[str, Value], *, is_bare: bool) -> None:
        """Note what a call sets up: that no request leaves, the databases of Django."""
        if name in SWITCHES:
            self._is_offline = SWITCHES[name] and is_bare
        if name.endswith("conf.settings.configure") and "DATABASES" in named:
            databases = [dict(one.entries or ()) for _, one in named["DATABASES"].entries or ()]
            names = [one["NAME"].text if "NAME" in one else None for one in databases]
            self.has_memory_models = bool(names) and set(names) == {":memory:"}

    def note_statement(self, text: str, *, is_double: bool) -> None:
        """Note whether a database in memory gets a statement."""
        self._statements[text] = is_double and self._statements.get(text, True)

    @property
    def scratch(self) -> frozenset[str]:
        """The statements only databases in memory get; none where one joins another database."""
        if any(["attach" in text.lower() for text in self._statements]):
            return frozenset()
        return frozenset([text for text, is_double in self._statements.items() if is_double])

    def note_name(self, name: str, value: Value) -> None:
        """Note what a name of the snippet stands for; once real, it stays so."""
        is_one = value.taints & _MARKS == _DOUBLE and self.names.get(name) is not False
        if is_one or name in self.names:
            self.names[name] = is_one

    def has_only(self, name: str, owner: Value) -> bool:
        """Return whether all that a call acts on is a stand-in."""
        if self.has_memory_models and ".objects." in name:
            return True
        root = split_words(name)[:1]
        if root and root[0] in INTERCEPTORS:
            return True
        if self._is_offline and not _BY_HTTP.isdisjoint(split_words(name)):
            return True
        return owner.taints & _MARKS == _DOUBLE and not is_production(name)

    def holds_records(self, chain: str) -> bool:
        """Return whether a chain of calls, as it is written, begins at a stand-in."""
        if self.has_memory_models and ".objects." in chain:
            return True
        return self.names.get(chain.partition(".")[0].partition("(")[0]) is True

    def _is_decided(self, name: str, given: list[tuple[str, Value]]) -> bool:
        """Tell a client whose server is decided by what no address changes."""
        words = split_words(name)
        if "ldap3" in name and any([_is_mock(key, value) for key, value in given]):
            return True
        if "boto3" in name and self.is_aws_mocked:
            return not any(["endpoint" in key for key, _ in given])
        if _GOOGLE.isdisjoint(words) and "boto3" not in name:
            return False
        addressed = any(["endpoint" in key.lower() for key, _ in given])
        variables = [one for word, some in VARIABLES.items() if word in words for one in some]
        return not addressed and any([self._is_emulated(one) for one in variables])

    def _is_emulated(self, variable: str) -> bool:
        address = self.variables.get(variable, self.place.variables.get(variable)) or ""
        return is_near_url(address if "://" in address else f"http://{address}")

    def _is_double(self, name: str, value: Value) -> bool:
        """Tell an address in memory, in a temporary file, or of a mock on this machine."""
        if value.taints & _MARKS == _DOUBLE:
            return True
        text = value.text or ""
        if not value.is_known or not text:
            return False
        if _IN_MEMORY.match(text) is not None or _AZURE.match(text) is not None:
            return True
        if _AZURE_KEY in text and "Endpoint=" in text:
            parts = [part.partition("=")[2] for part in text.split(";") if "Endpoint=" in part]
            return all(map(is_near_url, parts))
        if _is_file_database(name):
            at = locate(text.partition("://")[2][1:] if "://" in text else text, self.place)
            return at.reach in _NEAR or at.is_rebuildable
        address = text if "://" in text else f"http://{text}"
        return not _HOSTED.isdisjoint(split_words(name)) and is_near_url(address)


def is_double(value: Value | None) -> bool:
    """Return whether a value is a stand-in, whatever branch the code takes."""
    return value is not None and value.taints & _MARKS == _DOUBLE


def mark_of(
    name: str, arguments: Sequence[Value], named: Mapping[str, Value], doubles: Doubles
) -> frozenset[Taint]:
    """Return the mark of what a call gives that is described: a client, a connection."""
    if name.startswith("smtplib"):
        return _DOUBLE if _catches_mail(arguments) else _REAL
    is_client = name.startswith(_DESCRIBED)
    return doubles.of_client(name, arguments, named) if is_client else NO_TAINTS


def _catches_mail(arguments: Sequence[Value]) -> bool:
    """Return whether a mail server is a catcher of this machine: by its address and port."""
    if len(arguments) < 2 or not isinstance(arguments[1].constant, int):
        return False
    host, port = arguments[0].text or "", arguments[1].constant
    return look_at_url(f"http://{host}").reach is Reach.LOOPBACK and port not in _MAIL_PORTS


def _flat(
    arguments: Sequence[Value], named: Mapping[str, Value], depth: int = 0
) -> Iterator[tuple[str, Value]]:
    """Yield the arguments by their names, with those in mappings."""
    positional = [("" if at == 0 else "*", one) for at, one in enumerate(arguments[:_MOST])]
    for key, value in [*positional, *list(named.items())[:_MOST]]:
        if value.entries and depth < _DEPTH:
            yield from _flat((), dict(value.entries), depth + 1)
        else:
            yield key, value


def _is_place(key: str, value: Value) -> bool:
    """Tell what says where a client goes: by the argument's name, or by its look."""
    text = value.text or ""
    is_named = not _ADDRESSES.isdisjoint(split_words(key))
    is_looked = "://" in text or (key == "" and _is_local_name(text))
    is_unknown = key == "" and not value.is_known and not value.items and not value.taints & _MARKS
    is_file = key in _FILES and _is_local_name(text)
    return is_named or is_looked or is_file or (is_unknown and not value.kind and not value.name)


def _is_local_name(text: str) -> bool:
    return _AZURE_KEY in text or any([one.match(text) is not None for one in (_IN_MEMORY, _AZURE)])


def _is_given_double(given: list[tuple[str, Value]]) -> bool:
    """Tell a client that works on a stand-in it is given, and has no key to a real service."""
    taints = taints_of(*[value for _, value in given])
    if taints & _MARKS != _DOUBLE or not _KEYS.isdisjoint(taints):
        return False
    return any([is_double(v) and (key == "" or key in _WORKED_ON) for key, v in given])


def _is_mock(key: str, value: Value) -> bool:
    last = value.name.rpartition(".")[2] or value.text or ""
    return key == "client_strategy" and last in ("MOCK_SYNC", "MOCK_ASYNC")


def _is_stand_in(name: str) -> bool:
    words = split_words(name)
    pairs = set(pairwise(words))
    return not _STAND_INS.isdisjoint(words) or any([pair in pairs for pair in _TOGETHER])


def _is_file_database(name: str) -> bool:
    return "sqlite" in name.lower() or "duckdb" in name.lower()
