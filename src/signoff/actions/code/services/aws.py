"""Calls of boto3 clients as the lines of the `aws` program that do the same.

The names are one: an operation `PutObjectAcl` is `put_object_acl` in Python and `aws s3api
put-object-acl` on the command line, and so are its arguments. So what is known of the program is
known of the library.

    boto3.client("ec2").terminate_instances(InstanceIds=["i-1"])
        ->  aws ec2 terminate-instances --instance-ids i-1

Source: the reference of boto3 and of the AWS CLI, both made from the same models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from signoff.actions.code.recorder import Recorder
from signoff.actions.code.spelling import quoted
from signoff.actions.code.stand_ins.doubles import is_double
from signoff.actions.code.value import UNKNOWN_PART, Taint, Value, taints_of
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

# Where an emulator of AWS listens.
NEAR = "http://localhost:4566"
# What a client has beside its operations; nothing is called by it.
_HELPERS = frozenset(
    {"get_paginator", "get_waiter", "can_paginate", "close", "meta", "exceptions"}
    | {"generate_presigned_url", "generate_presigned_post"}
)
_UPLOADS = frozenset({"upload_file", "upload_fileobj"})
_DOWNLOADS = frozenset({"download_file", "download_fileobj"})


def record_call(
    name: str,
    service: str,
    arguments: Sequence[Value],
    named: Mapping[str, Value],
    recorder: Recorder,
    owner: Value,
) -> Value:
    """Record a call of an AWS client: through the equivalent `aws` line, else by its verb.

    Args:
        service: as `s3`; "" if unknown.
        owner: the client.
    """
    method = name.rpartition(".")[2]
    marks = owner.taints & {Taint.DOUBLE, Taint.REAL}
    given = Value(kind=name, taints=marks | {Taint.SERVICE})
    if service:
        line = line_of(service, method, arguments, named)
        is_near = is_double(owner)
        line = line.replace("aws ", f"aws --endpoint-url {NEAR} ", 1) if is_near else line
        recorder.shell.extend([line] if line else [])
        is_listed = any([Taint.LISTED in taints_of(value) for value in named.values()])
        if is_near or not (is_listed and method.startswith(("delete", "terminate", "purge"))):
            return given
    verb = next((verb for start, verb in _VERBS if method.startswith(start)), Verb.CONFIGURE)
    is_whole = "delete_bucket" in method or bool(service)
    traits = frozenset({Trait.WHOLE_STORE, Trait.BULK}) if is_whole else frozenset()
    recorder.operate(
        verb,
        name,
        thing=ResourceType.CLOUD,
        target=method,
        reach=Reach.REMOTE,
        traits=traits,
        reversible=verb is Verb.READ,
    )
    return given


def line_of(
    service: str, method: str, arguments: Sequence[Value], named: Mapping[str, Value]
) -> str:
    """Return the `aws` line equivalent to a client call, "" if there is none."""
    if method in _HELPERS:
        return ""
    if method in _UPLOADS | _DOWNLOADS:
        return _copy(method, arguments, named)
    program = "s3api" if service == "s3" else service
    words = ["aws", program, method.replace("_", "-")]
    for name, value in named.items():
        words.append("--" + "-".join(split_words(name)))
        words.extend(item.shown for item in value.items or (value,))
    return " ".join(quoted(word) for word in words)


def _copy(method: str, arguments: Sequence[Value], named: Mapping[str, Value]) -> str:
    order = ("Filename", "Bucket", "Key") if method in _UPLOADS else ("Bucket", "Key", "Filename")
    given = {**dict(zip(order, arguments, strict=False)), **named}
    shown = {name: given[name].shown if name in given else UNKNOWN_PART for name in order}
    place = f"s3://{shown['Bucket']}/{shown['Key']}"
    pair = (shown["Filename"], place) if method in _UPLOADS else (place, shown["Filename"])
    return " ".join(["aws s3 cp", *map(quoted, pair)])


_VERBS = (
    ("list", Verb.READ), ("get", Verb.READ), ("describe", Verb.READ), ("head", Verb.READ),
    ("scan", Verb.READ), ("query", Verb.READ), ("download", Verb.READ), ("paginat", Verb.READ),
    ("can_", Verb.READ), ("generate_presigned", Verb.READ), ("delete", Verb.DELETE),
    ("terminate", Verb.DELETE), ("purge", Verb.DELETE), ("upload", Verb.NETWORK_OUT),
    ("put_object", Verb.NETWORK_OUT), ("send", Verb.NETWORK_OUT), ("publish", Verb.NETWORK_OUT),
)  # fmt: skip
