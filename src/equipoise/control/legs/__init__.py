"""Leg level of a walking machine's control: feet on springs, led along motions."""

from equipoise.control.legs.ellipse import EllipseConfig, EllipseMotion
from equipoise.control.legs.follow import (
    FollowController,
    LegMotion,
    follow_controller,
)
from equipoise.control.legs.kneel import KneelConfig, KneelMotion
from equipoise.control.legs.law import LegLaw, LegLawConfig, leg_law, leg_torques

__all__ = [
    "EllipseConfig",
    "EllipseMotion",
    "FollowController",
    "KneelConfig",
    "KneelMotion",
    "LegLaw",
    "LegLawConfig",
    "LegMotion",
    "follow_controller",
    "leg_law",
    "leg_torques",
]
