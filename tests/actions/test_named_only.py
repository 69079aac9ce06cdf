"""Acts that a text names and does not do: forbidden ones, and those inside an image."""

from __future__ import annotations

import pytest

from signoff.actions.contents.named_only.image_layers import layer_lines
from signoff.actions.contents.named_only.refusals import (
    muted_records,
    only_refuses,
    without_refusals,
)

TLS = (
    '{"Statement": [{"Effect": "Deny", "Principal": "*", "Action": "s3:*",'
    ' "Condition": {"Bool": {"aws:SecureTransport": "false"}}}]}'
)
ALLOW = '{"Effect": "Allow", "Principal": "*", "Action": "*"}'


@pytest.mark.parametrize(
    "text",
    [
        TLS,
        'statement {\n  effect = "Deny"\n  actions = ["cloudtrail:StopLogging"]\n}\n',
        "- Sid: A\n  Effect: Deny\n  Principal: '*'\n  Action:\n    - s3:PutObject\n",
        "new PolicyStatement({ effect: iam.Effect.DENY, actions: ['kms:*'] })",
    ],
)
def test_a_statement_that_refuses_is_blank(text: str) -> None:
    """What is forbidden is read by no pattern, and no line moves."""
    blank = without_refusals(text)
    assert "eny" not in blank.replace("Deny(", "")
    assert (len(text), text.count("\n")) == (len(blank), blank.count("\n"))


@pytest.mark.parametrize(
    "text",
    [
        'statement {\n  effect = "Allow" # effect = "Deny"\n  actions = ["*"]\n}\n',
        'statement {\n  # effect = "Deny"\n  actions = ["*"]\n}\n',
        'statement {\n  /* effect = "Deny"\n  */ actions = ["*"]\n}\n',
        '{"Effect": "Deny", "Effect": "Allow", "Action": "*"}',
        '{"Effect": "Deny", "NotPrincipal": {"AWS": "x"}, "Action": "s3:*"}',
        '{"Effect": "Deny", "NotAction": "s3:GetObject"}',
        '{"Effect": "Deny", "Action": "*", "Condition":'
        ' {"ArnNotEquals": {"aws:PrincipalArn": "arn:aws:iam::6:role/x"}}}',
        'statement {\n effect = "Deny"\n sid = "{"\n actions = ["a:B"]\n}\n'
        'statement {\n effect = "Allow"\n actions = ["*"]\n}\n}\n',
    ],
)
def test_what_may_allow_stays(text: str) -> None:
    """A statement that allows, exempts or cannot be told is read as before."""
    assert '"*"' not in text or '"*"' in without_refusals(text)
    if "Allow" not in text:
        assert text == without_refusals(text)


def test_a_bracket_in_quotes_takes_no_further_statement_along() -> None:
    """The statement behind a refusal is read, whatever the refusal's texts hold."""
    text = (
        'data "aws_iam_policy_document" "x" {\n'
        '  statement {\n    effect = "Deny"\n    sid = "{("\n    actions = ["a:B"]\n  }\n'
        '  statement {\n    actions = ["*"]\n  }\n}\n'
    )
    assert 'actions = ["*"]' in without_refusals(text)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (TLS, "p.json", True),
        (TLS.replace('"Statement": [', '"Statement": [' + ALLOW + ", "), "p.json", False),
        (TLS, "p.py", False),
        ('{"Effect": "Deny", "Action": "a:B", "x": 1}', "p.json", False),
    ],
)
def test_a_file_of_refusals_only(text: str, path: str, expected: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """One further statement, or a format that may hold code, and the file is more than that."""
    assert expected == only_refuses(text, path)


@pytest.mark.parametrize(
    ("action", "condition", "is_muted"),
    [
        ("logs:PutLogEvents", "", True),
        ("logs:PutLogEvents", ', "Condition": {"Bool": {"aws:SecureTransport": "false"}}', False),
        ("logs:DeleteLogGroup", "", False),
    ],
)
def test_records_that_nobody_may_write(action: str, condition: str, is_muted: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """A refusal that lets no record be written blinds."""
    assert is_muted == bool(muted_records(f'{{"Effect": "Deny", "Action": "{action}"{condition}}}'))


def test_only_the_build_works_in_a_layer() -> None:
    """What starts with a container, stands in a copied file or runs without a sandbox is none."""
    text = (
        "RUN rm -rf /a\nRUN <<EOF\nrm -rf /b\nEOF\nCOPY <<EOF /x\nrm -rf /c\nEOF\n"
        "RUN --security=insecure rm -rf /d\nCMD rm -rf /e\nRUN rm -rf /e\n"
    )
    found = layer_lines(text, "/p/Dockerfile.dev")
    assert {"rm -rf /a", "rm -rf /b"} == {one for one in found if one.startswith("rm")}
    assert frozenset() == layer_lines(text, "/p/docker-compose.yml")
