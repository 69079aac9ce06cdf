"""Commands that export people or their logins, and the files they write them to.

A sub-command says it (`auth:export`), or the name of what is fetched does
(`download PROD.KUNDEN.STAMM`).
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.lexicon.private_names import names_people
from signoff.actions.operation import Operation, Verb
from signoff.actions.place import Place
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import split_name
from signoff.actions.shell.command import Command
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# A sub-command that gives out all of something, and what belongs to people or lets them in.
EXPORTING = words("export dump download extract backup")
PEOPLE = words(
    "auth user users contact contacts customer customers member members subscriber subscribers "
    "employee employees patient patients student students lead leads guest guests donor donors "
    "account accounts identity identities credential credentials connection connections secret "
    "secrets voter voters client clients person people candidate candidates cdr cdrs voicemail "
    "voicemails recordings invoices payroll subject subjects participant participants"
)
MOST_WORDS = 6  # of a line that are its sub-command
# Clients that hand what they are given to whoever answers.
SENDERS = words(
    "curl wget http https xh nc ncat netcat socat telnet openssl ftp lftp tftp croc ffsend"
)
# Programs whose words are names and texts: files, patterns, messages, targets.
NO_EXPORTERS = SENDERS | words(
    "grep egrep fgrep rg ag ack sed awk gawk cat bat head tail less more echo printf git gh "
    "ls find fd wc diff sort uniq cut tr tee touch mkdir rm rmdir cp mv ln cd pushd test make "
    "just task export declare local set unset read alias type which man code vim nvim nano "
    "emacs tar zip unzip rsync scp ssh docker podman jq yq xargs parallel true false exit "
    "kill sleep"
)


def exports_people(command: Command) -> bool:
    """Return whether a sub-command exports people or logins: `auth:export`."""
    # A quoted word is a text; paths, addresses and names of code are no sub-commands.
    given = [word.text for word in command.words[1 : MOST_WORDS + 1] if not word.is_quoted]
    # One search over all of them: nearly every command ends here.
    if _EXPORT.search(" ".join(given)) is None or command.program in NO_EXPORTERS:
        return False
    named = [text for text in given if _SUB_COMMAND.fullmatch(text) is not None]
    if not any([_EXPORT.search(text) for text in named]):
        return False
    parts = {part for text in named for part in split_name(text)}
    if EXPORTING.isdisjoint(parts):
        return False
    return not PEOPLE.isdisjoint(parts) or _names_records(command)


def _names_records(command: Command) -> bool:
    """Tell whether what is exported is a table or data set of people, by its name."""
    given = [word.text for word in command.words[1 : MOST_NAMED + 1]]
    return any([_NAME.fullmatch(text) is not None and names_people(text) for text in given])


MOST_NAMED = 12  # words of an exporting command that may name what is exported
_NAME = lazy_re(r"[\w.$#-]{3,120}")
_SUB_COMMAND = lazy_re(r"-{0,2}[a-z][a-z0-9:_-]*")
_EXPORT = lazy_re("export|dump|download|extract|backup")


def exported_files(command: Command, place: Place) -> Iterator[Operation]:
    """Yield a write of each file that an exporting command names."""
    if not exports_people(command):
        return
    call = ProgramCall(
        name=command.program,
        command=command,
        place=place,
    )
    for word in command.words[2:]:
        text = word.text.partition("=")[2] if word.text[:1] == "-" else word.text
        if "://" not in text and ("/" in text or _FILE.search(text) is not None):
            yield call.on_file(Verb.WRITE, replace(word, text=text))


_FILE = lazy_re(r"\.(?:json|csv|tsv|sql|xlsx?|txt|xml|ya?ml|ldif|vcf|zip|gz|parquet|env)$")
