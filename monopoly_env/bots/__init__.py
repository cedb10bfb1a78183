"""Everything needed to write bots, in one module.

A Python bot is any object with the methods of :class:`Agent`; it decides from a :class:`View`. A
compiled bot is a function decorated with :func:`policy`; its helpers are decorated with
:func:`jit`. A language model plays through :class:`TextBot`. See docs/write_a_bot.md.

>>> from monopoly_env import Game
>>> class Cautious:
...     def reset(self, seed):
...         pass
...     def decide(self, view):
...         return safe_action(view.mask)
>>> game = Game(players=2, seed=7, rules={"max_turns": 4})
>>> GameLoop(game, [Cautious(), make_agent("fixed_a")]).play().over
True
"""

from monopoly_env.agent import Agent, AgentSpec, find_agent, make_agent
from monopoly_env.bots.actions import (
    NO_ACTION,
    first_legal,
    first_of,
    id_of,
    id_on,
    ids_of,
    is_legal,
    largest_step,
)
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.bots.deals import Deal, new_deal
from monopoly_env.bots.explain import Choice, choices
from monopoly_env.bots.fallback import safe_action
from monopoly_env.bots.offer_steps import (
    begin_offer,
    begin_steps,
    compose,
    offer_cash,
    offer_for_sale,
    offer_swap,
    plan,
)
from monopoly_env.bots.text_view import TextBot, describe, parse_choice, prompt
from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, IDS, KIND_OF, KINDS, N_ACTIONS, TEXTS, VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS, NOBODY
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, chance, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.errors import AgentError
from monopoly_env.playing import Accumulator, GameLoop
from monopoly_env.view import Offer, View

__all__ = [
    "BASE",
    "DEED_BITS",
    "GROUP",
    "GROUP_BITS",
    "IDS",
    "KINDS",
    "KIND_OF",
    "NOBODY",
    "NO_ACTION",
    "N_ACTIONS",
    "TEXTS",
    "VALUE_OF",
    "Accumulator",
    "Agent",
    "AgentError",
    "AgentSpec",
    "Choice",
    "CompiledAgent",
    "Deal",
    "GameLoop",
    "GameState",
    "Kind",
    "Offer",
    "Phase",
    "RuleSet",
    "TextBot",
    "View",
    "ViewState",
    "begin_offer",
    "begin_steps",
    "bit",
    "chance",
    "choices",
    "compose",
    "count",
    "describe",
    "find_agent",
    "first_legal",
    "first_of",
    "id_of",
    "id_on",
    "ids_of",
    "is_legal",
    "jit",
    "largest_step",
    "lowest",
    "make_agent",
    "new_deal",
    "offer_cash",
    "offer_for_sale",
    "offer_swap",
    "parse_choice",
    "plan",
    "policy",
    "prompt",
    "safe_action",
    "top",
]
