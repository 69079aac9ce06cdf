"""Notebooks, experiments, data versions, scientific and machine-learning tools."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, local
from signoff.actions.programs.call import Call
from signoff.actions.programs.dev.databases import EVERYWHERE
from signoff.actions.programs.dev.deeds import (
    ADDED,
    ADDED_FOR_USER,
    BUILD,
    BUILT_GONE,
    CACHE_GONE,
    CHANGES_PROJECT,
    FAR_CHANGE,
    FAR_GONE,
    FETCH,
    LOGS_IN,
    LOOK,
    LOST,
    RELEASE,
    SENDS_UP,
    SERVES,
    SERVES_ALL,
    SETS_GLOBAL,
    SETS_PROJECT,
    TAKEN_FROM_USER,
    TAKEN_OUT,
)
from signoff.actions.programs.program import Program, program, sub

MODEL_GONE = local(Verb.DELETE, Thing.NOTHING, reversible=False)


def _notebook(call: Call) -> Iterator[Effect]:
    """`jupyter lab`: a server; without a token or on every interface it is open to others."""
    open_to_all = any(w.text == "*" or w.text.startswith(EVERYWHERE) for w in call.values("--ip"))
    bare = any(
        option.name.endswith((".token", ".password")) and not (option.value and option.value.text)
        for option in call.options
    )
    if bare:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.PROTECTION,
            "a notebook server without a token",
            traits=(Trait.WEAKENS,),
            reach=Reach.PROJECT,
        )
    yield from call.perform(SERVES_ALL if open_to_all else SERVES)


def _dbt(call: Call) -> Iterator[Effect]:
    """`dbt run --target prod` changes the production warehouse."""
    production = any(w.text in {"prod", "production", "prd"} for w in call.values("-t", "--target"))
    reading = call.name.endswith(("compile", "docs", "parse"))
    if production and not reading:
        yield call.operation(Verb.WRITE, Thing.DATABASE, call.name, reach=Reach.PRODUCTION)
    elif call.has("--full-refresh", "-f"):
        yield call.operation(
            Verb.DELETE, Thing.DATABASE, call.name, traits=(Trait.SCHEMA_LOSS,), reach=Reach.PROJECT
        )
    else:
        yield from call.perform(BUILD)


PROGRAMS: tuple[Program, ...] = (
    program(
        "jupyter jupyter-lab jupyter-notebook",
        subs={
            "notebook lab server console qtconsole voila nbclassic": sub(
                handler=_notebook,
                values="--ip --port --notebook-dir",
                subs={"list": LOOK, "stop": SERVES, "build clean": BUILT_GONE},
            ),
            "nbconvert execute run": sub(
                BUILD, values="--to --template", writes="--output --output-dir"
            ),
            "kernelspec": sub(
                LOOK, subs={"install": ADDED_FOR_USER, "remove uninstall": TAKEN_FROM_USER}
            ),
            "labextension nbextension serverextension contrib": sub(
                LOOK,
                subs={
                    "install enable disable uninstall update": ADDED_FOR_USER,
                    "list check": LOOK,
                },
            ),
            "trust": SETS_PROJECT,
            "troubleshoot migrate": LOOK,
        },
        handler=_notebook,
        acting={"--paths --config-dir --data-dir --runtime-dir": LOOK},
        harmless="-h",
    ),
    program(
        "jupytext nbstripout nbdime nbqa nbdiff papermill",
        CHANGES_PROJECT,
        values="--to --set-formats --from",
        writes="-o --output",
    ),
    program(
        "dvc",
        subs={
            "init add import import-url repro run exp commit checkout move freeze unfreeze stage "
            "unprotect update install experiments": sub(
                CHANGES_PROJECT, subs={"remove": TAKEN_OUT}
            ),
            "fetch pull get get-url": FETCH,
            "push": SENDS_UP,
            "remove destroy": LOST,
            "gc": sub(LOST, harmless="--dry"),
            "remote config": sub(SETS_PROJECT, acting={"--global --system": SETS_GLOBAL}),
            "status diff dag list ls metrics params plots root version doctor data du": LOOK,
            "studio": LOGS_IN,
            "queue": BUILD,
        },
        harmless="-h",
    ),
    program(
        "mlflow aim clearml",
        subs={
            "ui server": SERVES,
            "run": BUILD,
            "gc": LOST,
            "experiments runs artifacts models": sub(
                LOOK,
                subs={
                    "delete": LOST,
                    "list search describe": LOOK,
                    "create restore rename": CHANGES_PROJECT,
                },
            ),
            "deployments sagemaker": FAR_CHANGE,
            "db": sub(CHANGES_PROJECT),
        },
        handler=lambda call: call.perform(BUILD),
    ),
    program(
        "wandb neptune comet",
        subs={
            "login": LOGS_IN,
            "sync": SENDS_UP,
            "artifact": sub(LOOK, subs={"put": SENDS_UP, "get ls": FETCH}),
            "offline online disabled enabled status verify init": SETS_PROJECT,
            "sweep agent launch job": FAR_CHANGE,
            "pull restore": FETCH,
            "server": SERVES,
        },
    ),
    program(
        "huggingface-cli hf",
        subs={
            "login logout auth": sub(LOGS_IN, subs={"whoami list": LOOK}),
            "upload upload-large-folder": SENDS_UP,
            "download": FETCH,
            "delete-cache": CACHE_GONE,
            "cache": sub(LOOK, subs={"delete rm prune": CACHE_GONE}),
            "repo repo-files": sub(FAR_CHANGE, subs={"delete": FAR_GONE}),
            "tag": FAR_CHANGE,
            "jobs": FAR_CHANGE,
            "scan-cache whoami env version": LOOK,
        },
    ),
    program(
        "kaggle",
        subs={
            "competitions c": sub(LOOK, subs={"submit": SENDS_UP, "download": FETCH}),
            "datasets d": sub(
                LOOK,
                subs={
                    "create version": RELEASE,
                    "download": FETCH,
                    "delete": FAR_GONE,
                    "init": CHANGES_PROJECT,
                },
            ),
            "kernels k models m": sub(
                LOOK,
                subs={
                    "push create update": RELEASE,
                    "pull output get": FETCH,
                    "init": CHANGES_PROJECT,
                    "delete": FAR_GONE,
                },
            ),
            "config": sub(SETS_GLOBAL, subs={"view path": LOOK}),
        },
    ),
    program(
        "ollama lms",
        subs={
            "run show list ls ps search": LOOK,
            "pull get": FETCH,
            "create cp load unload stop": CHANGES_PROJECT,
            "push": RELEASE,
            "rm": MODEL_GONE,
            "serve server": SERVES,
            "signin signout": LOGS_IN,
        },
    ),
    program(
        "dbt",
        values="--profiles-dir --project-dir -t --target --vars -s --select --exclude -m --models",
        subs={
            "run build test seed compile docs parse source snapshot run-operation retry clone": sub(
                handler=_dbt, values="-t --target -s --select --vars --exclude -m --models --args"
            ),
            "deps": ADDED,
            "clean": BUILT_GONE,
            "init": CHANGES_PROJECT,
            "debug list ls show": LOOK,
            "cloud": FAR_CHANGE,
        },
    ),
    program(
        "prefect dagster kedro metaflow luigi snakemake nextflow cwltool great_expectations "
        "feast zenml bentoml ray",
        BUILD,
        subs={
            "deploy push": FAR_CHANGE,
            "login": LOGS_IN,
            "server start dev": SERVES,
            "clean": BUILT_GONE,
            "delete": LOST,
        },
    ),
    program(
        "spark-submit pyspark spark-shell",
        BUILD,
        values="--master --class --jars --conf --packages --deploy-mode",
    ),
    program(
        "streamlit gradio panel bokeh voila",
        SERVES,
        subs={"config cache version docs hello help": LOOK, "init": CHANGES_PROJECT},
    ),
    program(
        "gp sage scilab wolframscript mathematica datalab",
        BUILD,
        values="--eval -e",
    ),
    program(
        "torchrun accelerate deepspeed tensorboard yolo nbautoexport",
        BUILD,
        subs={"config env test estimate-memory": LOOK},
    ),
)
