"""Wire a whole robot: let its modules talk until each knows the robot's mass.

This is where the programs of the single modules meet; they share nothing but messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from equipoise.control.com.mass.program import MassProgram, MassState, Rule
from equipoise.control.com.module_frames import ModuleSensed, RelativeMotion
from equipoise.control.com.world_frame import (
    Anchor,
    Placed,
    WorldFrame,
    com_velocity,
)
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.modules.runtime import RoundsOutcome, run_rounds
from equipoise.modules.transports.transport import InMemory, Link
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module_body import mating
from equipoise.robots.robot import Robot
from equipoise.spatial.mass.mass import MassProperties

__all__ = ["LearnedMass", "docks", "learn_mass", "sensed_modules"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LearnedMass:
    """Mass properties that the modules have learnt; index 0 is the first module."""

    whole_M: tuple[MassProperties, ...]
    """Each module's estimate of the whole robot, in its own frame."""
    whole_W: tuple[MassProperties, ...]
    """The same in the world, from the frame passed on by the leader."""
    behind_M: tuple[tuple[MassProperties | None, ...], ...]
    """For each module and connector what lies behind it, in the module's frame; None
    where nothing is docked."""
    v_WC: Array
    """Each module's estimate of the velocity of the whole robot's centre of mass,
    (modules, 3) [m/s]."""
    diameter: int
    """Largest distance between two modules, in links."""
    rounds: int
    """Deliveries until every module was exact: the last round that sent anything. The
    values are computed one pass of the main loop later."""
    messages: int
    """Total number of mass messages."""
    frame_messages: int
    """Number of messages by which the world frame was passed on."""


def docks(assembly: Assembly) -> tuple[Link, ...]:
    """Return the assembly's connections as links between (module, connector) ends."""
    return tuple(
        ((c.a, c.a_connector), (c.b, c.b_connector)) for c in assembly.connections
    )


def sensed_modules(
    assembly: Assembly,
    angles: Sequence[Sequence[float]] | Array | None = None,
    rates: Sequence[Sequence[float]] | Array | None = None,
) -> tuple[ModuleSensed, ...]:
    """Return what each module senses.

    Args:
        assembly: the robot.
        angles: joint values, (modules, joints); None for those at the start.
        rates: joint rates, (modules, joints); None for a robot at rest.

    Raises:
        ConfigError: not one row a module and one column a joint.
    """
    shape = (len(assembly.modules), len(assembly.body.joints))
    start = [m.angles for m in assembly.modules]
    q = np.asarray(start if angles is None else angles, dtype=np.float64)
    v = np.asarray(np.zeros(shape) if rates is None else rates, dtype=np.float64)
    problems = [
        f"{name} must have shape {shape}, one row per module, got {value.shape}"
        for name, value in (("angles", q), ("rates", v))
        if value.shape != shape
    ]
    if problems:
        raise ConfigError(f"assembly '{assembly.name}'", problems)
    turns: list[list[int | None]] = [
        [None] * len(assembly.body.connectors) for _ in assembly.modules
    ]
    for c in assembly.connections:
        turns[c.a][c.a_connector] = turns[c.b][c.b_connector] = c.turn
    return tuple(
        ModuleSensed(tuple(a.tolist()), tuple(r.tolist()), tuple(t))
        for a, r, t in zip(q, v, turns, strict=True)
    )


def learn_mass(
    robot: Robot | Assembly,
    angles: Sequence[Sequence[float]] | Array | None = None,
    rates: Sequence[Sequence[float]] | Array | None = None,
    *,
    rule: Rule = "echo",
    dtype: DTypeLike = np.float64,
    W_G: RelativeMotion | None = None,
) -> LearnedMass:
    """Return what modules learn of a robot's mass properties from a cold start.

    The module on the ground is the leader that hands out the world frame.

    Args:
        robot: a tree of modules, as a robot or as its plan.
        angles: joint values, (modules, joints) [rad]; None for those at the start.
        rates: joint rates, (modules, joints) [rad/s]; None for a robot at rest.
        rule: when a module sends.
        dtype: number format of messages and sums.
        W_G: motion in the world of the frame on which the grounded face stands; None
            is the world frame itself.

    Raises:
        ConfigError: the robot is not made of modules; ``angles`` or ``rates`` do not
            fit it; unknown ``rule``.
    """
    assembly = robot.assembly if isinstance(robot, Robot) else robot
    if assembly is None:
        problem = "it is not made of modules, only a module assembly can learn its mass"
        raise ConfigError(f"robot '{robot.name}'", [problem])
    sensed = sensed_modules(assembly, angles, rates)
    program = MassProgram(assembly.body, rule=rule, dtype=dtype)
    mass = run_rounds([program] * len(sensed), sensed, InMemory(docks(assembly)))
    W_M, frame_messages = _hand_out_frame(assembly, sensed, W_G)
    whole = [s.whole for s in mass.states if s.whole is not None]
    seen = [lump.seen_from(motion) for lump, motion in zip(whole, W_M, strict=True)]
    return LearnedMass(
        whole_M=tuple(lump.mass for lump in whole),
        whole_W=tuple(lump.mass for lump in seen),
        behind_M=_behind(mass),
        v_WC=np.array([com_velocity(*pair) for pair in zip(whole, W_M, strict=True)]),
        diameter=assembly.diameter,
        rounds=mass.last_sending_round,
        messages=mass.messages,
        frame_messages=frame_messages,
    )


def _behind(
    outcome: RoundsOutcome[MassState],
) -> tuple[tuple[MassProperties | None, ...], ...]:
    return tuple(
        tuple(None if lump is None else lump.mass for lump in state.behind)
        for state in outcome.states
    )


def _hand_out_frame(
    assembly: Assembly, sensed: Sequence[ModuleSensed], W_G: RelativeMotion | None
) -> tuple[tuple[RelativeMotion, ...], int]:
    """Return each module's motion in the world, as told from the ground up."""
    ground = assembly.ground
    stands_on = RelativeMotion.still(mating(0))
    W_C = stands_on if W_G is None else W_G @ stands_on
    anchor = Anchor(ground.connector, W_C)
    placed = [
        Placed(module, anchor if k == ground.module else None)
        for k, module in enumerate(sensed)
    ]
    programs = [WorldFrame(assembly.body)] * len(placed)
    outcome = run_rounds(programs, placed, InMemory(docks(assembly)))
    told = [state.W_M for state in outcome.states]
    return tuple(motion for motion in told if motion is not None), outcome.messages
