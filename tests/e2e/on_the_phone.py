"""The real Claude Code before a daemon that asks on Telegram, and a person with a phone."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from claude_code import ClaudeCode, Session
from fake_messages_api import ToolCall
from resident import TRUSTING, left_in, resident

sys.path.append(str(Path(__file__).parents[1] / "channels" / "telegram"))
from fake_bot_api import ADA, CHAT, TOKEN, FakeBotApi, fake_bot_api


def bot_files(api: FakeBotApi) -> dict[str, str]:
    """Return what a configuration needs to ask at this bot."""
    return {
        "telegram.yaml": f"api: {api.url}\nchat: {CHAT}\nusers: [{ADA}]\n",
        "telegram.token": TOKEN,
    }


def void(_: object) -> None:
    """Take something and return nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnThePhone:
    """Claude Code before a daemon that asks on Telegram."""

    claude: ClaudeCode
    api: FakeBotApi

    def run(self, *calls: ToolCall, person: Callable[[int], None]) -> Session:
        """Run a session; the person does something with each card that comes."""
        with self.watched(person):
            return self.claude.run(*calls, options=TRUSTING)

    @contextmanager
    def watched(self, person: Callable[[int], None]) -> Iterator[None]:
        """Have the person do something with each message that has buttons."""
        seen: set[int] = set()
        is_over = threading.Event()

        def watch() -> None:
            while not is_over.wait(0.05):
                for number, message in list(self.api.messages.items()):
                    if number not in seen and "callback_data" in json.dumps(message):
                        seen.add(number)
                        time.sleep(1.0)  # the bot knows its own message before anybody taps
                        person(number)

        phone = threading.Thread(target=watch)
        phone.start()
        try:
            yield
        finally:
            is_over.set()
            phone.join()

    @property
    def config(self) -> Path:
        """The configuration folder."""
        return self.claude.home / ".config" / "signoff"

    def there(self) -> list[str]:
        """Return what the calls have left behind."""
        return left_in(self.claude)


@contextmanager
def on_the_phone(claude: ClaudeCode, files: dict[str, str]) -> Iterator[OnThePhone]:
    """Give Claude Code a daemon with these files and a bot."""
    with fake_bot_api() as api, resident(claude, {**files, **bot_files(api)}):
        yield OnThePhone(claude=claude, api=api)
