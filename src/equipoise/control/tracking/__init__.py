"""Legs that track cycloids by position or by force, and push a machine on wheels."""

from equipoise.control.tracking.controller import (
    TRACKINGS,
    TrackingConfig,
    TrackingController,
    tracking_controller,
)

__all__ = [
    "TRACKINGS",
    "TrackingConfig",
    "TrackingController",
    "tracking_controller",
]
