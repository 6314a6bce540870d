"""A controller's memory carried over to the same controller with other settings."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

__all__ = ["is_alike", "state_after_change"]


def state_after_change(old: Any, fresh: Any) -> Any:
    """Return the old memory where it fits the new controller, else the fresh one.

    Args:
        old: memory of the controller that ran.
        fresh: memory of the new one before its first tick.
    """
    return old if is_alike(old, fresh) else fresh


def is_alike(one: Any, other: Any) -> bool:
    """Return whether two things are made alike: types, shapes, and so within.

    Args:
        one: any.
        other: any.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and one.dtype == other.dtype
    if isinstance(one, tuple | list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(is_alike(*pair) for pair in pairs)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            is_alike(one[key], other[key]) for key in one
        )
    if is_dataclass(one):
        return all(
            is_alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one)
        )
    return True
