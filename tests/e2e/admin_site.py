"""Django's admin behind the middleware, as a program: prints its port, then each blocked path.

python admin_site.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from django.contrib import admin
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import path

from signoff.effects.pipeline import PipelineDecision
from signoff.wsgi import RouteRule, WsgiMiddleware, responses, standard, strict

PARTS = ("auth", "contenttypes", "sessions", "messages", "admin")


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def tell(decision: PipelineDecision) -> None:
    """Print what is blocked, and why."""
    print("blocked", decision.action.text("path"), decision.reason, flush=True)


def configure(folder: Path) -> None:
    """Set Django up with its admin and a database of one file."""
    middleware = (
        "sessions.middleware.SessionMiddleware",
        "auth.middleware.AuthenticationMiddleware",
    )
    processors = ("auth.context_processors.auth", "messages.context_processors.messages")
    settings.configure(
        ROOT_URLCONF=__name__,
        SECRET_KEY="only for tests",
        ALLOWED_HOSTS=["127.0.0.1"],
        STATIC_URL="/static/",
        INSTALLED_APPS=[f"django.contrib.{one}" for one in PARTS],
        MIDDLEWARE=[
            f"django.contrib.{middleware[0]}",
            "django.middleware.csrf.CsrfViewMiddleware",
            f"django.contrib.{middleware[1]}",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "db"}},
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        *(f"django.contrib.{one}" for one in processors),
                    ]
                },
            }
        ],
    )
    django.setup()


urlpatterns: list[object] = []


def main(folder: Path) -> None:
    """Serve until the process is ended."""
    configure(folder)
    urlpatterns.append(path("admin/", admin.site.urls))
    call_command("migrate", verbosity=0)
    from django.contrib.auth.models import User  # noqa: PLC0415 - exists once Django is set up

    User.objects.create_superuser("mary", "mary@x.example", "c0rrect; horse & 'battery'")
    guarded = WsgiMiddleware(
        get_wsgi_application(),
        routes=(RouteRule("/admin/login/*", strict().on("block", tell)),),
        default=standard().on("block", tell),
        responses=responses().on("block", tell),
    )
    with make_server("127.0.0.1", 0, guarded, _Server, _Quiet) as server:
        print("port", server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
