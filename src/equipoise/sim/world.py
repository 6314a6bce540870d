"""A robot put into a world: ground, gravity, contacts, skins, a time step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.constants import GRAVITY
from equipoise.core.setting import Setting, Settings
from equipoise.robots.engine import built
from equipoise.robots.robot import Robot
from equipoise.sim.board import Board
from equipoise.sim.disturbances import ThrownBlock
from equipoise.sim.ground import FeltGround
from equipoise.sim.restitution import contact_damping
from equipoise.sim.terrain import Surface, Terrain, surface_of

__all__ = ["Cone", "Skins", "World", "WorldConfig", "build_world"]

Cone = Literal["pyramidal", "elliptic"]

SKIN = "skin_"
FIELDS = mujoco.mjtConDataField
SKIN_FIELDS = sum(
    1 << int(f)
    for f in (FIELDS.mjCONDATA_FOUND, FIELDS.mjCONDATA_FORCE, FIELDS.mjCONDATA_POS)
)
NET_FORCE = 3  # the sensor's reduction: one force and its centre a geom
OPTION_BITS = mujoco.mjtDisableBit
CONES: dict[str, mujoco.mjtCone] = {
    "pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL,
    "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC,
}
BLOCK_COLOUR = (0.80, 0.40, 0.10, 1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class WorldConfig(Settings):
    """Surroundings of the robot; defaults suit modules of a tenth of a kilogram."""

    timestep: Annotated[
        float, Setting("Time step of the simulation", "s", least=1e-5, most=0.01)
    ] = 0.001
    contacts: Annotated[
        bool, Setting("Whether things can touch; joint limits hold either way")
    ] = True
    friction: Annotated[
        float, Setting("Friction coefficient of every pair of contacts", least=0.0)
    ] = 1.0
    gravity: Annotated[float, Setting("Acceleration of gravity, downwards", "m/s²")] = (
        GRAVITY
    )
    cone: Annotated[
        Cone,
        Setting(
            "Bound of friction; a foot on its edge needs 'elliptic', as pyramids let "
            "heavy robots on light feet explode"
        ),
    ] = "pyramidal"
    impratio: Annotated[
        float,
        Setting(
            "Stiffness of friction over that of the normal force; 10 with elliptic "
            "cones keeps feet from creeping",
            above=0.0,
        ),
    ] = 1.0
    contact_time: Annotated[
        float | None,
        Setting(
            "Time in which a contact gives way and settles, at least two time steps; "
            "the longer, the deeper things sink in",
            "s",
            most=1.0,
            usual="each shape's own, mostly 0.02",
        ),
    ] = None
    skins: Annotated[
        bool,
        Setting(
            "Whether each shape that can collide feels what touches it, which costs "
            "time"
        ),
    ] = True

    def problems(self) -> Iterator[str]:
        """Yield a phrase for a contact that is faster than the simulation."""
        time = self.contact_time
        if time is not None and time < 2.0 * self.timestep:
            yield f"contact_time must be at least two time steps, got {time!r}"

    @property
    def solref(self) -> list[float]:
        """Time constant and damping ratio of contacts, for the engine."""
        return [0.02 if self.contact_time is None else self.contact_time, 1.0]


class Skins(NamedTuple):
    """Bodies that feel what touches them, in the order of ``Sensed.skin``."""

    names: tuple[str, ...] = ()
    body: Ints = np.zeros(0, np.int64)
    """(ns,) their ids."""
    data: Ints = np.zeros(0, np.int64)
    """(ns,) where each one's reading starts in ``sensordata``."""


@final
@dataclass(frozen=True, eq=False)
class World:
    """Compiled world and the indices of its parts.

    ``build_world`` makes one of a robot on a plane, ``machine_world`` one of a walking
    machine on its terrain.
    """

    robot: Robot
    config: Any = field(repr=False)
    """Config from which it was built: ``WorldConfig`` or ``MachineWorldConfig``."""
    model: mujoco.MjModel = field(repr=False)
    scene: mujoco.MjSpec = field(repr=False)
    """What is to be looked at, with all its shapes: the robot, what is thrown at it, a
    machine's terrain."""
    skins: Skins = field(default_factory=Skins, repr=False)
    """Bodies that sense contacts."""
    thrown: tuple[str, ...] = ()
    """Names of thrown bodies."""
    surface: Surface = field(default_factory=lambda: surface_of(Terrain()), repr=False)
    """Geometry of the ground."""
    terrain: Terrain = field(default_factory=Terrain)
    ground: FeltGround | None = None
    """Ground under the feet, if it is not the engine's: bind it to the data and call
    it between ``mj_step1`` and ``mj_step2``."""
    board: Board | None = None
    """Board on which the robot stands, if any; its angles follow the robot's in
    ``qpos`` and ``qvel``."""
    start_pose: Array | None = None
    """Pose at rest, (nq,); None for the keyframe ``start``, or the model's own pose."""

    base: int = field(init=False)
    """Body that stands on the ground; for a machine its trunk."""
    root: int = field(init=False)
    """Body at the root of its tree."""
    feet: Ints = field(init=False)
    """Geoms of the feet, (nl,)."""
    joints: Ints = field(init=False)
    """Joints in actuator order, (nu,)."""
    q_address: Ints = field(init=False)
    """Index of each actuator's joint in ``qpos``, (nu,)."""
    v_address: Ints = field(init=False)
    """Index of each actuator's joint in ``qvel``, (nu,)."""

    def __post_init__(self) -> None:
        """Look up where everything is."""
        model, robot = self.model, self.robot
        base = model.body(robot.base).id
        joints = np.asarray(model.actuator_trnid[:, 0], np.int64)
        found = {
            "base": base,
            "root": int(model.body_rootid[base]),
            "feet": np.array([model.geom(name).id for name in robot.feet], np.int64),
            "joints": joints,
            "q_address": model.jnt_qposadr[joints].astype(np.int64),
            "v_address": model.jnt_dofadr[joints].astype(np.int64),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def start(self) -> mujoco.MjData:
        """Return the state at the start."""
        data = mujoco.MjData(self.model)
        key = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_KEY, "start")
        if self.start_pose is not None:
            data.qpos[:] = self.start_pose
        elif key >= 0:
            mujoco.mj_resetDataKeyframe(self.model, data, key)
        if self.board is not None:
            self.board.place(data, np.zeros(4))
        mujoco.mj_forward(self.model, data)
        return data


def build_world(
    robot: Robot,
    config: WorldConfig | None = None,
    blocks: Sequence[ThrownBlock] = (),
) -> World:
    """Return a robot standing in a world.

    Every geom of the robot that can collide gets a skin (the net force on it and where
    it acts), unless skins are off. Shapes that are only drawn are left out, they cost
    time. A reset by the engine would hide a fall and is switched off.

    Args:
        robot: the robot; its specification is copied, not changed.
        config: the world; None for the defaults.
        blocks: what is thrown at it, on its way from the start; the state of block k
            follows the robot's in ``qpos`` and ``qvel``.
    """
    config = config or WorldConfig()
    spec = robot.spec.copy()
    colliding = [g for g in spec.geoms if g.contype or g.conaffinity]
    for k, geom in enumerate(colliding):
        geom.friction = [config.friction, 0.005, 0.0001]
        geom.name = geom.name or f"collider{k}"
        if config.contact_time is not None:
            geom.solref = config.solref
    thrown = _add_blocks(spec, robot, config, blocks)
    scene = spec.copy() if blocks else robot.spec
    spec.compiler.discardvisual = True
    _set_options(spec, config)
    if config.skins:
        for geom in colliding:
            _add_skin(spec, geom.name)
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        friction=[config.friction, 0.005, 0.0001],
        solref=config.solref,
        rgba=[0.93, 0.93, 0.91, 1.0],
    )
    model = built(spec, f"robot '{robot.name}' in its world")
    skins = _skins_of(robot, model)
    return World(robot, config, model, scene, skins=skins, thrown=thrown)


def _set_options(spec: mujoco.MjSpec, config: WorldConfig) -> None:
    """Write the engine's options."""
    spec.option.timestep = config.timestep
    spec.option.gravity = [0.0, 0.0, -config.gravity]
    spec.option.impratio = config.impratio
    spec.option.cone = CONES[config.cone]
    bits = int(OPTION_BITS.mjDSBL_AUTORESET)
    if not config.contacts:
        bits |= int(OPTION_BITS.mjDSBL_CONTACT)
    spec.option.disableflags |= bits


def _add_blocks(
    spec: mujoco.MjSpec,
    robot: Robot,
    config: WorldConfig,
    blocks: Sequence[ThrownBlock],
) -> tuple[str, ...]:
    """Add what is thrown, make the keyframes fit, and return the bodies' names."""
    if not blocks:
        return ()
    names = tuple(f"block{k}" if k else "block" for k in range(len(blocks)))
    damping = {
        block.restitution: contact_damping(block.restitution, config.timestep)
        for block in blocks
    }
    for name, block in zip(names, blocks, strict=True):
        body = spec.worldbody.add_body(name=name, pos=block.position)
        body.add_freejoint(name=name)
        body.add_geom(
            name=name,
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[block.half_size] * 3,
            mass=block.mass,
            friction=[config.friction, 0.005, 0.0001],
            solref=damping[block.restitution],
            priority=1,
            rgba=BLOCK_COLOUR,
        )
    places = np.hstack([[*block.position, 1.0, 0.0, 0.0, 0.0] for block in blocks])
    rates = np.hstack([[*block.velocity, 0.0, 0.0, 0.0] for block in blocks])
    if not any(key.name == "start" for key in spec.keys):
        spec.add_key(name="start", qpos=robot.model.qpos0)
    for key in spec.keys:
        key.qpos = np.hstack([_filled(key.qpos, robot.model.qpos0), places])
        key.qvel = np.hstack([_filled(key.qvel, np.zeros(robot.model.nv)), rates])
    return names


def _filled(values: Array, otherwise: Array) -> Array:
    """Return what a keyframe says, or what it means where it says nothing."""
    values = np.asarray(values, np.float64)
    return values if values.size == otherwise.size else np.asarray(otherwise)


def _add_skin(spec: mujoco.MjSpec, geom: str) -> None:
    """Add a sensor for the net contact force on a geom and its point of action."""
    sensor = spec.add_sensor(
        name=f"{SKIN}{geom}",
        type=mujoco.mjtSensor.mjSENS_CONTACT,
        objtype=mujoco.mjtObj.mjOBJ_GEOM,
        objname=geom,
    )
    sensor.intprm = [SKIN_FIELDS, NET_FORCE, 1]


def _skin_rank(order: dict[str, int], sensor: str) -> tuple[int, str]:
    """Return a skin's place: module by module, end a before end b, all others last.

    The engine lists bodies as they hang on each other, which is another order.
    """
    module, ball, end = sensor.removeprefix(SKIN).rpartition("_ball_")
    return (order[module], end) if ball and module in order else (len(order), "")


def _skins_of(robot: Robot, model: mujoco.MjModel) -> Skins:
    """Return where the skins of a world are."""
    sensors = [
        s
        for s in range(model.nsensor)
        if model.sensor_type[s] == int(mujoco.mjtSensor.mjSENS_CONTACT)
        and model.sensor(s).name.startswith(SKIN)
    ]
    order = {name: k for k, name in enumerate(robot.modules)}
    sensors.sort(key=lambda s: _skin_rank(order, model.sensor(s).name))
    bodies = [int(model.geom_bodyid[model.sensor_objid[s]]) for s in sensors]
    return Skins(
        tuple(model.body(b).name for b in bodies),
        np.array(bodies, np.int64),
        np.array([model.sensor_adr[s] for s in sensors], np.int64),
    )
