"""Training of networks with PyTorch, on the same positions and with the same steps as ``secateurs train``.

>>> import secateurs.torch  # doctest: +SKIP
>>> secateurs.torch.train(["one.ssp", "two.ssp"], "chess", "chess.net", progress=print)  # doctest: +SKIP

It needs PyTorch (``pip install 'secateurs[torch]'``), uses a GPU if there is one, and is a start for experiments with
another loss, schedule or data: :func:`train` is short. Searches read no other architecture than that of
:class:`secateurs.Network`.
"""

import os
from collections.abc import Callable, Sequence
from math import cos, pi
from typing import Any, NamedTuple

from secateurs._arguments import counted, number, spelled, whole
from secateurs._extras import needed
from secateurs._network import OUTPUT_UNIT, UNIT, Examples, Network, TrainingData

with needed("secateurs.torch", "torch"):
    import torch

__all__ = ["Epoch", "initial_parameters", "network_of", "output", "train"]

# As in tools/src/lab/network/train.rs: the limit of all weights but the biases of the outputs, the share of the first
# rate that is left at the end, and the settings of AdamW.
LIMIT, LAST_RATE, WEIGHT_DECAY, EPSILON = 1.98, 0.01, 0.01, 1e-8


class Epoch(NamedTuple):
    """The mean squared error of the expected result during an epoch, and after it in the positions held out, if any."""

    epoch: int
    training: float
    held_out: float | None


def initial_parameters(data: TrainingData, device: Any = "cpu", dtype: Any = torch.float32) -> list[Any]:
    """Returns the initial weights as tensors, which have the order and the shapes of the arrays of a network."""
    features, hidden, buckets = data.shape
    shapes = [(features, hidden), (hidden,), (buckets, 2, hidden), (buckets,)]
    flat = torch.frombuffer(data.initial_weights, dtype=torch.float32).to(device, dtype)
    parts = flat.split([torch.Size(shape).numel() for shape in shapes])
    return [part.view(shape).clone().requires_grad_() for part, shape in zip(parts, shapes, strict=True)]


def output(parameters: Sequence[Any], batch: Sequence[Any]) -> Any:
    """Returns the output for each position of a batch, whose logistic curve is the expected result."""
    features, hidden_biases, output_weights, output_biases = parameters
    own, own_offsets, other, other_offsets, buckets, settled = batch
    sums = [
        torch.nn.functional.embedding_bag(part, features, offsets, mode="sum") + hidden_biases
        for part, offsets in ((own, own_offsets), (other, other_offsets))
    ]
    squares = torch.stack(sums, 1).clamp(0, 1) ** 2
    return settled + (squares * output_weights[buckets]).sum((1, 2)) + output_biases[buckets]


def network_of(parameters: Sequence[Any], data: TrainingData, origin: str = "") -> Network:
    """Returns the parameters as a network in whole numbers."""
    units = (UNIT, UNIT, OUTPUT_UNIT, UNIT * OUTPUT_UNIT)
    arrays = [
        (part.detach().cpu() * unit).round().to(torch.int64) for part, unit in zip(parameters, units, strict=True)
    ]
    return Network(data.game, *arrays, scale=max(1, round(data.scale)), origin=origin)


def tensors(batch: Examples, device: Any, dtype: Any) -> tuple[list[Any], Any]:
    """Returns the inputs of a batch, and its targets."""
    whole_numbers = [
        torch.frombuffer(part, dtype=torch.int32).to(device) if len(part) else empty(device) for part in batch[:5]
    ]
    settled, targets = (torch.frombuffer(part, dtype=torch.float32).to(device, dtype) for part in batch[5:])
    return [*whole_numbers, settled], targets


def empty(device: Any) -> Any:
    """Returns no features, which ``frombuffer`` refuses."""
    return torch.empty(0, dtype=torch.int32, device=device)


@spelled
def train(
    paths: Any,
    position: Any,
    path: str | os.PathLike[str],
    *,
    epochs: int = 6,
    batch: int | None = None,
    rate: float = 0.001,
    blend: float = 0.0,
    td_lambda: float = 0.6,
    held_out: float = 0.02,
    seed: int = 1,
    device: Any = None,
    dtype: Any = torch.float32,
    progress: Callable[[Epoch], object] | None = None,
) -> list[Epoch]:
    """Trains a network and writes it to a file, before the first epoch and after each.

    :param paths: a file of ``secateurs selfplay``, or several.
    :param position: the start of the game with its options, its name, or a state of a game in Python.
    :param path: the file of the network.
    :param epochs: the number of passes over the positions, 1 to 65,535.
    :param batch: the number of positions in a step, 1 to 32,768; ``None``: 2,048 from a million positions on, fewer for
        fewer, at least 32.
    :param rate: the learning rate at the start; it falls along a cosine.
    :param blend: the share of the result in the targets, as in :class:`TrainingData`.
    :param td_lambda: the share of the next position's target in the rest, ``--lambda`` of ``secateurs train``.
    :param held_out: the share of the games that is held out.
    :param seed: the seed of everything random.
    :param device: the device of PyTorch; ``None``: a GPU if there is one.
    :param dtype: the type of the weights; ``torch.float64`` is nearer to ``secateurs train``, whose steps have 64 bits.
    :param progress: a function that is called with each :class:`Epoch`, such as ``print``.
    :raises ValueError: an argument is out of range, or there is nothing to train on.
    :raises OSError: a file cannot be read or written.
    :raises BadFile: a file is of another kind or game, or is damaged.
    """
    epochs = whole("epochs", epochs, 1, 65_535)
    if batch is not None:
        batch = whole("batch", batch, 1, 2**15)
    if not 0 < number("rate", rate) <= 1:
        raise ValueError(f"rate is a number above 0, at most 1, not {rate}")
    data = TrainingData(paths, position, blend=blend, td_lambda=td_lambda, held_out=held_out, seed=seed)
    batch = batch or data._data.batch
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    parameters = initial_parameters(data, device, dtype)
    network_of(parameters, data).save(path)
    optimizer = torch.optim.AdamW(parameters, lr=rate, eps=EPSILON, weight_decay=WEIGHT_DECAY)
    steps, step, done = epochs * -(-len(data) // batch), 0, []
    for epoch in range(epochs):
        # Sums on the device: reading one would wait for it.
        training, held = (torch.zeros((), device=device, dtype=torch.float64) for _ in range(2))
        for examples in data.batches(epoch, batch):
            inputs, targets = tensors(examples, device, dtype)
            squares = (output(parameters, inputs).sigmoid() - targets) ** 2
            optimizer.zero_grad()
            squares.mean().backward()
            for group in optimizer.param_groups:
                group["lr"] = rate * (LAST_RATE + (1 - LAST_RATE) * (1 + cos(pi * step / steps)) / 2)
            optimizer.step()
            step += 1
            with torch.no_grad():
                training += squares.sum()
                for weights in parameters[:3]:
                    weights.clamp_(-LIMIT, LIMIT)
        with torch.no_grad():
            for examples in data.batches(None):
                inputs, targets = tensors(examples, device, dtype)
                held += ((output(parameters, inputs).sigmoid() - targets) ** 2).sum()
        held_loss = held.item() / data.held_out if data.held_out else None
        done.append(Epoch(epoch + 1, training.item() / len(data), held_loss))
        plan = f"rate {rate}, batch {batch}, blend {blend}, lambda {td_lambda}, held out {held_out}, seed {seed}"
        origin = f"{counted(epoch + 1, 'epoch')} of {len(data) + data.held_out} positions, of {epochs}; PyTorch; {plan}"
        network_of(parameters, data, origin).save(path)
        if progress is not None:
            progress(done[-1])
    return done
