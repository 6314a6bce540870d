"""The region of static equilibrium from what is in a module's contact table.

Exact, friction and slopes and all, and too slow for a control tick: ``support`` has the
verdict that modules use while they steer.
"""

import numpy as np

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.state import TABLE, Mind
from equipoise.control.com.feet.support import FRICTION, NORMAL, POINT
from equipoise.core.arrays import Array
from equipoise.stability.region.region import EquilibriumRegion, equilibrium_region

__all__ = ["contacts_of", "region_of"]


def contacts_of(mind: Mind, i: int, without: int = 0) -> Array:
    """Return the contacts in module i's table, (nc, PLACE).

    Args:
        mind: what the modules know.
        i: row of the module.
        without: id of a module whose contact is left out, 0 for none.
    """
    rows = slice(i * TABLE, (i + 1) * TABLE)
    who = mind.who[rows]
    keep = (who[:, st.WHO] != 0) & (who[:, st.TOUCHES] != 0)
    return mind.place[rows][keep & (who[:, st.WHO] != without)]


def region_of(contacts: Array, gap: float = 1e-3) -> EquilibriumRegion | None:
    """Return where the centre of mass may be, friction and slopes and all.

    Args:
        contacts: from ``contacts_of``.
        gap: how well it is known, see ``equilibrium_region``.

    Returns:
        The region; None where nothing touches.
    """
    if not len(contacts):
        return None
    normals = contacts[:, NORMAL : NORMAL + 3]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    points, friction = contacts[:, POINT : POINT + 3], contacts[:, FRICTION]
    return equilibrium_region(points, normals, friction, gap=gap)
