"""The verb of a tool's name as the first word of a sentence.

does("delete") -> "Deletes"    does("upsert") -> "Writes"    does("modify") -> "Changes"

Only words of `lexicon.verbs` come here: what a foreign tool calls itself is never put in.
"""

from __future__ import annotations

from collections.abc import Mapping

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Verb

_SAME = (
    ("Deletes", "rm rmdir rmtree del unlink expunge nuke obliterate prune purge dispose trash"),
    ("Removes", "evict kick unset deprovision offboard unregister unassign untag"),
    ("Empties", "truncate flush clean cleanup"),
    ("Takes down", "decommission"),
    ("Changes", "modify put patch adjust transition replace"),
    ("Writes", "upsert insert append"),
    ("Creates", "new mkdir init initialize"),
    ("Sends", "dispatch emit"),
    ("Sends an e-mail", "email mail"),
    ("Sends a text message", "text sms whatsapp"),
    ("Sends a message", "message dm webhook"),
    ("Posts a comment", "comment"),
    ("Posts a reply", "reply"),
    ("Posts", "tweet retweet"),
    ("Calls", "dial call"),
    ("Alerts", "page"),
    ("Pays out", "payout disburse"),
    ("Pays back", "reimburse"),
    ("Rolls out", "rollout"),
    ("Rolls back", "rollback"),
    ("Publishes", "golive ship"),
    ("Clears", "clear"),
    ("Lets in", "whitelist allowlist"),
    ("Raises the rights of", "elevate sudo"),
    ("Lowers the rights of", "demote"),
    ("Acts as", "impersonate assume"),
    ("Takes on", "onboard"),
    ("Starts", "trigger spawn launch boot"),
    ("Runs", "exec execute eval invoke do perform shell"),
    ("Shuts down", "shutdown poweroff"),
    ("Switches over", "failover"),
    ("Switches on", "enable power energize energise"),
    ("Switches off", "disable deenergize deenergise"),
    ("Sets up", "provision configure"),
    ("Stops", "halt stopall abort kill"),
    ("Unlocks", "unlock"),
    ("Schedules", "cron"),
    ("Opens", "goto"),
    ("Checks out", "checkout"),
    ("Restores", "untrash undo"),
    ("Reads", "read get list fetch show describe view lookup look retrieve cat ls head tail pull"),
    ("Searches", "search find query grep glob"),
)
_SPECIAL: Mapping[str, str] = {word: says for says, words in _SAME for word in words.split()}
_SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
# What an operation does whose verb is not that of the tool's name: a flag or a text told it.
_TOLD: Mapping[Verb, str] = {
    Verb.INERT: "Computes",
    Verb.READ: "Reads",
    Verb.WRITE: "Changes",
    Verb.DELETE: "Deletes",
    Verb.EXECUTE: "Runs",
    Verb.NETWORK_IN: "Downloads",
    Verb.NETWORK_OUT: "Sends",
    Verb.INSTALL: "Installs",
    Verb.PUBLISH: "Publishes",
    Verb.CONTROL: "Starts, stops or moves",
    Verb.CONFIGURE: "Changes",
    Verb.PRIVILEGE: "Changes the rights of",
    Verb.PERSIST: "Sets up, to run later,",
    Verb.SPEND: "Spends money on",
}
# With these the place of the object is where it goes to, or where it is taken from.
_INTO = vocabulary(
    "add invite assign attach upload move copy post comment reply append insert enroll enrol grant"
    " import deploy"
)
_OUT_OF = vocabulary("remove kick revoke unassign detach unenroll unenrol expel evict withdraw")
_ON = vocabulary("host server machine instance vm pod container device node")
# The word says already what is sent, and to whom is all that is left to say.
MESSAGES = vocabulary("email mail text sms whatsapp message dm webhook comment reply")


def does(word: str) -> str:
    """Return the third person of a verb in plain words, capitalised."""
    return _SPECIAL.get(word) or _third_person(word).capitalize()


def told(verb: Verb) -> str:
    """Return what an operation of a verb does, where no word of the name says it."""
    return _TOLD[verb]


def of_description(words: tuple[str, ...], description: str) -> str:
    """Return the word of a name that its description begins with: a verb nobody listed.

    `raise_crane`, "Raise the hook.": raise. `contract_sign`, "Signs a contract.": sign.
    """
    if words[:1] == ("issue",):  # `issue_credit`, "Credit an account."
        return words[0]
    first = "".join(char for char in description[:60].split(" ")[0].lower() if char.isalpha())
    return next((one for one in words if len(one) > 2 and first in (one, _third_person(one))), "")


def link_of_place(word: str, kind: str = "") -> str:
    """Return what stands between an object and where it is."""
    if word in _INTO:
        return "to"
    if word in _OUT_OF:
        return "from"
    return "on" if kind in _ON else "in"


def guessed(words: tuple[str, ...], nouns: frozenset[str]) -> str:
    """Return the verb of a name that has none of ours: its first word, unless that is a noun."""
    is_verb = words[:1] == ("issue",) or not words or words[0] not in nouns
    return words[0] if is_verb and len(words) > 1 and len(words[0]) > 2 else ""


def _third_person(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_SIBILANTS) else f"{word}s"
