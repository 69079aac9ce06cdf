"""Models of data that a tool builds in a warehouse, or in a local file for tests: dbt.

dbt run --target prod                                                   -> WRITE production
dbt run --full-refresh                                                  -> DELETE
dbt run --full-refresh --target ci_duckdb --profiles-dir ci/profiles    -> EXECUTE
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import BUILD
from signoff.actions.programs.lexicon import split_name

_OWN = frozenset({Reach.PROJECT, Reach.TEMP})
_LOCAL = frozenset({"local", "test", "tests", "ci", "duckdb", "sqlite"})


def dbt(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `dbt run --target prod` changes the production warehouse."""
    # A target is a name of the profile; other words of dbt name models.
    production = any(w.text in {"prod", "production", "prd"} for w in call.values("-t", "--target"))
    reading = call.name.endswith(("compile", "docs", "parse"))
    if production and not reading:
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, call.name, reach=Reach.PRODUCTION)
    elif _drops(call) or (call.has("--full-refresh", "-f") and not _is_of_tests(call)):
        yield call.operation(
            Verb.DELETE,
            ResourceType.DATABASE,
            call.name,
            traits=(Trait.SCHEMA_LOSS,),
            reach=Reach.PROJECT,
        )
    else:
        yield from call.perform(BUILD)


def _is_of_tests(call: ProgramCall) -> bool:
    """Tell a target that is called a local one, of profiles that stand in the project."""
    targets, folders = call.values("-t", "--target"), call.values("--profiles-dir")
    if not targets or not folders or not all([w.is_known for w in (*targets, *folders)]):
        return False
    is_near = all([locate(word.text, call.place).reach in _OWN for word in folders])
    return is_near and not _LOCAL.isdisjoint(split_name(targets[-1].text))


def _drops(call: ProgramCall) -> bool:
    """Whether a macro of the project is run that is called after dropping something."""
    if not call.name.endswith("run-operation"):
        return False
    parts = {part for text in call.texts[:1] for part in split_name(text)}
    return not parts.isdisjoint({"drop", "truncate", "delete", "purge", "wipe", "cleanup"})
