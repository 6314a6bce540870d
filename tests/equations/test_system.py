"""Scripts say what they mean: vectors, speeds, blocks, formulas, and good errors."""

import time

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations.linear.block import linearized
from equipoise.equations.mechanism.arms import arm, scara
from equipoise.equations.mechanism.kane import operation_counts
from equipoise.equations.mechanism.legged import warp1_system
from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.functions import cos, sin
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from oracles.small_systems import double_pendulum, pendulum

EPS = np.finfo(float).eps


def value(system, expressions, **at):
    """Numbers for expressions, parameters at their values."""
    given = {**system.coordinates, **system.speed_symbols, **system.input_symbols}
    made = program(
        expressions, list(given.values()), [system.tape.find(n) for n in system.values]
    )
    x = np.array([at.get(name, 0.0) for name in given])
    return interpret(made, x, np.array(list(system.values.values())))


def turned(axis, angle):
    i, j = axis % 3, (axis + 1) % 3
    R = np.eye(3)
    c, s = np.cos(angle), np.sin(angle)
    R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
    return R


def test_vectors_of_several_frames_add_up_in_any_frame():
    S = System("frames")
    q1, q2, q3 = S.coords("q1 q2 q3")
    n = S.inertial("n")
    a = n.rot("a", 3, q1)
    b = a.rot("b", 1, q2)
    c = a.rot("c", 2, q3)
    r = n[1.0, 2.0, 3.0] + b[0.5, -1.0, 0.0] + c[0.0, 0.3, 0.7]
    angles = {"q1": 0.3, "q2": -0.8, "q3": 1.9}
    R = {"n": np.eye(3), "a": turned(3, 0.3)}
    R["b"], R["c"] = R["a"] @ turned(1, -0.8), R["a"] @ turned(2, 1.9)
    world = R["n"] @ [1, 2, 3] + R["b"] @ [0.5, -1, 0] + R["c"] @ [0, 0.3, 0.7]
    for frame in (n, a, b, c):
        found = value(S, r.in_(frame), **angles)
        # Three turns of a vector of size 4.
        np.testing.assert_allclose(found, R[frame.name].T @ world, atol=40 * EPS)
    other = R["b"] @ [1.0, 2.0, -1.0]
    s = b[1.0, 2.0, -1.0]
    np.testing.assert_allclose(
        value(S, [r.dot(s)], **angles), world @ other, rtol=1e-13
    )
    np.testing.assert_allclose(
        value(S, r.cross(s).in_(n), **angles), np.cross(world, other), rtol=1e-13
    )
    np.testing.assert_allclose(
        value(S, (2 * r - s / 4).in_(n), **angles), 2 * world - other / 4, rtol=1e-13
    )


def test_a_quarter_turn_costs_nothing():
    S = System("frames")
    x, y, z = S.coords("x y z")
    n = S.inertial("n")
    a = n.rot("a", 1, np.pi / 2)
    found = a[x, y, z].in_(n)
    assert [e.ref for e in found] == [x.ref, -z.ref, y.ref]


def test_the_sums_of_the_thesis():
    # Section 7.2.1: [a cos α + b, -a sin α, 0] in A.
    S = System("sum")
    (alpha,) = S.coords("alpha")
    a, b = S.parameters("a b", 3.0, 5.0)
    N = S.inertial("N")
    A = N.rot("A", 3, alpha)
    found = value(S, (N[a, 0, 0] + A[b, 0, 0]).in_(A), alpha=0.6)
    np.testing.assert_allclose(
        found, [3 * np.cos(0.6) + 5, -3 * np.sin(0.6), 0], atol=8 * EPS
    )


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_a_pendulum_swings(form):
    S = pendulum()
    found = value(S, S.kane(form).accelerations(), q=0.7, w=1.3)
    np.testing.assert_allclose(found, -9.81 / 0.5 * np.sin(0.7), rtol=1e-14)


def free_body(stated):
    S = System("body")
    yaw, pitch, roll = S.coords("yaw pitch roll")
    x, y, z = S.coords("x y z")
    w1, w2, w3, v1, v2, v3 = S.speeds("w1 w2 w3 v1 v2 v3")
    I1, I2, I3, m = S.parameters("I1 I2 I3 m", 1.0, 2.0, 4.0, 3.0)
    turning = (sin(roll) * w2 + cos(roll) * w3) / cos(pitch)
    S.kde(yaw=turning, pitch=cos(roll) * w2 - sin(roll) * w3)
    S.kde(roll=w1 + sin(pitch) * turning)
    n = S.inertial("n")
    b = n.rot("a", 3, yaw).rot("c", 2, pitch).rot("b", 1, roll)
    velocity = b[v1, v2, v3]
    a1, a2, a3 = velocity.in_(n)
    S.kde(x=a1, y=a2, z=a3)
    centre = n[x, y, z]
    if "spin" in stated:
        S.spin(b, b[w1, w2, w3])
    if "velocity" in stated:
        centre = S.point("C", centre, velocity)
    S.body("body", m, centre, b.inertia(I1, I2, I3))
    return S


@pytest.mark.parametrize("form", ["composite", "literal"])
@pytest.mark.parametrize("stated", ["", "spin", "velocity", "spin and velocity"])
def test_a_free_body_obeys_euler(form, stated):
    S = free_body(stated)
    at = {"yaw": 0.4, "pitch": -0.3, "roll": 0.9, "w1": 1.0, "w2": 2.0, "w3": -3.0}
    at |= {"v1": 0.5, "v2": -1.0, "v3": 2.0}
    found = value(S, S.kane(form).accelerations(), **at)
    turning = [(2 - 4) / 1 * 2 * -3, (4 - 1) / 2 * -3 * 1, (1 - 2) / 4 * 1 * 2]
    moving = -np.cross([1.0, 2.0, -3.0], [0.5, -1.0, 2.0])
    np.testing.assert_allclose(found, [*turning, *moving], rtol=1e-12)


def test_stated_velocities_save_work_and_are_checked():
    costs = [
        sum(free_body(stated).kane("literal").operations)
        for stated in ("spin and velocity", "")
    ]
    assert costs[0] < costs[1] / 2
    S = free_body("spin and velocity")
    b = S.inertial_frame.family["b"]
    S.spin(b, b[S.tape.find("w1"), S.tape.find("w2"), -S.tape.find("w3")])
    with pytest.raises(ConfigError, match=r"frame 'b' .* angular velocity"):
        S.kane()
    S = free_body("")
    n = S.inertial_frame
    x, v1 = S.tape.find("x"), S.tape.find("v1")
    S.body("other", 1.0, S.point("P", n[x, 0, 0], n[v1, 0, 0]))
    with pytest.raises(ConfigError, match=r"point 'P' .* velocity"):
        S.kane()


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_the_motion_does_not_depend_on_the_choice_of_speeds(form):
    q = {"q1": 0.4, "q2": -0.9}
    rates = np.array([1.1, -2.3])
    found = []
    for choice in ("rates", "relative", "across"):
        S = double_pendulum(choice)
        e = S.kane(form)
        assert e.form == form
        c = np.cos(q["q2"] - q["q1"])
        W = {
            "rates": np.eye(2),
            "relative": np.array([[1.0, 0.0], [-1.0, 1.0]]),
            "across": np.array([[1.0, 0.0], [0.7 * c, 0.5]]),
        }[choice]
        w = dict(zip(("w1", "w2"), W @ rates, strict=True))
        np.testing.assert_allclose(value(S, e.kde, **q, **w), rates, rtol=1e-13)
        change = np.zeros(2)
        if choice == "across":  # dW/dt times the rates
            s = np.sin(q["q2"] - q["q1"])
            change[1] = -0.7 * s * (rates[1] - rates[0]) * rates[0]
        wdot = value(S, e.accelerations(), **q, **w)
        found.append(np.linalg.solve(W, wdot - change))
    # Some hundred operations and a 2 by 2 solution.
    np.testing.assert_allclose(found[1], found[0], rtol=1e-12)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-12)


def test_links_are_found_whatever_order_a_point_is_added_up_in():
    one, other = double_pendulum("rates"), double_pendulum("rates", -1)
    at = {"q1": 0.4, "q2": -0.9, "w1": 1.1, "w2": -2.3}
    a, b = one.kane(), other.kane()
    assert a.form == b.form == "composite"
    np.testing.assert_allclose(
        value(one, a.accelerations(), **at),
        value(other, b.accelerations(), **at),
        rtol=1e-12,
    )


def cart():
    """A cart with two bars in series, in three dimensions of speech."""
    S = System("cart")
    x, q1, q2 = S.coords("x q1 q2")
    v, w1, w2 = S.speeds("v w1 w2")
    S.kde(x=v, q1=w1, q2=w2)
    (f,) = S.inputs("f")
    mc, m, bar, J, g = S.parameters("mc m l J g", 2.0, 1.0, 0.6, 0.03, 9.81)
    n = S.inertial("n")
    a = n.rot("a", 2, q1)
    b = a.rot("b", 1, q2)
    at = n[x, 0, 0]
    trolley = S.body("cart", mc, at)
    one = S.body("one", m, at + a[0, 0, bar / 2], a.inertia(J, J, 0.0))
    two = S.body(
        "two", m, at + a[0, 0, bar] + b[0, 0, bar / 2], b.inertia(J, J, 0.5 * J)
    )
    for body in (trolley, one, two):
        S.force(body, n[0, 0, -body.mass * g])
    S.force(trolley, n[f, 0, 0])
    S.torque(two, a[S.tape.find("q2") * -0.4, 0, 0], reaction=one)
    return S


@pytest.mark.parametrize("form", ["composite", "literal"])
def test_a_cart_moves_as_sympys_method_says(form):
    sympy = pytest.importorskip("sympy")
    from sympy.physics import mechanics as me

    x, q1, q2, v, w1, w2 = me.dynamicsymbols("x q1 q2 v w1 w2")
    f, mc, m, bar, J, g = sympy.symbols("f mc m l J g")
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q1, N.y])
    B = A.orientnew("B", "Axis", [q2, A.x])
    origin = me.Point("O")
    origin.set_vel(N, 0)
    C = origin.locatenew("C", x * N.x)
    P = C.locatenew("P", bar / 2 * A.z)
    K = C.locatenew("K", bar * A.z)
    Q = K.locatenew("Q", bar / 2 * B.z)
    C.set_vel(N, v * N.x)
    kd = [x.diff() - v, q1.diff() - w1, q2.diff() - w2]
    for point, base, frame in ((P, C, A), (K, C, A), (Q, K, B)):
        point.v2pt_theory(base, N, frame)
    bodies = [
        me.Particle("cart", C, mc),
        me.RigidBody("one", P, A, m, (me.inertia(A, J, J, 0), P)),
        me.RigidBody("two", Q, B, m, (me.inertia(B, J, J, J / 2), Q)),
    ]
    loads = [(C, f * N.x - mc * g * N.z), (P, -m * g * N.z), (Q, -m * g * N.z)]
    loads += [(B, -0.4 * q2 * A.x), (A, 0.4 * q2 * A.x)]
    method = me.KanesMethod(N, [x, q1, q2], [v, w1, w2], kd)
    method.kanes_equations(bodies, loads)
    at = {x: 0.1, q1: 0.5, q2: -0.7, v: 0.3, w1: 1.2, w2: -0.8}
    at |= {f: 3.0, mc: 2.0, m: 1.0, bar: 0.6, J: 0.03, g: 9.81}
    M = np.array(method.mass_matrix.subs(at), dtype=float)
    F = np.array(method.forcing.subs(at), dtype=float)[:, 0]
    S = cart()
    e = S.kane(form)
    assert e.form == form
    now = {"x": 0.1, "q1": 0.5, "q2": -0.7, "v": 0.3, "w1": 1.2, "w2": -0.8, "f": 3.0}
    mine = value(S, [e.M[i, j] for i in range(3) for j in range(3)], **now)
    # sympy carries 15 digits; entries are of order one.
    np.testing.assert_allclose(mine.reshape(3, 3), M, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(value(S, e.F, **now), F, rtol=1e-12, atol=1e-13)


def test_what_is_no_tree_is_derived_body_by_body():
    # A frame turned about another axis hangs on a frame beside it.
    S = System("odd")
    q1, q2 = S.coords("q1 q2")
    w1, w2 = S.speeds("w1 w2")
    S.kde(q1=w1, q2=w2)
    n = S.inertial("n")
    a, b = n.rot("a", 3, q1), n.rot("b", 1, q2)
    S.body("one", 1.0, a[1, 0, 0], a.inertia(0.1, 0.1, 0.1))
    S.body("two", 2.0, a[1, 0, 0] + b[0, 1, 0], b.inertia(0.1, 0.1, 0.1))
    e = S.kane()
    assert e.form == "literal"
    found = value(S, [e.M[0, 0], e.M[0, 1], e.M[1, 1]], q1=0.3, q2=0.8)
    # v2 = w1 a2 + w2 b3, so M12 = 2 a2·b3 = -2 cos q1 · sin q2... and I + m r².
    coupling = 2 * np.dot(turned(3, 0.3)[:, 1], turned(1, 0.8)[:, 2])
    np.testing.assert_allclose(found, [3.1, coupling, 2.1], rtol=1e-13)


def test_gravity_may_be_said_once_or_for_each_body():
    one, other = cart(), cart()
    n = other.inertial_frame
    other._forces = [f for f in other._forces if f.vector.parts[n][2].is_zero]
    assert len(other._forces) == 1
    other.gravity(n[0, 0, -other.tape.find("g")])
    a, b = one.kane(), other.kane()
    assert a.operations == b.operations
    # Without it on one of the bodies it is a force like others, and the result differs.
    third = cart()
    third._forces = third._forces[1:]
    now = {"q1": 0.5, "q2": -0.7, "w1": 1.2, "w2": -0.8, "f": 3.0}
    np.testing.assert_allclose(
        value(one, a.F, **now), value(other, b.F, **now), rtol=1e-13
    )
    # The cart's weight does no work.
    np.testing.assert_allclose(
        value(third, third.kane().F, **now),
        value(one, a.F, **now),
        rtol=1e-12,
        atol=1e-13,
    )


# --- numbers the library promises -----------------------------------------------------


def test_warp1_costs_what_it_should():
    robot = warp1_system()
    S = robot.system
    e = S.kane()
    assert e.form == "composite"
    assert len(S.values) == 73
    assert e.operations.add <= 1000
    assert e.operations.mul <= 1100
    assert e.operations.trig == 30
    plain = warp1_system().system.kane("literal").operations
    assert plain.add <= 1800
    assert plain.mul <= 2500
    assert plain.trig == 30


def test_warp1_points_cost_what_they_should():
    robot = warp1_system("general")
    S = robot.system
    assert len(S.values) == 121
    v = S.seen_from(robot.trunk, robot.pads[0] - robot.hips[0])
    limits = [
        (v.in_(robot.trunk), (10, 18, 6)),
        (v.in_(robot.world), (20, 41, 12)),
        (S.centre_of_mass().in_(robot.world), (57, 74, 30)),
    ]
    for expressions, limit in limits:
        found = operation_counts(expressions)
        assert all(a <= b for a, b in zip(found[:3], limit, strict=True)), found


def test_a_pads_velocity_is_the_rate_of_its_place(rng):
    robot = warp1_system("general")
    S, r = robot.system, robot.pads[2]
    names = list(S.values)
    values = np.array([S.values[n] + rng.uniform(0.01, 0.05) for n in names])
    symbols = [*S.coordinates.values(), *S.speed_symbols.values()]
    parameters = [S.tape.find(n) for n in names]
    e = S.kane()
    inner = r - robot.hips[2]
    seen = S.seen_from(robot.trunk, inner).in_(robot.trunk)
    made = program(
        [*S.velocity(r).in_(robot.world), *seen, *e.kde], symbols, parameters
    )
    places = program(
        [*r.in_(robot.world), *inner.in_(robot.trunk)], symbols, parameters
    )
    h = EPS ** (1 / 3)
    for x in rng.uniform(-1, 1, (20, len(symbols))):
        out = interpret(made, x, values)
        step = np.zeros_like(x)
        step[: len(e.kde)] = h * out[6:]
        two = interpret(places, np.array([x - step, x + step]), values)
        # Central differences at ∛eps: errors near eps^(2/3), some tens of it here.
        np.testing.assert_allclose((two[1] - two[0]) / (2 * h), out[:6], atol=1e-8)


def test_warp1_is_derived_in_a_fifth_of_a_second():
    times = []
    for _ in range(3):
        start = time.process_time()
        warp1_system().system.kane()
        times.append(time.process_time() - start)
    assert min(times) < 0.2


def test_the_arms_info_is_that_of_the_thesis():
    block = arm().system.block()
    names = "I1z I2x I2y I2z I3x I3y I3z L g l2 l3 m2 m3 z0".split()
    assert [p.name for p in block.parameters] == names
    assert [s.name for s in block.states] == "q1 q2 q3 w1 w2 w3".split()
    assert [(s.name, s.width) for s in block.inputs] == [("u", 3)]
    assert [(s.name, s.width) for s in block.outputs] == [("qw", 6), ("rE", 3)]
    assert block.unused() == ()
    lines = arm().lines()
    assert [(s.name, s.width) for s in lines.outputs] == [("LineData", 15)]
    assert [p.name for p in lines.parameters] == ["L", "z0"]


def test_the_script_of_the_specification_runs(tmp_path):
    robot = arm()
    S = robot.system
    states = [*S.coordinates.values(), *S.speed_symbols.values()]
    inputs = {"u": list(S.input_symbols.values())}
    outputs = {"qw": states, "rE": robot.points["E"].in_(robot.base)}
    paths = S.export(tmp_path / "robot", inputs=inputs, outputs=outputs)
    names = ["robot.c", "robot.h", "robot_info.json"]
    assert sorted(path.name for path in paths) == names
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    f = S.compile(inputs=inputs, outputs=outputs)
    x, u = np.linspace(0.1, 0.6, 6), np.array([1.0, -2.0, 3.0])
    block = S.block()
    expected = interpret(block.program, np.concatenate([x, u]), block.values)
    # The same operations in the same order, but for the sines.
    np.testing.assert_allclose(f(x, u), expected, rtol=1e-13, atol=1e-14)


def test_descriptions_reach_the_block():
    S = pendulum()
    S.describe(m="mass of the bob [kg]", q="from hanging down [rad]", e="twice q")
    block = S.block(outputs={"e": 2 * S.tape.find("q")})
    assert [p.help for p in block.parameters if p.name == "m"] == [
        "mass of the bob [kg]"
    ]
    assert [s.help for s in block.states] == ["from hanging down [rad]", ""]
    assert block.outputs[0].help == "twice q"


def test_nothing_is_written_when_something_is_wrong(tmp_path):
    S = arm().system
    S.coords("lost")
    with pytest.raises(ConfigError, match="'lost'"):
        S.export(tmp_path / "robot")
    assert list(tmp_path.iterdir()) == []


# --- linearisation --------------------------------------------------------------------


def test_linearisation_agrees_with_central_differences(rng):
    block = scara().system.block()
    symbolic = linearized(block)
    x0, u0 = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 3)
    found = symbolic.at(x0, u0)
    h = EPS ** (1 / 3)
    both = np.concatenate([x0, u0])

    def rates(x):
        return interpret(block.program, x, block.values)[:6]

    J = np.array(
        [(rates(both + d) - rates(both - d)) / (2 * h) for d in h * np.eye(9)]
    ).T
    # Central differences at ∛eps: relative errors near eps^(2/3) = 4e-11.
    scale = np.abs(J).max()
    np.testing.assert_allclose(found.A, J[:, :6], rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(found.B, J[:, 6:], rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(found.rates, rates(both), rtol=1e-15)
    again = symbolic.as_block()
    assert [(o.name, o.width) for o in again.outputs] == [("A", 36), ("B", 18)]
    flat = interpret(again.program, both, again.values)
    np.testing.assert_array_equal(flat, np.concatenate([*found.A, *found.B]))


def test_warp1_is_linearised_without_inverting_its_mass_matrix(rng):
    robot = warp1_system().system
    x0, u0 = rng.uniform(-0.5, 0.5, 36), rng.uniform(-5, 5, 24)
    start = time.process_time()
    A, B = robot.linearize(x0, u0)
    assert time.process_time() - start < 0.5
    block = robot.block()
    h = EPS ** (1 / 3)
    steps = h * np.eye(60)
    both = np.concatenate([x0, u0])
    ends = interpret(
        block.program, np.array([both + steps, both - steps]), block.values
    )
    J = (ends[0] - ends[1]).T / (2 * h)
    # Central differences at ∛eps: relative errors near eps^(2/3) = 4e-11.
    scale = np.abs(J).max()
    np.testing.assert_allclose(A, J[:36, :36], rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(B, J[:36, 36:], rtol=0, atol=1e-7 * scale)


def test_a_pendulum_has_the_poles_of_a_pendulum():
    S = pendulum()
    down = S.linearize()
    up = S.linearize({"q": np.pi})
    rate = np.sqrt(9.81 / 0.5)
    np.testing.assert_allclose(sorted(down.eigenvalues.imag), [-rate, rate], rtol=1e-12)
    np.testing.assert_allclose(sorted(up.eigenvalues.real), [-rate, rate], rtol=1e-12)
    np.testing.assert_allclose(down.A, linearized(S.block()).at().A, rtol=1e-14)
    with pytest.raises(UnknownNameError, match="no state 'p'"):
        S.linearize({"p": 1.0})
    with pytest.raises(ShapeError, match="states should have shape"):
        S.linearize([1.0])


# --- formulas -------------------------------------------------------------------------


def test_small_systems_print_as_formulas():
    sympy = pytest.importorskip("sympy")
    from equipoise.equations.tape.sympy_view import equations_view

    M, F, kde = equations_view(pendulum().kane())
    m, long, g, q, w = sympy.symbols("m l g q w", real=True)
    assert sympy.simplify(M[0] - m * long**2) == 0
    assert sympy.simplify(F[0] + m * g * long * sympy.sin(q)) == 0
    assert kde[0] == w


def test_every_operation_has_a_formula():
    sympy = pytest.importorskip("sympy")
    from equipoise.equations.tape import functions as fn
    from equipoise.equations.tape.sympy_view import sympy_view

    S = System("all")
    a, b = S.coords("a b")
    wanted = [
        fn.sqrt(a), fn.exp(a), fn.log(a), fn.atan2(a, b), abs(a - b), fn.minimum(a, b),
        fn.maximum(a, b), fn.less(a, b), fn.where(a < b, a, b), 1 / a, fn.tan(a), -a,
    ]  # fmt: skip
    views = sympy_view(wanted, simplify=False)
    x, y = sympy.symbols("a b", real=True)
    numbers = [float(v.subs({x: 0.7, y: 0.2})) for v in views]
    np.testing.assert_allclose(numbers, value(S, wanted, a=0.7, b=0.2), rtol=1e-14)
