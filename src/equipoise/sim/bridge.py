"""From MuJoCo's arrays to what a controller senses: the one place of conversion.

MuJoCo's ``cvel`` is angular first and refers to the subtree's centre of mass; ours is
linear first and refers to the body's origin. Its contact sensor reports the force that
the geom exerts; ours is the force that it feels.
"""

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Sensed
from equipoise.core.jit import compiled
from equipoise.sim.world import World

__all__ = ["sense", "sensed_buffer"]


def sensed_buffer(world: World, period: float | None = None) -> Sensed:
    """Return a ``Sensed`` whose arrays ``sense`` fills in place.

    Args:
        world: where things are.
        period: of the controller [s]; None for a time step.
    """
    nu = world.model.nu
    return Sensed(
        time=0.0,
        dt=world.config.timestep if period is None else period,
        q=np.zeros(nu),
        v=np.zeros(nu),
        p_WB=np.zeros(3),
        R_WB=np.eye(3),
        V_WB=np.zeros(6),
        skin=np.zeros((len(world.skins), 6)),
    )


def sense(world: World, data: mujoco.MjData, out: Sensed) -> Sensed:
    """Fill ``out`` with this instant's readings and return it.

    Args:
        world: where things are.
        data: MuJoCo's state after a forward pass.
        out: from ``sensed_buffer``; overwritten.
    """
    out.time = data.time
    fill(
        data.qpos, data.qvel, data.xpos, data.xmat, data.cvel, data.subtree_com,
        data.sensordata, world.q_address, world.v_address, world.skin_data,
        world.skin_body, world.base, world.root,
        out.q, out.v, out.p_WB, out.R_WB, out.V_WB, out.skin,
    )  # fmt: skip
    return out


@compiled(allocates=False)
def fill(
    qpos: Array,
    qvel: Array,
    xpos: Array,
    xmat: Array,
    cvel: Array,
    subtree_com: Array,
    sensordata: Array,
    q_address: Ints,
    v_address: Ints,
    skin_data: Ints,
    skin_body: Ints,
    base: int,
    root: int,
    q: Array,
    v: Array,
    p_WB: Array,
    R_WB: Array,
    V_WB: Array,
    skin: Array,
) -> None:
    """Write all readings at once; one call costs less than ten small ones."""
    for k in range(q.shape[0]):
        q[k] = qpos[q_address[k]]
        v[k] = qvel[v_address[k]]
    for a in range(3):
        p_WB[a] = xpos[base, a]
        for b in range(3):
            R_WB[a, b] = xmat[base, 3 * a + b]
    spatial_velocity(cvel, xpos, base, subtree_com, root, V_WB)
    read_skins(sensordata, skin_data, skin_body, xpos, xmat, skin)


@compiled(allocates=False)
def spatial_velocity(
    cvel: Array, xpos: Array, body: int, subtree_com: Array, root: int, out: Array
) -> None:
    """Write [v; w] at a body's origin from MuJoCo's [w; v] at the subtree's centre."""
    x = xpos[body, 0] - subtree_com[root, 0]
    y = xpos[body, 1] - subtree_com[root, 1]
    z = xpos[body, 2] - subtree_com[root, 2]
    a, b, c = cvel[body, 0], cvel[body, 1], cvel[body, 2]
    out[0] = cvel[body, 3] + b * z - c * y
    out[1] = cvel[body, 4] + c * x - a * z
    out[2] = cvel[body, 5] + a * y - b * x
    out[3], out[4], out[5] = a, b, c


@compiled(allocates=False)
def read_skins(
    sensordata: Array,
    where: Ints,
    body: Ints,
    xpos: Array,
    xmat: Array,
    out: Array,
) -> None:
    """Write each skin's push in its body's frame; zero where nothing touches.

    A skin feels pressure, not shear: of the net force only the part that points from
    the contact to the body's origin is kept. For a ball that is the normal force.
    """
    for s in range(where.shape[0]):
        first, b = where[s], body[s]
        for a in range(6):
            out[s, a] = 0.0
        if sensordata[first] <= 0.0:
            continue
        along = square = 0.0
        for k in range(3):
            arm = sensordata[first + 4 + k] - xpos[b, k]
            along += arm * sensordata[first + 1 + k]
            square += arm * arm
        # the sensor gives what the geom does to the other: outwards when it presses
        if along <= 0.0 or square == 0.0:
            continue
        for a in range(3):
            for k in range(3):
                arm = sensordata[first + 4 + k] - xpos[b, k]
                out[s, a] -= xmat[b, 3 * k + a] * arm * along / square
