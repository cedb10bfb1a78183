"""The training loop: collect rollouts, update the policy, evaluate and save."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from stable_baselines3.common.logger import Logger

from monopoly_env.files import with_digest
from monopoly_training.common import stopping
from monopoly_training.common.compile_notice import announce
from monopoly_training.common.files import (
    as_json,
    check_written,
    provenance,
    read_with_digest,
    write_atomic,
)
from monopoly_training.common.progress import Progress, speed_and_time_left
from monopoly_training.common.remote import checkpointed, name_of
from monopoly_training.common.run_settings import changes
from monopoly_training.common.schema import plain
from monopoly_training.matches.workers import DEFAULTS, RAY, WorkOptions
from monopoly_training.models.model import add_to_card
from monopoly_training.models.storage import WEIGHTS, load_model, save_model
from monopoly_training.runs import checkpoint
from monopoly_training.runs.callbacks import CallbackWriter, TrainingCallback
from monopoly_training.runs.checkpoint import Counters, Kept
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.evaluator import Evaluator
from monopoly_training.runs.factory import agent_of, make_env, make_learner, make_pool, model_of
from monopoly_training.runs.imitation import collect_demonstrations, learn_from_demonstrations
from monopoly_training.runs.rollout_callback import RolloutCallback
from monopoly_training.runs.run_folder import CONFIG, PROVENANCE, TENSORBOARD
from monopoly_training.runs.teacher import Teacher
from monopoly_training.runs.tensorboard import TensorBoardWriter
from monopoly_training.runs.trackers import make_tracker
from monopoly_training.runs.worker_pool import open_workers
from monopoly_training.runs.worker_rollouts import WorkerRollouts

REDRAW_EVERY = 8  # iterations between updates of the opponents' probabilities


class Run:
    """A training run: the learner, its games and its folder."""

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        progress: Progress,
        callbacks: Sequence[TrainingCallback] = (),
        work: WorkOptions = DEFAULTS,
    ) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.folder = folder
        self.progress = progress
        self.work = work  # where rollout workers run, if there are any
        self.counters = Counters()
        self.callbacks = [*callbacks, *([make_tracker(config.track)] if config.track else [])]
        self.limit = None if config.minutes is None else 60 * config.minutes  # seconds
        self._warned = False  # whether the warning about faults has been shown
        announce(progress, "batched")
        self.evaluator = Evaluator(config, folder, progress)
        self.env = make_env(config)
        self.learner = make_learner(config, self.env)
        self.pool = make_pool(config, self.env, self.learner)
        imitation = config.imitation
        self.teacher = Teacher(imitation.teacher, self.env) if imitation.steps else None
        self.callback = RolloutCallback(self._on_step, self.env, self.pool)
        self.workers = self._make_workers()
        self.parts = checkpoint.Parts(self.learner, self.env, self.pool, self.teacher, self.workers)
        self.learner.set_logger(Logger(None, []))
        self.learner.start()
        self.callback.init_callback(self.learner)

    def _make_workers(self) -> WorkerRollouts | None:
        """Create the rollout workers, if the config has any."""
        if self.config.ppo.workers == 0:
            return None
        return WorkerRollouts(self.config, self.learner, self.env, self.pool, self.callback)

    def write_config(self) -> None:
        """Write the config and the provenance to the run's folder."""
        stopping.set_discard_message("there was no checkpoint yet; the same command starts over")
        write_atomic(self.folder / CONFIG, self.config.as_yaml())
        self._write_provenance()

    def _write_provenance(self) -> None:
        seeds = {"seed": self.config.seed, "evaluation_seed": self.config.evaluation.seed}
        write_atomic(self.folder / PROVENANCE, as_json(with_digest({**seeds, **provenance()})))

    def restore_checkpoint(self, state: Mapping[str, Any]) -> None:
        """Restore a checkpoint. Later points of the learning curve are dropped.

        Other files of the run that are damaged or missing are rewritten, with a warning.
        """
        self.counters = checkpoint.set_state(self.folder, self.parts, state)
        self.evaluator.resume(state["curve"])
        self._set_resume_hint()
        remedy = "it is rewritten from the checkpoint"
        if not check_written(self.folder / WEIGHTS, lambda _: load_model(self.folder), remedy):
            self._save_model()
        if not check_written(self.folder / PROVENANCE, read_with_digest, "it is rewritten"):
            self._write_provenance()
        before = dict(state["config"])
        # saved immediately, so that a kill does not lose the change
        if changes(before, self._settings()):
            self._save_checkpoint(replaced=before)
            write_atomic(self.folder / CONFIG, self.config.as_yaml())

    def _settings(self) -> dict[str, Any]:
        return dict(plain(asdict(self.config)))

    # --- the loop ---

    def train(self) -> None:
        """Iterate until steps or minutes are used up."""
        with ExitStack() as stack:
            if self.workers is not None:
                self.workers.use(stack.enter_context(open_workers(self.config, self.work)))
            self._train()

    def _train(self) -> None:
        learner, counters = self.learner, self.counters
        for callback in self.callbacks:
            callback.on_start(self)
        writer = TensorBoardWriter(self.folder / TENSORBOARD, learner.num_timesteps)
        learner.set_logger(Logger(None, [writer, CallbackWriter(self.callbacks)]))
        # as if the run had never been interrupted
        self.began = time.perf_counter() - counters.seconds
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
        for callback in self.callbacks:
            callback.on_end(self)

    def _iterate(self) -> None:
        """Run one iteration: imitation of the teacher first, PPO after that."""
        learner, steps = self.learner, self.learner.num_timesteps
        started = time.perf_counter()
        learner.progress_remaining = 1.0 - self.fraction_done()
        if self._is_imitating():
            self._imitate()
        else:
            self._improve()
        self.counters.iterations += 1
        self._warn_of_faults()
        self._record_times(learner.num_timesteps - steps, time.perf_counter() - started)
        learner.logger.dump(learner.num_timesteps)

    def _record_times(self, steps: int, seconds: float) -> None:
        """Log the speed of the last iteration and, under SB3's names, of the whole run."""
        logger, elapsed = self.learner.logger, self._seconds()
        logger.record("time/steps_per_second", steps / seconds)
        logger.record("time/fps", int(self.learner.num_timesteps / max(elapsed, 1e-9)))
        logger.record("time/time_elapsed", int(elapsed))
        logger.record("time/iterations", self.counters.iterations)
        logger.record("time/total_timesteps", self.learner.num_timesteps)

    def _warn_of_faults(self) -> None:
        """Warn once if a compiled opponent has returned illegal actions."""
        here = int(self.env.games.batch.episodes["faults"].sum())
        illegal = here if self.workers is None else self.workers.illegal
        if illegal and not self._warned:
            self._warned = True
            self.progress.log(
                f"an opponent's compiled policy answered what is not legal ({illegal:,} times so "
                "far), and random legal actions were played; monopoly-env evaluate shows which"
            )

    def _is_imitating(self) -> bool:
        """Return whether the next rollout is for imitation."""
        return self.learner.num_timesteps < self.config.imitation.steps

    def _imitate(self) -> None:
        """Let the teacher play, and imitate it."""
        self.progress.stage(f"imitating {self.config.imitation.teacher}")
        if self.workers is not None:
            self._receive(self.workers)
        else:
            assert self.teacher is not None
            collect_demonstrations(self.learner, self.env, self.teacher, self._on_step)
        statistics = learn_from_demonstrations(self.learner, self.config.imitation)
        for name, value in statistics.items():
            self.learner.logger.record(f"imitation/{name}", value)

    def _improve(self) -> None:
        """Collect a rollout with the current policy and update it by PPO."""
        self.progress.stage("training")
        learner = self.learner
        if learner.kl_start > 0 and learner.reference_policy is None:
            learner.freeze_reference()
        if self.workers is not None:
            self._receive(self.workers)
        else:
            self._choose_opponents()
            learner.collect_rollouts(
                self.env, self.callback, learner.rollout_buffer, n_rollout_steps=learner.n_steps
            )
        began = time.perf_counter()
        learner.train()
        self.counters.games += self.callback.report(learner.logger, time.perf_counter() - began)
        self.pool.report(learner.logger)

    def _receive(self, workers: WorkerRollouts) -> None:
        """Receive the workers' rollout; with staleness, start the next one before the update."""
        if not workers.is_underway:
            self._order(workers)
        workers.receive()
        workers.report(self.learner.logger)
        self._on_step(self.learner.num_timesteps)
        if self.config.ppo.staleness:
            self._order(workers)

    def _order(self, workers: WorkerRollouts) -> None:
        imitate = self._is_imitating()
        if not imitate:
            self._choose_opponents()
        workers.order(imitate)

    def _choose_opponents(self) -> None:
        """Add a past self if one is due, and update the opponents' probabilities periodically."""
        learner, counters, pool = self.learner, self.counters, self.config.pool
        if pool.past > 0 and learner.num_timesteps >= counters.past_due:
            self.pool.past.add(learner.policy)
            counters.past_due = learner.num_timesteps + pool.every
        if self.config.draw:
            if counters.iterations % REDRAW_EVERY == 0:
                self.pool.redraw()
            self.pool.apply_to(self.env.games.batch)

    def fraction_done(self) -> float:
        """Return the completed fraction, 0 to 1, of the steps or the time, whichever is larger."""
        by_time = self._seconds() / self.limit if self.limit else 0.0
        return min(1.0, max(self.learner.num_timesteps / self.config.steps, by_time))

    def _is_done(self) -> bool:
        return self.fraction_done() >= 1.0

    def _seconds(self) -> float:
        return time.perf_counter() - self.began

    def _on_step(self, steps: int) -> bool:
        """Report progress. Always continue, since rollouts are played to their end."""
        done = self.fraction_done()
        self.progress.update(done, speed_and_time_left(done, steps, "decisions", self._seconds()))
        return True

    # --- evaluation and saving ---

    def _evaluate(self) -> None:
        """Add one point to the curve for each line-up."""
        learner = self.learner
        agent = agent_of(learner, self.env, self.config)
        self.evaluator.evaluate(agent, learner.num_timesteps, self._seconds(), learner.logger)
        for callback in self.callbacks:
            callback.on_evaluation(learner.num_timesteps, self.evaluator.last_points())
        self.counters.evaluated_at = learner.num_timesteps

    def _save(self) -> None:
        """Save the model, then the checkpoint."""
        self.counters.seconds = self._seconds()
        self.counters.saved_at = self.learner.num_timesteps
        self._save_model()
        self._save_checkpoint()
        self._set_resume_hint()

    def _set_resume_hint(self) -> None:
        work = self.work
        options = ["--backend", RAY] if work.backend == RAY else []
        options += ["--address", work.address] if work.address is not None else []
        stopping.resume_with("train", "--resume", name_of(self.folder), *options)

    def _save_model(self) -> None:
        model = model_of(self.learner, self.env, self.config, self.folder.name)
        entries = {"results": self.evaluator.latest(), "hours": self.counters.seconds / 3600}
        save_model(self.folder, add_to_card(model, {**entries, **provenance()}))

    def _save_checkpoint(self, replaced: Mapping[str, Any] | None = None) -> None:
        kept = Kept(self._settings(), replaced, [point.plain() for point in self.evaluator.points])
        checkpoint.save_checkpoint(self.folder, self.parts, self.counters, kept)
        checkpointed(self.folder)
