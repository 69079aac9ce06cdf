"""Parts of a pipeline by their names in `web.yaml`; `module:name` stands for a part of your own.

`shop.checks:COUPONS` is the value `COUPONS` of the module `shop.checks`, `shop.checks:Coupons` is
the object that this class makes without arguments. Who writes the file decides what code runs,
as in any settings file of a server.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, TypeGuard, TypeVar

import msgspec
from msgspec import Meta

from signoff.assess.detectors.content import RESULT_DETECTORS, WEB_DETECTORS
from signoff.assess.detectors.detector import Detector
from signoff.assess.detectors.entropy import entropy
from signoff.assess.detectors.graphql_limits import GraphqlLimits, limited_by
from signoff.assess.threat.aggregators import Aggregator, MaxScoreAggregator, WeightedAggregator
from signoff.assess.threat.resolvers import (
    DefaultResolver,
    LenientResolver,
    MultiLevelResolver,
    Resolver,
    StrictResolver,
    Tier,
)
from signoff.channels.settings_file import read_private
from signoff.documents.node import Node
from signoff.effects.detector_options import (
    DetectorOptions,
    Strictness,
    web_detectors,
    with_options,
)
from signoff.effects.handlers.alarms import AlarmHandler
from signoff.effects.handlers.analytics import AnalyticsHandler
from signoff.effects.handlers.log import LogHandler
from signoff.effects.handlers.notify import NotifyHandler
from signoff.effects.pipeline import Handler, Pipeline
from signoff.errors import BadSettings
from signoff.frontends.web_apps.routes import JudgeMode
from signoff.frontends.web_apps.settings import ClientOf
from signoff.storage.text_file import read_text

if TYPE_CHECKING:  # an optional extra
    from signoff.effects.access.tokens import TokenCheck

WEB, RESULTS = "web", "results"
SINGLE = {one.id: one for one in (*WEB_DETECTORS, *RESULT_DETECTORS)} | {"entropy": entropy()}
RESOLVERS: Mapping[str, type[DefaultResolver]] = {
    "default": DefaultResolver,
    "strict": StrictResolver,
    "lenient": LenientResolver,
}
AGGREGATORS = {"max": MaxScoreAggregator, "weighted": WeightedAggregator}
NOTIFY, ALARMS = "notify", "alarms"  # the handlers that take settings
PLAIN_HANDLERS: Mapping[str, Callable[[], Handler]] = {
    "log": LogHandler,
    "analytics": AnalyticsHandler,
}
OWN = "module:name"
KEY_LIMIT = 256 << 10  # bytes of a file with public keys
REFERENCE = re.compile(r"[\w.]+:\w+")
Score = Annotated[float, Meta(ge=0, le=100)]
Names = Annotated[tuple[str, ...], Meta(min_length=0, max_length=1_000)]
T = TypeVar("T")


class OptionsFile(msgspec.Struct, frozen=True, kw_only=True):
    """The options of one detector below `tune`."""

    off: Names = ()
    except_fields: Names = ()
    strictness: Strictness = Strictness.NORMAL


class TierFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `levels`: a `Tier`."""

    max_score: Score
    do: Names = ()


class PipelineFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry below `pipelines`."""

    detectors: tuple[Node, ...] | None = None
    off: Names = ()
    except_fields: Names = ()
    strictness: Strictness = Strictness.NORMAL
    tune: Mapping[str, OptionsFile] = {}
    allowed_origins: Names = ()
    allowed_hosts: Names = ()
    redirect_hosts: Names = ()
    graphql: GraphqlLimits | None = None
    score: Node | None = None
    weights: Mapping[str, Annotated[float, Meta(ge=0, le=1_000)]] = {}
    resolve: Node | None = None
    block_at: Score | None = None
    warn_at: Score | None = None
    levels: tuple[TierFile, ...] = ()
    on: Mapping[str, tuple[Node, ...]] = {}
    access: Node | None = None
    tokens: Node | None = None
    mode: JudgeMode = JudgeMode.ANSWER


class HandlerFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry below `handlers`."""

    kind: Node
    url: Annotated[str, Meta(max_length=2_000)] = ""
    secret_file: Annotated[str, Meta(max_length=1_000)] = ""
    file: Annotated[str, Meta(max_length=1_000)] = ""
    dead_letters: Annotated[str, Meta(max_length=1_000)] = ""
    timeout_s: Annotated[float, Meta(ge=0.1, le=60)] = 5.0
    retries: Annotated[int, Meta(ge=0, le=10)] = 2


class TokensFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry below `tokens`: the arguments of `TokenCheck`, its key in a file.

    Args:
        key_file: a secret (readable by its owner only), a public key as PEM, or a key set (JSON).
    """

    key_file: Annotated[str, Meta(max_length=1_000)]
    algorithms: tuple[Annotated[str, Meta(max_length=20)], ...]
    audience: Annotated[str, Meta(min_length=0, max_length=1_000)] = ""
    issuer: Annotated[str, Meta(min_length=0, max_length=1_000)] = ""
    cookie: Annotated[str, Meta(min_length=0, max_length=200)] = ""
    required: bool = True
    leeway_s: Annotated[int, Meta(ge=0, le=300)] = 0


def build_pipeline(said: PipelineFile, handlers: Mapping[str, Handler], node: Node) -> Pipeline:
    """Build a pipeline.

    Args:
        handlers: by name.
        node: its place in the file, for messages.

    Raises:
        BadSettings: a part or check is unknown, or a figure is out of range.
    """
    begin = Pipeline.background if said.mode is JudgeMode.WATCH else Pipeline.sync
    try:
        made = begin(tuple(_detectors(said))).score(_aggregator(said)).resolve(_resolver(said))
    except ValueError as error:
        raise node.refuse(f"{node.name}: {error}") from error
    for thing, names in said.on.items():
        for name in names:
            made = made.on(thing, _handler(name, handlers))
    return made


def build_handler(said: HandlerFile) -> Handler:
    """Build a handler.

    Raises:
        BadSettings: there is no such handler, or its settings do not fit.
    """
    name = _shipped_or_own(said.kind, "handler", (*PLAIN_HANDLERS, NOTIFY, ALARMS))
    if name is None:
        return _own(said.kind, _is_handler)
    if name in PLAIN_HANDLERS:
        return PLAIN_HANDLERS[name]()
    try:
        if name == ALARMS:
            return AlarmHandler(said.file)
        return NotifyHandler(
            said.url,
            timeout_s=said.timeout_s,
            retries=said.retries,
            secret=read_private(said.secret_file) if said.secret_file else "",
            dead_letters=said.dead_letters,
        )
    except BadSettings as error:
        raise said.kind.refuse(str(error)) from error


def build_tokens(said: TokensFile, node: Node) -> TokenCheck:
    """Build a check of tokens.

    Args:
        node: its place in the file, for messages.

    Raises:
        BadSettings: the extra is not installed, the key cannot be read or is weak, or the
            algorithms do not fit it.
    """
    try:
        from signoff.effects.access.tokens import SECRET_AT_LEAST, TokenCheck  # noqa: PLC0415 - extra
    except ImportError as error:
        raise node.refuse("tokens need `pip install 'signoff[jwt]'`") from error
    try:
        is_secret = not SECRET_AT_LEAST.keys().isdisjoint(said.algorithms)
        return TokenCheck(
            read_private(said.key_file) if is_secret else _public_key(said.key_file),
            algorithms=said.algorithms,
            audience=said.audience,
            issuer=said.issuer,
            cookie=said.cookie,
            required=said.required,
            leeway_s=said.leeway_s,
        )
    except BadSettings as error:
        raise node.refuse(f"{node.name}: {error}") from error


def _public_key(path: str) -> str | dict[str, object]:
    """Return what a file holds: a key set as a dict, else the text of a public key."""
    text = read_text(path, limit=KEY_LIMIT)
    if text is None:
        raise BadSettings(f"{path}: there is no such file")
    if not text.lstrip().startswith("{"):
        return text
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise BadSettings(f"{path}: no key set: {error}") from error


def build_client_of(node: Node) -> ClientOf:
    """Build the function that names a request's client.

    Raises:
        BadSettings: it is not `module:name` of something that can be called.
    """
    _shipped_or_own(node, "function", ())
    return _own(node, _is_client_of)


def _handler(node: Node, handlers: Mapping[str, Handler]) -> Handler:
    if node.written in handlers:
        return handlers[node.written]
    name = _shipped_or_own(node, "handler", (*handlers, *PLAIN_HANDLERS))
    return _own(node, _is_handler) if name is None else PLAIN_HANDLERS[name]()


def _detectors(said: PipelineFile) -> Iterator[Detector]:
    options = DetectorOptions(
        off=said.off, except_fields=said.except_fields, strictness=said.strictness
    )
    single = {
        name: DetectorOptions(
            off=one.off, except_fields=one.except_fields, strictness=one.strictness
        )
        for name, one in said.tune.items()
    }
    web = web_detectors(
        options=options,
        single=single,
        allowed_origins=said.allowed_origins,
        allowed_hosts=said.allowed_hosts,
        redirect_hosts=said.redirect_hosts,
    )
    if said.detectors is None:
        yield from web
    if said.graphql is not None:
        yield with_options(limited_by(said.graphql), options)
    made = {one.id: one for one in web}
    for node in said.detectors or ():
        name = _shipped_or_own(node, "detector", (WEB, RESULTS, *SINGLE))
        if name is None:
            yield with_options(_own(node, _is_detector), options)
        elif name == WEB:
            yield from web
        elif name == RESULTS:
            yield from (with_options(one, options) for one in RESULT_DETECTORS)
        elif name not in said.off:
            # A detector of `web` has its `tune` and its hosts already.
            yield made.get(name) or with_options(SINGLE[name], options)


def _aggregator(said: PipelineFile) -> Aggregator:
    if said.score is None:
        return WeightedAggregator(said.weights) if said.weights else MaxScoreAggregator()
    name = _shipped_or_own(said.score, "aggregator", AGGREGATORS)
    if name is None:
        return _own(said.score, _is_aggregator)
    return WeightedAggregator(said.weights) if name == "weighted" else MaxScoreAggregator()


def _resolver(said: PipelineFile) -> Resolver:
    if said.levels:
        return MultiLevelResolver(Tier(one.max_score, one.do) for one in said.levels)
    name = (
        "default" if said.resolve is None else _shipped_or_own(said.resolve, "resolver", RESOLVERS)
    )
    if name is None and said.resolve is not None:
        return _own(said.resolve, _is_resolver)
    return RESOLVERS[name or "default"](block_at=said.block_at, warn_at=said.warn_at)


def _shipped_or_own(node: Node, what: str, shipped: Iterable[str]) -> str | None:
    """Return the name of a part that is shipped, None for a reference to one's own."""
    names = tuple(shipped)
    if node.written in names:
        return node.written
    # `module:name`, copied from an error message, names no module.
    if node.written != OWN and REFERENCE.fullmatch(node.written):
        return None
    raise node.unknown(what, (*names, OWN))


def _own(node: Node, is_part: Callable[[object], TypeGuard[T]]) -> T:
    """Import a part of the user's own; a class is called without arguments."""
    module, _, name = node.written.partition(":")
    try:
        found: object = getattr(importlib.import_module(module), name)
        made: object = found() if inspect.isclass(found) else found
    # A module of the user's own may raise anything while it is imported.
    except Exception as error:
        raise node.refuse(f"`{node.written}` cannot be loaded: {error}") from error
    if not is_part(made):
        raise node.refuse(f"`{node.written}` is no {node.name}")
    return made


def _is_detector(part: object) -> TypeGuard[Detector]:
    return isinstance(part, Detector)


def _is_aggregator(part: object) -> TypeGuard[Aggregator]:
    return callable(getattr(part, "aggregate", None))


def _is_resolver(part: object) -> TypeGuard[Resolver]:
    return callable(getattr(part, "resolve", None))


def _is_handler(part: object) -> TypeGuard[Handler]:
    return callable(part)


def _is_client_of(part: object) -> TypeGuard[ClientOf]:
    return callable(part)
