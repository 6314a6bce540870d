"""What a script cannot mean is refused in one sentence that names the symbol."""

import sys

import pytest

from equipoise.core.errors import ConfigError, MissingToolError, UnknownNameError
from equipoise.equations.mechanism.arms import arm
from equipoise.equations.mechanism.legged import Leg, Limb, legged
from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.functions import cos, sqrt
from equipoise.equations.tape.sympy_view import equations_view
from oracles.small_systems import double_pendulum, pendulum


def test_a_coordinate_without_kinematic_equation_is_named():
    S = pendulum()
    S.coords("lost")
    with pytest.raises(
        ConfigError, match="coordinate 'lost' has no kinematic equation"
    ):
        S.kane()


def test_frames_that_do_not_meet_are_named():
    S = pendulum()
    other = S.inertial("elsewhere").rot("b", 1, 0.3)
    n = S.inertial_frame
    for wrong in (lambda: other[1, 0, 0].in_(n), lambda: other[1, 0, 0] + n[1, 0, 0]):
        with pytest.raises(ConfigError, match=r"frame 'b' .* to frame 'n'"):
            wrong()


def test_a_singular_choice_of_speeds_is_named():
    S = double_pendulum("rates")
    S.kde(q2=S.tape.find("w1") * 2)
    with pytest.raises(ConfigError, match=r"'w2' .* singular"):
        S.kane()
    S = System("sum")
    q1, q2 = S.coords("q1 q2")
    S.speeds("w1 w2")
    total = S.rate(q1) + S.rate(q2)
    S.kde(w1=total, w2=3 * total)
    S.body("b", 1.0, S.inertial("n")[q1, q2, 0])
    with pytest.raises(
        ConfigError, match=r"'w2' follows from the other speeds: .*singular"
    ):
        S.kane()


def test_speeds_must_be_linear_and_enough():
    S = pendulum()
    S.kde(q=S.tape.find("w") ** 2)
    with pytest.raises(ConfigError, match="rate of 'q' is not linear"):
        S.kane()
    S = System("few")
    q1, _ = S.coords("q1 q2")
    S.speeds("w1")
    S.kde(w1=S.rate(q1) * cos(q1))
    with pytest.raises(ConfigError, match="'q2' has no kinematic equation"):
        S.kane()
    with pytest.raises(UnknownNameError, match="Did you mean 'q1'"):
        S.kde(q11=1.0)


def test_a_speed_that_moves_no_mass_is_named():
    S = pendulum()
    (_,), (v,) = S.coords("x"), S.speeds("v")
    S.kde(x=v)
    with pytest.raises(ConfigError, match="speed 'v' moves no mass"):
        S.kane()


def test_two_speeds_for_one_motion_are_named():
    S = System("twice")
    q1, q2 = S.coords("q1 q2")
    w1, w2 = S.speeds("w1 w2")
    S.kde(q1=w1, q2=w2)
    a = S.inertial("n").rot("a", 3, q1).rot("b", 3, q2)
    S.body("bar", 1.0, a[1, 0, 0], a.inertia(0.1, 0.1, 0.1))
    with pytest.raises(
        ConfigError, match=r"a motion with the speed '.*' moves no mass"
    ):
        S.kane()


def test_a_gear_beside_a_ship_and_odd_functions_are_no_reason_to_refuse():
    S = System("ship")
    x, q = S.coords("x q")
    v, w = S.speeds("v w")
    S.kde(
        x=1e-9 * v, q=sqrt(1 - x * x) * w
    )  # the root of a number below zero at x = 1.2
    n = S.inertial("n")
    a = n.rot("a", 3, q)
    S.body("ship", 1e7, n[x, 0, 0])
    S.body("gear", 1e-3, n[x, 0, 0] + a[1e-3, 0, 0], a.inertia(1e-9, 1e-9, 1e-9))
    assert len(S.kane().F) == 2


def test_a_free_symbol_that_is_no_parameter_is_named():
    robot = arm()
    u1, u2, _ = robot.system.input_symbols.values()
    with pytest.raises(ConfigError, match="symbol 'u3' is no state"):
        robot.system.block(inputs={"u": [u1, u2]})
    S = pendulum()
    stray = S.tape.symbol("stray", "input")
    S.torque(S.inertial_frame.family["a"], S.inertial_frame[0, stray, 0])
    with pytest.raises(ConfigError, match="symbol 'stray' is no state"):
        S.block()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda S, n: n.rot("a", 2, 0.1), "frame 'a' .* one of that name"),
        (lambda S, n: n.rot("c", 4, 0.1), "frame 'c' .* 1, 2 or 3, got 4"),
        (lambda S, n: n[1, 2], "frame 'n' .* 3 components, got 2"),
        (lambda S, n: S.body("bob", 1.0, n[0, 0, 0]), "two bodies 'bob'"),
        (lambda S, n: S.parameters("a b", 1.0), "2 names and 1 values"),
        (lambda S, n: S.rate(S.tape.find("m")), "only a coordinate has a rate"),
        (lambda S, n: S.coords("m"), "'m' is used twice"),
        (lambda S, n: S.force(n, n[1, 0, 0]), "at a body or a point, got Frame"),
        (lambda S, n: S.force(n[0, 0, 0], (1, 0, 0)), "a force is a vector, got"),
        (lambda S, n: S.torque(n[0, 0, 0], n[1, 0, 0]), "acts on a frame or a body"),
        (lambda S, n: S.kane().M[0, 1], "no entry 0, 1"),
        (lambda S, n: S.kane("lagrange"), "composite or literal, got 'lagrange'"),
        (lambda S, n: S.initial(z=1.0), "no coordinate or speed 'z'"),
        (lambda S, n: System("no frame").block(), "no inertial frame"),
    ],
)
def test_slips_are_answered_with_a_sentence(wrong, message):
    S = pendulum()
    with pytest.raises((ConfigError, IndexError, UnknownNameError), match=message):
        wrong(S, S.inertial_frame)


def test_formulas_say_what_they_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)  # as if it were not installed
    with pytest.raises(MissingToolError, match="pip install sympy"):
        equations_view(pendulum().kane())


def test_systems_without_speeds_or_bodies_are_refused():
    S = System("empty")
    S.inertial("n")
    with pytest.raises(ConfigError, match="no speeds"):
        S.kane()
    S.coords("q")
    S.kde(q=S.speeds("w")[0])
    with pytest.raises(ConfigError, match="no bodies"):
        S.kane()


def test_what_moves_must_move_with_coordinates():
    S = pendulum()
    (u,) = S.inputs("u")
    S.inertial_frame.rot("driven", 1, u)
    with pytest.raises(ConfigError, match=r"frame 'driven' .* moves with 'u'"):
        S.kane()
    S = pendulum()
    w = S.tape.find("w")
    S.body("odd", 1.0, S.inertial_frame[w, 0, 0])
    with pytest.raises(ConfigError, match=r"body 'odd' .* moves with 'w'"):
        S.kane()
    S = pendulum()
    S.force(S.inertial_frame[w_of(S), 0, 0], S.inertial_frame[1, 0, 0])
    with pytest.raises(ConfigError, match=r"force 2 .* moves with 'w'"):
        S.kane()
    S = pendulum()
    S.body("sand", S.tape.find("q"), S.inertial_frame[0, 0, 0])
    with pytest.raises(ConfigError, match=r"body 'sand' .* depends on 'q'"):
        S.kane()
    S = pendulum()
    (u,) = S.inputs("u")
    S.kde(q=w_of(S) * u)
    with pytest.raises(ConfigError, match=r"kinematic equations .* depends on 'u'"):
        S.kane()


def w_of(S):
    return S.tape.find("w")


def test_legs_must_fit_their_joints():
    limb = Limb(1.0, (0.1, 0, 0), (0.1, 0.1, 0.1), (0.2, 0, 0))
    with pytest.raises(ConfigError, match=r"leg 1 .* 3 joints do not match 1 limbs"):
        legged("robot", 1.0, (1, 1, 1), [Leg((0, 0, 0), (limb,), 3)])
