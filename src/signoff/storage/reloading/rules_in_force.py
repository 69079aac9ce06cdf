"""The rules in force: a pack's, the user's and the project's, read again when a file changes.

Files are looked at no more than twice a second, when somebody asks. A file that changed this very
moment may be half written, so it is read a moment later. A bad file, or one that has vanished,
leaves the last good rules in force and says so in `problem`; while there never were good rules,
asking for them raises, and the gate refuses.

    rules = RulesInForce(user_file="/home/dev/.config/signoff/rules.yaml")
    rules.current().rules
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from msgspec import Struct

from signoff.assess.rules.load import FILE_FIELDS, FORM, load_rules, merge, merge_pack
from signoff.assess.rules.rule import RuleSet
from signoff.documents.reading import read_yaml
from signoff.errors import BadRules, BadSettings
from signoff.storage.reloading.periodic_check import PeriodicCheck
from signoff.storage.text_file import Signature, are_settled, read_text, signature_of
from signoff.values import replace

RULES_LIMIT = 1_000_000  # bytes
OWN_FIELDS = ("defaults", "rules")

Signatures = tuple[Signature | None, ...]


class _Loaded(Struct, frozen=True, kw_only=True):
    """Rules with the state of the files they came from.

    Args:
        whole: all that was read; `rules`: those in force here, until `until_s`.
        files: those that `whole` was read from.
        signatures: the state of all files at the last look.
    """

    whole: RuleSet
    files: frozenset[str]
    signatures: Signatures
    rules: RuleSet = RuleSet()
    until_s: float = float("-inf")


class RulesInForce:
    """Keeps the rules in force current; swaps them as a whole.

    Args:
        pack: shipped rules, with those of a bundle.
        only_tightens: the user's rules only tighten, as a project's do: the machine is under a
            bundle.
    """

    def __init__(
        self,
        *,
        pack: RuleSet | None = None,
        user_file: str = "",
        project_file: str = "",
        only_tightens: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.problem = ""
        self._project = os.path.dirname(project_file)
        self._wall, self._latest_s = wall, 0.0
        self._pack = pack or RuleSet()
        self._files = (user_file, project_file)
        self._only_tightens = only_tightens
        self._loaded = PeriodicCheck(self._checked, clock=clock)

    def current(self) -> RuleSet:
        """Return the rules in force, read again if a file has changed.

        Raises:
            BadRules: there are no good rules yet, and those on disk are refused.
        """
        return self._loaded.current().rules

    def everywhere(self) -> RuleSet:
        """Return the rules of all projects, expired ones included, as last read.

        Raises:
            BadRules: there are no good rules yet, and those on disk are refused.
        """
        return self._loaded.current().whole

    def _checked(self, loaded: _Loaded | None) -> _Loaded:
        """Return what is in force now; read the files again if they have changed."""
        signatures = tuple(signature_of(file) for file in self._files)
        if loaded is None or (signatures != loaded.signatures and are_settled(signatures)):
            loaded = self._reloaded(loaded, signatures)
        return self._in_force(loaded)

    def _in_force(self, loaded: _Loaded) -> _Loaded:
        """Leave out what is over or belongs to another project; the same object if nothing ends."""
        # A clock that is set back revives nothing.
        now_s = self._latest_s = max(self._latest_s, self._wall())
        if now_s < loaded.until_s:
            return loaded
        rules = loaded.whole.holding(self._project, now_s)
        until_s = rules.next_end_s(now_s)
        return replace(loaded, rules=rules, until_s=until_s)

    def _reloaded(self, last_good: _Loaded | None, signatures: Signatures) -> _Loaded:
        """Read the files again; what is bad leaves the last good rules in force."""
        try:
            if last_good is not None:
                _check_still_there(last_good.files, self._files, signatures)
            rules = self._read()
        except BadRules as error:
            self.problem = str(error)
            if last_good is None:
                raise
            # Signatures of the bad files: they are not read again until they change again.
            return replace(last_good, signatures=signatures)
        self.problem = ""
        found = zip(self._files, signatures, strict=True)
        files = frozenset(file for file, signature in found if signature is not None)
        return _Loaded(whole=rules, files=files, signatures=signatures)

    def _read(self) -> RuleSet:
        """Read and join all rules."""
        user_file, project_file = self._files
        text = _text_of(user_file)
        user = None if text is None else load_rules(text, file=user_file)
        rules = self._with_pack(user)
        text = rules_of_project(_text_of(project_file), file=project_file)
        return rules if text is None else merge(rules, load_rules(text, file=project_file))

    def _with_pack(self, user: RuleSet | None) -> RuleSet:
        """Join the user's rules to those they stand on."""
        if not self._only_tightens:
            return merge_pack(self._pack, user or RuleSet())
        return self._pack if user is None else merge(self._pack, user, whose="a file of this node")


def rules_of_project(text: str | None, *, file: str) -> str | None:
    """Return a project's file with its settings blanked out; None if it has no rules.

    Line numbers stay.

    Raises:
        BadRules: it is not valid YAML, or settings and rules cannot be told apart.
    """
    if text is None or not text.strip():
        return None
    root = read_yaml(text, file=file, form=FORM)
    keys = [key for key, _ in root.pairs()]
    if not any(key.written in OWN_FIELDS for key in keys):
        return None
    if root.is_in_braces:
        raise root.refuse("settings and rules in one pair of braces; give each its own line")
    lines = text.splitlines(keepends=True)
    ends = [key.line - 1 for key in keys[1:]] + [len(lines)]
    for key, end in zip(keys, ends, strict=True):
        if key.written not in FILE_FIELDS:
            start = key.line - 1
            # Blank lines in their place, so that errors name the lines of the file.
            lines[start:end] = ["\n"] * (end - start)
    return "".join(lines)


def _text_of(file: str) -> str | None:
    """Return the text of a file, None if there is none."""
    try:
        return read_text(file, limit=RULES_LIMIT) if file else None
    except BadSettings as error:
        raise BadRules(str(error)) from error


def _check_still_there(
    read: frozenset[str], files: tuple[str, ...], signatures: Signatures
) -> None:
    """Refuse a change while a file that was read is gone: fewer rules must be said, not unsaid."""
    for file, signature in zip(files, signatures, strict=True):
        if file in read and signature is None:
            raise BadRules(f"{file}: is gone; the rules read from it stay in force")
