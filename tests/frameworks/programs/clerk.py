"""What the scripted agents share: three tools that leave a trace, the words of the command line.

    python langgraph_agent.py start FOLDER SESSION look_up:A1 drop_table:orders post_comment:A1
    python langgraph_agent.py resume FOLDER SESSION

Each prints one JSON object: what the model was told of each call, or that the agent pauses. An
agent that pauses has stored its state in the folder, and waits to be killed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

FOLDER, SESSION = Path(sys.argv[2]), sys.argv[3]
IS_RESUMED = sys.argv[1] == "resume"
CALLS = [tuple(word.split(":")) for word in sys.argv[4:]]
PAUSE_AFTER_S = 1.0 if "pause" in sys.argv[1] else None


def _left(tool: str, subject: str) -> str:
    with (FOLDER / "ran.txt").open("a", encoding="utf-8") as file:
        file.write(f"{tool} {subject}\n")
    return f"{tool} {subject}: done"


def look_up(subject: str) -> str:
    """Look up an order.

    Args:
        subject: its number
    """
    return _left("look_up", subject)


def drop_table(subject: str) -> str:
    """Drop a database table.

    Args:
        subject: its name
    """
    return _left("drop_table", subject)


def post_comment(subject: str) -> str:
    """Post a comment on an order.

    Args:
        subject: its number
    """
    return _left("post_comment", subject)


TOOLS = (look_up, drop_table, post_comment)


def told(heard: Sequence[str]) -> None:
    """Print what the model was told."""
    print(json.dumps({"heard": list(heard)}), flush=True)


def paused() -> None:
    """Say that the state is stored, and wait to be killed."""
    print(json.dumps({"paused": True}), flush=True)
    time.sleep(600)
