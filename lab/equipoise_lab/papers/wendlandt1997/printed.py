"""Algorithms 1 to 6 of [Wendlandt1997] in the paper's own coordinates, plain NumPy.

Every link has a frame of its own at its centre of mass, and adjoints carry twists and
wrenches from frame to frame; links are numbered as in the paper: 1 the central body,
2 to 7 the left leg, 8 to 13 the right one, joint k inboard of link k. The library's law
works in the world's axes about one point, so that the two share no formula. Names are
the paper's: H, A, P, z, D, K, L, X, G, F.

A ``Form`` puts one formula back to what is printed.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise_lab.papers.wendlandt1997.groups import (
    adjoint,
    cross_twist,
    hat,
    inverse_adjoint,
    quat_conjugate,
    quat_product,
    turn,
)

__all__ = [
    "FORMS",
    "Aim",
    "Chain",
    "Form",
    "Moved",
    "Shares",
    "chain_of",
    "desired_acceleration",
    "forward_kinematics",
    "joint_torques",
    "shared_wrench",
    "torques",
    "workspace_dynamics",
]

Form: TypeAlias = Literal[
    "L_k without adjoint",
    "w x p",
    "no w x v",
    "no sign flip",
    "X_R from X_c",
    "G as printed",
    "G not inverted",
    "G of foot 7 twice",
]
FORMS: tuple[Form, ...] = get_args(Form)
BIG = 1e6
"""Mass of a foot in central bodies, Algorithm 3."""
LINKS = range(1, 14)
FEET = (7, 13)
FIRST = (2, 8)  # joints at the central body


@dataclass(frozen=True)
class Chain:
    """The biped, by the paper's numbers; row 0 is the ground."""

    inboard: tuple[int, ...]
    mass: Array
    """(14,) [kg]."""
    place: Array
    """Link k's frame in its inboard link's when joint k is at zero, (14, 3) [m]."""
    axis: Array
    """Of joint k in frame k, (14, 3)."""
    anchor: Array
    """A point of that axis in frame k, (14, 3) [m]."""
    M: Array
    """Own inertias, eq. (3.9), (14, 6, 6)."""
    gravity: Vec3
    """In the world [m/s²]."""


def chain_of(robot: Robot) -> Chain:
    """Return the biped's links as the paper numbers them.

    Args:
        robot: from ``robots.biped``: frames at centres of mass, along principal axes.

    Raises:
        ConfigError: another robot.
    """
    model = robot.model
    unit = np.array([1.0, 0.0, 0.0, 0.0])
    is_meant = (
        model.nbody == 14
        and model.njnt == 13
        and np.array_equal(model.body_parentid[[2, 8]], [1, 1])
        and np.array_equal(model.body_ipos, np.zeros((14, 3)))
        and np.array_equal(model.body_quat, np.tile(unit, (14, 1)))
        and np.array_equal(model.body_iquat, np.tile(unit, (14, 1)))
    )
    if not is_meant:
        raise ConfigError(
            f"robot '{robot.name}'",
            ["the paper's algorithms are written for its biped of 13 bodies"],
        )
    nothing = np.zeros((2, 3))
    return Chain(
        inboard=tuple(int(b) for b in model.body_parentid),
        mass=np.array(model.body_mass),
        place=np.array(model.body_pos),
        axis=np.vstack([nothing, model.jnt_axis[1:]]),
        anchor=np.vstack([nothing, model.jnt_pos[1:]]),
        M=np.array(
            [
                np.diag([mass] * 3 + list(moments))
                for mass, moments in zip(
                    model.body_mass, model.body_inertia, strict=True
                )
            ]
        ),
        gravity=np.array(model.opt.gravity),
    )


@dataclass(frozen=True)
class Moved:
    """All links placed and moving; what Algorithm 2 leaves, by link number."""

    R_0: Array
    """Of each link in the world, (14, 3, 3)."""
    R_1: Array
    """Of each link in link 1, (14, 3, 3)."""
    p_1: Array
    """(14, 3) [m]."""
    A: Array
    """Adjoint of g_{k.o,k.i}: from inboard to outboard, (14, 6, 6)."""
    A_inverse: Array
    """Adjoint of its inverse, (14, 6, 6)."""
    H: Array
    """Joint maps, (14, 6)."""
    V: Array
    """Body velocities, (14, 6)."""
    a: Array
    """(14, 6)."""
    b: Array
    """(14, 6)."""


def forward_kinematics(
    chain: Chain, R_01: Mat3, V_1: Array, theta: Array, rate: Array
) -> Moved:
    """Return every link's place, velocity and bias: Algorithms 1 and 2.

    Args:
        chain: the biped.
        R_01: orientation of the central body.
        V_1: its body velocity, linear first, (6,).
        theta: joint angles, joint 2 first, (12,) [rad].
        rate: (12,) [rad/s].
    """
    R_0, R_1, p_1 = np.zeros((14, 3, 3)), np.zeros((14, 3, 3)), np.zeros((14, 3))
    A, A_inverse = np.zeros((14, 6, 6)), np.zeros((14, 6, 6))
    H, V, a, b = (np.zeros((14, 6)) for _ in range(4))
    R_0[1], R_1[1], V[1] = R_01, np.eye(3), V_1
    b[1] = bias(chain, 1, R_01, V_1)
    for k in LINKS[1:]:
        i, c = chain.inboard[k], chain.anchor[k]
        R_io = turn(chain.axis[k], theta[k - 2])
        p_io = chain.place[k] + c - R_io @ c
        R_1[k], p_1[k] = R_1[i] @ R_io, p_1[i] + R_1[i] @ p_io
        R_0[k] = R_0[i] @ R_io
        A[k], A_inverse[k] = inverse_adjoint(R_io, p_io), adjoint(R_io, p_io)
        H[k, :3], H[k, 3:] = hat(c) @ chain.axis[k], chain.axis[k]
        V[k] = A[k] @ V[i] + H[k] * rate[k - 2]
        a[k] = cross_twist(V[k]) @ H[k] * rate[k - 2]  # A' V_i; H is constant
        b[k] = bias(chain, k, R_0[k], V[k])
    return Moved(R_0, R_1, p_1, A, A_inverse, H, V, a, b)


def bias(chain: Chain, k: int, R_0: Mat3, V: Array) -> Array:
    """Return b_k = -F_k^e + Ω_k M_k V_k, the weight and Coriolis forces, (6,)."""
    momentum = chain.M[k] @ V
    w = hat(V[3:])
    b = np.hstack([w @ momentum[:3], w @ momentum[3:]])
    b[:3] -= chain.mass[k] * (R_0.T @ chain.gravity)
    return b


def workspace_dynamics(
    chain: Chain, m: Moved, big: float = BIG, form: Form | None = None
) -> tuple[Array, Array]:
    """Return P_1 and z_1 by articulated inertias with big feet: Algorithm 3.

    Articulated-body inertias are from [Featherstone1983], the big base from
    [Lilly1993].

    Args:
        chain: the biped.
        m: its links.
        big: mass and inertia of a foot in central bodies.
        form: what is put back to print.
    """
    P, z, one = chain.M.copy(), m.b.copy(), np.eye(6)
    for foot in FEET:
        P[foot], z[foot] = big * chain.M[1], 0.0
    for k in reversed(LINKS[1:]):
        i, H = chain.inboard[k], m.H[k]
        D = H @ P[k] @ H
        K = np.outer(H, H) / D
        A = one if form == "L_k without adjoint" else m.A[k]
        L = (one - K @ P[k]) @ A
        P[i] += L.T @ P[k] @ L
        z[i] += L.T @ (P[k] @ m.a[k] + z[k])
    return P[1], z[1]


@dataclass(frozen=True)
class Aim:
    """Where the central body shall be, and how hard it is drawn there."""

    place: Vec3
    quat: Array
    """w first, (4,)."""
    K_p: Array
    """Of x, y, z and the three rotations, (6,)."""
    K_v: Array
    """(6,)."""


def desired_acceleration(
    aim: Aim, p: Vec3, quat: Array, R_01: Mat3, V_1: Array, form: Form | None = None
) -> Array:
    """Return X^b of a fixed set point: Algorithm 4, (6,).

    Args:
        aim: set point and gains.
        p: of the central body's centre of mass.
        quat: its orientation, w first.
        R_01: the same as a matrix.
        V_1: its body velocity.
        form: what is put back to print.
    """
    velocity, w = R_01 @ V_1[:3], R_01 @ V_1[3:]
    X_c = -aim.K_v[:3] * velocity - aim.K_p[:3] * (p - aim.place)
    turning = {"w x p": p, "no w x v": np.zeros(3)}.get(form or "", velocity)
    q_e = quat_product(quat, quat_conjugate(aim.quat))
    if q_e[0] < 0.0 and form != "no sign flip":
        q_e = -q_e
    X_R = -aim.K_v[3:] * w - aim.K_p[3:] * q_e[1:]
    if form == "X_R from X_c":
        X_R = X_c
    return np.hstack([R_01.T @ (X_c - hat(w) @ turning), R_01.T @ X_R])


@dataclass(frozen=True)
class Shares:
    """How a wrench is divided between the legs: what Algorithm 5 leaves."""

    F_l: Array
    """On the left foot from the ground, in that foot's frame, (6,)."""
    F_r: Array
    """On the right foot."""
    F_2: Array
    """On the central body from the left leg, in its frame, (6,)."""
    F_8: Array
    """From the right leg."""


def shared_wrench(m: Moved, F_1: Array, form: Form | None = None) -> Shares:
    """Return the shares of least norm: Algorithm 5.

    Args:
        m: the links.
        F_1: wrench wanted on the central body, in its frame, (6,).
        form: what is put back to print.
    """
    to = {k: adjoint(m.R_1[k], m.p_1[k]).T for k in FEET}
    back = {k: inverse_adjoint(m.R_1[k], m.p_1[k]).T for k in FEET}
    if form == "G as printed":
        G_l, G_r, B_l, B_r = to[7], to[7], to[7], np.eye(6)
    elif form == "G not inverted":
        G_l, G_r = B_l, B_r = to[7], to[13]
    elif form == "G of foot 7 twice":
        G_l, G_r = B_l, B_r = back[7], back[7]
    else:
        G_l, G_r = B_l, B_r = back[7], back[13]
    G = np.hstack([G_l, G_r])
    F = G.T @ np.linalg.solve(G @ G.T, F_1)
    return Shares(F[:6], F[6:], B_l @ F[:6], B_r @ F[6:])


def joint_torques(chain: Chain, m: Moved, F_2: Array, F_8: Array) -> Array:
    """Return the torques of joints 2 to 13: Algorithm 6, (12,) [N m].

    Args:
        chain: the biped.
        m: its links.
        F_2: wrench on the central body from the left leg, in its frame, (6,).
        F_8: from the right leg.
    """
    tau = np.zeros(12)
    on_inboard: dict[int, Array] = {FIRST[0]: F_2, FIRST[1]: F_8}
    for k in LINKS[1:]:
        F_k = -m.A_inverse[k].T @ on_inboard[k]
        tau[k - 2] = m.H[k] @ F_k
        if k not in FEET:
            on_inboard[k + 1] = -F_k
    return tau


def torques(
    chain: Chain,
    aim: Aim,
    p: Vec3,
    quat: Array,
    V_1: Array,
    theta: Array,
    rate: Array,
    form: Form | None = None,
) -> tuple[Array, Shares]:
    """Return one control step's torques, (12,) [N m], and the feet's shares.

    Args:
        chain: the biped.
        aim: set point and gains.
        p: centre of mass of the central body.
        quat: its orientation, w first.
        V_1: its body velocity, linear first, (6,).
        theta: joint angles, (12,).
        rate: (12,).
        form: what is put back to print; None for the corrected algorithms.
    """
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, quat)
    R_01 = flat.reshape(3, 3)
    m = forward_kinematics(chain, R_01, V_1, theta, rate)
    P_1, z_1 = workspace_dynamics(chain, m, form=form)
    X = desired_acceleration(aim, p, quat, R_01, V_1, form)
    shares = shared_wrench(m, P_1 @ X + z_1, form)
    return joint_torques(chain, m, shares.F_2, shares.F_8), shares
