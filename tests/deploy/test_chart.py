"""The Helm chart: values are checked, and what is rendered is confined and hangs together."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

jsonschema = pytest.importorskip("jsonschema")  # in the environment of the end-to-end tests
CHART = Path(__file__).parents[2] / "deploy" / "helm" / "signoff"
URL = "postgresql://signoff@db.internal/signoff"
SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
EVERYTHING = (
    *("--set", f"store.url={URL}", "--set", "store.rootCertificate=ca"),
    *("--set", "serviceMonitor.enabled=true", "--set", "dashboard.enabled=true"),
)
needs_helm = pytest.mark.skipif(shutil.which("helm") is None, reason="no helm")


def values(**store: object) -> dict[str, Any]:
    """Return the chart's values with an address of a store."""
    found: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    return {**found, "store": {**found["store"], "url": URL, **store}}


def helm(*words: str) -> str:
    """Run helm; return what it prints."""
    done = subprocess.run(["helm", *words], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def rendered() -> dict[tuple[str, str], dict[str, Any]]:
    """Return what the chart makes, by kind and name."""
    found = yaml.safe_load_all(helm("template", "fleet", str(CHART), *EVERYTHING))
    return {(one["kind"], one["metadata"]["name"]): one for one in found if one}


def test_the_values_fit_their_schema() -> None:
    """Every value is known, and the shipped ones are good once a store is named."""
    jsonschema.validate(values(), SCHEMA)

    assert values().keys() | {"global"} == SCHEMA["properties"].keys()


@pytest.mark.parametrize(
    "url", ["", "mysql://u@h/d", "postgresql://u:password@h/d", "postgresql://h/d"]
)
def test_a_store_must_be_named_and_hold_no_password(url: str) -> None:
    """Values end up in a ConfigMap and in the history of releases."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(values(url=url), SCHEMA)


@needs_helm
def test_helm_finds_nothing_wrong() -> None:
    """Strictly, with everything switched on."""
    helm("lint", "--strict", str(CHART), *EVERYTHING)


@needs_helm
def test_every_container_is_confined(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Also those that run first."""
    spec = rendered["StatefulSet", "fleet"]["spec"]["template"]["spec"]
    containers = [*spec["initContainers"], *spec["containers"]]

    assert 3 == len(containers)
    assert (True, 10001) == (
        spec["securityContext"]["runAsNonRoot"],
        spec["securityContext"]["runAsUser"],
    )
    assert spec["automountServiceAccountToken"] is False
    for one in containers:
        confined = one["securityContext"]
        assert confined["readOnlyRootFilesystem"] is True, one["name"]
        assert confined["allowPrivilegeEscalation"] is False, one["name"]
        assert ["ALL"] == confined["capabilities"]["drop"], one["name"]
        assert "env" not in one, one["name"]
        assert one["resources"]["limits"]["memory"]


@needs_helm
def test_what_is_mounted_is_there(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Each mount names a volume, each file of the settings is one of the ConfigMap's."""
    whole = rendered["StatefulSet", "fleet"]["spec"]
    spec, data = whole["template"]["spec"], rendered["ConfigMap", "fleet"]["data"]
    volumes = {one["name"] for one in spec["volumes"]}
    volumes |= {one["metadata"]["name"] for one in whole["volumeClaimTemplates"]}
    mounts = [
        mount
        for one in [*spec["initContainers"], *spec["containers"]]
        for mount in one["volumeMounts"]
    ]

    assert volumes == {one["name"] for one in mounts}
    assert {"signoff.yaml", "rules.yaml", "haproxy.cfg"} == data.keys()
    assert data.keys() == {one["subPath"] for one in mounts if "subPath" in one}
    settings = yaml.safe_load(data["signoff.yaml"])
    assert URL == settings["store"]["url"]
    assert "/private/store-password" == settings["store"]["password_file"]
    assert "/private/store-key" == settings["store"]["key_file"]


@needs_helm
def test_traffic_reaches_the_proxy_alone(rendered: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Both services lead to its port; the monitor asks each node once."""
    spec = rendered["StatefulSet", "fleet"]["spec"]["template"]["spec"]
    named = [(port["name"], one) for one in spec["containers"] for port in one.get("ports", ())]
    ports = {port: one["name"] for port, one in named}
    services = [one for (kind, _), one in rendered.items() if kind == "Service"]
    wanted = rendered["ServiceMonitor", "fleet"]["spec"]["selector"]["matchLabels"]
    asked = [one for one in services if wanted.items() <= one["metadata"]["labels"].items()]

    assert {"https": "proxy"} == ports
    assert {"https"} == {port["targetPort"] for one in services for port in one["spec"]["ports"]}
    assert ["fleet-nodes"] == [one["metadata"]["name"] for one in asked]
    dashboard = rendered["ConfigMap", "fleet-dashboard"]["data"]["signoff.json"]
    assert "signoff" == json.loads(dashboard)["uid"]
