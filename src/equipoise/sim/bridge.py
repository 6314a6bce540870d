"""From MuJoCo's arrays to what a controller senses: the one place of conversion.

MuJoCo's ``cvel`` is angular first and refers to the subtree's centre of mass; ours is
linear first and refers to the body's origin. Its contact sensor reports the force that
the geom exerts; ours is the force that it feels.
"""

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.contracts import Sensed
from equipoise.core.jit import compiled
from equipoise.sim.world import World

__all__ = ["sense", "sensed_buffer"]


def sensed_buffer(world: World) -> Sensed:
    """Return a ``Sensed`` whose arrays ``sense`` fills in place."""
    nu = world.model.nu
    return Sensed(
        time=0.0,
        dt=world.config.timestep,
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
    base = world.base
    out.time = data.time
    np.take(data.qpos, world.q_address, out=out.q)
    np.take(data.qvel, world.v_address, out=out.v)
    out.p_WB[:] = data.xpos[base]
    out.R_WB.ravel()[:] = data.xmat[base]
    root = world.model.body_rootid[base]
    spatial_velocity(data.cvel[base], data.xpos[base], data.subtree_com[root], out.V_WB)
    read_skins(
        data.sensordata, world.skin_data, world.skin_body, data.xpos, data.xmat, out.skin
    )
    return out


@compiled
def spatial_velocity(cvel: Array, p_WB: Array, p_WO: Array, out: Array) -> None:
    """Write [v; w] at B's origin from MuJoCo's [w; v] at the subtree's centre O."""
    x, y, z = p_WB[0] - p_WO[0], p_WB[1] - p_WO[1], p_WB[2] - p_WO[2]
    a, b, c = cvel[0], cvel[1], cvel[2]
    out[0] = cvel[3] + b * z - c * y
    out[1] = cvel[4] + c * x - a * z
    out[2] = cvel[5] + a * y - b * x
    out[3], out[4], out[5] = a, b, c


@compiled
def read_skins(
    sensordata: Array,
    where: Array,
    body: Array,
    xpos: Array,
    xmat: Array,
    out: Array,
) -> None:
    """Write each skin's wrench in its body's frame; zero where nothing touches."""
    f, arm = np.empty(3), np.empty(3)
    for s in range(where.shape[0]):
        first, b = where[s], body[s]
        for a in range(6):
            out[s, a] = 0.0
        if sensordata[first] <= 0.0:
            continue
        for a in range(3):
            f[a] = arm[a] = 0.0
            for k in range(3):
                # minus: the sensor gives what the geom does to the other
                f[a] -= xmat[b, 3 * k + a] * sensordata[first + 1 + k]
                arm[a] += xmat[b, 3 * k + a] * (sensordata[first + 4 + k] - xpos[b, k])
        length = np.sqrt(arm[0] ** 2 + arm[1] ** 2 + arm[2] ** 2)
        if length > 0.0:
            push = -(f[0] * arm[0] + f[1] * arm[1] + f[2] * arm[2]) / length**2
            for a in range(3):
                f[a] = -push * arm[a] if push > 0 else 0.0
        for a in range(3):
            out[s, a] = f[a]
        out[s, 3] = arm[1] * f[2] - arm[2] * f[1]
        out[s, 4] = arm[2] * f[0] - arm[0] * f[2]
        out[s, 5] = arm[0] * f[1] - arm[1] * f[0]
