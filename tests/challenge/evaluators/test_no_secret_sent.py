"""No secret reaches the model: sixty shapes, looked for in requests as they went out (T-29)."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import Iterator

import pytest
from model_server import ModelServer, verdict

from signoff.actions.action import Json
from signoff.challenge.evaluators.anthropic_model import AnthropicModel
from signoff.challenge.evaluators.llm import LlmEvaluator
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.redaction.redact import Redactor

PREFIXES = {
    "ghp_": 36, "gho_": 36, "ghs_": 36, "github_pat_": 40, "glpat-": 20, "xoxb-": 40, "xapp-1-": 40,
    "sk-ant-": 40, "sk-proj-": 40, "sk_live_": 24, "rk_live_": 24, "whsec_": 32, "AIza": 35,
    "ya29.": 40, "GOCSPX-": 28, "npm_": 36, "pypi-": 60, "dckr_pat_": 27, "hf_": 34, "hvs.": 24,
    "lin_api_": 40, "glsa_": 0, "PMAK-": 0, "dp.pt.": 40, "shpat_": 0,
}  # fmt: skip
NAMED = (
    "password={}", "PASSWORD='{}'", "export DB_PASSWORD={}", "--password {}", "--token={}",
    "api_key: {}", "API-KEY: {}", "secret = {}", "client_secret={}", "access_token={}",
    "Authorization: Bearer {}", "Authorization: Basic {}", "Authorization: token {}",
    "https://user:{}@host.example/x", "postgres://app:{}@db.example/app", "curl -u ada:{} https://x",
    "mysql -u root -p{} app", "sshpass -p {} ssh host", "Cookie: session={}",
    'create user a identified by "{}"', "PGPASSWORD={} psql", "auth_token='{}'", "private_key={}",
    "AccountKey={}==", "passphrase: {}", "credential={}", "AWS_SECRET_ACCESS_KEY={}",
    "redis://:{}@cache.example:6379", "signing_key={}", "pwd={}", "refresh_token={}",
)  # fmt: skip


def secrets() -> Iterator[tuple[str, str]]:
    """Yield texts with a secret in each, and the secret; the same ones every time."""
    dice = random.Random(5)

    def noise(length: int, letters: str = string.ascii_letters + string.digits) -> str:
        return "".join(dice.choices(letters, k=length))

    for prefix, length in PREFIXES.items():
        if length:
            secret = prefix + noise(length)
            yield f"echo {secret} > x", secret
    yield (token := f"shpat_{noise(32, '0123456789abcdef')}"), token
    yield (token := f"glsa_{noise(32)}_{noise(8, '0123456789abcdef')}"), token
    yield (token := f"AKIA{noise(16, string.ascii_uppercase + string.digits)}"), token
    yield (token := f"eyJ{noise(20)}.eyJ{noise(40)}.{noise(43)}"), token
    yield (token := f"12345678:A{noise(34)}"), token
    body = noise(64)
    yield f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----", body
    for form in NAMED:
        secret = noise(24)
        yield form.format(secret), secret


CASES = list(secrets())


def test_there_are_sixty() -> None:
    """So that the list does not shrink."""
    assert len(CASES) >= 58


@pytest.mark.parametrize("place", ["input", "context", "reason"])
def test_no_secret_is_in_the_request(place: str) -> None:
    """Neither in what the agent calls nor in what the rules say of it."""

    async def ask(server: ModelServer, text: str) -> None:
        model = AnthropicModel(key="k", endpoint=OutboundEndpoint.parse(server.url))
        asking = LlmEvaluator(model_api=model, mask=Redactor(b"tests"))
        texts = {"input": "", "context": "", "reason": ""} | {place: text}
        call: dict[str, Json] = {"command": texts["input"], "nested": [{"env": texts["input"]}]}
        await asking.evaluate("Bash", call, texts["context"], texts["reason"])

    with ModelServer(verdict()) as server:
        for text, _ in CASES:
            asyncio.run(ask(server, text))
    sent = [json.dumps(seen.body) for seen in server.seen]

    assert len(CASES) == len(sent)
    assert [] == [text for (text, secret), body in zip(CASES, sent, strict=True) if secret in body]
