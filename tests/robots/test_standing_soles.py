"""Soles of a stand: how even they must be, and how the robot is put on the ground."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.standing import robot as standing

HEIGHT = 0.5
"""Of the base; soles may differ by 2 mm."""
MODEL = SimpleNamespace(
    body=lambda name: SimpleNamespace(id={"base": 2}[name]),
    body_jntadr=[-1, 5, 1],
    jnt_qposadr=[0, 1, 8],
)


def footing(monkeypatch, levels, *, stretch=0.5, assumed=(), bent=None):
    """Return the footing of a robot whose soles are at some levels."""
    robot: Any = SimpleNamespace(name="sticks", base="base", model=MODEL)
    found: Any = SimpleNamespace(
        qpos=np.arange(9.0), height=HEIGHT, stand="zero pose", assumed=assumed,
        legs=("a", "b"),
    )  # fmt: skip
    soles = tuple(SimpleNamespace(level=level) for level in levels)
    monkeypatch.setattr(standing, "_soles_in", lambda *given: soles)
    monkeypatch.setattr(standing, "greatest_stretch", lambda *given: stretch)
    monkeypatch.setattr(
        standing, "_sole_middle", lambda robot, sole, qpos: np.array([sole.level, 1.0])
    )
    monkeypatch.setattr(standing, "bent_stand", bent)
    return standing._footing_of(robot, found)


@pytest.mark.parametrize("down", [-0.7, 0.0, 0.9])
def test_soles_are_put_on_the_ground_wherever_the_file_has_them(monkeypatch, down):
    levels = (down + 0.0019, down, down + 0.001)
    found = footing(monkeypatch, levels, assumed=("a leg is guessed",))
    wanted = np.arange(9.0)
    wanted[3] -= down  # the base's free joint begins at the second number
    assert found.qpos == pytest.approx(wanted)
    assert [sole.level for sole in found.soles] == list(levels)
    assert found.said == ""


@pytest.mark.parametrize("down", [-0.7, 0.0, 0.9])
def test_uneven_soles_are_refused_by_how_much_they_differ(monkeypatch, down):
    said = "in its stand (zero pose) one sole is 12 mm above the other"
    with pytest.raises(ConfigError, match=re.escape(said)):
        footing(monkeypatch, (down + 0.012, down))
    with pytest.raises(ConfigError, match="one sole is 2 mm above"):
        footing(monkeypatch, (down, down + 0.0021))


@pytest.mark.parametrize(
    ("stretch", "assumed"),
    [(1.0, ()), (0.5, ("the stand is the zero pose",))],
)
def test_straight_legs_and_a_stand_nobody_told_are_bent(monkeypatch, stretch, assumed):
    """Over the middle of the soles, with the base where the soles are on the ground."""
    asked = []

    def bent(robot, legs, qpos, middle):
        asked.append((legs, qpos[3], middle.tolist()))
        return np.full(9, 7.0)

    found = footing(
        monkeypatch, (0.4, 0.401), stretch=stretch, assumed=assumed, bent=bent
    )
    ((legs, up, middle),) = asked
    assert legs == ("a", "b") and up == pytest.approx(3.0 - 0.4)
    assert middle == pytest.approx([0.4005, 1.0])
    assert found.qpos.tolist() == [7.0] * 9
    assert found.said.startswith("the stand is computed from zero pose: legs bent")
    with pytest.raises(ConfigError, match=f"its legs are at {100 * stretch:.0f} % of"):
        footing(
            monkeypatch, (0.4, 0.4), stretch=stretch, assumed=assumed,
            bent=lambda *given: None,
        )  # fmt: skip
