"""Acts on production.

Finds: anything but reading whose target is named or said to be production; reading there who
somebody is, by two private columns or more.
Why it matters: other people's work and money depend on it, at once (CWE-862).
Example: `kubectl --context prod delete deploy api`, `psql $PROD_URL -c "UPDATE ..."`.
Does not find: all other reading of production, names that contain the letters (`product`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from signoff.actions.operation import Operation, Reach, Trait, Verb
from signoff.assess.combined.evidence.people_read import reads_people
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.evidence import in_operations, shell_call
from signoff.assess.finding import Finding, Severity

ID = "production-impact"
HARMLESS = frozenset({Verb.READ, Verb.INERT})
LOSS = frozenset({Trait.SCHEMA_LOSS, Trait.UNBOUNDED, Trait.WHOLE_STORE, Trait.BULK})


def run(evidence: Evidence) -> Iterator[Finding]:
    """Return one finding for each Operation that reaches production."""
    return in_operations(evidence, ID, partial(_line, evidence))


def _line(evidence: Evidence, op: Operation) -> tuple[str, Severity] | None:
    if op.reach is not Reach.PRODUCTION or Trait.DRY_RUN in op.traits:
        return None
    if op.verb is Verb.READ and reads_people(op, evidence):
        return "people-read", Severity.MEDIUM
    if op.verb in HARMLESS:
        return "read", Severity.LOW
    if op.verb is Verb.DELETE or not LOSS.isdisjoint(op.traits):
        return "loss", Severity.CRITICAL
    return "change", Severity.HIGH


DETECTOR = Detector(
    id=ID,
    run=run,
    title="Production is reached",
    lines="change loss people-read read",
    cwe=("CWE-862",),
    asi=("ASI02", "ASI08"),
    marks=frozenset({Reach.PRODUCTION}),
    fires=(
        shell_call("kubectl --context prod delete deployment api"),
        shell_call("aws s3 rm s3://prod-data --recursive"),
        shell_call("heroku ps:scale web=0 --app shop-production"),
        shell_call('psql service=shop_prod -c "SELECT name, email FROM clients LIMIT 5"'),
    ),
    passes=(
        shell_call("npm run build -- --mode production"),
        shell_call("grep -rn production src"),
        shell_call("ls products"),
        shell_call('psql -h localhost shop_dev -c "SELECT name, email FROM clients"'),
    ),
)
