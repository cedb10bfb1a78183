"""The files in examples/ray fit what Ray's cluster launcher and KubeRay take."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("ray")
pytest.importorskip("jsonschema")

import ray
from jsonschema import ValidationError, validate

from tests.clients.ray.kuberay_schema import KEPT, MANIFESTS

LAUNCHER = Path(ray.__file__).parent / "autoscaler" / "ray-schema.json"


def manifest(name: str) -> Any:
    return yaml.safe_load((MANIFESTS / name).read_text())


def test_the_launcher_takes_the_cluster() -> None:
    cluster, schema = manifest("cluster.yaml"), json.loads(LAUNCHER.read_text())
    validate(cluster, schema)
    assert cluster["head_node_type"] in cluster["available_node_types"]
    with pytest.raises(ValidationError, match="max_worker"):
        validate({**cluster, "max_worker": 1}, schema)


@pytest.mark.parametrize("name", ["kuberay_cluster.yaml", "kuberay_job.yaml"])
def test_kuberay_takes_the_manifest(name: str) -> None:
    wanted = manifest(name)
    schema = json.loads(KEPT.read_text())[wanted["kind"]]
    validate(wanted, schema)
    assert wanted["apiVersion"] == "ray.io/v1"
    wrong = deepcopy(wanted)
    cluster = wrong["spec"].get("rayClusterSpec", wrong["spec"])
    cluster["workerGroupSpecs"][0]["template"]["spec"]["containers"][0].pop("name")
    with pytest.raises(ValidationError, match="'name' is a required property"):
        validate(wrong, schema)
    cluster["headGroupSpec"]["rayStartParams"] = {"num-cpus": 0}
    with pytest.raises(ValidationError, match="0 is not of type 'string'"):
        validate(wrong["spec"], schema["properties"]["spec"])


def test_all_say_the_same_ray() -> None:
    found = manifest("kuberay_job.yaml")["spec"]["rayClusterSpec"]["rayVersion"]
    assert found == manifest("kuberay_cluster.yaml")["spec"]["rayVersion"] == ray.__version__
