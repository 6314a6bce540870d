"""Which joints a robot's own drives hold, and what that means for its stance.

Joints are either taken as held, or they are the file's own: servos, springs and dry
friction act as they are, torque motors are held by whoever controls them within their
limits, and what nothing holds is passive. The answer here is about equilibrium and
stiffness; what the engine says of the same robot is ``criteria.own_floor``'s part.
"""

import copy
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Ints, Mat3, Vec3, VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene.engine_contacts import EngineContacts
from equipoise.robots.scene.floored import floored
from equipoise.robots.scene.joint_holds import JointHolds, joint_holds
from equipoise.robots.scene.scene import Scene, own_qpos, robot_scene
from equipoise.robots.stance.stance import Stance, shapes_extent
from equipoise.robots.stance.turns import GroundTurn
from equipoise.runs.check.friction import StanceGrip
from equipoise.runs.check.start import StartPose
from equipoise.runs.check.verdict import Answer
from equipoise.sim.let_go import SINKS, OwnJoints
from equipoise.stability.drives.elements import ContactSpots, DriveForces, at_rest_model
from equipoise.stability.drives.sag import Sag, sagged
from equipoise.stability.engine.law import contact_force

__all__ = [
    "Drives",
    "DrivesAnswer",
    "JointMode",
    "LetGoFrom",
    "hold_block",
    "joint_mode",
    "let_go_from",
    "own_holds",
    "robot_on_own_drives",
    "sag_answer",
]

JointMode = Literal["own", "held"]
LEANS = math.radians(10.0)
PRESSED = 1e-4  # share of its size by which contacts are looked for below it
RIGID = 2e-4  # share of its size that hard ground gives way under the weight
NEAR = 0.01  # share of its height that a rest near a pose is below it at most
CREPT = 1e-5  # share of their stiffness that feet which creep have across the ground
SPOTS = 64  # contacts at most that are followed


class DrivesAnswer(NamedTuple):
    """Answer of equilibrium and stiffness for a robot on its own drives."""

    stands: Answer
    sentence: str
    sag: Sag
    is_crept: bool = False
    """Whether this is about feet that have crept apart on the engine's friction."""


@final
@dataclass(frozen=True, eq=False)
class Drives:
    """A robot on its own drives in the pose in which it is judged."""

    scene: Scene
    """Its world, with ground of its own, gravity against ``up``."""
    qpos: VecN = field(repr=False)
    """Of the scene, at rest on hard ground with its joints held, (nq,)."""
    holds: JointHolds
    start: StartPose
    spots: ContactSpots = field(repr=False)
    size: float
    height: float
    """Of the centre of mass above what it stands on [m]."""
    stuck: Ints = field(repr=False)
    """Velocities of joints that are taken as held, (k,)."""
    made: list[Any] = field(default_factory=list[Any], repr=False)
    """Its ``model_at_rest``, once it was asked for."""

    @property
    def own(self) -> OwnJoints:
        """What acts by itself in a trial of the engine."""
        start = self.start
        return OwnJoints(
            self.holds.held_dofs, self.holds.motors, start.ctrl, start.act_at_first
        )

    def forces(self, gain: float = 1.0, *, is_limited: bool = True) -> DriveForces:
        """Return what acts on it, its servos' gains times a factor.

        Args:
            gain: the factor.
            is_limited: whether the servos' force limits count.
        """
        ready = self.model_at_rest if gain == 1.0 and is_limited else None
        return DriveForces(
            self.scene.model,
            self.qpos,
            self.start.ctrl,
            self.start.act,
            self.holds,
            self.spots,
            gravity=self.scene.gravity,
            size=self.size,
            root=int(np.flatnonzero(self.scene.bodies)[0]),
            stuck=self.stuck,
            gain=gain,
            is_limited=is_limited,
            ready=ready,
        )

    @property
    def model_at_rest(self) -> Any:
        """The scene's model that gives forces at rest, as the file has its gains.

        It is copied only once, meshes and all, also for this robot on other feet.
        """
        if not self.made:
            gravity = self.scene.gravity
            made = at_rest_model(
                self.scene.model, self.holds, gravity, 1.0, is_limited=True
            )
            self.made.append(made)
        return self.made[0]

    def sag(
        self, gain: float = 1.0, *, is_limited: bool = True, since: VecN | None = None
    ) -> Sag:
        """Return where it comes to rest.

        Args:
            gain: times the servos' own gains.
            is_limited: whether the servos' force limits count.
            since: the pose from which rest is looked for; None for its own.
        """
        forces = self.forces(gain, is_limited=is_limited)
        return sagged(forces, self.qpos, self.scene.up, self.height, since)

    @cached_property
    def relaxed(self) -> "Drives":
        """The same on feet that give way across the ground, little by little.

        The engine's friction creeps under every load, so that in a minute feet do not
        brace each other any more.
        """
        spots = replace(self.spots, hold=CREPT * self.spots.hold)
        return replace(self, spots=spots)

    def stands_as(self, sag: Sag) -> bool:
        """Return whether a rest is one in which the robot still stands."""
        is_up = sag.sunk <= SINKS * self.height and sag.turned <= LEANS
        return sag.how == "rests" and is_up

    def rest_near(self, qpos: VecN) -> Sag | None:
        """Return its rest near a pose in which the engine left it; None without one.

        Feet stick where they are there, and those that hang in the air are left out.
        How far it sank is told from its own pose.

        Args:
            qpos: of the scene, (nq,).
        """
        feet = dict(
            zip(self.spots.bodies.tolist(), self.spots.friction.tolist(), strict=True)
        )
        spots = _engine_spots(self.scene, qpos, feet, self.size, is_whole=False)
        if spots is None:
            return None
        near = replace(self, qpos=np.array(qpos), spots=spots)
        found = near.sag()
        if found.how != "rests" or found.sunk > NEAR * self.height:
            return None
        com, R_WB = self._placed(self.qpos)
        com_there, R_WB_there = self._placed(found.qpos)
        cosine = 0.5 * (float(np.trace(R_WB_there @ R_WB.T)) - 1.0)
        return replace(
            found,
            sunk=-float(self.scene.up @ (com_there - com)),
            turned=math.acos(min(1.0, max(-1.0, cosine))),
        )

    def _placed(self, qpos: VecN) -> tuple[Vec3, Mat3]:
        """Return centre of mass and attitude of the base in a pose."""
        model, data = self.scene.model, mujoco.MjData(self.scene.model)
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        root = int(np.flatnonzero(self.scene.bodies)[0])
        return self.scene.centre(data), np.array(data.xmat[root]).reshape(3, 3)

    @cached_property
    def rest(self) -> Sag:
        """Equilibrium of the robot on its own drives."""
        return self.sag()

    @property
    def lean(self) -> Mat3:
        """Rotation of the base at rest from the judged pose."""
        return self._placed(self.rest.qpos)[1] @ self._placed(self.qpos)[1].T


def own_holds(robot: Robot, scene: Scene, data: Any) -> JointHolds:
    """Return what holds the joints; a robot without a world has no passive ones.

    Args:
        robot: whose joints they are.
        scene: its world.
        data: of ``scene.model``, in the pose that is judged.
    """
    found = joint_holds(scene.model, scene.bodies, np.array(data.qpos))
    if robot.has_world:
        return found
    every = (*found.held, *found.own, *found.passive)
    return replace(
        found, held=every, held_dofs=found.dofs, own=(), passive=(), is_plain=True
    )


def joint_mode(robot: Robot, holds: JointHolds, asked: JointMode | None) -> JointMode:
    """Return whether a robot's joints are taken as held.

    Args:
        robot: whose joints they are.
        holds: what holds them.
        asked: what the user wants; None for the file's own drives where it has joints.
    """
    if asked is not None:
        return asked
    is_of_file = robot.has_world or (bool(robot.source) and int(robot.model.nu) > 0)
    return "own" if holds.count and is_of_file else "held"


def hold_block(
    mode: JointMode, holds: JointHolds, start: StartPose, words: str | None
) -> dict[str, Any]:
    """Return what ``--json`` tells about who holds the joints, and the pose.

    Args:
        mode: whether joints are taken as held.
        holds: what holds them.
        start: the pose that was asked about.
        words: who holds them, in words, where the robot stands.
    """
    every = [*holds.held, *holds.own, *holds.passive]
    is_held = mode == "held"
    return {
        "joints_words": words,
        "joints_from": mode,
        "joints_held": every if is_held else list(holds.held),
        "joints_own": [] if is_held else list(holds.own),
        "joints_passive": [] if is_held else list(holds.passive),
        "pose_from": start.source,
        "pose_instead": start.instead or None,
    }


@final
@dataclass(frozen=True, eq=False)
class LetGoFrom:
    """A robot where it is let go in the engine."""

    scene: Scene
    """With ground of its own, or a floor where the file has none; gravity is that of
    the question."""
    data: Any = field(repr=False)
    """Of the scene's model, at rest on hard ground."""
    size: float
    height: float
    """Of the centre of mass above what it stands on [m]."""
    normal: Vec3 = field(repr=False)
    """Out of the ground, unit, (3,): up, unless a slope is asked for."""
    bodies: Ints = field(repr=False)
    """Body of the scene that touches at each point, (n,)."""


def let_go_from(
    robot: Robot,
    scene: Scene,
    data: Any,
    lying: Stance,
    turn: GroundTurn,
    grip: StanceGrip,
) -> LetGoFrom | None:
    """Return where a robot is let go; None where it has nothing to stand on.

    Args:
        robot: any robot.
        scene: its world.
        data: of ``scene.model``, at rest on hard ground.
        lying: where it touches, in the scene's frame.
        turn: of level ground, where it is tilted.
        grip: friction of the contacts.
    """
    if not len(lying.points):
        return None
    here, place = scene, copy.copy(data)
    if not scene.ground:
        if not lying.is_level or scene.floor != "assumed":
            return None
        friction = None if robot.has_world else float(grip.sure.min())
        here = replace(
            robot_scene(floored(robot, lying.ground, friction)), key=scene.key
        )
        place = mujoco.MjData(here.model)
        place.qpos[:], place.qvel[:] = data.qpos, data.qvel
        mujoco.mj_kinematics(here.model, place)
        mujoco.mj_comPos(here.model, place)
    tilted = replace(here, gravity=-here.strength * turn.up)
    size = shapes_extent(scene, data)
    _raise_by(here, place, _contact_margin(here, lying), turn.up)
    lowest = float((lying.points @ turn.up).min())
    height = float(turn.up @ scene.centre(data)) - lowest
    bodies = np.asarray(scene.model.geom_bodyid)[lying.shapes].astype(np.int64)
    return LetGoFrom(tilted, place, size, max(height, 1e-6), here.up, bodies)


def _contact_margin(scene: Scene, lying: Stance) -> float:
    """Return the largest distance at which contacts of a stance begin to push [m]."""
    if not scene.ground or not len(lying.shapes) or (lying.grounds < 0).any():
        return 0.0
    pairs = set(zip(lying.shapes.tolist(), lying.grounds.tolist(), strict=True))
    return max(scene.pair(*pair).margin for pair in pairs)


def _raise_by(scene: Scene, data: Any, height: float, up: Vec3) -> None:
    """Lift the robot's free base, ``data`` in its new place."""
    if not height:
        return
    at = int(own_qpos(scene.model, scene.bodies)[0])
    data.qpos[at : at + 3] += height * up
    mujoco.mj_kinematics(scene.model, data)
    mujoco.mj_comPos(scene.model, data)


def robot_on_own_drives(
    place: LetGoFrom,
    stance: Stance,
    grip: StanceGrip,
    holds: JointHolds,
    start: StartPose,
    *,
    is_held: bool,
) -> Drives:
    """Return a robot on its own drives.

    Args:
        place: where it is let go.
        stance: where it touches there, in the scene's frame.
        grip: friction of the contacts.
        holds: what holds its joints.
        start: what its actuators are told.
        is_held: whether all joints are taken as held.
    """
    return Drives(
        scene=place.scene,
        qpos=np.array(place.data.qpos),
        holds=holds,
        start=start,
        spots=_spots_of(place, stance, grip),
        size=place.size,
        height=place.height,
        stuck=holds.dofs if is_held else np.zeros(0, np.int64),
    )


def _spots_of(place: LetGoFrom, stance: Stance, grip: StanceGrip) -> ContactSpots:
    """Return where a robot touches and how its contacts push."""
    feet = {int(b): float(grip.sure[place.bodies == b].min()) for b in place.bodies}
    found = _engine_spots(place.scene, np.array(place.data.qpos), feet, place.size)
    if found is not None:
        return found
    n, weight = len(stance.points), place.scene.mass * place.scene.strength
    stiffness = np.full(n, weight / (RIGID * place.size * n))
    return ContactSpots(
        points=stance.points,
        normals=stance.normals,
        radii=stance.radii if len(stance.radii) == n else np.zeros(n),
        bodies=place.bodies,
        friction=np.asarray(grip.sure, np.float64),
        force=lambda depth: stiffness * depth,
        depths=np.zeros(n),
        hold=stiffness,
    )


def _engine_spots(
    scene: Scene,
    qpos: VecN,
    feet: dict[int, float],
    size: float,
    *,
    is_whole: bool = True,
) -> ContactSpots | None:
    """Return the contacts that the engine finds, None where a foot has none.

    Args:
        scene: a robot's world.
        qpos: of the scene, (nq,).
        feet: friction by the body that touches.
        size: of the robot [m].
        is_whole: whether every foot must touch; else one is enough.
    """
    bodies = np.asarray(scene.model.geom_bodyid)
    root = int(np.flatnonzero(scene.bodies)[0])
    contacts = EngineContacts(scene.model, qpos, root)
    found = contacts.at(contacts.com, -PRESSED * size * scene.up, np.eye(3))
    keep = np.flatnonzero(found.fixed & np.isin(bodies[found.geoms], list(feet)))
    touching = set(bodies[found.geoms[keep]].tolist())
    if not touching or (is_whole and touching != set(feet)):
        return None
    keep = keep[:: max(1, math.ceil(len(keep) / SPOTS))]
    k, solimp, geoms = found.stiffness[keep], found.impedance[keep], found.geoms[keep]
    normals = found.normals[keep]
    lowered = PRESSED * size * (normals @ scene.up)
    weight = scene.mass * scene.strength
    return ContactSpots(
        points=found.points[keep] + PRESSED * size * scene.up,
        normals=normals,
        radii=np.array([_ball_radius(scene.model, int(g)) for g in geoms]),
        bodies=bodies[geoms].astype(np.int64),
        friction=np.array([feet[int(bodies[g])] for g in geoms]),
        force=lambda depth: contact_force(depth, k, solimp),
        depths=np.maximum(found.depths[keep] - lowered, 0.0),
        hold=np.full(len(keep), weight / (RIGID * size * len(keep))),
    )


def _ball_radius(model: Any, geom: int) -> float:
    """Return the radius with which a shape rolls on the ground; zero for corners."""
    kind = int(model.geom_type[geom])
    round_shapes = (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CAPSULE)
    if kind in tuple(int(shape) for shape in round_shapes):
        return float(model.geom_size[geom, 0])
    return 0.0


def sag_answer(drives: Drives, near: VecN | None = None) -> DrivesAnswer:
    """Return what equilibrium and stiffness say.

    Args:
        drives: the robot.
        near: a pose in which the engine left it standing, of the scene, (nq,); where no
            rest is found from its own pose, one is looked for there.
    """
    rest, high = drives.rest, drives.height
    if near is not None and not drives.stands_as(rest):
        rest = drives.rest_near(near) or rest
    share = rest.sunk / high
    if drives.stands_as(rest):
        return DrivesAnswer("yes", f"sinking by {100.0 * share:.2g} %", rest)
    if rest.how == "rests" and share > SINKS:
        said = f"it sinks by {100.0 * share:.3g} % of its height on its own drives"
        return DrivesAnswer("no", said, rest)
    if rest.how == "rests":
        said = f"it leans by {math.degrees(rest.turned):.3g} degrees on its own drives"
        return DrivesAnswer("no", said, rest)
    said = {
        "falls": "its own drives do not hold it up",
        "tilts": "the stiffness of its own drives does not keep it upright",
        "slides": "its feet slide apart on its own drives",
        "unknown": "no equilibrium on its own drives was found",
        "too large": "it has too many joints to find its equilibrium on its own drives",
    }[rest.how]
    is_unknown = rest.how in ("unknown", "too large")
    return DrivesAnswer("unknown" if is_unknown else "no", said, rest)
