"""The course of a game: setting up, turns, doubles, Jail, powers, windows, rounds, the end."""

from __future__ import annotations

from monopoly_env.engine.board import DEEDS, GO_TO_JAIL, JAIL, SPACE_IDS, SPACES
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase, RentBy

from . import auctions, debts, managing, spaces
from .table import Debt, Deed, Flow, GameOver, Player, Table, ask


def play_game(table: Table) -> Flow[None]:
    """A whole game."""
    try:
        set_up(table)
        while True:
            begin_turn(table)
            yield from take_turn(table, table.turn)
            yield from between_turns(table)
            pass_turn(table)
    except GameOver:
        return


# --- setting up ---


def set_up(table: Table) -> None:
    """Shuffle the cards, hand out the money, deal deeds, throw for the first turn."""
    rules = table.rules
    table.random.shuffle(table.piles[0])
    table.random.shuffle(table.piles[1])
    for player in table.players:
        player.cash = rules.start_cash
        table.bank -= rules.start_cash
    if rules.deal_count:
        deal(table)
    if table.groups_dealt:
        for deed in table.deeds.values():
            deed.owner = table.players[deed.group % len(table.players)]
    table.turn = table.starter = highest_thrower(table)


def deal(table: Table) -> None:
    """Deal deeds one by one; in some games they are paid for at once."""
    squares = list(DEEDS)
    table.random.shuffle(squares)
    n = len(table.players)
    for i, square in enumerate(squares[: n * table.rules.deal_count]):
        player = table.players[i % n]
        if table.rules.deal_paid and player.cash < table.rules.price[square]:
            continue  # it stays with the Bank
        auctions.take_deed(table, table.deeds[square], player)
        if table.rules.deal_paid:
            table.pay(player, None, table.rules.price[square], Reason.PRICE)


def highest_thrower(table: Table) -> Player:
    """The highest throw begins; who ties for it throws again."""
    throwers = table.players
    while True:
        totals = {player: sum(table.throw(player)) for player in throwers}
        best = max(totals.values())
        throwers = [player for player in throwers if totals[player] == best]
        if len(throwers) == 1:
            return throwers[0]


# --- a turn ---


def begin_turn(table: Table) -> None:
    """A turn begins."""
    table.turns += 1
    table.doubles = 0
    table.again = 0
    table.note(Event.TURN, table.turn)


def take_turn(table: Table, player: Player) -> Flow[None]:
    """Throw and move, again after doubles, then a last window."""
    first, at_once = True, False
    while True:
        if not at_once:
            yield from spaces.rent_windows(table)
            yield from before_throw(table, player)
        if player.has_left():
            return
        dice = new_throw(table, player, first)
        first = at_once = False
        yield from play_throw(table, player, dice)
        if player.has_left():
            return
        if not table.again:
            break
        if table.rules.power_doubles:
            if (yield from power_or_throw(table, player, dice[0])):
                break
            at_once = True
    if not player.has_left():
        yield from end_window(table, player)


def before_throw(table: Table, player: Player) -> Flow[None]:
    """What a player does before he throws."""
    while not player.has_left():
        options = {"roll"} | jail_options(table, player) | managing.window_options(table, player)
        answer = yield from ask(player, Phase.TURN, options)
        if answer == "roll":
            return
        if answer == "jail_pay":
            table.pay(player, None, table.rules.jail_fine, Reason.FINE)
            spaces.leave_jail(table, player)
        elif answer == "jail_card":
            table.return_card(table.kept.index(player))
            spaces.leave_jail(table, player)
        else:
            yield from managing.manage(table, player, answer)


def jail_options(table: Table, player: Player) -> set[str]:
    """The ways out of Jail before a throw."""
    rules, options = table.rules, set()
    if player.in_jail:
        if player.cash >= rules.jail_fine and player.tries < rules.jail_fine_tries:
            options.add("jail_pay")
        if player in table.kept:
            options.add("jail_card")
    return options


def new_throw(table: Table, player: Player, first: bool) -> tuple[int, int]:
    """Throw the dice of a move; several limits last only until then."""
    if first:
        spaces.close_claims(table)
    for other in table.players:
        other.denied.clear()
    player.offers_left = table.rules.trade_limit
    player.refused = 0
    return table.throw(player)


def play_throw(table: Table, player: Player, dice: tuple[int, int]) -> Flow[None]:
    """What a throw does: out of Jail or not, to Jail, or a move."""
    double = dice[0] == dice[1]
    table.again = 0
    if player.in_jail:
        yield from try_to_leave(table, player, double)
        if player.has_left() or player.in_jail:
            return
    elif double:
        table.doubles += 1
        if table.doubles == 3:
            spaces.send_to_jail(table, player)
            return
        table.again = dice[0]
    spaces.advance(table, player, sum(dice))
    yield from spaces.land(table, player, RentBy.DICE, sum(dice))


def try_to_leave(table: Table, player: Player, double: bool) -> Flow[None]:
    """A double leaves Jail; after the last failed try the fine is due."""
    if double:
        spaces.leave_jail(table, player)
        return
    player.tries += 1
    if player.tries >= table.rules.jail_tries:
        fine = Debt(player, None, table.rules.jail_fine, Reason.FINE)
        yield from debts.settle(table, fine)
        if not player.has_left():
            spaces.leave_jail(table, player)


# --- Power Doubles ---


def power_or_throw(table: Table, player: Player, pips: int) -> Flow[bool]:
    """After a double: throw again, or use its power, which ends the turn."""
    options = {"roll"}
    if pips != 6 or targets(table, player):
        options.add("power")
    if (yield from ask(player, Phase.POWER, options)) == "roll":
        return False
    table.again = 0
    yield from use_power(table, player, pips)
    return True


def use_power(table: Table, player: Player, pips: int) -> Flow[None]:
    """The six powers."""
    rules = table.rules
    if pips == 1:
        barred = (player.position, JAIL, GO_TO_JAIL)
        options = {f"to:{SPACE_IDS[s]}" for s in range(SPACES) if s not in barred}
        answer = yield from ask(player, Phase.TELEPORT, options)
        spaces.move_to(table, player, SPACE_IDS.index(answer.removeprefix("to:")))
        yield from spaces.land(table, player, RentBy.MOVED)
    elif pips == 2:
        table.pay(None, player, rules.power_rest, Reason.POWER)
    elif pips == 3:
        yield from debts.everyone_owes(table, player, rules.power_leech, Reason.POWER)
    elif pips in (4, 5):
        yield from spaces.draw(table, player, pips - 4)
    else:
        yield from attack(table, player)


def targets(table: Table, player: Player) -> list[Deed]:
    """Other players' lots, except those of complete groups."""
    return [
        deed
        for deed in table.deeds.values()
        if deed.is_street
        and deed.owner not in (None, player)
        and len({other.owner for other in table.group_of(deed)}) > 1
    ]


def attack(table: Table, player: Player) -> Flow[None]:
    """Both throw; the higher one takes or keeps the lot, and a tie is thrown again."""
    options = {f"attack:{deed.name}" for deed in targets(table, player)}
    answer = yield from ask(player, Phase.ATTACK, options)
    deed = table.deeds[SPACE_IDS.index(answer.removeprefix("attack:"))]
    defender = deed.owner
    assert defender is not None
    while True:
        mine, theirs = sum(table.throw(player)), sum(table.throw(defender))
        if mine != theirs:
            break
    if mine > theirs:
        auctions.take_deed(table, deed, player)


# --- after the moves ---


def end_window(table: Table, player: Player) -> Flow[None]:
    """After the last move the player may still do business."""
    yield from window(table, player, Phase.END, "end_turn")


def window(table: Table, player: Player, phase: Phase, no_op: str) -> Flow[None]:
    """Business until the no-op; a window with nothing else in it is skipped."""
    while not player.has_left():
        options = managing.window_options(table, player)
        if not options:
            return
        answer = yield from ask(player, phase, options | {no_op})
        if answer == no_op:
            return
        yield from managing.manage(table, player, answer)


def between_turns(table: Table) -> Flow[None]:
    """Everybody else but the next player may do business before the next turn."""
    if not table.rules.between_windows:
        return
    for player in table.from_left(table.turn):
        if not player.has_left() and player is not table.others(table.turn)[0]:
            yield from window(table, player, Phase.BETWEEN, "pass")


def pass_turn(table: Table) -> None:
    """The dice go to the left; limits on the length of a game are looked at here."""
    rules = table.rules
    for player in table.from_left(table.turn):
        if player is table.starter:
            table.rounds += 1
        if not player.has_left():
            break
    if rules.time_limit_rounds and table.rounds >= rules.time_limit_rounds:
        table.end()
    if table.turns >= rules.max_turns:
        table.end(truncated=True)
    table.turn = player
