"""Walking: what a battery lasts for, control rates, and what simulating takes."""

import math
from typing import NamedTuple

import numpy as np

from equipoise.control.machine import legged_machine
from equipoise.control.pilot import WalkingGoal
from equipoise.control.walker import walker, walker_config
from equipoise.core.arrays import Array
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.check import above, at_most, below
from equipoise_lab.papers.claim import Claim, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["Walk", "walk_claims", "walked"]

GAITS = {"trot": 0.5, "crawl": 0.15}
"""At which speed each is walked [m/s]."""
SECONDS, STEADY = 9.0, 4.0
SLOW = 0.003  # control period [s]: 333 Hz, 300 is no whole number of time steps
UPRIGHT = 10.0  # largest tilt of a machine that walks [°]
WINDOW = 0.05  # of a mean current [s]


class Walk(NamedTuple):
    """What a walk took."""

    speed: float
    """[m/s]."""
    tilt: float
    """Largest roll or pitch [°]."""
    drawn: float
    """Electrical power if the supply takes nothing back [W]."""
    net: float
    """Electrical power if it takes back all [W]."""
    peak: float
    """Largest current from the supply, mean over 50 ms [A]."""
    simulating: float
    """Time on one processor for a second of walking [s]."""


def walked(gait: str, *, seed: int, period: float = 0.002, real: bool = True) -> Walk:
    """Return a walk straight ahead, after it has become steady.

    Args:
        gait: of ``GAITS``.
        seed: of the sensors' noise.
        period: of the controller [s].
        real: whether with motors, sensors and buses; else ideal torques and readings.
    """
    robot = warp1()
    goals = (WalkingGoal(time=1.0, forward=GAITS[gait]),)
    controller = walker(
        legged_machine(robot), goals, walker_config(gait), drives_motors=real
    )
    config = MachineConfig(period=period)
    if real:
        config = MachineConfig.real(seed, period=period)
    run = rollout(machine_world(robot), controller, SECONDS, plant=config)
    first = int(np.searchsorted(run.time, STEADY))
    lasted = run.time[-1] - run.time[first]
    way = run.p_WB[-1, :2] - run.p_WB[first, :2]
    return Walk(
        float(np.linalg.norm(way)) / lasted,
        math.degrees(float(np.abs(run.attitude[:, :2]).max())),
        float(run.drawn[-1] - run.drawn[first]) / lasted,
        float(run.electric[-1] - run.electric[first]) / lasted,
        peak_current(run.time[first:], run.drawn[first:]),
        run.cpu.total / SECONDS,
    )


def peak_current(time: Array, drawn: Array) -> float:
    """Return the largest current from the supply, mean over 50 ms [A].

    Args:
        time: of the samples, evenly spaced, (n,) [s].
        drawn: energy taken from the supply by then, (n,) [J].
    """
    step = max(1, round(WINDOW / float(time[1] - time[0])))
    power = (drawn[step:] - drawn[:-step]) / (time[step:] - time[:-step])
    return float(power.max()) / PRINTED.volts


def walk_claims(seed: int) -> list[Claim]:
    """Return the claims that a walk is simulated for.

    Args:
        seed: of the sensors' noise.
    """
    walks = {gait: walked(gait, seed=seed) for gait in GAITS}
    slow = walked("trot", seed=seed, period=SLOW)
    ideal = walked("trot", seed=seed, real=False)
    return [
        battery_claim(walks),
        supply_claim(walks),
        rate_claim(walks["trot"], slow),
        *_cost_claims(ideal, walks["trot"]),
    ]


def battery_claim(walks: dict[str, Walk]) -> Claim:
    """Return how long a battery would last for the motors alone."""
    p = PRINTED
    energy = p.battery * 3600.0 * p.volts
    asked = energy / (60.0 * p.walking)
    lasts = {gait: energy / walk.drawn / 60.0 for gait, walk in walks.items()}
    told = ", ".join(
        f"{gait} at {GAITS[gait]:g} m/s {walk.drawn:.0f} W ({walk.net:.0f} W if braking"
        " gave everything back)"
        for gait, walk in walks.items()
    )
    return not_checkable(
        "5.1.1",
        "walking on a battery of 7 Ah at 48 V [min]",
        p.walking,
        f"40 min are {asked:.0f} W on average. Our motors alone take: {told}. What"
        " computers, amplifiers and the gears' friction take is not printed, nor how"
        " it walked",
        ours=", ".join(f"{gait} {time:.0f}" for gait, time in lasts.items()),
    )


def supply_claim(walks: dict[str, Walk]) -> Claim:
    """Return whether the external supply is enough to walk."""
    most = max(walk.peak for walk in walks.values())
    told = ", ".join(f"{gait} {walk.peak:.1f} A" for gait, walk in walks.items())
    return shown(
        "5.1.1",
        "external supply of 48 V: largest current [A]",
        f"up to {PRINTED.supply:g}",
        most,
        at_most(most, PRINTED.supply),
        f"the most that our motors take while they walk, mean over 50 ms: {told}."
        " Computers come on top, and are not printed",
        tolerance=f"at most {PRINTED.supply:g} A",
    )


def rate_claim(fast: Walk, slow: Walk) -> Claim:
    """Return that the machine walks at the control rates that are printed."""
    low, high = PRINTED.rates
    return shown(
        "5.5",
        "controllers are executed at 300 to 500 Hz",
        f"{low:.0f} to {high:.0f} Hz",
        f"trots at 500 Hz ({fast.speed:.2f} m/s, {fast.tilt:.1f}°) and at"
        f" {1 / SLOW:.0f} Hz ({slow.speed:.2f} m/s, {slow.tilt:.1f}°)",
        [
            below(max(fast.tilt, slow.tilt), UPRIGHT),
            above(min(fast.speed, slow.speed), 0.8 * GAITS["trot"]),
        ],
        f"{SECONDS:g} s of trotting at {GAITS['trot']:g} m/s with motors, sensors and"
        " buses; nothing was tuned for the slower rate",
        tolerance=f"below {UPRIGHT:g}° and 80 % of the speed",
    )


def _cost_claims(ideal: Walk, real: Walk) -> list[Claim]:
    """Return what a second of walking takes to simulate; times are never judged."""
    p = PRINTED
    why = "a Sun Ultra/60 of then; ours is processor time on one core of this computer"
    return [
        not_checkable(
            "7.3",
            "simulating a second of walking with ideal actuators [s]",
            p.simulating,
            why,
            ours=ideal.simulating,
        ),
        not_checkable(
            "7.3",
            "simulating a second of walking with actuator dynamics [s]",
            2.0 * p.simulating,
            f"{why}; sensors and buses are simulated too",
            ours=real.simulating,
        ),
    ]
