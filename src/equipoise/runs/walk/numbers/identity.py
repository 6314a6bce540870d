"""Digests by which to tell whether two walks had the same machine and settings."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

import mujoco
import numpy as np

from equipoise.control.walker import WalkerConfig
from equipoise.robots.robot import Robot

__all__ = ["canonical", "machine_sha256", "settings_sha256", "used_settings"]


def canonical(settings: Mapping[str, Any]) -> str:
    """Return settings as one JSON text: keys in order, no spaces.

    Args:
        settings: plain values, lists and mappings within each other.
    """
    return json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)


def settings_sha256(settings: Mapping[str, Any]) -> str:
    """Return the SHA-256 of settings, of their ``canonical`` text in UTF-8.

    Args:
        settings: plain values, lists and mappings within each other.
    """
    return hashlib.sha256(canonical(settings).encode()).hexdigest()


def used_settings(walking: WalkerConfig) -> dict[str, Any]:
    """Return the settings of a controller, without those of parts that it has not.

    Args:
        walking: parts and their settings.
    """
    named = (
        walking.guide,
        walking.planner,
        walking.support,
        walking.motion,
        walking.balance,
    )
    used = {*named, walking.legs, *walking.reflexes}
    whole = asdict(walking)
    parts = whole.pop("parts")
    return _plain(whole | {k: v for k, v in parts.items() if k in used})


def _plain(value: Any) -> Any:
    """Return what JSON can hold: numbers that are not finite become words."""
    if isinstance(value, Mapping):
        items = cast(Mapping[Any, Any], value).items()
        return {str(key): _plain(inner) for key, inner in items}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in cast(list[Any], value)]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return (
        value if value is None or isinstance(value, bool | int | float) else str(value)
    )


def machine_sha256(robot: Robot) -> str:
    """Return the SHA-256 of a robot: its compiled specification, feet and drives.

    The compiled specification is MuJoCo's own binary form of the model, so another
    version of MuJoCo may give another digest.

    Args:
        robot: as it walks.
    """
    model = robot.model
    content = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    drives = [asdict(drive) for drive in robot.drives]
    rest = {"feet": robot.feet, "legs": robot.legs, "drives": drives}
    found = hashlib.sha256(content.tobytes())
    found.update(canonical(_plain(rest)).encode())
    return found.hexdigest()
