"""Derivations of the thesis, written as it has them, come out as it has them."""

import numpy as np
import pytest

from equipoise.equations.blocks.block import free_symbols
from equipoise.equations.mechanism.arms import arm
from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.sympy_view import sympy_view

sympy = pytest.importorskip("sympy")


def trunk(by_rates=False):
    """Section 6.3: position in the trunk's axes, speeds chosen as (6.8) and (6.9)."""
    S = System("trunk")
    x, y, z, yaw, pitch, roll = S.coords("x y z yaw pitch roll")
    wx, wy, wz, w1, w2, w3 = S.speeds("wx wy wz w_roll w_pitch w_yaw")
    m, I1, I2, I3, g = S.parameters("m I1 I2 I3 g")
    n = S.inertial("n")
    a = n.rot("a", 3, yaw)
    b = a.rot("c", 2, pitch).rot("b", 1, roll)
    place = b[x, y, z]  # (6.4)
    spin = (
        n[0, 0, S.rate(yaw)] + a[0, S.rate(pitch), 0] + b[S.rate(roll), 0, 0]
    )  # (6.5)
    velocity = b[S.rate(x), S.rate(y), S.rate(z)] + spin.cross(place)
    axes = (b[1, 0, 0], b[0, 1, 0], b[0, 0, 1])
    S.kde(w_roll=spin.dot(axes[0]), w_pitch=spin.dot(axes[1]), w_yaw=spin.dot(axes[2]))
    S.kde(wx=velocity.dot(axes[0]), wy=velocity.dot(axes[1]), wz=velocity.dot(axes[2]))
    S.spin(b, spin if by_rates else b[w1, w2, w3])
    centre = S.point("B", place, velocity if by_rates else b[wx, wy, wz])
    body = S.body("B", m, centre, b.inertia(I1, I2, I3))
    S.force(body, n[0, 0, -m * g])
    return S


def test_speeds_are_chosen_as_in_section_6_3_3():
    e = trunk().kane()
    assert e.form == "composite"
    names = "x y z yaw pitch roll wx wy wz w_roll w_pitch w_yaw m g"
    x, y, z, _, p, r, wx, wy, wz, w1, w2, w3, m, g = sympy.symbols(names, real=True)
    s, c, t = sympy.sin, sympy.cos, sympy.tan
    kde = [  # (6.10)
        wx - (w2 * z - w3 * y),
        wy - (w3 * x - w1 * z),
        wz - (w1 * y - w2 * x),
        c(r) / c(p) * w3 + s(r) / c(p) * w2,
        c(r) * w2 - s(r) * w3,
        w1 + t(p) * s(r) * w2 + t(p) * c(r) * w3,
    ]
    found = sympy_view(e.kde)
    assert [sympy.simplify(a - b) for a, b in zip(found, kde, strict=True)] == [0] * 6
    # Section 6.3.7, the term l = 0, i = x, with b1 · n3 = -sin q_pitch.
    forcing = -m * (w2 * wz - w3 * wy - g * s(p))
    (first,) = sympy_view(e.F[:1])
    assert sympy.simplify(first - forcing) == 0
    assert sympy.simplify(sympy_view([e.M[0, 0]])[0] - m) == 0


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_what_is_stated_by_rates_means_the_same(form, rng):
    x = rng.uniform(-1.0, 1.0, 12)
    found = []
    for by_rates in (False, True):
        S = trunk(by_rates)
        e = S.kane(form)
        symbols = [*e.coordinates, *e.speeds]
        made = program(e.accelerations(), symbols, [S.tape.find(n) for n in S.values])
        found.append(interpret(made, x, np.array([2.0, 0.3, 0.4, 0.6, 9.81])))
    # Some hundred operations.
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)


def names_in(system, expressions):
    known = {i: name for name, i in system.tape.names.items()}
    return {known[s.ref] for s in free_symbols(expressions)}


def test_the_arm_as_printed_hangs_its_third_link_on_the_shoulder():
    printed, right = arm(as_printed=True).system, arm().system
    e, f = printed.kane(), right.kane()
    assert names_in(printed, [e.M[1, 2]]) == {"I3y", "m3", "l3"}  # M23 is constant
    assert "q3" in names_in(right, [f.M[1, 2]])
    dynamics = names_in(printed, [*e.M.values(), *e.F])
    assert "L" not in dynamics
    assert "L" in names_in(right, [*f.M.values(), *f.F])
    # The printed list of parameters cannot show it: L is there for the tip.
    lists = [[p.name for p in s.block().parameters] for s in (printed, right)]
    assert lists[0] == lists[1]


def test_the_arm_has_the_textbook_mass_matrix():
    e = arm().system.kane()
    (inertia,) = sympy_view([e.M[1, 2]])
    L, l3, m3, I3y, q3 = sympy.symbols("L l3 m3 I3y q3", real=True)
    expected = I3y + m3 * l3**2 + m3 * L * l3 * sympy.cos(q3)
    assert sympy.simplify(inertia - expected) == 0
