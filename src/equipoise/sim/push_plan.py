"""From pushes to the force on each pushed body in every control period.

A push is given by its impulse. The force that acts during a control period is the mean
over that period, so the impulse is right whatever the period and the start.
"""

from collections.abc import Sequence

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import UnknownNameError
from equipoise.sim.disturbances import Push
from equipoise.sim.world import World

__all__ = ["push_plan"]


def push_plan(
    world: World, pushes: Sequence[Push], ticks: int, period: float
) -> tuple[Ints, Array]:
    """Return which bodies are pushed, (np,), and by what force, (ticks, np, 3) [N].

    Args:
        world: where the bodies are.
        pushes: what is done to them.
        ticks: number of control periods.
        period: length of one [s].

    Raises:
        UnknownNameError: no such body.
    """
    model = world.model
    known = [model.body(b).name for b in range(1, model.nbody)]
    names = [push.body or world.robot.base for push in pushes]
    for name in names:
        if name not in known:
            raise UnknownNameError("body", name, known, "the world")
    order = list(dict.fromkeys(names))
    force = np.zeros((ticks, len(order), 3))
    begin = np.arange(ticks) * period
    for push, name in zip(pushes, names, strict=True):
        upper = np.minimum(begin + period, push.start + push.duration)
        share = np.clip(upper - np.maximum(begin, push.start), 0.0, None) / period
        force[:, order.index(name)] += np.outer(
            share, np.asarray(push.impulse) / push.duration
        )
    return np.array([model.body(name).id for name in order], np.int64), force
