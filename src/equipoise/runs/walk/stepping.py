"""How a robot of a file steps: its cycle by its speed, its gains by their margin.

Settings that are carried over by similarity know size and mass, but not how wide a
robot stands or how its mass is spread. So the loop of trunk and steps is computed
(``control.balance.step_loop``), and feet are put farther out against a velocity until
the loop has a margin.
"""

import math
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from equipoise.control.balance.step_loop import StandingPhase, StepLoop
from equipoise.control.gaits.footprint import balanced_footprint
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.sequences import support_sequence
from equipoise.control.machine import LeggedMachine
from equipoise.control.walker import WARP1, WalkerConfig
from equipoise.core.arrays import Array
from equipoise.robots.legs import centre_of_mass, foot_angles
from equipoise.runs.walk.feasible import AskedGait

__all__ = [
    "ENOUGH",
    "SMALL",
    "cycle_at",
    "is_stepping",
    "loop_margin",
    "step_loop",
    "step_warnings",
    "stepping",
    "usual_cycle",
    "velocity_of",
    "within_tried_bounds",
]

SHORT = 0.8
"""Share of the gain's way that feet count on to go: what drives and landings take."""
ENOUGH = 0.4
"""Margin up to which the gain of the steps is raised."""
SMALL = 0.25
"""Margin below which a walk is warned of."""
RAISED = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5)
"""Gains that are tried, in the one that similarity gives."""
USUAL_CYCLE = 0.65
"""Of a cycle of WARP1's trot, by which margins are compared [s]."""
LONG_STROKE = 0.55
"""Stroke of a trot in heights of the hips from which on the cycle becomes shorter."""
RESERVE = 0.2  # of the joints' speeds, that trots of robot files must leave
FASTEST = 0.6  # of such trots over √(g h): what was tried
ELASTIC = (
    "gears of a robot file that give way make it chatter and fall, or walk at another "
    "speed than it reckons: its encoders do not see by how much they wind up, and its "
    "gains are those of stiff gears; take --actuators motor"
)
PAIR = 2  # feet on which a gait stands at least, to be balanced by its steps


def is_stepping(machine: LeggedMachine, walking: WalkerConfig, gait: PhaseGait) -> bool:
    """Return whether steps balance a walk: on two feet, by a clock, captured.

    Args:
        machine: that walks; only those of files are as light on their feet as taken.
        walking: by which parts.
        gait: which feet stand when.
    """
    parts = walking.support, walking.motion, walking.balance, walking.legs
    fewest = min(len(phase.legs) for phase in support_sequence(gait))
    is_usual = parts == ("clocked", "stride", "capture", "steps")
    return is_usual and machine.is_scaled and machine.joints == 3 and fewest == PAIR


def stepping(
    walking: WalkerConfig,
    machine: LeggedMachine,
    gait: PhaseGait,
    velocity: Array,
    given: Collection[str] = (),
) -> WalkerConfig:
    """Return settings with the cycle that a speed asks for and a gain that holds.

    Args:
        walking: as similarity has it.
        machine: that walks.
        gait: which feet stand when.
        velocity: forward and to the left, (2,) [m/s].
        given: names of settings that stay as they are.
    """
    if not is_stepping(machine, walking, gait):
        return walking
    if "clocked.cycle" not in given:
        cycle = cycle_at(walking.clocked.cycle, machine, gait, velocity)
        clocked = replace(walking.clocked, cycle=cycle)
        walking = replace(walking, clocked=clocked)
    if "capture.gain" in given:
        return walking
    loop = step_loop(walking, machine, gait, velocity)
    margins = {by: loop.margin(SHORT * by * loop.gain) for by in RAISED}
    enough = [by for by, margin in margins.items() if margin >= ENOUGH]
    by = min(enough) if enough else max(margins, key=lambda by: margins[by])
    capture = replace(walking.capture, gain=by * walking.capture.gain)
    return replace(walking, capture=capture)


def usual_cycle(machine: LeggedMachine) -> float:
    """Return the duration of a slow trot's cycle [s].

    Args:
        machine: that trots.
    """
    return USUAL_CYCLE * machine.scale.over(WARP1)["s"]


def loop_margin(
    walking: WalkerConfig, machine: LeggedMachine, gait: PhaseGait, velocity: Array
) -> float | None:
    """Return the share of a disturbance that steps take away in a usual cycle's time.

    Feet count as going four fifths of the way that they are told. None for a walk that
    is not balanced by its steps.

    Args:
        walking: by which settings.
        machine: that walks.
        gait: which feet stand when.
        velocity: forward and to the left, (2,) [m/s].
    """
    if not is_stepping(machine, walking, gait):
        return None
    loop = step_loop(walking, machine, gait, velocity)
    return loop.margin(SHORT * loop.gain)


def cycle_at(
    usual: float, machine: LeggedMachine, gait: PhaseGait, velocity: Array
) -> float:
    """Return the duration of a cycle at a speed [s].

    Up to a stroke of 0.55 heights it is the usual one. Beyond that longer strokes and
    shorter cycles share what the speed has more, as in animals that trot.

    Args:
        usual: of a slow walk [s].
        machine: that walks.
        gait: which feet stand when.
        velocity: forward and to the left, (2,) [m/s].
    """
    stroke = float(gait.duty.max()) * usual * math.hypot(*velocity)
    long = LONG_STROKE * machine.height
    return usual * min(1.0, math.sqrt(long / stroke)) if stroke > 0.0 else usual


def step_loop(
    walking: WalkerConfig, machine: LeggedMachine, gait: PhaseGait, velocity: Array
) -> StepLoop:
    """Return the loop of trunk and steps of a machine that walks by its settings.

    Args:
        walking: by which settings.
        machine: that walks.
        gait: which feet stand when.
        velocity: forward and to the left, (2,) [m/s].
    """
    geometry, capture = machine.geometry, walking.capture
    footprint = balanced_footprint(geometry, machine.height)
    places = np.zeros((machine.legs, 3))
    places[:, :2] = footprint.feet - geometry.hips[:, :2]
    places[:, 2] = -machine.height
    q, _ = foot_angles(geometry, places)
    centre = np.zeros(3)
    centre_of_mass(q, geometry.legs, geometry.trunk, centre)
    feet = footprint.feet - footprint.centre
    feet[:, 0] += walking.stride.forward
    feet[:, 1] += np.copysign(walking.stride.spread, feet[:, 1])
    sequence = support_sequence(gait)
    whole = sum(phase.lasts for phase in sequence)
    phases = [
        StandingPhase(phase.legs, phase.landed, phase.lasts / whole)
        for phase in sequence
    ]
    posture, law = capture.posture, walking.law
    follows = np.array(law.damping) / np.array(law.stiffness)  # of a swinging foot
    return StepLoop(
        mass=machine.mass,
        inertia=machine.turning,
        height=machine.height - float(geometry.hips[:, 2].mean()) + float(centre[2]),
        feet=feet,
        phases=tuple(phases),
        cycle=walking.clocked.cycle,
        usual_cycle=usual_cycle(machine),
        velocity=np.array(velocity),
        stiffness=np.array(law.stiffness),
        damping=np.array(law.damping),
        steady=np.array(walking.steps.steady),
        upright=np.array([posture.roll_stiffness, posture.pitch_stiffness]),
        upright_damping=np.array([posture.roll_damping, posture.pitch_damping]),
        levelling=capture.levelling,
        velocity_time=walking.observer.velocity_time + float(follows[:2].max()),
        take_on=posture.take_on,
        gain=capture.gain,
    )


def within_tried_bounds(
    asked: AskedGait, walking: WalkerConfig, given: Collection[str]
) -> AskedGait:
    """Return what is asked of a robot of a file, within what such robots walked.

    Args:
        asked: how it shall walk.
        walking: by which settings.
        given: names of settings that the user gives.
    """
    lift = walking.steps.lift
    asked = replace(asked, lift=lift, reserve=RESERVE, fastest=FASTEST)
    if "clocked.cycle" in given:
        return asked
    machine, gait, usual = asked.machine, asked.gait, usual_cycle(asked.machine)
    velocity = np.array([asked.forward, asked.left])
    return replace(
        asked,
        cycle_of=lambda share: cycle_at(usual, machine, gait, share * velocity),
    )


def velocity_of(speed: float, left: float, heading: float) -> Array:
    """Return what is commanded forward and to the left, (2,) [m/s].

    Args:
        speed: where the heading is [m/s].
        left: on top, to the left [m/s].
        heading: crab angle [degrees].
    """
    angle = math.radians(heading)
    return np.array([speed * math.cos(angle), left + speed * math.sin(angle)])


def step_warnings(
    margin: float | None, machine: LeggedMachine, actuators: str
) -> tuple[str, ...]:
    """Return what is known to go wrong with a robot of a file, a sentence each.

    Args:
        margin: of the loop of its steps; None where there is none.
        machine: that walks.
        actuators: which drives it has.
    """
    elastic = (ELASTIC,) if actuators == "elastic" else ()
    if margin is None or margin >= SMALL:
        return elastic
    return (_margin_warning(margin, machine), *elastic)


def _margin_warning(margin: float, machine: LeggedMachine) -> str:
    """Return the sentence that warns of a small margin.

    Args:
        margin: of the loop.
        machine: that walks.
    """
    wide = 2.0 * machine.half_width
    falls = "a disturbance grows from step to step, so it is likely to fall"
    if margin > 0.0:
        falls = f"a cycle takes away {100.0 * margin:.0f} % of a disturbance"
    return (
        f"'{machine.name}' is hardly held by its steps as it stands, its feet "
        f"{wide:.2f} m apart and its hips {machine.height:.2f} m high: {falls}, where "
        f"{100.0 * ENOUGH:.0f} % are usual; a wider or lower stand, a shorter cycle "
        "(--set clocked.cycle=SECONDS) or --gait crawl would help"
    )
