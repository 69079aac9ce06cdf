"""GraphQL requests that are larger than an application allows.

Finds:
    Queries that are too deep, give too many fields another name, or spread fragments in a circle;
    too many operations in one request; questions about the schema where those are not allowed;
    documents that cannot be read.

Why it matters:
    One small request can make a server do the work of millions, or try every password at once.

Example:
    graphql_limits(depth=12, aliases=30, batch=10, introspection=False)

Does not find:
    What a query costs in the database; persisted queries, whose text the server has already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from signoff.actions.action import ActionKind
from signoff.assess.contexts.graphql import GraphqlShape, documents_of, shape_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.finding import Finding, Severity

ID = "graphql-limits"


class GraphqlLimits(Struct, frozen=True, kw_only=True):
    """The largest GraphQL request that is accepted."""

    depth: Annotated[int, Meta(ge=1, le=1_000)] = 15
    aliases: Annotated[int, Meta(ge=0, le=100_000)] = 50
    batch: Annotated[int, Meta(ge=1, le=1_000)] = 10
    introspection: bool = True


def graphql_limits(
    *, depth: int = 15, aliases: int = 50, batch: int = 10, introspection: bool = True
) -> Detector:
    """Return a detector for routes that serve GraphQL.

    Args:
        depth: fields inside fields.
        aliases: fields under another name, in one document.
        batch: operations in one request.
        introspection: whether questions about the schema are allowed.
    """

    return limited_by(
        GraphqlLimits(depth=depth, aliases=aliases, batch=batch, introspection=introspection)
    )


def limited_by(limits: GraphqlLimits) -> Detector:
    """Return a detector with these limits; see `graphql_limits`."""

    def run(evidence: Evidence) -> Iterator[Finding]:
        action = evidence.action
        if action.kind is ActionKind.HTTP_REQUEST:
            problem = _problem(
                documents_of(action.arguments.get("query"), action.text("body")), limits
            )
            if problem is not None:
                yield _finding(*problem)

    return Detector(id=ID, run=run, title="GraphQL requests over their limits", asi=("ASI02",))


def _problem(documents: Sequence[str], limits: GraphqlLimits) -> tuple[str, str] | None:
    """Return the line and the evidence of what is over a limit, None if nothing is."""
    if len(documents) > limits.batch:
        return "batch", f"{len(documents)} operations in one request, at most {limits.batch}"
    shapes = [shape_of(document) for document in documents if document]
    if None in shapes:
        # What cannot be measured may be of any size.
        return "unread", "a GraphQL document that cannot be read"
    return next(filter(None, (_over(shape, limits) for shape in shapes if shape)), None)


def _over(shape: GraphqlShape, limits: GraphqlLimits) -> tuple[str, str] | None:
    if shape.is_circular:
        return "circle", "fragments that spread each other in a circle"
    if shape.depth > limits.depth:
        return "depth", f"fields {shape.depth} deep, at most {limits.depth}"
    if shape.aliases > limits.aliases:
        return "aliases", f"{shape.aliases} fields under another name, at most {limits.aliases}"
    if shape.introspects and not limits.introspection:
        return "introspection", "a question about the schema"
    return None


def _finding(line: str, evidence: str) -> Finding:
    return Finding(
        detector=ID, category=f"{ID}.{line}", severity=Severity.CRITICAL, evidence=evidence
    )
