"""A game over OpenEnv: the client keeps a session open on the server."""

from monopoly_openenv import MonopolyAction, MonopolyClient


def play(url, answer, seed=7, **options):
    """Play a game to its end; ``answer`` maps the text of a decision to an answer."""
    with MonopolyClient(base_url=url).sync() as client:
        result = client.reset(seed=seed, **options)
        while not result.done:
            result = client.step(MonopolyAction(answer=answer(result.observation.text)))
        return result, client.state()


if __name__ == "__main__":
    result, state = play("http://127.0.0.1:8000", lambda text: '{"action": 1}')
    print(result.observation.text, result.observation.scores, state.counts)
