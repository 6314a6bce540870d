"""The whole controller, tick by tick and in short simulations."""

import numpy as np
import pytest

from equipoise.control.com import (
    ComConfig,
    ComController,
    distance_to,
    find_law,
    law_names,
    line_goal,
    point_goal,
)
from equipoise.core.contracts import Sensed
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import SuperbotModule, random_tree
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome
from equipoise.sim.world import WorldConfig, build_world

each_law = pytest.mark.parametrize("name", law_names())


@pytest.fixture(scope="module")
def robot():
    return random_tree(8, 2, seed=3)


def sensed(robot, rng, moving=1.0):
    """Return readings of a robot somewhere."""
    nu = robot.model.nu
    return Sensed(
        time=0.0,
        dt=0.001,
        q=rng.uniform(-1.5, 1.5, nu),
        v=moving * rng.normal(size=nu),
        p_WB=np.array([0.0, 0.0, 0.042]),
        R_WB=np.eye(3),
        V_WB=np.zeros(6),
        skin=rng.normal(size=(2 * len(robot.modules), 6)),
    )


def copies(reading):
    return [
        getattr(reading, f).copy() for f in ("q", "v", "p_WB", "R_WB", "V_WB", "skin")
    ]


@each_law
def test_a_step_is_repeatable_bounded_and_leaves_its_readings_alone(name, robot, rng):
    controller = ComController(robot.assembly, find_law(name)())
    readings = [sensed(robot, rng, moving=20.0) for _ in range(12)]
    before = [copies(r) for r in readings]
    runs = []
    for _ in range(2):
        state, taus = controller.init(), []
        for reading in readings:
            command, state = controller.step(reading, state)
            taus.append(command.tau.copy())
        runs.append(np.array(taus))
    np.testing.assert_array_equal(*runs)
    for old, reading in zip(before, readings, strict=True):
        for a, b in zip(old, copies(reading), strict=True):
            np.testing.assert_array_equal(a, b)
    limit = robot.assembly.module.torque_limit
    assert np.abs(runs[0]).max() <= limit
    assert np.abs(runs[0]).max() > 0.0


def test_two_runs_can_be_stepped_in_turns(robot, rng):
    # State is outside: another run in between changes nothing.
    law = find_law("upright")()
    controller = ComController(robot.assembly, law, ComConfig(loss=0.3, seed=1))
    readings = [sensed(robot, rng) for _ in range(20)]
    alone, other, state, with_other = [], controller.init(), controller.init(), []
    for reading in readings:
        command, state = controller.step(reading, state)
        alone.append(command.tau.copy())
    state = controller.init()
    for reading, disturbing in zip(readings, reversed(readings), strict=True):
        command, state = controller.step(reading, state)
        with_other.append(command.tau.copy())
        _, other = controller.step(disturbing, other)
    np.testing.assert_array_equal(alone, with_other)


@each_law
@pytest.mark.parametrize("field", ["q", "v", "p_WB", "R_WB", "V_WB", "skin"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_no_motor_ever_gets_a_number_that_is_none(name, field, bad, robot, rng):
    controller = ComController(robot.assembly, find_law(name)())
    state, good = controller.init(), sensed(robot, rng)
    for _ in range(12):
        _, state = controller.step(good, state)
    broken = sensed(robot, rng)
    getattr(broken, field).flat[0] = bad
    limit = robot.assembly.module.torque_limit
    for _ in range(3):
        command, state = controller.step(broken, state)
        assert np.isfinite(command.tau).all()
        assert np.abs(command.tau).max() <= limit
    for _ in range(30):  # until the nonsense has left the last module's inbox
        command, state = controller.step(good, state)
    seen, fresh = command.tau.copy(), controller.init()
    for _ in range(45):
        want, fresh = controller.step(good, fresh)
    assert np.count_nonzero(want.tau) > 0
    assert np.count_nonzero(seen) == np.count_nonzero(want.tau)


def test_gravity_compensation_alone_holds_the_robot_still():
    # Oracle: a robot whose joints carry exactly its weight does not move. The law pulls
    # to where the centre already is.
    robot = random_tree(8, 2, seed=3)
    world = build_world(robot, WorldConfig(contacts=False))
    goal = point_goal(world.start().subtree_com[0])
    law = find_law("transpose")()
    for on in (True, False):
        config = ComConfig(gravity_compensation=on, hop_delay=0.0)
        out = rollout(world, ComController(robot.assembly, law, config, goal), 0.2)
        drift = np.abs(out.qpos[-1] - out.qpos[0]).max()
        # rounding, held by the law's own spring; or it falls
        assert drift < 1e-9 if on else drift > 1e-3


@pytest.mark.parametrize("name", ["upright", "transpose"])
@pytest.mark.parametrize("where", ["point", "leaning line"])
def test_the_centre_goes_where_it_is_told(name, where):
    robot = random_tree(10, 2, seed=5)
    world = build_world(robot, WorldConfig(contacts=False))
    start = world.start().subtree_com[0].copy()
    target = start + np.array([0.03, -0.02, -0.02])
    goal = point_goal(target) if where == "point" else line_goal(target, (0.5, 0.2, 1))
    out = rollout(
        world, ComController(robot.assembly, find_law(name)(), goal=goal), 1.2
    )
    away = distance_to(goal, out.p_WC)
    assert out.outcome is Outcome.FINISHED
    assert away[0] > 0.015
    assert away[-1] < 0.1 * robot.assembly.body.width  # the measure of balance
    assert away[-1] < 0.2 * away[0]


@pytest.mark.parametrize("kind", ["mtran", "conro"])
def test_locked_joints_get_no_motor_and_the_rest_balances(kind):
    robot = random_tree(10, 2, seed=1, module=SuperbotModule(kind=kind))
    world = build_world(robot, WorldConfig(contacts=False))
    out = rollout(world, ComController(robot.assembly, find_law("upright")()), 1.5)
    away = distance_to(line_goal((0.0, 0.0)), out.p_WC)
    assert world.model.nu == 20
    assert away[-1] < 0.3 * away[0]


def test_same_seed_same_losses(robot, rng):
    readings = [sensed(robot, rng) for _ in range(30)]

    def run(seed):
        config = ComConfig(loss=0.5, seed=seed)
        controller = ComController(robot.assembly, find_law("transpose")(), config)
        state, taus = controller.init(), []
        for reading in readings:
            command, state = controller.step(reading, state)
            taus.append(command.tau.copy())
        return np.array(taus), state.messages

    one, again, other = run(4), run(4), run(5)
    np.testing.assert_array_equal(one[0], again[0])
    assert one[1] == again[1]
    assert np.abs(one[0] - other[0]).max() > 0.0


def test_telemetry_counts_the_messages(robot, rng):
    controller = ComController(robot.assembly, find_law("transpose")())
    state, total, reading = controller.init(), 0.0, sensed(robot, rng)
    for _ in range(40):
        command, state = controller.step(reading, state)
        total += command.telemetry["messages"]
    assert total == state.messages >= 2 * 7


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("hop_delay", -0.001),
        ("hop_delay", np.nan),
        ("hop_delay", 2.0),
        ("loss", 1.0),
        ("loss", -0.1),
        ("loss", np.nan),
        ("gravity", np.nan),
        ("gravity", np.inf),
        ("seed", -1),
        ("seed", 0.5),
        ("seed", None),
        ("hop_delay", "1 ms"),
        ("loss", True),
        ("gravity", None),
    ],
)
def test_links_that_cannot_be_are_refused(field, bad):
    with pytest.raises(ConfigError, match=rf"^ComConfig is not usable: {field} .*\.$"):
        ComConfig(**{field: bad})


def test_a_delay_between_two_ticks_is_refused(robot):
    law = find_law("transpose")()
    with pytest.raises(ConfigError, match=r"multiple of the control period 0.001 s"):
        ComController(robot.assembly, law, ComConfig(hop_delay=0.0015))
    for dt in (0.0, -0.001, np.nan):
        with pytest.raises(ConfigError, match=r"dt must be > 0 s"):
            ComController(robot.assembly, law, dt=dt)
