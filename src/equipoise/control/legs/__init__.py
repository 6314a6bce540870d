"""Leg level of a walking machine's control: feet on springs and dampers."""

from equipoise.control.legs.law import LegLaw, LegLawConfig, leg_law, leg_torques

__all__ = ["LegLaw", "LegLawConfig", "leg_law", "leg_torques"]
