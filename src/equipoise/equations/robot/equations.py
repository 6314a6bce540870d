"""Equations of motion of a robot on its tape, in the layout of its coordinates.

M(q) dv/dt + bias(q, v) = tau + sum of J' f over the feet. With quaternions the layout
is MuJoCo's: a floating body's velocity, acceleration and force are linear in W and
angular in B. With yaw, pitch and roll all of them are in B.
"""

from collections.abc import Mapping, Sequence

from equipoise.equations.robot.kinematics import (
    force_on_link,
    mechanism_centre_of_mass,
    total_mass,
)
from equipoise.equations.robot.named_tree import RobotTree
from equipoise.equations.robot.recursions import (
    LinkLoad,
    generalised_forces,
    mass_matrix,
    vector,
)
from equipoise.equations.robot.tree import RigidLink
from equipoise.equations.tape.solve import symbolic_solution
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, cross_product, inner_product, plus

__all__ = [
    "RobotEquations",
]


class RobotEquations:
    """Builds expressions for one robot; each call adds what is not there yet.

    Symbols of inputs are made when they are first asked for.
    """

    def __init__(self, robot: RobotTree) -> None:
        self.robot = robot
        self.tree = robot.tree
        self._inputs: dict[str, tuple[Expr, ...]] = {}

    @property
    def q(self) -> list[Expr]:
        """The coordinates."""
        return [c.symbol for c in self.robot.q]

    @property
    def v(self) -> list[Expr]:
        """The speeds."""
        return [c.symbol for c in self.robot.v]

    @property
    def rates(self) -> list[Expr]:
        """The rates of the coordinates."""
        return [c.rate for c in self.robot.q if c.rate is not None]

    @property
    def driven(self) -> list[int]:
        """Numbers of the speeds of joints: all but those of floating links."""
        found: list[int] = []
        for link, at in zip(self.tree.links, self.tree.columns(), strict=True):
            if link.joint != "free":
                found += range(at, at + len(link.v))
        return found

    def inputs(self, what: str, names: Sequence[str]) -> tuple[Expr, ...]:
        """Return symbols of inputs, made when first asked for."""
        if what not in self._inputs:
            tape = self.robot.tape
            made: list[Expr] = []
            for name in names:
                free = f"{name}.{what}"
                while free in tape.names:
                    free += "'"
                made.append(tape.symbol(free, "input"))
            self._inputs[what] = tuple(made)
        return self._inputs[what]

    def torques(self) -> tuple[Expr, ...]:
        """Return symbols of generalised forces along all speeds, (nv,)."""
        return self.inputs("tau", [c.name for c in self.robot.v])

    def accelerations(self) -> tuple[Expr, ...]:
        """Return symbols of accelerations, (nv,)."""
        return self.inputs("rate", [c.name for c in self.robot.v])

    def forces(self) -> dict[str, Vec]:
        """Return symbols of the forces on the feet, in the world."""
        feet = list(self.robot.points)
        names = [f"{foot}.{k}" for foot in feet for k in "xyz"]
        flat = self.inputs("force", names)
        return {foot: vector(flat[3 * k : 3 * k + 3]) for k, foot in enumerate(feet)}

    def joint_torques(self) -> list[Expr]:
        """Return generalised forces with those of floating links zero, (nv,)."""
        symbols, driven = self.torques(), set(self.driven)
        return [t if k in driven else self.tree.zero for k, t in enumerate(symbols)]

    def loads(self, forces: Mapping[str, Vec]) -> dict[int, LinkLoad]:
        """Return forces on feet as loads on links."""
        found: dict[int, LinkLoad] = {}
        for foot, force in forces.items():
            link, r = self.robot.points[foot]
            if link < 0:
                continue
            f = force_on_link(self.robot, link, force)
            moment = cross_product(r, f)
            if link in found:
                f, moment = plus(found[link].force, f), plus(found[link].moment, moment)
            found[link] = LinkLoad(f, moment)
        return found

    def forcing(
        self, torques: Sequence[Expr], forces: Mapping[str, Vec] | None = None
    ) -> list[Expr]:
        """Return what is left to accelerate, in the axes of the links, (nv,)."""
        tau = self.rotated(torques, inwards=True)
        bias = generalised_forces(self.tree, None, self.loads(forces or {}))
        return [t - b for t, b in zip(tau, bias, strict=True)]

    def forward(
        self, torques: Sequence[Expr], forces: Mapping[str, Vec] | None = None
    ) -> list[Expr]:
        """Return the accelerations, (nv,)."""
        found = symbolic_solution(mass_matrix(self.tree), self.forcing(torques, forces))
        return self.rotated(found, inwards=False)

    def inverse(
        self,
        vdot: Sequence[Expr] | None = None,
        forces: Mapping[str, Vec] | None = None,
    ) -> list[Expr]:
        """Return the generalised forces of a motion, (nv,); without one the bias."""
        given = None if vdot is None else self.rotated(vdot, inwards=True)
        tau = generalised_forces(self.tree, given, self.loads(forces or {}))
        return self.rotated(tau, inwards=False)

    def mass_matrix(self) -> dict[tuple[int, int], Expr]:
        """Return the upper triangle of the mass matrix by row and column."""
        entries = mass_matrix(self.tree)
        if self.robot.attitude != "quaternion":
            return entries
        zero, nv = self.tree.zero, self.tree.nv
        for link, at in self.floating():
            for k in range(at + 3, nv):  # what is above or left of it is zero
                column = vector([entries.get((at + i, k), zero) for i in range(3)])
                if not all(e.is_zero for e in column):
                    turned = link.turn.out(column)
                    entries |= {(at + i, k): e for i, e in enumerate(turned)}
        return {key: e for key, e in entries.items() if not e.is_zero}

    def rotated(self, values: Sequence[Expr], *, inwards: bool) -> list[Expr]:
        """Return a vector along the speeds, linear parts turned between W and B."""
        found = list(values)
        if self.robot.attitude == "quaternion":
            for link, at in self.floating():
                turn = link.turn.back if inwards else link.turn.out
                found[at : at + 3] = turn(vector(found[at : at + 3]))
        return found

    def floating(self) -> list[tuple[RigidLink, int]]:
        """Return the floating links, each with the number of its first speed."""
        both = zip(self.tree.links, self.tree.columns(), strict=True)
        return [(link, at) for link, at in both if link.joint == "free"]

    def kinetic_energy(self) -> Expr:
        """Return v' M v / 2 [J]."""
        v, total = self.v, self.tree.zero
        for (i, j), e in sorted(self.mass_matrix().items()):
            total = total + e * (0.5 * v[i] * v[i] if i == j else v[i] * v[j])
        return total

    def potential_energy(self) -> Expr:
        """Return the energy of gravity, zero with the centre of mass at zero [J]."""
        centre = mechanism_centre_of_mass(self.robot)
        return -(total_mass(self.robot) * inner_product(self.tree.gravity, centre))

    def counted(self) -> list[Expr]:
        """Return mass matrix, forcing and rates of coordinates, which get counted."""
        forcing = self.forcing(self.joint_torques(), self.forces())
        return [*mass_matrix(self.tree).values(), *forcing, *self.rates]
