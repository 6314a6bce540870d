"""A robot's equations as a block: states with rates, torques and forces in."""

from collections.abc import Mapping, Sequence

from equipoise.core.arrays import VecN
from equipoise.core.errors import UnknownNameError
from equipoise.equations.blocks.block import (
    Block,
    Output,
    Parameter,
    Signal,
    State,
    free_symbols,
)
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.lanes import robot_lanes
from equipoise.equations.robot.quantities import QUANTITIES
from equipoise.equations.tape.tape import Expr

__all__ = ["OUTPUTS", "robot_block", "used_parameters"]

OUTPUTS = tuple(k for k, x in QUANTITIES.items() if set(x.inputs) <= set("qv"))
"""What a robot's block can put out, beside ``acceleration``."""


def robot_block(
    equations: RobotEquations,
    outputs: Sequence[str],
    values: Mapping[str, float],
    start: VecN,
) -> Block:
    """Return a robot as a block, with its accelerations among the outputs.

    Args:
        equations: of the robot.
        outputs: more outputs, any of ``OUTPUTS``.
        values: of the parameters, by name.
        start: initial coordinates, (nq,); it starts at rest.

    Raises:
        UnknownNameError: no such output.
    """
    e, robot = equations, equations.robot
    for name in outputs:
        if name not in OUTPUTS:
            where = f"the block of '{robot.name}'"
            raise UnknownNameError("output", name, OUTPUTS, where)
    torques, forces = e.joint_torques(), e.forces()
    vdot = e.forward(torques, forces)
    states = [
        State(c.name, c.symbol, rate, float(x), "coordinate")
        for c, rate, x in zip(robot.q, e.rates, start, strict=True)
    ]
    states += [
        State(c.name, c.symbol, rate, 0.0, "speed")
        for c, rate in zip(robot.v, vdot, strict=True)
    ]
    inputs: list[Signal] = []
    if e.driven:
        inputs.append(Signal("tau", tuple(torques[k] for k in e.driven), TAU))
    inputs += [Signal(f"{foot}.force", f, FORCE) for foot, f in forces.items()]
    puts = [Output("acceleration", tuple(vdot), "rates of the speeds")]
    for name in dict.fromkeys(outputs):
        written = QUANTITIES[name].write(e)
        if written:
            puts.append(Output(name, tuple(written), QUANTITIES[name].help))
    results = [s.rate for s in states] + [x for put in puts for x in put.values]
    return Block(
        robot.name,
        parameters=used_parameters(e, results, values),
        states=tuple(states),
        inputs=tuple(inputs),
        outputs=tuple(puts),
        help=f"Equations of motion of {robot.name}.",
        lanes=robot_lanes(e),
    )


def used_parameters(
    equations: RobotEquations, results: Sequence[Expr], values: Mapping[str, float]
) -> tuple[Parameter, ...]:
    """Return the parameters that some expressions depend on, with their values."""
    used = {s.ref for s in free_symbols(results)}
    return tuple(
        Parameter(p.name, p.symbol, values[p.name], p.help)
        for p in equations.robot.parameters
        if p.symbol.ref in used
    )


TAU = "torques and forces at the joints, along their speeds [N m, N]"
FORCE = "force on the foot, in the world [N]"
