"""A controller's memory under other settings."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equipoise.runs.live.carried_memory import is_alike, state_after_change


class Memory(NamedTuple):
    """As controllers have it."""

    angle: np.ndarray
    more: tuple[float, ...]


@dataclass
class Other:
    """As others have it."""

    table: dict[str, np.ndarray]


def test_memory_made_alike_is_kept():
    old, fresh = Memory(np.ones(3), (1.0, 2.0)), Memory(np.zeros(3), (0.0, 0.0))
    assert state_after_change(old, fresh) is old


def test_memory_made_otherwise_begins_anew():
    fresh = Memory(np.zeros(3), (0.0,))
    for old in (
        Memory(np.ones(4), (1.0,)),
        Memory(np.ones(3, np.float32), (1.0,)),
        Memory(np.ones(3), (1.0, 2.0)),
        Memory(np.ones(3), (None,)),  # type: ignore[arg-type]
        (np.ones(3), (1.0,)),
    ):
        assert state_after_change(old, fresh) is fresh


def test_tables_are_looked_into():
    one = Other({"a": np.zeros(2)})
    assert is_alike(one, Other({"a": np.ones(2)}))
    assert not is_alike(one, Other({"a": np.ones(3)}))
    assert not is_alike(one, Other({"b": np.ones(2)}))
