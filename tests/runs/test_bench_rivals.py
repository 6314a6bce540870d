"""WARP1 as its rivals' users would write it: rates of coordinates, masses and loads."""

import math

import numpy as np
import pytest
import sympy as sp
import sympy.physics.mechanics as me

from equipoise_lab.bench import rival_sympy


def matrix(yaw, pitch, roll):
    """Return R_NB: about z, then the new y, then the new x."""
    c, s = np.cos([yaw, pitch, roll]), np.sin([yaw, pitch, roll])
    Z = np.array([[c[0], -s[0], 0], [s[0], c[0], 0], [0, 0, 1]])
    Y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    X = np.array([[1, 0, 0], [0, c[2], -s[2]], [0, s[2], c[2]]])
    return Z @ Y @ X


@pytest.fixture(scope="module")
def written():
    """Return what Kane's method is given, without its equations, and the rates."""
    kept = {}

    class Given:
        def __init__(self, world, q, u, kinematics):
            kept.update(world=world, q=q, u=u, kinematics=kinematics)

        def kanes_equations(self, bodies, loads):
            kept.update(bodies=bodies, loads=loads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(me, "KanesMethod", Given)
        _, rates, symbols = rival_sympy.kane()
    return kept, rates, symbols


def test_rates_of_the_coordinates_are_those_of_the_turning_trunk(written, rng):
    kept, rates, symbols = written
    q, u = kept["q"], kept["u"]
    assert len(q) == len(u) == len(rates) == len(kept["kinematics"]) == 18
    assert list(symbols[-36:]) == [*q, *u] and len(set(symbols)) == len(symbols)
    at, speeds = rng.uniform(-0.7, 0.7, 18), rng.normal(size=18)
    found = np.array(sp.lambdify([q, u], rates)(at, speeds))
    R = matrix(*at[3:6])
    assert found[:3] == pytest.approx(R @ speeds[:3])
    step = 1e-6  # truncation: its square; rounding: 1e-16 over it
    ahead, behind = (matrix(*(at[3:6] + w * step * found[3:6])) for w in (1, -1))
    spin = R.T @ (ahead - behind) / (2 * step)
    w = [spin[2, 1], spin[0, 2], spin[1, 0]]
    assert w == pytest.approx(speeds[3:6], abs=1e-8)
    assert found[6:] == pytest.approx(speeds[6:])  # a leg's joints are their own
    t = me.dynamicsymbols._t
    for c, rate, equation in zip(q, rates, kept["kinematics"], strict=True):
        assert sp.simplify(equation - (c.diff(t) - rate)) == 0


def test_every_body_weighs_and_every_joint_acts_on_both_sides(written):
    kept, _, _ = written
    bodies, loads = kept["bodies"], kept["loads"]
    assert len(bodies) == 9  # the trunk, four thighs, four shanks
    g = sp.Symbol("g")
    weights = {load[0]: load[1] for load in loads if isinstance(load[0], me.Point)}
    for body in bodies:
        wanted = -body.mass * g * kept["world"].z
        assert (weights.pop(body.masscenter) - wanted) == 0
    assert len(weights) == 4  # a force of the ground on each foot
    torques = {}
    for frame, torque in loads:
        if isinstance(frame, me.ReferenceFrame):
            torques.setdefault(frame, me.Vector(0))
            torques[frame] += torque
    assert len(torques) == 13  # the trunk, and three frames a leg
    assert sum(torques.values(), me.Vector(0)).simplify() == 0  # all are inner ones


def test_a_foot_is_below_its_hip_by_both_lengths(written, rng):
    """Abduction about x, hip and knee about the new y; each length along its z."""
    kept, _, _ = written
    world, q = kept["world"], kept["q"]
    centre = kept["bodies"][0].masscenter
    feet = [
        point
        for point, _ in kept["loads"]
        if isinstance(point, me.Point) and point.name.startswith("e")
    ]
    assert [foot.name for foot in feet] == ["e02", "e12", "e22", "e32"]
    for k, foot in enumerate(feet):
        way = foot.pos_from(centre).to_matrix(world)
        names = [f"hip{k}_{i}" for i in range(3)] + [f"lt{k}", f"ls{k}"]
        numbers, at = rng.uniform(0.1, 1.0, 5), rng.uniform(-0.7, 0.7, 18)
        given = dict(zip(map(sp.Symbol, names), numbers, strict=True))
        given |= dict(zip(q, at, strict=True))
        found = np.array(way.subs(given), float).ravel()
        a, b, c = at[6 + 3 * k : 9 + 3 * k]
        down = [0.0, 0.0, numbers[3]] + matrix(0, c, 0) @ [0.0, 0.0, numbers[4]]
        leg = matrix(0, 0, a) @ matrix(0, b, 0) @ down
        wanted = matrix(*at[3:6]) @ (numbers[:3] + leg)
        assert found == pytest.approx(wanted, abs=1e-12)
        assert math.isclose(np.linalg.norm(leg) ** 2, down @ down)
