"""The balance board of [Ridderstrom2003] section 11.3.3, tilted as one likes.

A board of 2 m x 2 m on a rod of 0.13 m whose tip stands still on the ground: it turns
about the tip, here by a pitch about y and then a roll about its own x axis. Its motion
is prescribed; it is a body with two hinges and a huge inertia, so that feet on it feel
its velocity and cannot change it. Level, its top is at height zero.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, final

import mujoco
import numpy as np

from equipoise.core.arrays import Ints, VecN
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings
from equipoise.sim.terrain import GroundPlane

__all__ = ["ROD", "Board", "Rocking", "add_board", "board_of"]

ROD, HALF_SIDE, THICKNESS = 0.13, 1.0, 0.02  # [m]
INERTIA = 1e7  # what 1 kN at 1 m turns by 5e-11 rad in a millisecond [kg m²]
WOOD = (0.76, 0.60, 0.42, 1.0)
JOINTS = ("board_pitch", "board_roll")


STEEPEST = 0.5  # a board beyond it tips a machine over at once [rad]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Rocking(Settings):
    """Rocking about pitch and roll that begins smoothly within the first swing.

    Each angle is s(t) A sin(ω t) with ω = rate / A, so that its largest speed is the
    rate; s rises from 0 to 1 as 3 τ² - 2 τ³.

    Raises:
        ConfigError: amplitudes or a rate that no board has.
    """

    pitch: Annotated[
        float,
        Setting("Largest angle about y, 0 for none", "rad", least=0.0, most=STEEPEST),
    ] = math.radians(8.0)
    roll: Annotated[
        float,
        Setting("Largest angle about x, 0 for none", "rad", least=0.0, most=STEEPEST),
    ] = 0.0
    rate: Annotated[
        float, Setting("Largest angular speed about each axis", "rad/s", above=0.0)
    ] = math.radians(20.0)
    start: Annotated[
        float, Setting("Time at which the rocking begins", "s", least=0.0)
    ] = 0.0

    def __call__(self, time: float) -> VecN:
        """Return pitch, roll and their rates, (4,) [rad, rad/s]."""
        out = np.zeros(4)
        for k, most in enumerate((self.pitch, self.roll)):
            since = time - self.start
            if most > 0.0 and since > 0.0:
                turn = self.rate / most
                share = min(since * turn / (2.0 * math.pi), 1.0)
                grown = share * share * (3.0 - 2.0 * share)
                growth = 6.0 * share * (1.0 - share) * turn / (2.0 * math.pi)
                sine, cosine = math.sin(turn * since), math.cos(turn * since)
                out[k] = grown * most * sine
                out[2 + k] = most * (growth * sine + grown * turn * cosine)
        return out


@final
@dataclass(frozen=True, eq=False)
class Board:
    """Indices of a world's board."""

    q_address: Ints
    """Of pitch and roll in ``qpos``, (2,)."""
    v_address: Ints
    """And in ``qvel``, (2,)."""
    plane: Records[GroundPlane] = field(repr=False)
    """Of the world's surface, which follows the board."""

    def place(self, data: mujoco.MjData, pose: VecN) -> None:
        """Put the board into a pose, and the surface with it.

        Args:
            data: whose ``qpos`` and ``qvel`` are changed, to be called before each time
                step.
            pose: pitch, roll and their rates, (4,) [rad, rad/s].
        """
        pitch, roll, pitch_rate, roll_rate = (float(x) for x in pose)
        first, second = self.q_address
        data.qpos[first], data.qpos[second] = pitch, roll
        first, second = self.v_address
        data.qvel[first], data.qvel[second] = pitch_rate, roll_rate
        # the normal n is R_y(pitch) R_x(roll) z, and the top is ROD n above the tip
        along = -math.tan(pitch)
        aside = math.tan(roll) / math.cos(pitch)
        plane = self.plane[0]
        plane.rise[:] = along, aside
        plane.height = ROD * math.hypot(1.0, along, aside) - ROD

    def moves(self, motion: Callable[[float], VecN]) -> Callable[[mujoco.MjData], None]:
        """Return what moves the board: to be called with the data before each step.

        Args:
            motion: pitch, roll and their rates over time, (4,) [rad, rad/s]; such as a
                ``Rocking``.
        """

        def move(data: mujoco.MjData) -> None:
            self.place(data, motion(data.time))

        return move


def add_board(spec: mujoco.MjSpec, **contact: object) -> None:
    """Add the board to a specification, after the machine; keyframes have it level.

    Args:
        spec: changed.
        contact: how it collides, as attributes of a geom.
    """
    body = spec.worldbody.add_body(name="board", pos=[0.0, 0.0, -ROD])
    body.explicitinertial = True
    body.mass, body.inertia = 1.0, [1.0, 1.0, 1.0]
    for name, axis in zip(JOINTS, ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), strict=True):
        body.add_joint(
            name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis, armature=INERTIA
        )
    body.add_geom(
        name="board",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[HALF_SIDE, HALF_SIDE, 0.5 * THICKNESS],
        pos=[0.0, 0.0, ROD - 0.5 * THICKNESS],
        rgba=WOOD,
        **contact,
    )
    body.add_geom(
        name="board_rod",
        type=mujoco.mjtGeom.mjGEOM_CAPSULE,
        fromto=[0.0, 0.0, 0.02, 0.0, 0.0, ROD - THICKNESS],
        size=[0.02, 0.0, 0.0],
        rgba=WOOD,
        contype=0,
        conaffinity=0,
    )
    for key in spec.keys:
        key.qpos = np.append(key.qpos, [0.0, 0.0]) if len(key.qpos) else key.qpos
        key.qvel = np.append(key.qvel, [0.0, 0.0]) if len(key.qvel) else key.qvel


def board_of(model: mujoco.MjModel, plane: Records[GroundPlane]) -> Board:
    """Return where a compiled world keeps its board.

    Args:
        model: with a board.
        plane: of the world's surface.
    """
    joints = [model.joint(name).id for name in JOINTS]
    return Board(
        model.jnt_qposadr[joints].astype(np.int64),
        model.jnt_dofadr[joints].astype(np.int64),
        plane,
    )
