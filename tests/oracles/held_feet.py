"""Legged robots with held feet through two other engines: MuJoCo and Pinocchio.

An engine gives the mass matrix, the bias forces, and for the central body and for every
foot the Jacobian of its own-frame twist (linear first, at the link's centre of mass)
with that twist's rate at zero joint acceleration, exactly. What is asked of them here
shares nothing with the recursions: dense matrices, all joints at once.
"""

from dataclasses import dataclass
from functools import lru_cache

import mujoco
import numpy as np
from scipy.linalg import block_diag

from equipoise.core.contracts import Sensed

__all__ = [
    "Dense",
    "Held",
    "PinocchioTwin",
    "accelerated",
    "foot_bodies",
    "held",
    "joint_forces",
    "mujoco_dense",
    "sensed_of",
    "with_big_feet",
]


@dataclass(frozen=True)
class Dense:
    """Equations of motion M v' + h = τ and the twists of the links that matter."""

    M: np.ndarray
    h: np.ndarray
    J_base: np.ndarray
    """Own-frame twist of the central body, (6, nv)."""
    bias_base: np.ndarray
    """Rate of that twist when v' is zero, (6,)."""
    J_feet: np.ndarray
    """(6 nf, nv)."""
    bias_feet: np.ndarray
    """(6 nf,)."""
    V_feet: np.ndarray
    """Own-frame twists, (6 nf,)."""
    M_base: np.ndarray
    """The central link's own inertia in its own frame, (6, 6)."""
    own_feet: np.ndarray
    """Wrenches that the foot links alone need when not accelerated, (6 nf,)."""


@dataclass(frozen=True)
class Held:
    """The robot seen from its central body while the feet are not accelerated."""

    P: np.ndarray
    z: np.ndarray
    N: np.ndarray
    """Accelerations v' per V'_1, all joints free, (nv, 6)."""
    reaction: np.ndarray
    """Wrench on each foot per V'_1, (6 nf, 6)."""
    reaction_bias: np.ndarray
    """(6 nf,)."""


def held(dense: Dense) -> Held:
    """Project the dense equations onto the central body's twist.

    With v' = N V'_1 + n the motion of least constraint (Gauss) that keeps the feet:
    P = Nᵀ M N and z = Nᵀ (M n + h). Both follow from one QR of L⁻¹ Cᵀ, M = L Lᵀ.
    """
    C = np.vstack([dense.J_feet, dense.J_base])
    rows, solve = len(dense.J_feet), np.linalg.solve
    L = np.linalg.cholesky(dense.M)
    half = solve(L, np.column_stack([C.T, dense.h]))
    Q, R = np.linalg.qr(half[:, :-1])
    weight = half[:, -1]
    into = np.zeros((rows + 6, 7))  # what C v' shall be: V'_1 one by one, and at rest
    into[rows:, :6] = np.eye(6)
    into[:, 6] = np.hstack([-dense.bias_feet, -dense.bias_base])
    y = Q @ solve(R.T, into)
    y[:, 6] += Q @ (Q.T @ weight)  # Lᵀ v' + weight
    multiplier = solve(R, Q.T @ y)
    y, y_rest = y[:, :6], y[:, 6]
    return Held(
        P=y.T @ y,
        z=y.T @ y_rest,
        N=solve(L.T, y),
        reaction=multiplier[:rows, :6],
        reaction_bias=multiplier[:rows, 6],
    )


def accelerated(dense: Dense, force: np.ndarray) -> np.ndarray:
    """Return v' under generalised forces while the feet are not accelerated, (nv,)."""
    L = np.linalg.cholesky(dense.M)
    half = np.linalg.solve(L, np.column_stack([dense.J_feet.T, force - dense.h]))
    Q, R = np.linalg.qr(half[:, :-1])
    y = half[:, -1]
    y = y + Q @ (np.linalg.solve(R.T, -dense.bias_feet) - Q.T @ y)
    return np.linalg.solve(L.T, y)


def joint_forces(robot, tau: np.ndarray) -> np.ndarray:
    """Return the generalised forces of motor commands, gears included, (nv,)."""
    model, force = robot.model, np.zeros(robot.model.nv)
    dofs = model.jnt_dofadr[model.actuator_trnid[:, 0]]
    force[dofs] = model.actuator_gear[:, 0] * tau
    return force


def sensed_of(robot, qpos, qvel, time: float = 0.0, dt: float = 0.002) -> Sensed:
    """Return what a controller senses in a state: actuator order, the base in W."""
    model = robot.model
    joints = model.actuator_trnid[:, 0]
    free = int(model.body_jntadr[model.body(robot.base).id])
    at, rate = int(model.jnt_qposadr[free]), int(model.jnt_dofadr[free])
    R_WB = np.zeros(9)
    mujoco.mju_quat2Mat(R_WB, qpos[at + 3 : at + 7])
    R_WB = R_WB.reshape(3, 3)
    return Sensed(
        time=time,
        dt=dt,
        q=qpos[model.jnt_qposadr[joints]],
        v=qvel[model.jnt_dofadr[joints]],
        p_WB=qpos[at : at + 3].copy(),
        R_WB=R_WB,
        V_WB=np.hstack([qvel[rate : rate + 3], R_WB @ qvel[rate + 3 : rate + 6]]),
        skin=np.zeros((0, 6)),
    )


def with_big_feet(dense: Dense, exact: Held) -> tuple[np.ndarray, np.ndarray]:
    """Return P and z for feet of 1e6 central bodies that nothing holds, first order.

    A big foot yields by Ω f, Ω = (1e6 M_1)⁻¹, to the wrench f that comes down its leg,
    and so takes Tᵀ Ω T and Tᵀ Ω t off P and z, where f = T V'_1 + t. The next order is
    this one squared.
    """
    feet = len(dense.own_feet) // 6
    yields = np.kron(np.eye(feet), np.linalg.inv(1e6 * dense.M_base))
    T, t = exact.reaction, exact.reaction_bias - dense.own_feet
    return exact.P - T.T @ yields @ T, exact.z - T.T @ yields @ t


def own_bias(mass: float, inertia: np.ndarray, V: np.ndarray, g: np.ndarray):
    """Return V x* I V - weight of one body, all in its own frame at its centre."""
    v, w = V[:3], V[3:]
    return np.hstack([mass * (np.cross(w, v) - g), np.cross(w, inertia @ w)])


# --- MuJoCo ---------------------------------------------------------------------------


def link_mass(model, data, body: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre in W, and inertia in a body's axes; welded ones included."""
    own = np.flatnonzero(model.body_weldid == model.body_weldid[body])
    mass, inertia = model.body_mass[own], np.zeros((3, 3))
    centre = np.average(data.xipos[own], axis=0, weights=mass)
    for b in own:
        R, d = data.ximat[b].reshape(3, 3), data.xipos[b] - centre
        inertia += R @ np.diag(model.body_inertia[b]) @ R.T
        inertia += model.body_mass[b] * (d @ d * np.eye(3) - np.outer(d, d))
    R_WB = data.xmat[body].reshape(3, 3)
    return mass.sum(), centre, R_WB.T @ inertia @ R_WB


def foot_bodies(robot) -> list[int]:
    """Return the moving bodies that carry the robot's feet, each once, in order."""
    model, found = robot.model, []
    for name in robot.feet:
        body = int(model.body_weldid[model.geom(name).bodyid[0]])
        if body not in found:
            found.append(body)
    return found


@lru_cache(maxsize=2)
def room_for(model) -> mujoco.MjData:
    """Return data to compute in; everything in it is written before it is read."""
    return mujoco.MjData(model)


def mujoco_dense(robot, qpos, qvel) -> Dense:
    """Return the equations from ``mj_fullM``, ``mj_jac`` and ``mj_jacDot``."""
    model = robot.model
    data = room_for(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    base = model.body(robot.base).id
    J_base, bias_base = mujoco_twist(model, data, base)
    bodies = foot_bodies(robot)
    feet = [mujoco_twist(model, data, body) for body in bodies]
    own = []
    for body, (J, _) in zip(bodies, feet, strict=True):
        mass, _, inertia = link_mass(model, data, body)
        g = data.xmat[body].reshape(3, 3).T @ model.opt.gravity
        own.append(own_bias(mass, inertia, J @ data.qvel, g))
    mass, _, inertia = link_mass(model, data, base)
    return Dense(
        M=M,
        h=data.qfrc_bias.copy(),
        J_base=J_base,
        bias_base=bias_base,
        J_feet=np.vstack([J for J, _ in feet]),
        bias_feet=np.hstack([bias for _, bias in feet]),
        V_feet=np.hstack([J @ data.qvel for J, _ in feet]),
        M_base=block_diag(mass * np.eye(3), inertia),
        own_feet=np.hstack(own),
    )


def mujoco_twist(model, data, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Return J and J' v of a body's own-frame twist [v; w] at its link's centre."""
    _, point, _ = link_mass(model, data, body)
    J, rate = np.zeros((2, 3, model.nv)), np.zeros((2, 3, model.nv))
    mujoco.mj_jac(model, data, J[0], J[1], point, body)
    mujoco.mj_jacDot(model, data, rate[0], rate[1], point, body)
    v, w = J @ data.qvel
    a, alpha = rate @ data.qvel
    R_BW = data.xmat[body].reshape(3, 3).T
    # the own-frame twist's rate: R(t)' turns too, which takes w x v off the point's own
    bias = np.hstack([R_BW @ (a - np.cross(w, v)), R_BW @ alpha])
    return np.vstack([R_BW @ J[0], R_BW @ J[1]]), bias


# --- Pinocchio ------------------------------------------------------------------------


class PinocchioTwin:
    """A robot rebuilt joint by joint in Pinocchio, its joints plain ones."""

    def __init__(self, pin, robot) -> None:
        self.pin, self.robot = pin, robot
        self.model = pin.Model()
        self.model.gravity.linear = np.array(robot.model.opt.gravity)
        self.carrier: dict[int, tuple[int, object]] = {}
        """Of each body: the joint that carries it and its place there."""
        self.joints: list[int] = []
        """MuJoCo's joints in Pinocchio's order, the free one left out."""
        base = robot.model.body(robot.base).id
        for body in range(base, robot.model.nbody):
            if body == base or int(robot.model.body_parentid[body]) in self.carrier:
                self.add(body)
        self.base = self.frame(base)
        self.feet = [self.frame(body) for body in foot_bodies(robot)]
        self.data = self.model.createData()

    def add(self, body: int) -> None:
        """Add a body, its joints in a row, none for a welded one."""
        pin, m = self.pin, self.robot.model
        joint, X = self.carrier.get(int(m.body_parentid[body]), (0, pin.SE3.Identity()))
        X = X * placement(pin, m.body_pos[body], m.body_quat[body])
        first = int(m.body_jntadr[body])
        for j in range(first, first + int(m.body_jntnum[body])):
            name, kind = m.joint(j).name, int(m.jnt_type[j])
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                free = pin.JointModelFreeFlyer()
                joint = self.model.addJoint(0, free, pin.SE3.Identity(), name)
                X = pin.SE3.Identity()
                continue
            at = pin.SE3(np.eye(3), np.array(m.jnt_pos[j]))
            slides = kind == mujoco.mjtJoint.mjJNT_SLIDE
            made = plain_joint(pin, slides, np.array(m.jnt_axis[j]))
            joint = self.model.addJoint(joint, made, X * at, name)
            self.joints.append(j)
            X = at.inverse()
        self.carrier[body] = joint, X
        turn = placement(pin, m.body_ipos[body], m.body_iquat[body])
        own = pin.Inertia(m.body_mass[body], np.zeros(3), np.diag(m.body_inertia[body]))
        self.model.appendBodyToJoint(joint, own, X * turn)

    def frame(self, body: int) -> int:
        """Return a new frame at the centre of a link, in that body's axes."""
        pin = self.pin
        joint, X = self.carrier[body]
        place = pin.SE3(X.rotation, self.model.inertias[joint].lever)
        parent = self.model.getFrameId(self.model.names[joint])
        kind = pin.FrameType.OP_FRAME
        name = f"{self.robot.model.body(body).name} centre"
        return self.model.addFrame(pin.Frame(name, joint, parent, place, kind))

    def link(self, frame: int) -> tuple[float, np.ndarray]:
        """Return mass and inertia, in the frame's axes, of the link it lies in."""
        at = self.model.frames[frame]
        inertia = self.model.inertias[at.parentJoint]
        R = at.placement.rotation
        return inertia.mass, R.T @ inertia.inertia @ R

    def state(self, qpos, qvel) -> tuple[np.ndarray, np.ndarray]:
        """Return a state in Pinocchio's layout: xyzw, the base's velocity its own."""
        m = self.robot.model
        free = int(m.body_jntadr[m.body(self.robot.base).id])
        at, rate = int(m.jnt_qposadr[free]), int(m.jnt_dofadr[free])
        quat = qpos[at + 3 : at + 7] / np.linalg.norm(qpos[at + 3 : at + 7])
        R_WB = self.pin.Quaternion(*quat).matrix()
        joints = m.jnt_qposadr[self.joints]
        q = [qpos[at : at + 3], quat[1:], quat[:1], qpos[joints] - m.qpos0[joints]]
        v = [R_WB.T @ qvel[rate : rate + 3], qvel[rate + 3 : rate + 6]]
        return np.hstack(q), np.hstack([*v, qvel[m.jnt_dofadr[self.joints]]])

    def dense(self, qpos, qvel) -> Dense:
        """Return the equations from ``crba``, ``nonLinearEffects`` and its frames."""
        pin, model, data = self.pin, self.model, self.data
        q, v = self.state(qpos, qvel)
        upper = np.triu(pin.crba(model, data, q))
        h = pin.nonLinearEffects(model, data, q, v).copy()
        pin.computeJointJacobians(model, data, q)
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        own = pin.ReferenceFrame.LOCAL
        frames = [self.base, *self.feet]
        J = [pin.getFrameJacobian(model, data, f, own) for f in frames]
        bias = [pin.getFrameAcceleration(model, data, f, own).vector for f in frames]
        links = [self.link(f) for f in frames]
        needs = [
            own_bias(*link, twist @ v, data.oMf[f].rotation.T @ model.gravity.linear)
            for link, twist, f in zip(links, J, frames, strict=True)
        ]
        return Dense(
            M=upper + np.triu(upper, 1).T,
            h=h,
            J_base=J[0],
            bias_base=bias[0],
            J_feet=np.vstack(J[1:]),
            bias_feet=np.hstack(bias[1:]),
            V_feet=np.hstack([twist @ v for twist in J[1:]]),
            M_base=block_diag(links[0][0] * np.eye(3), links[0][1]),
            own_feet=np.hstack(needs[1:]),
        )


def placement(pin, p, quat):
    """Return a pose from a place and a quaternion, w first."""
    return pin.SE3(pin.Quaternion(*quat).normalized().matrix(), np.array(p))


def plain_joint(pin, slides: bool, axis: np.ndarray):
    """Return the simplest joint model: along an axis of its frame if it can."""
    kind = "P" if slides else "R"
    for name, unit in zip("XYZ", np.eye(3), strict=True):
        if np.array_equal(axis, unit):
            return getattr(pin, f"JointModel{kind}{name}")()
    if slides:
        return pin.JointModelPrismaticUnaligned(axis)
    return pin.JointModelRevoluteUnaligned(axis)
