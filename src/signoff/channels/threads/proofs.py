"""Proofs in words: a quiz by letters and an explanation, as one person replies to a prompt.

prompt_text(step)                  what the prompt asks
read_proof(step, "B A")            Proof(choices=(1, 0))
"""

from __future__ import annotations

from signoff.challenge.terms.step import Proof, ProofKind, ProofStep
from signoff.challenge.visible import visible

LETTERS = "ABCDEFGH"
EXPLAIN = (
    "Reply to this message and say in your own words, 15 at least, what this call does and to"
    " what. Name what it is done to."
)
CHOOSE = "Reply to this message with one letter a question, in this order, such as `{example}`."


def prompt_text(step: ProofStep) -> str:
    """Return what one person is asked for a step that takes a proof."""
    if step.kind is ProofKind.TEACH_BACK:
        return EXPLAIN
    lines: list[str] = []
    for number, question in enumerate(step.questions, 1):
        lines.append(f"question {number} of {len(step.questions)}: {visible(question.text)}")
        named = zip(LETTERS, question.choices, strict=False)
        lines.extend(f"  {letter}) {visible(choice)}" for letter, choice in named)
    example = " ".join(LETTERS[(at + 1) % 2] for at in range(len(step.questions)))
    return "\n".join([*lines, CHOOSE.format(example=example)])


def read_proof(step: ProofStep, text: str) -> Proof | None:
    """Return the proof a reply gives, None where it is none of this kind."""
    match step.kind:
        case ProofKind.CONFIRM:
            return None
        case ProofKind.TEACH_BACK:
            return Proof(text=text) if text.strip() else None
        case ProofKind.QUIZ:
            letters = [char for char in text.upper() if char not in " ,.;)\n\t"]
            is_whole = len(letters) == len(step.questions)
            if not is_whole or any(letter not in LETTERS for letter in letters):
                return None
            return Proof(choices=tuple(LETTERS.index(letter) for letter in letters))
