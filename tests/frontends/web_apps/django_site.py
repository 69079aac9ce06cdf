"""A Django application of one file, with the admin's kind of requests: forms, sessions, uploads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.template import engines
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

BROKEN_SQL = 'ERROR:  syntax error at or near "FROM"\nLINE 1: SELECT FROM items'
FORM = """<form method="post">{% csrf_token %}<input name="title"><p>{{ title }}</p></form>"""


def form(request: HttpRequest) -> HttpResponse:
    """Show a form with its token; give back what was sent, escaped."""
    template = engines["django"].from_string(FORM)
    return HttpResponse(template.render({"title": request.POST.get("title", "")}, request))


def upload(request: HttpRequest) -> JsonResponse:
    """Tell name and size of every uploaded file."""
    return JsonResponse({one.name: one.size for one in request.FILES.values()})


def size(request: HttpRequest) -> JsonResponse:
    """Tell how long the body is, read piece by piece."""
    total = 0
    while piece := request.read(1000):
        total += len(piece)
    return JsonResponse({"length": total})


def leak(request: HttpRequest) -> HttpResponse:
    """Tell what the database said."""
    return HttpResponse(BROKEN_SQL, content_type="text/plain")


def stream(request: HttpRequest) -> StreamingHttpResponse:
    """Send two pieces."""

    def pieces() -> Iterator[str]:
        yield "first;"
        yield "last"

    return StreamingHttpResponse(pieces(), content_type="text/plain")


urlpatterns = [
    path("form/", form),
    path("upload/", csrf_exempt(upload)),
    path("size/", csrf_exempt(size)),
    path("leak/", leak),
    path("stream/", stream),
]


def application() -> Callable[..., Any]:
    """Set Django up once, and give its application."""
    if not settings.configured:
        settings.configure(
            ROOT_URLCONF=__name__,
            SECRET_KEY="only for tests",
            ALLOWED_HOSTS=["127.0.0.1"],
            MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
            TEMPLATES=[
                {
                    "BACKEND": "django.template.backends.django.DjangoTemplates",
                    "OPTIONS": {
                        "context_processors": ["django.template.context_processors.request"]
                    },
                }
            ],
        )
        django.setup()
    made: Callable[..., Any] = get_wsgi_application()
    return made
