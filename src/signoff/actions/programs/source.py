"""Reads program descriptions in YAML: `data/<family>.yaml`, and a user's own.

    programs:
      - names: frob frobctl            # one or more programs that are alike
        values: -o --output -C         # options that take a value
        writes: --save                 # ... a file that is written (reads, runs: likewise)
        switches: --yes                # options without a value that need no more words
        harmless: --dry-run -h         # options with which nothing happens
        secrets: --token @2            # where secrets stand; notation: `secret_notation.py`
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

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Act, On
from signoff.actions.programs.examples import Example, one_of, read_expected
from signoff.actions.programs.program import (
    DASHED_HELPS,
    HELPS,
    SHORT_HELPS,
    HandlerOption,
    HandlerRef,
    Program,
    ServiceLine,
)
from signoff.actions.programs.secret_notation import (
    SecretLines,
    read_own_secrets,
    read_places_by_program,
)
from signoff.actions.vocabulary import Vocabulary
from signoff.documents.nearest import did_you_mean
from signoff.documents.node import FileForm, Node
from signoff.documents.reading import read_yaml
from signoff.errors import BadProgram

DEPTH_LIMIT = 24
QUIET_OPTIONS = frozenset({"-help", "--dry-run", "--simulate", "--what-if"})
FORM = FileForm(
    what="a file of programs",
    expected="`programs:` with entries",
    error=BadProgram,
    bytes_limit=2 << 20,
    has_aliases=True,
)
R = TypeVar("R")
V = TypeVar("V", bound=Vocabulary)
Presets = Mapping[str, Act]


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """The programs described in one file.

    Args:
        lines, places: of each program: its first and last line, its `file:line:column`.
    """

    programs: tuple[Program, ...]
    lines: tuple[tuple[int, int], ...] = ()
    places: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


def read_presets(text: str, *, file: str) -> dict[str, Act]:
    """Parse a file of named acts.

    Raises:
        BadProgram: it is not valid; the message says where and what was expected.
    """
    top = read_yaml(text, file=file, form=FORM).fields(allowed=("presets",))
    reader, presets = _Reader({}, allows_handlers=False), dict[str, Act]()
    for key, node in top["presets"].pairs() if "presets" in top else ():
        name = key.text()
        if " " in name or name in presets:
            raise key.refuse(f"`{name}` is no new preset name; use one word, once")
        presets[name] = reader.act(node)
    return presets


def read_programs(
    text: str, *, file: str, presets: Presets, allows_handlers: bool = True
) -> Described:
    """Parse a file of program descriptions.

    Args:
        allows_handlers: True if it may name Python functions; a user's file may not.

    Raises:
        BadProgram: the text is no such description; says where and what was expected.
    """
    reader = _Reader(presets, allows_handlers=allows_handlers)
    root = read_yaml(text, file=file, form=FORM)
    top = root.fields(allowed=("programs",))
    if "programs" not in top:
        raise root.refuse(f"no `programs` list; expected {FORM.expected}")
    nodes = top["programs"].items()
    return Described(
        programs=tuple(reader.program(node) for node in nodes),
        lines=_lines(nodes),
        places=tuple(node.place for node in nodes),
        examples=tuple(reader.examples),
    )


def read_secret_places(text: str, *, file: str) -> dict[str, SecretLines]:
    """Parse the file of positions where programs take secrets.

    Raises:
        BadProgram: it is not valid; the message says where.
    """
    top = read_yaml(text, file=file, form=FORM).fields(allowed=("places",))
    return read_places_by_program(top["places"].pairs() if "places" in top else ())


def _lines(nodes: Sequence[Node]) -> tuple[tuple[int, int], ...]:
    """Give the first line of each entry, and the last one before the next entry."""
    starts = [node.line for node in nodes]
    ends = [start - 1 for start in starts[1:]] + [node.end_line for node in nodes[-1:]]
    return tuple((start, max(start, end)) for start, end in zip(starts, ends, strict=True))


ENTRY = (
    *("does", "flags", "values", "switches", "writes", "reads", "runs", "instead", "harmless"),
    *("helps", "options_first", "clusters", "by_words", "reads_by_name", "bare", "otherwise"),
    *("service", "handler", "by_options", "prelude", "commands", "subs", "secrets"),
)


class _Reader:
    """Turns the nodes of one file into descriptions."""

    def __init__(self, presets: Presets, *, allows_handlers: bool) -> None:
        self._presets = presets
        self._allows_handlers = allows_handlers
        self.examples: list[Example] = []
        self._acts: dict[str, Act] = {}
        self._entries: dict[int, Program] = {}  # by node; all live as long as their root

    # -- acts

    def acts(self, node: Node) -> tuple[Act, ...]:
        if node.is_list:
            return tuple(self.act(one) for one in node.items())
        return (self.act(node),)

    def act(self, node: Node) -> Act:
        if node.is_mapping:
            parts = node.fields(
                allowed=(
                    "act",
                    "default",
                    "why",
                    "understood",
                )
            )
            if "act" not in parts:
                raise node.refuse("no `act`; expected `act: VERB THING ...`")
            more: dict[str, object] = {k: parts[k].text() for k in ("default", "why") if k in parts}
            if "understood" in parts:
                more["understood"] = parts["understood"].flag()
            if parts["act"].is_mapping:
                raise parts["act"].refuse("expected a preset or `VERB THING ...`")
            return msgspec.structs.replace(self.act(parts["act"]), **more)
        text = node.text()
        known = self._presets.get(text) or self._acts.get(text)
        if known is None:
            known = self._acts[text] = self._spelled(text, node)
        return known

    def _spelled(self, text: str, node: Node) -> Act:
        """Read `delete backup @system +by-pattern irreversible always`."""
        first, *rest = text.split() or [""]
        if not rest:
            raise node.refuse(
                f"unknown act `{text}`{did_you_mean(text, self._presets)}; "
                "expected a preset or `VERB THING ...`"
            )
        thing, *marks = rest
        act: dict[str, object] = {
            "verb": _one_of(Verb, first, node),
            "thing": _one_of(ResourceType, thing, node),
        }
        traits: set[Trait] = set()
        for mark in marks:
            if mark.startswith("on:"):
                act["on"] = _one_of(On, mark[3:], node)
            elif mark.startswith("@"):
                act["reach"] = _one_of(Reach, mark[1:], node)
            elif mark.startswith("+"):
                traits.add(_one_of(Trait, mark[1:], node))
            elif mark in {"reversible", "irreversible"}:
                act["reversible"] = mark == "reversible"
            elif mark == "always":
                act["always"] = True
            else:
                raise node.refuse(
                    f"`{mark}` in `{text}` is none of on:WORDS, @REACH, +TRAIT, reversible, "
                    "irreversible, always"
                )
        return Act(traits=frozenset(traits), **act)  # type: ignore[arg-type]  # read above

    # -- programs

    def program(self, node: Node) -> Program:
        parts = node.fields(allowed=("names", "examples", *ENTRY), what="a program")
        if "names" not in parts:
            raise node.refuse("no `names`; expected the program's name or names")
        names = parts["names"].words()
        if not names:
            raise parts["names"].refuse("`names` is empty; expected at least one name")
        if "examples" in parts:
            for key, value in parts["examples"].pairs():
                self.examples.append(self._example(key, value))
        return self._entry(parts, names, depth=0)

    def _example(self, key: Node, value: Node) -> Example:
        text = value.text()
        try:
            expected = read_expected(text)
        except ValueError as error:
            raise value.refuse(f"example: {error}") from error
        return Example(line=key.text(), expected=expected, text=text, place=key.place)

    def _entry(self, parts: dict[str, Node], names: tuple[str, ...], *, depth: int) -> Program:
        def words(key: str) -> frozenset[str]:
            return frozenset(parts[key].words()) if key in parts else frozenset()

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
        by_name = "reads_by_name" in parts and parts["reads_by_name"].flag()
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
            secrets=read_own_secrets(parts["secrets"]) if "secrets" in parts else (),
            known=takes.union(flags, acting, harmless, words("switches")),
        )

    def _is_on(self, parts: dict[str, Node], key: str, *, default: bool) -> bool:
        return parts[key].flag() if key in parts else default

    def _by_words(
        self, node: Node | None, read: Callable[[Node], R]
    ) -> Iterator[tuple[tuple[str, ...], R]]:
        for key, value in node.pairs() if node is not None else ():
            yield key.words(), read(value)

    def _traits(self, node: Node) -> frozenset[Trait]:
        nodes = node.items() if node.is_list else [node]
        return frozenset(_one_of(Trait, one.text(), one) for one in nodes)

    def _subs(self, parts: dict[str, Node], *, depth: int) -> dict[str, Program]:
        if depth > DEPTH_LIMIT:
            raise parts["subs"].refuse(f"more than {DEPTH_LIMIT} levels of sub-commands")
        subs: dict[str, Program] = {}
        for key in ("commands", "subs"):
            for left, right in parts[key].pairs() if key in parts else ():
                named, what = (right, left) if key == "commands" else (left, right)
                if what.is_mapping and not _is_act(what):
                    made = self._inner(what, depth=depth + 1)
                else:
                    made = Program(acts=self.acts(what))
                for name in named.words():
                    if name in subs:
                        raise named.refuse(f"sub-command `{name}` stands twice; keep one")
                    subs[name] = made
        return subs

    def _inner(self, node: Node, *, depth: int) -> Program:
        """Read a sub-command once, wherever aliases repeat it: they could double at every level."""
        known = self._entries.get(node.identity)
        if known is None:
            fields = node.fields(allowed=ENTRY, what="a sub-command")
            known = self._entries[node.identity] = self._entry(fields, (), depth=depth)
        return known

    # -- handlers

    def _handler(self, parts: dict[str, Node], key: str) -> HandlerRef | None:
        return self._ref(parts[key]) if key in parts else None

    def _ref(self, node: Node) -> HandlerRef:
        if not self._allows_handlers:
            raise node.refuse("only signoff's own descriptions may name a handler")
        if node.is_scalar:
            return HandlerRef(name=node.text())
        parts = node.fields(
            allowed=(
                "make",
                "with",
            )
        )
        if "make" not in parts:
            raise node.refuse("no `make`; expected the function that makes the handler")
        options = tuple(
            (key.text(), self._option(value))
            for key, value in (parts["with"].pairs() if "with" in parts else ())
        )
        return HandlerRef(name=parts["make"].text(), is_factory=True, options=options)

    def _option(self, node: Node) -> HandlerOption:
        value = node.json()
        return value if isinstance(value, int) else node.written

    def _service(self, node: Node) -> ServiceLine:
        parts = node.fields(
            allowed=(
                "thing",
                "reach",
                "change",
                "bare",
                "help_at",
                "paths",
            )
        )
        acts: dict[str, Act] = {}
        handlers: dict[str, HandlerRef] = {}
        for key, value in parts["paths"].pairs() if "paths" in parts else ():
            for path in key.text().split("|"):
                name = " ".join(path.split())
                if value.is_mapping and not _is_act(value):
                    handlers[name] = self._ref(value.fields(allowed=("handler",))["handler"])
                else:
                    acts[name] = self.act(value)
        kinds: dict[str, object] = {
            key: _one_of(kind, parts[key].text(), parts[key])
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


def _is_act(node: Node) -> bool:
    return any(key.written == "act" for key, _ in node.pairs())


def _one_of(kind: type[V], text: str, node: Node) -> V:
    try:
        return one_of(kind, text)
    except ValueError as error:
        raise node.refuse(str(error)) from None
