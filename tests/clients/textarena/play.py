"""Two models play against each other and two bots in TextArena's loop."""

import textarena as ta
from monopoly_training.language_models.textarena_env import register

register()


def play(models, seed=7, **options):
    """Play a game; ``models`` map prompts to answers. Returns the rewards by player."""
    env = ta.make("Monopoly-v0", **options)
    env.reset(num_players=len(models), seed=seed)
    done = False
    while not done:
        player, messages = env.get_observation()
        text = "\n".join(message for _, message, _ in messages)
        done, _ = env.step(models[player](text))
    return env.close()


if __name__ == "__main__":
    rewards, info = play([lambda text: "1", lambda text: '{"action": 1}'])
    print(rewards, info)
