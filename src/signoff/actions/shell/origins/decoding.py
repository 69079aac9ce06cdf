"""Programs that encode, decode and unpack what flows through them.

base64 -d, xxd -r, gpg -d     what comes out was hidden
gunzip, zcat, xz -d           what comes out was packed; a dump for a database is no code
"""

from __future__ import annotations

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.shell.command import Command
from signoff.actions.shell.machine.decoders import hides_letters
from signoff.actions.vocabulary import words

DECODERS = words(
    "base64 base32 basenc xxd uudecode openssl gunzip zcat gzip bunzip2 bzcat xz xzcat unxz zstd "
    "zstdcat lz4 uncompress rev tr gpg"
)
ENCODERS = words("base64 base32 basenc xxd od hexdump openssl gzip uuencode")
# Compressed is not hidden: a dump that is loaded into a database is unread, no more.
COMPRESSORS = words("gunzip zcat gzip bunzip2 bzcat xz xzcat unxz zstd zstdcat lz4 uncompress")
RUNS_DECODED = "runs decoded text"  # that was read: it is judged by what it says as well
CODE_LANGUAGES = words("python javascript perl ruby php powershell lua")
DATABASES = words("psql mysql mariadb sqlite3 sqlite cockroach clickhouse-client duckdb")


def decodes(command: Command) -> bool:
    """Return whether a command decodes; some programs do so only with an option."""
    if command.program in {"base64", "base32", "basenc", "gzip", "openssl", "xxd", "gpg"}:
        flags = {w.text for w in command.words[1:]}
        return any(f in flags for f in ("-d", "-D", "--decode", "-r", "-dc", "-cd", "--decrypt"))
    if command.program == "tr":
        words = command.words[1:]
        return not all(w.is_known for w in words) or hides_letters(tuple(w.text for w in words))
    return True


def runs_decoded(text: str, language: str, command: Command) -> bool:
    """Return whether code that a command runs was decoded in the same line."""
    if language not in CODE_LANGUAGES:
        return False
    stdin = command.stdin
    if stdin is not None and stdin.is_decoded and stdin.text == text:
        return True
    return any([word.is_decoded and word.text == text for word in command.words])


def loads_dump(command: Command) -> bool:
    """Return whether a command loads its input into a database, as a dump."""
    return command.program in DATABASES


def is_decoded(command: Command) -> bool:
    """Return whether a word or the input of a command was decoded."""
    if command.stdin is not None and command.stdin.is_decoded:
        return True
    for word in command.words:  # noqa: SIM110 - a generator costs more than the test
        if word.is_decoded:
            return True
    return False


def decoded_program(command: Command) -> Operation:
    """Build the Operation of a command whose program name was decoded."""
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=command.words[0].text[:80],
        reach=Reach.UNKNOWN,
        traits=frozenset({Trait.INLINE}),
        reversible=False,
        understood=False,
        why="its name was decoded on the way",
        program=command.program,
        source=command.source,
        carriers=command.carriers,
        group=command.index,
    )
