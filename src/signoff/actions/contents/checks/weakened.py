"""All that new text says about checks it weakens, whatever its language and format.

weakened_checks(path, NewText(new="SSLOptions.VerifyMode := [];"))  -> takes any certificate
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.checks.comments import running
from signoff.actions.contents.checks.constant_answers import constant_answer, told_removal
from signoff.actions.contents.checks.dropped import dropped_check
from signoff.actions.contents.checks.evaluated import evaluated_text
from signoff.actions.contents.checks.handed_values import handed_value
from signoff.actions.contents.checks.narrowed import narrowed_check
from signoff.actions.contents.checks.openings import opened_site, openings
from signoff.actions.contents.checks.peers import unexamined_peer
from signoff.actions.contents.checks.rendered import raw_value
from signoff.actions.contents.checks.tests_off import tests_off
from signoff.actions.contents.edits.sign_ins.skipped_passwords import skipped_password
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Trait

Meaning = tuple[frozenset[Trait], str, str]
_READ = 200_000  # characters
_WEAKENS = frozenset({Trait.WEAKENS})
_CODE = frozenset({FileKind.SOURCE, FileKind.BUILD, FileKind.OTHER})
_REPRODUCTIONS = ("repro", "mre_", "mre.", "minimal_repro")
_MAY_REGISTER = frozenset({FileKind.TEST, FileKind.BUILD, FileKind.MANIFEST})


def weakened_checks(kind: FileKind, path: str, text: NewText) -> Iterator[Meaning]:
    """Yield each check that new text weakens, with the place; a document weakens none."""
    if kind is FileKind.DOC or reproduces_bug(kind, path):
        return
    new = running(text.new[:_READ], path)
    old = (text.old or "")[:_READ]
    before = running(old, path)
    found = [*_by_itself(kind, path, new), *(_by_edit(kind, path, text) if old else ())]
    if kind in _CODE:
        found.append(("has a check say yes to everything", constant_answer(before, new)))
        found.append(("signs somebody in without the password", skipped_password(new)))
        found.append(("has a check only as a comment", told_removal(text.new[:_READ], path)))
    for says, line in found:
        if line and _is_new(line, new, before):
            yield _WEAKENS, says, line


def reproduces_bug(kind: FileKind, path: str) -> bool:
    """Return whether a program shows a bug and guards nothing: it often has `verify=False`."""
    return kind is FileKind.SOURCE and path.rpartition("/")[2].lower().startswith(_REPRODUCTIONS)


def _is_new(found: str, new: str, before: str) -> bool:
    """Whether what was found stands on a line that the old text did not have."""
    if not before or "\n" in found or found not in new:
        return found not in before
    known = {line.strip() for line in before.split("\n")}
    return any([found in line and line.strip() not in known for line in new.split("\n")])


def _by_itself(kind: FileKind, path: str, new: str) -> Iterator[tuple[str, str]]:
    low = new.lower()
    yield "takes any certificate or host key", unexamined_peer(new, low)
    yield from openings(new, low, path)
    if kind in _CODE:
        yield "evaluates a text from outside", evaluated_text(new, low, path)
        yield "hands a value to a shell or database as it is", handed_value(new, low)


def _by_edit(kind: FileKind, path: str, text: NewText) -> Iterator[tuple[str, str]]:
    old, new = (text.old or "")[:_READ], text.new[:_READ]
    yield "lets everybody in", opened_site(old, new)
    # What goes stood in the old text: a mark keeps it from counting as known.
    if dropped := dropped_check(old, new, path):
        yield f"takes the check `{dropped[:80]}` away", f"gone: {dropped}"
    yield "has a check cover less", narrowed_check(running(old, path), running(new, path))
    if kind in _CODE:
        yield "puts a value into a page as markup", raw_value(old, new)


def many_tests_off(kind: FileKind, path: str, text: NewText) -> str:
    """Return how a file of tests or of the build switches many tests off, "" if it does not."""
    return tests_off(text, path) if kind in _MAY_REGISTER else ""
