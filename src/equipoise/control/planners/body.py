"""What plans by waves have to know of a machine with four legs."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.planners.recoil import foot_shares
from equipoise.control.signals import Estimate
from equipoise.core.arrays import Array, Vec2
from equipoise.core.constants import GRAVITY

__all__ = ["PlannedMachine", "body_of", "fastest", "rotated_by_yaw"]


@final
@dataclass(frozen=True, eq=False)
class PlannedMachine:
    """Model of a four-legged machine for plans."""

    stand: Array
    """Where feet are in B as it stands, front to rear, left first, (4, 2) [m]."""
    centre: Vec2
    """Of mass in B then, (2,) [m]."""
    shares: Array
    """Of its mass that moves with each foot, (4, 2)."""
    pace: float
    """√(g/H) with H the height of the centre of mass over the ground [1/s]."""


def body_of(estimate: Estimate) -> PlannedMachine:
    """Return the model of a machine for plans.

    Args:
        estimate: of this tick.
    """
    machine, trunk, legs = estimate.machine, estimate.trunk[0], estimate.legs
    hips = machine.geometry.hips
    up = trunk.height - hips[:, 2].mean() + trunk.p_BC[2]
    tall = up + machine.geometry.foot_radius
    stand, shares = hips[:, :2].copy(), foot_shares(estimate)
    off = (shares * (legs["hip"] + legs["foot"])[:, :2] - shares * stand).sum(axis=0)
    return PlannedMachine(
        stand, trunk.p_BC[:2] - off, shares, math.sqrt(GRAVITY / tall)
    )


def fastest(estimate: Estimate, duty: float, share: float) -> float:
    """Return the speed at which swinging feet take a share of the joints' speeds.

    A foot that stands for β goes v β/(1 - β) over the trunk on average as it swings,
    and half as much again at its quickest.

    Args:
        estimate: of this tick, whose Jacobians count.
        duty: factor.
        share: of the joints' speeds.
    """
    machine, nj = estimate.machine, estimate.machine.joints
    limit = np.array([drive.speed for drive in machine.drives]).reshape(-1, nj)
    quickest = math.inf
    for leg, most in zip(estimate.legs, limit, strict=True):
        each = np.abs(np.linalg.pinv(leg.jacobian)[:, 0])
        quickest = min(quickest, float((most / np.maximum(each, 1e-9)).min()))
    return share * quickest * (1.0 - duty) / (1.5 * duty)


def rotated_by_yaw(places: Array, yaw: float) -> Array:
    """Return places turned about the vertical, (n, 2).

    Args:
        places: (n, 2) [m].
        yaw: by which [rad].
    """
    c, s = math.cos(yaw), math.sin(yaw)
    return places @ np.array([[c, s], [-s, c]])
