"""What one module tells a neighbour.

Everything is expressed in the frame of the connector it leaves by, except where W is
named. A module adds what it heard from its other connectors; nothing is subtracted.
"""

import numpy as np

from equipoise.control.com.loads import CarriedLoad, MovingFrame
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["Share", "is_same_share"]


class Share(Record):
    """A message from connector to connector."""

    load: CarriedLoad = entry("all that lies behind", kind=CarriedLoad)
    span: Array = entry("sum of J Jᵀ over the joints behind: xx, xy, yy", "m²/rad²", 3)
    age: float = entry("age of the oldest number", "s")
    knows: int = entry("1 when the world frame below is known", kind=np.int64)
    world: MovingFrame = entry("the connector in W", kind=MovingFrame)


@compiled(allocates=False, force_inline=True)
def is_same_share(a: Share, b: Share) -> bool:
    """Return whether two messages say the same."""
    if a.age != b.age or a.knows != b.knows:
        return False
    for k in range(10):
        if a.load.lump[k] != b.load.lump[k]:
            return False
    for k in range(3):
        if (
            a.load.rate[k] != b.load.rate[k]
            or a.load.force[k] != b.load.force[k]
            or a.load.moment[k] != b.load.moment[k]
            or a.span[k] != b.span[k]
        ):
            return False
    return a.knows == 0 or _is_same_frame(a.world, b.world)


@compiled(allocates=False, force_inline=True)
def _is_same_frame(a: MovingFrame, b: MovingFrame) -> bool:
    """Return whether two frames lie and move alike."""
    for k in range(3):
        if a.p[k] != b.p[k] or a.v[k] != b.v[k] or a.w[k] != b.w[k]:
            return False
        for n in range(3):
            if a.R[k, n] != b.R[k, n]:
                return False
    return True
