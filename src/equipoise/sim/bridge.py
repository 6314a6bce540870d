"""From MuJoCo's arrays to what a controller senses: the one place of conversion.

MuJoCo's ``cvel`` is angular first and refers to the subtree's centre of mass; ours is
linear first and refers to the body's origin. Its contact sensor reports the force that
the geom exerts; ours is the force that it feels.
"""

from typing import NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import bound
from equipoise.core.contracts import Sensed
from equipoise.core.jit import compiled
from equipoise.sim.world import World

__all__ = ["Bridge", "sense", "sensed_buffer"]

FORCE, PLACE = 1, 4  # where a skin's sensor keeps them, after whether it touches


class EngineState(NamedTuple):
    """The engine's arrays that readings are made from."""

    qpos: Array
    qvel: Array
    xpos: Array
    """Places of the bodies, (nbody, 3) [m]."""
    xmat: Array
    """Their orientations, (nbody, 3, 3)."""
    cvel: Array
    """Their angular and linear velocities, as if at ``subtree_com``, (nbody, 2, 3)."""
    subtree_com: Array
    """(nbody, 3) [m]."""
    sensordata: Array


class RobotPlaces(NamedTuple):
    """Indices of a robot in those arrays, see ``sim.world.World``."""

    q_address: Ints
    v_address: Ints
    base: int
    root: int
    skin_data: Ints
    skin_body: Ints


class SensedArrays(NamedTuple):
    """The arrays of a ``Sensed``."""

    q: Array
    v: Array
    p_WB: Array
    R_WB: Array
    V_WB: Array
    """[v; w], (2, 3)."""
    skin: Array


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
        skin=np.zeros((len(world.skins.names), 6)),
    )


def _views(
    world: World, data: mujoco.MjData, out: Sensed
) -> tuple[EngineState, RobotPlaces, SensedArrays]:
    """Return what ``_fill`` takes; good as long as data and buffer live."""
    engine = EngineState(
        qpos=data.qpos,
        qvel=data.qvel,
        xpos=data.xpos,
        xmat=data.xmat.reshape(-1, 3, 3),
        cvel=data.cvel.reshape(-1, 2, 3),
        subtree_com=data.subtree_com,
        sensordata=data.sensordata,
    )
    at = RobotPlaces(
        q_address=world.q_address,
        v_address=world.v_address,
        base=world.base,
        root=world.root,
        skin_data=world.skins.data,
        skin_body=world.skins.body,
    )
    V_WB = out.V_WB.reshape(2, 3)
    return engine, at, SensedArrays(out.q, out.v, out.p_WB, out.R_WB, V_WB, out.skin)


@final
class Bridge:
    """Fills one ``Sensed`` from one state of the engine, at every call anew."""

    def __init__(self, world: World, data: mujoco.MjData, out: Sensed) -> None:
        """Look up where everything is.

        Args:
            world: where things are.
            data: MuJoCo's state.
            out: from ``sensed_buffer``; overwritten at every call.
        """
        self._data, self._out = data, out
        self._fill = bound(_fill, *_views(world, data, out))

    def __call__(self) -> Sensed:
        """Fill and return it; a forward pass must have been made."""
        self._out.time = self._data.time
        self._fill()
        return self._out


def sense(world: World, data: mujoco.MjData, out: Sensed) -> Sensed:
    """Fill ``out`` with one instant's readings and return it; see also ``Bridge``.

    Args:
        world: where things are.
        data: MuJoCo's state after a forward pass.
        out: from ``sensed_buffer``; overwritten.
    """
    out.time = data.time
    _fill(*_views(world, data, out))
    return out


@compiled(allocates=False)
def _fill(engine: EngineState, at: RobotPlaces, out: SensedArrays) -> None:
    """Write all readings at once; one call costs less than ten small ones."""
    for k in range(out.q.shape[0]):
        out.q[k] = engine.qpos[at.q_address[k]]
        out.v[k] = engine.qvel[at.v_address[k]]
    for a in range(3):
        out.p_WB[a] = engine.xpos[at.base, a]
        for b in range(3):
            out.R_WB[a, b] = engine.xmat[at.base, a, b]
    _spatial_velocity(engine, at, out.V_WB)
    _read_skins(engine, at, out.skin)


@compiled(allocates=False)
def _spatial_velocity(engine: EngineState, at: RobotPlaces, out: Array) -> None:
    """Write [v; w] at the base's origin, (2, 3), from MuJoCo's [w; v] at the centre."""
    place, about = engine.xpos[at.base], engine.subtree_com[at.root]
    spin, speed = engine.cvel[at.base, 0], engine.cvel[at.base, 1]
    x, y, z = place[0] - about[0], place[1] - about[1], place[2] - about[2]
    a, b, c = spin[0], spin[1], spin[2]
    out[0, 0] = speed[0] + b * z - c * y
    out[0, 1] = speed[1] + c * x - a * z
    out[0, 2] = speed[2] + a * y - b * x
    out[1, 0], out[1, 1], out[1, 2] = a, b, c


@compiled(allocates=False)
def _read_skins(engine: EngineState, at: RobotPlaces, out: Array) -> None:
    """Write each skin's push in its body's frame; zero where nothing touches.

    A skin feels pressure, not shear: of the net force only the part that points from
    the contact to the body's origin is kept. For a ball that is the normal force. Its
    sensor gives whether it touches, the force and the place.
    """
    for s in range(out.shape[0]):
        first, b = at.skin_data[s], at.skin_body[s]
        force, place = (
            engine.sensordata[first + FORCE :],
            engine.sensordata[first + PLACE :],
        )
        for a in range(out.shape[1]):
            out[s, a] = 0.0
        if engine.sensordata[first] <= 0.0:
            continue
        along = square = 0.0
        for k in range(3):
            arm = place[k] - engine.xpos[b, k]
            along += arm * force[k]
            square += arm * arm
        # the sensor gives what the geom does to the other: outwards when it presses
        if along <= 0.0 or square == 0.0:
            continue
        for a in range(3):
            for k in range(3):
                arm = place[k] - engine.xpos[b, k]
                out[s, a] -= engine.xmat[b, k, a] * arm * along / square
