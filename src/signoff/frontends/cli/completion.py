"""`signoff completion bash`: the script that completes signoff's commands and options in a shell.

eval "$(signoff completion bash)"                           in ~/.bashrc
eval "$(signoff completion zsh)"                            in ~/.zshrc
signoff completion fish > ~/.config/fish/completions/signoff.fish
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "signoff"
VARIABLE = "_SIGNOFF_COMPLETE"  # click's: set by the script when it asks what can follow


@click.command("completion", short_help="Print the script that completes commands in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, *, shell: str) -> None:
    """Print the script that completes signoff's commands in bash, zsh or fish."""
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"click completes nothing in {shell}")
    click.echo(found(ctx.find_root().command, {}, PROGRAM, VARIABLE).source())
