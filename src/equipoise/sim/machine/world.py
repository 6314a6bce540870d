"""A walking machine put on its terrain: contacts, drives' inertia, where it starts.

The ground is MuJoCo's own contacts, or that of [Ridderstrom2003] section 6.1.2
(``ground="weak"`` or ``"heavy"``), which then carries the feet alone; trunk and knees
touch the engine's ground either way, so that a fall or kneeling is seen.
"""

from dataclasses import replace

import mujoco

from equipoise.core.errors import ConfigError
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.core.kinds import GroundKind
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot
from equipoise.sim.board import board_of
from equipoise.sim.ground import GROUNDS, FeltGround
from equipoise.sim.machine.scene import (
    MachineWorldConfig,
    add_ground,
    set_contacts,
    set_drives,
    set_options,
    soften,
)
from equipoise.sim.machine.start import start_pose
from equipoise.sim.terrain import Surface, Terrain, parse_terrain, surface_of
from equipoise.sim.world import World

__all__ = ["MachineWorldConfig", "machine_world"]


def machine_world(
    robot: Robot,
    terrain: Terrain | str = "flat",
    *,
    friction: float = MIDDLE_FRICTION,
    ground: GroundKind = "mujoco",
    timestep: float = 0.001,
    rigid_drives: bool = True,
    contact_time: float = 0.01,
    joint_noise: float = 0.0,
    seed: int = 0,
    size: float = 1.0,
    board: bool = False,
    start: str = "start",
    track: float | None = None,
) -> World:
    """Return a machine standing on a terrain.

    On a slope it stands parallel to the ground; on soft ground it starts as deep as its
    weight will hold it; with noise in the joints the lowest foot touches. The time step
    is Euler's: without damping in the joints the engine's implicit one gives the same
    and takes longer.

    Args:
        robot: with spheres for feet and a keyframe ``start`` on level ground.
        terrain: or its name.
        friction: see ``MachineWorldConfig``, as for all that follow.
        ground: what carries the feet.
        timestep: [s].
        rigid_drives: whether joints carry their drives' inertia.
        contact_time: of the engine's contacts [s].
        joint_noise: at the start [rad].
        seed: of tiles and noise.
        size: of the machine over WARP1's: its knees and the tiles it walks on.
        board: whether it stands on a board that tilts, over flat ground.
        start: keyframe of the robot in which it starts.
        track: of its left feet, in which a single block lies; None: see ``surface_of``.

    Raises:
        ConfigError: values out of range, a robot without feet, or a board on other
            ground.
        UnknownNameError: no such terrain.
    """
    config = MachineWorldConfig(
        friction=friction,
        ground=ground,
        timestep=timestep,
        rigid_drives=rigid_drives,
        contact_time=contact_time,
        joint_noise=joint_noise,
        seed=seed,
        size=size,
        board=board,
    )
    if isinstance(terrain, str):
        terrain = parse_terrain(terrain)
    if not robot.feet:
        raise ConfigError(f"robot '{robot.name}'", ["it has no feet to stand on"])
    if board and terrain.kind != "flat":
        problem = f"the board needs flat ground, got '{terrain}'"
        raise ConfigError("the machine's world", [problem])
    surface = surface_of(terrain, seed, size, track)
    spec = robot.spec.copy()
    add_ground(spec, surface, config)
    scene = spec.copy()
    set_contacts(spec, robot, config)
    set_drives(spec, robot, config)
    set_options(spec, surface, config)
    model = built(spec, f"machine '{robot.name}' in its world")
    if terrain.kind == "soft":
        soften(model, robot, terrain.stiffness)
    return World(
        robot,
        config,
        model,
        scene,
        surface=surface,
        terrain=terrain,
        ground=_felt_ground(robot, model, terrain, surface, config),
        board=board_of(model, surface.plane) if board else None,
        start_pose=start_pose(
            robot, model, terrain, surface, config.joint_noise, seed, start
        ),
    )


def _felt_ground(
    robot: Robot,
    model: mujoco.MjModel,
    terrain: Terrain,
    surface: Surface,
    config: MachineWorldConfig,
) -> FeltGround | None:
    """Return the thesis's ground; softer, it keeps d_z / k_z and so its restitution."""
    if config.ground == "mujoco":
        return None
    law = replace(GROUNDS[config.ground], friction=config.friction)
    if terrain.kind == "soft":
        ratio = terrain.stiffness / law.stiffness
        law = replace(law, stiffness=terrain.stiffness, damping=ratio * law.damping)
    return FeltGround.of(model, robot.feet, surface, law)
