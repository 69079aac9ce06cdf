"""Prints the description of the HTTP API: python -m bench.openapi > docs/reference/openapi.json."""

from __future__ import annotations

import json
from importlib import metadata

from signoff.frontends.server.app import ENDPOINTS
from signoff.frontends.server.openapi.description import describe

if __name__ == "__main__":
    print(json.dumps(describe(metadata.version("signoff"), ENDPOINTS), indent=2))
