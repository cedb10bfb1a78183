"""Many games of Monopoly stepped in one compiled call: Gymnasium's vector interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import gymnasium
import gymnasium.vector
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.vector.utils import batch_space

from monopoly_env.editions import Edition
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.encoding.reward import Reward
from monopoly_env.encoding.row_cache import new_shown
from monopoly_env.engine.dispatch import N_ACTIONS
from monopoly_env.envs import _kernel
from monopoly_env.envs._records import RESET, RUNNING, SKIP, TERMINATED, TRUNCATED
from monopoly_env.envs._thread_pool import ThreadPool
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.options import (
    Bot,
    Deals,
    EnvConfig,
    Pool,
    TableOptions,
    Windows,
    check_render_mode,
    check_whole,
    check_word,
    fail,
)
from monopoly_env.envs.single import Sight, seat_one, seated, sight_space
from monopoly_env.errors import show
from monopoly_env.game import Game, IllegalAction
from monopoly_env.seeds import check_seed

Arrays = npt.NDArray[Any]
Step = tuple[Sight, Arrays, Arrays, Arrays, dict[str, Any]]
SAME_STEP = getattr(getattr(gymnasium.vector, "AutoresetMode", None), "SAME_STEP", "SameStep")


class VectorEnv(gymnasium.vector.VectorEnv[Sight, Arrays, Arrays], EzPickle):
    """``num_envs`` games, stepped together in place; finished ones begin anew in the same step.

    An observation is overwritten by the step after the next one (``buffers``); rewards and flags
    are new arrays. ``infos`` has the masks, and, when games ended, ``final_obs`` and ``final_info``.

    With ``seats="one"`` each game has one learner among bots, as in
    :class:`monopoly_env.envs.single.SingleSeatEnv`. With ``seats="all"`` every decision of every
    seat is asked for: ``infos["actor"]`` says whose it is, the observation is the actor's, and
    rewards are float32[num_envs, num_players]: each seat's share, paid when it decides again or
    when the game ends. ``final_obs`` is then as whoever acted last sees it.

    Args:
        opponents, seat, pool, edition, mode, num_players, rules, windows, deals, decides, rest,
            leaves, reward, any_players, observation, play_out: as for SingleSeatEnv; all bots compiled.
        skip_forced: lone legal actions happen unasked; here that is the default.
        seats: ``one`` learner a game, or ``all`` seats.
        elimination: with all seats, a bankrupt one is paid ``immediate``, or at the ``end``.
        threads: that step the games together; results do not depend on it.
        buffers: sets of observations and masks that are used in turn.

    Raises:
        InputError: one line that names the parameter and the remedy.
    """

    metadata = {"autoreset_mode": SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium's

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[Bot] | None = None,
        seat: int | str = "random",
        *,
        pool: Pool | None = None,
        seats: str = "one",
        edition: str | Path | Edition = "classic",
        mode: str = "standard",
        num_players: int | None = None,
        rules: Mapping[str, object] | None = None,
        windows: Windows | None = None,
        deals: Deals | None = None,
        decides: Sequence[str] | None = None,
        rest: Bot = "background",
        leaves: Sequence[str] = (),
        skip_forced: bool = True,
        reward: str | Mapping[str, object] | Reward = "win",
        any_players: bool = False,
        observation: str = "flat",
        play_out: bool = False,
        elimination: str = "end",
        threads: int = 1,
        buffers: int = 2,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self, num_envs, opponents, seat, pool=pool, seats=seats, edition=edition, mode=mode,
            num_players=num_players, rules=rules, windows=windows, deals=deals, decides=decides,
            rest=rest, leaves=leaves, skip_forced=skip_forced, reward=reward,
            any_players=any_players, observation=observation, play_out=play_out,
            elimination=elimination, threads=threads, buffers=buffers, render_mode=render_mode,
        )  # fmt: skip
        check_word("observation", observation, ("flat", "dict"))
        check_word("seats", seats, ("one", "all"))
        check_word("elimination", elimination, ("immediate", "end"))
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.num_envs = check_whole("num_envs", num_envs, 1, 1 << 20)
        self._flat = observation == "flat"
        self._every_seat = seats == "all"
        if self._every_seat and (opponents is not None or pool is not None):
            fail("seats", "all of them are asked for; leave opponents and pool out")
        bots, players = seated(opponents, pool, num_players)
        setting = EnvConfig(
            TableOptions(
                edition, mode, players, rules, windows, deals, decides, rest, leaves,
                skip_forced, reward, any_players,
            )
        )  # fmt: skip
        if self._every_seat:
            setting.seat_everyone(elimination)
        else:
            for agent in seat_one(setting, seat, play_out, pool, bots).values():
                fail("opponents", f"{show(agent)} is not compiled; only single environments ask it")
        setting.plan["autoreset"] = 1
        self._tables = GameBatch(setting, self.num_envs)
        self._threads = ThreadPool(check_whole("threads", threads, 1, 256), self.num_envs)
        self._buffers = [
            Buffer(self.num_envs) for _ in range(check_whole("buffers", buffers, 1, 8))
        ]
        self._turn = 0  # which buffer is in use
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.single_observation_space = sight_space(observation)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    # Playing

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | Arrays | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Sight, dict[str, Any]]:
        """Begin new games. A seed, or one a game; without one the games go on from the last ones.

        ``options={"position": …}``: these games and all that follow them begin there.
        ``options={"reset_mask": …}``, bool[num_envs]: the other games go on.
        """
        options = dict(options or {})
        chosen = self._chosen(options)
        seeds = self._seeds(seed)
        super().reset(seed=int(seeds) if isinstance(seeds, int) else None)
        tables = self._tables
        if chosen.all():
            tables.start(options, seeds is not None)
            tables.seed(seeds)
        elif not tables.seeded or seeds is not None or options:
            fail("reset_mask", "goes without seeds and positions, after a whole reset")
        tables.action[:] = np.where(chosen, RESET, SKIP)
        self._play()
        tables.check_stuck()
        return self._shown(), self._info()

    def step(self, actions: Arrays) -> Step:
        """Take one action a game. Raises IllegalAction that names the game; nothing is stepped."""
        tables = self._tables
        if not tables.seeded:
            fail("step", "no game is on; call reset()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            fail(
                "actions", f"must be whole numbers of shape ({self.num_envs},), not {show(actions)}"
            )
        tables.action[:] = given
        if given.min() < 0:
            self._refuse(int(given.argmin()))
        self._turn = (self._turn + 1) % len(self._buffers)
        told = self._play()
        ended = tables.ended.copy()
        reward = tables.slips["reward" if self._every_seat else "learner_reward"]
        if self._every_seat:
            reward = reward[:, : tables.setting.players]
        infos = self._info()
        if told and ended.any():
            tables.check_stuck()
            infos |= self._final(ended)
        return (
            self._shown(),
            reward.astype(np.float32),
            ended == TERMINATED,
            ended == TRUNCATED,
            infos,
        )

    def _play(self) -> int:
        """Step all tables; how many have more to tell than who decides next."""
        tables, buffer = self._tables, self._buffers[self._turn]
        if buffer.edition is not tables.edition:
            buffer.shown["filled"] = 0
        if self._threads.crew is None:
            code = tables.play(*buffer.arrays)
        else:
            code = -1 - _kernel.first_illegal(tables.games, tables.tables, tables.slips)
            if code == 0:
                code = self._threads.play(partial(tables.play, *buffer.arrays)) << 4
        if code < 0:
            self._turn = (self._turn - 1) % len(self._buffers)
            self._refuse(-1 - code)
        buffer.edition = tables.edition
        return code >> 4

    def _refuse(self, index: int) -> NoReturn:
        """Raise the error for the action of one game."""
        try:
            self._tables.refuse(index, int(self._tables.action[index]))
        except IllegalAction as problem:
            text = f"game {index}: {problem}"
            raise IllegalAction(problem.action, problem.reason, text) from None

    def _seeds(self, seed: object) -> int | Arrays | None:
        """One seed, or one a game."""
        if seed is None or isinstance(seed, int | np.integer):
            return None if seed is None else check_seed(seed)
        if not isinstance(seed, Sequence | np.ndarray) or len(seed) != self.num_envs:
            fail("seed", f"must be a whole number, or {self.num_envs} of them, not {show(seed)}")
        return np.array([check_seed(one) for one in seed], np.int64)

    def _chosen(self, options: dict[str, Any]) -> npt.NDArray[np.bool_]:
        """The games to reset; takes ``reset_mask`` out of the options."""
        mask = options.pop("reset_mask", None)
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            fail("reset_mask", f"must be bool[{self.num_envs}], not {show(mask)}")
        return chosen

    # Looking

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool[num_envs, n]: the buffer itself."""
        return self._buffers[self._turn].legal

    def sample_actions(self, key: int = 0) -> npt.NDArray[np.int64]:
        """A random legal action for each game, int64[num_envs]; the same state and key, the same."""
        actions = np.empty(self.num_envs, np.int64)
        _kernel.pick_actions(self._tables.tables, key, actions)
        return actions

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """Who decides in each game, a seat."""
        actors: npt.NDArray[np.int8] = self._tables.slips["actor"].copy()
        return actors

    @property
    def game_seeds(self) -> npt.NDArray[np.int64]:
        """The seed of each game being played: ``Game(seed=…)`` deals and throws the same."""
        seeds: npt.NDArray[np.int64] = self._tables.tables["game_seed"].copy()
        return seeds

    def game(self, index: int) -> Game:
        """A copy of one of the games, to look at or to search in."""
        return self._tables.game(index)

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]  # text, no frames
        """The positions as text, if ``render_mode`` is ``ansi``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() gives nothing without render_mode='ansi'")
            return None
        return tuple(str(self.game(index)) for index in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002 - Gymnasium's signature
        """Let the threads go."""
        threads = getattr(self, "_threads", None)  # Gymnasium closes what was never made, too
        if threads is not None:
            threads.close()

    def _shown(self) -> Sight:
        buffer = self._buffers[self._turn]
        if self._flat:
            return buffer.now
        return {"observation": buffer.now, "action_mask": buffer.mask}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if self._flat:
            info["action_mask"] = self._buffers[self._turn].mask
        if self._every_seat:
            info["actor"] = self.actors
        return info

    def _final(self, ended: npt.NDArray[np.int8]) -> dict[str, Any]:
        """How the games that ended went, in Gymnasium's form."""
        done = ended != RUNNING
        index = np.flatnonzero(done)
        seen = np.full(self.num_envs, None, object)
        final = self._buffers[self._turn].final
        for game in index:
            sight = final[game].copy()
            seen[game] = sight if self._flat else _dead(sight)
        facts = results(self._tables, index, ended, self._every_seat)
        info: dict[str, Any] = {}
        for name, values in facts.items():
            info[name] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            info[name][index] = values
            info[f"_{name}"] = done
        return {"final_obs": seen, "_final_obs": done, "final_info": info, "_final_info": done}


def _dead(sight: npt.NDArray[np.float32]) -> dict[str, Arrays]:
    return {"observation": sight, "action_mask": np.zeros(N_ACTIONS, np.int8)}


def results(
    tables: GameBatch, index: npt.NDArray[np.int64], ended: npt.NDArray[np.int8], every_seat: bool
) -> dict[str, Arrays]:
    """How the games at tables ``index`` ended: one value a game, or one a game and seat.

    ``rank``, ``win`` (a shared one counts in part), ``gain`` (all rewards), ``turns``,
    ``decisions`` of all players, ``steps`` of the environment, ``truncated``, ``seat``, ``seed``.
    """
    last = tables.tables[index]
    players = tables.setting.players
    rank, gain = last["last_rank"][:, :players], last["last_gain"][:, :players]
    win = (rank == 1) / np.maximum((rank == 1).sum(axis=1, keepdims=True), 1)
    facts = {"rank": rank, "win": win, "gain": gain}
    if not every_seat:
        rows = np.arange(len(index))
        seat = last["last_seat"]
        facts = {name: values[rows, seat] for name, values in facts.items()}
        facts["seat"] = seat
    return facts | {
        "turns": last["last_turns"],
        "decisions": last["last_decisions"],
        "steps": last["last_steps"],
        "truncated": ended[index] == TRUNCATED,
        "seed": last["last_seed"],
    }


class Buffer:
    """Room for one step of all games: what is seen, what was seen last, what is legal."""

    def __init__(self, n: int) -> None:
        self.sights = np.zeros(2 * n * OBSERVATION_SIZE, np.float32)  # now, then final
        self.shown = new_shown(n)
        self.masks = np.zeros(n * N_ACTIONS, np.int8)
        rows = self.sights.reshape(2 * n, OBSERVATION_SIZE)
        self.now, self.final = rows[:n], rows[n:]
        self.mask = self.masks.reshape(n, N_ACTIONS)
        self.legal = self.mask.view(np.bool_)
        self.arrays = (self.sights, self.masks, self.shown)
        self.edition: Edition | None = None  # whose rules every row shows
