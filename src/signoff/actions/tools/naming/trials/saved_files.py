"""Tools of a service that write what they read there into a file of this machine.

`save_attachment(message_id, save_to)` and `download_report(..., output_path)` change nothing of the
service. The file holds what came from elsewhere, and nobody has read it. An export of people's
data is another matter.

    saved_to(action, lead)     "in/a.zip" for save_attachment(id="m1", save_to="in/a.zip")
"""

from __future__ import annotations

from itertools import islice

from signoff.actions.action import Action
from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.private_names import (
    concerns_people,
    is_about_people,
    reaches_people,
)
from signoff.actions.lexicon.verbs import Lead
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.tools.naming.trials.arguments import plain
from signoff.actions.vocabulary import words
from signoff.values import replace

_LONGEST, _MOST = 400, 200
_READS = vocabulary("save download fetch get pull retrieve")
_EXPORTS = vocabulary("export extract dump")
# Only names that say that it is a file here: a `path` is as often one of the service.
_FILES = words(
    "saveto savepath saveas outputpath outputfile outfile outpath localpath localfile downloadto"
    " downloadpath tofile targetfile destinationpath destpath writeto"
)


def saved_to(action: Action, lead: Lead) -> str:
    """Return the path of the file that a reading tool writes, "" if none."""
    if lead.word not in _READS and (lead.word not in _EXPORTS or _is_of_people(action)):
        return ""
    given = [value for name, value in action.arguments.items() if plain(name) in _FILES]
    for value in given:
        if isinstance(value, str) and 0 < len(value) <= _LONGEST and "://" not in value:
            return value
    return ""


def _is_of_people(action: Action) -> bool:
    """Tell whose data it is by the tool, the names of its arguments, or fields that are chosen."""
    values = list(islice(strings_of(action.arguments), _MOST))
    if any(map(reaches_people, values)):
        return True
    said = (action.tool, *islice(action.arguments, _MOST), *values)
    return any([is_about_people(one) or concerns_people(one) for one in said])


def saved_file(path: str, tool: str, place: Place | None) -> Operation:
    """Return the writing of a file with what comes from a service.

    Args:
        tool: its name.
        place: None = paths stay unresolved.
    """
    operation = Operation(
        verb=Verb.WRITE,
        thing=ResourceType.FILE,
        target=path,
        reach=Reach.PROJECT,
        traits=frozenset({Trait.FETCHED, Trait.NAMED}),
        program=tool,
        reversible=True,
    )
    if place is None:
        return operation
    located = locate(path, place, has_glob=False)
    return replace(operation, path=located.path, reach=located.reach, file_kind=located.kind)
