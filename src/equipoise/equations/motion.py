"""Equations of motion of any robot, ready to call: ``equipoise.derive(robot)``.

    motion = eq.derive(eq.load("warp1"))
    vdot = motion.forward_dynamics(q, v, tau)

Arrays have MuJoCo's layout: ``q`` is ``qpos`` and ``v`` is ``qvel``, a floating body's
velocity linear in W and angular in B. Any number of states can be given at once,
(..., nq); what comes back has the same leading axes. Armature is in the equations;
``left_out`` says what of a model is not: springs, dampers, friction, limits.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.kinds import Attitude, Parameters, Precision, Target
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.export import (
    complaints,
    export_block,
    export_texts,
    safe_name,
)
from equipoise.equations.blocks.of_robot import robot_block
from equipoise.equations.emit.callable import Compiled
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.functions import Engine, RobotFunctions, shaped
from equipoise.equations.robot.kinematics import joint_lines
from equipoise.equations.robot.left_out import left_out
from equipoise.equations.robot.links import robot_tree
from equipoise.equations.robot.named_tree import FootPoint, pose_in
from equipoise.equations.tape.program import Operations, program
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import pose_of

if TYPE_CHECKING:
    from equipoise.equations.cuda.module import Backend
    from equipoise.equations.linear.linearize import RobotLinearization
    from equipoise.equations.robot.gpu import GpuEquations
    from equipoise.equations.robot.ground import SpringGround

__all__ = ["EquationsOfMotion", "derive"]


def derive(
    robot: Robot,
    *,
    parameters: Parameters = "sparse",
    attitude: Attitude = "quaternion",
    feet: Sequence[str | FootPoint] | None = None,
    engine: Engine = "llvm",
) -> "EquationsOfMotion":
    """Return a robot's equations of motion.

    Args:
        robot: any robot; its joints form a tree.
        parameters: which of its numbers stay parameters, by name: ``sparse`` those
            that are not zero, ``general`` all, ``numbers`` none.
        attitude: of floating bodies: ``quaternion``, MuJoCo's layout, without a
            singularity; or ``yaw-pitch-roll``, with velocities in B, as counted.
        feet: points on which forces from outside act, or names of geoms, sites or
            bodies, whose origins then do; those that the robot names if not given.
        engine: what computes: ``llvm`` compiles each function when it is first called,
            ``numpy`` nothing, which is quicker for a few calls or many states at once.

    Raises:
        ConfigError: closed loops, nothing that moves, or a foot that does not exist.
        UnknownNameError: a foot's body does not exist.
    """
    where = robot.feet if feet is None else tuple(feet)
    return EquationsOfMotion(robot, parameters, attitude, where, engine)


def _nothing(q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> None:
    """Stand in where there is no short way to a function."""


@final
class EquationsOfMotion:
    """Equations of motion of a robot as functions of its state, built on first use.

    ``expressions`` has the same as expressions on a tape, to build on.
    """

    def __init__(
        self,
        robot: Robot,
        parameters: Parameters,
        attitude: Attitude,
        feet: tuple[str | FootPoint, ...],
        engine: Engine,
    ) -> None:
        self.robot = robot
        self.kind: Parameters = parameters
        self.attitude: Attitude = attitude
        self.feet = feet
        tree = robot_tree(
            robot.model, robot.name, feet=feet, parameters=parameters, attitude=attitude
        )
        self.expressions = RobotEquations(tree)
        self.parameters = {p.name: p.value for p in tree.parameters}
        """Values of the parameters by name."""
        self.functions = RobotFunctions(self.expressions, self.parameters, engine)
        """The same by name, as programs and functions."""
        self.nq, self.nv = len(tree.q), len(tree.v)
        """How many coordinates and speeds there are."""

    @property
    def start(self) -> VecN:
        """Coordinates of keyframe ``start``, else the model's own, (nq,)."""
        return pose_in(self.attitude, self.robot.model, pose_of(self.robot))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Features of the model that are not in the equations, with their number."""
        return left_out(self.robot.model)

    def with_parameters(self, values: Mapping[str, float]) -> "EquationsOfMotion":
        """Return the same equations with other values of some parameters.

        Raises:
            UnknownNameError: no such parameter.
        """
        for name in values:
            if name not in self.parameters:
                where = f"the equations of '{self.robot.name}'"
                raise UnknownNameError("parameter", name, self.parameters, where)
        engine = self.functions.engine
        other = EquationsOfMotion(
            self.robot, self.kind, self.attitude, self.feet, engine
        )
        other.parameters |= {name: float(x) for name, x in values.items()}
        return other

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: ArrayLike | None = None,
    ) -> Array:
        """Return the accelerations, (..., nv).

        Args:
            q: coordinates, (..., nq).
            v: speeds, (..., nv).
            tau: generalised forces along the speeds, (..., nv) [N, N m].
            forces: on the feet, in the world, (..., feet, 3); none if not given [N].

        Raises:
            ShapeError: an array of another shape.
        """
        if forces is not None:
            return self.functions.call("forward_on_feet", q, v, tau, forces)
        found = self._forward(q, v, tau)  # one state, as in a control loop
        if found is None:  # anything else
            return self.functions.call("forward_dynamics", q, v, tau)
        return found

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        vdot: ArrayLike,
        forces: ArrayLike | None = None,
    ) -> Array:
        """Return the generalised forces that a motion requires, (..., nv) [N, N m].

        Args:
            q: coordinates, (..., nq).
            v: speeds, (..., nv).
            vdot: accelerations, (..., nv).
            forces: on the feet, in the world, (..., feet, 3); none if not given [N].

        Raises:
            ShapeError: an array of another shape.
        """
        if forces is not None:
            return self.functions.call("inverse_on_feet", q, v, vdot, forces)
        return self.functions.call("inverse_dynamics", q, v, vdot)

    @cached_property
    def _forward(self) -> Callable[..., Array | None]:
        function = self.functions.function("forward_dynamics")
        if isinstance(function, Compiled):
            return function.of_three(self.nq, self.nv)
        return _nothing

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return gravity, centrifugal and Coriolis forces, (..., nv) [N, N m]."""
        return self.functions.call("bias", q, v)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """Return the mass matrix, (..., nv, nv)."""
        values = self.functions.call("mass_matrix", q)
        full = np.zeros((*values.shape[:-1], self.nv, self.nv))
        rows, columns = np.array(list(self.expressions.mass_matrix())).T
        full[..., rows, columns] = values
        full[..., columns, rows] = values
        return full

    def centre_of_mass(self, q: ArrayLike) -> Array:
        """Return the centre of mass of all moving bodies, in W, (..., 3) [m]."""
        return self.functions.call("com", q)

    def com_jacobian(self, q: ArrayLike) -> Array:
        """Return the Jacobian of the centre of mass, (..., 3, nv)."""
        return shaped(self.functions.call("com_jacobian", q), 3, self.nv)

    def foot_positions(self, q: ArrayLike) -> Array:
        """Return the positions of the feet in the world, (..., feet, 3) [m]."""
        return shaped(self.functions.call("feet", q), -1, 3)

    def foot_velocities(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the velocities of the feet in the world, (..., feet, 3) [m/s]."""
        return shaped(self.functions.call("foot_velocities", q, v), -1, 3)

    def foot_jacobians(self, q: ArrayLike) -> Array:
        """Return the Jacobians of the feet, (..., feet, 3, nv)."""
        return shaped(self.functions.call("foot_jacobians", q), -1, 3, self.nv)

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the kinetic energy, armature included, (...) [J]."""
        return self.functions.call("kinetic_energy", q, v)[..., 0]

    def potential_energy(self, q: ArrayLike) -> Array:
        """Return the energy of gravity, zero at the world's origin, (...) [J]."""
        return self.functions.call("potential_energy", q)[..., 0]

    def lines(self, q: ArrayLike) -> Array:
        """Return lines between joints that draw the robot, (..., lines, 2, 3) [m]."""
        return shaped(self.functions.call("lines", q), -1, 2, 3)

    @cached_property
    def line_names(self) -> tuple[str, ...]:
        """End of each of ``lines``: a joint, a foot or the end of a branch."""
        return tuple(line.name for line in joint_lines(self.expressions.robot))

    @cached_property
    def operations(self) -> Operations:
        """Operations of mass matrix, forcing and kinematics.

        Counted with yaw, pitch and roll and velocities in B, whatever the attitude:
        upper triangle of the mass matrix in the links' axes, forcing with torques at
        the joints and forces at the feet, rates of all coordinates.
        """
        same, angles = self, "yaw-pitch-roll"
        if self.attitude != angles:
            same = EquationsOfMotion(self.robot, self.kind, angles, self.feet, "numpy")
        e = same.expressions
        parameters = [p.symbol for p in e.robot.parameters]
        given = same.functions.symbols("qvtf")
        return program(e.counted(), given, parameters).operations

    @cached_property
    def block(self) -> Block:
        """Block with states, rates, inputs ``tau`` and a force per foot."""
        return self.block_with()

    def block_with(self, *outputs: str) -> Block:
        """Return the block with more outputs than ``acceleration``.

        Args:
            outputs: any of ``com``, ``feet``, ``foot_velocities``, ``lines`` and the
                other quantities that follow from coordinates and speeds.

        Raises:
            UnknownNameError: no such output.
        """
        return robot_block(self.expressions, outputs, self.parameters, self.start)

    def export(
        self,
        folder: str | Path,
        *,
        target: Target = "host",
        precision: Precision = "double",
    ) -> list[Path]:
        """Write ``block`` as C with its info file; return the files.

        Args:
            folder: where to; made if it is not there.
            target: ``host``, ``simd``, ``cortex-m``, ``atmega128`` or ``cuda``: then
                ``NAME.cu`` with a kernel for each of ``gpu_kernels.USUAL``.
            precision: ``double`` or ``single``.

        Raises:
            ConfigError: no such target or precision.
        """
        if target == "cuda":
            return export_texts(self.cuda_texts(precision), folder).files
        return export_block(self.block, folder, target, precision)

    def cuda_texts(
        self, precision: Precision = "double", more: Sequence[str] = ()
    ) -> dict[str, str]:
        """Return what ``export_block`` writes for ``cuda``, by file name.

        Args:
            precision: ``double`` or ``single``.
            more: quantities that get a kernel beside the usual ones.

        Raises:
            ConfigError: no such precision.
            UnknownNameError: no such quantity.
        """
        from equipoise.equations.robot.gpu_kernels import robot_cuda, usual

        problems = complaints(self.block, "cuda", precision)
        if problems:
            raise ConfigError(f"an export of '{self.robot.name}'", problems)
        names = dict.fromkeys((*usual(self.functions), *more))
        prefix = safe_name(self.robot.name)
        file = robot_cuda(self.functions, prefix, precision, list(names))
        return file.texts(
            name=self.robot.name,
            attitude=self.attitude,
            left_out=list(self.left_out),
        )

    def on_gpu(
        self,
        *,
        precision: Precision = "single",
        exact: bool = False,
        backend: "Backend" = "auto",
    ) -> "GpuEquations":
        """Return the equations for many robots at once on a graphics card.

        The values of the parameters are written into the kernels.

        Args:
            precision: ``single`` or ``double``, of all arrays.
            exact: round every product and sum by itself: the bits of the exported C.
            backend: ``cupy``, ``torch``, ``host`` (this computer, by a C++ compiler) or
                ``auto``: the first of the first two that sees a card.

        Raises:
            ConfigError: no such precision or backend.
            MissingExtraError: neither CuPy nor PyTorch is installed and sees a card.
        """
        from equipoise.equations.robot.gpu import GpuEquations

        return GpuEquations(self.functions, precision, exact, backend)

    def linearize(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        keyframe: str | None = None,
        ground: "SpringGround | None" = None,
    ) -> "RobotLinearization":
        """Return A and B about a state, on springs; see ``linearize.linearize``.

        Args:
            q: the pose, (nq,), in MuJoCo's layout; a keyframe if not given.
            v: the speeds, (nv,); at rest if not given.
            tau: generalised forces, (nv,); those that hold it if not given.
            keyframe: its name; None for ``start``, else the model's own pose.
            ground: under what touches it; None for the defaults.

        Raises:
            UnknownNameError: no such keyframe.
            ShapeError: an array of another shape, or that is not finite.
        """
        from equipoise.equations.linear.linearize import linearize

        return linearize(
            self.robot,
            keyframe=keyframe,
            q=q,
            v=v,
            tau=tau,
            ground=ground,
            parameters=self.kind,
            values=self.parameters,
        )
