"""Sections 11.2.4 and 11.3.3: gains at which it falls, and the balance board."""

import math

import numpy as np

from equipoise.control.observer.attitude import AttitudeConfig
from equipoise.control.posture import PostureControllerConfig, posture_controller
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.check import above, at_most, below
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter11.posture import (
    LEG,
    Step,
    law,
    required,
    rocked,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.setting import PRINTED

__all__ = ["board_claims", "critical_gain", "gain_claims", "roll_rate"]

SECONDS = 10.0
SHARES = (0.92, 1.02)  # of what is required, between which it is looked for
NO_BIAS = 1e-12  # gyros are exact; looking for their offset is a slow mode [rad/s]
SAFE = 0.1  # share by which the planar criterion may ask for too much


def roll_rate(stiffness: float) -> float:
    """Return the rate at which a small roll grows under the printed law [1/s].

    Args:
        stiffness: k_α [N m/rad].
    """
    world = machine_world(warp1(), friction=2.0)
    config = PostureControllerConfig(
        height=(40e3, 8e3, 0.0),
        roll=(stiffness, 300.0, 0.0),
        pitch=(20e3, 1500.0, 4000.0),
        most=(0.0, 0.0, 200.0),
        leg_stiffness=LEG,
        sharing="printed",
        weight="printed",
        feet="printed",
        reference_rate=0.0,
        knock_amplitude=0.0,
        attitude=AttitudeConfig(largest_bias=NO_BIAS),
    )

    def nudge(time: float) -> tuple[float, float, float]:
        return (math.radians(1.0) if 1.0 < time < 1.5 else 0.0), 0.0, 0.0

    controller = posture_controller(world.robot, config, nudge)
    run = rollout(world, controller, 12.0, plant=MachineConfig())
    before, last = np.abs(run.attitude[[-1501, -1], 0])
    return math.log(float(last / before)) / 3.0


def critical_gain() -> float:
    """Return the k_α at which a roll neither grows nor decays [N m/rad].

    The rate is a straight line in k_α where the other modes have decayed: its slope
    changes by a tenth between both ends, which moves the zero by 0.3 %.

    Raises:
        RuntimeError: it falls at both ends of what is searched, or at none.
    """
    low, high = (share * required() for share in SHARES)
    grows, decays = roll_rate(low), roll_rate(high)
    if not grows > 0.0 > decays:
        raise RuntimeError(f"no critical gain between {low:.0f} and {high:.0f} N m/rad")
    return low + (high - low) * grows / (grows - decays)


def gain_claims(critical: float) -> list[Claim]:
    """Return what the simulated machine needs.

    Args:
        critical: from ``critical_gain`` [N m/rad].
    """
    need = required()
    return [
        shown(
            "11.2.4",
            "k_α > m g h + (m g)² / (2 k_L): least k_α of the machine [N m/rad]",
            round(need, 1),
            critical,
            [above(critical, (1.0 - SAFE) * need), at_most(critical, need)],
            f"planar, all mass in the trunk, {100 * (need / critical - 1):.1f} % more"
            " than the simulated machine needs, whose legs weigh 22.8 kg of 60.4;"
            " ideal torques, printed law",
            tolerance="on the safe side, by at most a tenth",
        ),
    ]


def board_claims(seed: int, seconds: float = SECONDS) -> list[Claim]:
    """Return how the posture is held on the rocking board.

    Args:
        seed: of the sensors' noise.
        seconds: how long it rocks [s].
    """
    most, rate = PRINTED.board
    rows: dict[str, tuple[float, float]] = {}
    cases = {"pitch": (most, 0.0), "roll": (0.0, most), "both": (most, most)}
    for name, (pitch, roll) in cases.items():
        run = rocked(pitch, roll, seed=seed, seconds=seconds)
        tilt = math.degrees(float(np.abs(run.attitude[:, :2]).max()))
        error = 1e3 * float(np.abs(run.said("height_error")[:-1]).max())
        rows[name] = tilt, error
    held = [
        shown(
            "11.3.3, fig. 11.4b",
            f"board of {most:g}° and {rate:g}°/s about {name}: tilt [°], height [mm]",
            "looks good",
            f"{tilt:.2f}, {error:.1f}",
            [below(tilt, 1.0), below(error, PRINTED.height)],
            f"largest in {seconds:g} s, of the true trunk, with motors, sensors and"
            " buses; the thesis shows curves",
            tolerance="1° and 5 mm",
        )
        for name, (tilt, error) in rows.items()
    ]
    return [*held, _smaller_claim(seed, seconds)]


def _smaller_claim(seed: int, seconds: float) -> Claim:
    """Return whether pitch is held better than roll on a board that rocks it."""
    config, most = law(Step("roll", 0.1, "printed")), PRINTED.board[0]
    swings = []
    for column, angles in enumerate(((0.0, most), (most, 0.0))):
        run = rocked(*angles, seed=seed, seconds=seconds, config=config)
        turned = run.attitude[len(run.attitude) // 4 :, column]
        swings.append(0.5 * math.degrees(float(np.ptp(turned))))
    roll, pitch = swings
    return shown(
        "11.3.3, fig. 11.4b",
        "swing of pitch on a pitching board, of roll on a rolling one [°]",
        "pitch smaller, perhaps by smaller disturbances",
        f"{pitch:.2f} and {roll:.2f}",
        below(pitch, roll),
        "half of largest less smallest, which leaves out the sensors' offsets; the"
        " printed law with 30 and 5 times the k_α required and the same disturbance"
        " about both axes, so it is the gains",
        tolerance="pitch smaller",
    )
