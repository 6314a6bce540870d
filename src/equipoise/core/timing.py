"""Which numbers of an answer are about the machine's clock and not about the robot.

Same seed, same numbers: everything but these keys is equal in two runs on one machine.
"""

from collections.abc import Mapping
from typing import Any, cast

__all__ = ["TIMING_KEYS", "untimed"]

TIMING_KEYS = (
    "timing",
    "realtime_factor",
    "realtime_factor_median",
    "control_share",
    "engine_us",
    "tick_rate_hz",
    "derive_s",
    "emit_s",
)


def untimed(content: Any) -> Any:
    """Return a summary, or attributes of a recording, without its timing keys.

    Args:
        content: plain values, lists and mappings inside each other.
    """
    if isinstance(content, Mapping):
        items = cast(Mapping[Any, Any], content).items()
        return {k: untimed(v) for k, v in items if k not in TIMING_KEYS}
    if isinstance(content, list | tuple):
        return [untimed(item) for item in cast(list[Any], content)]
    return content
