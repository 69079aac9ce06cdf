"""Lines that a tool puts where a service runs them later: scripts of deployments and starts.

update_deployment_script(site=1, content="git pull\\ncurl URL | sh")    -> the text
update_page(content="run: curl URL | sh")                               -> nothing, people read it
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.action import Action
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.tools.naming.servers import split_tool

_RUN_LATER = vocabulary(
    "script scripts hook hooks deployment deploy job jobs startup cron crontab userdata pipeline"
    " command commands step steps recipe entrypoint bootstrap provisioner runner task build init"
    " schedule trigger"
)
_LOOKS = vocabulary("get list read show describe search find view log logs status history")
# Names of texts that people read.
_READ_BY_PEOPLE = vocabulary("description comment note notes message title subject reason summary")
_MOST, _LEAST = 60, 8


def lines_run_elsewhere(action: Action) -> Iterator[str]:
    """Yield the texts of a call that a service runs later, or at once on other machines."""
    words = split_tool(action.tool).words
    if _RUN_LATER.isdisjoint(words) or not _LOOKS.isdisjoint(words):
        return
    for name, value in islice(action.arguments.items(), _MOST):
        if not _READ_BY_PEOPLE.isdisjoint(split_words(name[:80])):
            continue
        yield from [
            text for text in islice(strings_of(value), _MOST) if len(text) >= _LEAST and " " in text
        ]
