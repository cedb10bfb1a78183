"""Plays an exported policy with ONNX Runtime; run ``monopoly-env export`` first."""

import sys

import numpy as np
import onnxruntime

from monopoly_env import VectorEnv


def play(file, games=16, steps=300, **options):
    """The most likely action in each game by the policy in the file."""
    session = onnxruntime.InferenceSession(file)
    envs = VectorEnv(games, opponents=["random"] * 3, **options)
    observations, infos = envs.reset(seed=1)
    won = []
    for _ in range(steps):
        inputs = {"observation": observations, "action_mask": infos["action_mask"]}
        (logits,) = session.run(None, inputs)
        observations, _, _, _, infos = envs.step(logits.argmax(axis=1))
        if "final_info" in infos:
            won += infos["final_info"]["win"][infos["_final_info"]].tolist()
    return won


if __name__ == "__main__":
    print("won:", np.mean(play(sys.argv[1])))
