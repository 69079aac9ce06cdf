"""What is mutated, and the tests each part must fail by."""

from __future__ import annotations

from dataclasses import dataclass

CHALLENGE = "src/signoff/challenge"


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are mutated together.

    Args:
        sources: files, as patterns.
        tests: files or folders of tests that run in the process that holds the mutant.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]


GROUPS = {
    "decisions": Group(
        ("src/signoff/gate.py", "src/signoff/decide/*.py"),
        (
            "tests/decide",
            "tests/test_gate.py",
            "tests/test_gate_shadow.py",
            "tests/challenge/test_switch.py",
            "tests/frontends/hosts/test_refusal_advice.py",
            "tests/frontends/test_decorator_approved.py",
        ),
    ),
    "escalation": Group(
        (f"{CHALLENGE}/ladder.py", f"{CHALLENGE}/answer.py", f"{CHALLENGE}/request.py"),
        (
            "tests/challenge/test_ladder.py",
            "tests/challenge/test_model_rung.py",
            "tests/challenge/test_switch.py",
            "tests/challenge/test_nap.py",
            "tests/test_gate_shadow.py",
            "tests/frontends/test_decorator_approved.py",
        ),
    ),
    "tampering": Group(
        (f"{CHALLENGE}/proofs/seal.py", f"{CHALLENGE}/proofs/ledger.py"),
        (
            "tests/challenge/test_ledger.py",
            "tests/challenge/test_seal.py",
            "tests/challenge/test_seal_limits.py",
        ),
    ),
    "approvals": Group(
        (
            f"{CHALLENGE}/approval_service.py",
            f"{CHALLENGE}/proofs/steps.py",
            f"{CHALLENGE}/terms/binding.py",
        ),
        (
            "tests/challenge/test_approval_service.py",
            "tests/challenge/test_answer_outcomes.py",
            "tests/challenge/test_approval_binding.py",
            "tests/challenge/test_bound_shape.py",
            "tests/challenge/test_decoys.py",
            "tests/challenge/test_proof_limits.py",
            "tests/challenge/test_proofs.py",
            "tests/challenge/test_people.py",
            "tests/storage/test_requests_contract.py",
        ),
    ),
    "redaction": Group(
        ("src/signoff/redaction/*.py",),
        (
            "tests/redaction/test_redaction_limits.py",
            "tests/redaction/test_redact.py",
            "tests/redaction/test_secret_places.py",
            "tests/redaction/test_redacted_calls.py",
            "tests/effects/test_redacted_digest.py",
        ),
    ),
}
