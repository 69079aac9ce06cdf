"""Notebooks, experiments, data versions, scientific and machine-learning tools."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.dev.databases import EVERYWHERE
from signoff.actions.programs.effect_presets import BUILD, CONTROL_PROCESS, SERVES_ALL


def notebook(call: ProgramCall) -> Iterator[Effect]:
    """`jupyter lab`: a server; without a token or on every interface it is open to others."""
    open_to_all = any(w.text == "*" or w.text.startswith(EVERYWHERE) for w in call.values("--ip"))
    bare = any(
        option.name.endswith((".token", ".password")) and not (option.value and option.value.text)
        for option in call.options
    )
    if bare:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.PROTECTION,
            "a notebook server without a token",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    yield from call.perform(SERVES_ALL if open_to_all else CONTROL_PROCESS)


def dbt(call: ProgramCall) -> Iterator[Effect]:
    """`dbt run --target prod` changes the production warehouse."""
    production = any(w.text in {"prod", "production", "prd"} for w in call.values("-t", "--target"))
    reading = call.name.endswith(("compile", "docs", "parse"))
    if production and not reading:
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, call.name, reach=Reach.PRODUCTION)
    elif call.has("--full-refresh", "-f"):
        yield call.operation(
            Verb.DELETE,
            ResourceType.DATABASE,
            call.name,
            traits=(Trait.SCHEMA_LOSS,),
            reach=Reach.PROJECT,
        )
    else:
        yield from call.perform(BUILD)
