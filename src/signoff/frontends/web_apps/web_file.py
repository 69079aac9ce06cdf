"""`web.yaml`: pipelines, routes, limits and handlers of an application in one file.

    app.add_middleware(AsgiMiddleware, **read_web_file("web.yaml").settings)

The file is read once, at the start. Whatever is wrong in it is refused with file, line and column.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from signoff.documents.convert import FormatVersion, convert
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.effects.pipeline import Handler, Pipeline
from signoff.errors import BadSettings
from signoff.frontends.web_apps.routes import (
    BODY_LIMIT,
    LIMITS,
    RESPONSE_LIMIT,
    JudgeMode,
    Larger,
    OnFailure,
    RouteRule,
    lenient,
    responses,
    standard,
    strict,
)
from signoff.frontends.web_apps.settings import ProtectionSettings
from signoff.frontends.web_apps.web_parts import (
    HandlerFile,
    PipelineFile,
    TokensFile,
    build_client_of,
    build_handler,
    build_pipeline,
    build_tokens,
)
from signoff.storage.text_file import read_text

if TYPE_CHECKING:  # optional extras
    from signoff.effects.access.control import AccessControl
    from signoff.effects.access.tokens import TokenCheck

FILE_LIMIT = 256 << 10
FORM = FileForm(what="web settings", expected="`pipelines` and `routes`", error=BadSettings)
SHIPPED = {"strict": strict, "standard": standard, "lenient": lenient}
NONE = "none"
Names = Annotated[tuple[str, ...], Meta(min_length=0, max_length=1_000)]
Seconds = Annotated[int, Meta(ge=0, le=31_536_000)]
Bytes = Annotated[int, Meta(ge=LIMITS[0], le=LIMITS[1])]


class AccessFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry below `access`: the arguments of `AccessControl`."""

    storage: Annotated[str, Meta(max_length=1_000)] = "memory://"
    requests: Annotated[str, Meta(min_length=0)] = ""
    failures: Annotated[str, Meta(min_length=0)] = ""
    failed: tuple[Annotated[int, Meta(ge=100, le=599)], ...] = (401, 403, 404, 407, 429)
    listed: Names = ()
    blocked_for_s: Seconds = 0
    half_life_s: Seconds = 0


class RouteFile(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `routes`: a `RouteRule`."""

    path: Annotated[str, Meta(max_length=1_000, pattern=r"\A[/*]", description="`/...` or `*...`")]
    pipeline: Node
    methods: tuple[Annotated[str, Meta(pattern=r"\A[A-Z]+\Z", description="`GET`")], ...] = ()
    mode: JudgeMode | None = None
    body_limit: Bytes = BODY_LIMIT
    larger: Larger = Larger.REFUSE


class WebFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `web.yaml`."""

    version: FormatVersion = 1
    access: Mapping[str, Node] = {}
    tokens: Mapping[str, Node] = {}
    handlers: Mapping[str, Node] = {}
    pipelines: Mapping[str, Node] = {}
    routes: tuple[RouteFile, ...] = ()
    default: Node | None = None
    responses: Node | None = None
    client_of: Node | None = None
    response_limit: Bytes = RESPONSE_LIMIT
    on_failure: OnFailure = OnFailure.REFUSE


class WebSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file, built: the middleware's settings, and pipelines by name."""

    settings: ProtectionSettings
    pipelines: Mapping[str, Pipeline]


def read_web_file(path: str) -> WebSettings:
    """Read a file and build the pipelines and rules it describes.

    Raises:
        BadSettings: the file does not exist or is not valid.
    """
    text = read_text(path, limit=FILE_LIMIT)
    # Somebody named this file: the defaults in its place would be other rules than they wrote.
    if text is None:
        raise BadSettings(f"{path}: there is no such file")
    return _built(convert(read_yaml(text, file=path, form=FORM), WebFile))


def _built(said: WebFile) -> WebSettings:
    handlers = {
        name: build_handler(convert(node, HandlerFile)) for name, node in said.handlers.items()
    }
    controls = {name: _control(node) for name, node in said.access.items()}
    tokens = {
        name: build_tokens(convert(node, TokensFile), node) for name, node in said.tokens.items()
    }
    parts = _NamedParts(handlers=handlers, controls=controls, tokens=tokens)
    own = {name: _pipeline(node, parts) for name, node in said.pipelines.items()}
    settings = ProtectionSettings(
        routes=[_rule(route, own) for route in said.routes],
        response_limit=said.response_limit,
        on_failure=said.on_failure,
        answered=[control.answered for control in controls.values()],
    )
    if said.default is not None:
        found = _named(said.default, own)
        # `none` as a rule: without a default the middleware would take `standard()`.
        settings["default"] = found if found is not None else RouteRule("*", None)
    if said.responses is not None:
        settings["responses"] = _response_judge(said.responses, own)
    if said.client_of is not None:
        settings["client_of"] = build_client_of(said.client_of)
    return WebSettings(settings=settings, pipelines=own)


class _NamedParts(msgspec.Struct, frozen=True, kw_only=True):
    """What pipelines refer to, by name."""

    handlers: Mapping[str, Handler]
    controls: Mapping[str, AccessControl]
    tokens: Mapping[str, TokenCheck]


def _pipeline(node: Node, parts: _NamedParts) -> Pipeline:
    said = convert(node, PipelineFile)
    made = build_pipeline(said, parts.handlers, node)
    if said.tokens is not None:
        made = parts.tokens[said.tokens.word(tuple(parts.tokens), what="token check")].guarding(
            made
        )
    if said.access is not None:
        # Outermost: guesses at tokens count, too.
        control = said.access.word(tuple(parts.controls), what="access control")
        made = parts.controls[control].guarding(made)
    return made


def _control(node: Node) -> AccessControl:
    said = convert(node, AccessFile)
    try:
        from signoff.effects.access.control import AccessControl  # noqa: PLC0415 - extra
    except ImportError as error:
        raise node.refuse("access needs `pip install 'signoff[limits]'`") from error
    make = partial(AccessControl, said.storage, requests=said.requests, failures=said.failures)
    try:
        return make(
            failed=said.failed,
            listed=said.listed,
            blocked_for_s=said.blocked_for_s,
            half_life_s=said.half_life_s,
        )
    except BadSettings as error:
        raise node.refuse(f"{node.name}: {error}") from error


def _rule(route: RouteFile, own: Mapping[str, Pipeline]) -> RouteRule:
    return RouteRule(
        route.path,
        _named(route.pipeline, own),
        methods=route.methods,
        mode=route.mode,
        body_limit=route.body_limit,
        larger=route.larger,
    )


def _named(node: Node, own: Mapping[str, Pipeline]) -> Pipeline | None:
    name = node.word((*own, *SHIPPED, NONE), what="pipeline")
    if name in own:
        return own[name]
    return None if name == NONE else SHIPPED[name]()


def _response_judge(node: Node, own: Mapping[str, Pipeline]) -> Pipeline | None:
    name = node.word((*own, "standard", NONE), what="pipeline for responses")
    if name in own:
        return own[name]
    return None if name == NONE else responses()
