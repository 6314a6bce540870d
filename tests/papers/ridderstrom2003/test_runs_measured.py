"""Chapters 5 and 11: what is simulated, and how runs are read, on made-up runs.

A made-up run has a closed form: a power is a slope, a response an exponential. So its
numbers are known, and nothing is simulated.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.posture import PostureControllerConfig
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise_lab.papers.ridderstrom2003.chapter11 import (
    board_claims,
    friction,
    posture,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.posture import Step
from equipoise_lab.papers.ridderstrom2003.part2 import kneeling, walk_claims

PERIOD, BEGIN = 0.002, 3.0


@pytest.fixture
def rolled(monkeypatch):
    """Return what a module is given for a run; what it asked for is kept."""

    def give(module, run):
        asked = []

        def rollout(world, controller, seconds, **how):
            asked.append(SimpleNamespace(
                world=world, controller=controller, seconds=seconds, **how
            ))  # fmt: skip
            return run(len(asked)) if callable(run) else run

        monkeypatch.setattr(module, "rollout", rollout)
        return asked

    return give


@pytest.fixture
def built(monkeypatch):
    """Return a list of what posture controllers are made of: robot, settings, aim."""
    made = []

    def keep(robot, config=None, reference=None):
        made.append((robot, config, reference))
        return len(made)

    for module in (posture, friction, board_claims):
        monkeypatch.setattr(module, "posture_controller", keep)
    return made


# --- steps ----------------------------------------------------------------------------


def stepped(column, seconds=3.0, size=0.1, offset=0.03):
    """Return a run whose roll, pitch or height answers a step by 1 - e^(-6 t).

    The motors take 16 W before the step and 40 W from it on; height and the other
    angles have offsets, and follow by a tenth of the step.
    """
    time = np.arange(0.0, BEGIN + seconds + 0.5 * PERIOD, PERIOD)
    since = np.clip(time - BEGIN, 0.0, None)
    share = -np.expm1(-6.0 * since)
    attitude = np.full((len(time), 3), 0.01)
    height = np.full(len(time), 0.5) + 0.1 * size * share
    if column < 2:
        attitude[:, column] = offset + size * share
        attitude[:, 1 - column] += 0.1 * size * share
    else:
        height = 0.5 + size * share
    electric = 16.0 * time + 24.0 * since
    return SimpleNamespace(
        time=time,
        period=PERIOD,
        attitude=attitude,
        electric=electric,
        said=lambda name: {"height": height}[name],
    )


@pytest.mark.parametrize(
    ("column", "which"), list(enumerate(("roll", "pitch", "height")))
)
@pytest.mark.parametrize("seconds", [2.0, 3.0])
def test_a_response_is_read_off_a_run(column, which, seconds):
    size = 0.1
    run = stepped(column, seconds, size)
    found = posture._answer(run, Step(which, size, seconds=seconds))
    n = round(seconds / PERIOD)
    assert [len(part) for part in found[:5]] == [n] * 5
    np.testing.assert_allclose(found.time, PERIOD * np.arange(n), atol=1e-12)
    np.testing.assert_allclose(found.share, -np.expm1(-6.0 * found.time), atol=1e-9)
    share = found.share
    wanted = np.full((n, 2), 0.01)
    rises = size * share if which == "height" else 0.1 * size * share
    if column < 2:
        wanted[:, column] = 0.03 + size * share
        wanted[:, 1 - column] += 0.1 * size * share
    np.testing.assert_allclose(found.angles, np.degrees(wanted), atol=1e-9)
    np.testing.assert_allclose(found.height, 1e3 * rises, atol=1e-9)
    # mean over 50 ms; the last 25 samples have less than that behind them
    np.testing.assert_allclose(found.power[15:-15], 40.0, rtol=1e-9)
    assert found.power[0] == pytest.approx(28.0, abs=1.0)  # halfway through the window
    assert found.before == pytest.approx(16.0)
    assert found.energy == pytest.approx(40.0 * (seconds - 1.0))
    swerve = np.degrees([0.1 * size, 0.1 * size])
    if column < 2:
        swerve[column] = math.degrees(size)
        np.testing.assert_allclose(found.swerve, swerve * share[-1], rtol=1e-9)
    assert found.settled == pytest.approx(math.log(20.0) / 6.0, abs=1.01 * PERIOD)
    assert found.reached == pytest.approx(math.log(1 / 0.37) / 6.0, abs=1.01 * PERIOD)


def test_a_response_that_was_always_there_settles_at_once():
    run = stepped(0)
    found = posture._answer(run, Step("roll", 0.1))
    assert found._replace(share=np.ones_like(found.share)).settled == 0.0


@pytest.mark.parametrize("which", ["roll", "pitch", "height"])
def test_a_step_is_asked_for_at_three_seconds(rolled, built, which):
    asked = rolled(posture, stepped(("roll", "pitch", "height").index(which), 2.5))
    posture.responded(Step(which, 0.2, seed=7, seconds=2.5))
    ((robot, config, reference),) = built
    assert robot.name == "warp1"
    assert config == PostureControllerConfig(knock_amplitude=0.0)
    (run,) = asked
    assert run.seconds == 5.5
    assert run.plant == MachineConfig.real(7)
    at = ("roll", "pitch", "height").index(which)
    assert reference(2.999) == (0.0, 0.0, 0.0)
    for time in (3.0, 3.001, 9.0):
        assert reference(time) == tuple(0.2 * np.eye(3)[at])


def test_exact_sensing_and_friction_are_another_plant_and_another_world(rolled, built):
    asked = rolled(posture, stepped(0))
    posture.responded(Step("roll", 0.1, sensing="exact"))
    posture.responded(Step("roll", 0.1, friction=2.0))
    exact, rubs = asked
    assert exact.plant == MachineConfig(actuators=ActuatorConfig(kind="motor"))
    assert rubs.plant == MachineConfig.real(0)
    assert not exact.world.model.dof_frictionloss.any()
    model = rubs.world.model
    np.testing.assert_array_equal(model.dof_frictionloss, [0.0] * 6 + [2.0] * 12)
    np.testing.assert_array_equal(model.dof_solimp[6:, :2], 0.9999)
    assert (model.dof_solimp[:6, 1] != 0.9999).all()


@pytest.mark.parametrize("integral", [True, False])
def test_the_printed_law_has_critical_damping_and_printed_margins(integral):
    """d = 2 √(k I); k_α is five and thirty times what is required; a tenth, slowly."""
    found = posture.law(Step("roll", 0.1, "printed", integral=integral))
    margins = posture.PRINTED.margins
    assert margins == (5, 30)
    for axis, (gains, margin) in enumerate(
        zip((found.roll, found.pitch), margins, strict=True)
    ):
        k = margin * posture.required()
        d = 2.0 * math.sqrt(k * posture.axis_inertia(axis))
        assert gains == pytest.approx((k, d, 0.1 * k if integral else 0.0))
    assert found.most == ((200.0, 60.0, 60.0) if integral else (0.0, 0.0, 0.0))
    assert (found.sharing, found.weight, found.feet) == ("printed",) * 3
    assert (found.leg_stiffness, found.reference_rate) == (4000.0, 0.0)
    assert found.knock_amplitude == 0.0


def test_a_board_rocks_as_it_is_printed(rolled, built, monkeypatch):
    rocking = []

    def keep(**motion):
        rocking.append(motion)
        return lambda time: (0.0, 0.0)

    monkeypatch.setattr(posture, "Rocking", keep)
    asked = rolled(posture, "run")
    own = PostureControllerConfig(roll=(0.0, 100.0, 0.0))
    found = posture.rocked(8.0, -4.0, seed=7, seconds=3.5, config=own)
    assert found == "run"
    (motion,) = rocking
    assert motion == {
        "pitch": math.radians(8.0),
        "roll": math.radians(-4.0),
        "rate": math.radians(20.0),
        "start": 0.5,
    }
    (run,) = asked
    assert (run.seconds, run.plant) == (3.5, MachineConfig.real(7))
    assert run.world.board is not None
    assert built[0][1] is own


# --- gains, board, friction -----------------------------------------------------------


def test_a_rate_of_growth_is_that_of_the_last_three_seconds(rolled, built):
    time = np.arange(0.0, 12.0 + 0.5 * PERIOD, PERIOD)
    roll = np.where(time < 8.5, 0.3, -1e-3 * np.exp(0.7 * (time - 8.5)))
    attitude = np.column_stack([roll, 5.0 + 0 * roll, 7.0 + 0 * roll])
    asked = rolled(board_claims, SimpleNamespace(attitude=attitude))
    assert board_claims.roll_rate(400.0) == pytest.approx(0.7, rel=1e-9)
    ((robot, config, nudge),) = built
    assert robot.name == "warp1"
    assert config.roll == (400.0, 300.0, 0.0)
    assert config.pitch == (20e3, 1500.0, 4000.0)
    assert config.height == (40e3, 8e3, 0.0)
    assert config.most == (0.0, 0.0, 200.0)
    assert config.leg_stiffness == 4000.0 and config.knock_amplitude == 0.0
    assert config.attitude.largest_bias == 1e-12
    lean = (math.radians(1.0), 0.0, 0.0)
    still = (0.0, 0.0, 0.0)
    assert [nudge(t) for t in (1.0, 1.001, 1.499, 1.5)] == [still, lean, lean, still]
    (run,) = asked
    assert (run.seconds, run.plant) == (12.0, MachineConfig())
    foot = run.world.feet[0]
    assert run.world.model.geom_friction[foot, 0] == 2.0


def test_a_critical_gain_is_where_a_line_crosses_zero(monkeypatch):
    need = posture.required()
    asked = []

    def rate(k):
        asked.append(k / need)
        return 3.0 * (0.97 - k / need)

    monkeypatch.setattr(board_claims, "roll_rate", rate)
    assert board_claims.critical_gain() == pytest.approx(0.97 * need, rel=1e-12)
    assert asked == pytest.approx([0.92, 1.02])
    for other in (lambda k: 1.0, lambda k: -1.0, lambda k: 0.0):
        monkeypatch.setattr(board_claims, "roll_rate", other)
        with pytest.raises(RuntimeError, match="no critical gain between"):
            board_claims.critical_gain()


def test_a_board_rocks_about_both_axes_apart_and_together(monkeypatch):
    asked = []

    def rocked(pitch, roll, *, seed, seconds, config=None):
        asked.append((pitch, roll, seed, seconds, config))
        n = 2000
        attitude = np.zeros((n, 3))
        attitude[3, 0], attitude[4, 1] = math.radians(0.5), -math.radians(0.7)
        attitude[5, 2] = 1.0  # turning about the vertical does not count
        if config is not None:  # a swing about an offset, and a start that is left out
            t = np.linspace(0.0, 40.0, n)
            attitude[:, 0] = math.radians(2.0) * np.sin(t) + 0.1
            attitude[:, 1] = math.radians(0.3) * np.sin(t) - 0.2
            attitude[: n // 4 - 1] = 9.0
        error = np.full(n, 1e-3)
        error[-1], error[7] = 9.0, -3e-3
        return SimpleNamespace(
            attitude=attitude, said=lambda name: {"height_error": error}[name]
        )

    monkeypatch.setattr(board_claims, "rocked", rocked)
    claims = board_claims.board_claims(7, 12.0)
    assert [given[:4] for given in asked] == [
        (8.0, 0.0, 7, 12.0), (0.0, 8.0, 7, 12.0), (8.0, 8.0, 7, 12.0),
        (0.0, 8.0, 7, 12.0), (8.0, 0.0, 7, 12.0),
    ]  # fmt: skip
    assert [given[4] is None for given in asked] == [True] * 3 + [False] * 2
    assert asked[3][4] == posture.law(Step("roll", 0.1, "printed"))
    assert [c.ours for c in claims] == ["0.70, 3.0"] * 3 + ["0.30 and 2.00"]
    assert [c.status for c in claims] == ["met"] * 4


def test_a_band_is_how_much_higher_a_trunk_stops_from_above(rolled, built, monkeypatch):
    rubs = []
    monkeypatch.setattr(friction, "rubbed", lambda f: rubs.append(f) or fake_world())

    def run(count):
        height = np.full(4000, 9.0)
        height[-100:-1] = {1: 0.011, 2: 0.018}[count]
        return SimpleNamespace(said=lambda name: {"height": height}[name])

    asked = rolled(friction, run)
    found = friction._band(3.0, 6.0, 7)
    assert found == pytest.approx(0.007)
    assert rubs == [3.0, 3.0]
    assert [one.seconds for one in asked] == [8.0, 8.0]
    assert [one.plant for one in asked] == [MachineConfig.real(7)] * 2
    for (_, config, reference), first in zip(built, (0.0, 0.03), strict=True):
        assert config.height == (20e3, 5e3, 0.0)
        assert config.most == (0.0, 60.0, 60.0)
        assert (config.knock_amplitude, config.knock_frequency) == (6.0, 40.0)
        assert reference(1.999) == (0.0, 0.0, first)
        assert reference(2.0) == (0.0, 0.0, 0.015)


def fake_world():
    return SimpleNamespace(robot=warp1())


def test_bands_are_free_stuck_and_knocked(monkeypatch):
    monkeypatch.setattr(friction, "_band", lambda f, k, seed: (f, k, seed))
    found = friction.bands(7)
    assert found == {
        "free": (0.0, 0.0, 7), "stuck": (3.0, 0.0, 7), "knocked": (3.0, 6.0, 7),
    }  # fmt: skip


# --- part II --------------------------------------------------------------------------


def test_a_walk_is_read_off_once_it_is_steady(rolled, monkeypatch):
    made = []

    def keep(machine, goals, config, *, drives_motors):
        made.append((machine, goals, config, drives_motors))
        return "walker"

    monkeypatch.setattr(walk_claims, "walker", keep)
    time = np.arange(0.0, 9.0 + 0.5 * PERIOD, PERIOD)
    since = np.clip(time - 4.0, 0.0, None)
    attitude = np.zeros((len(time), 3))
    attitude[10, 1], attitude[20, 2] = -math.radians(7.0), 1.0
    drawn = 100.0 * time + 150.0 * since
    drawn += 48.0 * np.clip(time - 6.0, 0.0, 0.05) * 10.0  # ten amperes for 50 ms
    drawn[time < 0.2] *= 50.0  # a peak at the start does not count
    place = np.column_stack([9.0 + 0.3 * since, 0.4 * since, 5.0 + time])
    run = SimpleNamespace(
        time=time,
        p_WB=place,
        attitude=attitude,
        drawn=drawn,
        electric=0.5 * drawn,
        cpu=SimpleNamespace(total=4.5),
    )
    asked = rolled(walk_claims, run)
    found = walk_claims.walked("crawl", seed=7, period=0.003)
    assert found.speed == pytest.approx(0.5)  # 0.3 and 0.4
    assert found.tilt == pytest.approx(7.0)
    assert found.drawn == pytest.approx(250.0 + 48.0 * 0.5 / 5.0)
    assert found.net == pytest.approx(0.5 * found.drawn)
    assert found.peak == pytest.approx(250.0 / 48.0 + 10.0, rel=1e-6)
    assert found.simulating == 0.5
    walk_claims.walked("trot", seed=7, real=False)
    assert [one.seconds for one in asked] == [9.0, 9.0]
    real, ideal = asked
    assert real.plant == MachineConfig.real(7, period=0.003)
    assert ideal.plant == MachineConfig(period=0.002)
    for (machine, goals, config, drives), gait, speed, is_real in zip(
        made, ("crawl", "trot"), (0.15, 0.5), (True, False), strict=True
    ):
        assert machine.joints == 3 and machine.geometry.mass == pytest.approx(60.4)
        ((goal),) = goals
        assert (goal.time, goal.forward) == (1.0, speed)
        assert config == walk_claims.walker_config(gait)
        assert drives is is_real


def test_walks_that_claims_are_about(monkeypatch):
    asked = []

    def keep(gait, **how):
        asked.append((gait, how))
        return walk_claims.Walk(0.5, 2.0, 250.0, 120.0, 9.0, 0.1 * len(asked))

    monkeypatch.setattr(walk_claims, "walked", keep)
    claims = walk_claims.walk_claims(7)
    assert asked == [
        ("trot", {"seed": 7}), ("crawl", {"seed": 7}),
        ("trot", {"seed": 7, "period": 0.003}), ("trot", {"seed": 7, "real": False}),
    ]  # fmt: skip
    assert [c.status for c in claims] == [
        "not checkable", "met", "met", "not checkable", "not checkable",
    ]  # fmt: skip
    # ideal actuators were the fourth walk, real ones the first
    assert [c.ours for c in claims[3:]] == pytest.approx([0.4, 0.1])
    assert claims[4].published == 2.0 * claims[3].published


@pytest.mark.parametrize("is_powered", [True, False])
def test_a_kneel_is_read_off_its_run(rolled, monkeypatch, is_powered):
    motions = []

    def keep(robot, motion):
        motions.append((robot, motion))
        return "inner"

    monkeypatch.setattr(kneeling, "follow_controller", keep)
    n = 12
    values = {
        "asked_hip": np.arange(n) + 0.0,
        "asked_knee": np.arange(n) + 100.0,
        "limit": np.array([0.0, 1.0] * (n // 2)),
    }
    attitude = np.zeros((n, 3))
    attitude[2] = 0.01, -0.02, 0.015
    weight = (37.6 + 4 * 5.7 + 50.0) * 9.81
    run = SimpleNamespace(
        time=0.1 * np.arange(n),
        p_WB=np.column_stack([np.zeros((n, 2)), 0.5 + 0.01 * np.arange(n)]),
        attitude=attitude,
        tau=np.arange(12.0 * n).reshape(n, 12),
        normal=np.full((n, 4), 0.125 * weight),
        said=lambda name: values[name],
    )
    asked = rolled(kneeling, run)
    found = kneeling.knelt(is_powered=is_powered, seed=7)
    (one,) = asked
    assert (one.seconds, one.record_every) == (24.5, 5)
    assert one.plant == MachineConfig.real(7)
    assert one.controller.inner == "inner"
    ((robot, motion),) = motions
    assert robot.model.body_mass.sum() == pytest.approx(weight / 9.81)
    assert motion.config.is_powered is is_powered
    np.testing.assert_array_equal(found.time, run.time[:-1])
    np.testing.assert_array_equal(found.height, run.p_WB[:-1, 2])
    assert found.tilt == 0.02
    np.testing.assert_array_equal(found.asked[:, 0], values["asked_hip"][:-1])
    np.testing.assert_array_equal(found.asked[:, 1], values["asked_knee"][:-1])
    assert found.torques[3, 2, 1] == run.tau[3, 7]
    assert found.stopped.tolist() == [False, True] * 5 + [False]
    np.testing.assert_allclose(found.on_feet, 0.5)


def test_what_is_overheard_is_of_the_first_leg():
    """Hip flexion and knee, and the knee's limit; the command goes on unchanged."""
    from equipoise.core.contracts import Command

    tau = np.arange(12.0)
    inner = SimpleNamespace(
        init=lambda: "first",
        step=lambda sensed, state: (Command(tau=tau, telemetry={"own": 1.0}), "next"),
    )
    heard = kneeling.Overheard(inner)
    assert heard.init() == "first"
    sensed = SimpleNamespace(limit=np.arange(12.0) - 6.0)
    command, state = heard.step(sensed, "first")
    assert state == "next" and command.tau is tau
    assert dict(command.telemetry) == {
        "own": 1.0, "asked_hip": 1.0, "asked_knee": 2.0, "limit": -4.0,
    }  # fmt: skip
