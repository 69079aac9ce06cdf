"""Softer policy lines in `signoff.yaml`: one entry of `lines` written or taken out, all else kept.

with_line("pack: strict\n", "remote-change.pushed")
    "pack: strict\nlines:\n  remote-change.pushed: allow\n"
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.assess.verdict import Verdict
from signoff.documents.node import Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadSettings
from signoff.sections import USER_KEYS
from signoff.settings import FORM, USER_FILE

KEY = "lines"
INDENT = "  "


def with_line(text: str, line: str, *, file: str = USER_FILE) -> str:
    """Return the settings with a policy line set to allow.

    Raises:
        BadSettings: they cannot be read, name the line already, or cannot be changed without risk.
    """
    node = _listed(text, file)
    before = _verdicts(node)
    # Somebody has decided about this line: a press in the inbox does not overwrite it.
    if line in before:
        said = f"`lines` in {file} says `{line}: {before[line]}` already: change it by hand"
        raise BadSettings(said)
    entry = f"{line}: {Verdict.ALLOW.value}"
    if node is None:
        new = f"{text.rstrip()}\n{KEY}:\n{INDENT}{entry}\n".lstrip()
    elif node.is_in_braces:
        rest = text[node.start + 1 :]
        comma = "" if rest.lstrip().startswith("}") else ", "
        new = f"{text[: node.start + 1]}{entry}{comma}{rest}"
    else:
        new = f"{text[: node.start]}{entry}\n{' ' * (node.column - 1)}{text[node.start :]}"
    return _checked(new, {**before, line: Verdict.ALLOW.value}, line, file)


def without_line(text: str, line: str, *, file: str = USER_FILE) -> str:
    """Return the settings without this policy line.

    Raises:
        BadSettings: they cannot be read, do not allow the line, or cannot be changed without risk.
    """
    node = _listed(text, file)
    before = _verdicts(node)
    if node is None or before.get(line) != Verdict.ALLOW.value:
        raise BadSettings(f"`lines` in {file} does not let `{line}` through")
    key, value = next((k, v) for k, v in node.pairs() if k.written == line)
    start, end = key.start, value.end
    if node.is_in_braces:
        after = text[end:].lstrip()
        if after.startswith(","):
            end = len(text) - len(after[1:].lstrip())
        else:
            start = len(text[:start].rstrip().removesuffix(","))
    elif len(before) == 1:
        start, end = (node.key or node).start, _line_end(text, end)
    else:
        start, end = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    left = {name: verdict for name, verdict in before.items() if name != line}
    return _checked(text[:start] + text[end:], left, line, file)


def _line_end(text: str, at: int) -> int:
    """Return where the next line begins."""
    return text.find("\n", at) + 1 or len(text)


def _listed(text: str, file: str) -> Node | None:
    """Return where policy lines stand, None if nowhere."""
    if not text.strip():
        return None
    return read_yaml(text, file=file, form=FORM).fields(allowed=USER_KEYS).get(KEY)


def _verdicts(node: Node | None) -> Mapping[str, str]:
    if node is None or node.is_blank:
        return {}
    return {name: value.written for name, value in node.fields().items()}


def _checked(text: str, wanted: Mapping[str, str], line: str, file: str) -> str:
    """Return the new text if it says what is wanted, and nothing else."""
    try:
        is_right = dict(_verdicts(_listed(text, file))) == dict(wanted)
    except BadSettings:
        is_right = False
    if not is_right:
        raise BadSettings(f"`{line}` has no sure place in {file}: change `{KEY}` by hand")
    return text
