"""Reads program descriptions in YAML: `data/<family>.yaml`, and a user's own.

    programs:
      - names: frob frobctl            # one or more programs that are alike
        values: -o --output -C         # options that take a value
        writes: --save                 # ... a file that is written (reads, runs: likewise)
        switches: --yes                # options without a value that need no more words
        harmless: --dry-run -h         # options with which nothing happens
        helps: --help help             # options that print help, where they are not the usual ones
        flags: {-f --force: forced}    # options that add traits
        does: write-files              # an act; a list for several
        commands:                      # sub-commands by what they do
          inspect: status list show
          delete project @project irreversible: destroy drop
        subs:                          # sub-commands that need more than one act
          push: {does: publish-repository, values: --remote}
        examples:                      # run by `signoff programs test`; form: `examples.py`
          frob destroy x: delete project

An act is the name of a preset (`data/presets.yaml`), or a verb and a thing, then any of `on:first`,
`@reach`, `+trait`, `reversible`, `irreversible`, `always`, in any order; or a mapping with `act`,
`default`, `why`, `understood`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import yaml

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Act, On
from signoff.actions.programs.examples import Example, read_expected
from signoff.actions.programs.program import (
    DASHED_HELPS,
    HELPS,
    SHORT_HELPS,
    HandlerOption,
    HandlerRef,
    Program,
    ServiceLine,
)
from signoff.actions.programs.yaml_nodes import YamlNodes, nearest
from signoff.errors import BadProgram

DEPTH_LIMIT = 24
QUIET_OPTIONS = frozenset({"-help", "--dry-run", "--simulate", "--what-if"})
R = TypeVar("R")
Presets = Mapping[str, Act]


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """The programs of one file, where each begins and ends, and the examples beside them.

    Args:
        lines: numbers of the first and the last line, one pair a program.
    """

    programs: tuple[Program, ...]
    lines: tuple[tuple[int, int], ...] = ()
    examples: tuple[Example, ...] = ()


def read_presets(text: str, *, file: str) -> dict[str, Act]:
    """Read named acts.

    Raises:
        BadProgram: the text is no such list; says where and what was expected.
    """
    reader = _Reader(file, {}, allows_handlers=False)
    top = reader.mapping(reader.parse(text), {"presets"})
    if "presets" not in top:
        return {}
    presets: dict[str, Act] = {}
    for key, node in reader.pairs(top["presets"]):
        name = reader.text(key)
        if " " in name or name in presets:
            raise reader.wrong(key, f"`{name}` is no new preset name; use one word, once")
        presets[name] = reader.act(node)
    return presets


def read_programs(
    text: str, *, file: str, presets: Presets, allows_handlers: bool = True
) -> Described:
    """Read the descriptions of one file.

    Args:
        allows_handlers: the file may name Python functions; a user's file may not.

    Raises:
        BadProgram: the text is no such description; says where and what was expected.
    """
    reader = _Reader(file, presets, allows_handlers=allows_handlers)
    top = reader.mapping(reader.parse(text), {"programs"})
    if "programs" not in top:
        raise BadProgram(f"{file}:1:1: no `programs` list; expected `programs:` with entries")
    nodes = reader.items(top["programs"])
    return Described(
        programs=tuple(reader.program(node) for node in nodes),
        lines=_lines(nodes),
        examples=tuple(reader.examples),
    )


def _lines(nodes: Sequence[yaml.Node]) -> tuple[tuple[int, int], ...]:
    """Give the first line of each entry, and the last one before the next entry."""
    starts = [node.start_mark.line + 1 for node in nodes]
    ends = [start - 1 for start in starts[1:]] + [node.end_mark.line + 1 for node in nodes[-1:]]
    return tuple((start, max(start, end)) for start, end in zip(starts, ends, strict=True))


ENTRY = set(
    [
        "does",
        "flags",
        "values",
        "switches",
        "writes",
        "reads",
        "runs",
        "instead",
        "harmless",
        "helps",
        "options_first",
        "clusters",
        "by_words",
        "reads_by_name",
        "bare",
        "otherwise",
        "service",
        "handler",
        "by_options",
        "prelude",
        "commands",
        "subs",
    ]
)


class _Reader(YamlNodes):
    """Turns the nodes of one file into descriptions."""

    def __init__(self, file: str, presets: Presets, *, allows_handlers: bool) -> None:
        super().__init__(file)
        self._presets = presets
        self._allows_handlers = allows_handlers
        self.examples: list[Example] = []
        self._acts: dict[str, Act] = {}
        self._entries: dict[int, Program] = {}  # by node; all live as long as their root

    # -- acts

    def acts(self, node: yaml.Node) -> tuple[Act, ...]:
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.act(one) for one in node.value)
        return (self.act(node),)

    def act(self, node: yaml.Node) -> Act:
        if isinstance(node, yaml.MappingNode):
            parts = self.mapping(node, {"act", "default", "why", "understood"})
            if "act" not in parts:
                raise self.wrong(node, "no `act`; expected `act: VERB THING ...`")
            more: dict[str, object] = {
                k: self.text(parts[k]) for k in ("default", "why") if k in parts
            }
            if "understood" in parts:
                more["understood"] = self.flag(parts["understood"])
            if isinstance(parts["act"], yaml.MappingNode):
                raise self.wrong(parts["act"], "expected a preset or `VERB THING ...`")
            return msgspec.structs.replace(self.act(parts["act"]), **more)
        text = self.text(node)
        known = self._presets.get(text) or self._acts.get(text)
        if known is None:
            known = self._acts[text] = self._spelled(text, node)
        return known

    def _spelled(self, text: str, node: yaml.Node) -> Act:
        """Read `delete backup @system +by-pattern irreversible always`."""
        first, *rest = text.split() or [""]
        if not rest:
            allowed = set(self._presets)
            raise self.wrong(
                node,
                f"unknown act `{text}`{nearest(text, allowed)}; "
                "expected a preset or `VERB THING ...`",
            )
        thing, *marks = rest
        act: dict[str, object] = {
            "verb": self.one_of(Verb, first, node),
            "thing": self.one_of(ResourceType, thing, node),
        }
        traits: set[Trait] = set()
        for mark in marks:
            if mark.startswith("on:"):
                act["on"] = self.one_of(On, mark[3:], node)
            elif mark.startswith("@"):
                act["reach"] = self.one_of(Reach, mark[1:], node)
            elif mark.startswith("+"):
                traits.add(self.one_of(Trait, mark[1:], node))
            elif mark in {"reversible", "irreversible"}:
                act["reversible"] = mark == "reversible"
            elif mark == "always":
                act["always"] = True
            else:
                raise self.wrong(
                    node,
                    f"`{mark}` in `{text}` is none of on:WORDS, @REACH, +TRAIT, reversible, "
                    "irreversible, always",
                )
        return Act(traits=frozenset(traits), **act)  # type: ignore[arg-type]  # read above

    # -- programs

    def program(self, node: yaml.Node) -> Program:
        parts = self.mapping(node, ENTRY | {"names", "examples"})
        if "names" not in parts:
            raise self.wrong(node, "no `names`; expected the program's name or names")
        names = self.words(parts["names"])
        if not names:
            raise self.wrong(parts["names"], "`names` is empty; expected at least one name")
        if "examples" in parts:
            for key, value in self.pairs(parts["examples"]):
                self.examples.append(self._example(key, value))
        return self._entry(parts, names, depth=0)

    def _example(self, key: yaml.Node, value: yaml.Node) -> Example:
        mark = key.start_mark
        place = f"{self._file}:{mark.line + 1}:{mark.column + 1}"
        text = self.text(value)
        try:
            return Example(
                line=self.text(key), expected=read_expected(text), text=text, place=place
            )
        except ValueError as error:
            raise self.wrong(value, f"example: {error}") from error

    def _entry(self, parts: dict[str, yaml.Node], names: tuple[str, ...], *, depth: int) -> Program:
        def words(key: str) -> frozenset[str]:
            return frozenset(self.words(parts[key])) if key in parts else frozenset()

        acting = {
            option: acts
            for options, acts in self._by_words(parts.get("instead"), self.acts)
            for option in options
        }
        flags = {
            option: traits
            for options, traits in self._by_words(parts.get("flags"), self._traits)
            for option in options
        }
        consuming = {o for o, acts in acting.items() if any(a.on is On.VALUE for a in acts)}
        takes = words("values") | words("writes") | words("reads") | words("runs") | consuming
        by_name = "reads_by_name" in parts and self.flag(parts["reads_by_name"])
        harmless = words("harmless") | (QUIET_OPTIONS if by_name else frozenset())
        clusters = self._is_on(parts, "clusters", default=True)
        usual = HELPS if clusters else HELPS | DASHED_HELPS
        helps = (words("helps") or usual).union(harmless & SHORT_HELPS)
        return Program(
            names=names,
            acts=self.acts(parts["does"]) if "does" in parts else (),
            flags=flags,
            writes=words("writes"),
            reads=words("reads"),
            runs=words("runs"),
            acting=acting,
            harmless=harmless - SHORT_HELPS,
            helps=helps,
            stopping=helps.union(harmless),
            subs=self._subs(parts, depth=depth),
            by_words=self.act(parts["by_words"]) if "by_words" in parts else None,
            options_first=self._is_on(parts, "options_first", default=False),
            clusters=clusters,
            handler=self._handler(parts, "handler"),
            service=self._service(parts["service"]) if "service" in parts else None,
            otherwise=self.act(parts["otherwise"]) if "otherwise" in parts else None,
            reads_by_name=by_name,
            bare=self.act(parts["bare"]) if "bare" in parts else None,
            by_options=self._handler(parts, "by_options"),
            prelude=self._handler(parts, "prelude"),
            takes=takes,
            known=takes.union(flags, acting, harmless, words("switches")),
        )

    def _is_on(self, parts: dict[str, yaml.Node], key: str, *, default: bool) -> bool:
        return self.flag(parts[key]) if key in parts else default

    def _by_words(
        self, node: yaml.Node | None, read: Callable[[yaml.Node], R]
    ) -> Iterator[tuple[tuple[str, ...], R]]:
        for key, value in self.pairs(node) if node is not None else ():
            yield self.words(key), read(value)

    def _traits(self, node: yaml.Node) -> frozenset[Trait]:
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return frozenset(self.one_of(Trait, self.text(one), one) for one in nodes)

    def _subs(self, parts: dict[str, yaml.Node], *, depth: int) -> dict[str, Program]:
        if depth > DEPTH_LIMIT:
            raise self.wrong(parts["subs"], f"more than {DEPTH_LIMIT} levels of sub-commands")
        subs: dict[str, Program] = {}
        for key in ("commands", "subs"):
            for left, right in self.pairs(parts[key]) if key in parts else ():
                named, what = (right, left) if key == "commands" else (left, right)
                if isinstance(what, yaml.MappingNode) and not self._is_act(what):
                    made = self._inner(what, depth=depth + 1)
                else:
                    made = Program(acts=self.acts(what))
                for name in self.words(named):
                    if name in subs:
                        raise self.wrong(named, f"sub-command `{name}` stands twice; keep one")
                    subs[name] = made
        return subs

    def _inner(self, node: yaml.MappingNode, *, depth: int) -> Program:
        """Read a sub-command once, wherever aliases repeat it: they could double at every level."""
        known = self._entries.get(id(node))
        if known is None:
            known = self._entry(self.mapping(node, ENTRY), (), depth=depth)
            self._entries[id(node)] = known
        return known

    def _is_act(self, node: yaml.MappingNode) -> bool:
        return any(isinstance(k, yaml.ScalarNode) and k.value == "act" for k, _ in node.value)

    # -- handlers

    def _handler(self, parts: dict[str, yaml.Node], key: str) -> HandlerRef | None:
        return self._ref(parts[key]) if key in parts else None

    def _ref(self, node: yaml.Node) -> HandlerRef:
        if not self._allows_handlers:
            raise self.wrong(node, "only signoff's own descriptions may name a handler")
        if isinstance(node, yaml.ScalarNode):
            return HandlerRef(name=self.text(node))
        parts = self.mapping(node, {"make", "with"})
        if "make" not in parts:
            raise self.wrong(node, "no `make`; expected the function that makes the handler")
        options = tuple(
            (self.text(key), self._option(value))
            for key, value in (self.pairs(parts["with"]) if "with" in parts else ())
        )
        return HandlerRef(name=self.text(parts["make"]), is_factory=True, options=options)

    def _option(self, node: yaml.Node) -> HandlerOption:
        text = self.text(node)
        if node.tag == "tag:yaml.org,2002:bool":
            return text == "true"
        return int(text) if node.tag == "tag:yaml.org,2002:int" else text

    def _service(self, node: yaml.Node) -> ServiceLine:
        parts = self.mapping(node, {"thing", "reach", "change", "bare", "help_at", "paths"})
        acts: dict[str, Act] = {}
        handlers: dict[str, HandlerRef] = {}
        for key, value in self.pairs(parts["paths"]) if "paths" in parts else ():
            for path in self.text(key).split("|"):
                name = " ".join(path.split())
                if isinstance(value, yaml.MappingNode) and not self._is_act(value):
                    handlers[name] = self._ref(self.mapping(value, {"handler"})["handler"])
                else:
                    acts[name] = self.act(value)
        kinds: dict[str, object] = {
            key: self.one_of(kind, self.text(parts[key]), parts[key])
            for key, kind in (
                ("thing", ResourceType),
                ("reach", Reach),
                ("change", Verb),
                ("bare", Verb),
            )
            if key in parts
        }
        if "help_at" in parts:
            kinds["help_at"] = self._option(parts["help_at"])
        return ServiceLine(acts=acts, handlers=handlers, **kinds)  # type: ignore[arg-type]  # read above
