"""Which calls start a job that stands in a file, and give it values by name.

starts_job(Action(tool="mcp__airflow__trigger_dag", arguments={"conf": {"path": "/srv"}}))   True
"""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.vocabulary import lazy_re2

TEXT_LIMIT = 4_096
# Programs that hand names and values to a job which they start.
GIVES_VALUES = lazy_re2(
    r"\b(?:airflow\s+(?:dags|tasks)\s+(?:trigger|test|run|backfill)|gh\s+workflow\s+run"
    r"|glab\s+ci\s+run|argo\s+submit|nomad\s+job\s+(?:dispatch|run)|prefect\s+deployment\s+run"
    r"|dagster\s+job\s+(?:launch|execute)|rd\s+run|jenkins-cli\S*\s.*build|kestra\s+\w+\s+run"
    r"|ansible(?:-playbook|-navigator\s+run)?|tkn\s+pipeline\s+start|fly\s+\S+\s+trigger-job"
    r"|nextflow\s+run|snakemake|papermill|dbt\s+run-operation|windmill|wmill\s+\w+\s+run"
    r"|pyflyte\s+run|temporal\s+workflow\s+start)\b"
)
_STARTS = lazy_re2(
    r"(?i)(?:^|_)(?:trigger|dispatch|run|start|launch|submit|execute|invoke|build)(?:_|$)"
)


def starts_job(action: Action) -> bool:
    """Return whether a call starts a job by its name, with values."""
    line = action.text("command")
    if line:
        return GIVES_VALUES.search(line[:TEXT_LIMIT]) is not None
    return action.tool.startswith("mcp__") and _STARTS.search(action.tool) is not None
