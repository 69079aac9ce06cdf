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

from signoff.actions.code.spelling import quoted
from signoff.actions.code.value import UNKNOWN_PART, Value
from signoff.actions.lexicon.names import split_words

# What a client has beside its operations; nothing is called by it.
_HELPERS = frozenset(
    {"get_paginator", "get_waiter", "can_paginate", "close", "meta", "exceptions"}
    | {"generate_presigned_url", "generate_presigned_post"}
)
_UPLOADS = frozenset({"upload_file", "upload_fileobj"})
_DOWNLOADS = frozenset({"download_file", "download_fileobj"})


def line_of(
    service: str, method: str, arguments: Sequence[Value], named: Mapping[str, Value]
) -> str:
    """Return the line that does what a call does; empty where it does nothing by itself."""
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
