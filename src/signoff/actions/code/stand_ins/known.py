"""Emulators and mocks by the names that turn a library to them."""

from __future__ import annotations

from collections.abc import Mapping

# The variable that sends a library's client to an emulator, by the word that names the service.
VARIABLES: Mapping[str, tuple[str, ...]] = {
    "firestore": ("FIRESTORE_EMULATOR_HOST",),
    "auth": ("FIREBASE_AUTH_EMULATOR_HOST",),
    "database": ("FIREBASE_DATABASE_EMULATOR_HOST",),
    "storage": ("FIREBASE_STORAGE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST"),
    "pubsub": ("PUBSUB_EMULATOR_HOST",),
    "datastore": ("DATASTORE_EMULATOR_HOST",),
    "bigtable": ("BIGTABLE_EMULATOR_HOST",),
    "spanner": ("SPANNER_EMULATOR_HOST",),
    "boto3": ("AWS_ENDPOINT_URL",),
}
# Libraries whose calls say how a request is answered, and the switches that let none through.
INTERCEPTORS = frozenset({"nock", "msw", "respx", "httpretty", "webmock", "wiremock"})
SWITCHES: Mapping[str, bool] = {
    "nock.disableNetConnect": True,
    "nock.enableNetConnect": False,
    "nock.restore": False,
}
