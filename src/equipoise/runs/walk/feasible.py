"""Whether a machine can walk as asked: what its joints and its ground allow."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.control.gaits.footprint import balanced_footprint
from equipoise.control.gaits.machine_speed import FootWay, shortest_cycle
from equipoise.control.gaits.named import gait_names, named_gait, usual_legs
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.plan import stroke_vectors
from equipoise.control.gaits.sequences import support_sequence
from equipoise.control.machine import LeggedMachine
from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.records import copied
from equipoise.robots.legs import foot_angles, foot_jacobians
from equipoise.sim.terrain import Terrain

__all__ = [
    "AskedGait",
    "at_duty",
    "expect_carried",
    "expect_footing",
    "expect_reached",
    "feet_that_carry",
    "fewest_feet",
    "fitting_gait",
    "largest_share",
    "most_payload",
]

HALVINGS = 40


@final
@dataclass(frozen=True, kw_only=True)
class AskedGait:
    """A gait and the velocities at which it shall be walked."""

    machine: LeggedMachine
    gait: PhaseGait
    cycle: float
    """Of the gait [s]."""
    forward: float
    """[m/s]."""
    left: float
    """[m/s]."""
    turn: float
    """[rad/s]."""
    cycle_of: Callable[[float], float] | None = None
    """Duration of the cycle at a share of the velocities [s]; None where it is the
    same at any."""
    lift: float = 0.0
    """Of the feet that swing, as far as joints must be quick enough for it [m]."""
    reserve: float = 0.0
    """Share of the joints' largest speeds that feet which swing must leave."""
    fastest: float = math.inf
    """Largest speed over √(g h) that may be asked for."""

    @property
    def most_share(self) -> float:
        """Largest share of the velocities at which the machine is not too fast."""
        speed = math.hypot(self.forward, self.left)
        limit = self.fastest * math.sqrt(GRAVITY * self.machine.height)
        return limit / speed if speed > 0.0 else math.inf

    def strokes(self, share: float = 1.0) -> Array:
        """Return each foot's stroke under the trunk, (nl, 2) [m].

        Args:
            share: of the velocities.
        """
        feet = balanced_footprint(self.machine.geometry, self.machine.height)
        step = share * self.cycle_at(share)
        stride = step * np.array([self.forward, self.left])
        return stroke_vectors(self.gait, feet, stride, step * self.turn)

    def cycle_at(self, share: float) -> float:
        """Return the duration of the cycle at a share of the velocities [s].

        Args:
            share: of the velocities.
        """
        return self.cycle if self.cycle_of is None else self.cycle_of(share)


def fitting_gait(name: str, duty: float | None, machine: LeggedMachine) -> PhaseGait:
    """Return a gait for a machine, or say why it has none.

    Args:
        name: of the gait.
        duty: share of a cycle for which a leg stands; None for the gait's own.
        machine: that shall walk it.

    Raises:
        ConfigError: no such gait, one with fewer or more legs, or a duty factor that
            it cannot have.
    """
    legs = machine.legs
    fitting = [n for n in gait_names() if usual_legs(n) == legs or n == "wave"]
    if name not in fitting:
        near = UnknownNameError("gait", name, fitting, "").near
        why = "no gait has that name" + (f" (did you mean '{near}'?)" if near else "")
        if name in gait_names():
            why = f"it needs {usual_legs(name)} legs, '{machine.name}' has {legs}"
        problem = f"{why}; take one of {', '.join(fitting)}"
        raise ConfigError(f"gait '{name}'", [problem])
    return named_gait(name, legs, duty)


def at_duty(gait: PhaseGait, duty: float | None) -> PhaseGait:
    """Return a gait at the duty factor that a controller walks it with.

    Args:
        gait: one of the library.
        duty: share of a cycle for which a leg stands; None for the gait's as it is.

    Raises:
        ConfigError: a duty factor that it cannot have.
    """
    if duty is None or np.all(gait.duty == duty):
        return gait
    return named_gait(gait.name, len(gait.phases), duty)


def fewest_feet(gait: PhaseGait) -> int:
    """Return how many feet stand at least, but for instants; 0 for gaits that fly."""
    return min(len(phase.legs) for phase in support_sequence(gait))


def feet_that_carry(gait: PhaseGait) -> float:
    """Return how many feet share the weight: the fewest that stand, if two or more.

    On one foot or none a gait only falls for a while; over a cycle the legs carry the
    weight with Σ β feet on average.

    Args:
        gait: phases and duty factors.
    """
    fewest = fewest_feet(gait)
    return float(fewest) if fewest > 1 else max(float(gait.duty.sum()), 1.0)


def expect_reached(asked: AskedGait) -> None:
    """Refuse a speed for which no joint is quick enough; the limit is named.

    Feet that swing level, by a cubic in time, are the quickest there are here: whoever
    lifts them needs more, which only robots of files are asked for. The limit is where
    that takes a whole cycle, or where a machine's like was not tried.

    Args:
        asked: how it shall walk.

    Raises:
        ConfigError: too fast.
    """
    if _is_reached(asked, 1.0):
        return
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _is_reached(asked, middle) else (low, middle)
    wanted, unit, name = math.hypot(asked.forward, asked.left), "m/s", "speed"
    if wanted == 0.0:
        wanted, unit, name = abs(asked.turn), "rad/s", "turn"
    most = math.floor(1e3 * low * wanted) / 1e3
    left = f" with {100.0 * asked.reserve:.0f} % in reserve" if asked.reserve else ""
    problem = (
        f"{name} must be at most {most:g} {unit} for the joints of "
        f"'{asked.machine.name}'{left} (cycle {asked.cycle_at(low):.3g} s, duty factor "
        f"{float(asked.gait.duty[0]):.3g}), got {wanted:.4g}"
    )
    if low >= asked.most_share - 1e-6:
        problem = (
            f"{name} must be at most {most:g} {unit}, {asked.fastest:g} √(g h) of the "
            f"hips of '{asked.machine.name}', got {wanted:.4g}; higher speeds were "
            "not tried for robots from files"
        )
    raise ConfigError(f"gait '{asked.gait.name}'", [problem])


def _is_reached(asked: AskedGait, share: float) -> bool:
    """Return whether the joints are quick enough for a share of the velocities."""
    machine = asked.machine
    if share > asked.most_share:
        return False
    footprint = balanced_footprint(machine.geometry, machine.height)
    way = FootWay(
        duty=float(asked.gait.duty[0]),
        depth=machine.height,
        lift=asked.lift,
        swing="hermite",
        offset=footprint.feet - machine.geometry.hips[:, :2],
    )
    speeds = (1.0 - asked.reserve) * np.array([d.speed for d in machine.drives])
    shortest = shortest_cycle(machine.geometry, speeds, asked.strokes(share), way)
    return shortest <= asked.cycle_at(share)


def largest_share(asked: AskedGait) -> float:
    """Return the largest joint torque over its limit, feet sharing the weight alike.

    Each of the n feet that carry presses m g / n straight down; its torques are Jᵀ f,
    looked for along the stroke.

    Args:
        asked: how it shall walk.
    """
    machine, geometry = asked.machine, asked.machine.geometry
    load = machine.mass * GRAVITY / feet_that_carry(asked.gait)
    footprint = balanced_footprint(geometry, machine.height)
    middle = np.zeros((machine.legs, 3))
    middle[:, :2] = footprint.feet - geometry.hips[:, :2]
    middle[:, 2] = -machine.height
    strokes, largest = asked.strokes(), 0.0
    limit = np.array([drive.torque for drive in machine.drives])
    for share in np.linspace(-0.5, 0.5, 21):
        places = middle.copy()
        places[:, :2] += share * strokes
        q, _ = foot_angles(geometry, places)
        angles = q.reshape(machine.legs, 1, -1)
        up = [foot_jacobians(geometry, k, a)[0, 2] for k, a in enumerate(angles)]
        torque = load * np.abs(np.concatenate(up))
        largest = max(largest, float((torque / limit).max()))
    return largest


def most_payload(asked: AskedGait, payload: float) -> float:
    """Return the largest payload whose weight the joints can hold, by halving [kg].

    Args:
        asked: how it shall walk.
        payload: that the machine has now, more than it can hold [kg].
    """
    low, high = 0.0, payload
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        is_held = largest_share(_loaded(asked, middle - payload)) <= 1.0
        low, high = (middle, high) if is_held else (low, middle)
    return low


def _loaded(asked: AskedGait, more: float) -> AskedGait:
    """Return the same walk with another mass at the middle of the trunk.

    Args:
        asked: how it shall walk.
        more: on top of what is there, or less [kg].
    """
    machine = asked.machine
    trunk = copied(machine.geometry.trunk)
    mass = trunk[0].mass
    trunk[0].centre[:] *= mass / (mass + more)
    trunk[0].mass = mass + more
    lighter = replace(
        machine,
        geometry=replace(machine.geometry, trunk=trunk),
        mass=machine.mass + more,
    )
    return replace(asked, machine=lighter)


def expect_carried(
    asked: AskedGait, payload: float, *, is_file: bool = False, doubt: str = ""
) -> None:
    """Refuse a weight that the joints cannot hold; the most they can is named.

    Args:
        asked: how it shall walk.
        payload: of the machine [kg]; without any a built-in machine may try.
        is_file: whether the machine is a robot file's, which has no payload.
        doubt: which of its torque limits are assumed, in words; empty for none.

    Raises:
        ConfigError: too much.
    """
    if payload == 0.0 and not is_file:
        return
    share = largest_share(asked)
    if share <= 1.0:
        return
    if is_file:
        remedy = doubt or "give stronger drives with --drives FILE"
        problem = (
            f"its joints must hold its weight on {feet_that_carry(asked.gait):.3g} "
            f"feet, which takes {share:.2f} times their torque; {remedy}, or another "
            "gait"
        )
        raise ConfigError(f"robot '{asked.machine.name}'", [problem])
    most = most_payload(asked, payload)
    problem = (
        f"payload must be at most {math.floor(10.0 * most) / 10.0:g} kg for its "
        f"joints' torque on {feet_that_carry(asked.gait):.3g} feet, got {payload:g}"
    )
    raise ConfigError(f"gait '{asked.gait.name}'", [problem])


def expect_footing(terrain: Terrain, friction: float) -> None:
    """Refuse a slope on which feet slide, whatever they do.

    Args:
        terrain: what it walks on.
        friction: of the feet on it.

    Raises:
        ConfigError: too steep.
    """
    if abs(terrain.slope) > friction:
        problem = (
            f"slope must be within {100.0 * friction:.3g} % with friction "
            f"{friction:.3g}, got {100.0 * terrain.slope:g}"
        )
        raise ConfigError("the terrain", [problem])
