"""`aws` and tools around it: the operation's first word is the verb, the rest its noun.

Secrets are read by `get-secret-value` and `get-parameter --with-decryption`, not by listings; the
client's own configuration is the user's, not the cloud's.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.services import names_production

PUBLIC_MARKS = ("allusers", '"principal":"*"', '"aws":"*"', "public-read", '"principal":{"aws":"*"')


def parameter(call: ProgramCall) -> Iterator[Effect]:
    """`ssm get-parameter`: decrypted it is a secret, else a setting."""
    if "--with-decryption" in call.texts:
        yield call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "parameters", traits=(Trait.READS_SECRET,)
        )
    else:
        yield call.operation(Verb.READ, ResourceType.CLOUD, "parameters")


def policy(call: ProgramCall) -> Iterator[Effect]:
    """`put-bucket-policy`, `put-bucket-acl`: who may read; everybody is a disaster."""
    text = "".join(call.texts).lower().replace(" ", "")
    opened = any(mark in text for mark in PUBLIC_MARKS)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD if opened else ResourceType.ACCOUNT,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.PRODUCTION if names_production(call) else Reach.REMOTE,
        reversible=False,
    )


def unblocked(call: ProgramCall) -> Iterator[Effect]:
    """`put-public-access-block ...=false`: the door that keeps buckets private is opened."""
    opened = any("=false" in text.lower() for text in call.texts)
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if opened else (),
        reach=Reach.REMOTE,
    )


def modify_snapshot(call: ProgramCall) -> Iterator[Effect]:
    """`modify-snapshot-attribute`, `modify-image-attribute`: shared with all it is public."""
    text = " ".join(call.texts)
    public = any(mark in text for mark in ("group-names all", "Group=all", "values-to-add all"))
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.CLOUD,
        " ".join(call.texts[:2]),
        traits=(Trait.OPENS_ACCESS,) if public else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


def invoked(call: ProgramCall) -> Iterator[Effect]:
    """`lambda invoke OUT`: code runs there, its answer is a file here."""
    yield call.operation(Verb.EXECUTE, ResourceType.CLOUD, "a function", reach=Reach.REMOTE)


def configured(call: ProgramCall) -> Iterator[Effect]:
    """`aws configure get`: keys are secrets, a region is none."""
    secret = any("secret" in text or "token" in text for text in call.texts)
    traits = (Trait.READS_SECRET,) if secret else ()
    yield call.operation(
        Verb.READ,
        ResourceType.CREDENTIAL if secret else ResourceType.SETTING,
        "the profile",
        traits=traits,
    )


def with_keys(call: ProgramCall) -> Iterator[Effect]:
    """`aws-vault exec PROFILE -- program`: keys are handed to a program, which is judged too."""
    yield call.operation(Verb.READ, ResourceType.CREDENTIAL, "keys", traits=(Trait.READS_SECRET,))
    if "--" in call.texts:
        words = call.operands[call.texts.index("--") + 1 :]
        yield Nested(text=rejoin(words), language="shell", carrier=call.name)
