"""Bots by name: entry points, schemes, and names that there are not."""

from __future__ import annotations

import warnings
from importlib.metadata import EntryPoint

import pytest
from monopoly_agents import registry

import monopoly_env.agent
from monopoly_env.agent import Agent, AgentSpec, agents, make_agent
from monopoly_env.errors import AgentError

SCRIPTED = ("fixed_a", "fixed_b", "fixed_c", "background")
BOTS = ("random", *SCRIPTED)


def test_all_bots_are_found_by_name() -> None:
    assert set(BOTS) <= set(agents())
    for name, spec in agents().items():
        assert spec.name == name
        assert spec.description
        assert "\n" not in spec.description


@pytest.mark.promise("bad_input")
def test_an_unknown_name_is_one_line_with_the_name_that_was_meant() -> None:
    with pytest.raises(AgentError, match=r"did you mean 'fixed_a'.*bots are.*background"):
        make_agent("fixd_a")
    with pytest.raises(AgentError, match=r"use one of .*random"):
        make_agent("xyzzy\n")
    with pytest.raises(AgentError, match="named by text, not 7"):
        make_agent(7)  # type: ignore[arg-type]


def test_a_scheme_takes_the_rest_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def make(rest: str) -> Agent:
        given.append(rest)
        return make_agent("random")

    specs = {**agents(), "echo:": AgentSpec("echo:", "random, whatever it is given", make)}
    monkeypatch.setattr(monopoly_env.agent, "agents", lambda: specs)
    make_agent("echo:a:b")
    assert given == ["a:b"]
    with pytest.raises(AgentError, match="the rest is missing"):
        make_agent("echo:")


@pytest.mark.parametrize("target", ["no_such_module:agents", "builtins:dict", "builtins:int"])
def test_a_package_that_fails_costs_its_own_bots_only(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("theirs", target, monopoly_env.agent.GROUP)
    ours = EntryPoint("ours", "monopoly_agents.registry:agents", monopoly_env.agent.GROUP)
    monkeypatch.setattr(monopoly_env.agent, "entry_points", lambda **_: [broken, ours])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = monopoly_env.agent.agents.__wrapped__()
    assert set(found) == set(registry.agents())
    if target != "builtins:dict":  # it returns an empty mapping: no bots, no fault
        assert "theirs" in str(caught[0].message)
        assert "\n" not in str(caught[0].message)
