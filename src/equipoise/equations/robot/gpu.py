"""A robot's equations for many robots at once on a graphics card.

    card = eq.derive(eq.load("warp1")).on_gpu(precision="single")
    vdot = card.forward_dynamics(q, v, tau)

Arrays are structures of arrays: a row for each number of a robot, robots along the last
axis, (nq, n). They are CuPy's or PyTorch's, are not copied, and what comes back belongs
to the library of the first one. A kernel is compiled when it is first called.
"""

from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.batch import KernelBatch
from equipoise.equations.cuda.module import Backend, chosen_backend, cuda_module
from equipoise.equations.robot.functions import RobotFunctions
from equipoise.equations.robot.gpu_kernels import LINEAR, robot_cuda

__all__ = ["GpuEquations"]


@final
class GpuEquations:
    """Functions of many robots' states, from ``EquationsOfMotion.on_gpu``.

    Args:
        functions: of the robot.
        precision: of all arrays: ``single`` or ``double``.
        exact: see ``cuda_module``.
        backend: see ``cuda_module``.

    Raises:
        ConfigError: no such precision or backend.
        MissingExtraError: nothing is installed that sees a card.
    """

    def __init__(
        self,
        functions: RobotFunctions,
        precision: Precision,
        exact: bool,
        backend: Backend,
    ) -> None:
        if precision not in ("single", "double"):
            problem = (
                f"there is no precision '{precision}'; there are double and single"
            )
            raise ConfigError("equations on a card", [problem])
        self.functions = functions
        self.precision: Precision = precision
        self.exact = exact
        self.backend: Backend = chosen_backend(backend)
        self._batches: dict[str, KernelBatch] = {}

    def call(self, name: str, *given: Any, out: Any = None) -> list[Any]:
        """Return what a kernel computes, an array for each of its outputs.

        Args:
            name: a quantity of ``quantities.QUANTITIES`` or ``linearization``.
            given: its inputs, each (rows, n).
            out: arrays to write to; new ones if not given.

        Raises:
            UnknownNameError: no such quantity.
            ConfigError: the robot has none of it, such as feet.
            ShapeError: an array of another shape or type, or not on the card.
        """
        if name not in self._batches:
            file = robot_cuda(
                self.functions, "robot", self.precision, [name], fixed=True
            )
            module = cuda_module(
                file.text,
                precision=self.precision,
                exact=self.exact,
                backend=self.backend,
            )
            self._batches[name] = KernelBatch(file.info(), module)
        return self._batches[name](f"robot_{name}", *given, out=out)

    def forward_dynamics(
        self, q: Any, v: Any, tau: Any, forces: Any = None, *, out: Any = None
    ) -> Any:
        """Return the accelerations, (nv, n).

        Args:
            q: coordinates, (nq, n).
            v: speeds, (nv, n).
            tau: generalised forces along the speeds, (nv, n) [N, N m].
            forces: on the feet, in the world, (feet, 3, n); none if not given [N].
            out: an array to write to; a new one if not given.

        Raises:
            ShapeError: an array of another shape or type, or not on the card.
        """
        into = None if out is None else [out]
        if forces is None:
            return self.call("forward_dynamics", q, v, tau, out=into)[0]
        return self.call("forward_on_feet", q, v, tau, forces, out=into)[0]

    def inverse_dynamics(
        self, q: Any, v: Any, vdot: Any, forces: Any = None, *, out: Any = None
    ) -> Any:
        """Return the generalised forces that motions take, (nv, n) [N, N m].

        Args:
            q: coordinates, (nq, n).
            v: speeds, (nv, n).
            vdot: accelerations, (nv, n).
            forces: on the feet, in the world, (feet, 3, n); none if not given [N].
            out: an array to write to; a new one if not given.

        Raises:
            ShapeError: an array of another shape or type, or not on the card.
        """
        into = None if out is None else [out]
        if forces is None:
            return self.call("inverse_dynamics", q, v, vdot, out=into)[0]
        return self.call("inverse_on_feet", q, v, vdot, forces, out=into)[0]

    def foot_positions(self, q: Any) -> Any:
        """Return where the feet are in the world, (feet, 3, n) [m]."""
        return self._on_feet(self.call("feet", q)[0])

    def foot_velocities(self, q: Any, v: Any) -> Any:
        """Return the velocities of the feet in the world, (feet, 3, n) [m/s]."""
        return self._on_feet(self.call("foot_velocities", q, v)[0])

    def centre_of_mass(self, q: Any) -> Any:
        """Return the centre of mass of all that moves, in the world, (3, n) [m]."""
        return self.call("com", q)[0]

    def linearize(self, q: Any, v: Any, tau: Any, vdot: Any = None) -> tuple[Any, Any]:
        """Return A, (2 nv, 2 nv, n), and B, (2 nv, joints, n), by exact derivatives.

        x is a small change of position, then of speed, as MuJoCo integrates them;
        u a change of the joints' torques. The robot is without ground.

        Args:
            q: coordinates, (nq, n).
            v: speeds, (nv, n).
            tau: generalised forces, (nv, n).
            vdot: accelerations, (nv, n); those of forward dynamics if not given.

        Raises:
            ShapeError: an array of another shape or type, or not on the card.
            ConfigError: the attitude is not a quaternion, or no joint is driven.
        """
        e, nv = self.functions.equations, self.functions.nv
        if e.robot.attitude != "quaternion" or not e.driven:
            problem = "a linearisation needs driven joints and attitude 'quaternion'"
            raise ConfigError(f"the equations of '{e.robot.name}'", [problem])
        if vdot is None:
            vdot = self.forward_dynamics(q, v, tau)
        a, b = self.call(LINEAR, q, v, vdot, tau)
        return (
            a.reshape(2 * nv, 2 * nv, a.shape[-1]),
            b.reshape(2 * nv, len(e.driven), b.shape[-1]),
        )

    def _on_feet(self, rows: Any) -> Any:
        return rows.reshape(-1, 3, rows.shape[-1])
