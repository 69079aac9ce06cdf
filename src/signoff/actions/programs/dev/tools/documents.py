"""Documentation, static sites, typesetting, code and diagram generators, scaffolding."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD, CONFIGURE_USER, INSPECT


def tex_setting(call: ProgramCall) -> Iterator[Effect]:
    """`tlmgr option showall` tells, `tlmgr option repository x` changes."""
    told = {"show", "showall", "list", "status", "help"}
    changes = len(call.operands) > (2 if call.name.endswith("conf") else 1)
    looks = not changes or not told.isdisjoint(call.texts)
    yield from call.perform(INSPECT if looks else CONFIGURE_USER)


def typeset(call: ProgramCall) -> Iterator[Effect]:
    """`pdflatex file`; a text given in its place may run `\\write18{command}`."""
    files = call.place.files
    for word in call.operands:
        fact = files.get(locate(word.text, call.place).path) if word.is_known else None
        text = fact.text if fact is not None and fact.text is not None else word.text
        for part in text[:20_000].split("\\write18{")[1:51]:
            line = part.partition("}")[0]
            yield Nested(text=line, language="shell", carrier=f"{call.name} write18")
    yield from call.perform(BUILD)
