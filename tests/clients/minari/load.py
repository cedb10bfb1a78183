"""A data set of Minari: made from games of monopoly-env, loaded, and played on in its environment.

Run it as ``python load.py``, after
``monopoly-env generate --agents veteran,background --games 20 --out data``.
"""

import minari
import numpy as np
from monopoly_training.dataset.minari_export import to_minari


def returns_of(dataset):
    """The bot and the return of each episode."""
    metadata = dataset.storage.get_episode_metadata(dataset.episode_indices)
    bots = [one["options"]["bot"] for one in metadata]
    returns = [float(episode.rewards.sum()) for episode in dataset.iterate_episodes()]
    return list(zip(bots, returns, strict=True))


def play(dataset, seed=0):
    """A game in the environment of a data set, by the first legal action; the reward."""
    env = dataset.recover_environment()
    observation, _ = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, reward, terminated, truncated, _ = env.step(action)
        total, over = total + reward, terminated or truncated
    return total


if __name__ == "__main__":
    to_minari("data", "monopoly/veteran-v0", bots=["veteran"], narrow=True)
    dataset = minari.load_dataset("monopoly/veteran-v0")
    print(dataset.total_episodes, dataset.total_steps, returns_of(dataset)[:2], play(dataset))
