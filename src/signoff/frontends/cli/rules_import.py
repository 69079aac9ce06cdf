"""`signoff rules import`: rules from another tool's configuration, shown first, added if confirmed.

signoff rules import ~/.claude/settings.json --from claude-code           shows, changes nothing
signoff rules import ~/.claude/settings.json --from claude-code --add     asks on the terminal
"""

from __future__ import annotations

import click

from signoff.challenge.visible import visible
from signoff.errors import BadRules
from signoff.frontends.cli.exits import errors_as_messages
from signoff.frontends.cli.json_out import answer_with
from signoff.frontends.cli.request_lookup import approvals_here
from signoff.frontends.cli.typed import confirmed_as_admin
from signoff.frontends.importing.formats import FORMATS, read_foreign
from signoff.settings import load_settings
from signoff.storage.learning.rules_file import RulesFile
from signoff.storage.reloading.rules_in_force import RULES_LIMIT
from signoff.storage.text_file import read_text
from signoff.values import count_of


@click.command("import", short_help="Import rules of another tool; shows them first.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--from", "kind", type=click.Choice(list(FORMATS)), required=True)
@click.option("--add", "is_added", is_flag=True, help="Add them to rules.yaml; asks first.")
def command(*, file: str, kind: str, is_added: bool) -> None:
    """Convert another tool's configuration to rules; print them and the parts left out."""
    with errors_as_messages():
        settings = load_settings()
        text = read_text(file, limit=RULES_LIMIT)
        if text is None:
            raise BadRules(f"there is no file `{file}`")
        result = read_foreign(text, kind, file=file, home=settings.home)
        click.echo(result.yaml, nl=False)
        for one in result.left_out:
            click.echo(f"not carried over: {one}", err=True)
        left_out = count_of(len(result.left_out), "entry", "entries")
        said = f"{count_of(len(result.rules), 'rule')}, {left_out} not carried over"
        click.echo(said, err=True)
        answer_with(rules=[rule.name for rule in result.rules], left_out=list(result.left_out))
        if not is_added:
            click.echo("nothing was changed; --add writes them into rules.yaml", err=True)
            return
        names = "\n".join(f"  {rule.name}" for rule in result.rules)
        words = f"new rules in {settings.rules_file}:\n{names}"
        told = f"{count_of(len(result.rules), 'rule')} from {kind}"
        confirmed_as_admin(approvals_here(), words, word="import", act="rules.import", said=told)
        RulesFile(settings.rules_file).add(*result.rules)
        click.echo(visible(f"added to {settings.rules_file}"))
