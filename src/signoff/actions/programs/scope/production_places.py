"""Places of production that the options of any program name: `-d prod_erp`, `--target live`."""

from __future__ import annotations

from itertools import pairwise

from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.vocabulary import words

PLACES = words(
    "-d -D -e -t --database --db --dbname --env --environment --target --stage --context --cluster "
    "--instance --tenant --namespace --profile --host --site --server --system --realm --zone"
)


def names_production_place(call: ProgramCall) -> bool:
    """Whether an option's value names a place of production: `-d prod_erp`, `--target live`."""
    given = call.command.words[1:]
    pairs = [(a.text, b.text) for a, b in pairwise(given)]
    pairs += [(text, value) for text, _, value in (w.text.partition("=") for w in given)]
    return any([name in PLACES and is_production(value) for name, value in pairs])
