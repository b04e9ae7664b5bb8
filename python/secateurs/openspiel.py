"""Games and states of OpenSpiel as positions, and back; actions as moves; the engine as a bot of OpenSpiel.

>>> import secateurs
>>> from secateurs.openspiel import game
>>> position = game("breakthrough", rows=5, columns=3)
>>> print(secateurs.Engine(hash=16).analyse(position, depth=7).score.proven)
None

>>> import pyspiel
>>> from secateurs.openspiel import Bot, position_of
>>> state = pyspiel.load_game("mancala").new_initial_state()
>>> state.apply_action(3)
>>> position_of(state).text
'<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> s'
>>> bot = Bot(depth=9)
>>> bot.step(state) in state.legal_actions()
True

The games ``mancala`` (Kalah), ``connect_four``, ``nim``, ``chess`` and ``oware`` are those of Secateurs. All other
deterministic zero-sum games of two players with perfect information are played by the rules of OpenSpiel, as games in
Python. It needs OpenSpiel: ``pip install 'secateurs[openspiel]'``.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from secateurs._arguments import either, spelled, wrong_type
from secateurs._boards import connect_four
from secateurs._errors import IllegalMove
from secateurs._extras import needed
from secateurs._native import Engine, Limit, Position

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from secateurs._native import _Limits

with needed("secateurs.openspiel", "openspiel"):
    import pyspiel

    from secateurs._openspiel_games import Key, SpielGame, check, kind

__all__ = ["Bot", "action_of", "game", "move_of", "position_of", "state_of"]

# The games of both, by OpenSpiel's short name.
GAMES = "mancala", "connect_four", "nim", "chess", "oware"

# Kalah(6, 4): the number of houses of a side, and the pits of OpenSpiel's board with the stores.
HOUSES, PITS = 6, 14


def game(name: str | pyspiel.Game, *, key: Key | None = None, **parameters: str | float) -> Position:
    """Returns the starting position of a game of OpenSpiel.

    >>> import secateurs.openspiel
    >>> position = secateurs.openspiel.game("tic_tac_toe")
    >>> secateurs.Engine(hash=1).solve(position).outcome
    'draw'

    Two states share an entry of the table if they have the same key and the same player to move. In the games whose
    board shows all that matters the key is the board, in others the history, with which no two states are the same.

    :param name: a name, a text with parameters as in ``pyspiel.load_game``, or a game.
    :param key: a function of a ``pyspiel.State``, whose result identifies the state: everything that matters for the
        rest of the game beside the player to move. It then replaces the key above.
    :param parameters: the parameters of the game.
    :raises pyspiel.SpielError: OpenSpiel has no such game or parameter.
    :raises ValueError: the game has chance or hidden information, other than two players, players that move at the same
        time, or returns that do not sum up to 0.
    """
    if not isinstance(name, str | pyspiel.Game):
        raise wrong_type("name", "a str or a pyspiel.Game", name)
    if parameters and not isinstance(name, str):
        raise ValueError("a pyspiel.Game has its parameters")
    # OpenSpiel knows no scalars of numpy.
    parameters = {name: value.item() if hasattr(value, "item") else value for name, value in parameters.items()}
    found = (
        name
        if isinstance(name, pyspiel.Game)
        else pyspiel.load_game(name, parameters)
        if parameters
        else pyspiel.load_game(name)
    )
    check(found)
    state = found.new_initial_state()
    return position_of(state) if key is None else Position(kind(found, key)(state))


def position_of(state: pyspiel.State) -> Position:
    """Returns a state of OpenSpiel as a position.

    The players 0 and 1 of OpenSpiel are the players 1 and 2. (In its chess, player 1 is White and therefore player 1.)
    In the games of Secateurs the position has the moves of the state's history, so that repetitions count.

    :raises TypeError: it is no ``pyspiel.State``.
    :raises ValueError: as for :func:`game`, or the state is a chance node, or its board is too large.
    """
    name = game_of(state)
    if name is None:
        return Position(wrapped(state))
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

    Positions of :func:`game`, ``kalah``, ``connect4``, ``nim``, ``chess`` and ``oware`` have one; in Kalah only the
    games of Kalah(6, 4) with standard captures and South first, and in Nim those in which player 1 starts, and no move
    is limited.

    :raises TypeError: it is no :class:`Position`.
    :raises ValueError: OpenSpiel has no such game, no such start of it, or ended the game before the last move.
    """
    if not isinstance(position, Position):
        raise wrong_type("position", "a Position", position)
    if isinstance(position.state, SpielGame):
        return position.state.state.clone()
    state = start_of(position)
    for move in position.history:
        state.apply_action(action_of(state, move))
    return state


def move_of(state: pyspiel.State, action: int) -> str:
    """Returns an action of OpenSpiel as a move.

    :raises TypeError: the state is no ``pyspiel.State``.
    :raises ValueError: as for :func:`position_of`, or the action is not legal in the state.
    """
    for text, number in moves_of(state):
        if number == action:
            return text
    raise IllegalMove(f"action {action} is not legal in {short_name(state)}: {short(state)}")


def action_of(state: pyspiel.State, move: str) -> int:
    """Returns a move, in the text that a :class:`Position` gives it, as an action of OpenSpiel.

    :raises TypeError: the state is no ``pyspiel.State``.
    :raises ValueError: as for :func:`position_of`, or the move is not legal in the state.
    """
    legal = moves_of(state)
    if not isinstance(move, str):
        raise wrong_type("move", "a str", move)
    for text, action in legal:
        if text == move:
            return action
    raise IllegalMove(f"move {move[:60]!r} is not legal in {short_name(state)}: {short(state)}")


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
        limit = either(limit, limits)
        if limit is not None and not isinstance(limit, Limit):
            raise wrong_type("limit", "a Limit", limit)
        self.limit = Limit() if limit is None else limit
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


def game_of(state: Any) -> str | None:
    """Returns the name of a game that Secateurs has too; ``None`` for another one."""
    if not isinstance(state, pyspiel.State):
        raise wrong_type("state", "a pyspiel.State", state)
    if state.is_chance_node():
        if short_name(state) not in GAMES:
            check(state.get_game())
        raise ValueError("state is a chance node: the starting position is not drawn yet")
    name, parameters = short_name(state), state.get_game().get_parameters()
    is_other = (
        name not in GAMES
        or (name == "connect_four" and parameters.get("x_in_row", 4) != 4)
        or (name == "oware" and parameters.get("num_houses_per_player", HOUSES) != HOUSES)
    )
    return None if is_other else name


def wrapped(state: pyspiel.State) -> SpielGame:
    """Returns a state of another game as one of a game in Python."""
    return kind(state.get_game())(state.clone())


def moves_of(state: pyspiel.State) -> Iterable[tuple[str, int]]:
    """Returns the legal moves with their actions."""
    name = game_of(state)
    if name is None:
        return wrapped(state).actions.items()
    return ((text_of(name, state, action), action) for action in state.legal_actions())


def short_name(state: pyspiel.State) -> str:
    """Returns the name of the game of a state."""
    name: str = state.get_game().get_type().short_name
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
