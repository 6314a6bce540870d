"""SAP's three trials, and a foot that learns the ground under it."""

import math
from typing import NamedTuple

import numpy as np

from equipoise.control.forces.force_reference import (
    ForceReference,
    force_reference,
    peak_for,
)
from equipoise.control.legs.adaptation import (
    AdaptationConfig,
    adapt,
    first_guess,
    reference_height,
    steady_force,
)
from equipoise.control.tracking.controller import TRACKINGS
from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.records import record_of
from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk_robot

__all__ = ["Trial", "learnt", "trials"]

SECONDS = 10.0
WEIGHT, LEGS, FREQUENCY, DUTY = 12.0 * GRAVITY, 4, 2.0, 0.75
LEG = 8e3  # stiffness of a leg and its control [N/m]
DT, SUPPORTS = 1e-3, 16


class Trial(NamedTuple):
    """What one trial gave."""

    fell: bool
    speed: float
    """Once under way [m/s]."""
    told: float
    """At which feet go back on the ground [m/s]."""
    slip: float
    """Of both feet together [m]."""
    pitch: float
    """Largest [°]."""
    time: VecN
    way: VecN
    """Gone by then [m]."""

    @property
    def how(self) -> str:
        """In words."""
        end = "fell" if self.fell else "did not fall"
        return f"{self.speed:.3f} m/s, feet slip {self.slip:.2f} m, {end}"


def trials(seed: int) -> dict[str, Trial]:
    """Return the three trials of 10 s, by how legs track their references.

    Args:
        seed: of friction, sensors and joints at the start.
    """
    found: dict[str, Trial] = {}
    for tracking in TRACKINGS:
        config = WalkConfig(tracking=tracking, seconds=SECONDS, seed=seed)
        result = walk_robot(load("sap"), config)
        told, run = result.summary, result.run
        found[tracking] = Trial(
            fell=bool(told["fell"]),
            speed=float(told["mean_speed_mps"]),
            told=float(told["commanded_mps"]),
            slip=float(told["slip_m"]),
            pitch=float(told["pitch_max_deg"]),
            time=run.time,
            way=run.p_WB[:, 0],
        )
    return found


def learnt(stiffness: float) -> tuple[float, float]:
    """Return the force's error without and with adaptation, root mean square [N].

    A leg of RALPHY's size stands for 8 s of steps on ground of some stiffness, in
    balance with it at each instant; what counts is its last step.

    Args:
        stiffness: of the ground [N/m].
    """
    config = AdaptationConfig()
    reference, setting = ForceReference.zeros(), record_of(config)
    reference["duty"], reference["frequency"] = DUTY, FREQUENCY
    reference["dip"], reference["height"] = 0.2, 1.0
    reference["peak"] = peak_for(1.0 / LEGS, WEIGHT, DUTY)
    half = 0.5 * DUTY / FREQUENCY
    errors: list[float] = []
    for adapts in (False, True):
        ground, total = first_guess(config, 1), 0.0
        for _ in range(SUPPORTS):
            total = 0.0
            for time in np.arange(-half, half, DT):
                _, told = force_reference(float(time), reference[0])
                place = reference_height(told, ground[0])
                force = max(steady_force(stiffness, LEG, told, 0.0, place), 0.0)
                if adapts:
                    adapt(DT, -force / stiffness, force, setting[0], ground[0])
                total += (force - told) ** 2 * DT / (2.0 * half)
        errors.append(math.sqrt(total))
    return errors[0], errors[1]
