"""SQL text -> Operations."""

from __future__ import annotations

from signoff.actions.sql.understand import lines_run_by, understand_sql

__all__ = ["lines_run_by", "understand_sql"]
