"""What claims beyond the paper say beside their verdict, and its printed controller.

Results of jobs are made up, so that every ratio is known; bodies held by their feet are
compared with Lagrange's equations of the same numbers.
"""

from dataclasses import replace

import numpy as np
import pytest

from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise_lab.papers.wendlandt1997 import beyond_claims, held, throw
from equipoise_lab.papers.wendlandt1997.jobs import (
    LAWS,
    TIMESTEPS,
    Limit,
    Pressure,
    Sideways,
    Tilted,
)
from equipoise_lab.papers.wendlandt1997.setting import PRINTED
from equipoise_lab.papers.wendlandt1997.throw import PrintedController, paper_aim

PAPER, CONE, STEP = LAWS


@pytest.fixture
def results():
    found = dict.fromkeys(LAWS)
    found = {Limit(PAPER): 0.75, Limit(CONE): 1.5, Limit(STEP): 2.25}
    found |= {Sideways(PAPER): 1.5, Sideways(CONE): 9.0, Sideways(STEP): 12.0}
    found[Pressure()] = (14.5, 0.0625, 10.25, 0.5)
    for k, dt in enumerate(TIMESTEPS):
        found[Tilted(dt, "about -y")] = None
        found[Tilted(dt, "as printed")] = 1.25 + k if k else None
    return found


def by_name(results):
    return {c.quantity: c for c in beyond_claims.limit_claims(PRINTED, results)}


def test_what_laws_survive_is_said_over_the_papers(results):
    claims = by_name(results)
    own = claims["heaviest block survived by the paper's law [kg]"]
    assert (own.ours, own.checks[0].bound) == (0.75, PRINTED.block_kg)
    assert f": {0.75 / PRINTED.block_kg - 1:.0%} more than the printed" in own.why
    side = claims["largest push to the side survived by the paper's law [N s]"]
    brings = PRINTED.block_kg * PRINTED.speed
    assert (side.ours, side.checks[0].bound) == (1.5, brings)
    assert f"the block brings {brings:.1f} N s" in side.why
    cone = claims[f"heaviest block survived by '{CONE}' [kg]"]
    assert (cone.ours, cone.checks[0].bound) == (1.5, pytest.approx(1.8 * 0.75))
    assert cone.why.startswith("2.00 times the paper's law") and cone.status == "holds"
    step = claims[f"heaviest block survived by '{STEP}' [kg]"]
    assert (step.ours, step.checks[0].bound) == (2.25, pytest.approx(2.5 * 0.75))
    assert step.why.startswith("3.00 times the paper's law")
    push = claims[f"largest push to the side survived by '{CONE}' [N s]"]
    assert (push.ours, push.checks[0].bound) == (9.0, pytest.approx(5.0 * 1.5))
    assert push.why == f"6.0 times the paper's law; '{STEP}' 12.0 N s"
    assert [claims[c.quantity].tolerance for c in (cone, step, push)] == [
        "1.8 times", "2.5 times", "5 times",
    ]  # fmt: skip


def test_where_the_least_norm_presses_is_said_in_its_units(results):
    (claim,) = (c for name, c in by_name(results).items() if "centre of p" in name)
    assert claim.ours == 14.5 and claim.status == "holds"
    assert claim.why.startswith("the sole ends at 10.2 cm; outside for 62 ms")
    assert claim.why.endswith("which stays inside, 0.5 mm")
    assert [(c.value, c.bound) for c in claim.checks] == [(14.5, 10.25), (0.5, 1.0)]
    for other in ((10.0, 0.1, 10.25, 0.5), (14.5, 0.1, 10.25, 1.5)):
        results[Pressure()] = other
        (claim,) = (c for name, c in by_name(results).items() if "centre of p" in name)
        assert claim.status == "fails"


def test_a_set_quaternion_is_tried_at_every_time_step(results):
    (claim,) = (c for name, c in by_name(results).items() if "set quat" in name)
    steps = [f"{1e3 * dt:g} ms" for dt in TIMESTEPS]
    assert claim.ours == ", ".join(f"{step} stands" for step in steps)
    rest = [f"{step} falls at {1.25 + k:.2f} s" for k, step in enumerate(steps)][1:]
    assert f"side: {', '.join([f'{steps[0]} stands', *rest])}." in claim.why
    assert claim.checks[0].value == len(TIMESTEPS) and claim.status == "holds"
    results[Tilted(TIMESTEPS[0], "about -y")] = 0.5
    (claim,) = (c for name, c in by_name(results).items() if "set quat" in name)
    assert claim.status == "fails"
    assert claim.ours.startswith(f"{steps[0]} falls at 0.50 s, ")


def test_the_best_factor_is_that_of_the_least_error(monkeypatch):
    asked = []

    def errors(states):
        asked.append(states)
        return {1e5: 3e-4, 1e7: 2e-8, PRINTED.big: 5e-6}

    monkeypatch.setattr(beyond_claims, "big_errors", errors)
    angles = beyond_claims.KNEES_DEG
    knees = {k: (10.0 ** (2 * n - 9), 10.0 ** (n - 14), 10.0 ** (n + 2))
             for n, k in enumerate(angles)}  # fmt: skip
    monkeypatch.setattr(beyond_claims, "knee_errors", knees.__getitem__)
    best, grows, exact = beyond_claims.base_claims(PRINTED, ("a", "b"))
    assert asked == [["a", "b"]]
    assert best.ours == 1e7 and best.status == "holds"
    assert (best.checks[0].value, best.checks[0].bound) == (2e-8, 5e-6)
    assert "1e+05 3e-04, 1e+07 2e-08" in best.why
    first, last = knees[angles[0]], knees[angles[-1]]
    assert grows.ours.startswith(f"{angles[0]:g}° {first[0]:.1e}, ")
    assert grows.checks[0].value == last[0]
    assert grows.checks[0].bound == pytest.approx(1000.0 * first[0])
    assert f"from {first[2]:.0f} to {last[2]:.0e}" in grows.why
    assert exact.ours == exact.checks[0].value == last[1]


# --- the printed controller -----------------------------------------------------------


def test_set_quaternions_are_those_of_the_text_and_of_the_numbers():
    place, text = set_point(BipedSize())
    for name, quat in (("about -y", text), ("as printed", PRINTED.set_quat),
                       ("negated", -np.asarray(text))):  # fmt: skip
        aim = paper_aim(name)
        np.testing.assert_array_equal(aim.place, place)
        np.testing.assert_allclose(aim.quat, quat)
    assert paper_aim().quat.tolist() == np.asarray(text).tolist()


def test_a_controller_tells_what_it_aims_at_and_gives_up_where_it_cannot_go_on(
    monkeypatch,
):
    asked = []

    def torques(chain, aim, p, quat, V, q, v, form):
        asked.append((p, quat, V, q, v, form))
        if len(asked) > 1:
            raise np.linalg.LinAlgError
        return np.arange(12.0), "shares"

    monkeypatch.setattr(throw, "torques", torques)
    R = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])  # a quarter turn about z

    class Sensed:
        R_WB, p_WB = R, np.array([1.0, 2.0, 3.0])
        V_WB = np.array([1.0, 2, 3, 4, 5, 6])
        q, v = np.zeros(12), np.ones(12)

    inner = PrintedController("chain", paper_aim(), "form")
    state = inner.init()
    command, state = inner.step(Sensed, state)
    p, quat, V, _, v, form = asked[0]
    # velocities along the trunk's own axes
    assert V.tolist() == [2.0, -1.0, 3.0, 5.0, -4.0, 6.0]
    assert quat == pytest.approx([0.5**0.5, 0.0, 0.0, 0.5**0.5])
    assert (p.tolist(), v.sum(), form) == ([1.0, 2.0, 3.0], 12.0, "form")
    assert command.tau.tolist() == list(range(12)) and state == ["shares"]
    told = dict(command.telemetry)
    assert (told["steps"], told["gave_up"]) == (0.0, 0.0)
    aims = [told[name] for name in throw.AIM_SIGNALS]
    assert aims == [*inner.aim.place.tolist(), *inner.aim.quat.tolist()]
    command, state = inner.step(Sensed, state)
    assert np.isnan(command.tau).all() and command.tau.shape == (12,)
    assert dict(command.telemetry)["gave_up"] == 1.0 and state == ["shares"]
    kept = throw.Kept(replace(inner), ["old"])
    assert kept.init() == [] and kept.init() is kept.shares


# --- held by its feet -----------------------------------------------------------------


@pytest.fixture(scope="module")
def one():
    robot = biped()
    rng = np.random.default_rng(5)
    q, v = held.random_state(robot, rng)
    return robot, q, v, held.held_at(robot, q, v)


def lagrange(found, tau):
    """Return v' and the feet's wrenches from the whole system at once."""
    n, m = len(found.M), len(found.J_f)
    K = np.block([[found.M, -found.J_f.T], [found.J_f, np.zeros((m, m))]])
    force = np.hstack([np.zeros(6), tau]) - found.h
    return np.linalg.solve(K, np.hstack([force, -found.bias_f]))[:n]


def test_accelerations_are_lagranges(one, rng):
    _, _, _, found = one
    for tau in (np.zeros(12), rng.normal(size=12) * 30.0):
        wanted = found.J_1 @ lagrange(found, tau) + found.bias_1
        # two ways to solve 30 equations of a condition of 1e6
        np.testing.assert_allclose(
            found.acceleration(tau), wanted, rtol=1e-6, atol=1e-6
        )


def test_a_wrench_on_the_body_is_its_dynamics(one, rng):
    """P V' + z = F: with a wrench on the body and free joints, held by the feet."""
    _, _, _, found = one
    P, z = found.dynamics()
    np.testing.assert_allclose(P, P.T, rtol=1e-9, atol=1e-9 * np.abs(P).max())
    wrench = rng.normal(size=6) * 20.0
    n, m = len(found.M), len(found.J_f)
    K = np.block([[found.M, -found.J_f.T], [found.J_f, np.zeros((m, m))]])
    right = np.hstack([found.J_1.T @ wrench - found.h, -found.bias_f])
    V = found.J_1 @ np.linalg.solve(K, right)[:n] + found.bias_1
    np.testing.assert_allclose(P @ V + z, wrench, rtol=1e-6, atol=1e-4)


def test_a_legs_rates_move_the_body_over_its_foot(one, rng):
    _, _, _, found = one
    for leg in (0, 1):
        rates = rng.normal(size=6)
        v = np.zeros(18)
        v[6 + 6 * leg : 12 + 6 * leg] = rates
        rows = slice(6 * leg, 6 * leg + 6)
        v[:6] = -np.linalg.solve(found.J_f[rows, :6], found.J_f[rows, 6:] @ v[6:])
        np.testing.assert_allclose(found.J_f[rows] @ v, 0.0, atol=1e-10)
        moved = found.leg_jacobian(leg) @ rates
        np.testing.assert_allclose(found.J_1 @ v, moved, atol=1e-9)


def test_twists_and_their_rates_are_those_of_a_motion(one):
    """Differences along the state's own motion, v' = 0."""
    import mujoco

    robot, q, v, found = one
    model, h = robot.model, 1e-6
    twists = []
    for way in (h, -h):
        there = q.copy()
        mujoco.mj_integratePos(model, there, v, way)
        ahead = held.held_at(robot, there, v)
        twists.append((ahead.J_1 @ v, ahead.J_f @ v))
    # truncation 1e-12 of third derivatives, rounding 1e-16 over 1e-6
    for k, bias in enumerate((found.bias_1, found.bias_f)):
        rate = (twists[0][k] - twists[1][k]) / (2 * h)
        np.testing.assert_allclose(rate, bias, atol=1e-6)


def test_resting_feet_do_not_move_and_little_else_changes(one):
    robot, q, v, found = one
    still = held.resting_feet(robot, q, v)
    np.testing.assert_allclose(found.J_f @ still, 0.0, atol=1e-10)
    # nothing that leaves the feet where they are is taken away
    free = np.linalg.svd(found.J_f)[2][12:]
    np.testing.assert_allclose(free @ still, free @ v, atol=1e-10)


def test_states_are_around_the_papers_postures():
    robot = biped()
    keys = np.array(robot.model.key_qpos)
    seen = set()
    for seed in range(12):
        q, v = held.random_state(robot, np.random.default_rng(seed))
        off = np.abs(keys - q)
        key = int(off[:, 7:].max(axis=1).argmin())
        seen.add(key)
        assert off[key, :3].max() <= 0.1 and off[key, 7:].max() <= 0.3
        assert np.linalg.norm(q[3:7]) == pytest.approx(1.0)
        # a turn of 0.3 rad about each axis at most
        cosine = abs(float(q[3:7] @ keys[key, 3:7]))
        assert 2.0 * np.arccos(min(1.0, cosine)) <= 0.3 * 3**0.5 + 1e-9
        assert v.shape == (18,)
    assert seen == set(range(len(keys)))
