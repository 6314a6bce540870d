"""The region of static equilibrium from what is in a module's contact table.

Exact, friction and slopes and all, and too slow for a control tick: ``support`` has the
verdict that modules use while they steer.
"""

from typing import cast

import numpy as np

from equipoise.control.com.brain.state import TABLE, BrainMemory, Contact
from equipoise.core.records import Records
from equipoise.stability.region.region import EquilibriumRegion, equilibrium_region

__all__ = ["region_of", "table_contacts"]


def table_contacts(memory: BrainMemory, i: int, without: int = 0) -> Records[Contact]:
    """Return the contacts in module i's table, (nc,).

    Args:
        memory: what the modules know.
        i: row of the module.
        without: id of a module whose contact is left out, 0 for none.
    """
    table = memory.contacts[i * TABLE : (i + 1) * TABLE]
    keep = (table["who"] != 0) & (table["touches"] != 0) & (table["who"] != without)
    return cast("Records[Contact]", table["place"][keep])


def region_of(
    contacts: Records[Contact], gap: float = 1e-3
) -> EquilibriumRegion | None:
    """Return where the centre of mass may be, friction and slopes and all.

    Args:
        contacts: from ``table_contacts``.
        gap: how well it is known, see ``equilibrium_region``.

    Returns:
        The region; None where nothing touches.
    """
    if not len(contacts):
        return None
    normals = contacts["normal"]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return equilibrium_region(contacts["point"], normals, contacts["friction"], gap=gap)
