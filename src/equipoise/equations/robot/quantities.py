"""What can be asked about a robot's state, by name, as expressions on its tape."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.kinematics import (
    joint_lines,
    mechanism_centre_of_mass,
    position,
    velocity,
)
from equipoise.equations.tape.derivatives import jacobian, tangents
from equipoise.equations.tape.tape import Expr

__all__ = ["QUANTITIES", "RobotQuantity", "flat_rows"]


class RobotQuantity(NamedTuple):
    """Quantity of a robot, and how to write it as expressions."""

    inputs: str
    """What it depends on: q, v, t for tau, a for vdot, f for the forces on feet."""
    write: Callable[[RobotEquations], Sequence[Expr]]
    help: str


def flat_rows(rows: Sequence[Sequence[Expr]]) -> list[Expr]:
    """Return rows one after the other."""
    return [e for row in rows for e in row]


def _forward_dynamics(e: RobotEquations) -> list[Expr]:
    """Return the accelerations without forces on feet."""
    return e.forward(e.torques())


def _forward_on_feet(e: RobotEquations) -> list[Expr]:
    """Return the accelerations."""
    return e.forward(e.torques(), e.forces())


def _inverse_dynamics(e: RobotEquations) -> list[Expr]:
    """Return the generalised forces without forces on feet."""
    return e.inverse(e.accelerations())


def _inverse_on_feet(e: RobotEquations) -> list[Expr]:
    """Return the generalised forces."""
    return e.inverse(e.accelerations(), e.forces())


def _bias(e: RobotEquations) -> list[Expr]:
    """Return the forces of gravity and motion."""
    return e.inverse()


def _com(e: RobotEquations) -> list[Expr]:
    """Return the centre of mass."""
    return list(mechanism_centre_of_mass(e.robot))


def _com_velocity(e: RobotEquations) -> list[Expr]:
    """Return the velocity of the centre of mass."""
    seeds = {s.ref: r.ref for s, r in zip(e.q, e.rates, strict=True)}
    return tangents(_com(e), seeds)


def _com_jacobian(e: RobotEquations) -> list[Expr]:
    """Return the Jacobian of the centre of mass, row by row."""
    return flat_rows(jacobian(_com_velocity(e), e.v))


def _feet(e: RobotEquations) -> list[Expr]:
    """Return the places of the feet."""
    return flat_rows([position(e.robot, *at) for at in e.robot.points.values()])


def _foot_velocities(e: RobotEquations) -> list[Expr]:
    """Return the velocities of the feet."""
    return flat_rows([velocity(e.robot, *at) for at in e.robot.points.values()])


def _foot_jacobians(e: RobotEquations) -> list[Expr]:
    """Return the Jacobians of the feet, row by row."""
    return flat_rows(jacobian(_foot_velocities(e), e.v))


def _kinetic_energy(e: RobotEquations) -> list[Expr]:
    """Return the energy of motion."""
    return [e.kinetic_energy()]


def _potential_energy(e: RobotEquations) -> list[Expr]:
    """Return the energy of gravity."""
    return [e.potential_energy()]


def _lines(e: RobotEquations) -> list[Expr]:
    """Return both ends of the lines that draw the robot."""
    ends = [end for line in joint_lines(e.robot) for end in (line.start, line.end)]
    return flat_rows([position(e.robot, *end) for end in ends])


def _mass_entries(e: RobotEquations) -> list[Expr]:
    """Return the mass matrix's entries that are not zero."""
    return list(e.mass_matrix().values())


QUANTITIES = {
    "forward_dynamics": RobotQuantity("qvt", _forward_dynamics, "accelerations"),
    "forward_on_feet": RobotQuantity("qvtf", _forward_on_feet, "accelerations"),
    "inverse_dynamics": RobotQuantity("qva", _inverse_dynamics, "generalised forces"),
    "inverse_on_feet": RobotQuantity("qvaf", _inverse_on_feet, "generalised forces"),
    "bias": RobotQuantity("qv", _bias, "forces of gravity and motion"),
    "mass_matrix": RobotQuantity("q", _mass_entries, "entries of the upper triangle"),
    "com": RobotQuantity("q", _com, "centre of mass in the world [m]"),
    "com_velocity": RobotQuantity("qv", _com_velocity, "its velocity [m/s]"),
    "com_jacobian": RobotQuantity("q", _com_jacobian, "by the speeds, row by row"),
    "feet": RobotQuantity("q", _feet, "feet in the world [m]"),
    "foot_velocities": RobotQuantity("qv", _foot_velocities, "their velocities [m/s]"),
    "foot_jacobians": RobotQuantity("q", _foot_jacobians, "by the speeds, row by row"),
    "kinetic_energy": RobotQuantity("qv", _kinetic_energy, "energy of motion [J]"),
    "potential_energy": RobotQuantity("q", _potential_energy, "energy of gravity [J]"),
    "lines": RobotQuantity("q", _lines, "both ends of lines between joints [m]"),
}
"""By name."""
