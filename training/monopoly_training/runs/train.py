"""Training: collect games, update the policy, evaluate, save; until the steps or minutes are up."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from stable_baselines3.common.logger import Logger

from monopoly_training.common.compile_notice import announce
from monopoly_training.common.files import as_json, provenance, write_atomic
from monopoly_training.common.progress import NoProgress, Progress, speed_and_rest
from monopoly_training.common.schema import load_settings, location_of
from monopoly_training.evaluation import learning_curve
from monopoly_training.models import storage
from monopoly_training.models.model import add_to_card
from monopoly_training.models.storage import save_model
from monopoly_training.runs import checkpoint
from monopoly_training.runs.checkpoint import Counters
from monopoly_training.runs.config import TrainConfig
from monopoly_training.runs.evaluator import Evaluator
from monopoly_training.runs.factory import agent_of, make_env, make_learner, make_pool, model_of
from monopoly_training.runs.imitation import Teacher, imitate
from monopoly_training.runs.rollout_callback import RolloutCallback
from monopoly_training.runs.tensorboard import board_logger

CONFIG, PROVENANCE, BOARD = "config.yaml", "provenance.json", "tensorboard"
RENEWAL = 8  # iterations between two draws of the opponents' chances
FILES = (CONFIG, PROVENANCE, checkpoint.FILE, learning_curve.FILE, storage.WEIGHTS, storage.CARD)


def train(
    config: TrainConfig,
    folder: Path,
    progress: Progress | None = None,
    anew: bool = False,
    until: float | None = None,
) -> Run:
    """Train from the start. ``anew`` takes away what an earlier run left in the folder.

    ``until``: a time of ``time.perf_counter`` at which to stop, whatever the config says.

    Raises: ConfigError, one line, if the folder holds a run already.
    """
    if any((folder / name).exists() for name in FILES):
        if not anew and (folder / checkpoint.FILE).exists():
            location_of(folder).fail(
                f"holds a run already; go on with it by --resume {folder}, or name another --out"
            )
        remove_run(folder)
    run = Run(config, folder, progress or NoProgress())
    run.begin()
    run.train(until)
    return run


def resume(
    folder: Path,
    progress: Progress | None = None,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> Run:
    """Go on with a run from its last checkpoint; ``changes`` are ``key=value`` over its config.

    ``options`` are settings that have a command line option of their own; they come last.
    """
    path = folder / CONFIG
    if not path.is_file():
        location_of(folder).fail(f"holds no {CONFIG}; give the folder of a training run")
    config = load_settings(TrainConfig, [path], changes, options)
    run = Run(config, folder, progress or NoProgress())
    run.resume()
    run.train()
    return run


def remove_run(folder: Path) -> None:
    """Take away the files of a run, and nothing else."""
    for name in FILES:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / BOARD, ignore_errors=True)


class Run:
    """One training run: the learner, its games, its folder."""

    def __init__(self, config: TrainConfig, folder: Path, progress: Progress) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.folder = folder
        self.progress = progress
        self.counters = Counters()
        self.limit = None if config.minutes is None else 60 * config.minutes
        announce(progress, "batched")
        self.judge = Evaluator(config, folder, progress)
        self.env = make_env(config)
        self.learner = make_learner(config, self.env)
        self.pool = make_pool(config, self.env, self.learner)
        lessons = config.imitation
        self.teacher = Teacher(lessons.teacher, self.env) if lessons.steps else None
        self.parts = checkpoint.Parts(self.learner, self.env, self.pool, self.teacher)
        self.watch = RolloutCallback(self._tick, self.env, self.pool)
        self._set_up()

    def _set_up(self) -> None:
        """What MaskablePPO.learn does before its loop."""
        self.learner.set_logger(Logger(None, []))
        self.learner._setup_learn(self.config.steps, None, reset_num_timesteps=False)
        self.watch.init_callback(self.learner)

    def begin(self) -> None:
        """Write down what is about to be done."""
        seeds = {"seed": self.config.seed, "evaluation_seed": self.config.evaluation.seed}
        write_atomic(self.folder / CONFIG, self.config.as_yaml())
        write_atomic(self.folder / PROVENANCE, as_json({**seeds, **provenance()}))

    def resume(self) -> None:
        """Stand where the checkpoint stands. What was noted after it is dropped; it comes again."""
        self.counters = checkpoint.load_checkpoint(self.folder, self.parts)
        self.judge.resume(self.learner.num_timesteps)

    # --- the loop ---

    def train(self, until: float | None = None) -> None:
        """Iterate until the steps or the minutes are up, or a time is reached."""
        learner, counters = self.learner, self.counters
        learner.set_logger(board_logger(self.folder / BOARD, learner.num_timesteps))
        self.session = time.perf_counter() - counters.seconds  # when it would have begun in one go
        if until is not None:
            self.limit = max(1.0, min(self.limit or math.inf, until - self.session))
        if counters.iterations == 0:
            self._evaluate()
        while not self._is_done():
            self._iterate()
            if learner.num_timesteps - counters.evaluated_at >= self.config.evaluation.every:
                self._evaluate()
            if learner.num_timesteps - counters.saved_at >= self.config.checkpoint_every:
                self._save()
        if counters.evaluated_at < learner.num_timesteps:
            self._evaluate()
        self._save()
        learner.logger.close()

    def _iterate(self) -> None:
        """Play and learn once: from the teacher first, then from the game."""
        learner, steps = self.learner, self.learner.num_timesteps
        started = time.perf_counter()
        learner._current_progress_remaining = 1.0 - self.fraction_done()
        if self.teacher is not None and steps < self.config.imitation.steps:
            self._imitate(self.teacher)
        else:
            self._improve()
        self.counters.iterations += 1
        seconds = time.perf_counter() - started
        learner.logger.record("time/steps_per_second", (learner.num_timesteps - steps) / seconds)
        learner.logger.dump(learner.num_timesteps)

    def _imitate(self, teacher: Teacher) -> None:
        """Let the teacher play, and learn to do as it does."""
        self.progress.stage(f"imitating {self.config.imitation.teacher}")
        found = imitate(self.learner, self.env, teacher, self.config.imitation, self._tick)
        for name, value in found.items():
            self.learner.logger.record(f"imitation/{name}", value)

    def _improve(self) -> None:
        """Play with the policy as it is, then improve it by what was seen: PPO."""
        self.progress.stage("training")
        learner = self.learner
        self._choose_opponents()
        learner.collect_rollouts(
            self.env, self.watch, learner.rollout_buffer, n_rollout_steps=learner.n_steps
        )
        began = time.perf_counter()
        learner.train()
        self.counters.games += self.watch.report(learner.logger, time.perf_counter() - began)
        self.pool.report(learner.logger)

    def _choose_opponents(self) -> None:
        """Leash the learner where PPO begins; now and then, draw opponents by what is known."""
        learner, counters, wanted = self.learner, self.counters, self.config.pool
        if learner.leash > 0 and learner.master is None:
            learner.hold()
        if wanted.past > 0 and learner.num_timesteps >= counters.past_due:
            self.pool.past.add(learner.policy)
            counters.past_due = learner.num_timesteps + wanted.every
        if self.config.draw:
            if counters.iterations % RENEWAL == 0:
                self.pool.renew()
            self.pool.tell(self.env.venv.games.batch)

    def fraction_done(self) -> float:
        """How much is done, 0 to 1, by steps or by time: by what will be up first."""
        by_time = self._seconds() / self.limit if self.limit else 0.0
        return min(1.0, max(self.learner.num_timesteps / self.config.steps, by_time))

    def _is_done(self) -> bool:
        return self.fraction_done() >= 1.0

    def _seconds(self) -> float:
        return time.perf_counter() - self.session

    def _tick(self, steps: int) -> bool:
        """Show how far it is; rollouts are always played to their end."""
        done = self.fraction_done()
        self.progress.update(done, speed_and_rest(done, steps, "decisions", self._seconds()))
        return True

    # --- beside the loop ---

    def _evaluate(self) -> None:
        """One point of the curve for each line-up."""
        learner = self.learner
        agent = agent_of(learner, self.env, self.config)
        self.judge.judge(agent, learner.num_timesteps, self._seconds(), learner.logger)
        self.counters.evaluated_at = learner.num_timesteps

    def _save(self) -> None:
        """The model for users, then the checkpoint for going on."""
        self.counters.seconds = self._seconds()
        self.counters.saved_at = self.learner.num_timesteps
        model = model_of(self.learner, self.env, self.config, self.folder.name)
        facts = {"results": self.judge.latest(), "hours": self.counters.seconds / 3600}
        save_model(self.folder, add_to_card(model, {**facts, **provenance()}))
        checkpoint.save_checkpoint(self.folder, self.parts, self.counters)
