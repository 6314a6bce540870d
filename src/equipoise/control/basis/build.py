"""A machine as the control basis sees it, and the stance in which it stands."""

import math
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np

from equipoise.control.basis.stance import (
    FIRM,
    BasisBody,
    BasisLeg,
    BasisParts,
    BasisScratch,
    BasisStance,
    reaches,
)
from equipoise.control.machine import LeggedMachine
from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings
from equipoise.robots.legs import centre_of_mass, foot_angles, foot_jacobians

__all__ = ["BasisConfig", "basis_parts", "basis_stance", "home_stance"]

MOVED = 0.02  # by which a foot is moved to weigh it, in heights of the hips
SHARE = 0.96  # of a joint's range that is used
NUDGE, HALVINGS = 1e-4, 40  # of a joint's range, for a slope; of a search


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BasisConfig(Settings):
    """Settings of the controllers of the basis; the defaults are Thing's."""

    margin: Annotated[
        float,
        Setting(
            "Distance of the centre of mass inside three feet from which they "
            "are stable",
            "m",
            above=0.0,
        ),
    ] = 0.015
    spare: Annotated[
        float,
        Setting(
            "Distance beyond that margin at which contact controllers stop",
            "m",
            above=0.0,
        ),
    ] = 0.003
    step: Annotated[float, Setting("Largest step of a controller", "m", above=0.0)] = (
        0.005
    )
    turn: Annotated[
        float, Setting("Largest turn of a controller", "rad", above=0.0)
    ] = 0.05
    still: Annotated[
        float,
        Setting("Distance below which a controller has converged", "m", above=0.0),
    ] = 0.0005
    steady: Annotated[
        float, Setting("Turn below which a controller has converged", "rad", above=0.0)
    ] = 0.005
    stride: Annotated[
        float,
        Setting(
            "Distance that position carries the trunk on in a state", "m", above=0.0
        ),
    ] = 0.01
    quarter: Annotated[
        float,
        Setting(
            "Angle by which a turning machine turns its trunk in a state",
            "rad",
            above=0.0,
        ),
    ] = 0.12
    turning: Annotated[
        float,
        Setting(
            "Rate of turn above which the machine turns on the spot", "rad/s", above=0.0
        ),
    ] = 0.005
    push: Annotated[
        float, Setting("Largest acceleration of the trunk", "m/s²", above=0.0)
    ] = 0.4
    swing: Annotated[float, Setting("Shortest duration of a swing", "s", above=0.0)] = (
        0.5
    )
    quick: Annotated[
        float, Setting("Largest mean speed of a swinging foot", "m/s", above=0.0)
    ] = 0.15
    rest: Annotated[float, Setting("Pause between two moves", "s", above=0.0)] = 0.15
    clearance: Annotated[
        float, Setting("Clearance of a swinging foot", "m", above=0.0)
    ] = 0.025
    least: Annotated[
        float, Setting("Margin below which no leg lifts", "m", above=0.0)
    ] = 0.005
    arm: Annotated[
        float,
        Setting(
            "Way of the feet per radian of the trunk's turn, which gives its duration",
            "m",
            above=0.0,
        ),
    ] = 0.1
    uneven: Annotated[
        bool,
        Setting(
            "Whether the ground may be uneven: heights are optimised, and edges avoided"
        ),
    ] = False
    near: Annotated[
        float, Setting("Distance of feet from a known edge", "m", above=0.0)
    ] = 0.02
    riser: Annotated[
        float, Setting("Height difference that makes an edge", "m", above=0.0)
    ] = 0.004
    yields: Annotated[
        bool, Setting("Whether dominated controllers may use up the spare of a margin")
    ] = False
    inner: Annotated[
        float,
        Setting(
            "Smallest horizontal distance of feet from the middle of the trunk",
            "m",
            least=0.0,
        ),
    ] = 0.0
    outer: Annotated[
        float | None,
        Setting(
            "Largest horizontal distance of feet from the middle of the trunk",
            "m",
            above=0.0,
            usual="as far as legs reach",
        ),
    ] = None


def basis_parts(machine: LeggedMachine, config: BasisConfig) -> BasisParts:
    """Return all that the controllers know of a machine.

    Args:
        machine: with four legs of three joints.
        config: of the controllers.

    Raises:
        ConfigError: other legs.
    """
    if (machine.legs, machine.joints) != (4, 3):
        problem = (
            f"the control basis takes four legs of three joints, '{machine.name}' has "
            f"{machine.legs} of {machine.joints}"
        )
        raise ConfigError(f"robot '{machine.name}'", [problem])
    legs, body, places = BasisLeg.zeros(4), BasisBody.zeros(), _homes(machine)
    q, _ = foot_angles(machine.geometry, places)
    lower = machine.geometry.lower.reshape(4, 3)
    upper = machine.geometry.upper.reshape(4, 3)
    spared = 0.5 * (1.0 - SHARE) * (upper - lower)
    legs["lower"], legs["upper"] = lower + spared, upper - spared
    legs["stand"] = q.reshape(4, 3)
    for one in range(4):
        legs[one].neutral[:] = _neutral_angles(machine, one, q.reshape(4, 3)[one])
    legs["home"] = machine.geometry.hips + places
    legs["inner"] = config.inner
    legs["outer"] = np.inf if config.outer is None else config.outer
    for one in range(4):
        legs[one].share[:] = _weighed(machine, places, one)
    body["centre"] = _centre_at(machine, places)
    body["kept"] = config.margin + (0.0 if config.yields else config.spare)
    for name in ("margin", "spare", "step", "turn", "still", "steady"):
        body[name] = getattr(config, name)
    return machine.geometry.legs, legs, body, BasisScratch.zeros()


def _homes(machine: LeggedMachine) -> Array:
    """Return hip to foot of all legs as the machine stands: their best posture, (4, 3).

    Args:
        machine: whose feet they are.
    """
    places = np.zeros((4, 3))
    places[:, 2] = -machine.height
    return places


def _neutral_angles(machine: LeggedMachine, one: int, stand: VecN) -> VecN:
    """Return the middle angles with which a leg's best posture is how it stands, (3,).

    Manipulability draws each joint by g = d ln |det J| / dq, the middle draws it back
    by the slope of ln cosⁿ θ: where both are in balance is found by halving.

    Args:
        machine: whose leg it is.
        one: which.
        stand: its angles as it stands, (3,) [rad or m].
    """
    out, own = np.array(stand), slice(3 * one, 3 * one + 3)
    ends = np.array([machine.geometry.lower[own], machine.geometry.upper[own]])
    spare = 0.5 * (1.0 - SHARE) * (ends[1] - ends[0])
    for j in range(3):
        by = np.zeros(3)
        by[j] = NUDGE * (ends[1, j] - ends[0, j])
        J = foot_jacobians(machine.geometry, one, np.array([stand - by, stand + by]))
        logs = np.log(np.maximum(np.abs(np.linalg.det(J)), 1e-12))
        pull = float(logs[1] - logs[0]) / (2.0 * by[j])
        low, high = ends[0, j] + spare[j], ends[1, j] - spare[j]
        near, far = stand[j], low if pull > 0.0 else high
        for _ in range(HALVINGS):
            out[j] = 0.5 * (near + far)
            off, end = stand[j] - out[j], high if pull > 0.0 else low
            rate = 0.5 * math.pi / (end - out[j])
            is_short = FIRM * abs(rate * math.tan(rate * off)) < abs(pull)
            near, far = (out[j], far) if is_short else (near, out[j])
    return out


def _weighed(machine: LeggedMachine, places: Array, one: int) -> Array:
    """Return the share that a foot's way has in the centre of mass's, (2, 2).

    Args:
        machine: whose foot it is.
        places: hip to foot of all legs, (4, 3) [m].
        one: which leg.
    """
    out, by = np.zeros((2, 2)), MOVED * machine.height
    for i in range(2):
        ends: list[VecN] = []
        for sign in (-1.0, 1.0):
            moved = places.copy()
            moved[one, i] += sign * by
            ends.append(_centre_at(machine, moved))
        out[:, i] = (ends[1] - ends[0]) / (2.0 * by)
    return out


def _centre_at(machine: LeggedMachine, places: Array) -> VecN:
    """Return the centre of mass in B with the feet at some places, level, (2,) [m]."""
    q, _ = foot_angles(machine.geometry, places)
    centre = np.zeros(3)
    centre_of_mass(q, machine.geometry.legs, machine.geometry.trunk, centre)
    return centre[:2]


def basis_stance(
    parts: BasisParts, feet: Array, p_WB: VecN, yaw: float
) -> tuple[Records[BasisStance], bool]:
    """Return a stance, and whether all its feet are reached.

    Args:
        parts: of the machine.
        feet: in W, (4, 3) [m].
        p_WB: place of the trunk, (3,) [m].
        yaw: of the trunk [rad].
    """
    stance = BasisStance.zeros(legs=4, joints=3)
    stance["feet"], stance["p_WB"], stance["yaw"] = feet, p_WB, yaw
    stance["q"] = parts[1]["stand"]
    return stance, bool(reaches(stance, -1, parts))


def home_stance(parts: BasisParts, *, yaw: float = 0.0) -> Records[BasisStance]:
    """Return the stance with all feet at home on level ground, the trunk over W.

    Args:
        parts: of the machine.
        yaw: of the trunk [rad].
    """
    home = np.array(parts[1]["home"])
    c, s = math.cos(yaw), math.sin(yaw)
    feet = home @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    feet[:, 2] = 0.0
    return basis_stance(parts, feet, np.array([0.0, 0.0, -home[:, 2].mean()]), yaw)[0]
