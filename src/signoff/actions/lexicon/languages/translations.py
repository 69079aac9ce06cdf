"""Names of tools in other languages, by their words in English.

`translations.json` holds a row a language: its endings, and the stems of its verbs by what they
mean. A stem of three letters or more takes every ending of its language; one that ends in `_` takes
none, and one with `_` inside stands for two words. Letters are folded, German and Nordic vowels
also as they are written without signs. What has more than one meaning has the graver one.

An act anywhere in a name wins: it is put behind "and", which `lead_verb` knows. A look counts only
where a verb stands, first or last. A form that is a noun as often (`compra`) is what is looked at.

    in_english(("buscar", "facturas"))             ("get", "facturas")
    in_english(("kunden", "loeschen"))             ("kunden", "and", "delete")
    in_english(("sprawdz", "i", "usun"))           ("get", "and", "delete")
    in_english(("顧客検索",))                       ("get",)
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from signoff.actions.lexicon.languages.glossary import concept_of, words_of
from signoff.actions.lexicon.names import vocabulary
from signoff.actions.lexicon.unicode_forms import folded
from signoff.actions.lexicon.verbs import NOUN_LIKE, VERBS, lead_verb
from signoff.actions.operation import Verb

LOOK = "get"
DRAFT = "draft"
# From the mildest to the gravest.
_RANKS = (
    *(LOOK, DRAFT, "create", "update", "install", "disable", "start", "cancel", "block"),
    *("approve", "revoke", "send", "publish", "delete", "refund", "pay"),
)
# What the concepts of the glossary mean where a verb of a name stands.
_MEANINGS = {
    concept: meaning
    for meaning, concepts in (
        (
            LOOK,
            "read show list search find check verify validate test simulate try preview calculate",
        ),
        (LOOK, "estimate compare count report monitor measure sum"),
        (DRAFT, "draft"),
        ("create", "create add insert register save store generate import backup"),
        ("update", "update change edit write move rename assign reset replace overwrite anonymise"),
        ("update", "sign reject merge split settings configuration"),
        ("install", "install uninstall"),
        ("disable", "disable mute silence bypass"),
        ("start", "start run execute restart enable open"),
        ("cancel", "cancel stop terminate suspend dismiss evict expel"),
        ("block", "block lock"),
        ("approve", "approve grant permit authorise unlock unblock accept"),
        ("revoke", "revoke withdraw"),
        ("send", "send forward notify upload"),
        ("publish", "publish deploy"),
        ("delete", "delete remove erase purge wipe destroy drop truncate empty"),
        ("refund", "refund"),
        ("pay", "pay transfer charge buy"),
    )
    for concept in concepts.split()
}
# The lists of trials that hold the words of these concepts as well.
_TOLD_BY = {
    "environments": ("environment",),
    "production": ("production",),
    "stand_ins": ("sandbox", "trial", "mock", "demo", "simulation", "fictitious"),
    "trials": ("dryrun",),
}
# Words that are things in a name of another language, and in English verbs of a computation.
_THINGS = vocabulary("sample rank distance discount score hash")
_ACTS = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.DELETE, Verb.SPEND, Verb.PRIVILEGE})
_LONGEST = 40
_LEAST_STEM = 3
_LEAST_LAST = 4
_MOST_WORDS = 24
_MOST_TOLD = 3
# Words that join two acts and mean nothing else in any of the languages.
_ONLY_JOINS = vocabulary("y et und och og oraz και и та")
_UNFOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    languages: dict[str, dict[str, str]]
    signs: dict[str, str]
    nouns: dict[str, str]
    joins: str = msgspec.field(name="and")
    noun_forms: str
    english: str
    action_names: str
    trials: dict[str, str]


class _Lexicon(msgspec.Struct, frozen=True, kw_only=True):
    exact: dict[str, str]
    stems: dict[str, tuple[tuple[str, frozenset[str]], ...]]
    pairs: frozenset[str]
    signs: tuple[tuple[str, str], ...]
    nouns: dict[str, str]
    joins: frozenset[str]
    noun_forms: frozenset[str]
    english: frozenset[str]
    action_names: frozenset[str]
    trials: dict[str, frozenset[str]]


def in_english(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a name's words with those of other languages in English, where a verb is known."""
    return _in_english(words) if 0 < len(words) <= _MOST_WORDS else words


def act_of(word: str) -> str:
    """Return the act that a word of another language means, in English; "" if it means none."""
    plain = folded(word[:_LONGEST])
    meaning = _meaning(plain)
    if not meaning and not plain.isascii():
        meaning = _MEANINGS.get(concept_of(plain), "")
    return "" if meaning in (LOOK, DRAFT) else meaning


def names_act(word: str) -> bool:
    """Return whether an argument of this name says which act is meant: `akce`, `aktion`."""
    return folded(word[:_LONGEST]) in _lexicon().action_names


def is_often_noun(word: str) -> bool:
    """Return whether a word of a name is as often a noun: `registre`, `sicherung`."""
    plain = folded(word[:_LONGEST])
    return plain in _lexicon().noun_forms or plain in _lexicon().nouns


def is_secret(word: str) -> bool:
    """Return whether a word of another language begins with that of a password or a secret."""
    return _begins_with(word, "secrets")


def is_password(word: str) -> bool:
    """Return whether a word of any language begins with that of a password: `haslo`, `senha`."""
    return _begins_with(word, "passwords")


def _begins_with(word: str, kind: str) -> bool:
    plain, stems = folded(word[:_LONGEST]), words_of_trials(kind)
    least = 4 if plain.isascii() else 1
    return plain in stems or any([plain[:cut] in stems for cut in range(least, len(plain))])


def says_all(text: str) -> bool:
    """Return whether a short value means everything or everybody: `todos`, `alle Filialen`."""
    told = folded(text[:_LONGEST]).split() if len(text) <= _LONGEST else []
    ends = {told[0], told[-1], "".join(told)} if 0 < len(told) <= _MOST_TOLD else set[str]()
    return any([_lexicon().nouns.get(one) == "all" for one in ends])


def says_production(name: str, text: str) -> bool:
    """Return whether an argument says that the place is production: `entorno: "produccion"`."""
    is_place = folded(name[:_LONGEST]) in words_of_trials("environments")
    told = folded(text[:_LONGEST]).replace("-", " ").replace("_", " ").split()
    return is_place and not words_of_trials("production").isdisjoint(told)


def words_of_trials(kind: str) -> frozenset[str]:
    """Return the folded words of `trials`, `only`, `confirms`, `environments` and the like."""
    return _lexicon().trials[kind]


def is_look(word: str) -> bool:
    """Return whether a word of another language says that something is only looked at or tried."""
    return _meaning(folded(word[:_LONGEST])) == LOOK


@lru_cache(maxsize=4_096)
def _in_english(words: tuple[str, ...]) -> tuple[str, ...]:
    tokens = _joined(words)
    meanings = [_meaning(token) for token in tokens]
    if not any(meanings):
        meanings = _by_glossary(tokens)
    english = lead_verb(words)
    # Where English leads, only a verb in the place of one is another language's.
    is_led = english is not None and not meanings[0] and not _ends_in_act(tokens, english.word)
    if is_led or not any(meanings):
        return words
    last = len(tokens) - 1
    looks = meanings[0] == LOOK or (meanings[last] == LOOK and len(tokens[last]) >= _LEAST_LAST)
    said: list[str] = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else ""
        said.extend(_said(token, meanings[at], (at, last, before), looks=looks))
    return words if _joins_unknown(tokens, meanings) else tuple(said)


def _said(token: str, meaning: str, place: tuple[int, int, str], *, looks: bool) -> tuple[str, ...]:
    """Return what one word says in English."""
    at, last, before = place
    tables = _lexicon()
    nouns = tuple(dict.fromkeys(_nouns_in(token)))
    if nouns and (at or not meaning):
        return nouns if token.isascii() or not meaning else (*nouns, *_and(at), meaning)
    if meaning in ("", DRAFT):
        return ("and",) if token in tables.joins and 0 < at < last else (meaning or token,)
    if meaning == LOOK:
        is_verb = at == 0 or (at == last and len(token) >= _LEAST_LAST) or not token.isascii()
        return (LOOK if is_verb else token, *nouns)
    is_noun = looks and at > 0 and token in tables.noun_forms and before not in tables.joins
    return (token,) if is_noun else (*_and(at), meaning, *nouns)


def _and(at: int) -> tuple[str, ...]:
    return ("and",) if at else ()


def _ends_in_act(tokens: tuple[str, ...], english: str) -> bool:
    """Tell `post_loeschen`: what English would take for the verb is the thing."""
    last = tokens[-1]
    is_act = _meaning(last) not in ("", LOOK, DRAFT) and last not in _lexicon().noun_forms
    return is_act and (english in NOUN_LIKE or not last.isascii())


def _joins_unknown(tokens: tuple[str, ...], meanings: list[str]) -> bool:
    """Tell a second act that nobody knows: `buscar_y_xyz`."""
    pairs = zip(tokens[1:], meanings[2:], strict=False)
    return any([token in _ONLY_JOINS and not meaning for token, meaning in pairs])


def _joined(words: tuple[str, ...]) -> tuple[str, ...]:
    """Fold the words, and join two that mean something together: `ta_bort`, `kiem_tra`."""
    folds = [folded(word[:_LONGEST]) for word in words]
    pairs, found, at = _lexicon().pairs, [], 0
    while at < len(folds):
        both = folds[at] + folds[at + 1] if at + 1 < len(folds) else ""
        is_pair = both in pairs
        found.append(both if is_pair else folds[at])
        at += 2 if is_pair else 1
    return tuple(found)


@lru_cache(maxsize=8_192)
def _meaning(word: str) -> str:
    """Return the gravest meaning of a folded word, "" if none is known or it is English."""
    tables = _lexicon()
    if word in VERBS or word in tables.english:
        return ""
    if not word.isascii():
        signs = [meaning for sign, meaning in tables.signs if sign in word]
        if signs:
            return max(signs, key=_RANKS.index)
    found = [tables.exact[word]] if word in tables.exact else []
    for cut in range(_LEAST_STEM, len(word) + 1):
        found += [
            meaning for meaning, ends in tables.stems.get(word[:cut], ()) if word[cut:] in ends
        ]
    return max(found, key=_RANKS.index) if found else ""


def _by_glossary(tokens: tuple[str, ...]) -> list[str]:
    """Return the meanings of a name none of whose verbs the tables know: of its first or last."""
    concepts = [concept_of(token) if token not in VERBS else "" for token in tokens]
    told = [
        _MEANINGS.get(one, one if one in VERBS and one not in _THINGS else "") for one in concepts
    ]
    # `indberetning_send`: an act that is the same word in English is the verb all the same.
    if told[0] == LOOK and VERBS.get(tokens[-1]) in _ACTS and tokens[-1] not in NOUN_LIKE:
        return [""] * len(tokens)
    ends = sorted({0, len(told) - 1}, key=lambda at: _gravity(told[at]))
    return [meaning if at == ends[-1] else "" for at, meaning in enumerate(told)]


def _gravity(meaning: str) -> int:
    """Return the rank of a meaning; an act without a rank of its own is no look."""
    if not meaning:
        return -1
    return _RANKS.index(meaning) if meaning in _RANKS else _RANKS.index("update")


def _nouns_in(token: str) -> list[str]:
    nouns = _lexicon().nouns
    if token in nouns:
        return [nouns[token]]
    return (
        [] if token.isascii() else [nouns[one] for one in nouns if one in token and one > "\u3000"]
    )


@cache
def _lexicon() -> _Lexicon:
    """Read the tables, once.

    Raises:
        OSError, msgspec.DecodeError: the file is not there or is damaged; the call is denied.
    """
    path = __file__.removesuffix(".py") + ".json"
    with open(path, "rb") as file:  # noqa: PTH123 - nothing here imports `pathlib`
        tables = msgspec.json.decode(file.read(), type=_Tables)
    exact: dict[str, str] = {}
    stems: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    pairs: set[str] = set()
    for rows in tables.languages.values():
        endings = frozenset({"", *map(folded, rows["endings"].split())})
        for meaning, text in rows.items():
            for entry in text.split() if meaning != "endings" else ():
                for spelled in {folded(entry), folded(entry.translate(_UNFOLDED))}:
                    plain = spelled.replace("_", "")
                    is_exact = "_" in spelled or len(plain) < _LEAST_STEM or len(endings) == 1
                    if is_exact:
                        exact[plain] = max(exact.get(plain, LOOK), meaning, key=_RANKS.index)
                        pairs.add(plain)
                    else:
                        stems[plain] = (*stems.get(plain, ()), (meaning, endings))
    return _Lexicon(
        exact=exact,
        stems=stems,
        pairs=frozenset(pairs),
        signs=tuple(
            [
                (folded(sign), meaning)
                for meaning, text in tables.signs.items()
                for sign in text.split()
            ]
        ),
        nouns={folded(one): noun for noun, text in tables.nouns.items() for one in text.split()},
        joins=vocabulary(tables.joins),
        noun_forms=frozenset(map(folded, tables.noun_forms.split())),
        english=vocabulary(tables.english),
        trials={
            kind: frozenset(map(folded, text.split())) | words_of(*_TOLD_BY.get(kind, ()))
            for kind, text in tables.trials.items()
        },
        action_names=frozenset(map(folded, tables.action_names.split())),
    )
