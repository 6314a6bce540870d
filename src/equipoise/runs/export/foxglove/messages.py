"""Foxglove's messages by name, and the small ones that the others are made of.

The schemas are Foxglove's own. Lengths are in m, angles in rad; parts of a quaternion
have names, so that w first (as in ``qpos``) cannot be taken for w last.
"""

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.extras import require_extra

__all__ = [
    "WORLD",
    "colour",
    "direction_message",
    "fox",
    "nanoseconds",
    "point_message",
    "pose",
    "rotation_message",
    "stamp",
    "vector_message",
]

WORLD = "world"
"""The frame that does not move; MuJoCo's own name for it."""
LAST = 1e9  # [s]
SECOND = 1_000_000_000  # [ns]


@final
class FoxgloveMessages:
    """Kinds of messages, as ``fox.Pose``; each is imported when first used."""

    def __getattr__(self, name: str) -> Any:
        """Return a kind of message.

        Args:
            name: as Foxglove writes it, without its own name before it.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        home = require_extra("mcap", f"foxglove_schemas_protobuf.{name}_pb2")
        kind = getattr(home, name)
        vars(self)[name] = kind
        return kind


fox = FoxgloveMessages()


def nanoseconds(time: float) -> int:
    """Return a moment of the run's own clock, 0 at its start [ns].

    Args:
        time: in [s].

    Raises:
        ValueError: no moment after the start.
    """
    if not 0.0 <= time < LAST:
        raise ValueError(f"a time of {time:g} s")
    return round(float(time) * SECOND)


def stamp(time: int) -> Any:
    """Return a moment as protobuf's time stamp.

    Args:
        time: in [ns].
    """
    kind = require_extra("mcap", "google.protobuf.timestamp_pb2").Timestamp
    return kind(seconds=time // SECOND, nanos=time % SECOND)


def point_message(p: ArrayLike) -> Any:
    """Return a point.

    Args:
        p: (3,) [m].
    """
    x, y, z = np.asarray(p, np.float64).tolist()
    return fox.Point3(x=x, y=y, z=z)


def vector_message(v: ArrayLike) -> Any:
    """Return a vector, or a size.

    Args:
        v: (3,).
    """
    x, y, z = np.asarray(v, np.float64).tolist()
    return fox.Vector3(x=x, y=y, z=z)


def rotation_message(quat: ArrayLike) -> Any:
    """Return an orientation.

    Args:
        quat: w first, (4,).
    """
    w, x, y, z = np.asarray(quat, np.float64).tolist()
    return fox.Quaternion(x=x, y=y, z=z, w=w)


def pose(p: ArrayLike, quat: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> Any:
    """Return place and orientation.

    Args:
        p: (3,) [m].
        quat: w first, (4,).
    """
    return fox.Pose(position=vector_message(p), orientation=rotation_message(quat))


def colour(rgba: ArrayLike) -> Any:
    """Return a colour.

    Args:
        rgba: red, green, blue and alpha, in [0, 1].
    """
    r, g, b, a = np.asarray(rgba, np.float64).tolist()
    return fox.Color(r=r, g=g, b=b, a=a)


def direction_message(direction: Array) -> Array:
    """Return the orientation, w first, that turns x into a direction, (4,).

    Args:
        direction: (3,), not zero.
    """
    x, y, z = direction.tolist()
    aside = float(np.hypot(y, z))
    half = 0.5 * float(np.arctan2(aside, x))
    axis = (-z / aside, y / aside) if aside > 0.0 else (0.0, 1.0)  # in the plane y, z
    return np.array([np.cos(half), 0.0, *(np.sin(half) * np.array(axis))])
