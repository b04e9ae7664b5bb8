"""States of OpenSpiel as positions, and back; actions as moves; the engine as a bot of OpenSpiel.

>>> import pyspiel
>>> from secateurs.openspiel import Bot, position_of
>>> state = pyspiel.load_game("mancala").new_initial_state()
>>> state.apply_action(3)
>>> position_of(state).text
'<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> s'
>>> bot = Bot(depth=9)
>>> bot.step(state) in state.legal_actions()
True

The games are ``mancala`` (Kalah), ``connect_four``, ``nim``, ``chess`` and ``oware``. It needs OpenSpiel:
``pip install 'secateurs[openspiel]'``.
"""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from secateurs._arguments import spelled, wrong_type
from secateurs._boards import connect_four
from secateurs._errors import IllegalMove
from secateurs._extras import needed
from secateurs._native import Engine, Limit, Position

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateurs._native import _Limits

with needed("secateurs.openspiel", "openspiel"):
    import pyspiel

__all__ = ["Bot", "action_of", "move_of", "position_of", "state_of"]

# The games of both, by OpenSpiel's short name.
GAMES = "mancala", "connect_four", "nim", "chess", "oware"

# Kalah(6, 4): the number of houses of a side, and the pits of OpenSpiel's board with the stores.
HOUSES, PITS = 6, 14


def position_of(state: pyspiel.State) -> Position:
    """Returns a state of OpenSpiel as a position, with the moves of its history, so that repetitions count.

    The players 0 and 1 of OpenSpiel are the players 1 and 2. (In its chess, player 1 is White and therefore player 1.)

    :raises TypeError: it is no ``pyspiel.State``.
    :raises ValueError: the state is of another game or of a variant, a chance node, or too large a board.
    """
    name = game_of(state)
    parameters = state.get_game().get_parameters()
    if name == "chess":
        return chess_position_of(state)
    if name == "mancala":
        start = Position("kalah", houses=HOUSES, seeds=4)
    elif name == "nim":
        heaps = [int(heap) for heap in parameters["pile_sizes"].split(";")]
        start = Position("nim", heaps=heaps, misere=parameters["is_misere"])
    elif name == "oware":
        start = Position("oware", oware_seeds=parameters.get("num_seeds_per_house", 4))
    else:
        start = connect_four_start(state)
    return start.play_line([text_of(name, state, action) for action in state.history()])


def state_of(position: Position) -> pyspiel.State:
    """Returns a position as a state of OpenSpiel, with the moves of its history.

    Positions of ``kalah``, ``connect4``, ``nim``, ``chess`` and ``oware`` have one; in Kalah only the games of
    Kalah(6, 4) with standard captures and South first, and in Nim those in which player 1 starts, and no move is
    limited.

    :raises TypeError: it is no :class:`Position`.
    :raises ValueError: OpenSpiel has no such game, no such start of it, or ended the game before the last move.
    """
    if not isinstance(position, Position):
        raise wrong_type("position", "a Position", position)
    state = start_of(position)
    for move in position.history:
        state.apply_action(action_of(state, move))
    return state


def move_of(state: pyspiel.State, action: int) -> str:
    """Returns an action of OpenSpiel as a move.

    :raises TypeError: the state is no ``pyspiel.State``.
    :raises ValueError: the state is of another game, or the action is not legal in it.
    """
    name = game_of(state)
    if action not in state.legal_actions():
        raise IllegalMove(f"action {action} is not legal in {name}: {short(state)}")
    return text_of(name, state, action)


def action_of(state: pyspiel.State, move: str) -> int:
    """Returns a move, in the text that a :class:`Position` gives it, as an action of OpenSpiel.

    :raises TypeError: the state is no ``pyspiel.State``.
    :raises ValueError: the state is of another game, or the move is not legal in it.
    """
    name = game_of(state)
    if not isinstance(move, str):
        raise wrong_type("move", "a str", move)
    actions: list[int] = state.legal_actions()
    for action in actions:
        if text_of(name, state, action) == move:
            return action
    raise IllegalMove(f"move {move[:60]!r} is not legal in {name}: {short(state)}")


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """The engine as a bot of OpenSpiel, for either player.

    ``Bot(time=1.0)`` or ``Bot(Limit(depth=12))``: each move is searched to the limit, as by :meth:`Engine.play`. The
    transposition table is kept from move to move until :meth:`restart`.

    :param hash: the size of the table in MiB.
    :param threads: the number of threads.
    :raises ValueError: there is no limit, or a limit is invalid.
    """

    @spelled
    def __init__(
        self, limit: Limit | None = None, *, hash: int = 64, threads: int = 1, **limits: "Unpack[_Limits]"
    ) -> None:
        """Makes a bot with an engine of its own."""
        super().__init__()
        if limit is not None and limits:
            raise ValueError("give a limit or its keywords, not both")
        if limit is not None and not isinstance(limit, Limit):
            raise wrong_type("limit", "a Limit", limit)
        self.limit = Limit(**limits) if limit is None else limit
        self.engine = Engine(hash=hash, threads=threads)

    def step(self, state: pyspiel.State) -> int:
        """Returns the best action for the player to move.

        :raises ValueError: the game is over, or as :func:`position_of`.
        """
        position = position_of(state)
        if state.is_terminal():
            raise ValueError(f"the game is over: {short(state)}")
        move = self.engine.play(position, self.limit).move
        if move is None:
            raise ValueError(f"there is no move in {position.text}")
        return action_of(state, move)

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Checks the action of another player. Nothing is kept: each state has the history of its game.

        :raises ValueError: it is not legal in the state.
        """
        move_of(state, action)

    def restart(self) -> None:
        """Forgets the searches of the game before."""
        self.engine.clear()

    def restart_at(self, state: pyspiel.State) -> None:
        """Forgets the searches of the game before; the next one starts at the state.

        :raises ValueError: as for :func:`position_of`.
        """
        position_of(state)
        self.engine.clear()


def game_of(state: Any) -> str:
    """Returns the name of a game of both."""
    if not isinstance(state, pyspiel.State):
        raise wrong_type("state", "a pyspiel.State", state)
    game = state.get_game()
    name: str = game.get_type().short_name
    if name not in GAMES:
        raise ValueError(f"state is of OpenSpiel's {name}; the games of both are {', '.join(GAMES)}")
    if name == "connect_four" and game.get_parameters().get("x_in_row", 4) != 4:
        raise ValueError(f"state is of {game}: Secateurs' Connect Four has four in a row")
    if name == "oware" and game.get_parameters().get("num_houses_per_player", HOUSES) != HOUSES:
        raise ValueError(f"state is of {game}: Secateurs' Oware has {HOUSES} houses a side")
    if state.is_chance_node():
        raise ValueError("state is a chance node: the starting position is not drawn yet")
    return name


def short(state: pyspiel.State) -> str:
    """Returns a state on one line."""
    return re.sub(r"\s+", " ", str(state)).strip()


def text_of(name: str, state: pyspiel.State, action: int) -> str:
    """Converts an action to a move. But for chess, the state matters only by its game."""
    if name == "mancala":
        # The pits of player 0 are 1 to 6; those of player 1 are 8 to 13.
        return str(action % (HOUSES + 1))
    if name == "connect_four":
        return str(action + 1)
    if name == "oware":
        text: str = state.action_to_string(state.current_player(), action)
        return text
    if name == "nim":
        taken, heap = divmod(action, piles_of(state))
        return f"{heap + 1}-{taken + 1}"
    board = state.board()
    text = pyspiel.chess.action_to_move(action, board).to_lan(state.get_game().is_chess960(), board)
    return text


def piles_of(state: pyspiel.State) -> int:
    """Returns the number of the heaps of Nim."""
    sizes: str = state.get_game().get_parameters()["pile_sizes"]
    return sizes.count(";") + 1


def connect_four_start(state: pyspiel.State) -> Position:
    """Returns the start of a game of Connect Four, the empty board or another one."""
    parameters = state.get_game().get_parameters()
    columns, rows = parameters["columns"], parameters["rows"]
    start = state.starting_state_str()
    if not start:
        return Position("connect4", columns=columns, rows=rows)
    given = json.loads(start)
    text = connect_four(map("".join, reversed(given["board"])), given["current_player"])
    return Position.parse(text, "connect4", columns=columns, rows=rows)


def chess_position_of(state: pyspiel.State) -> Position:
    """Returns a state of chess as a position."""
    game = state.get_game()
    is_960 = game.is_chess960()
    start = Position.parse(state.start_fen(), "chess", uci_chess960=is_960)
    played = len(state.moves_history())
    # In Chess960 the first action may be the number of the starting position.
    actions: Sequence[int] = state.history()[-played:] if played else []
    replayed = game.new_initial_state(state.start_fen())
    moves = []
    for action in actions:
        moves.append(text_of("chess", replayed, action))
        replayed.apply_action(action)
    return start.play_line(moves)


def start_of(position: Position) -> pyspiel.State:
    """Returns the start of a position's game as a state."""
    options = position.options
    refusal = f"OpenSpiel has no such start of {position.game}: {position.start}"
    if position.game == "kalah":
        if position.start != Position("kalah").start or options["capture"] != "standard":
            raise ValueError(f"{refusal} (capture {options['capture']}); it has Kalah(6, 4) with standard captures")
        return pyspiel.load_game("mancala").new_initial_state()
    if position.game == "nim":
        heaps, player = position.start.split()
        most = max(int(heap) for heap in heaps.split(","))
        if player != "1" or int(options["max_take"]) < most:
            raise ValueError(f"{refusal}; it has Nim in which player 1 starts and takes any number")
        parameters = {"pile_sizes": heaps.replace(",", ";"), "is_misere": bool(options["misere"])}
        return pyspiel.load_game("nim", parameters).new_initial_state()
    if position.game == "connect4":
        size = {"columns": int(options["columns"]), "rows": int(options["rows"])}
        game = pyspiel.load_game("connect_four", size)
        start = Position.parse(position.start, "connect4", **size)
        if not any(map(any, start.board)):
            return game.new_initial_state()
        board = [[".xo"[stone] for stone in row] for row in reversed(start.board)]
        player = "xo"[start.turn - 1]
        given = {"board": board, "current_player": player, "is_terminal": start.outcome is not None, "winner": ""}
        return game.new_initial_state(json.dumps(given))
    if position.game == "chess":
        game = pyspiel.load_game("chess", {"chess960": bool(options["uci_chess960"])})
        is_usual = position.start == Position("chess").start and not options["uci_chess960"]
        return game.new_initial_state() if is_usual else game.new_initial_state(position.start)
    if position.game == "oware":
        if position.start != Position("oware", oware_seeds=options["oware_seeds"]).start:
            raise ValueError(f"{refusal}; it has Oware from equal houses, South first")
        return pyspiel.load_game("oware", {"num_seeds_per_house": int(options["oware_seeds"])}).new_initial_state()
    raise ValueError(f"position is of {position.game}; the games of both are kalah, connect4, nim, chess and oware")
