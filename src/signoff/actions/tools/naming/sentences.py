"""What a docstring says a function does beyond its first word.

A mild name may do grave things: `get_old_users`, "Permanently deletes old users". Only what the
function itself does counts: a word in a relative clause, behind `without` or `would`, and what
another person does are spoken of, not done.

    grave_act("Return stale rows. Rows that are returned are removed.") is Verb.DELETE
    grave_act("Return rows that were removed.") is None
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.verbs import CARE
from signoff.actions.operation import Verb

_MOST_WORDS = 400
_STEMS = (
    (Verb.DELETE, "delete remove erase purge wipe destroy drop truncate shred empty"),
    (Verb.SPEND, "charge pay refund purchase buy withdraw"),
    (Verb.NETWORK_OUT, "send email notify inform broadcast dial"),
    (Verb.PRIVILEGE, "revoke grant suspend ban deactivate lock"),
    (Verb.PUBLISH, "deploy publish"),
)
_IRREGULAR = {"paid": Verb.SPEND, "sent": Verb.NETWORK_OUT, "bought": Verb.SPEND}
_BEFORE_AN_ACT = vocabulary("and then also it this function call calling , ;")
_IS = vocabulary("is are be been being get gets")
_ONLY_SPOKEN_OF = vocabulary(
    "no not never without would could should cannot can don't doesn't won't isn't aren't nothing"
    " instead whether how like likely marked were was"
)
_NOTHING = vocabulary("nothing nobody none no")
_RELATIVE = vocabulary("that which who whose where if when")
_OTHERS = vocabulary("user person people admin somebody someone caller human operator customer")
_OF_A_VALUE = vocabulary(
    "duplicate duplicates whitespace space spaces blank prefix suffix punctuation newline newlines"
    " character characters text string word words nan null nulls none outliers cache cached copy"
    " memory list temporary temp screen buffer shadow"
)
_MAKES = vocabulary("make makes set sets share shares publish publishes open opens turn turns")
_ACCESSIBLE = vocabulary("readable visible accessible available open public writable editable")
_EVERYBODY = vocabulary("anybody anyone everybody everyone public world internet")
_RUNS = vocabulary("execute executes run runs evaluate evaluates eval evals exec")
_LANGUAGES = vocabulary("python javascript js ruby lua perl php bash shell groovy typescript")
_CODE = vocabulary("expression expressions code script source snippet program statement")
_STARTS = vocabulary("starts begins happens")
_THING_BEHIND = 5
_NEAR = 3  # words before `is removed` among which a `no` speaks of it


def _forms() -> tuple[dict[str, Verb], dict[str, Verb]]:
    """The forms that act by themselves, and those that need `is` before them."""
    acting: dict[str, Verb] = {}
    passive = dict(_IRREGULAR)
    for verb, stems in _STEMS:
        for stem in stems.split():
            root = stem.removesuffix("e")
            acting |= dict.fromkeys((stem, stem + "s", stem + "es", root + "ies"), verb)
            acting |= dict.fromkeys((root + "ing", stem + stem[-1] + "ing"), verb)
            passive |= dict.fromkeys((root + "ed", stem + stem[-1] + "ed"), verb)
            if stem.endswith("y"):
                acting[stem[:-1] + "ies"] = verb
                passive[stem[:-1] + "ied"] = verb
    return acting, passive


_ACTING, _PASSIVE = _forms()


@lru_cache(maxsize=2_048)
def grave_act(text: str) -> Verb | None:
    """Return the most severe act that a text says is done, None if there is none."""
    worst: Verb | None = None
    for sentence in _sentences(text[:4_000]):
        if _phones(sentence):
            worst = worst or Verb.NETWORK_OUT
        if _opens(sentence):
            worst = worst or Verb.PRIVILEGE
        if _runs_code(sentence):
            worst = worst or Verb.EXECUTE
        for at, word in enumerate(sentence):
            verb = _act_at(sentence, at, word)
            if verb is not None and (worst is None or CARE[verb] > CARE[worst]):
                worst = verb
    return worst


def _sentences(text: str) -> list[list[str]]:
    """The words of each sentence, in lower case, with commas as words of their own."""
    spaced = text.lower().replace(",", " , ").replace(";", " ; ").replace(":", " . ")
    sentences: list[list[str]] = [[]]
    for word in spaced.replace("\n\n", " . ").split()[:_MOST_WORDS]:
        sentences[-1].append(word.strip("()`*\"'.!?"))
        if word.endswith((".", "!", "?")):
            sentences.append([])
    return [[word for word in sentence if word] for sentence in sentences if sentence]


def _phones(sentence: list[str]) -> bool:
    """Tell `Calling starts at once`: people are called, not functions."""
    return sentence[:1] in (["calling"], ["dialing"]) and not _STARTS.isdisjoint(sentence[1:3])


def _opens(sentence: list[str]) -> bool:
    """Tell `makes it readable by anybody`: from then on others have access."""
    if sentence[:1] == [] or sentence[0] not in _MAKES:
        return False
    return any(
        word in _ACCESSIBLE and not _EVERYBODY.isdisjoint(sentence[at + 1 : at + 4])
        for at, word in enumerate(sentence)
    )


def _runs_code(sentence: list[str]) -> bool:
    """Tell `Execute the given Python expression`: whoever calls says what runs."""
    if sentence[:1] == [] or sentence[0] not in _RUNS:
        return False
    return any(
        word in _LANGUAGES and not _CODE.isdisjoint(sentence[at + 1 : at + 3])
        for at, word in enumerate(sentence[:8])
    )


def _act_at(sentence: list[str], at: int, word: str) -> Verb | None:
    """Tell whether the word is done by the function, and as what."""
    if word in _PASSIVE:
        return _PASSIVE[word] if _is_passive_act(sentence, at) else None
    if word not in _ACTING or not _OF_A_VALUE.isdisjoint(sentence[at + 1 : at + _THING_BEHIND]):
        return None
    if word.endswith("ing"):
        starts = not _STARTS.isdisjoint(sentence[1:3])
        return _ACTING[word] if at == 0 and starts else None
    if not _NOTHING.isdisjoint(sentence[at + 1 : at + 2]):  # `Pays nothing`
        return None
    clause = _clause_before(sentence, at)
    before = _without_adverbs(clause)
    is_led = not before or before[-1] in _BEFORE_AN_ACT
    if word.endswith("s") and before[-1:] == ["and"]:  # `lists those without mail and deletes them`
        clause = [one for one in clause if one not in _ONLY_SPOKEN_OF]
    is_spoken_of = not (_ONLY_SPOKEN_OF | _RELATIVE | _OTHERS | {"to"}).isdisjoint(clause)
    return _ACTING[word] if is_led and not is_spoken_of else None


def _is_passive_act(sentence: list[str], at: int) -> bool:
    """Tell `rows are removed` from `rows that were removed` and `if it is removed`."""
    before = _without_adverbs(_clause_before(sentence, at))
    if len(before) < 2 or before[-1] not in _IS:
        return False
    if before[-2] in _RELATIVE or not _ONLY_SPOKEN_OF.isdisjoint(before[-_NEAR:]):
        return False
    return not {"if", "whether", "when"} & set(before)


def _clause_before(sentence: list[str], at: int) -> list[str]:
    """Return the words before index `at`, back to the comma."""
    for start in range(at - 1, -1, -1):
        if sentence[start] in (",", ";"):
            return sentence[start:at] if start == at - 1 else sentence[start + 1 : at]
    return sentence[:at]


def _without_adverbs(words: list[str]) -> list[str]:
    """The words without the adverbs at their end: `and permanently`."""
    end = len(words)
    while end and words[end - 1].endswith("ly"):
        end -= 1
    return words[:end]
