"""The engine's contacts of one instant, as compiled code takes them.

With elliptic cones the engine keeps a normal and two tangential forces a contact, and
the velocities along the same three directions.
"""

from typing import NamedTuple, cast

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = [
    "APART",
    "NO_FOOT",
    "OUTSIDE",
    "Contacts",
    "engine_contacts",
    "standing_foot",
]

NO_FOOT, OUTSIDE = -1, -2
"""What a table of each geom's foot says of the rest of a robot, and of the ground."""


class Contacts(NamedTuple):
    """All contacts; nc of them."""

    geom: Ints
    """The two that touch, (nc, 2)."""
    address: Ints
    """Of each contact's rows among all constraints; < 0 for none, (nc,)."""
    frame: Array
    """Normal and tangents as rows, (nc, 3, 3)."""
    force: Array
    """Of all constraints [N]."""
    speed: Array
    """Along all constraints [m/s]."""


APART = Contacts(
    geom=cast("Ints", np.zeros((2, 4), np.int32)[:, :2]),  # as the engine has them
    address=cast("Ints", np.zeros((2, 2), np.int32)[:, 0]),
    frame=np.zeros((2, 2, 3, 3))[:, 0],
    force=np.zeros(1),
    speed=np.zeros(1),
)
"""Empty arrays of the kinds that ``engine_contacts`` returns, for ``machine_code``;
apart in memory, as the engine keeps all that it knows of one contact together."""


def engine_contacts(data: mujoco.MjData) -> Contacts:
    """Return the contacts that the engine has found last.

    Args:
        data: of the engine, its constraints solved.
    """
    contact = data.contact
    return Contacts(
        contact.geom,
        contact.efc_address,
        contact.frame.reshape(-1, 3, 3),
        data.efc_force,
        data.efc_vel,
    )


@compiled(allocates=False, force_inline=True)
def standing_foot(contacts: Contacts, c: int, foot_of: Ints) -> tuple[int, float]:
    """Return which foot stands by a contact, < 0 for none, and its forces' sign.

    Args:
        contacts: all of them.
        c: which one.
        foot_of: each geom's foot, ``NO_FOOT`` or ``OUTSIDE``, (ngeom,).
    """
    first, second = int(contacts.geom[c, 0]), int(contacts.geom[c, 1])
    one, two = int(foot_of[first]), int(foot_of[second])
    if contacts.address[c] < 0:
        return NO_FOOT, 0.0
    if one == OUTSIDE and two >= 0:
        return two, 1.0  # the engine's force acts on the second geom
    if two == OUTSIDE and one >= 0:
        return one, -1.0
    return NO_FOOT, 0.0
