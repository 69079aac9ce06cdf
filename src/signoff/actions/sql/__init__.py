"""SQL text -> Operations."""

from __future__ import annotations

from signoff.actions.sql.understand import understand_sql

__all__ = ["understand_sql"]
