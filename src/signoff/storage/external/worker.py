"""The process that runs Cedar or Rego policies: JSON lines in, JSON lines out.

The first line names the engine and its policies; the answer is `{"ready": true}` or an error. Each
later line is one call; the answer is a verdict with its reason, or an error. Whoever waits kills
this process where it takes too long: an engine cannot be interrupted from within.

    {"engine": "cedar", "policies": {"work.cedar": "forbid(principal, action, resource);"}}
    {"tool": "Bash", "command": "git push", ...}    ->  {"verdict": "deny", "reason": "policy0"}
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Opinion = Mapping[str, str]
Engine = Callable[[Mapping[str, Any]], Opinion]
NO_OPINION: Opinion = {"verdict": "", "reason": ""}
VERDICTS = ("deny", "ask", "allow")  # the first that anything says holds
LARGEST = 2**63 - 1
RESERVED = "__"


def cedar(policies: Mapping[str, str]) -> Engine:
    """Return a function that evaluates Cedar policies.

    Raises:
        ValueError: a policy is not valid.
    """
    import cedarpy  # noqa: PLC0415 - an extra

    text = "\n".join(policies.values())
    said = json.loads(cedarpy.policies_to_json_str(text))["staticPolicies"]

    def ask(call: Mapping[str, Any]) -> Opinion:
        request = {
            "principal": f"Agent::{_quoted(call['agent'])}",
            "action": f"Action::{_quoted(call['tool'])}",
            "resource": f"Project::{_quoted(call['project'])}",
            "context": cedar_value(call),
        }
        answer = cedarpy.is_authorized(request, text, [])
        if answer.diagnostics.errors:
            # Cedar skips a policy that fails: one that forbids would forbid nothing.
            raise ValueError("; ".join(map(str, answer.diagnostics.errors)))
        return _cedar_opinion([said[id] for id in answer.diagnostics.reasons])

    return ask


def _cedar_opinion(policies: list[Mapping[str, Any]]) -> Opinion:
    """Return what the policies that decided say together; none of them is no opinion."""
    found: dict[str, str] = {}
    for policy in policies:
        notes = policy.get("annotations", {})
        verdict = "allow" if policy["effect"] == "permit" else notes.get("verdict", "deny")
        if verdict not in VERDICTS:
            raise ValueError(f"unknown verdict `{verdict}` in @verdict (ask, deny)")
        found.setdefault(verdict, notes.get("reason") or notes.get("id") or "")
    verdict = next((one for one in VERDICTS if one in found), "")
    return {"verdict": verdict, "reason": found.get(verdict, "")}


def cedar_value(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Convert a JSON value to one Cedar accepts: no null, no fractions, no reserved names."""
    if isinstance(value, Mapping):
        items = value.items()
        return {_named(key): cedar_value(one) for key, one in items if one is not None}
    if isinstance(value, list):
        return [cedar_value(one) for one in value if one is not None]
    is_large = isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST
    # Cedar has 64-bit integers and no fractions: as a text the value is still there to compare.
    return str(value) if isinstance(value, float) or is_large else value


def _named(key: str) -> str:
    # `__entity` and `__extn` would make Cedar read an argument as an entity or a function.
    return f"argument {key}" if key.startswith(RESERVED) else key


def _quoted(name: str) -> str:
    """Return a name as Cedar writes it; what cannot be shown is a question mark."""
    shown = "".join(one if one.isprintable() else "?" for one in name[:1_000])
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def opa(policies: Mapping[str, str]) -> Engine:
    """Return a function that evaluates Rego: the sets `deny`, `ask`, `allow` of `signoff`.

    Raises:
        Exception: a policy is not valid.
    """
    import regopy  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra

    interpreter = regopy.Interpreter()
    for name, text in policies.items():
        interpreter.add_module(name, text)

    def ask(call: Mapping[str, Any]) -> Opinion:
        interpreter.set_input(call)
        output = interpreter.query("data.signoff")
        if not output.ok():
            raise ValueError(str(output)[:500])
        answers = output.results[0].expressions if output.results else ()
        return rego_opinion(json.loads(json.dumps(answers[0])) if answers else {})

    ask({"tool": ""})
    return ask


def rego_opinion(said: Any) -> Opinion:  # noqa: ANN401 - whatever the policies make
    """Combine Rego's sets of reasons into one opinion; empty sets give none."""
    if not isinstance(said, dict):
        raise ValueError("`data.signoff` is no package")
    for verdict in VERDICTS:
        reasons = said.get(verdict, [])
        if not isinstance(reasons, list | dict):
            raise ValueError(f"`{verdict}` is no set of reasons: write `{verdict} contains ... if`")
        if reasons:
            return {"verdict": verdict, "reason": ", ".join(sorted(map(str, reasons)))}
    return NO_OPINION


ENGINES: Mapping[str, Callable[[Mapping[str, str]], Engine]] = {"cedar": cedar, "opa": opa}


def main() -> None:
    """Answer calls on standard input until it ends; the entry point of the process."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # engines print their errors: these are no answers

    def say(answer: Mapping[str, object]) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")

    try:
        setup = json.loads(sys.stdin.buffer.readline())
        ask = ENGINES[setup["engine"]](setup["policies"])
    except Exception as error:  # noqa: BLE001 - whoever started this process says it
        say({"error": f"{type(error).__name__}: {error}"[:2_000]})
        return
    say({"ready": True})
    for line in sys.stdin.buffer:
        try:
            say(ask(json.loads(line)))
        except Exception as error:  # noqa: BLE001 - whoever asked denies the call
            say({"error": f"{type(error).__name__}: {error}"[:2_000]})


if __name__ == "__main__":
    main()
