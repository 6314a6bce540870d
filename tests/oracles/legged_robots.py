"""Random robots that stand on legs, and states of them: nothing is aligned or tidy.

Two to four legs of six to eight joints, hinges and slides, several joints a body, every
frame at random, welded extras, arms that hang freely, a waist below which legs meet,
toes outboard of a foot, feet that are welded soles, gears, and a loose block that is
listed before the robot.
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.robots.robot import Robot
from equipoise.spatial.rotations import random_rotation

__all__ = [
    "Shape",
    "any_shape",
    "any_state",
    "biped_state",
    "drawn",
    "leg_strength",
    "legged_robot",
]

HINGE, SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
KNEES = (10, 16)  # in the biped's qpos
STRONG = 0.03  # least singular value of a leg, largest 1: bent knees, in other words


@dataclass(frozen=True)
class Shape:
    """What a random robot is made of."""

    legs: tuple[int, ...] = (6, 6)
    """Joints of each leg, from where it begins."""
    waist: int = 0
    """Joints between the central body and the link on which the first two legs sit."""
    arms: int = 0
    toes: bool = False
    soles: bool = False
    """Feet are bodies welded to the last link."""
    welds: bool = False
    block: bool = False
    slides: int = 0
    """Sliding joints a leg."""


def any_shape(rng: np.random.Generator) -> Shape:
    """Return a shape with a bit of everything."""
    legs = tuple(int(n) for n in rng.integers(6, 9, size=rng.integers(2, 5)))
    return Shape(
        legs=legs,
        waist=int(rng.integers(0, 3)),
        arms=int(rng.integers(0, 3)),
        toes=bool(rng.random() < 0.5),
        soles=bool(rng.random() < 0.5),
        welds=bool(rng.random() < 0.5),
        block=bool(rng.random() < 0.3),
        slides=int(rng.integers(0, 3)),
    )


class Maker:
    """Adds bodies with random frames, masses, joints and motors."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.spec = mujoco.MjSpec()
        self.spec.compiler.fusestatic = False
        self.spec.compiler.degree = False
        self.spec.compiler.balanceinertia = False
        self.names: list[str] = []

    def body(self, inboard, mass: float, reach: float):
        """Add a body some way out from its inboard one."""
        rng = self.rng
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, random_rotation(rng).ravel())
        out = rng.normal(size=3)
        self.names.append(f"b{len(self.names)}")
        made = inboard.add_body(
            name=self.names[-1], pos=reach * out / np.linalg.norm(out), quat=quat
        )
        made.explicitinertial = True
        made.mass, made.ipos = mass, 0.1 * rng.normal(size=3)
        spread = mass * 0.15**2 * rng.uniform(0.2, 1.0, 3)  # a body some 0.3 m wide
        made.inertia = spread.sum() - spread
        mujoco.mju_mat2Quat(quat, random_rotation(rng).ravel())
        made.iquat = quat
        return made

    def joint(self, body, kind) -> None:
        """Add a joint whose axis, anchor and zero are anywhere."""
        rng = self.rng
        name = f"j{len(self.spec.joints)}"
        axis = rng.normal(size=3)
        body.add_joint(
            name=name,
            type=kind,
            axis=axis / np.linalg.norm(axis),
            pos=0.05 * rng.normal(size=3),
            ref=float(rng.uniform(-0.5, 0.5)),
        )

    def chain(self, inboard, kinds, mass: float, reach: float):
        """Add links with these joints, one to three on each, and return the last."""
        kinds = list(kinds)
        while kinds:
            inboard = self.body(inboard, mass * self.rng.uniform(0.3, 1.0), reach)
            for kind in kinds[: self.rng.integers(1, 4)]:
                self.joint(inboard, kind)
                kinds.pop(0)
        return inboard


def legged_robot(shape: Shape, rng: np.random.Generator) -> Robot:
    """Return a random robot of a shape that can bend its legs; its body has 20 kg."""
    for _ in range(100):
        robot = drawn(shape, rng)
        poses = [any_pose(robot, rng) for _ in range(20)]
        if sum(leg_strength(robot, pose) > STRONG for pose in poses) > 1:
            return robot
    raise AssertionError(f"no robot of {shape} has strong legs")


def drawn(shape: Shape, rng: np.random.Generator) -> Robot:
    """Return a random robot of a shape."""
    make = Maker(rng)
    if shape.block:
        make.body(make.spec.worldbody, 1.8, 1.0).add_freejoint(name="loose")
    trunk = make.body(make.spec.worldbody, 20.0, 1.0)
    trunk.add_freejoint(name="base")
    hips = make.chain(trunk, [HINGE] * shape.waist, 8.0, 0.2)
    feet, legs = [], []
    for k, count in enumerate(shape.legs):
        kinds = [SLIDE] * shape.slides + [HINGE] * (count - shape.slides)
        last = make.chain(hips if k < 2 else trunk, rng.permutation(kinds), 4.0, 0.3)
        legs.append(last.name)
        if shape.toes:
            make.chain(last, [HINGE], 0.3, 0.1)
        sole = make.body(last, 0.5, 0.1) if shape.soles else last
        feet.append(f"foot{k}")
        sole.add_geom(
            name=feet[-1], type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.05, 0.02]
        )
    for k in range(shape.arms):
        shoulder = trunk if k == 0 else make.spec.body(legs[0]).parent
        make.chain(shoulder, [HINGE] * int(rng.integers(1, 4)), 1.0, 0.2)
    if shape.welds:
        for body in (trunk, hips, make.spec.body(legs[-1]).parent):
            make.body(body, 1.0, 0.2)
    drive(make, rng)
    return Robot("random", make.spec, base=trunk.name, feet=tuple(feet))


def drive(make: Maker, rng: np.random.Generator) -> None:
    """Give every joint a motor with a gear, in any order."""
    moving = [j.name for j in make.spec.joints if j.name.startswith("j")]
    for name in rng.permutation(moving):
        motor = make.spec.add_actuator(name=str(name), target=str(name))
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.gear[0] = rng.uniform(0.5, 3.0) * rng.choice([-1.0, 1.0])


def biped_state(rng: np.random.Generator, knee_deg: tuple[float, float] = (20, 110)):
    """Return any state of the biped: feet move, the trunk is anyhow, knees bent."""
    q = np.hstack([rng.normal(size=7), rng.uniform(-0.7, 0.7, 12)])
    q[3:7] /= np.linalg.norm(q[3:7])
    q[list(KNEES)] = -np.deg2rad(rng.uniform(*knee_deg, 2))
    return q, 1.5 * rng.normal(size=18)


def any_pose(robot: Robot, rng: np.random.Generator) -> np.ndarray:
    """Return joints within 1 rad or 1 m of zero, and bodies that float anyhow."""
    model = robot.model
    qpos = model.qpos0 + rng.uniform(-1.0, 1.0, model.nq)
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        at = model.jnt_qposadr[joint]
        qpos[at + 3 : at + 7] = rng.normal(size=4)
        qpos[at + 3 : at + 7] /= np.linalg.norm(qpos[at + 3 : at + 7])
    return qpos


def any_state(robot: Robot, rng: np.random.Generator):
    """Return a random pose with bent legs, and velocities near 1 m/s and 1 rad/s."""
    for _ in range(1000):
        qpos = any_pose(robot, rng)
        if leg_strength(robot, qpos) > STRONG:
            return qpos, rng.normal(size=robot.model.nv)
    raise AssertionError("no strong pose found")


def leg_strength(robot: Robot, qpos: np.ndarray) -> float:
    """Return the weakest leg's least singular value over its largest.

    A leg is what lies between a foot and the first link where legs meet. Rotations
    weigh as 0.5 m.
    """
    model = robot.model
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    bodies = [int(model.body_weldid[model.geom(f).bodyid[0]]) for f in robot.feet]
    count = np.zeros(model.nbody, int)
    paths = []
    for body in bodies:
        path = []
        while body > 0:
            path.append(body)
            body = int(model.body_weldid[model.body_parentid[body]])
        count[path] += 1
        paths.append(path)
    base, least = model.body(robot.base).id, 1.0
    for path in paths:
        J = np.zeros((6, model.nv))
        mujoco.mj_jacBody(model, data, J[:3], J[3:], path[0])
        own = [b for b in path if count[b] == 1 and b != base]
        dofs = np.isin(model.dof_bodyid, own)
        values = np.linalg.svd(np.diag([1, 1, 1, 0.5, 0.5, 0.5]) @ J[:, dofs])[1]
        least = min(least, values[-1] / values[0] if len(values) == 6 else 0.0)
    return least
