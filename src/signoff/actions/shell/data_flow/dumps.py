"""Copies of whole databases, phones and credentials that a command prints or writes.

A dump of a development database that goes to another machine is asked about. One of production, or
of every database of a server, is private data; so is any dump on a paste site. Where a store of
objects is named for backups, the dump is kept and not given away.

    pg_dump -h prod-db app | curl -T - URL      -> NETWORK_OUT, traits={SENDS_SECRET}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.lexicon.private_names import concerns_people, names_people
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.place import Place
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production, split_name
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.origins import DUMPED, PRIVATE
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

DUMPERS = words(
    "pg_dump mysqldump mariadb-dump mongodump mongoexport sqlite3 cockroach exp expdp wp redis-cli "
    "couchbackup influxd neo4j-admin mydumper heroku clickhouse-client cqlsh"
)
# They copy everything there is.
WHOLE_DUMPERS = words("pg_dumpall pg_basebackup mariabackup xtrabackup")
WHOLE_OPTIONS = frozenset({"--all-databases", "-A", "--all"})
QUERYING = words(
    "psql mysql mariadb sqlite3 duckdb clickhouse-client cockroach sqlcmd bq mongosh mongo cqlsh"
)
MOST_QUERY = 2_000  # characters of a query that are looked at
# Columns of people and their secrets, read out of a database.
# `[^;]{0,400}` keeps to one statement and bounds the search.
SECRET_COLUMNS = lazy_re(
    r"(?i)\bselect\b[^;]{0,400}\b\w*(?:passw\w*|pwd|password_hash|pw_hash|secret\w*|api_?key\w*"
    r"|\w*tokens?|ssn|iban|card_?\w*|credit_?card\w*|private_?key|e?mails?(?:_address)?|phone\w*"
    r"|mobile_?\w*|birth_?\w*|date_of_birth|dob|salar\w*|passport\w*|national_id|diagnos\w*"
    r"|home_address|surname|last_name)\b[^;]{0,400}\bfrom\b"
)
# Tables and stores of people's records, by a part of their name: `patient_data`, `hr.payroll`.
RECORDS = words(
    "patient patients ehr emr person persons citizen citizens resident residents voter voters "
    "employee employees payroll salary salaries passport passports diagnosis diagnoses medical "
    "claimant claimants policyholder policyholders inmate inmates taxpayer taxpayers"
)
_FROM = lazy_re(r"(?i)\bfrom\s+[\"`\[]?([\w.\"`\]\[]{1,80})")
# Folders of what people said and of what is known of them.
PEOPLE_FOLDER = lazy_re(
    r"(?i)^/var/spool/asterisk/(?:monitor|voicemail)\b|(?:^|/)(?:voicemails?|call[-_]?recordings?"
    r"|patients?|medical[-_]?(?:records|images)|health[-_]?records|dicom|pacs|payrolls?|passports?|kyc)"
    r"(?:/[\w.*/-]*)?$"
)
# A machine by a public number: nobody's host by name.
STRANGER = lazy_re(
    r"(?:^|@|//)(?!127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}"
    r"(?=[:/\s]|$)"
)
CARRIERS = words("ssh scp sftp rsync sshpass")
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
MOST_NAMED = 40  # words of a command that may name a file
# Files of people's records, by a word of their path and an ending of data.
PEOPLE_FILE = lazy_re(
    r"(?i)(?:^|[/_.@=-])(?:patients?|phenotypes?|cohorts?|customers?|employees?|payrolls?"
    r"|salar(?:y|ies)|passports?|kyc|contacts|subscribers|voters|donors|students|applicants?"
    r"|residents|guests|policyholders|claimants|medical|diagnos[ei]s|health[-_]?records?|pii|ehr)"
    r"(?=[/_.-])[\w./-]{0,200}?\.(?:csv|tsv|jsonl?|ndjson|xlsx?|ods|parquet|sql|vcf|xml|db|sqlite3?"
    r"|pdf|txt|dcm|zip|tar|tgz|7z|dta|sav)(?:\.\w{2,4})?$"
)
# Programs that pick columns out of records, and the columns that say who somebody is.
PICKERS = words("jq jaq gojq yq mlr xsv qsv csvcut csvgrep awk gawk mawk dasel fx")
PERSONAL = lazy_re(
    r"(?i)\b(?:e-?mails?|phones?|phone_number|mobile|address|street|ssn|iban|dob|date_of_birth"
    r"|birth\w*|surname|last_name|full_name|passport\w*|national_id|diagnos[ei]s)\b"
)
# What a person typed, copied or sees: printed without a word, or with one of these.
OF_THE_USER = {
    **dict.fromkeys(words("wl-paste pbpaste termux-clipboard-get get-clipboard"), frozenset[str]()),
    **dict.fromkeys(words("scrot grim maim screencapture gnome-screenshot"), frozenset[str]()),
    "history": frozenset[str](),
    "fc": frozenset({"-l", "-ln", "-nl"}),
    "xclip": frozenset({"-o", "-out"}),
    "xsel": frozenset({"-o", "--output", "-bo", "-b"}),
    "copyq": frozenset({"read", "clipboard"}),
    "import": frozenset({"-window"}),
}
HISTORY_FILE = lazy_re(r"(?:^|/)(?:\.\w{0,20}history|fish_history|ConsoleHost_history\.txt)$")
DUMP_WORDS = words("dump export backup backups pg:backups .dump --rdb copy")
# A store of objects, by what stands before the path: who owns it is not said.
STORE = lazy_re(r"(?:s3|s3a|gs|gcs|az|azure|abfss?|wasbs?|oss|cos|r2|b2|minio|swift)://([^/\s]+)")
BACKUPS = lazy_re(r"(?i)back-?ups?|\bbkp|dumps?\b|archives?|snapshots?|\bdr\b|retention")
DUMP_ENDINGS = (
    *(".sql", ".dump", ".rdb", ".bak", ".dmp", ".archive", ".bson", ".pgdump", ".sqlite"),
    *(".gz", ".xz", ".zst", ".bz2", ".tar", ".tgz", ".zip"),
)
# Programs with sub-commands that print a new secret.
MINTING = {
    "npm": ("token create",),
    "aws": ("iam create-access-key", "sts get-session-token", "sts assume-role"),
    "gcloud": ("iam service-accounts keys create",),
    "heroku": ("authorizations:create", "auth:token"),
    "doctl": ("registry docker-config",),
    "kubectl": ("create token",),
    "vault": ("token create", "write auth"),
    "az": ("ad sp create-for-rbac", "account get-access-token"),
}
# The programs that `dumped_by` and `mints_secret` know something of.
COPIERS = DUMPERS | WHOLE_DUMPERS | QUERYING | MINTING.keys() | {"adb"}


def dumped_by(command: Command) -> int:
    """Return `DUMPED` if a command copies a database, plus `PRIVATE` for production; else 0."""
    if exports_people(command):
        return DUMPED | PRIVATE
    return _copied_by(command) or (DUMPED if _holds_people(command) else 0)


def _holds_people(command: Command) -> bool:
    """Tell whether records of people are named: by their file, or by two columns of theirs."""
    is_picker = command.program in PICKERS
    for word in command.words[1:MOST_NAMED]:
        text = word.text[:MOST_QUERY]
        # A file of theirs has an ending.
        if "." in text and PEOPLE_FILE.search(text) is not None:
            return True
        if PEOPLE_FOLDER.search(text) is not None:
            return True
        if is_picker:
            columns = {found.lower() for found in PERSONAL.findall(word.text[:MOST_QUERY])}
            if len(columns) > 1:
                return True
    return False


def _copied_by(command: Command) -> int:
    program = command.program
    if _is_of_the_user(command):
        return DUMPED | PRIVATE
    text = " ".join([word.text for word in command.words]) if program in QUERYING else ""
    if text and selects_people(text[:MOST_QUERY]):
        return DUMPED | PRIVATE
    # `adb backup` copies a phone: always somebody's private data.
    if program == "adb":
        return DUMPED | PRIVATE if _names(command, frozenset({"backup"})) else 0
    if program not in DUMPERS and program not in WHOLE_DUMPERS:
        return 0
    if program not in WHOLE_DUMPERS and "dump" not in program and not _names(command, DUMP_WORDS):
        return 0
    # `$PROD_URL` names production although its value is unknown.
    texts = [word.text if word.is_known else word.raw for word in command.words[1:]]
    is_whole = program in WHOLE_DUMPERS or not WHOLE_OPTIONS.isdisjoint(texts)
    is_private = is_whole or any(map(is_production, texts)) or _names_records(texts)
    return DUMPED | PRIVATE if is_private else DUMPED


def selects_people(query: str) -> bool:
    """Return whether a query reads secrets of people, or a table about them."""
    if SECRET_COLUMNS.search(query) is not None:
        return True
    tables = [found[1] for found in _FROM.finditer(query)]
    if any([not RECORDS.isdisjoint(split_name(one)) or concerns_people(one) for one in tables]):
        return True
    # A count or a mean of a column is nobody's.
    return any([concerns_people(_CALLED.sub("", found)) for found in _SELECTED.findall(query)])


_SELECTED = lazy_re(r"(?i)\bselect\b([^;]{1,400}?)\bfrom\b")
_CALLED = lazy_re(r"\b\w+\([^()]*\)(?:\s+as\s+\w+)?")


def _names_records(texts: Sequence[str]) -> bool:
    """Tell whether a database, a table or a host is called after the records of people."""
    return any([not RECORDS.isdisjoint(split_name(text)) for text in texts[:MOST_NAMED]])


def _is_of_the_user(command: Command) -> bool:
    """Tell whether a command gives out a clipboard, a screen, or what was typed in a shell."""
    asked = OF_THE_USER.get(command.program)
    if asked is not None:
        return not asked or _names(command, asked)
    given = [word.text for word in command.words[1:MOST_NAMED] if "history" in word.text]
    return any([HISTORY_FILE.search(text) is not None for text in given])


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
    return not PEOPLE.isdisjoint(parts) or _exports_records(command)


def _exports_records(command: Command) -> bool:
    """Tell whether what is exported is a table or data set of people, by its name."""
    given = [word.text for word in command.words[1 : MOST_EXPORTED + 1]]
    return any([_NAME.fullmatch(text) is not None and names_people(text) for text in given])


MOST_EXPORTED = 12  # words of an exporting command that may name what is exported
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


# A sub-command or plug-in that takes passwords, hashes or tickets out of what keeps them.
_TAKES_LOGINS = lazy_re(
    r"(?i)(?:^|\s)-{0,2}(?:\w+\.)*(?:hashdump|lsadump|cachedump|mimikatz|sekurlsa|secretsdump|lazagne"
    r"|(?:sam|ntds|cred(?:ential)?s?|passwords?|keychain|kerberos|tickets?|dpapi)[-_]?dump"
    r"|dump[-_](?:hashes|creds|credentials|passwords|lsa|sam|ntds|keychain|dpapi|tickets))"
    r"(?:(?:\.|::)\w+)?(?=\s|$)|\b\w*dump\w*\s[^|;&]{0,80}\blsass\b(?![\w.]*\.dmp)"
)
_LOGIN_WORDS = ("dump", "mimikatz", "sekurlsa", "lazagne")
# Programs that are handed names of tests, packages and branches.
_NAMERS = words(
    "pytest tox nox npm yarn pnpm cargo go pip pip3 apt apt-get brew mvn gradle poetry uv"
)


def dumped_logins(command: Command) -> tuple[tuple[Operation], ...]:
    """Return the reading of the logins that a command takes out of a system or an image, if any."""
    # Nearly every command ends at one of these: the search itself costs more.
    source = command.source
    if not any(map(source.lower().__contains__, _LOGIN_WORDS)):
        return ()
    # A text with blanks is data: what a program gets as a name is one word.
    given = " ".join([word.text for word in command.words if " " not in word.text])
    found = _TAKES_LOGINS.search(f" {given}")
    if found is None or command.program in NO_EXPORTERS or command.program in _NAMERS:
        return ()
    read = Operation(
        verb=Verb.READ,
        thing=ResourceType.CREDENTIAL,
        target=found[0].strip()[:80],
        reach=Reach.PROJECT,
        traits=frozenset({Trait.READS_SECRET}),
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
    return ((read,),)


def mints_secret(command: Command) -> bool:
    """Return whether a command creates a credential and prints it."""
    lines = MINTING.get(command.program)
    if lines is None:
        return False
    line = " ".join([word.text for word in command.words[1:] if word.text[:1] != "-"])
    return line.startswith(lines)


def leaves(op: Operation, origins: int, command: Command) -> bool:
    """Return whether a sending operation gives a database dump away.

    Args:
        origins: origin bits of the input.
    """
    if op.reach is Reach.LOOPBACK:
        return False
    if op.verb is Verb.NETWORK_OUT and dumped_by(command) & PRIVATE:
        return True  # what the client reads goes into a program that it starts
    is_strange = Trait.COVERT in op.traits or STRANGER.search(op.target) is not None
    if is_strange and op.verb is Verb.NETWORK_OUT:
        origins |= dumped_by(command)
    if not origins & DUMPED:
        return False
    if is_strange and command.program in CARRIERS:
        return True
    store = STORE.match(op.target)
    if command.program not in SENDERS and (store is None or BACKUPS.search(store[1])):
        return False
    # A dump of a development database is a leak only where it goes to a paste site or the like.
    return bool(origins & PRIVATE) or is_strange


def is_kept(op: Operation, command: Command) -> bool:
    """Return whether a dump goes to a store named for backups, so that it is no leak."""
    store = STORE.match(op.target)
    if store is None or BACKUPS.search(store[1]) is None:
        return False
    return any([word.text.endswith(DUMP_ENDINGS) for word in command.words[1:]])


def _names(command: Command, known: frozenset[str]) -> bool:
    return any([word.text in known for word in command.words[1:]])
