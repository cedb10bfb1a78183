"""The part of KubeRay's CRDs that the manifests in examples/ray are checked against.

``python -m tests.clients.ray.kuberay_schema RAYCLUSTERS.yaml RAYJOBS.yaml`` writes it anew from
``helm-chart/kuberay-operator/crds/ray.io_rayclusters.yaml`` and ``ray.io_rayjobs.yaml`` of KubeRay
(Apache License 2.0). Of each object the keys that a manifest uses are kept, with their types and what
is required beside them, and no other key is allowed, as a strict API server has it. The whole CRDs are
a megabyte each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

MANIFESTS = Path("examples/ray")
KEPT = Path(__file__).with_name("kuberay_schema.json")
KEYS = ("type", "required", "enum", "minimum", "maximum", "pattern", "anyOf", "format")


def pruned(schema: dict[str, Any], used: list[Any]) -> dict[str, Any]:
    """A schema with the keys that some values use, and no others."""
    kept = {key: schema[key] for key in KEYS if key in schema}
    if schema.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    objects = [value for value in used if isinstance(value, dict)]
    if "properties" in schema:
        names = sorted({name for value in objects for name in value})
        kept["properties"] = {
            name: pruned(schema["properties"][name], [v[name] for v in objects if name in v])
            for name in names
            if name in schema["properties"]
        }
        kept["additionalProperties"] = False
    elif isinstance(schema.get("additionalProperties"), dict):
        values = [one for value in objects for one in value.values()]
        kept["additionalProperties"] = pruned(schema["additionalProperties"], values)
    if "items" in schema:
        kept["items"] = pruned(schema["items"], [one for value in used for one in value])
    return kept


def schema_of(crd: dict[str, Any], version: str) -> dict[str, Any]:
    """The schema of a version that a CRD defines."""
    (found,) = [one for one in crd["spec"]["versions"] if one["name"] == version]
    schema: dict[str, Any] = found["schema"]["openAPIV3Schema"]
    schema["properties"]["metadata"] = {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    return {**schema, "required": ["apiVersion", "kind", "metadata", "spec"]}


def main(paths: list[str]) -> None:
    """Write the schema by kind."""
    manifests = [yaml.safe_load(path.read_text()) for path in MANIFESTS.glob("kuberay_*.yaml")]
    kept = {}
    for path in paths:
        crd = yaml.safe_load(Path(path).read_text())
        kind = crd["spec"]["names"]["kind"]
        used = [one for one in manifests if one["kind"] == kind]
        kept[kind] = pruned(schema_of(crd, "v1"), used)
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
