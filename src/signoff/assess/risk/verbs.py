"""The verb in a function's name (spec 1, factor `function_name`).

The most severe verb wins: `get_or_delete` is destructive. Only base forms count, so that
`list_deleted_items` stays a reading name. The lists hold the verbs of the specification and
further ones on these terms:

- destructive: what was there is gone or of no use afterwards, in nearly every code base that
  has the word (`erase`, `wipe`, `revoke`); words with an everyday harmless sense stay out
  (`clear` a cache, `reset` a form, `cut` a string);
- mutating: changes something outside the call, or lets something happen elsewhere;
- read: looks, compares, answers.

    verb_of("mcp__github__delete_branch") == ("destructive", "delete")
"""

from __future__ import annotations

from functools import lru_cache

from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import is_measured
from signoff.actions.tools.naming.pairs import is_pure

DESTRUCTIVE = vocabulary(
    "delete remove drop destroy purge truncate kill"
    " annihilate decommission del deprovision dispose eradicate erase expunge expropriate nuke"
    " obliterate revoke rm rmdir rmtree shred terminate uninstall unlink wipe zap"
)
MUTATING = vocabulary(
    "write update modify set create send deploy push execute run"
    " abort accept activate add adjust alter append apply approve archive assign attach authorize"
    " ban block book buy call cancel change charge clear clone close comment commit configure"
    " copy deactivate detach disable disconnect dispatch donate edit email emit enable enroll"
    " eval evict exec expose fill flush force forward grant import increment insert install"
    " invalidate invite invoke issue join kick launch lock mail make merge migrate mount move"
    " mutate notify open order override overwrite patch pause pay persist place post promote"
    " provision publish put quarantine reboot rebase refund register reject release rename replace"
    " reply reset resize restart restore resume rollback rotate save scale schedule sell share"
    " shutdown sign spawn start stop store submit subscribe suspend switch sync tag toggle trade"
    " transfer trigger tweet unban unblock undo unlock unmount unsubscribe upgrade upload upsert"
    " withdraw wire"
)
READ = vocabulary(
    "read get list fetch search find check"
    " analyze ask browse compare contains count describe detect diff download enumerate estimate"
    " exists examine explain filter has inspect is load locate lookup match monitor parse"
    " peek poll preview print query retrieve review scan select show status summarize validate"
    " verify view watch whoami"
)

# Words that are as often a noun: verbs only where a name begins with them (`email_customer`).
NOUNS_TOO = vocabulary(
    "email mail call order book issue comment charge tag place store share schedule lock post"
    " patch sign block reply force"
)

RAW = {"destructive": 0.95, "mutating": 0.55, "read": 0.10, "unknown": 0.40}


@lru_cache(maxsize=4_096)
def verb_of(name: str) -> tuple[str, str]:
    """Return the class of the most severe verb in a function's name, and that verb.

    The class is `destructive`, `mutating`, `read`, or `unknown` with "" as the verb.
    """
    words = split_words(name)
    if is_pure(words):
        return "read", words[0]
    for label, verbs in (("destructive", DESTRUCTIVE), ("mutating", MUTATING), ("read", READ)):
        for at, word in enumerate(words):
            is_noun = (at > 0 and word in NOUNS_TOO) or is_measured(words, at)
            if word in verbs and not is_noun:
                return label, word
    return "unknown", ""
