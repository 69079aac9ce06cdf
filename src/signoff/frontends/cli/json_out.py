"""Answers for programs: the option `--json`, and one JSON value on standard output.

@click.command("mode")
@json_option
def command(*, is_json: bool) -> None:
    if is_json:
        echo_json({"mode": "remote"})
"""

from __future__ import annotations

import json

import click

json_option = click.option("--json", "is_json", is_flag=True, help="Answer in JSON.")


def echo_json(value: object) -> None:
    """Print one JSON value, readable for people as well."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))
