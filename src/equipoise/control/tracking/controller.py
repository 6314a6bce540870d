"""Two legs that push a machine on wheels: three ways to track the same steps.

The trials of SAP, [Ridderstrom2003] section 3.2.4: cycloid and arc tracked by position;
the same rotated in the sagittal plane, to push feet into the ground; and force
tracking. They differ in what a foot is led along and whether it is told a force, and in
nothing else: legs, gains, pace and steps are the same.
"""

from dataclasses import dataclass, field
from typing import Literal, final, get_args

import numpy as np

from equipoise.control.forces.force_reference import peak_for
from equipoise.control.machine import LeggedMachine
from equipoise.control.tracking.tick import (
    FootTrack,
    TrackingConfig,
    TrackingModel,
    track,
)
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Command, Readings
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records, copied, record_of

__all__ = [
    "TRACKINGS",
    "Tracking",
    "TrackingConfig",
    "TrackingController",
    "tracking_controller",
]

Tracking = Literal["position", "rotated", "force"]
TRACKINGS: tuple[Tracking, ...] = get_args(Tracking)
STROKE = 0.8  # longest stroke, in heights of the hips


@final
@dataclass(frozen=True, eq=False)
class TrackingController:
    """Controller of one of the three experiments; see ``tracking_controller``."""

    machine: LeggedMachine
    speed: float
    """Speed at which feet move back on the ground [m/s]."""
    start: float
    """Time until which the machine stands [s]."""
    model: Records[TrackingModel] = field(repr=False)

    def init(self) -> Records[FootTrack]:
        """Return the legs before the first tick: evenly spread over a cycle, (nl,)."""
        machine = self.machine
        feet = FootTrack.zeros(machine.legs, joints=machine.joints)
        middle = 0.5 * self.model[0].config.duty
        feet["phase"] = middle + np.arange(machine.legs) / machine.legs
        feet["q"] = machine.geometry.stand.reshape(machine.legs, machine.joints)
        return feet

    def step(
        self, sensed: Readings, state: Records[FootTrack]
    ) -> tuple[Command, Records[FootTrack]]:
        """Return this tick's torques and the next state.

        Args:
            sensed: of which joints and time count.
            state: from ``init`` or the last tick.
        """
        feet, tau = copied(state), np.empty(len(sensed.q))
        walked = sensed.time - self.start
        legs = self.machine.geometry.legs
        track(walked, self.model, legs, feet, sensed.q, sensed.v, tau)
        walks = 1.0 if walked >= 0.0 else 0.0
        stands = feet["stands"].tolist()
        said = {
            "schedule": float(sum(2**k for k, down in enumerate(stands) if down)),
            "walking": walks,
            "forward": walks * self.speed,
            "left": 0.0,
            "turn": 0.0,
        }
        if self.model["by_force"][0] > 0.0:
            wanted = feet["force"][:, 1].tolist()
            said |= {f"asked_load_{k}": force for k, force in enumerate(wanted)}
        return Command(tau, said), feet


def tracking_controller(
    machine: LeggedMachine,
    tracking: Tracking = "force",
    speed: float = 0.12,
    config: TrackingConfig | None = None,
) -> TrackingController:
    """Return the controller of one of the three experiments.

    Args:
        machine: with legs of two joints.
        tracking: which trial.
        speed: at which feet go back on the ground, above 0 [m/s].
        config: of the legs; None for SAP's.

    Raises:
        ConfigError: no such trial, or a speed that asks for strokes too long.
    """
    own = config or TrackingConfig()
    support = own.duty / own.frequency
    most = STROKE * machine.height / support
    problems: list[str] = []
    if tracking not in TRACKINGS:
        known = ", ".join(TRACKINGS)
        problems.append(f"tracking must be one of {known}, got {tracking!r}")
    if not 0.0 < speed <= most:
        problems.append(
            f"speed must be above 0 and up to {most:.2f} m/s, got {speed!r}"
        )
    if problems:
        raise ConfigError(f"robot '{machine.name}'", problems)
    model = TrackingModel.zeros()
    model["config"] = record_of(own)
    one, share = model[0], own.carried / machine.legs
    weight = machine.mass * GRAVITY
    one.stroke.length, one.stroke.support = speed * support, support
    one.stroke.swing = (1.0 - own.duty) / own.frequency
    reference = one.reference
    reference.peak = peak_for(share, weight, own.duty, own.dip)
    reference.dip, reference.frequency = own.dip, own.frequency
    reference.duty, reference.speed = own.duty, speed
    reference.height = machine.height
    one.by_force = 1.0 if tracking == "force" else 0.0
    one.turned = own.turned if tracking == "rotated" else 0.0
    one.height, one.rest = machine.height, share * weight
    return TrackingController(machine, speed, own.start, model)
