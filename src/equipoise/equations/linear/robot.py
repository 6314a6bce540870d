"""A robot's equations about a state: dx/dt = A x + B u; [Ridderstrom2003] eq. (6.16).

x is a small change of position, then of speed, (2 nv,): positions as MuJoCo integrates
them, so that a floating body has three of place in W and three of rotation in B, and
there is no singular attitude. Changes are those from the motion that passes through the
state, as MuJoCo's own linearisation has them. u is a change of the joints' torques.

With E(q, v, dv/dt) the torques that a motion takes beyond those that act, ground
included, A = -M^-1 dE/dx and B = M^-1 S.
"""

from collections.abc import Mapping, Sequence
from typing import final

from equipoise.core.arrays import Array
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal
from equipoise.equations.blocks.of_robot import used_parameters
from equipoise.equations.mechanism.attitude import quaternion_rate
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.ground import SpringGround
from equipoise.equations.robot.kinematics import position, velocity
from equipoise.equations.robot.recursions import generalised_forces, mass_matrix
from equipoise.equations.tape.derivatives import directional
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.solve import symbolic_solution
from equipoise.equations.tape.tape import ONE, Expr
from equipoise.equations.tape.vectors import (
    Vec,
    cross_product,
    scaled_vector,
    vector_difference,
)

__all__ = ["LinearEquations"]


@final
class LinearEquations:
    """The expressions of A and B of a robot on springs.

    Args:
        equations: of the robot in MuJoCo's layout, with the points that stand on the
            ground as feet.
        ground: under each foot; None for a robot without ground.
        shares: the part of a foot's ground that each point has, in order.
        anchors: where the springs are held, in the world, (points, 3) [m].
    """

    def __init__(
        self,
        equations: RobotEquations,
        ground: SpringGround | None,
        shares: Sequence[float],
        anchors: Array,
    ) -> None:
        self.equations = equations
        self.parameters: list[Parameter] = []
        self.forces: dict[str, Vec] = {}
        if ground is not None:
            self.forces = self.springs(ground, shares, anchors)
        self.vdot = equations.accelerations()
        e = equations
        given = e.rotated(self.vdot, inwards=True)
        efforts = generalised_forces(e.tree, given, e.loads(self.forces))
        tau = e.rotated(e.torques(), inwards=True)
        self.efforts = [x - t for x, t in zip(efforts, tau, strict=True)]

    def springs(
        self, ground: SpringGround, shares: Sequence[float], anchors: Array
    ) -> dict[str, Vec]:
        """Return the forces on the feet as expressions."""
        robot = self.equations.robot
        stiffness = self.parameter("ground.stiffness", ground.stiffness, "[N/m]")
        damping = self.parameter("ground.damping", ground.damping, "[N s/m]")
        found: dict[str, Vec] = {}
        given = zip(robot.points.items(), shares, anchors, strict=True)
        for (name, at), share, anchor in given:
            x, y, z = (
                self.parameter(f"{name}.anchor.{k}", float(c), "end of its spring [m]")
                for k, c in zip("xyz", anchor, strict=True)
            )
            stretch = vector_difference((x, y, z), position(robot, *at))
            slow = scaled_vector(share * damping, velocity(robot, *at))
            found[name] = vector_difference(
                scaled_vector(share * stiffness, stretch), slow
            )
        return found

    def parameter(self, name: str, value: float, what: str) -> Expr:
        """Return a new parameter."""
        tape = self.equations.robot.tape
        while name in tape.names:
            name += "'"
        symbol = tape.symbol(name, "parameter")
        self.parameters.append(Parameter(name, symbol, value, what))
        return symbol

    def directions(self) -> list[dict[int, int]]:
        """Return, for each change of x, the change of the symbols."""
        e = self.equations
        tape, zero = e.robot.tape, e.tree.zero
        one = tape.constant(1.0)
        q = list(e.q)
        found: list[dict[int, int]] = []
        for link in e.tree.links:
            if link.joint == "free":
                found += [{symbol.ref: ONE} for symbol in q[:3]]
                q = q[3:]
            if link.joint in ("hinge", "slide"):
                found.append({q[0].ref: ONE})
                q = q[1:]
                continue
            for k in range(3):
                spin = [zero] * 3
                spin[k] = one
                rate = quaternion_rate(q[:4], (spin[0], spin[1], spin[2]))
                found.append({s.ref: r.ref for s, r in zip(q[:4], rate, strict=True)})
            q = q[4:]
        return found + [{symbol.ref: ONE} for symbol in e.v]

    def slopes(self) -> list[list[Expr]]:
        """Return the columns of -dE/dx, in the links' axes, 2 nv of them."""
        columns = directional(self.efforts, self.directions())
        return [[-x for x in column] for column in columns]

    def pushes(self) -> list[list[Expr]]:
        """Return the columns of S: one in the row of a joint's torque."""
        e = self.equations
        zero, one = e.tree.zero, e.robot.tape.constant(1.0)
        rows = range(e.tree.nv)
        return [[one if i == k else zero for i in rows] for k in e.driven]

    def kinematics(self) -> list[list[Expr]]:
        """Return the upper half of A by columns: rates of position, 2 nv of them.

        A rotation changes by the change of spin, less ω × (rotation).
        """
        e = self.equations
        nv, zero, one = e.tree.nv, e.tree.zero, e.robot.tape.constant(1.0)
        found = [[zero] * nv for _ in range(2 * nv)]
        for k in range(nv):
            found[nv + k][k] = one
        for link, at in zip(e.tree.links, e.tree.columns(), strict=True):
            if link.joint in ("hinge", "slide"):
                continue
            first = at + len(link.v) - 3
            w = e.v[first : first + 3]
            for k in range(3):
                unit = [zero] * 3
                unit[k] = one
                turn = cross_product((unit[0], unit[1], unit[2]), (w[0], w[1], w[2]))
                found[first + k][first : first + 3] = list(turn)
        return found

    def block(self, values: Mapping[str, float]) -> Block:
        """Return A and B, row by row, as a block of q, v, dv/dt and tau.

        Args:
            values: of the robot's parameters, by name.
        """
        e = self.equations
        M = mass_matrix(e.tree)
        lower = [
            e.rotated(symbolic_solution(M, column), inwards=False)
            for column in (*self.slopes(), *self.pushes())
        ]
        n, nv = 2 * e.tree.nv, e.tree.nv
        A = [*zip(*self.kinematics(), strict=True), *zip(*lower[:n], strict=True)]
        B = [[e.tree.zero] * len(e.driven)] * nv
        B += [list(row) for row in zip(*lower[n:], strict=True)]
        outputs = [Output("A", tuple(x for row in A for x in row), "row by row")]
        if e.driven:
            outputs.append(
                Output("B", tuple(x for row in B for x in row), "row by row")
            )
        results = [x for output in outputs for x in output.values]
        return Block(
            f"{e.robot.name}_linear",
            parameters=(*used_parameters(e, results, values), *self.parameters),
            inputs=(
                Signal("q", tuple(e.q), "coordinates"),
                Signal("v", tuple(e.v), "speeds"),
                Signal("vdot", tuple(self.vdot), "accelerations"),
                Signal("tau", tuple(e.torques()), "generalised forces"),
            ),
            outputs=tuple(outputs),
            help=f"A and B of {e.robot.name} about a state.",
        )

    def program(self) -> Program:
        """Return -dE/dx and the kinematics of A, by columns; inputs as of ``block``."""
        e = self.equations
        slopes = [e.rotated(column, inwards=False) for column in self.slopes()]
        outputs = [x for column in (*slopes, *self.kinematics()) for x in column]
        parameters = [p.symbol for p in (*e.robot.parameters, *self.parameters)]
        return program(outputs, [*e.q, *e.v, *self.vdot, *e.torques()], parameters)
