"""What two parsers could read in two ways is no message; everything else is."""

from __future__ import annotations

import json

import pytest

from signoff.frontends.mcp.relay.framing import BadMessage, MessageKind, read_messages

LIMIT = 1 << 24
CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}'


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{"name":"x"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","NAME":"b"}}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Arguments":{}}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
        '{"jsonrpc":"2.0","id":1.0,"method":"ping"}',
        '{"jsonrpc":"2.0","id":true,"method":"ping"}',
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":["tools/call"]}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":["tools/call"]}',
        '{"jsonrpc":"2.0","id":1}',
        '"tools/call"',
        "[]",
        CALL + CALL,
        "\ufeff" + CALL,
        '{"jsonrpc":"2.0","id":1,"method":"x","params":' + "[" * 70 + "]" * 70 + "}",
        "no json",
    ],
)
def test_a_doubtful_message_goes_nowhere(line: str) -> None:
    """Refused, whichever side it comes from."""
    for is_server in (False, True):
        with pytest.raises(BadMessage):
            read_messages(line.encode(), limit=LIMIT, is_server=is_server)


def test_a_carriage_return_ends_no_line_inside_a_message() -> None:
    """A reader that ends lines at it would read a second message in the first."""
    hidden = f'{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"x":\r{CALL}\r}}}}'
    (message,) = read_messages(hidden.encode() + b"\r\n", limit=LIMIT)

    assert message.method == "ping"
    assert b"\r" not in message.raw
    assert json.loads(message.raw) == json.loads(hidden)


def test_a_batch_is_taken_apart() -> None:
    """Each of its messages is one of its own, and as it was."""
    both = read_messages(f"[{CALL},{CALL}]".encode(), limit=LIMIT)

    assert [json.loads(one.raw) for one in both] == [json.loads(CALL)] * 2
    assert [one.kind for one in both] == [MessageKind.REQUEST] * 2


def test_results_may_hold_what_calls_may_not() -> None:
    """A file with NUL characters in it is no attack on anybody."""
    line = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\\u0000b"}]}}'

    assert read_messages(line, limit=LIMIT, is_server=True)[0].raw == line
    with pytest.raises(BadMessage):
        read_messages(line, limit=LIMIT)


def test_the_limit_of_size_holds() -> None:
    """In both directions."""
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"x": "a" * 200_000}}).encode()

    with pytest.raises(BadMessage):
        read_messages(line, limit=100_000, is_server=True)
