"""The claims of wendlandt1997: which there are, and what turns each of them over."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.workspace import BalancerConfig, balancer, legged_tree
from equipoise.core.errors import ConfigError
from equipoise.core.records import record_of
from equipoise.robots.biped.biped import biped
from equipoise.runs.stand.stand import StandConfig, stand
from equipoise_lab.papers.seeds import claim_seeds
from equipoise_lab.papers.wendlandt1997 import picture, run
from equipoise_lab.papers.wendlandt1997.beyond_claims import limit_claims
from equipoise_lab.papers.wendlandt1997.cost_claims import (
    Cost,
    cost_claims,
    measure_cost,
    play,
)
from equipoise_lab.papers.wendlandt1997.errata_claims import THROWS
from equipoise_lab.papers.wendlandt1997.held import random_state
from equipoise_lab.papers.wendlandt1997.jobs import (
    LAWS,
    Heavier,
    Limit,
    Pressure,
    Sideways,
    Tilted,
    asked_x,
    planned,
)
from equipoise_lab.papers.wendlandt1997.model_claims import model_claims, start_claims
from equipoise_lab.papers.wendlandt1997.printed import FORMS, Shares
from equipoise_lab.papers.wendlandt1997.setting import PRINTED
from equipoise_lab.papers.wendlandt1997.shared_settings import shared_settings
from equipoise_lab.papers.wendlandt1997.throw import (
    PrintedThrow,
    Thrown,
    throw_printed,
    thrown,
)
from equipoise_lab.papers.wendlandt1997.throw_claims import throw_claims
from equipoise_lab.papers.wendlandt1997.throw_numbers import (
    ThrowNumbers,
    damping_ratio,
    measure,
    settled_after,
)
from oracles.claims import (
    assert_each_can_fail,
    by_status,
    counts_of,
    every,
    failed,
    kept_counts,
)
from oracles.held_feet import sensed_of

PAPER, CONE, STEP = LAWS
NUMBERS = ThrowNumbers(
    survived=True,
    hit_s=0.078,
    rise_s=(0.12, 0.124, 0.13, 0.144),
    contact_s=(0.342, 0.354),
    heel_mm=(29.0, 34.0),
    toe_mm=-0.7,
    final_m=1e-6,
    final_deg=4e-4,
    settled_s=(1.04, 1.0, 0.36),
    push_mm=(-8.9, -0.1, -1.3),
    turn_deg=(-0.06, -1.03, 2.64),
    damping_ratios=(0.4993, 0.4976, 0.7038),
    drift_mm_s=1e-4,
    y_drift_mm=3e-4,
    angle_jump=68.0,
    torque_jumps=(85.0, 12.0),
    peak_nm=195.0,
    slip_mm=4.1,
)
"""As measured, roughly."""
OTHERS = {60.0: (0.11, 0.45, 0.48)}
REFUTED = {
    "entries of a_1",
    "L_k: [I - K_k P_k.o] A_k.o^k.o",
    "workspace dynamics F_1 = P_1 V_1^b + z_1",
    "X_c^b: Rᵀ(X_c^s - w x p)",
    "X_R^b: Rᵀ X_c^s",
    "q_e when q_et^s < 0: nothing",
    "G and the legs' wrenches: Ad^T of g_{1,7} twice, then of g_{1,7} and g_{1,1}",
    "damping ratio of the orientation, in the loop",
    "axis of the set quaternion",
}
MISSED = {
    "the feet drift slowly relative to the ground [mm/s]",
    "the Y position drifts about zero [mm]",
}
NOT_CHECKABLE = {
    "masses, lengths, inertias, feet, axes",
    "the vertical gain follows experiments on astronauts",
    "the block collides with the body [s]",
    "the two feet begin to rise [s]",
    "feet make contact again [s]",
    "which foot makes contact first",
    "joint angles, torques, body position and orientation over time",
    "cost of one control step [ms]",
    "cost of the 3 s simulation [s]",
}
HALVES = {
    "half of that misprint, which nobody printed alone: G of g_{1,7} and g_{1,13}, not"
    " inverted",
    "half of that misprint, which nobody printed alone: G of g_{1,7}⁻¹ twice",
}
BEYOND = {
    "best factor of the big base",
    "error of P_1 by the big base as knees straighten",
    "error of P_1 by the exact form, the same knees",
    "the term w x p' of Algorithm 4, left out",
    "heaviest block survived by the paper's law [kg]",
    "largest push to the side survived by the paper's law [N s]",
    "heaviest block survived by 'workspace-cone' [kg]",
    "heaviest block survived by 'workspace-step' [kg]",
    "largest push to the side survived by 'workspace-cone' [N s]",
    "centre of pressure that the least norm asks for [cm ahead of the middle]",
    "the throw with the set quaternion of the text, about -Y, by time step",
    "the control step fits into its period",
}


def answer(job):
    """What a job gave when it was measured, roughly."""
    if isinstance(job, PrintedThrow):
        stands = job.form in (None, "no w x v")
        return Thrown(not stands, 2.0 if stands else 0.3, 3e-5 if stands else None)
    if isinstance(job, Heavier):
        return 0.11, 0.45, 0.48
    if isinstance(job, Limit):
        return {PAPER: 2.24, CONE: 4.6, STEP: 6.0}[job.law]
    if isinstance(job, Sideways):
        return {PAPER: 4.3, CONE: 28.0, STEP: 40.0}[job.law]
    if isinstance(job, Tilted):
        return 0.4 if job.quat == "as printed" else None
    return 25.3, 0.196, 13.1, 0.3


@pytest.fixture
def results():
    return {job: answer(job) for job in planned()}


@pytest.fixture(scope="module")
def fixed():
    return run.fixed_claims(PRINTED)


def measured(results):
    return [
        *run.drawn_claims(PRINTED, 0, results),
        *limit_claims(PRINTED, results),
    ]


def all_claims(fixed, results):
    found = [*fixed, *measured(results)]
    found += throw_claims(PRINTED, NUMBERS, OTHERS)
    return [*found, *cost_claims(PRINTED, Cost(2.8, 0.3))]


def test_each_claim_comes_out_as_it_should(fixed, results):
    found = all_claims(fixed, results)
    assert_each_can_fail(found)
    assert failed(found) == MISSED
    assert by_status(found, "refuted") == REFUTED
    assert by_status(found, "not checkable") == NOT_CHECKABLE
    names = [(claim.where, claim.quantity) for claim in found]
    assert len(set(names)) == len(names) == 53
    assert by_status(found, "holds") == BEYOND | HALVES
    json.dumps([claim.as_row() for claim in found], allow_nan=False)
    for claim in found:
        run.section(claim)  # a place in the paper that can be sorted
        if claim.status == "refuted":
            assert any(c.isdigit() for c in f"{claim.ours} {claim.why}"), claim.quantity


QUOTED = (
    13, 18, 6, 5, 0.3, 0.2, 9.81, 103.5, -77.4595, 42.4595, 40, 50, 200, 7.07, 14.142,
    0.5, 500, 7, 3, 2066, 15, 1.8, 4, 10, 0.08, 0.13, 0.36, 0.38,
)  # fmt: skip
"""Of the paper's prose; set point, block and quaternion are compared as a whole."""


def test_every_number_quoted_in_the_prose_is_there(fixed, results):
    said = set()
    for claim in [*all_claims(fixed, results), *shared_settings(PRINTED)]:
        words = re.findall(
            r"-?\d+(?:\.\d+)?",
            f"{claim.quantity} {claim.published} {getattr(claim, 'note', '')}",
        )
        said |= {float(word) for word in words}
    assert [number for number in QUOTED if float(number) not in said] == []


def test_jobs_are_told_apart_and_cover_the_forms():
    plan = planned()
    assert len(set(plan)) == len(plan)  # kinds with equal fields are not equal
    assert {throw.form for throw in THROWS} == {None, *FORMS}
    assert set(THROWS) <= set(plan)


@pytest.mark.parametrize("form", [f for f in FORMS if f != "no w x v"])
def test_a_printed_form_that_stands_ends_its_refutation(results, form):
    for job in results:
        if isinstance(job, PrintedThrow) and job.form == form:
            results[job] = Thrown(False, 2.0, 1e-5)
    assert len(failed(measured(results))) == 1


@pytest.mark.parametrize("quat", ["about -y", "negated"])
def test_a_corrected_form_that_falls_proves_nothing(results, quat):
    results[PrintedThrow(None, quat)] = Thrown(True, 0.5, None)
    assert len(failed(measured(results))) == (6 if quat == "about -y" else 1)


WORSE = [
    (Limit(PAPER), 1.7, "heaviest block survived by the paper's law [kg]"),
    (Limit(CONE), 3.9, "heaviest block survived by 'workspace-cone' [kg]"),
    (Limit(STEP), 5.5, "heaviest block survived by 'workspace-step' [kg]"),
    (Sideways(PAPER), 8.2, "largest push to the side survived by the paper's law"),
    (Sideways(CONE), 21.0, "largest push to the side survived by 'workspace-cone'"),
    (Pressure(), (13.0, 0.0, 13.1, 0.3), "centre of pressure that the least norm asks"),
    (Pressure(), (25.0, 0.2, 13.1, 1.5), "centre of pressure that the least norm asks"),
    (Tilted(0.001, "about -y"), 0.4, "the throw with the set quaternion of the text"),
    (PrintedThrow("no w x v"), Thrown(True, 0.4, None), "the term w x p'"),
]


@pytest.mark.parametrize(("job", "value", "quantity"), WORSE, ids=lambda x: str(x)[:40])
def test_a_worse_result_is_a_miss(results, job, value, quantity):
    assert job in results
    results[job] = value
    missed = failed(measured(results))
    assert any(name.startswith(quantity) for name in missed), missed


OTHER = [
    ({"bodies": 14}, "rigid bodies"),
    ({"freedoms": 17}, "degrees of freedom"),
    ({"joints_a_leg": (3, 2, 2)}, "joints of the knee"),
    ({"first_link": (2, 7)}, "number of the first link of the right leg"),
    ({"friction": 0.4}, "coefficient of friction"),
    ({"gravity": 9.8}, "gravity"),
    ({"start_lean_deg": 6.0}, "its lean at the start"),
    ({"position_gain": (50.0, 50.0, 100.0)}, "K_p of x, y, z"),
    ({"turning_damping": 14.0}, "K_v of the orientation"),
    ({"rate_hz": 1000.0}, "calls of the controller a second"),
    ({"set_point": (1.0, 0.0, 114.0)}, "set point"),
    ({"block_from": (50.0, 0.0, 120.0)}, "its start"),
]


@pytest.mark.parametrize(("change", "quantity"), OTHER, ids=lambda x: str(x)[:40])
def test_a_setting_that_we_do_not_share_is_refused_without_a_word(change, quantity):
    with pytest.raises(ConfigError, match=f"setting '{quantity}.*say why"):
        shared_settings(replace(PRINTED, **change))


def test_settings_are_those_of_the_paper():
    found = run.settings()
    differ = {s.quantity for s in found if s.published != s.ours}
    assert differ == {"coefficient of restitution"}  # searched to a thousandth
    assert len({s.quantity for s in found}) == len(found) == 23


WRONG = [
    ({"freedoms_standing": 5}, "degrees of freedom with both feet on the ground"),
    ({"start_lean_deg": 6.0}, "it starts slightly above the ground"),
    ({"angles_deg": (*PRINTED.angles_deg[:8], 42.5)}, "it starts slightly above"),
    ({"set_quat": (0.99144486, 0.0, -0.13052619, 0.0)}, "axis of the set quaternion"),
]


@pytest.mark.parametrize(("change", "quantity"), WRONG, ids=lambda x: str(x)[:40])
def test_a_wrong_number_in_the_paper_would_be_missed(change, quantity):
    printed = replace(PRINTED, **change)
    missed = by_status([*model_claims(printed), *start_claims(printed)], "missed")
    assert any(name.startswith(quantity) for name in missed), missed


def test_a_damping_ratio_by_hand():
    """z = 0.5 at 14.14 rad/s, from 1 to 0: e^(-7.07 t) (cos w t + 0.577 sin w t)."""
    time = np.linspace(0.0, 2.0, 20001)
    w = 14.142 * np.sqrt(0.75)
    share = np.exp(-7.071 * time) * (np.cos(w * time) + np.sin(w * time) / np.sqrt(3.0))
    assert damping_ratio(share) == pytest.approx(0.5, abs=1e-6)


OTHERWISE = [
    ({"rise_s": (0.35, 0.36, 0.37, 0.38)}, "first the collision, then the feet rise"),
    ({"hit_s": 0.15}, "first the collision, then the feet rise"),
    ({"toe_mm": 0.5}, "the system rests on the front of the feet"),
    ({"heel_mm": (0.5, 34.0)}, "the system rests on the front of the feet"),
    ({"damping_ratios": (0.45, 0.5, 0.707)}, "damping ratio of x"),
    ({"damping_ratios": (0.5, 0.52, 0.707)}, "damping ratio of z"),
    ({"damping_ratios": (0.5, 0.5, 0.5)}, "damping ratio of the orientation"),
    ({"survived": False}, "the errors converge"),
    ({"final_m": 2e-4}, "the errors converge"),
    ({"final_deg": 0.02}, "the errors converge"),
    ({"settled_s": (0.3, 1.0, 0.36)}, "the convergence is faster in the Z"),
    ({"push_mm": (8.9, 0.0, 0.0)}, "the collision pushes the body"),
    ({"turn_deg": (0.0, 1.0, 2.6)}, "the collision turns the body"),
    ({"turn_deg": (0.0, -1.0, 0.0)}, "the collision turns the body"),
    ({"angle_jump": 3.0}, "a sharp change in joint angles"),
    ({"torque_jumps": (85.0, 2.0)}, "torques change sharply"),
]


@pytest.mark.parametrize(("change", "quantity"), OTHERWISE, ids=lambda x: str(x)[:40])
def test_a_throw_that_goes_otherwise_is_a_miss(change, quantity):
    missed = by_status(throw_claims(PRINTED, replace(NUMBERS, **change), {}), "missed")
    (name,) = missed - MISSED
    assert name.startswith(quantity)


def test_feet_that_drift_as_printed_are_met():
    moved = replace(NUMBERS, drift_mm_s=0.2, y_drift_mm=0.2)
    assert by_status(throw_claims(PRINTED, moved, {}), "missed") == set()


def test_a_step_that_takes_longer_than_its_period_is_a_miss():
    claims = cost_claims(PRINTED, Cost(2001.0, 0.3))
    assert failed(claims) == {"the control step fits into its period"}


def test_where_a_wrench_acts_by_hand():
    """100 N up through a point 0.2 m along x, 0.03 m below the frame, 10 N along x."""
    f = [10.0, 0.0, 100.0]
    wrench = [*f, 0.0, -0.03 * f[0] - 0.2 * f[2], 0.0]
    light = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    shares = Shares(np.array(wrench), np.array(light), np.zeros(6), np.zeros(6))
    left, right = asked_x(shares, -0.03)
    assert left == pytest.approx(0.2, abs=1e-15)
    assert np.isnan(right)


def test_settling_by_hand():
    time = np.arange(5.0)
    assert settled_after(time, np.array([1.0, -0.2, 0.04, 0.06, 0.01])) == 3.0


def test_a_printed_form_falls_in_the_loop():
    """The quickest of them, all the way: world, controller, loop."""
    found = throw_printed(PrintedThrow("G as printed", seconds=0.1))
    assert found.fell and found.ran_away and found.time < 0.1
    assert found.rows is None and found.distance is None


def test_the_corrected_form_stands_in_the_loop_as_the_librarys_does():
    robot, found = thrown(PrintedThrow(seconds=0.3))
    assert not found.fell and found.rows is not None
    assert len(found.shares) == 150
    library = measure_path(0.3)
    # the two laws' torques differ by rounding, 1e-8; contacts make 1e-6 m of it
    assert abs(found.rows.qpos[:, :7] - library[:, :7]).max() < 1e-5
    assert robot.model.nq == 19


def measure_path(seconds):
    config = StandConfig(controller="workspace", seconds=seconds)
    return stand(config).dataset["qpos"].values


def test_what_is_timed_is_the_law(rng):
    robot = biped()
    qpos, qvel = random_state(robot, rng)
    controller = balancer("workspace", robot)
    sensed = sensed_of(robot, qpos, qvel)
    command, _ = controller.step(sensed, controller.init())
    room = controller.init().scratch
    rows = (qpos[None], sensed.v[None], sensed.R_WB[None], sensed.V_WB[None])
    told = play(legged_tree(robot).arrays, room, record_of(BalancerConfig()), *rows)
    assert told == room.joints[0].tau != 0.0
    # rounding of the orientation, times 1e6 of the feet and some ten of the legs
    near = 2e-8 * np.abs(command.tau).max()
    np.testing.assert_allclose(room.joints["tau"], command.tau, rtol=0.0, atol=near)


def test_cost_is_measured_and_small():
    cost = measure_cost(rounds=3, runs=1)
    assert 0.1 < cost.step_us < 2000.0
    assert 0.0 < cost.simulation_s < 30.0


def test_the_picture_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "SHOWN", picture.SHOWN[-2:])
    path = picture.draw_throw(tmp_path / "w.png")
    assert path.read_bytes()[:4] == b"\x89PNG"
    assert path.stat().st_size > 50_000


@pytest.mark.paper
def test_the_nominal_throw_gives_these_numbers():
    assert by_status(throw_claims(PRINTED, measure(), {}), "missed") == MISSED


@pytest.mark.paper
def test_every_claim():
    shares = []
    found = run.claims(
        trees=1, seeds=claim_seeds(0, 3), processes=2, progress=shares.append
    )
    assert_each_can_fail(every(found), kept=False)
    assert failed(every(found)) == MISSED
    counts = counts_of(found, run.section, run.settings())
    assert counts == kept_counts()["wendlandt1997"]
    assert by_status(every(found), "refuted") == REFUTED
    assert by_status(every(found), "not checkable") == NOT_CHECKABLE
    assert shares == sorted(shares) and shares[-1] == 1.0
