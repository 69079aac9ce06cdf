"""Which pipeline judges a request: rules by path, the first that fits counts.

    routes = (
        RouteRule("/login", strict()),
        RouteRule("/search*", lenient()),
        RouteRule("/upload/*", standard(), larger=Larger.BEGINNING),
        RouteRule("/static/*", None),  # not judged
    )

The path is the one the application itself routes by. `*` stands for any characters, slashes
included. Servers behind a proxy may tidy a path (`/static/../login`, `//login`) or ignore its case
and final slash: no such spelling leads past a rule.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from signoff.assess.detectors.content import RESULT_DETECTORS, WEB_DETECTORS
from signoff.assess.threat.resolvers import (
    DefaultResolver,
    LenientResolver,
    Resolver,
    StrictResolver,
)
from signoff.effects.pipeline import Pipeline
from signoff.errors import BadSettings

BODY_LIMIT = 1 << 20
RESPONSE_LIMIT = 256 << 10
LIMITS = (1 << 10, 64 << 20)


class JudgeMode(StrEnum):
    """Whether a request waits until it is judged."""

    ANSWER = "answer"  # judged first; a blocked one never reaches the application
    WATCH = "watch"  # served at once; judged and handled in the background


class Larger(StrEnum):
    """What happens to a body that is longer than the limit."""

    REFUSE = "refuse"  # answered with 413
    BEGINNING = "beginning"  # judged by its beginning; for uploads


class OnFailure(StrEnum):
    """What happens to a request that signoff failed to judge."""

    REFUSE = "refuse"  # answered with 503
    UNSAFE_PASS = "unsafe-pass"  # noqa: S105 - served unjudged


class RouteRule(Struct, frozen=True):
    """How requests for a path are judged.

    Args:
        path: the path, `*` for any characters.
        pipeline: judges the requests; None = they are not judged.
        methods: for these methods only, () = for all.
        mode: whether a request waits for its judgement; None = as the pipeline was made
            (`Pipeline.sync`, `Pipeline.background`).
        body_limit: bytes of a body that are read and judged, 1 KiB to 64 MiB. They are held in
            memory until the request is judged.
        larger: what happens to longer bodies.
    """

    path: str
    pipeline: Pipeline | None
    methods: tuple[str, ...] = ()
    mode: JudgeMode | None = None
    body_limit: int = BODY_LIMIT
    larger: Larger = Larger.REFUSE

    @property
    def is_watched(self) -> bool:
        """True if requests are served at once and judged in the background."""
        if self.mode is None:
            return self.pipeline is not None and self.pipeline.is_in_background
        return self.mode is JudgeMode.WATCH


class RouteTable:
    """The rules of an application, ready to be looked up.

    Raises:
        BadSettings: a rule's path does not begin with `/` or `*`, or its limit is out of range.
    """

    def __init__(self, routes: Iterable[RouteRule], default: RouteRule) -> None:
        self._rules = tuple((_pattern(rule), _checked(rule)) for rule in (*routes, default))
        self._default = default

    def rule_for(self, path: str, method: str) -> RouteRule:
        """Return the first rule that matches."""
        tidied = _tidied(path) if "/." in path or "//" in path else path
        rule = self._first(tidied, method)
        # Servers differ in which of the two paths they serve: it is judged, whatever rule fits.
        return rule if tidied == path or rule.pipeline is not None else self._default

    def _first(self, path: str, method: str) -> RouteRule:
        for fits, rule in self._rules:
            if fits(path) and (not rule.methods or method in rule.methods):
                return rule
        # Its own path or methods may not fit; still it judges, so that nothing is served
        # unjudged.
        return self._default


def strict() -> Pipeline:
    """Return a pipeline of all request detectors that blocks from 40 on.

    For sign-in and administration.
    """
    return _pipeline(StrictResolver())


def standard() -> Pipeline:
    """Return a pipeline of all request detectors that blocks from 70 on."""
    return _pipeline(DefaultResolver())


def lenient() -> Pipeline:
    """Return a pipeline of all request detectors that blocks from 90 on.

    For search and other free text.
    """
    return _pipeline(LenientResolver())


def responses() -> Pipeline:
    """Return a pipeline of all response detectors that blocks from 60 on.

    They find database errors, reflected script and system files.
    """
    return Pipeline(*RESULT_DETECTORS).resolve(DefaultResolver(block_at=60))


def _pipeline(resolver: Resolver) -> Pipeline:
    return Pipeline(*WEB_DETECTORS).resolve(resolver)


def _pattern(rule: RouteRule) -> Callable[[str], re.Match[str] | None]:
    literal = ".*".join(map(re.escape, rule.path.split("*")))
    if rule.pipeline is None:
        return re.compile(literal, re.DOTALL).fullmatch
    # Express and others serve `/Login/` as `/login`. What is not judged is told exactly.
    ending = "" if rule.path.endswith(("*", "/")) else "/?"
    return re.compile(literal + ending, re.DOTALL | re.IGNORECASE).fullmatch


def _tidied(path: str) -> str:
    # `normpath` keeps two slashes at the beginning, and drops the last one.
    tidied = posixpath.normpath("/" + path.lstrip("/"))
    return tidied + "/" if path.endswith("/") and tidied != "/" else tidied


def _checked(rule: RouteRule) -> RouteRule:
    if rule.path[:1] not in ("/", "*"):
        raise BadSettings(f"route `{rule.path}` must begin with `/` or `*`")
    if not LIMITS[0] <= rule.body_limit <= LIMITS[1]:
        raise BadSettings(
            f"route `{rule.path}`: body_limit is {rule.body_limit} bytes, "
            f"expected {LIMITS[0]} to {LIMITS[1]}"
        )
    return rule
