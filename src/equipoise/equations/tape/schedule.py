"""An order of operations in which sines and cosines come together.

Sine and cosine of many angles are cheap when computed in one go: one reduction, lanes
of a processor side by side. So operations are done in stages: everything that needs no
further sine, then all sines and cosines that can be had, and so on.
"""

from collections.abc import Sequence
from typing import NamedTuple

from equipoise.equations.tape.tape import Op, Tape

__all__ = ["Stage", "stages"]


class Stage(NamedTuple):
    """Sines and cosines of some angles, then other operations."""

    angles: tuple[int, ...]
    """Operations whose sine or cosine is needed."""
    nodes: tuple[int, ...]
    """Operations in order, none of them a sine or cosine."""


def stages(tape: Tape, nodes: Sequence[int]) -> list[Stage]:
    """Return operations by stage.

    Args:
        tape: where they are.
        nodes: operations in an order in which they can be done.
    """
    depth: dict[int, int] = {}
    angles: dict[int, dict[int, None]] = {}
    others: dict[int, list[int]] = {}
    for i in nodes:
        below = max((depth.get(abs(a), 0) for a in tape.args[i]), default=0)
        if tape.ops[i] in (Op.SINE, Op.COSINE):
            depth[i] = below + 1
            angles.setdefault(below + 1, {})[tape.args[i][0]] = None
        else:
            depth[i] = below
            others.setdefault(below, []).append(i)
    last = max(depth.values(), default=0)
    return [
        Stage(tuple(angles.get(d, {})), tuple(others.get(d, ())))
        for d in range(last + 1)
    ]
