"""A robot put into a world: ground, gravity, contacts, skins, a time step."""

from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot

__all__ = ["World", "WorldConfig", "build_world"]

SKIN = "skin_"
FIELDS = mujoco.mjtConDataField
SKIN_FIELDS = sum(
    1 << int(f)
    for f in (FIELDS.mjCONDATA_FOUND, FIELDS.mjCONDATA_FORCE, FIELDS.mjCONDATA_POS)
)
NET_FORCE = 3  # the sensor's reduction: one force and its centre a geom
OPTION_BITS = mujoco.mjtDisableBit


@dataclass(frozen=True, kw_only=True, slots=True)
class WorldConfig:
    """What surrounds the robot; defaults suit modules of a tenth of a kilogram."""

    timestep: float = 0.001
    """[s]."""
    contacts: bool = True
    """Whether things can touch; joint limits hold either way."""
    friction: float = 1.0
    """Coulomb friction of every contact pair, >= 0."""
    gravity: float = 9.81
    """Downwards [m/s²]."""

    def __post_init__(self) -> None:
        """Refuse a world that cannot be stepped."""
        problems = []
        if not 1e-5 <= self.timestep <= 0.01:
            problems.append(f"timestep must be 1e-5 to 0.01 s, got {self.timestep!r}")
        if not (np.isfinite(self.friction) and self.friction >= 0.0):
            problems.append(f"friction must be >= 0, got {self.friction!r}")
        if not np.isfinite(self.gravity):
            problems.append(f"gravity must be finite, got {self.gravity!r}")
        if problems:
            raise ConfigError(type(self).__name__, problems)


@dataclass(frozen=True)
class World:
    """A compiled world and where to find things in it."""

    robot: Robot
    config: WorldConfig
    model: mujoco.MjModel = field(repr=False)
    q_address: NDArray[np.int64]
    """(nu,) of each actuator's joint in ``qpos``."""
    v_address: NDArray[np.int64]
    """(nu,) in ``qvel``."""
    base: int
    """Body that stands on the ground."""
    root: int
    """Body at the root of its tree."""
    skins: tuple[str, ...]
    """Names of the bodies with a skin, in the order of ``Sensed.skin``."""
    skin_body: NDArray[np.int64]
    """(ns,) their ids."""
    skin_data: NDArray[np.int64]
    """(ns,) where each one's reading starts in ``sensordata``."""

    def start(self) -> mujoco.MjData:
        """Return the state at the start: the keyframe ``start``, or the model's own."""
        data = mujoco.MjData(self.model)
        key = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_KEY, "start")
        if key >= 0:
            mujoco.mj_resetDataKeyframe(self.model, data, key)
        mujoco.mj_forward(self.model, data)
        return data


def build_world(robot: Robot, config: WorldConfig | None = None) -> World:
    """Return a robot standing in a world.

    Every geom that can collide gets a skin (the net force on it and where it acts).
    Shapes that are only drawn are left out, they cost time. A reset by the engine
    would hide a fall and is switched off.

    Args:
        robot: the robot; its specification is copied, not changed.
        config: the world; None for the defaults.
    """
    config = config or WorldConfig()
    spec = robot.spec.copy()
    spec.compiler.discardvisual = True
    spec.option.timestep = config.timestep
    spec.option.gravity = [0.0, 0.0, -config.gravity]
    bits = int(OPTION_BITS.mjDSBL_AUTORESET)
    if not config.contacts:
        bits |= int(OPTION_BITS.mjDSBL_CONTACT)
    spec.option.disableflags |= bits
    colliding = [g for g in spec.geoms if g.contype or g.conaffinity]
    for k, geom in enumerate(colliding):
        geom.friction = [config.friction, 0.005, 0.0001]
        geom.name = geom.name or f"collider{k}"
        add_skin(spec, geom.name)
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        friction=[config.friction, 0.005, 0.0001],
        rgba=[0.93, 0.93, 0.91, 1.0],
    )
    return addressed(robot, config, spec.compile())


def add_skin(spec: mujoco.MjSpec, geom: str) -> None:
    """Add a sensor for the net contact force on a geom and its point of action."""
    sensor = spec.add_sensor(
        name=f"{SKIN}{geom}",
        type=mujoco.mjtSensor.mjSENS_CONTACT,
        objtype=mujoco.mjtObj.mjOBJ_GEOM,
        objname=geom,
    )
    sensor.intprm = [SKIN_FIELDS, NET_FORCE, 1]


def skin_rank(order: dict[str, int], sensor: str) -> tuple[int, str]:
    """Return a skin's place: module by module, end a before end b, all others last.

    The engine lists bodies as they hang on each other, which is another order.
    """
    module, ball, end = sensor.removeprefix(SKIN).rpartition("_ball_")
    return (order[module], end) if ball and module in order else (len(order), "")


def addressed(robot: Robot, config: WorldConfig, model: mujoco.MjModel) -> World:
    """Look up where everything is."""
    joints = model.actuator_trnid[:, 0]
    sensors = [
        s
        for s in range(model.nsensor)
        if model.sensor_type[s] == int(mujoco.mjtSensor.mjSENS_CONTACT)
        and model.sensor(s).name.startswith(SKIN)
    ]
    order = {name: k for k, name in enumerate(robot.modules)}
    sensors.sort(key=lambda s: skin_rank(order, model.sensor(s).name))
    bodies = [int(model.geom_bodyid[model.sensor_objid[s]]) for s in sensors]
    return World(
        robot=robot,
        config=config,
        model=model,
        q_address=model.jnt_qposadr[joints].astype(np.int64),
        v_address=model.jnt_dofadr[joints].astype(np.int64),
        base=model.body(robot.base).id,
        root=int(model.body_rootid[model.body(robot.base).id]),
        skins=tuple(model.body(b).name for b in bodies),
        skin_body=np.array(bodies, np.int64),
        skin_data=np.array([model.sensor_adr[s] for s in sensors], np.int64),
    )
