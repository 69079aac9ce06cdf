"""Rules read from another tool's configuration, and what of it could not be carried over.

What would let more through than it did there is left out rather than guessed at, and an imported
allow rule never lets through what is CRITICAL.

    imported = Importing("settings.json")
    imported.add("allow", "Bash(npm test)", tool="", match={"command": ["npm test $"]})
    imported.result().yaml
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from signoff.assess.rules.command_pattern import READS_CODE
from signoff.assess.rules.load import load_rules
from signoff.challenge.visible import visible
from signoff.effects.learning.learned_rule import EMPTY, INDENT
from signoff.errors import BadRules

NAME_LENGTH = 60
REASON_LENGTH = 300
# Run what follows them, or what they fetch: a rule for one of them is a rule for everything.
RUNS_OTHERS = READS_CODE | {
    *("bunx", "chroot", "command", "doas", "dotenv", "entr", "env", "eval", "exec", "find"),
    *("flock", "ionice", "nice", "nohup", "npx", "parallel", "pipx", "pkexec", "rg", "runuser"),
    *("script", "setsid", "source", "stdbuf", "su", "sudo", "time", "timeout", "tmux", "uv"),
    *("uvx", "watch", "xargs"),
}
Patterns = Sequence[str | Mapping[str, str]]


class ImportedRule(Struct, frozen=True, kw_only=True):
    """One rule as it is written into a rules file."""

    name: str
    lines: tuple[str, ...]


class LeftOutEntry(Struct, frozen=True, kw_only=True):
    """One entry of the foreign configuration, and why it was not imported."""

    entry: str
    why: str

    def __str__(self) -> str:
        return visible(f"{self.entry}: {self.why}")


class ImportResult(Struct, frozen=True, kw_only=True):
    """The rules imported, and the entries left out."""

    rules: tuple[ImportedRule, ...]
    left_out: tuple[LeftOutEntry, ...]

    @property
    def yaml(self) -> str:
        """The rules as the text of a rules file."""
        if not self.rules:
            return f"{EMPTY.rstrip()} []\n"
        lines = (f"{INDENT}{line}\n" for rule in self.rules for line in rule.lines)
        return EMPTY + "".join(lines)


class Importing:
    """Collects imported rules.

    Args:
        source: what they come from, for their reasons.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._rules: dict[str, ImportedRule] = {}
        self._left_out: list[LeftOutEntry] = []

    def leave_out(self, entry: str, why: str) -> None:
        """Note an entry that is not imported, and why."""
        self._left_out.append(LeftOutEntry(entry=entry[:REASON_LENGTH], why=why))

    def add(
        self,
        action: str,
        entry: str,
        *,
        tool: str = "",
        match: Mapping[str, Patterns] | None = None,
        reason: str = "",
        expires: str = "",
    ) -> None:
        """Add a rule; one that is not valid is noted as left out.

        Args:
            action: `deny`, `allow` or `escalate`.
            entry: the foreign configuration's entry.
            match: patterns by field, as in a rules file; None = every use of the tool.
        """
        if action == "allow" and not match and not _is_one_mcp_tool(tool):
            self.leave_out(entry, "it lets every use of the tool through, whatever it does")
            return
        why = reason or f"imported from {self._source}: {entry}"
        name = self._name(action, entry)
        lines = [f"- name: {_text(name)}", f"  action: {action}"]
        lines += [f"  tool: {_text(tool)}"] if tool else []
        if match:
            lines.append("  match:")
            for field, patterns in match.items():
                lines.append(f"    {_text(field)}:")
                lines += [f"      - {json.dumps(one, ensure_ascii=False)}" for one in patterns]
        lines += ["  limits: {level: high}"] if action == "allow" else []
        lines += [f"  expires: {expires}"] if expires else []
        lines.append(f"  reason: {_text(visible(why)[:REASON_LENGTH])}")
        rule = ImportedRule(name=name, lines=tuple(lines))
        try:
            load_rules(EMPTY + "".join(f"{INDENT}{line}\n" for line in lines), file="rule")
        except BadRules as error:
            self.leave_out(entry, str(error).partition(": ")[2] or str(error))
            return
        self._rules[name] = rule

    def add_command(self, action: str, entry: str, words: str, *, is_exact: bool) -> None:
        """Add a rule for a command.

        Args:
            action: `deny`, `allow` or `escalate`.
            entry: the foreign configuration's entry.
            words: the command as typed.
            is_exact: True = exactly this command; False = any that starts with it.
        """
        program = words.split(" ")[0].rsplit("/", 1)[-1].lower() if words.strip() else ""
        if not program:
            self.leave_out(entry, "it names no command")
        elif action == "allow" and not is_exact and _runs_others(program):
            why = f"`{program}` runs other things: a rule for it would let everything through"
            self.leave_out(entry, why)
        elif action == "allow" and not is_exact and len(words.split()) == 1 and "*" in program:
            self.leave_out(entry, "it names no program")
        else:
            pattern = f"{words.strip()} $" if is_exact else words.strip()
            self.add(action, entry, match={"command": [pattern]})

    def result(self) -> ImportResult:
        """Return what was collected."""
        return ImportResult(rules=tuple(self._rules.values()), left_out=tuple(self._left_out))

    def _name(self, action: str, entry: str) -> str:
        words = re.sub(r"[^A-Za-z0-9]+", "-", entry).strip("-").lower()[:NAME_LENGTH] or "rule"
        name, count = f"{action}-{words}", 1
        while name in self._rules:
            count += 1
            name = f"{action}-{words}-{count}"
        return name


def _is_one_mcp_tool(tool: str) -> bool:
    return tool.startswith("mcp__") and tool.count("__") > 1 and "*" not in tool and "|" not in tool


def _runs_others(program: str) -> bool:
    # `python3.12` runs others as `python` does.
    return program.rstrip("0123456789.-") in RUNS_OTHERS or program in RUNS_OTHERS


def _text(text: str) -> str:
    # A JSON string is a YAML string, so nothing imported can end its quotes and add a rule.
    return json.dumps(text, ensure_ascii=False)
