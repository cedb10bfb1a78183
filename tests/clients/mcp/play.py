"""A game over the Model Context Protocol: the client starts the server and calls its tools."""

import asyncio
import sys

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(
    command=sys.executable,
    args=["-m", "monopoly_training", "mcp", "--against", "background,random"],
)


async def play(choose, server=SERVER, seed=7, most=2000):
    """Play to the end; ``choose`` maps each text to the number of an action."""
    async with Client(server) as client:
        shown = await call(client, "new_game", seed=seed)
        for _ in range(most):
            if "The game is over" in shown:
                break
            shown = await call(client, "act", actions=[choose(shown)])
        return shown


async def call(client, tool, **arguments):
    """The text of a tool's answer."""
    result = await client.call_tool(tool, arguments)
    return result.content[0].text


if __name__ == "__main__":
    print(asyncio.run(play(lambda shown: 1)))
