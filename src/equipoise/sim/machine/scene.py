"""What a walking machine's world is made of, written into a specification."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, final

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.core.kinds import GroundKind
from equipoise.core.setting import Setting, Settings
from equipoise.robots.robot import Robot
from equipoise.sim.board import ROD, add_board
from equipoise.sim.terrain import Surface

__all__ = [
    "MachineWorldConfig",
    "add_ground",
    "set_contacts",
    "set_drives",
    "set_options",
    "soften",
]

MACHINE, GROUND = 1, 2  # collision bits: parts of the machine do not touch each other
CARRIED = 4  # of feet that the engine's ground does not touch
FLOOR = (0.93, 0.93, 0.91, 1.0)
TILE_NAMES = "the ground's tile "
"""With which the names of tiles begin."""
TILE_COLOURS = ((0.86, 0.86, 0.82, 1.0), (0.78, 0.79, 0.76, 1.0))
TILE_DEPTH = 0.1  # of a tile below the ground [m]
KNEE_RADIUS = 0.04  # [m]
STIFF_FRICTION = 100.0  # impratio on soft ground: 10 creeps 8 mm/s at 25 N a foot


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class MachineWorldConfig(Settings):
    """Surroundings of a walking machine.

    Raises:
        ConfigError: values out of range; all of them are named.
    """

    friction: Annotated[
        float,
        Setting(
            "Friction coefficient of feet, knees and trunk on the ground",
            least=0.0,
            most=10.0,
        ),
    ] = MIDDLE_FRICTION
    ground: Annotated[
        GroundKind,
        Setting(
            "Model of the ground that carries the feet: the engine's contacts, or a "
            "row of table 6.1"
        ),
    ] = "mujoco"
    timestep: Annotated[
        float, Setting("Time step of the simulation", "s", least=1e-5, most=0.005)
    ] = 0.001
    rigid_drives: Annotated[
        bool,
        Setting(
            "Whether the inertia of the drives is that of their joints; False where "
            "their elasticity is simulated"
        ),
    ] = True
    contact_time: Annotated[
        float,
        Setting(
            "Time in which a contact of the engine gives way, at least two time steps",
            "s",
            most=0.1,
        ),
    ] = 0.01
    joint_noise: Annotated[
        float,
        Setting(
            "Standard deviation of the joint angles at the start",
            "rad",
            least=0.0,
            most=0.2,
        ),
    ] = 0.0
    seed: Annotated[
        int, Setting("Seed of the heights of tiles and of the noise", least=0)
    ] = 0
    size: Annotated[
        float,
        Setting(
            "Size of the machine over WARP1's, by which its knees are scaled", above=0.0
        ),
    ] = 1.0
    board: Annotated[
        bool,
        Setting(
            "Whether it stands on a board that tilts; only with the engine's contacts"
        ),
    ] = False

    def problems(self) -> Iterator[str]:
        """Yield what does not go together, as phrases."""
        if self.board and self.ground != "mujoco":
            yield f"a board needs ground 'mujoco', got {self.ground!r}"
        if self.contact_time < 2.0 * self.timestep:
            yield f"contact_time must be at least two steps, got {self.contact_time!r}"


def add_ground(
    spec: mujoco.MjSpec, surface: Surface, config: MachineWorldConfig
) -> None:
    """Add the plane, and the tiles or the board upon it."""
    lean = -math.atan(surface.plane[0].rise[0])  # +x uphill is a turn about -y
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        pos=[0.0, 0.0, -ROD if config.board else surface.plane[0].height],
        quat=[math.cos(0.5 * lean), 0.0, math.sin(0.5 * lean), 0.0],
        rgba=FLOOR,
        **_contact_options(config, GROUND, MACHINE),
    )
    if config.board:
        add_board(spec, **_contact_options(config, GROUND, MACHINE))
    (west, south), edge = surface.plane[0].corner, surface.plane[0].edge
    if surface.plane[0].height < 0.0:
        _add_floor(spec, surface, config)
        return
    for i, row in enumerate(surface.tiles):
        for first, last, height in runs_of(row):
            spec.worldbody.add_geom(
                name=f"{TILE_NAMES}{i}_{first}",
                type=mujoco.mjtGeom.mjGEOM_BOX,
                size=[
                    0.5 * edge,
                    0.5 * (last - first) * edge,
                    0.5 * (height + TILE_DEPTH),
                ],
                pos=[
                    west + (i + 0.5) * edge,
                    south + 0.5 * (first + last) * edge,
                    0.5 * (height - TILE_DEPTH),
                ],
                rgba=TILE_COLOURS[(i + first) % 2],
                **_contact_options(config, GROUND, MACHINE),
            )


def runs_of(heights: VecN) -> list[tuple[int, int, float]]:
    """Return where tiles in a row are as high as each other, and how high above zero.

    Args:
        heights: of a row of tiles, (n,) [m].
    """
    ends = [0, *(np.flatnonzero(np.diff(heights)) + 1).tolist(), len(heights)]
    runs = [(a, b, float(heights[a])) for a, b in pairwise(ends)]
    return [run for run in runs if run[2] > 0.0]


def _add_floor(
    spec: mujoco.MjSpec, surface: Surface, config: MachineWorldConfig
) -> None:
    """Add a floor of four slabs around the tiles that are missing from it."""
    corner, edge = surface.plane[0].corner, surface.plane[0].edge
    west, south = corner
    east, north = corner + edge * np.array(surface.tiles.shape)
    missing, down = np.argwhere(surface.tiles == 0.0), surface.plane[0].height
    left, low = corner + edge * missing.min(axis=0)
    right, high = corner + edge * (missing.max(axis=0) + 1)
    slabs = (
        (west, left, south, north),
        (right, east, south, north),
        (left, right, south, low),
        (left, right, high, north),
    )
    for x0, x1, y0, y1 in slabs:
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[0.5 * (x1 - x0), 0.5 * (y1 - y0), -0.5 * down],
            pos=[0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * down],
            rgba=FLOOR,
            **_contact_options(config, GROUND, MACHINE),
        )


def _contact_options(
    config: MachineWorldConfig, kind: int, touches: int
) -> dict[str, object]:
    """Return how a shape collides, as the engine wants it."""
    return {
        "contype": kind,
        "conaffinity": touches,
        "condim": 3,
        "friction": [config.friction, 0.005, 0.0001],
        "solref": [config.contact_time, 1.0],
    }


def set_contacts(spec: mujoco.MjSpec, robot: Robot, config: MachineWorldConfig) -> None:
    """Let trunk, knees and feet touch the ground, and nothing else.

    Every body of a leg below the first that a joint moves gets a ball at its joint, a
    knee, unless it has a shape of its own to touch with.
    """
    is_felt = config.ground != "mujoco"
    for geom in spec.geoms:
        is_solid = bool(geom.contype or geom.conaffinity)
        if geom.parent.name in ("world", "board") or not is_solid:
            continue
        is_carried = is_felt and geom.name in robot.feet
        kind = (CARRIED, 0) if is_carried else (MACHINE, GROUND)
        for name, value in _contact_options(config, *kind).items():
            setattr(geom, name, value)
    for name in robot.feet:
        body = spec.geom(name).parent
        while body.name not in (*robot.legs, robot.base, "world"):
            own = [g for g in body.geoms if g.contype or g.conaffinity]
            if body.joints and all(geom.name in robot.feet for geom in own):
                body.add_geom(
                    type=mujoco.mjtGeom.mjGEOM_SPHERE,
                    size=[KNEE_RADIUS * config.size, 0.0, 0.0],
                    mass=0.0,
                    **_contact_options(config, MACHINE, GROUND),
                )
            body = body.parent


def set_drives(spec: mujoco.MjSpec, robot: Robot, config: MachineWorldConfig) -> None:
    """Give joints the inertia of rigid drives."""
    if not (config.rigid_drives and robot.drives):
        return
    for actuator, drive in zip(spec.actuators, robot.drives, strict=True):
        spec.joint(actuator.target).armature += drive.inertia


def set_options(
    spec: mujoco.MjSpec, surface: Surface, config: MachineWorldConfig
) -> None:
    """Write the engine's options, and leave out what costs time for nothing.

    That is shapes that are only drawn, looking for parts that do not touch each other
    (there is one machine), and sorting shapes by place where there are but few.
    """
    spec.compiler.discardvisual = True
    option = spec.option
    option.timestep = config.timestep
    option.gravity = [0.0, 0.0, -GRAVITY]
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10.0
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    off = mujoco.mjtDisableBit
    option.disableflags |= int(off.mjDSBL_AUTORESET | off.mjDSBL_ISLAND)
    if surface.tiles.size == 0:
        option.disableflags |= int(off.mjDSBL_MIDPHASE)


def soften(model: mujoco.MjModel, robot: Robot, stiffness: float) -> None:
    """Give each foot's contact a stiffness, and the damping that just does not swing.

    With a constant impedance d a contact at rest carries |solref₀| depth / ((1 - d) A),
    with A the foot's inverse weight; its damping C follows from |solref₁| likewise. It
    decays in one time step h, no faster, for d = h C A / (1 + h C A), and weighs h C.
    Friction is as soft: a foot that sticks creeps at its force over C ``impratio``.

    Args:
        model: changed.
        robot: whose feet they are.
        stiffness: of the ground under one foot [N/m].
    """
    share = float(model.body_subtreemass[model.body(robot.base).id]) / len(robot.feet)
    damping = 2.0 * math.sqrt(stiffness * share)
    model.opt.impratio = STIFF_FRICTION
    for name in robot.feet:
        foot = model.geom(name).id
        weight = float(model.body_invweight0[model.geom_bodyid[foot], 0])
        step = float(model.opt.timestep) * damping * weight
        impedance = step / (1.0 + step)
        scale = (1.0 - impedance) * weight
        model.geom_priority[foot] = 1  # the foot's numbers count, not the mean of both
        model.geom_solref[foot] = [-stiffness * scale, -damping * scale]
        model.geom_solimp[foot, :2] = impedance
