"""Networks as arrays, and the positions that they are trained on."""

import os
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from operator import length_hint
from typing import Any, NamedTuple, NoReturn, final

from secateurs import _native
from secateurs._arguments import counted, items, number, path, short, spelled, whole, wrong_type

#: The number that stands for 1 among the weights of features, and among those of outputs.
UNIT, OUTPUT_UNIT = 255, 64

# The ranges of weights. A weight of an output times a neuron, at most 255, fits into 16 bits.
WEIGHTS, OUTPUTS, BIASES = (-(2**15), 2**15 - 1), (-128, 128), (-(2**31), 2**31 - 1)


class Shape(NamedTuple):
    """The size of a network."""

    features: int
    hidden: int
    buckets: int


@final
@dataclass(frozen=True, init=False, repr=False)
class Network:
    """An efficiently updatable neural network (NNUE), as ``secateurs train`` writes it and searches read it.

    >>> import tempfile
    >>> network = secateurs.Network("TicTacToe", [[1] * 64] * 18, [25] * 64, [[[3] * 64, [-3] * 64]], [0], scale=200)
    >>> network
    <Network of TicTacToe, 18 features, 64 hidden neurons, 1 bucket>
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     network.save(f"{folder}/three.net")
    ...     secateurs.Network.open(f"{folder}/three.net", "TicTacToe") == network
    True
    >>> network.output_weights.shape, network.output_weights[0, 1, 63]
    ((1, 2, 64), -3)

    From the perspective of a player, a neuron is the sum of its bias and of its weights for the features that are
    there, clipped to 0..1 and squared. The evaluation for the side to move, in centi-units, is what is settled, plus
    ``scale`` times the sum of the bias of the bucket and of the squares, each times its weight: those from the
    perspective of the side to move have the first row of ``output_weights[bucket]``, those of its opponent the second.

    All weights are whole numbers. The arrays of a network are read-only ``memoryview`` objects: a number is read as
    ``feature_weights[3, 5]``, and ``numpy.asarray`` takes them without a copy, for rows and arithmetic:

    ==================  ====================  ========  =======================  ================
    array               shape                 type      unit                     range
    ==================  ====================  ========  =======================  ================
    feature_weights     (features, hidden)    int16     1 / 255                  16 bits
    hidden_biases       (hidden,)             int16     1 / 255                  16 bits
    output_weights      (buckets, 2, hidden)  int16     1 / 64                   -128 to 128
    output_biases       (buckets,)            int32     1 / 16,320 (255 * 64)    32 bits
    ==================  ====================  ========  =======================  ================

    Sums of a neuron wrap at 16 bits: with weights of less than 2 (510), as ``secateurs train`` keeps them, 63 features
    fit. A game loads a network of its own shape: :attr:`TrainingData.shape`. The features of chess are in
    ``src/games/chess/features.rs``, those of another game beside its rules, those of a game in Python in its class.

    A network serves every board of its game: Kalah numbers its features for the largest board, and those of a smaller
    one are a part of them. It evaluates well only what it was trained on.

    The parameters are arrays of whole numbers, of numpy or PyTorch for example, or nested sequences. Networks are equal
    if they evaluate alike: ``origin`` does not count.

    :param game: the name of the game; of a game in Python, that of the class. At most 100,000 characters.
    :param feature_weights: the weights of each feature.
    :param hidden_biases: the biases of the neurons.
    :param output_weights: for each bucket the weights for the side to move and for its opponent.
    :param output_biases: the bias of each bucket.
    :param scale: the score of an output of 1, centi-units, 1 to 2,147,483,647.
    :param origin: how the network was made, at most 100,000 characters.
    :raises TypeError: an array has something else than whole numbers.
    :raises ValueError: an array has another shape, or a number is out of range.
    """

    game: str
    shape: Shape
    scale: int
    origin: str = field(compare=False)
    _weights: bytes
    _biases: bytes

    @spelled
    def __init__(
        self,
        game: str,
        feature_weights: Any,
        hidden_biases: Any,
        output_weights: Any,
        output_biases: Any,
        *,
        scale: int,
        origin: str = "",
    ) -> None:
        """Creates a network from its weights."""
        text("game", game)
        if not game:
            raise ValueError("game is the name of a game, not empty")
        if (features := length_hint(feature_weights)) > 65_535:
            raise ValueError(f"feature_weights has at most 65535 features, not {features}")
        (features, hidden), first = packed("feature_weights", feature_weights, ("features", "hidden"), "h", WEIGHTS)
        neurons, bias = packed("hidden_biases", hidden_biases, ("hidden",), "h", WEIGHTS)
        sides, outputs = packed("output_weights", output_weights, ("buckets", "2", "hidden"), "h", OUTPUTS)
        offsets, biases = packed("output_biases", output_biases, ("buckets",), "i", BIASES)
        buckets = sides[0]
        for name, found, meaning, expected in [
            ("hidden_biases", neurons, "(hidden,)", (hidden,)),
            ("output_weights", sides, "(buckets, 2, hidden)", (buckets, 2, hidden)),
            ("output_biases", offsets, "(buckets,)", (buckets,)),
        ]:
            if found != expected:
                raise ValueError(f"{name} has the shape {meaning}, here {expected}, not {found}")
        scale = whole("scale", scale, 1, BIASES[1])
        text("origin", origin)
        self._set(game, (features, hidden, buckets), scale, origin, first + bias + outputs, biases)

    def _set(self, game: str, shape: Sequence[int], scale: int, origin: str, weights: bytes, biases: bytes) -> None:
        found = (game, Shape(*shape), scale, origin, weights, biases)
        for name, value in zip(self.__dataclass_fields__, found, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def open(cls, path: str | os.PathLike[str], game: Any = None) -> "Network":
        """Reads the network of a game.

        :param path: the file.
        :param game: a position of the game, or the name as :attr:`Position.game` has it; ``None``: any game.
        :raises OSError: the file cannot be read.
        :raises BadFile: the file is not a network, is damaged, or has a network of another game.
        """
        if not (game is None or isinstance(game, str)):
            game = start_of(game, "game").game
        network = cls.__new__(cls)
        network._set(*_native._read_network(path, game))
        return network

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the network to a file, which is replaced as a whole.

        :raises OSError: the file cannot be written; an older one is then unchanged.
        :raises BadFile: there is a file of another kind, or the network of another game.
        """
        parts = (self.game, (*self.shape,), self.scale, self.origin, self._weights, self._biases)
        _native._write_network(path, parts)

    def _rows(self, first: int, *shape: int) -> memoryview:
        """Returns the weights from a row on."""
        row = 2 * self.shape.hidden
        return memoryview(self._weights)[first * row :][: 2 * prod(shape)].cast("h", shape)

    @property
    def feature_weights(self) -> memoryview:
        """The weights of each feature for each neuron, 255ths: ``feature_weights[feature, neuron]``."""
        return self._rows(0, self.shape.features, self.shape.hidden)

    @property
    def hidden_biases(self) -> memoryview:
        """The bias of each neuron, 255ths."""
        return self._rows(self.shape.features, self.shape.hidden)

    @property
    def output_weights(self) -> memoryview:
        """The weights of the outputs, 64ths: ``output_weights[bucket, side, neuron]``, side 0 is the one to move."""
        return self._rows(self.shape.features + 1, self.shape.buckets, 2, self.shape.hidden)

    @property
    def output_biases(self) -> memoryview:
        """The bias of each bucket, 16,320ths."""
        return memoryview(self._biases).cast("i")

    def __repr__(self) -> str:
        """Names the game and the shape."""
        named = zip(self.shape, ("feature", "hidden neuron", "bucket"), strict=True)
        return f"<Network of {self.game}, {', '.join(counted(count, noun) for count, noun in named)}>"


def text(name: str, given: Any) -> None:
    """Checks a text."""
    if not isinstance(given, str):
        raise wrong_type(name, "a str", given)
    if len(given) > 100_000:
        raise ValueError(f"{name} has at most 100000 characters, not {len(given)}")
    if any("\ud800" <= character <= "\udfff" for character in given):
        raise ValueError(f"{name} has half a character, a surrogate, which no file can hold")


def listed(given: Any) -> Any:
    """Returns an array or a sequence as a list, and anything else as it is."""
    found = given.tolist() if hasattr(given, "tolist") else given
    return list(found) if isinstance(found, Sequence) and not isinstance(found, str | bytes) else found


def packed(
    name: str, given: Any, axes: tuple[str, ...], kind: str, limits: tuple[int, int]
) -> tuple[tuple[int, ...], bytes]:
    """Returns the shape of an array, whose axes have these names, and its numbers as bytes."""
    numbers: list[Any] = [listed(given)]
    shape: list[int] = []
    while len(shape) <= len(axes) and any(isinstance(part, list) for part in numbers):
        lengths = sorted({len(part) if isinstance(part, list) else 0 for part in numbers})
        if len(lengths) > 1:
            raise ValueError(f"{name} has rows of different lengths, {lengths[0]} and {lengths[-1]}")
        if lengths == [0]:
            raise ValueError(f"{name} is empty")
        shape += lengths
        numbers = [part if type(part) is int else listed(part) for row in numbers for part in row]
    if not shape:
        raise wrong_type(name, "an array of whole numbers", given)
    if len(shape) != len(axes):
        raise ValueError(f"{name} has {counted(len(axes), 'dimension')} ({', '.join(axes)}), not {len(shape)}")
    for found in numbers:
        if type(found) is not int:
            raise TypeError(f"{name} is an array of whole numbers, not of {type(found).__name__}")
    least, most = limits
    for found in (min(numbers), max(numbers)):
        if not least <= found <= most:
            raise ValueError(f"{name} has numbers from {least} to {most}, not {short(found)}")
    return tuple(shape), array(kind, numbers).tobytes()


class Examples(NamedTuple):
    """Positions as a network sees them, a batch of :meth:`TrainingData.batches`.

    All are writable ``memoryview`` objects, which ``torch.frombuffer`` and ``numpy.asarray`` take without a copy. The
    features and offsets are those of ``torch.nn.EmbeddingBag``.

    :param own: int32, the features from the perspective of the side to move, of all positions one after the other.
    :param own_offsets: int32, for each position the place in ``own`` at which its features begin.
    :param other: int32, the features from the perspective of the opponent.
    :param other_offsets: int32, likewise.
    :param buckets: int32, the bucket of each position.
    :param settled: float32, what is settled for the side to move and is added to the output, in its unit.
    :param targets: float32, the expected result for the side to move, 0 to 1.
    """

    own: memoryview
    own_offsets: memoryview
    other: memoryview
    other_offsets: memoryview
    buckets: memoryview
    settled: "memoryview[float]"
    targets: "memoryview[float]"


@final
class TrainingData:
    """The positions of games of self-play, as ``secateurs train`` and :mod:`secateurs.torch` learn from them.

    >>> data = secateurs.TrainingData("games.ssp", "kalah")  # doctest: +SKIP
    >>> for batch in data.batches(epoch=0):  # doctest: +SKIP
    ...     torch.frombuffer(batch.targets, dtype=torch.float32)

    The targets, the positions that are held out, the initial weights and the order of the positions are those of
    ``secateurs train`` with the same arguments.

    It is not pickled: each process reads the files itself.

    :param paths: a file of ``secateurs selfplay``, or several different ones.
    :param position: the start of the game with its options, its name, or a state of a game in Python.
    :param blend: the share of the result in the target of each position, 0 to 1; the rest is by the scores of searches.
    :param td_lambda: the share of the next position's target in that rest, 0 to 1, as in TD(lambda): ``--lambda``.
    :param held_out: the share of the games that is held out, 0 to less than 1.
    :param seed: the seed of the initial weights, of the games that are held out and of the order.
    :raises ValueError: an argument is out of range, the game has no features, or there is no position to train on.
    :raises OSError: a file cannot be read.
    :raises BadFile: a file is damaged, or has no games of this game and its options.
    """

    @spelled
    def __init__(
        self,
        paths: Any,
        position: Any,
        *,
        blend: float = 0.0,
        td_lambda: float = 0.6,
        held_out: float = 0.02,
        seed: int = 1,
    ) -> None:
        """Reads the files."""
        files = [paths] if isinstance(paths, str | os.PathLike) else items("paths", "a path or a list of paths", paths)
        found = [path("paths", file) for file in files]
        if not found:
            raise ValueError("paths is empty: there are no positions to train on")
        start = start_of(position, "position")
        shares = share("blend", blend), share("td_lambda", td_lambda), share("held_out", held_out, "less than 1")
        self._data = _native._TrainingData(found, start, *shares, whole("seed", seed, 0, 2**64 - 1))
        self._game = start.game

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._game

    @property
    def shape(self) -> Shape:
        """The shape of a network of the game."""
        return Shape(*self._data.shape)

    @property
    def scale(self) -> float:
        """The score that makes the odds of a win e to 1, centi-units: that of an output of 1."""
        return self._data.scale

    @property
    def held_out(self) -> int:
        """The number of positions that are held out."""
        return self._data.positions[1]

    def __len__(self) -> int:
        """Returns the number of positions to train on."""
        return self._data.positions[0]

    @property
    def initial_weights(self) -> "memoryview[float]":
        """The initial weights, float32: one list, in the order of the arrays of :class:`Network`.

        Each access returns a copy.
        """
        return memoryview(self._data.weights).cast("f")

    def batches(self, epoch: int | None, size: int = 2_048) -> Iterator[Examples]:
        """Returns the positions of an epoch in random order, in batches.

        :param epoch: the number of the epoch, 0 to 65,534; ``None``: the positions that are held out, in order.
        :param size: the number of positions in a batch, 1 to 32,768.
        """
        epoch = None if epoch is None else whole("epoch", epoch, 0, 65_534)
        return map(examples, self._data.batches(epoch, whole("size", size, 1, 2**15)))

    def __reduce__(self) -> NoReturn:
        """Refuses to be pickled."""
        raise TypeError("TrainingData is not pickled: each process reads the files itself")

    def __repr__(self) -> str:
        """Names the game and the numbers of positions."""
        return f"<TrainingData of {self.game}, {counted(len(self), 'position')}, {self.held_out} held out>"


def examples(batch: tuple[list[bytearray], list[bytearray], bytearray, bytearray, bytearray]) -> Examples:
    """Returns the arrays of a batch."""
    (own, other), (own_offsets, other_offsets), buckets, settled, targets = batch
    arrays = [(part, "i") for part in (own, own_offsets, other, other_offsets, buckets)]
    arrays += [(settled, "f"), (targets, "f")]
    return Examples._make(memoryview(part).cast(kind) for part, kind in arrays)  # type: ignore[call-overload]


def start_of(game: Any, name: str) -> _native.Position:
    """Returns the start of a game, which may be given by name; errors call it by the name of an argument."""
    from secateurs._matches.play import named_game

    return _native._meant(game) or named_game(game, name)


def share(name: str, given: Any, most: str = "1") -> float:
    """Checks a share."""
    found = number(name, given)
    if not 0 <= found <= 1 or (found == 1 and most != "1"):
        raise ValueError(f"{name} is a number from 0 to {most}, not {given}")
    return found


# The public names.
for _class in (Examples, Network, TrainingData):
    _class.__module__ = "secateurs"
