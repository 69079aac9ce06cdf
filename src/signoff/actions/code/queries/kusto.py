"""The Kusto Query Language: queries read; commands that begin with a dot manage the cluster.

T | where a == 1                          reads
.show tables                              reads
.drop table T    .purge table T records   takes away
.export to csv (h@"https://...") <| T     sends

Microsoft, "Management commands overview" and "Request properties".
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.code.queries import acts
from signoff.actions.code.queries.parts import blanked, first_word, split_at
from signoff.actions.code.recorder import Recorder
from signoff.actions.operation import Trait
from signoff.actions.vocabulary import lazy_re, words

_TAKES = words(".drop .purge .clear .delete .detach .undo")
_SENDS = words(".export")
# Plugins that reach outside or run other code.
_RUNS = lazy_re(
    r"(?i)\bevaluate\s+(?:hint\.\w+\s*=\s*\S+\s+)*(python|r|http_request_post|http_request"
    r"|sql_request|mysql_request|postgresql_request|cosmosdb_sql_request|azure_digital_twins_query"
    r"_request|ai_\w+)\s*\("
)
_NEW_COMMAND = lazy_re(r"\n\s*\n|\n(?=\.\w)")


def read_kql(text: str, recorder: Recorder) -> None:
    """Record what a text in the Kusto Query Language does."""
    plain = blanked(text, comments=("//",))
    if plain is None:
        recorder.opaque("the text cannot be read", "kql")
        return
    for statement, blank in _statements(text, plain):
        if blank.strip().startswith("."):
            _command(statement.strip(), blank.strip(), recorder)
        elif blank.strip():
            _query(blank, recorder)


def _statements(text: str, plain: str) -> Iterator[tuple[str, str]]:
    start = 0
    for found in _NEW_COMMAND.finditer(plain):
        yield text[start : found.start()], plain[start : found.start()]
        start = found.end()
    yield text[start:], plain[start:]


def _query(plain: str, recorder: Recorder) -> None:
    runs = _RUNS.search(plain)
    if runs is not None:
        recorder.opaque(f"`{runs[1]}` runs code or reaches another service", "kql")
        return
    acts.reads(recorder, "kql", first_word(split_at(plain, plain, "|")[0]))


def _command(text: str, plain: str, recorder: Recorder) -> None:
    verb = first_word(plain)
    said = plain.lower().split()
    if verb == ".show" or plain.lower().startswith(".cancel query"):
        acts.reads(recorder, "kql", " ".join(said[1:3]))
    elif verb in _TAKES or said[1:2] == ["drop"]:
        is_all = said[1:2] == ["database"] or {"tables", "*"} <= set(said)
        trait = Trait.WHOLE_STORE if is_all else Trait.SCHEMA_LOSS
        acts.takes_away(recorder, f"kql {verb}", " ".join(text.split()[1:4])[:200], trait)
    elif verb in _SENDS:
        acts.sends(recorder, "kql .export", " ".join(text.split()[1:5])[:200])
    elif verb == ".execute":
        recorder.opaque("runs further commands", "kql")
    elif "retention" in said and "policy" in said:
        # A shorter retention deletes what is older.
        acts.takes_away(recorder, f"kql {verb}", " ".join(text.split()[1:4])[:200])
    else:
        acts.changes(recorder, f"kql {verb}", " ".join(text.split()[1:4])[:200])
