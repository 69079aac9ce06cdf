"""Compiles program descriptions and shipped rules into the wheel, so that a start reads no YAML."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "signoff/actions/programs/data/index.msgpack"
RULES = "signoff/assess/rules/packs/default"


class ProgramIndexHook(BuildHookInterface[Any]):
    """Adds what is compiled to a wheel; an editable install compiles at its first use."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are gathered."""
        if version == "editable":
            return
        sys.path.insert(0, os.path.join(self.root, "src"))
        from signoff.actions.programs.compiling import compile_index  # noqa: PLC0415 - from `src`
        from signoff.actions.programs.registry import read_source  # noqa: PLC0415 - from `src`

        included = build_data["force_include"]
        included[_written(compile_index(read_source, is_release=True))] = INDEX
        with open(os.path.join(self.root, "src", f"{RULES}.yaml"), "rb") as source:
            included[_written(_rules(source.read()))] = f"{RULES}.nodes"


def _rules(text: bytes) -> bytes:
    from signoff.assess.rules.load import FORM  # noqa: PLC0415 - from `src`
    from signoff.documents.reading import read_yaml  # noqa: PLC0415 - from `src`
    from signoff.documents.stored import store_nodes  # noqa: PLC0415 - from `src`

    return store_nodes(read_yaml(text.decode(), file="default.yaml", form=FORM), text)


def _written(content: bytes) -> str:
    """Write a file for the build; return its path."""
    handle, file = tempfile.mkstemp()
    with open(handle, "wb") as target:
        target.write(content)
    return file
