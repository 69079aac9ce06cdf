"""What a line may take away from a service of this machine, because it is made again or of tests.

kafka-topics.sh ... --delete --topic try && kafka-topics.sh ... --create --topic try
curl -X DELETE localhost:9200/try && curl -X PUT localhost:9200/try -d @mapping.json
influx delete --bucket b --start ... --stop ... --predicate '_measurement="m"'
kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders-test
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from signoff.actions.lexicon.languages.translations import words_of_trials
from signoff.actions.lexicon.names import split_words
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.programs.lexicon import is_production
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.own_clients import values_of
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import words

_MAKES = words("mb create make add new --create")
_WEB = words("curl curlie xh http https")
_PUTS = words("PUT -XPUT --request=PUT")
# What a deletion of a client is bounded by, from its manual.
_BOUNDS = {"influx": words("--predicate -p")}
# Said of what is used for a test, and not kept; in other languages: `translations.json`.
_TRIALS = words("test tests tmp throwaway fixture fixtures dummy e2e")
# Of the words for trials, what real data are called as well: simulations, recipes, lessons.
_NO_TRIALS = words(
    "paper recette formation training schulung sim prov live monishuju shahe probe trial rehearsal"
    " maket fantastika harjoitus harjutus ubung uebung oefening ovning vorfuhrung vorfuehrung"
)
_SIMULATED = ("simul", "szimul", "symul")
_TAKES = words(
    "delete del remove rm purge destroy drop stop kill clear uninstall --delete --remove"
)
# What the act is done to, by kind.
_KINDS = words(
    "queue exchange vhost topic stream consumer bucket index binding subscription job ns"
)
_NAMING = words("--topic --name --queue --bucket --index --stream --group --namespace")
_LISTS = frozenset(",*|?[{ ")


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


def names_trial(command: Command) -> bool:
    """Tell whether all that a command takes away is told by literal names to be of tests."""
    texts = [word.text for word in command.words[1:]]
    if not all([word.is_known and not word.has_glob for word in command.words]):
        return False
    if any(map(is_production, texts)):
        return False
    if command.program in _WEB:
        addresses = [text for text in texts if _is_address(text)]
        return len(addresses) == 1 and says_trial(_first_segment(addresses[0]))
    names = [text for text in _taken(command) if text not in _KINDS]
    return bool(names) and all(map(says_trial, names))


def says_trial(name: str) -> bool:
    """Tell whether a name of one thing says that it is for tests: `orders_test`, `deneme-2`."""
    parts = [folded(part) for part in split_words(name)] if len(name) <= 200 else []
    known = _TRIALS | words_of_trials("stand_ins") - _NO_TRIALS
    is_said = [part in known and not part.startswith(_SIMULATED) for part in parts]
    return any(is_said) and _LISTS.isdisjoint(name)


def _taken(command: Command) -> list[str]:
    """The names behind the act, and those that options give."""
    texts = [word.text for word in command.words[1:]]
    named = list(values_of(command.words[1:], _NAMING))
    act = next((at for at, text in enumerate(texts) if text.partition("_")[0] in _TAKES), -1)
    if act < 0 or texts[act].startswith("-"):
        return named
    behind = [b for a, b in pairwise(texts[act:]) if a[:1] != "-" and b[:1] != "-"]
    return named + [text.removeprefix("name=") for text in behind]


def _first_segment(address: str) -> str:
    url = address if "://" in address else f"http://{address}"
    return look_at_url(url).path.strip("/").partition("?")[0].partition("/")[0]
