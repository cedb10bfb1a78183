"""The server: ``uvicorn monopoly_openenv.server.app:app``."""

from monopoly_openenv.models import MonopolyAction, MonopolyObservation
from monopoly_openenv.server.environment import MonopolyEnvironment

from openenv.core.env_server.http_server import create_app

SESSIONS = 64  # concurrent games

app = create_app(
    MonopolyEnvironment,
    MonopolyAction,
    MonopolyObservation,
    env_name="monopoly",
    max_concurrent_envs=SESSIONS,
)


def main(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve this machine only, or another host."""
    import uvicorn

    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
