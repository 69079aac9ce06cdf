"""The detectors of web requests as one application needs them.

Checks can be switched off, fields left out, hosts and origins allowed. An option counts for one
detector (`with_options`) or for all of them (`web_detectors`). A name that does not exist is
refused, so that no misspelt option stays without effect.

    web_detectors(off=("scanner-probe",), allowed_origins=("https://app.example",))
    with_options(xss.DETECTOR, DetectorOptions(except_fields=("body.article",)))
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from signoff.assess.detectors import csrf, open_redirect, rfi, ssrf
from signoff.assess.detectors.content import WEB_DETECTORS
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.finding import Finding, Severity
from signoff.assess.policy_lines import line_problem
from signoff.values import replace

PLACES = ("path", "query", "header", "cookie", "body")


class Strictness(StrEnum):
    """How certain a detector must be before it reports."""

    LENIENT = "lenient"  # only what is clear counts
    NORMAL = "normal"
    STRICT = "strict"  # what is likely counts like what is clear


def _place_problem(name: str) -> str:
    place = name.partition(".")[0]
    if place in PLACES:
        return ""
    expected = f"{', '.join(PLACES)}, then a dot and a name"
    return f"`{name[:60]}` names no field of a request: expected {expected}"


class DetectorOptions(Struct, frozen=True, kw_only=True):
    """Settings of a detector for web requests.

    Args:
        off: checks that are switched off: `sql-injection.union-select`, or a detector as a whole.
        except_fields: values that are not read: a place (`path`, `query`, `header`, `cookie`,
            `body`), a dot, a name; `*` stands for any characters: `body.article`, `cookie.*`.
        strictness: how sure it must be.
    """

    off: tuple[str, ...] = ()
    except_fields: tuple[str, ...] = ()
    strictness: Strictness = Strictness.NORMAL

    def __post_init__(self) -> None:
        """Check the names.

        Raises:
            ValueError: there is no such check or place.
        """
        for problem in filter(
            None, (*map(line_problem, self.off), *map(_place_problem, self.except_fields))
        ):
            raise ValueError(problem)


PLAIN = DetectorOptions()


def with_options(detector: Detector, options: DetectorOptions) -> Detector:
    """Return a detector with these options applied."""
    if options == PLAIN:
        return detector
    run, off = detector.run, frozenset(options.off)
    narrowed = _narrowing(detector.id, options)

    def tuned(evidence: Evidence) -> Iterator[Finding]:
        for finding in run(narrowed(evidence)):
            if finding.detector not in off and finding.category not in off:
                yield from _weighed(finding, options.strictness)

    return replace(detector, run=tuned)


def web_detectors(
    *,
    options: DetectorOptions = PLAIN,
    single: Mapping[str, DetectorOptions] | None = None,
    allowed_origins: Iterable[str] = (),
    allowed_hosts: Iterable[str] = (),
    redirect_hosts: Iterable[str] = (),
) -> tuple[Detector, ...]:
    """Return the detectors for web requests.

    Args:
        options: for all detectors.
        single: for single detectors by id, on top of those for all.
        allowed_origins: sites whose pages may change things here, as `https://app.example`,
            `app.example` or `*.app.example`.
        allowed_hosts: hosts whose addresses may stand in values, their subdomains too.
        redirect_hosts: hosts that browsers are sent to, besides the application's own; any other
            is refused.

    Raises:
        ValueError: there is no such detector, check or place.
    """
    single = single or {}
    if unknown := set(single) - {one.id for one in WEB_DETECTORS}:
        raise ValueError(line_problem(min(unknown)) or f"`{min(unknown)}` reads no requests")
    hosts = tuple(allowed_hosts)
    made = {
        csrf.ID: csrf.csrf(allowed_origins),
        open_redirect.ID: open_redirect.open_redirect(redirect_hosts),
        ssrf.ID: ssrf.ssrf(hosts),
        rfi.ID: rfi.rfi(hosts),
    }
    return tuple(
        with_options(with_options(made.get(one.id, one), single.get(one.id, PLAIN)), options)
        for one in WEB_DETECTORS
        if one.id not in options.off and one.id not in single.get(one.id, PLAIN).off
    )


def _narrowing(detector: str, options: DetectorOptions) -> Callable[[Evidence], Evidence]:
    """Give what leaves out the fields and the patterns that do not count."""
    # Names of fields hold brackets (`item[0]`), which `fnmatch` would read as a set of
    # characters.
    patterns = [fnmatch.translate(one.replace("[", "[[]")) for one in options.except_fields]
    # `(?!)` matches nothing: an empty pattern would leave out every field.
    is_left_out = re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE).match
    lines = frozenset(
        one.partition(".")[2] for one in options.off if one.startswith(f"{detector}.")
    )

    def counted(field: RequestField) -> RequestField:
        hits = frozenset(hit for hit in field.hits if hit.partition(".")[2] not in lines)
        return field if len(hits) == len(field.hits) else replace(field, hits=hits)

    def narrowed(evidence: Evidence) -> Evidence:
        fields = tuple(
            counted(one) for one in evidence.fields if not is_left_out(f"{one.place}.{one.name}")
        )
        return replace(evidence, fields=fields)

    return narrowed


def _weighed(finding: Finding, strictness: Strictness) -> Iterator[Finding]:
    is_weak = finding.severity in (Severity.LOW, Severity.MEDIUM)
    match strictness:
        case Strictness.LENIENT if is_weak:
            return
        case Strictness.STRICT if finding.severity is not Severity.LOW:
            yield replace(finding, severity=Severity.CRITICAL)
        case _:
            yield finding
