"""Checks of a training config that involve several settings."""

from __future__ import annotations

from monopoly_env.agent import AgentSpec, find_agent
from monopoly_env.envs.seating import check_compiled
from monopoly_env.errors import AgentError, Location
from monopoly_training.common.bot_lists import bots_of
from monopoly_training.common.schema import ConfigError
from monopoly_training.runs.config_schema import PPOConfig, TrainConfig
from monopoly_training.runs.trackers import check_tracker

MOST_WITH_PAST = 6  # of the eight bots in a pool, past selves and the fallback bot take two


def check_config(config: TrainConfig, location: Location) -> None:
    """Check that the settings fit together and that the bots exist.

    Raises: ConfigError, one line.
    """
    check_opponents(config, location)
    check_learner(config.ppo, location / "ppo")
    check_tracker(config.track, location / "track")
    seats = config.table.players - 1
    line_ups = config.evaluation.line_ups(seats)
    for names, bots in line_ups.items():
        if len(bots) != seats:
            (location / "evaluation" / "against").fail(
                f"must name one bot or {seats} with commas between them, not {names!r}"
            )
    seated = {bot for bots in line_ups.values() for bot in bots}
    try:
        config.table.options().editions()
        config.table.options().decided_phases()
        config.table.options().left_kinds()
        drawn = {bot for entry in config.opponents for bot in bots_of(entry)}
        for bot in drawn:
            _find("opponents", bot)
        for bot in seated:
            _find("evaluation.against", bot)
        _find("table.rest", config.table.rest)
        check_compiled("table: rest", config.table.rest)
        teacher = _find("imitation.teacher", config.imitation.teacher)
    except ValueError as problem:
        raise ConfigError(f"{location.file}: {problem}") from None
    # only checked for presence: loading the policy would compile it
    if teacher.load_policy is None:
        (location / "imitation" / "teacher").fail("must be a compiled bot, such as background")


def _find(key: str, bot: str) -> AgentSpec:
    """Look up the bot of a setting. Raises: AgentError that names the setting."""
    try:
        return find_agent(bot)[0]
    except AgentError as problem:
        raise AgentError(f"{key}: {problem}") from None


def check_opponents(config: TrainConfig, location: Location) -> None:
    """Check that the opponents can fill the other seats."""
    if not config.opponents:
        (location / "opponents").fail("names no bot; name at least one, such as [random]")
    seats = config.table.players - 1
    tables = [bots_of(entry) for entry in config.opponents if "," in entry]
    if tables and not config.draw:
        (location / "opponents").fail("complete line-ups, with commas, need draw: true")
    if tables and config.pool.past > 0:
        (location / "pool" / "past").fail("past selves cannot join complete line-ups; set past: 0")
    for bots in tables:
        if len(bots) != seats:
            (location / "opponents").fail(
                f"must name one bot or {seats} with commas between them, not {','.join(bots)!r}"
            )
    if not config.draw and len(config.opponents) != seats:
        (location / "opponents").fail(
            f"must be {seats} bots for {config.table.players} players, not "
            f"{len(config.opponents)}; or set draw: true to draw them"
        )
    if not config.draw and config.pool.past > 0:
        (location / "pool" / "past").fail("past selves are drawn; set draw: true, or past: 0")
    if config.pool.past > 0 and len(config.opponents) > MOST_WITH_PAST:
        (location / "opponents").fail(f"must be at most {MOST_WITH_PAST} bots beside past selves")
    for entry in config.opponents:
        if config.draw and config.opponents.count(entry) > 1:
            (location / "opponents").fail(f"names {entry} twice; each is drawn as often as others")


def check_learner(ppo: PPOConfig, location: Location) -> None:
    """Check that the learner's settings fit together."""
    if ppo.batch_size > ppo.envs * ppo.n_steps:
        (location / "batch_size").fail(
            f"must be at most envs × n_steps = {ppo.envs * ppo.n_steps}, not {ppo.batch_size}"
        )
    if ppo.workers and ppo.envs % ppo.workers:
        (location / "envs").fail(
            f"must be a multiple of ppo.workers = {ppo.workers}, not {ppo.envs}"
        )
    if ppo.staleness and not ppo.workers:
        (location / "staleness").fail("is of workers; set ppo.workers too, or leave it at 0")
    if ppo.network == "deeds" and (len(ppo.layers) != 2 or ppo.layers[0] < 2):
        (location / "layers").fail(
            "must be two sizes for network: deeds, of a deed's encoding and of the trunk, "
            "such as [32, 128]"
        )
