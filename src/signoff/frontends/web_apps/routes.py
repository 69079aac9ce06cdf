"""Which pipeline judges a request: rules by path, the first that fits counts.

    routes = (
        RouteRule("/login", strict()),
        RouteRule("/search*", lenient()),
        RouteRule("/upload/*", standard(), larger=Larger.BEGINNING),
        RouteRule("/static/*", None),  # not judged
    )

The path is the one the application itself routes by, so a trick that leads past a rule leads past
the application's route, too. `*` stands for any characters, slashes included.
"""

from __future__ import annotations

import fnmatch
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
    # `*` alone is special in a route; fnmatch reads `?` and `[` as patterns, too.
    literal = "".join(f"[{one}]" if one in "?[" else one for one in rule.path)
    return re.compile(fnmatch.translate(literal)).match


def _checked(rule: RouteRule) -> RouteRule:
    if rule.path[:1] not in ("/", "*"):
        raise BadSettings(f"route `{rule.path}` must begin with `/` or `*`")
    if not LIMITS[0] <= rule.body_limit <= LIMITS[1]:
        raise BadSettings(
            f"route `{rule.path}`: body_limit is {rule.body_limit} bytes, "
            f"expected {LIMITS[0]} to {LIMITS[1]}"
        )
    return rule
