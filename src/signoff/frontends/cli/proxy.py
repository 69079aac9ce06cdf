"""`signoff proxy`: judge the requests of a server in any language, in front of it."""

from __future__ import annotations

import click

from signoff.errors import BadSettings
from signoff.frontends.cli.exits import errors_as_messages


@click.command("proxy", short_help="Judge the requests of a web server in any language.")
@click.option("--to", required=True, metavar="URL", help="The server: http://127.0.0.1:3000")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65_535))
@click.option("--strict", multiple=True, metavar="PATH", help="Blocks from 40 on: /login, /admin/*")
@click.option("--lenient", multiple=True, metavar="PATH", help="Blocks from 90 on: /search*")
@click.option(
    "--upload", multiple=True, metavar="PATH", help="Long bodies: their beginning counts."
)
@click.option("--unjudged", multiple=True, metavar="PATH", help="Not judged: /static/*")
@click.option(
    "--behind", multiple=True, metavar="ADDRESS", help="A proxy in front, which names the client."
)
@click.option("--config", default="", metavar="FILE", help="Pipelines and routes: web.yaml")
@click.option("--responses/--no-responses", default=True, help="Judge responses, too.  [on]")
def command(  # noqa: PLR0913 - one argument an option
    *,
    to: str,
    host: str,
    port: int,
    strict: tuple[str, ...],
    lenient: tuple[str, ...],
    upload: tuple[str, ...],
    unjudged: tuple[str, ...],
    behind: tuple[str, ...],
    config: str,
    responses: bool,
) -> None:
    """Forward requests to a web server, and block attacks.

    The first kind of path that fits counts, in the order: unjudged, strict, upload, lenient. All
    other paths go by --config, or block from a threat score of 70 on. Needs
    `pip install 'signoff[proxy]'`.
    """
    with errors_as_messages():
        paths = {"unjudged": unjudged, "strict": strict, "upload": upload, "lenient": lenient}
        try:
            from signoff.frontends.web_apps.reverse_proxy import (  # noqa: PLC0415 - extra
                Listen,
                serve_proxy,
            )
        except ImportError as error:
            raise BadSettings("the proxy needs `pip install 'signoff[proxy]'`") from error
        serve_proxy(
            to,
            listen=Listen(host, port, behind),
            paths=paths,
            judges_responses=responses,
            config=config,
            say=click.echo,
        )
