"""What a line takes away from a service of this machine and makes again, or takes only a part of.

kafka-topics.sh ... --delete --topic try && kafka-topics.sh ... --create --topic try
curl -X DELETE localhost:9200/try && curl -X PUT localhost:9200/try -d @mapping.json
influx delete --bucket b --start ... --stop ... --predicate '_measurement="m"'
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import words

_MAKES = words("mb create make add new --create")
_WEB = words("curl curlie xh http https")
_PUTS = words("PUT -XPUT --request=PUT")
# What a deletion of a client is bounded by, from its manual.
_BOUNDS = {"influx": words("--predicate -p")}


def is_made_again(command: Command, later: Sequence[Command]) -> bool:
    """Tell whether a line makes again, under the same literal name, what a command takes away."""
    if not all([word.is_known and not word.has_glob for word in command.words]):
        return False
    if command.program in _WEB:
        return any([_is_put(command, one) for one in later])
    names = {word.text for word in command.words[2:] if word.text[:1] != "-"}
    return bool(names) and any([_makes(command, one, names) for one in later])


def is_bounded(command: Command) -> bool:
    """Tell a deletion that takes only what a literal condition names."""
    texts = [word.text for word in command.words if word.is_known]
    bounds = _BOUNDS.get(command.program, frozenset())
    values = [b for a, b in pairwise(texts) if a in bounds]
    return bool(values) and all(["=" in value for value in values])


def _makes(command: Command, one: Command, names: set[str]) -> bool:
    texts = [word.text for word in one.words[1:]]
    # An option may say what it does anywhere; a word is the act only in front.
    is_maker = not _MAKES.isdisjoint(texts[:3]) or "--create" in texts
    return one.program == command.program and is_maker and names <= set(texts)


def _is_put(command: Command, one: Command) -> bool:
    texts = [word.text for word in one.words[1:]]
    addresses = [word.text for word in command.words[1:] if _is_address(word.text)]
    is_put = one.program in _WEB and not _PUTS.isdisjoint(texts)
    return is_put and len(addresses) == 1 and addresses[0] in texts


def _is_address(text: str) -> bool:
    return text.startswith(("http://", "https://", "localhost:", "127.0.0.1:"))
