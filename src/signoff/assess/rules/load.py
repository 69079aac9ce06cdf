"""A rules file from text, and rules of several files joined.

    version: 1
    defaults: {unmatched: escalate}
    rules:
      - name: no-force-push
        action: deny
        match: {command: git push --force}
        reason: the history of others is not ours to rewrite
        expect: [{call: git push -f origin main, verdict: deny}]

Pure: text in, `RuleSet` out; who reads the file, and when again, is decided at the edge. A file
is read whole or refused whole; nothing of a bad one is ever in force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import PATTERN_LIMIT, BadPattern, Glob, Literal, Regex
from signoff.assess.rules.rule import (
    LIMIT_LEVELS,
    Expectation,
    FieldMatch,
    Pattern,
    Rule,
    RuleAction,
    RuleLimits,
    RuleSet,
)
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadRules

VERSION = "1"
RULES_LIMIT = 5_000
FORM = FileForm(what="a rules file", expected="`version: 1` and `rules`", error=BadRules)
FILE_FIELDS = ("version", "defaults", "rules")
STRICTNESS = (RuleAction.ALLOW, RuleAction.ESCALATE, RuleAction.DENY)
RULE_FIELDS = (
    *("name", "action", "tool", "match", "reason", "expect"),
    *("limits", "project", "expires", "origin"),
)
LIMIT_FIELDS = ("level", "findings", "effects")
PATTERN_TYPES = ("literal", "regex", "glob", "command", "operation")
OPERATION_FIELDS = (
    "verb",
    "thing",
    "reach",
    "target",
    "path",
    "file_kind",
    "program",
    "traits",
    "any_traits",
    "reversible",
    "understood",
)
VERDICTS = ("allow", "ask", "deny", "none")
NAME_LIMIT = 100
REASON_LIMIT = 1_000
CALL_LIMIT = 20_000
TOOLS_LIMIT = 200
FIELDS_LIMIT = 50
PATTERNS_LIMIT = 1_000  # of one field
TOTAL_LIMIT = 20_000  # patterns of one file
EXPECT_LIMIT = 200

Closed = TypeVar("Closed", bound=StrEnum)
Made = TypeVar("Made")


def load_rules(text: str, *, file: str) -> RuleSet:
    """Parse a rules file; `file` is its name in messages.

    Raises:
        BadRules: it is not valid; the message says where and what was expected.
    """
    return read_rules(read_yaml(text, file=file, form=FORM), file=file)


def read_rules(root: Node, *, file: str) -> RuleSet:
    """Read the rules of a parsed file.

    Raises:
        BadRules: they are not valid.
    """
    fields = root.fields(allowed=FILE_FIELDS)
    _check_version(root, fields.get("version"))
    if "rules" not in fields:
        raise root.refuse("`rules` is missing; write `rules: []` if there are none")
    items = fields["rules"].items()
    if len(items) > RULES_LIMIT:
        raise fields["rules"].refuse(f"rules: {len(items)} rules (at most {RULES_LIMIT})")
    reader = RuleReader(file)
    unmatched = _unmatched(fields.get("defaults"))
    rules = tuple(reader.rule(item) for item in items)
    _check_names(rules, items)
    return RuleSet(rules=rules, unmatched=unmatched, sources=(file,))


def _check_version(root: Node, node: Node | None) -> None:
    if node is None:
        raise root.refuse(f"`version` is missing; write `version: {VERSION}`")
    version = node.text(limit=100)
    if version != VERSION:
        raise node.refuse(f"version `{version}` is not supported (only {VERSION})")


def _unmatched(node: Node | None) -> RuleAction:
    fields = node.fields(allowed=("unmatched",)) if node else {}
    if "unmatched" not in fields:
        return RuleAction.ESCALATE
    return RuleAction(fields["unmatched"].word(tuple(map(str, RuleAction))))


def _check_names(rules: tuple[Rule, ...], nodes: list[Node]) -> None:
    first: dict[str, Rule] = {}
    for rule, node in zip(rules, nodes, strict=True):
        if rule.name in first:
            line = first[rule.name].line
            raise node.refuse(f"a second rule `{rule.name}`; the first is in line {line}")
        first[rule.name] = rule


class RuleReader(Struct):
    """Reads the rules of one file and counts their patterns."""

    file: str
    pattern_count: int = field(default=0)

    def rule(self, node: Node) -> Rule:
        """Read one rule.

        Raises:
            BadRules: it is not valid.
        """
        node.name = "a rule"
        fields = node.fields(allowed=RULE_FIELDS)
        for needed in ("name", "action"):
            if needed not in fields:
                raise node.refuse(f"a rule needs `{needed}`")
        name = fields["name"].text(limit=NAME_LIMIT)
        if not name.isprintable():
            raise fields["name"].refuse("name: only printable characters")
        reason, origin = fields.get("reason"), fields.get("origin")
        action = RuleAction(fields["action"].word(tuple(map(str, RuleAction))))
        if "limits" in fields and action is not RuleAction.ALLOW:
            raise fields["limits"].refuse("limits: only an allow rule has limits")
        return Rule(
            name=name,
            action=action,
            tools=_tools(fields["tool"]) if "tool" in fields else (),
            match=self._match(fields["match"], f"rule `{name}`") if "match" in fields else (),
            reason=reason.text(limit=REASON_LIMIT) if reason else "",
            expect=_expect(fields["expect"]) if "expect" in fields else (),
            file=self.file,
            line=node.line,
            limits=_limits(fields["limits"]) if "limits" in fields else None,
            project=_folder(fields["project"]) if "project" in fields else "",
            expires_s=_end_s(fields["expires"]) if "expires" in fields else 0.0,
            origin=origin.text(limit=REASON_LIMIT) if origin else "",
        )

    def _match(self, node: Node, what: str) -> tuple[FieldMatch, ...]:
        fields = node.fields(what=f"match of {what}")
        if not fields:
            raise node.refuse(f"match of {what} is empty; leave `match` out to mean every use")
        if len(fields) > FIELDS_LIMIT:
            raise node.refuse(f"match: {len(fields)} fields (at most {FIELDS_LIMIT})")
        found: dict[str, list[Pattern]] = {}
        for name, value in fields.items():
            if not all(name.split(".")) or name.count(".") > 15:
                place = value.key or value
                raise place.refuse(f"field `{name}` has an empty or too deep part")
            for item in value.one_or_more(limit=PATTERNS_LIMIT):
                pattern = self._pattern(item, name)
                is_fieldless = isinstance(pattern, CommandPattern | OperationPattern)
                found.setdefault("" if is_fieldless else name, []).append(pattern)
        return tuple(FieldMatch(field=name, patterns=tuple(p)) for name, p in found.items())

    def _pattern(self, node: Node, field_name: str) -> Pattern:
        self.pattern_count += 1
        if self.pattern_count > TOTAL_LIMIT:
            raise node.refuse(f"more than {TOTAL_LIMIT} patterns in one file")
        if field_name == "operation":
            return _operation(node)
        if node.is_scalar:
            return _typed(node, "command" if field_name == "command" else "literal")
        fields = node.fields(what="a pattern", allowed=PATTERN_TYPES)
        if len(fields) != 1:
            raise node.refuse(f"a pattern has one type of {', '.join(PATTERN_TYPES)}")
        kind, value = next(iter(fields.items()))
        return _operation(value) if kind == "operation" else _typed(value, kind)


def _limits(node: Node) -> RuleLimits:
    fields = node.fields(allowed=LIMIT_FIELDS)
    return RuleLimits(
        level=fields["level"].word(LIMIT_LEVELS) if "level" in fields else LIMIT_LEVELS[-1],
        findings=_texts(fields["findings"]) if "findings" in fields else None,
        effects=_texts(fields["effects"]) if "effects" in fields else None,
    )


def _texts(node: Node) -> frozenset[str]:
    if node.is_list and not node.items():
        return frozenset()  # none at all
    return frozenset(one.text(limit=NAME_LIMIT) for one in node.one_or_more(limit=TOOLS_LIMIT))


def _folder(node: Node) -> str:
    folder = node.text(limit=REASON_LIMIT)
    if not folder.startswith("/"):
        raise node.refuse(f"project: expected an absolute folder, got `{folder}`")
    return folder.rstrip("/") or "/"


def _end_s(node: Node) -> float:
    """Return when a rule ends: a day counts to its end, in UTC."""
    text = node.text(limit=40)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise node.refuse(f"expires: expected a day like `2030-12-31`, got `{text}`") from None
    if len(text) == len("2030-12-31"):
        at += timedelta(days=1)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _tools(node: Node) -> tuple[str, ...]:
    names: list[str] = []
    for item in node.one_or_more(limit=TOOLS_LIMIT):
        text = item.text(limit=PATTERN_LIMIT)
        parts = [part.strip() for part in text.split("|")]
        if not all(parts):
            raise item.refuse(f"tool: `{text}` has an empty name between `|`")
        # An expression would be taken for a name that no tool has, and the rule never hold.
        bad = next((part for part in parts if any(c in part for c in "[]{}?()^$\\ ")), None)
        if bad is not None:
            raise item.refuse(
                f"tool: `{bad}` is no tool name; names are joined by `|`, `*` stands for anything"
            )
        names.extend(parts)
    return () if "*" in names else tuple(dict.fromkeys(names))


def _typed(node: Node, kind: str) -> Pattern:
    node.name = kind
    text = node.text(limit=CALL_LIMIT)
    match kind:
        case "literal":
            return Literal(text)
        case "regex":
            return _make(Regex, text, node)
        case "glob":
            return _make(Glob, text, node)
        case _:
            return _make(CommandPattern, text, node)


def _make(made: Callable[[str], Made], text: str, node: Node) -> Made:
    try:
        return made(text)
    except BadPattern as error:
        raise node.refuse(str(error)) from error


def _operation(node: Node) -> OperationPattern:
    fields = node.fields(what="operation", allowed=OPERATION_FIELDS)
    if not fields:
        raise node.refuse("operation is empty; leave `match` out to mean every use")
    return OperationPattern(
        verbs=_closed(fields, "verb", Verb),
        things=_closed(fields, "thing", ResourceType),
        reaches=_closed(fields, "reach", Reach),
        file_kinds=_closed(fields, "file_kind", FileKind),
        targets=_globs(fields, "target"),
        paths=_globs(fields, "path"),
        programs=_globs(fields, "program"),
        traits=_closed(fields, "traits", Trait),
        any_traits=_closed(fields, "any_traits", Trait),
        reversible=fields["reversible"].flag() if "reversible" in fields else None,
        understood=fields["understood"].flag() if "understood" in fields else None,
    )


def _closed(fields: Mapping[str, Node], name: str, closed: type[Closed]) -> frozenset[Closed]:
    if name not in fields:
        return frozenset()
    allowed = tuple(map(str, closed))
    items = fields[name].one_or_more(limit=len(closed))
    return frozenset(closed(item.word(allowed)) for item in items)


def _globs(fields: Mapping[str, Node], name: str) -> tuple[Glob, ...]:
    found: list[Glob] = []
    for item in fields[name].one_or_more(limit=PATTERNS_LIMIT) if name in fields else ():
        text = item.text(limit=PATTERN_LIMIT)
        if name == "path" and not text.startswith(("/", "*", "{", "[")):
            raise item.refuse(
                f"path `{text}` can never match: paths are absolute; start with `/` or `**/`,"
                " or use `reach: home` or `reach: project`"
            )
        found.append(_make(Glob, text, item))
    return tuple(found)


def _expect(node: Node) -> tuple[Expectation, ...]:
    if not node.is_list:
        raise node.expected("a list")
    return tuple(_example(item) for item in node.one_or_more(limit=EXPECT_LIMIT))


def _example(node: Node) -> Expectation:
    fields = node.fields(allowed=("call", "tool", "input", "verdict"))
    if "verdict" not in fields:
        raise node.refuse(f"an example needs `verdict` ({', '.join(VERDICTS)})")
    verdict = fields["verdict"].word(VERDICTS)
    tool = fields["tool"].text(limit=NAME_LIMIT) if "tool" in fields else "Bash"
    if "call" in fields:
        if "input" in fields:
            raise node.refuse("an example has `call`, or `tool` and `input`")
        call = fields["call"].text(limit=CALL_LIMIT)
        return Expectation(tool=tool, input={"command": call}, verdict=verdict, line=node.line)
    if "tool" not in fields:
        raise node.refuse("an example needs `call`, or `tool` and `input`")
    given = fields["input"].json() if "input" in fields else {}
    if not isinstance(given, Mapping):
        raise fields["input"].refuse("input: expected a mapping")
    return Expectation(tool=tool, input=given, verdict=verdict, line=node.line)


def merge(user: RuleSet, project: RuleSet, *, whose: str = "a project") -> RuleSet:
    """Combine the user's rules with a project's (or a bundle's with a user's): only tightening.

    Allow rules of the second are left out, its escalate rules come before allow rules, and its
    default counts only if stricter. `notes` of the result say what was left out.
    """
    kept = tuple(
        replace(rule, is_tightening=rule.action is RuleAction.ESCALATE)
        for rule in project.rules
        if rule.action is not RuleAction.ALLOW
    )
    notes = [
        f"{rule.where}: allow rule `{rule.name}` is left out: {whose} may only tighten"
        for rule in project.rules
        if rule.action is RuleAction.ALLOW
    ]
    if STRICTNESS.index(project.unmatched) < STRICTNESS.index(user.unmatched):
        notes.append(
            f"{', '.join(project.sources)}: unmatched `{project.unmatched}` is left out:"
            f" `{user.unmatched}` of the user's file is stricter"
        )
    return RuleSet(
        rules=user.rules + kept,
        unmatched=max(user.unmatched, project.unmatched, key=STRICTNESS.index),
        sources=user.sources + project.sources,
        notes=(*user.notes, *project.notes, *notes),
    )


def merge_pack(pack: RuleSet, user: RuleSet) -> RuleSet:
    """Join the user's rules to a pack's; a rule of the user replaces the pack's of the same name.

    The user's default holds. Deny rules of the pack about signoff itself cannot be replaced.
    """
    mine = {rule.name for rule in user.rules}
    kept = tuple(rule for rule in pack.rules if rule.name not in mine or guards_itself(rule))
    replaced = [rule for rule in pack.rules if rule not in kept]
    return RuleSet(
        rules=user.rules + kept,
        unmatched=user.unmatched,
        sources=user.sources + pack.sources,
        notes=(
            *pack.notes,
            *user.notes,
            *(f"{rule.where}: rule `{rule.name}` is replaced by the user's" for rule in replaced),
        ),
    )


def guards_itself(rule: Rule) -> bool:
    """Return whether a deny rule protects signoff itself."""
    return rule.action is RuleAction.DENY and any(
        isinstance(pattern, OperationPattern) and Reach.GUARD in pattern.reaches
        for match in rule.match
        for pattern in match.patterns
    )
