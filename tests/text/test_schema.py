"""The JSON Schema of an answer: what fits it is read, and what the rules know is in it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from monopoly_env import TextEnv
from tests.text.test_negotiated import THREE


def example(schema: dict[str, Any], rng: random.Random) -> Any:
    """Something that fits a schema of the kinds that are used."""
    if "anyOf" in schema:
        return example(rng.choice(schema["anyOf"]), rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    kind = schema["type"]
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        needed = schema.get("required", [])
        return {
            key: example(part, rng)
            for key, part in schema["properties"].items()
            if key in needed or rng.random() < 0.5
        }
    if kind == "array":
        return [example(schema["items"], rng) for _ in range(rng.randint(1, 2))]
    if kind == "string":
        return "Hello there"
    return rng.randint(schema.get("minimum", 1), min(schema.get("maximum", 9), 300))


def test_the_actions_of_the_decision_are_in_it() -> None:
    env = TextEnv("short", opponents=["random"] * 3)
    _, info = env.reset(seed=7)
    schema = env.answer_schema()
    assert set(schema["properties"]) == {"action", "actions", "why"}
    number, text = schema["properties"]["action"]["anyOf"]
    assert (number["maximum"], text["enum"]) == (len(info["legal_actions"]), info["legal_actions"])
    json.dumps(schema)


@pytest.mark.parametrize("seed", range(4))
def test_what_fits_the_schema_is_read(seed: int) -> None:
    """Each spoken part is understood; the rules may refuse it, the reader does not."""
    rng = random.Random(seed)
    env = TextEnv("negotiation", opponents=["background"] * 2, asks=None, tries=100)
    env.reset(seed=3, options={"position": THREE})
    schema = env.answer_schema()
    assert {"say", "offer", "counter", "promise"} < set(schema["properties"])
    for key in ("say", "offer", "promise", "action"):
        for _ in range(8):
            said = {key: example(schema["properties"][key], rng)}
            if key == "offer":
                said[key].pop("give_cash", None)
            _, _, _, _, info = env.step(json.dumps(said))
            for word in (
                "there is no such",
                "is missing",
                "names no action",
                "must be text",
                "must be one of",
            ):
                assert word not in info["note"], (said, info["note"])
            env.reset(seed=3, options={"position": THREE})


def test_parts_that_are_off_are_not_in_it() -> None:
    off = {"words": 0, "counters": False, "promises": 0}
    env = TextEnv("negotiation", opponents=["background"] * 2, asks=None, negotiation=off)
    env.reset(seed=3, options={"position": THREE})
    assert not {"say", "counter", "promise"} & set(env.answer_schema()["properties"])


def test_after_the_end_there_is_none() -> None:
    env = TextEnv("short", opponents=["random"], rules={"max_turns": 8})
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step("1")
        over = terminated or truncated
    assert env.answer_schema() == {}
