"""What the nodes of one rule mean: names, patterns, conditions, examples.

Everything that is not known is refused with the words that are: a rule that is read wrongly is
worse than one that is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import yaml

from signoff.actions.action import Json
from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.assess.rules.command_pattern import CommandPattern
from signoff.assess.rules.notation.document import (
    BOOL,
    FLOAT,
    INT,
    NULL,
    RuleFileErrors,
    fields_of,
    items_of,
    kind_of,
    text_of,
)
from signoff.assess.rules.operation_pattern import OperationPattern
from signoff.assess.rules.pattern import PATTERN_LIMIT, BadPattern, Glob, Literal, Regex
from signoff.assess.rules.rule import Expectation, FieldMatch, Pattern, Rule, RuleAction

RULE_FIELDS = ("name", "action", "tool", "match", "reason", "expect")
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


@dataclass(slots=True)
class RuleReader:
    """Reads the rules of one file, and counts their patterns on the way."""

    place: RuleFileErrors
    pattern_count: int = field(default=0)

    def rule(self, node: yaml.Node) -> Rule:
        """Read one rule.

        Raises:
            BadRules: it is no rule.
        """
        place = self.place
        fields = fields_of(node, place, what="a rule", allowed=RULE_FIELDS)
        for needed in ("name", "action"):
            if needed not in fields:
                raise place.refuse(f"a rule needs `{needed}`", node)
        name = text_of(fields["name"][1], place, what="name", limit=NAME_LIMIT)
        if not name.isprintable():
            raise place.refuse("name: only printable characters", fields["name"][1])
        what = f"rule `{name}`"
        reason = fields.get("reason")
        return Rule(
            name=name,
            action=RuleAction(
                self.word(fields["action"][1], "action", tuple(map(str, RuleAction)))
            ),
            tools=self._tools(fields["tool"][1]) if "tool" in fields else (),
            match=self._match(fields["match"][1], what) if "match" in fields else (),
            reason=text_of(reason[1], place, what="reason", limit=REASON_LIMIT) if reason else "",
            expect=self._expect(fields["expect"][1]) if "expect" in fields else (),
            file=place.file,
            line=node.start_mark.line + 1,
        )

    def word(self, node: yaml.Node, what: str, allowed: tuple[str, ...]) -> str:
        """Read one of a closed set of words.

        Raises:
            BadRules: it is none of them.
        """
        if not isinstance(node, yaml.ScalarNode):
            raise self.place.refuse(f"{what}: expected one word, got {kind_of(node)}", node)
        if node.value not in allowed:
            raise self.place.unknown(what, node, allowed)
        return str(node.value)

    def _tools(self, node: yaml.Node) -> tuple[str, ...]:
        names: list[str] = []
        for item in items_of(node, self.place, what="tool", limit=TOOLS_LIMIT):
            text = text_of(item, self.place, what="tool", limit=PATTERN_LIMIT)
            parts = [part.strip() for part in text.split("|")]
            if not all(parts):
                raise self.place.refuse(f"tool: `{text}` has an empty name between `|`", item)
            bad = next((part for part in parts if any(c in part for c in "[]{}?()^$\\ ")), None)
            if bad is not None:
                raise self.place.refuse(
                    f"tool: `{bad}` is no tool name; names are joined by `|`, `*` stands for"
                    " anything",
                    item,
                )
            names.extend(parts)
        return () if "*" in names else tuple(dict.fromkeys(names))

    def _match(self, node: yaml.Node, what: str) -> tuple[FieldMatch, ...]:
        fields = fields_of(node, self.place, what=f"match of {what}")
        if not fields:
            raise self.place.refuse(
                f"match of {what} is empty; leave `match` out to mean every use", node
            )
        if len(fields) > FIELDS_LIMIT:
            raise self.place.refuse(f"match: {len(fields)} fields (at most {FIELDS_LIMIT})", node)
        found: dict[str, list[Pattern]] = {}
        for name, (key, value) in fields.items():
            if not all(name.split(".")) or name.count(".") > 15:
                raise self.place.refuse(f"field `{name}` has an empty or too deep part", key)
            limit = PATTERNS_LIMIT
            for item in items_of(value, self.place, what=f"`{name}`", limit=limit):
                pattern = self._pattern(item, name)
                is_fieldless = isinstance(pattern, CommandPattern | OperationPattern)
                found.setdefault("" if is_fieldless else name, []).append(pattern)
        return tuple(FieldMatch(field=name, patterns=tuple(p)) for name, p in found.items())

    def _pattern(self, node: yaml.Node, field_name: str) -> Pattern:
        self.pattern_count += 1
        if self.pattern_count > TOTAL_LIMIT:
            raise self.place.refuse(f"more than {TOTAL_LIMIT} patterns in one file", node)
        if field_name == "operation":
            return self._operation(node)
        if isinstance(node, yaml.ScalarNode):
            kind = "command" if field_name == "command" else "literal"
            return self._typed(node, kind)
        fields = fields_of(node, self.place, what="a pattern", allowed=PATTERN_TYPES)
        if len(fields) != 1:
            raise self.place.refuse(f"a pattern has one type of {', '.join(PATTERN_TYPES)}", node)
        kind, (_, value) = next(iter(fields.items()))
        return self._operation(value) if kind == "operation" else self._typed(value, kind)

    def _typed(self, node: yaml.Node, kind: str) -> Pattern:
        text = text_of(node, self.place, what=kind, limit=CALL_LIMIT)
        match kind:
            case "literal":
                return Literal(text)
            case "regex":
                return self._make(Regex, text, node)
            case "glob":
                return self._make(Glob, text, node)
            case _:
                return self._make(CommandPattern, text, node)

    def _make(self, made: Callable[[str], Made], text: str, node: yaml.Node) -> Made:
        try:
            return made(text)
        except BadPattern as error:
            raise self.place.refuse(str(error), node) from error

    def _operation(self, node: yaml.Node) -> OperationPattern:
        fields = fields_of(node, self.place, what="operation", allowed=OPERATION_FIELDS)
        if not fields:
            raise self.place.refuse("operation is empty; leave `match` out to mean every use", node)
        values = {name: value for name, (_, value) in fields.items()}
        return OperationPattern(
            verbs=self._closed(values, "verb", Verb),
            things=self._closed(values, "thing", ResourceType),
            reaches=self._closed(values, "reach", Reach),
            file_kinds=self._closed(values, "file_kind", FileKind),
            targets=self._globs(values, "target"),
            paths=self._globs(values, "path"),
            programs=self._globs(values, "program"),
            traits=self._closed(values, "traits", Trait),
            any_traits=self._closed(values, "any_traits", Trait),
            reversible=self._flag(values, "reversible"),
            understood=self._flag(values, "understood"),
        )

    def _closed(
        self, values: Mapping[str, yaml.Node], name: str, closed: type[Closed]
    ) -> frozenset[Closed]:
        if name not in values:
            return frozenset()
        items = items_of(values[name], self.place, what=name, limit=len(closed))
        allowed = tuple(map(str, closed))
        return frozenset(closed(self.word(item, name, allowed)) for item in items)

    def _globs(self, values: Mapping[str, yaml.Node], name: str) -> tuple[Glob, ...]:
        if name not in values:
            return ()
        found: list[Glob] = []
        for item in items_of(values[name], self.place, what=name, limit=PATTERNS_LIMIT):
            text = text_of(item, self.place, what=name, limit=PATTERN_LIMIT)
            if name == "path" and not text.startswith(("/", "*", "{", "[")):
                raise self.place.refuse(
                    f"path `{text}` can never match: paths are absolute; start with `/` or `**/`,"
                    " or use `reach: home` or `reach: project`",
                    item,
                )
            found.append(self._make(Glob, text, item))
        return tuple(found)

    def _flag(self, values: Mapping[str, yaml.Node], name: str) -> bool | None:
        if name not in values:
            return None
        node = values[name]
        if not isinstance(node, yaml.ScalarNode) or node.value.lower() not in ("true", "false"):
            raise self.place.refuse(f"{name}: expected true or false, got {kind_of(node)}", node)
        return bool(node.value.lower() == "true")

    def _expect(self, node: yaml.Node) -> tuple[Expectation, ...]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.place.refuse(f"expect: expected a list, got {kind_of(node)}", node)
        items = items_of(node, self.place, what="expect", limit=EXPECT_LIMIT)
        return tuple(self._example(item) for item in items)

    def _example(self, node: yaml.Node) -> Expectation:
        names = ("call", "tool", "input", "verdict")
        fields = fields_of(node, self.place, what="expect", allowed=names)
        if "verdict" not in fields:
            raise self.place.refuse(f"an example needs `verdict` ({', '.join(VERDICTS)})", node)
        verdict = self.word(fields["verdict"][1], "verdict", VERDICTS)
        line = node.start_mark.line + 1
        if "call" in fields:
            if "input" in fields:
                raise self.place.refuse("an example has `call`, or `tool` and `input`", node)
            call = text_of(fields["call"][1], self.place, what="call", limit=CALL_LIMIT)
            return Expectation(
                tool=self._tool_name(fields, "Bash"),
                input={"command": call},
                verdict=verdict,
                line=line,
            )
        if "tool" not in fields:
            raise self.place.refuse("an example needs `call`, or `tool` and `input`", node)
        given = self._json(fields["input"][1]) if "input" in fields else {}
        if not isinstance(given, Mapping):
            raise self.place.refuse("input: expected a mapping", fields["input"][1])
        tool = self._tool_name(fields, "")
        return Expectation(tool=tool, input=given, verdict=verdict, line=line)

    def _tool_name(
        self, fields: Mapping[str, tuple[yaml.ScalarNode, yaml.Node]], default: str
    ) -> str:
        if "tool" not in fields:
            return default
        return text_of(fields["tool"][1], self.place, what="tool", limit=NAME_LIMIT)

    def _json(self, node: yaml.Node) -> Json:
        if isinstance(node, yaml.MappingNode):
            fields = fields_of(node, self.place, what="input")
            return {name: self._json(value) for name, (_, value) in fields.items()}
        if isinstance(node, yaml.SequenceNode):
            return [self._json(item) for item in node.value]
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> Json:
        if node.tag == NULL:
            return None
        text = str(node.value)
        if node.tag == BOOL:
            return text.lower() in ("true", "yes", "on")
        try:
            if node.tag == INT:
                return int(text)
            return float(text) if node.tag == FLOAT else text
        except ValueError:
            return text
