"""Clients of a cloud that talk to an emulator of this machine: what they change is the project's.

awslocal s3 rb s3://t --force                          -> DELETE cloud, PROJECT, reversible
aws --endpoint-url http://localhost:4566 s3 rb s3://t  -> the same
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.shell.command import Command
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import words
from signoff.values import replace

# Programs that only talk to an emulator, where nothing else is said, and those that can be told to.
EMULATORS = words("awslocal samlocal cdklocal tflocal pulumilocal")
CLIENTS = EMULATORS | words("aws aws2 s5cmd s3cmd gcloud gsutil az")
ENDPOINTS = words("--endpoint-url --endpoint --host --api-endpoint-overrides")
# Wallets, and the chains whose coins anybody makes for nothing (`bitcoin-cli -help`).
WALLETS = words("bitcoin-cli litecoin-cli dogecoin-cli elements-cli dash-cli zcash-cli electrum")
TEST_CHAINS = words(
    "-regtest --regtest -testnet --testnet -testnet4 --testnet4 -signet --signet"
    " -regtest=1 -testnet=1 -signet=1 -chain=regtest -chain=test -chain=signet"
)
# Directories of people: on another port than the usual ones a server of this machine is a trial.
DIRECTORIES = words("ldapadd ldapmodify ldapdelete ldappasswd ldapmodrdn")
_OWN_PORTS = (":389", ":636", "")
CLIENTS |= WALLETS | DIRECTORIES
MOST_WORDS = 200
_FAR = frozenset({Reach.REMOTE, Reach.PRODUCTION, Reach.UNKNOWN})
# At an emulator, no backup of anybody's and no account of a person.
_UNREAL = frozenset({ResourceType.BACKUP, ResourceType.ACCOUNT})
# A secret or a file that is read here is read, wherever it is sent.
_STAYS = frozenset({ResourceType.CREDENTIAL, ResourceType.FILE})


def at_emulator(effects: Iterable[Effect], name: str, command: Command) -> Iterator[Effect]:
    """Yield a client's effects, as local ones if it is pointed at an emulator.

    Args:
        name: of the program.
    """
    if name in WALLETS:
        yield from _on_chain(effects, command)
        return
    is_near = _asks_emulator(name, command)
    for one in effects:
        yield _near(one) if is_near and isinstance(one, Operation) else one


def _on_chain(effects: Iterable[Effect], command: Command) -> Iterator[Effect]:
    """What a wallet spends: on a test chain it is worth nothing; the last option of two holds."""
    chains = [
        word.text
        for word in command.words[1:MOST_WORDS]
        if word.text.lstrip("-").partition("=")[0] in _CHAINS
    ]
    is_test = bool(chains) and chains[-1] in TEST_CHAINS
    for one in effects:
        is_spent = isinstance(one, Operation) and one.verb is Verb.SPEND
        if is_test and is_spent and isinstance(one, Operation):
            yield replace(one, verb=Verb.EXECUTE, thing=ResourceType.NOTHING, reach=Reach.PROJECT)
        else:
            yield one


_CHAINS = words("regtest testnet testnet4 signet chain main mainnet")


def _near(op: Operation) -> Operation:
    if op.reach not in _FAR or op.thing in _STAYS:
        return op
    traits = op.traits - {Trait.WHOLE_STORE, Trait.OPENS_ACCESS}
    thing = ResourceType.CLOUD if op.thing in _UNREAL else op.thing
    return replace(op, thing=thing, reach=Reach.PROJECT, reversible=True, traits=traits)


def _asks_emulator(name: str, command: Command) -> bool:
    """Tell whether the address is one of this machine; given twice, each of them has to be."""
    texts = [word.text for word in command.words[1:MOST_WORDS]]
    given = [
        text.partition("=")[2] or "".join(texts[at + 1 : at + 2])
        for at, text in enumerate(texts)
        if text.partition("=")[0] in (("-H",) if name in DIRECTORIES else ENDPOINTS)
    ]
    if not given:
        return name in EMULATORS
    if name in DIRECTORIES and any(map(_is_usual, given)):
        return False
    return all(map(is_near_url, given))


def _is_usual(address: str) -> bool:
    """Tell `ldap://localhost`: there the machine may keep its own accounts."""
    host = address.partition("://")[2].rstrip("/")
    return "".join(host.rpartition(":")[1:]) in _OWN_PORTS or ":" not in host
