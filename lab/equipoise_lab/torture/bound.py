"""How soon after the last fault all modules know their robot: the promise, proven.

Each term has its paragraph in ``docs/protocol_bound.md``. The judge of scenarios takes
a robot as it is when the last fault is over, and asks how long it may take at most, on
wires that deliver every frame in the next round.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

import equipoise.modules.frame as fr
import equipoise.modules.kernels.rows as at
from equipoise.core.arrays import Ints
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.member.state import EPOCHS, SLOTS
from equipoise.modules.rules import Rules
from equipoise_lab.torture.components import components, distances, size

__all__ = ["Robot", "lost_names", "promised", "robots_of", "swept"]

MOST_LOST = SLOTS - 2  # names that are surely remembered beside that of the root
Name = tuple[int, int]
"""Root and epoch."""


@final
@dataclass(frozen=True, slots=True)
class Robot:
    """One connected robot, as it is after the last fault."""

    members: int
    """The set."""
    bound: int
    """Rounds within which all members should be right on clean wires."""
    diameter: int
    """Largest number of hops between two members."""
    across: int
    """The same along the tree in use, or the most it can be: the bound is for it."""


def promised(
    modules: int,
    diameter: int,
    across: int,
    *,
    lost: int = 0,
    has_loops: bool = False,
    is_refused: bool = False,
    rules: Rules | None = None,
) -> int:
    """Return within how many rounds after the last fault all are right, at most.

    For up to ``rules.hops`` modules.

    Args:
        modules: how many the robot has.
        diameter: hops between its farthest two.
        across: hops between those farthest apart along the tree in use; the diameter
            where there are no loops, at most ``modules - 1`` where there are.
        lost: roots that modules have in mind and that are not among them, or have
            started anew since.
        has_loops: whether links close loops.
        is_refused: whether the root started anew, with an epoch shortly before one of
            its former self.
        rules: their constants; None for the usual ones. What is switched off in them
            does not change the promise.
    """
    rules = replace(rules or Rules(), off=frozenset())
    linked = rules.quarantine + 3
    free = rules.quarantine + 1 + 2 * rules.silence
    gone = rules.silence + rules.delta
    if lost and not has_loops:
        gone += 1 + diameter + (2 if lost > MOST_LOST else 0)
    elif 0 < lost <= MOST_LOST:
        gone += min(modules, rules.hops)
    elif lost:
        gone += 2 * rules.hops
    begin = max(linked, gone)
    last_epoch = max(begin + max(2 * diameter, 3), free - 1 + diameter)
    if is_refused:
        last_epoch += 2 * max(2 * diameter, rules.bump)
    frozen = max(last_epoch + diameter + 2, free)
    return frozen + 2 * across + 1


def robots_of(graph: Ints, ensemble: Ensemble) -> list[Robot]:
    """Return the robots that there are, with the bound of each.

    Args:
        graph: (n,) neighbours of each module, by links that last.
        ensemble: the modules, as they are when the last fault is over.
    """
    parts = np.zeros_like(graph)
    components(graph, parts)
    return [
        _robot_of(graph, members, ensemble) for members in np.unique(parts).tolist()
    ]


def _robot_of(graph: Ints, members: int, ensemble: Ensemble) -> Robot:
    """Return one robot; where there are loops, with the deepest tree that can be."""
    rows = [i for i in range(len(graph)) if (members >> i) & 1]
    diameter = max(distances(graph, i) for i in rows)
    links = sum(size(graph[i]) for i in rows) // 2
    has_loops = links > len(rows) - 1
    across = len(rows) - 1 if has_loops else diameter
    lost, is_refused = lost_names(rows, ensemble)
    bound = promised(
        len(rows),
        diameter,
        across,
        lost=lost,
        has_loops=has_loops,
        is_refused=is_refused,
        rules=ensemble.rules,
    )
    return Robot(members, bound, diameter, across)


def swept(robot: Robot, across: int) -> Robot:
    """Return a robot with the bound for the tree that it has in fact.

    Args:
        robot: with the bound for the deepest tree.
        across: hops between the two members farthest apart along the tree in use.
    """
    bound = robot.bound - 2 * (robot.across - across)
    return replace(robot, bound=bound, across=across)


# --- names that nobody answers for -------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Root:
    """The module of a robot whose name will be its root's."""

    id: int
    first: int
    """The epoch that it drew when it started."""
    last: int
    """The one that it gave out last."""

    def has_lost(self, name: Name) -> bool:
        """Return whether a name beats this root's and was not given out by it."""
        root, epoch = name
        if root != self.id:
            return root > self.id
        return (epoch - self.first) % EPOCHS > (self.last - self.first) % EPOCHS


def _root_of(rows: list[int], ensemble: Ensemble) -> Root:
    """Return the member with the largest name."""
    node = ensemble.seats.node
    i = rows[int(np.argmax(node[rows, at.ID]))]
    return Root(int(node[i, at.ID]), int(ensemble.born[i]), int(node[i, at.OWN_EPOCH]))


def lost_names(rows: list[int], ensemble: Ensemble) -> tuple[int, bool]:
    """Return how many names of nobody the members of a robot have in mind.

    Only names larger than all of theirs count, or former lives of the largest. Epochs
    of one root that are farther apart than is refused together count separately. Those
    that are remembered count too, as they take room, but only where another one is in
    use or under way.

    Args:
        rows: the members.
        ensemble: all modules.

    Returns:
        The number, and whether members may refuse what the root issues, for its former
        self: a young root leaps on by ``leap`` epochs at most every ``bump`` rounds,
        and may so come near them from farther back.
    """
    root, rules = _root_of(rows, ensemble), ensemble.rules
    lost = {name for name in _names_around(rows, ensemble) if root.has_lost(name)}
    kept = {name for name in _remembered(rows, ensemble) if root.has_lost(name)}
    leaps = 4 * (rules.hops + len(rows)) // rules.bump
    reach = rules.window + rules.leap * leaps
    is_refused = any(
        name == root.id and (epoch - root.last) % EPOCHS < reach
        for name, epoch in lost | kept
    )
    return _lives(lost | kept, rules.window) if lost else 0, is_refused


def _names_around(rows: list[int], ensemble: Ensemble) -> set[Name]:
    """Return the names that members hold, last heard, or will hear of."""
    seats, wires, ports = ensemble.seats, ensemble.wires, ensemble.ports
    others = _outsiders(rows, ensemble)
    near = np.array([*rows, *others])
    found = _pairs(seats.node[near][:, [at.ROOT, at.EPOCH]])
    found |= _pairs(seats.node[others][:, [at.ID, at.OWN_EPOCH]])
    port = seats.port.reshape(ensemble.n, ports, -1)[near].reshape(-1, at.PORT)
    heard = port[port[:, at.PEER] != 0]
    found |= _pairs(heard[:, [at.HEAD + fr.ROOT, at.HEAD + fr.EPOCH]])
    for slot, many in enumerate(wires.waiting.tolist()):
        is_ours = np.isin(wires.queue_to[slot, :many] // ports, rows)
        coming = wires.head[wires.queue_frame[slot, :many][is_ours]]
        found |= _pairs(coming[:, [fr.ROOT, fr.EPOCH]])
    return found


def _pairs(columns: Ints) -> set[Name]:
    """Return the rows of two columns, each once."""
    return {(root, epoch) for root, epoch in columns.tolist()}


def _outsiders(rows: list[int], ensemble: Ensemble) -> list[int]:
    """Return all other modules where one of them is still heard by a member."""
    wires, own = ensemble.wires, np.zeros(ensemble.n, bool)
    own[rows] = True
    far = wires.far.reshape(ensemble.n, -1)[rows]
    beside = far[far >= 0] // ensemble.ports
    if np.any(wires.alive[beside] & ~own[beside]):
        return np.flatnonzero(wires.alive & ~own).tolist()
    return []


def _remembered(rows: list[int], ensemble: Ensemble) -> set[Name]:
    """Return the names that members left and refuse."""
    slots = np.concatenate([ensemble.seats.node[rows, a : a + 3] for a in at.SLOTS])
    return _pairs(slots[slots[:, 2] > 0][:, :2])


def _lives(names: set[Name], window: int) -> int:
    """Return how many names there are, near epochs of one root counted once."""
    count = 0
    for root in {root for root, _ in names}:
        epochs = sorted(epoch for name, epoch in names if name == root)
        # begin after the widest gap, so that no group is torn at 65535
        gaps = [(epochs[k] - epochs[k - 1]) % EPOCHS for k in range(len(epochs))]
        start, first = epochs[int(np.argmax(gaps))], -window
        for ahead in sorted((epoch - start) % EPOCHS for epoch in epochs):
            if ahead - first >= window:
                count, first = count + 1, ahead
    return count
