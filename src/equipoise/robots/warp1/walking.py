"""How WARP1 walks: settings of its controller, by gait, payload, ground and drives.

What moves on two feet at a time must step quickly and to where it falls; what stands on
three can take its time and sways. Names are those of ``control.walker.WalkerConfig``,
whose defaults are the trot.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["walking_settings"]

CREEPING_GAITS = ("crawl", "wave")
HEAVY = 15.0  # from which on a payload asks for other settings [kg]
TROT = {"height": 0.5}
TROT_ON_SOFT_GROUND = {"height": 0.45}
TROT_ON_WEAK_GROUND = {"height": 0.47, "law.stiffness": (4000.0, 4000.0, 7000.0)}
"""Ground that hardly damps: on legs as stiff as elsewhere feet bounce off it."""
CREEP = {
    "height": 0.475,
    "pilot.acceleration": 0.1,
    "pilot.turn_acceleration": 0.1,
    "pilot.lead": 0.6,
    "pilot.settle": 2.0,
    "clocked.duty": 0.83,
    "clocked.cycle": 2.0,
    "clocked.start": "slowly",
    "stride.sway": 0.075,
    "stride.sway_phase": 0.0,
    "stride.forward": 0.0,
    "stride.slope_time": 0.8,
    "capture.integral": 0.0,
    "steps.lift": 0.055,
    "steps.soft_landing": 1.0,
    "law.inertia_share": 0.0,
}
"""Of gaits that stand on three feet or more."""
CREEP_LADEN = {
    **CREEP,
    "height": 0.54,
    "clocked.cycle": 1.2,
    "stride.sway": 0.04,
    "stride.forward": -0.01,
    "capture.posture.roll_stiffness": 2000.0,
    "capture.posture.roll_damping": 400.0,
    "capture.posture.pitch_stiffness": 2000.0,
    "capture.posture.pitch_damping": 400.0,
}
"""With a heavy payload: shorter strides on straighter legs, for the knees' sake."""
CREEP_ON_SOFT_GROUND = {
    **CREEP,
    "reflexes": ("reach", "elevate", "withdraw", "wary"),
    "height": 0.45,
    "clocked.duty": 0.88,
    "clocked.cycle": 3.0,
    "stride.spread": 0.06,
    "stride.slope_time": 5.0,
    "steps.lift": 0.09,
    "law.stiffness": (4000.0, 4000.0, 8000.0),
    "law.damping": (700.0, 700.0, 1600.0),
}
"""Where loads shift slowly, and a foot that lifts has first to come out: the three that
stay sink by as much as 6 cm while it does."""
CREEP_ON_ELASTIC_GEARS = {
    **CREEP,
    "stride.sway": 0.055,
    "steps.steady": (500.0, 500.0, 500.0),
}
"""Gears wind up behind the joints' own damping and let the sway grow: less of it, and
the trunk damped by its own velocity."""


def walking_settings(
    gait: str,
    *,
    payload: float,
    is_soft: bool,
    ground: str = "mujoco",
    actuators: str = "motor",
) -> Mapping[str, Any]:
    """Return WARP1's settings for a gait.

    Args:
        gait: its name.
        payload: that it carries [kg].
        is_soft: whether the ground is soft.
        ground: what carries the feet; only ``weak`` asks for other settings.
        actuators: which drives it has; only ``elastic`` ones ask for other settings.
    """
    if gait not in CREEPING_GAITS:
        if is_soft:
            return TROT_ON_SOFT_GROUND
        return TROT_ON_WEAK_GROUND if ground == "weak" else TROT
    if is_soft:
        return CREEP_ON_SOFT_GROUND
    if actuators == "elastic" and payload < HEAVY:
        return CREEP_ON_ELASTIC_GEARS
    return CREEP if payload < HEAVY else CREEP_LADEN
