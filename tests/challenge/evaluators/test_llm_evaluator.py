"""The evaluator over a real connection: what it asks, and what it makes of every kind of answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from model_server import (
    ModelServer,
    Reply,
    after,
    chat_says,
    forever,
    message,
    raw,
    says,
    status,
    verdict,
)

from signoff.challenge.evaluators.anthropic_model import AnthropicModel
from signoff.challenge.evaluators.llm import LlmEvaluator
from signoff.challenge.evaluators.model import TokenUsage
from signoff.challenge.evaluators.openai_compatible import OpenAiCompatibleModel
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.outbound.patience import RetryPolicy
from signoff.errors import StoreError
from signoff.redaction.redact import Redactor

KEY = "sk-ant-a-key-for-tests-only"
# No answer of these tests depends on being quick, but for those that must run out of time.
PATIENT = RetryPolicy(timeout_s=30, retries=2, pause_s=0.01)
QUICK = RetryPolicy(timeout_s=0.6, retries=2, pause_s=0.01)
Answer = tuple[bool, bool, str]


@dataclass(slots=True)
class Purse:
    """A cost tracker that keeps what it is told."""

    spent: bool = False
    calls: list[tuple[str, str, TokenUsage]] = field(default_factory=list)
    fails: bool = False

    def record(self, *, model: str, purpose: str, usage: TokenUsage) -> None:
        """Keep one call."""
        if self.fails:
            raise StoreError("disk full")
        self.calls.append((model, purpose, usage))

    def is_spent(self) -> bool:
        """Tell what the test said."""
        return self.spent


@dataclass(frozen=True, slots=True)
class Guidance:
    """A policy store with one policy for Bash."""

    def format_for_llm(self, tool: str) -> str:
        """Return the policies of the tool."""
        return "- [pol_0] Always allow npm install (applies to: Bash)" if tool == "Bash" else ""


def evaluator(
    server: ModelServer, *, patience: RetryPolicy = PATIENT, costs: Purse | None = None
) -> LlmEvaluator:
    """Return an evaluator that asks the server."""
    return LlmEvaluator(
        "claude-haiku-4-5-20251001",
        0.8,
        Guidance(),
        costs,
        model_api=AnthropicModel(
            key=KEY, endpoint=OutboundEndpoint.parse(server.url), patience=patience
        ),
        mask=Redactor(b"tests"),
    )


def ask(server: ModelServer, line: str = "ls", *, costs: Purse | None = None) -> Answer:
    """Evaluate one shell line."""
    asked = evaluator(server, costs=costs).evaluate("Bash", {"command": line}, "no rule", "asked")
    return asyncio.run(asked)


def test_an_allowing_answer_is_passed_on() -> None:
    """Allowed, confident, with its reason."""
    with ModelServer(verdict(reason="lists a folder", confidence=0.95)) as server:
        assert (True, True, "lists a folder") == ask(server)


def test_a_denying_answer_is_passed_on() -> None:
    """The model's no is told as it is; what becomes of it is the ladder's."""
    with ModelServer(verdict(allowed=False, reason="deletes")) as server:
        assert (False, True, "deletes") == ask(server)


def test_an_unsure_answer_is_passed_on() -> None:
    """Allowed but not confident."""
    with ModelServer(verdict(confident=False, reason="hm")) as server:
        assert (True, False, "hm") == ask(server)


@pytest.mark.parametrize(
    ("confidence", "sure"), [(0.79, False), (0.8, True), (1, True), (0, False)]
)
def test_a_number_under_the_threshold_is_not_confident(*, confidence: float, sure: bool) -> None:
    """The threshold works: 0.8 by default."""
    with ModelServer(verdict(confidence=confidence)) as server:
        assert (True, sure, "reads only") == ask(server)


def test_what_is_missing_counts_as_no() -> None:
    """An empty object is not allowed, not confident, with the reason of spec 3."""
    with ModelServer(says("{}")) as server:
        assert (False, False, "No reason provided") == ask(server)


def test_the_request_is_one_of_the_messages_api() -> None:
    """Path, key, version, model, 256 tokens, and a schema."""
    with ModelServer(verdict()) as server:
        ask(server)
    seen = server.seen[0]

    assert ("/v1/messages", KEY, "2023-06-01") == (
        seen.path,
        seen.headers["x-api-key"],
        seen.headers["anthropic-version"],
    )
    assert ("claude-haiku-4-5-20251001", 256) == (seen.body["model"], seen.body["max_tokens"])
    assert "json_schema" == seen.body["output_config"]["format"]["type"]


def test_policies_of_the_tool_are_put_to_the_model() -> None:
    """As a list, for the tool they are for."""
    with ModelServer(verdict()) as server:
        ask(server)

    assert "- [pol_0] Always allow npm install (applies to: Bash)" in server.seen[0].user


LASTING: dict[str, Reply] = {
    "bad-request": status(400),
    "wrong-key": status(401),
    "not-found": status(404),
    "html": raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>hello</html>"),
    "empty": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "no-http": raw(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"),
    "array": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"),
    "other-object": raw(b'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"allowed": true}'),
    "cut-off-by-tokens": says('{"allowed": true', stop_reason="max_tokens"),
    "refusal": says('{"allowed": true, "confident": true}', stop_reason="refusal"),
    "tool-use": says("", content=[{"type": "tool_use", "id": "t", "name": "x", "input": {}}]),
    "two-blocks": says(
        "",
        content=[
            {"type": "text", "text": '{"allowed": true, "confident": true}'},
            {"type": "text", "text": "{}"},
        ],
    ),
    "no-content": says("", content=[]),
    "user-role": says('{"allowed": true, "confident": true}', role="user"),
    "redirect": status(307, Location="http://127.0.0.1:1/v1/messages"),
    "redirect-without-place": status(302),
    "two-lengths": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}"),
    "huge-length": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{}"),
    "negative-length": raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"),
    "packed": raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
}


@pytest.mark.parametrize("name", LASTING)
def test_an_answer_of_another_kind_is_an_error(name: str) -> None:
    """Asked once, and on to the people."""
    with ModelServer(LASTING[name]) as server:
        allowed, confident, reason = ask(server)

    assert (False, False, True) == (allowed, confident, reason.startswith("LLM evaluation error: "))
    assert 1 == len(server.seen)


PASSING: dict[str, Reply] = {
    "too-many": status(429),
    "server-error": status(500),
    "bad-gateway": status(502),
    "overloaded": status(529),
    "hung-up": raw(b""),
    "cut-off-head": raw(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "cut-off-body": raw(b'HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"type": "mess'),
    "cut-off-piece": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nab"),
}


@pytest.mark.parametrize("name", PASSING)
def test_a_passing_failure_is_tried_again(name: str) -> None:
    """And the answer that comes then counts."""
    with ModelServer(PASSING[name], verdict()) as server:
        assert (True, True, "reads only") == ask(server)


@pytest.mark.parametrize("name", PASSING)
def test_a_failure_that_stays_is_an_error(name: str) -> None:
    """After the retries there are, and no more."""
    with ModelServer(PASSING[name]) as server:
        allowed, confident, reason = ask(server)

    assert (False, False, True) == (allowed, confident, reason.startswith("LLM evaluation error: "))
    assert 3 == len(server.seen)


def test_retry_after_is_waited_for_if_there_is_time() -> None:
    """No earlier than asked for."""
    with ModelServer(status(429, Retry_After="1"), verdict()) as server:
        asked = evaluator(server).evaluate("Bash", {}, "", "")

        assert (True, True, "reads only") == asyncio.run(asked)


def test_retry_after_beyond_the_time_limit_ends_it_at_once() -> None:
    """Nobody waits for what cannot come in time."""
    with ModelServer(status(529, Retry_After="600"), verdict()) as server:
        answer = ask(server)

    assert (
        False,
        False,
        "LLM evaluation error: status 529, and no time to try again",
    ) == answer


ENDLESS: dict[str, Reply] = {
    "slow": after(2.0, verdict()),
    "silent": raw(b"", hold_s=2.0),
    "dribbling-head": forever(b"HTTP/1.1 200 OK\r\n", b"x"),
    "streaming": forever(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 64),
    "pieces": forever(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "interim": forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}

TOO_LONG = {"no answer within 0.6 seconds", "it never came to an answer"}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_takes_too_long_is_an_error_in_time(name: str) -> None:
    """The time limit holds over everything together."""
    with ModelServer(ENDLESS[name]) as server:
        asked = evaluator(server, patience=QUICK).evaluate("Bash", {"command": "ls"}, "", "")
        answer = asyncio.run(asyncio.wait_for(asked, timeout=30))

    assert (False, False) == answer[:2]
    assert answer[2].removeprefix("LLM evaluation error: ") in TOO_LONG


def test_nothing_listens() -> None:
    """A model that is down is an error."""
    with ModelServer(verdict()) as server:
        pass

    assert (False, False) == ask(server)[:2]


def test_an_error_tells_no_key() -> None:
    """Nor does what the model object shows."""
    with ModelServer(status(401)) as server:
        reason = ask(server)[2]
        shown = repr(AnthropicModel(key=KEY))

    assert KEY not in reason
    assert KEY not in shown


def test_without_a_key_nothing_is_sent() -> None:
    """An error, and no request."""
    with ModelServer(verdict()) as server:
        model = AnthropicModel(key="", endpoint=OutboundEndpoint.parse(server.url))
        answer = asyncio.run(LlmEvaluator(model_api=model).evaluate("Bash", {}, "", ""))

    assert (False, False, "LLM evaluation error: there is no API key") == answer
    assert [] == server.seen


def test_a_key_cannot_carry_a_header() -> None:
    """A line end in the key is refused before anything is sent."""
    with ModelServer(verdict()) as server:
        model = AnthropicModel(key="a\r\nX-More: 1", endpoint=OutboundEndpoint.parse(server.url))
        answer = asyncio.run(LlmEvaluator(model_api=model).evaluate("Bash", {}, "", ""))

    assert (False, False) == answer[:2]
    assert [] == server.seen


def test_variables_move_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a base address nor a proxy nor a token in the environment counts (T-28)."""
    with ModelServer(verdict()) as server, ModelServer(verdict(reason="moved")) as other:
        for name in ("ANTHROPIC_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, other.url)
        monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other")

        assert (True, True, "reads only") == ask(server)
        assert [] == other.seen


def test_the_same_question_is_not_asked_twice() -> None:
    """Within the window the first answer stands."""

    async def twice(server: ModelServer) -> None:
        asking = evaluator(server)
        await asking.evaluate("Bash", {"command": "ls"}, "", "")
        await asking.evaluate("Bash", {"command": "ls"}, "", "")

    with ModelServer(verdict()) as server:
        asyncio.run(twice(server))

    assert 1 == len(server.seen)


def test_the_same_question_at_once_is_asked_once() -> None:
    """The second one joins."""

    async def both(server: ModelServer) -> list[Answer]:
        asking = evaluator(server)
        same = [asking.evaluate("Bash", {"command": "ls"}, "", "") for _ in range(5)]
        return await asyncio.gather(*same)

    with ModelServer(after(0.1, verdict())) as server:
        answers = asyncio.run(both(server))

    assert ([(True, True, "reads only")] * 5, 1) == (answers, len(server.seen))


@pytest.mark.parametrize(
    "other", [("Bash", "ls -a", "", ""), ("Sh", "ls", "", ""), ("Bash", "ls", "x", "")]
)
def test_another_question_is_asked(other: tuple[str, str, str, str]) -> None:
    """Tool, input and context all count."""
    tool, line, context, reason = other

    async def both(server: ModelServer) -> None:
        asking = evaluator(server)
        await asking.evaluate("Bash", {"command": "ls"}, "", "")
        await asking.evaluate(tool, {"command": line}, context, reason)

    with ModelServer(verdict()) as server:
        asyncio.run(both(server))

    assert 2 == len(server.seen)


def test_two_secrets_that_look_alike_masked_are_two_questions() -> None:
    """What was called counts, not what is shown."""

    async def both(server: ModelServer) -> None:
        asking = LlmEvaluator(
            model_api=AnthropicModel(key=KEY, endpoint=OutboundEndpoint.parse(server.url)),
            mask=_Blind(),
        )
        await asking.evaluate("Bash", {"command": "a"}, "", "")
        await asking.evaluate("Bash", {"command": "b"}, "", "")

    with ModelServer(verdict()) as server:
        asyncio.run(both(server))

    assert 2 == len(server.seen)


class _Blind:
    """Masks everything."""

    def value(self, value: object) -> str:
        """Return the same for anything."""
        return "*"

    def text(self, text: str) -> str:
        """Return the same for anything."""
        return "*"


def test_a_failure_is_not_remembered() -> None:
    """It is worth another try at the next call."""

    async def twice(server: ModelServer) -> Answer:
        asking = evaluator(server)
        await asking.evaluate("Bash", {"command": "ls"}, "", "")
        return await asking.evaluate("Bash", {"command": "ls"}, "", "")

    with ModelServer(status(401), verdict()) as server:
        assert (True, True, "reads only") == asyncio.run(twice(server))


def test_every_call_is_costed() -> None:
    """With model, purpose and tokens."""
    purse = Purse()
    with ModelServer(verdict()) as server:
        ask(server, costs=purse)

    usage = TokenUsage(input_tokens=1000, output_tokens=50)
    assert [("claude-haiku-4-5-20251001", "tool-eval", usage)] == purse.calls


def test_an_unusable_reply_is_costed_too() -> None:
    """It was paid for."""
    purse = Purse()
    with ModelServer(says("I cannot", stop_reason="refusal")) as server:
        ask(server, costs=purse)

    assert 1 == len(purse.calls)


def test_tokens_through_the_cache_are_input() -> None:
    """The API leaves them out of its figure; we do not."""
    purse = Purse()
    usage = {
        "input_tokens": 10,
        "output_tokens": 5,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 40,
    }
    body = json.dumps(message("{}", usage=usage)).encode()
    with ModelServer(lambda handler: handler.answer(200, body)) as server:
        ask(server, costs=purse)

    expected = TokenUsage(
        input_tokens=350, output_tokens=5, cache_read_tokens=300, cache_write_tokens=40
    )
    assert expected == purse.calls[0][2]


@pytest.mark.parametrize("error", [ValueError("x"), OSError("x"), RecursionError(), KeyError("k")])
def test_any_error_goes_on_to_the_people(error: Exception) -> None:
    """Wherever it comes from, and it tells no more than its kind."""

    class Broken:
        def format_for_llm(self, tool: str) -> str:
            raise error

    with ModelServer(verdict()) as server:
        asking = LlmEvaluator(
            policy_store=Broken(),
            model_api=AnthropicModel(key=KEY, endpoint=OutboundEndpoint.parse(server.url)),
        )
        answer = asyncio.run(asking.evaluate("Bash", {}, "", ""))

    assert (False, False, f"LLM evaluation error: {type(error).__name__}") == answer


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (says("{}", stop_reason="refusal"), "the model did not end by itself (`refusal`)"),
        (says("", content=[]), "the reply is not one text"),
        (status(307, Location="/"), "status 307: a redirect is not followed"),
        (status(401), "status 401"),
        (says("```{}```"), "the reply is not one JSON object"),
    ],
)
def test_an_error_says_what_it_was(reply: Reply, said: str) -> None:
    """In words a person understands."""
    with ModelServer(reply) as server:
        assert f"LLM evaluation error: {said}" == ask(server)[2]


def test_a_spent_budget_skips_the_model() -> None:
    """Nothing is sent, and it goes on to the people."""
    with ModelServer(verdict()) as server:
        answer = ask(server, costs=Purse(spent=True))

    assert (False, False, "LLM evaluation error: the budget of this day is spent") == answer
    assert [] == server.seen


def test_what_cannot_be_costed_does_not_count() -> None:
    """A call nobody can account for approves nothing."""
    with ModelServer(verdict()) as server:
        assert (False, False) == ask(server, costs=Purse(fails=True))[:2]


def chat(server: ModelServer) -> Answer:
    """Evaluate over chat completions."""
    model = OpenAiCompatibleModel(
        name="qwen3:8b",
        endpoint=OutboundEndpoint.parse(f"{server.url}/v1"),
        key="k1",
        patience=PATIENT,
    )
    asked = LlmEvaluator("qwen3:8b", model_api=model).evaluate("Bash", {"command": "ls"}, "", "")
    return asyncio.run(asked)


def test_chat_completions_answer_as_well() -> None:
    """The same judgement over the other API."""
    with ModelServer(chat_says('{"allowed": true, "confident": true, "reason": "ok"}')) as server:
        assert (True, True, "ok") == chat(server)
    seen = server.seen[0]

    assert ("/v1/chat/completions", "Bearer k1") == (seen.path, seen.headers["authorization"])
    assert "json_schema" == seen.body["response_format"]["type"]


YES = '{"allowed": true, "confident": true}'


@pytest.mark.parametrize(
    "reply",
    [
        chat_says(YES, finish="length"),
        chat_says(YES, finish="content_filter"),
        chat_says(None),
        chat_says(YES, refusal="I will not"),
        chat_says(YES, role="user"),
        verdict(),
        raw(b"HTTP/1.1 200 OK\r\n\r\n" + b'{"choices": []}'),
    ],
)
def test_odd_chat_completions_are_errors(reply: Reply) -> None:
    """Cut off, filtered, refused, or of another API."""
    with ModelServer(reply) as server:
        assert (False, False) == chat(server)[:2]
