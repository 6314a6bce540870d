"""A, B and poles of a robot in a pose, standing on springs.

The pose is chosen; torques and forces of the ground that hold it there are the smallest
that do, and the springs' other ends are placed accordingly.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.errors import MissingToolError
from equipoise.core.kinds import Parameters
from equipoise.equations.blocks.block import Block
from equipoise.equations.linear.robot import LinearEquations
from equipoise.equations.motion import EquationsOfMotion
from equipoise.equations.robot.ground import SpringGround, standing_points
from equipoise.equations.tape.interpret import interpret
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import pose_of

__all__ = ["RobotLinearization", "linearize"]

STILL = 1e-8  # accelerations up to this count as none [m/s², rad/s²]


@final
@dataclass(frozen=True)
class RobotLinearization:
    """Linearization of a robot; ``A, B = ...`` unpacks the two matrices.

    x and u are what ``robot_linear`` explains.
    """

    A: Array
    """System matrix, (2 nv, 2 nv)."""
    B: Array
    """Input matrix, (2 nv, joints)."""
    q: VecN
    v: VecN
    tau: VecN
    """Generalised forces that hold the robot, zero for a floating base, (nv,)."""
    forces: dict[str, list[float]]
    """Forces of the ground on each point, in the world [N]."""
    vdot: VecN
    """Remaining accelerations, (nv,); zero in an equilibrium."""
    motion: EquationsOfMotion = field(repr=False)
    """Equations of motion, with the points on the ground as feet."""
    linear: LinearEquations = field(repr=False)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.A, self.B))

    @property
    def states(self) -> tuple[str, ...]:
        """Names of x: changes of position, by their rates, then of speed."""
        names = [c.name for c in self.motion.expressions.robot.v]
        return (*(f"integral of {name}" for name in names), *names)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of u: the speeds along which the torques act."""
        e = self.motion.expressions
        return tuple(e.robot.v[k].name for k in e.driven)

    @property
    def is_equilibrium(self) -> bool:
        """Whether the torques and the ground hold the robot in the state."""
        return bool(np.abs(self.vdot).max(initial=0.0) <= STILL and not self.v.any())

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Poles, the least stable first [1/s]."""
        poles = np.linalg.eigvals(self.A).astype(np.complex128)
        return poles[np.lexsort((poles.imag, -poles.real))]

    def block(self) -> Block:
        """Return A and B as expressions, to inspect, evaluate elsewhere or export."""
        return self.linear.block(self.motion.parameters)

    def state_space(self) -> Any:
        """Return the system for the package python-control, with all states as outputs.

        It allows no dots in names; they become strokes.

        Raises:
            MissingToolError: the package is not installed.
        """
        try:
            state_space = import_module("control").ss
        except (ImportError, AttributeError):  # a folder 'control' is not the package
            problem = "state_space needs the package 'control': pip install control."
            raise MissingToolError(problem) from None
        n, m = self.B.shape
        states = [name.replace(".", "/") for name in self.states]
        return state_space(
            self.A,
            self.B,
            np.eye(n),
            np.zeros((n, m)),
            states=states,
            inputs=[name.replace(".", "/") for name in self.inputs],
            outputs=states,
        )


def linearize(
    robot: Robot,
    *,
    keyframe: str | None = None,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    ground: SpringGround | None = None,
    parameters: Parameters = "sparse",
    values: Mapping[str, float] | None = None,
) -> RobotLinearization:
    """Return the matrices A and B of a robot linearised about a state.

    Args:
        robot: any robot whose joints form a tree.
        keyframe: the pose by name; None for ``start``, else the model's own.
        q: the pose itself instead, (nq,), in MuJoCo's layout.
        v: the speeds, (nv,); at rest if not given.
        tau: generalised forces, (nv,) [N, N m]; the smallest that hold it, together
            with the ground, if not given.
        ground: springs under what touches the ground in the pose; None for the
            defaults.
        parameters: which of the robot's numbers stay parameters.
        values: of some of them, by name, instead of the model's.

    Raises:
        UnknownNameError: no such keyframe.
        ShapeError: an array of another shape, or that is not finite.
        ConfigError: closed loops.
    """
    model = robot.model
    pose = pose_of(robot, keyframe) if q is None else expect_array("q", q, (model.nq,))
    speed = np.zeros(model.nv) if v is None else expect_array("v", v, (model.nv,))
    given = None if tau is None else expect_array("tau", tau, (model.nv,))
    feet = standing_points(robot, pose)
    points = [point for foot in feet.values() for point in foot]
    shares = [1.0 / len(foot) for foot in feet.values() for _ in foot]
    motion = EquationsOfMotion(robot, parameters, "quaternion", tuple(points), "numpy")
    motion.parameters |= {
        k: x for k, x in (values or {}).items() if k in motion.parameters
    }
    torques, forces = _held(motion, pose, speed, given)
    spring = (ground or SpringGround()) if points else None
    ends = _anchors(motion, pose, speed, forces, spring, shares)
    linear = LinearEquations(motion.expressions, spring, shares, ends)
    vdot = motion.forward_dynamics(pose, speed, torques, forces)
    A, B = _matrices(motion, linear, np.concatenate([pose, speed, vdot, torques]))
    return RobotLinearization(
        A,
        B,
        pose,
        speed,
        torques,
        {p.name: f.tolist() for p, f in zip(points, forces, strict=True)},
        vdot,
        motion,
        linear,
    )


def _held(
    motion: EquationsOfMotion, q: VecN, v: VecN, tau: VecN | None
) -> tuple[VecN, Array]:
    """Return the smallest torques and forces on feet that leave no acceleration.

    Args:
        motion: of the robot, with the points it stands on as feet.
        q: the pose, (nq,).
        v: the speeds, (nv,).
        tau: the torques if they are known, (nv,); else they are found, too.
    """
    nv, feet = motion.nv, len(motion.feet)
    driven = motion.expressions.driven
    bias = motion.bias(q, v)
    pads = (
        motion.foot_jacobians(q).reshape(3 * feet, nv).T if feet else np.zeros((nv, 0))
    )
    S = np.eye(nv)[:, driven]
    known = np.zeros(nv) if tau is None else tau
    columns = np.hstack([S, pads]) if tau is None else pads
    found: VecN = np.zeros(0)
    if columns.size:
        found = np.asarray(np.linalg.lstsq(columns, bias - known)[0], dtype=float)
    torques = known.copy()
    if tau is None:
        torques[driven] = found[: len(driven)]
        found = found[len(driven) :]
    return torques, found.reshape(feet, 3)


def _anchors(
    motion: EquationsOfMotion,
    q: VecN,
    v: VecN,
    forces: Array,
    ground: SpringGround | None,
    shares: list[float],
) -> Array:
    """Return where springs must be held for their forces to be these, (points, 3)."""
    if ground is None:
        return np.zeros((0, 3))
    part = np.array(shares)[:, None]
    slow = part * ground.damping * motion.foot_velocities(q, v)
    return motion.foot_positions(q) + (forces + slow) / (part * ground.stiffness)


def _matrices(
    motion: EquationsOfMotion, linear: LinearEquations, at: VecN
) -> tuple[Array, Array]:
    """Return A and B as numbers: derivatives from the tape, solved by NumPy."""
    nv, driven = motion.nv, motion.expressions.driven
    own = [p.value for p in linear.parameters]
    numbers = np.array([*motion.parameters.values(), *own], dtype=float)
    columns = interpret(linear.program(), at, numbers).reshape(4 * nv, nv).T
    slopes, upper = columns[:, : 2 * nv], columns[:, 2 * nv :]
    right = np.hstack([slopes, np.eye(nv)[:, driven]])
    M = motion.mass_matrix(at[: motion.nq])
    lower = np.asarray(np.linalg.solve(M, right), dtype=float)
    A = np.vstack([upper, lower[:, : 2 * nv]])
    B = np.vstack([np.zeros((nv, len(driven))), lower[:, 2 * nv :]])
    return A, B
