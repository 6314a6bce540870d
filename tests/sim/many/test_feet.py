"""What a foot remembers from step to step, and the ground it was looked up on."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.equations.tape.functions import maximum
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedSymbols
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many import feet
from equipoise.sim.many.feet import FootBalls, feet_step, looked_up

EASE, DT, RADIUS = 0.02, 0.001, 0.03
STIFF = 7.0  # of the ground of these tests, along its normal [N/m]


def pressed(settings, plane, radius, ease, free, turns):
    """A ground that is a spring, to tell from its force what it was given."""
    press = STIFF * maximum(0.0, radius - plane.over)
    force = [press * n + 0.1 * v for n, v in zip(plane.normal, free, strict=True)]
    return SimpleNamespace(force=tuple(force), press=press)


class OneFoot:
    """A foot that is where it is told, on ground from a table."""

    def __init__(self, monkeypatch):
        tape = Tape()
        self.given = given = NamedSymbols(tape)
        self.p = [tape.symbol(f"p{k}", "state") for k in range(3)]
        self.v = [tape.symbol(f"v{k}", "state") for k in range(3)]
        self.slope = given.symbol("slope")
        monkeypatch.setattr(feet, "position", lambda *_: tuple(self.p))
        monkeypatch.setattr(feet, "velocity", lambda *_: tuple(self.v))
        monkeypatch.setattr(feet, "ball_force", pressed)
        level = SimpleNamespace(over=self.p[2], normal=(0.0, 0.0, 1.0))
        monkeypatch.setattr(feet, "tangent_plane", lambda *_: level)
        tree: Any = SimpleNamespace(tape=tape, points={"toe": ()})
        data: Any = SimpleNamespace(
            geom=lambda name: SimpleNamespace(xpos=np.array([0.5, -0.25, 9.0]))
        )
        self.step = feet_step(
            tree, given, {"slope": self.slope}, FootBalls(RADIUS, EASE, 2, DT, True),
            data,
        )  # fmt: skip

    def after(self, p, v, **given):
        """Return what is remembered after a step, by name, and the force."""
        names = ["toe.carried.x", "toe.carried.y", "toe.carried.z", "slope"]
        names += [*looked_up("toe"), "toe.probe.x", "toe.probe.y"]
        inputs = [*self.p, *self.v, *self.given.symbols(names)]
        rows = [*self.step.after, *self.step.forces["toe"]]
        values = [*p, *v, *(given.get(name, 0.0) for name in names)]
        out = interpret(program(rows, inputs), np.array(values, float))
        kept = [one.name for one in self.step.state]
        return dict(zip(kept, out, strict=False)), out[-3:]


@pytest.fixture
def foot(monkeypatch):
    return OneFoot(monkeypatch)


def test_a_foot_begins_where_the_engine_has_it(foot):
    start = {one.name: (one.unit, one.value) for one in foot.step.state}
    assert start["toe.probe.x"] == ("m", 0.5)
    assert start["toe.probe.y"] == ("m", -0.25)
    assert start["toe.load"] == ("N", 0.0)
    assert foot.step.probes == [("toe.probe.x", "toe.probe.y")]
    assert len(foot.step.state) == len(foot.step.after) == 6


def test_the_ground_is_looked_up_where_the_foot_will_be(foot):
    """By its present velocity, a step ahead."""
    kept, _ = foot.after([0.1, 0.2, 5.0], [3.0, -4.0, 1.0])
    assert kept["toe.probe.x"] == pytest.approx(0.1 + 0.003, abs=1e-15)
    assert kept["toe.probe.y"] == pytest.approx(0.2 - 0.004, abs=1e-15)


def test_what_is_carried_is_the_velocity_with_what_the_force_does(foot):
    """v + ease F; and what it would be without ground is 2 v less what was carried."""
    carried = np.array([0.5, -0.7, 0.2])
    names = dict(zip(("toe.carried.x", "toe.carried.y", "toe.carried.z"), carried,
                     strict=True))  # fmt: skip
    v = np.array([1.0, 2.0, -3.0])
    kept, force = foot.after([0.0, 0.0, 5.0], v, **names)
    assert force == pytest.approx(0.1 * (2.0 * v - carried))  # in the air
    assert kept["toe.load"] == 0.0
    assert [kept[name] for name in names] == pytest.approx(v + EASE * force)


def test_the_plane_touches_the_ground_where_it_was_looked_up(foot, rng):
    """Over a plane through (x, y, height) with the table's slopes and the ground's."""
    for _ in range(10):
        x, y, height, ahead, left, slope = 0.3 * rng.normal(size=6)
        p = np.array([x, y, height + slope * x]) + 0.01 * rng.normal(size=3)
        told = {"slope": slope, "toe.probe.x": x, "toe.probe.y": y}
        told |= dict(zip(looked_up("toe"), (height, ahead, left), strict=True))
        normal = np.array([-ahead - slope, -left, 1.0])
        normal /= np.linalg.norm(normal)
        # the ground's own slope is through the origin
        over = (p - np.array([x, y, height + slope * x])) @ normal
        kept, force = foot.after(p, np.zeros(3), **told)
        load = STIFF * max(0.0, RADIUS - over)
        assert kept["toe.load"] == pytest.approx(load, abs=1e-12)
        assert force == pytest.approx(load * normal, abs=1e-12)
