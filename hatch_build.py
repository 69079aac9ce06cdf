"""Compiles the program descriptions into the wheel, so that an installed signoff never does."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "signoff/actions/programs/data/index.msgpack"


class ProgramIndexHook(BuildHookInterface[Any]):
    """Adds the compiled index to a wheel; an editable install compiles at its first use."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are gathered."""
        if version == "editable":
            return
        sys.path.insert(0, os.path.join(self.root, "src"))
        from signoff.actions.programs.compiling import compile_index  # noqa: PLC0415 - from `src`
        from signoff.actions.programs.registry import read_source  # noqa: PLC0415 - from `src`

        handle, file = tempfile.mkstemp(suffix=".msgpack")
        with open(handle, "wb") as target:
            target.write(compile_index(read_source, is_release=True))
        build_data["force_include"][file] = INDEX
