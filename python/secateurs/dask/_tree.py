"""The tree of a job-level search: which position to search next, and what the results prove about the root."""

from collections.abc import Iterable
from math import inf

# A bound that claims nothing: a win or loss at distance 0. Scores beyond GAME are distances.
WIN, GAME = 32_000, 28_800

# An estimate counts as a margin of at most this size, centi-units.
FAR = 3_000

# The estimate, centi-units, at which a proof is expected to cost half as much, and a disproof twice.
HALF = 400

# The share of the other positions in the effort for all of them: their searches share positions.
SHARED = 0.25

# A position after a move, as a worker describes it: its text, whether the same side is to move, and for the side to
# move before it the lower and the upper bound and an estimate.
Child = tuple[str, bool, int, int, int]


def shifted(score: int, plies: int) -> int:
    """Returns a score as seen from a position this number of plies earlier, or later if it is negative."""
    if abs(score) <= GAME:
        return score
    distance = min(max(WIN - abs(score) + plies, 0), WIN - GAME - 1)
    return WIN - distance if score > 0 else distance - WIN


class Node:
    """A position. Scores are for the side to move at the root; distances are counted from the position."""

    __slots__ = (
        "children", "depth", "disproof", "estimate", "is_max", "lower", "parents", "proof", "text", "upper",
    )  # fmt: skip

    def __init__(self, text: str, is_max: bool, depth: int, estimate: int) -> None:
        """Creates a leaf; ``is_max``: the side to move at the root is to move."""
        self.text, self.is_max, self.depth, self.estimate = text, is_max, depth, estimate
        self.lower, self.upper = -WIN, WIN
        self.children: list[Node] | None = None
        self.parents: list[Node] = []
        self.proof = self.disproof = 1.0


class Tree:
    """The positions so far, and a question: is the value of the root at least ``target``?

    It is searched best first, by proof and disproof numbers (Allis 1994) that begin with estimates of the effort.
    """

    def __init__(self, text: str, target: int) -> None:
        """Creates a tree of the root alone."""
        self.root = Node(text, True, 0, target)
        self.nodes = {text: self.root}
        self.target = target
        # The leaves that are being searched, and whether they count as answered as they are estimated.
        self.running: set[Node] = set()
        self.expects = True

    def aim(self, target: int) -> None:
        """Sets the question."""
        self.target = target
        done: set[Node] = set()
        path = [(self.root, iter(self.root.children or ()))]
        while path:
            node, left = path[-1]
            child = next((child for child in left if child not in done), None)
            if child is None:
                done.add(node)
                self.update(node)
                path.pop()
            else:
                path.append((child, iter(child.children or ())))

    def target_at(self, node: Node) -> int:
        """Returns the target as a score of a node."""
        return shifted(self.target, -node.depth)

    def question(self, node: Node) -> int:
        """Returns the score to ask for at a node, for the side to move there."""
        target = self.target_at(node)
        return target if node.is_max else 1 - target

    def best(self) -> Node | None:
        """Returns the leaf to search next, which counts as being searched; ``None`` if all that matter are.

        Each of the others counts as answered as it is estimated: the next leaf is one that is needed beside them. Where
        they answer the question in this way, it is an alternative to one of them.
        """
        found = self._best(self.root, set())
        if found is None and self.running:
            self.expects = False
            self.spread(self.running)
            found = self._best(self.root, set())
            self.expects = True
            self.spread(self.running)
        if found is not None:
            self.running.add(found)
            self.spread([found])
        return found

    def _best(self, node: Node, seen: set[Node]) -> Node | None:
        seen.add(node)
        if not node.proof or not node.disproof:
            return None
        if node.children is None:
            return None if node in self.running else node
        children = sorted(node.children, key=lambda child: child.proof if node.is_max else child.disproof)
        found = (self._best(child, seen) for child in children if child not in seen)
        return next((leaf for leaf in found if leaf is not None), None)

    def learn(self, text: str, lower: int, upper: int, children: Iterable[Child]) -> None:
        """Adds bounds for the side to move at a node, and the positions after its moves if there are any.

        :raises ValueError: the bounds contradict earlier ones.
        """
        node = self.nodes[text]
        self.running.discard(node)
        self.hold(node, *((lower, upper) if node.is_max else (-upper, -lower)))
        changed = [node]
        for after, same, *of_mover in children:
            low, high, estimate = of_mover if node.is_max else (-of_mover[1], -of_mover[0], -of_mover[2])
            if (child := self.nodes.get(after)) is None:
                child = Node(after, node.is_max == same, node.depth + 1, max(-FAR, min(FAR, estimate)))
                self.nodes[after] = child
            self.hold(child, shifted(low, -1), shifted(high, -1))
            if node.children is None:
                node.children = []
            if child not in node.children:
                node.children.append(child)
                child.parents.append(node)
            changed.append(child)
        self.spread(changed)

    def spread(self, changed: Iterable[Node]) -> None:
        """Computes the bounds and the numbers of some nodes, and of all that depend on them."""
        above: list[Node] = []
        for node in changed:
            self.update(node)
            above += node.parents
        while above:
            node = above.pop()
            if self.update(node):
                above += node.parents

    def hold(self, node: Node, lower: int, upper: int) -> None:
        """Narrows the bounds of a node."""
        node.lower, node.upper = max(node.lower, lower), min(node.upper, upper)
        if node.lower > node.upper:
            reason = f"{node.text} is worth at least {node.lower} and at most {node.upper}"
            raise ValueError(f"results contradict each other: {reason}")

    def update(self, node: Node) -> bool:
        """Computes the bounds and the numbers of a node from those of its children. Returns whether they changed."""
        before = node.lower, node.upper, node.proof, node.disproof
        if node.children:
            pick = max if node.is_max else min
            lower = shifted(pick(child.lower for child in node.children), 1)
            self.hold(node, lower, shifted(pick(child.upper for child in node.children), 1))
        target = self.target_at(node)
        if node.lower >= target:
            node.proof, node.disproof = 0.0, inf
        elif node.upper < target:
            node.proof, node.disproof = inf, 0.0
        elif node in self.running and self.expects:
            node.proof, node.disproof = (0.0, inf) if node.estimate >= target else (inf, 0.0)
        elif node.children is None:
            lead = max(-FAR, min(FAR, node.estimate - target)) / HALF
            node.proof, node.disproof = 2.0**-lead, 2.0**lead
        else:
            proofs, disproofs = [child.proof for child in node.children], [child.disproof for child in node.children]
            if node.is_max:
                node.proof, node.disproof = min(proofs), effort(disproofs)
            else:
                node.proof, node.disproof = effort(proofs), min(disproofs)
        return before != (node.lower, node.upper, node.proof, node.disproof)


def effort(numbers: list[float]) -> float:
    """Returns the effort for all of several positions: the largest one, and a share of the others."""
    largest = max(numbers)
    return largest + SHARED * (sum(numbers) - largest) if largest < inf else inf
