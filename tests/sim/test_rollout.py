"""The loop: what it records, how it ends, and that it hides nothing."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.stand.result import peak_torque
from equipoise.sim.ideal import IdealFrame, IdealState, command_limits, keep_state
from equipoise.sim.rollout import rollout
from equipoise.sim.run import LAST_STATES, Outcome
from equipoise.sim.world import World, WorldConfig, build_world

# A slider without a torque limit: a command can blow it up.
SLIDER = """<mujoco><worldbody><body name="b" pos="0 0 5"><joint name="x" type="slide"
axis="1 0 0"/><geom size=".05" mass="1"/></body></worldbody>
<actuator><motor name="x" joint="x" gear="1e9"/></actuator></mujoco>"""


class Stub:
    """Commands torques from a function of time; its state counts the ticks."""

    def __init__(self, torque, messages=0.0):
        self.torque, self.messages = torque, messages

    def init(self):
        return 0

    def step(self, sensed, state):
        tau = np.asarray(self.torque(sensed), dtype=float)
        return Command(tau, {"messages": self.messages}), state + 1


def still(sensed):
    return np.zeros_like(sensed.q)


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(random_tree(modules=3, branches=1, seed=2, angles="random"))


@pytest.fixture(scope="module")
def slider() -> World:
    return build_world(Robot("slider", mujoco.MjSpec.from_string(SLIDER), "b"))


def test_it_is_the_engines_own_step(world):
    push = np.linspace(-1.0, 1.0, world.model.nu)
    run = rollout(world, Stub(lambda sensed: push), 0.05, record_every=7)
    data = world.start()
    assert np.array_equal(run.p_WC[0], data.subtree_com[0])  # exact: the start itself
    for k in range(51):
        if k % 7 == 0:
            # exact: one step is the same arithmetic in one call or in two
            assert np.array_equal(run.qpos[k // 7], data.qpos)
            assert np.array_equal(run.tau[k // 7], push)
        if k < 50:
            data.ctrl[:] = push
            mujoco.mj_step(world.model, data)
            assert np.array_equal(run.p_WC[k], data.subtree_com[0])
    assert np.array_equal(run.qpos[-1], data.qpos)
    assert run.frame_time[-1] == run.time[-1] == pytest.approx(0.05, abs=1e-15)
    assert np.abs(run.qpos[-1] - run.qpos[0]).max() > 1e-3  # it did move


def test_last_samples_say_that_no_tick_followed(world):
    run = rollout(world, Stub(still, messages=4.0), 0.02)
    assert run.outcome is Outcome.FINISHED
    assert len(run.time) == 21
    assert np.nansum(run.messages) == 80.0
    for signal in (run.messages, run.saturation, run.contacts, run.tau[:, 0]):
        assert np.isnan(signal[-1]) and np.isfinite(signal[:-1]).all()


def test_saturation_counts_joints_at_their_limit(world):
    limit = world.model.actuator_ctrlrange[:, 1]
    push = np.where(np.arange(len(limit)) % 3 == 0, -limit, 0.5 * limit)
    run = rollout(world, Stub(lambda sensed: push), 0.005)
    assert np.array_equal(run.saturation[:-1], np.full(5, 1 / 3))  # exact: a count


def test_a_command_is_limited_by_the_ranges_of_control_and_force():
    spec = mujoco.MjSpec.from_string(GEARED)
    world = build_world(Robot("geared", spec, "b"))
    # 6 N over a gain of 3, in the control's own unit: the gear does not matter
    assert command_limits(world.model).tolist() == [5.0, 2.0, 1.5, np.inf]
    run = rollout(world, Stub(lambda sensed: [4.9, 2.0, 1.6, 9.0]), 0.01)
    assert set(run.saturation[:-1]) == {0.5}  # exact: two of four
    tau = np.array([[4.0, -2.0, 1.5, 0.0], [np.nan] * 4])
    assert peak_torque(world.robot, tau) == 300.0  # exact: gain 3 and gear 50


GEARED = """
<mujoco>
  <worldbody>
    <body name="b"><joint name="x" type="slide"/><geom size=".1" mass="1"/></body>
  </worldbody>
  <actuator>
    <motor joint="x" ctrlrange="-5 5"/>
    <general joint="x" gainprm="3" forcerange="-6 6" gear="50"/>
    <general joint="x" gainprm="3" ctrlrange="-1.5 1.5" forcerange="-6 6"/>
    <motor joint="x"/>
  </actuator>
</mujoco>"""


def test_a_state_that_blows_up_ends_the_run(slider, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    run = rollout(slider, Stub(lambda s: [1e9 if s.time > 0.1005 else 1e-9]), 1.0)
    assert run.outcome is Outcome.NOT_FINITE
    assert "no longer finite" in str(run.outcome)
    assert not run.is_finite
    # the tick at 0.101 s is the first to push, the state after it the first bad one
    assert run.time[-1] == pytest.approx(0.101, abs=1e-12)
    assert np.isfinite(run.p_WC).all() and np.isfinite(run.qpos).all()
    assert len(run.last["time"]) == LAST_STATES
    assert np.array_equal(run.last["qpos"][-1], run.qpos[-1])
    assert np.isfinite(run.last["qvel"]).all() and (np.diff(run.last["time"]) > 0).all()
    assert (np.diff(run.last["qpos"][:, 0]) > 0).all()  # in the order of time
    assert run.warnings  # the engine's complaint is kept, not printed or logged
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("where", ["qpos", "qvel"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e11])
def test_one_bad_number_anywhere_is_seen(where, bad):
    state = {"qpos": np.zeros(4), "qvel": np.zeros(3)}
    frames, last = IdealFrame.zeros(1, nq=4, joints=0), IdealState.zeros(2, nq=4, nv=3)
    assert keep_state(10, state["qpos"], state["qvel"], frames, last, 1)
    state[where][-1] = bad
    assert not keep_state(10, state["qpos"], state["qvel"], frames, last, 1)
    assert np.isfinite(last["qpos"]).all() and np.isfinite(last["qvel"]).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e11])
def test_a_command_that_no_motor_obeys_ends_the_run(world, bad):
    def torque(sensed):
        return np.full_like(sensed.q, bad if sensed.time > 0.0095 else 0.0)

    run = rollout(world, Stub(torque), 0.1)
    assert run.outcome is Outcome.BAD_COMMAND
    assert len(run.time) == 11
    assert np.isfinite(run.p_WC).all()


def test_it_stops_on_request(world):
    run = rollout(world, Stub(still), 1.0, stop=lambda data: data.time > 0.0115)
    assert run.outcome is Outcome.STOPPED
    assert len(run.time) == 13  # ticks at 0 to 11 ms and the state after the last


def test_progress_rises_to_one(world):
    seen = []
    rollout(world, Stub(still), 0.3, progress=seen.append)
    assert seen[0] == 0.0 and seen[-1] == 1.0
    assert seen == sorted(seen)


def test_standing_is_not_touching():
    world = build_world(random_tree(modules=1, branches=1, mount="free"))
    run = rollout(world, Stub(still), 0.2)
    data = world.start()
    for _ in range(100):
        mujoco.mj_step(world.model, data)
    assert data.ncon > 0  # the foot does stand on the ground
    assert np.nanmax(run.contacts) == 0


def test_touching_counts():
    # Ten modules in one branch without any torque: they fall onto the ground.
    world = build_world(random_tree(modules=10, branches=1, seed=0))
    run = rollout(world, Stub(still), 1.5)
    assert np.nanmax(run.contacts) > 0
    calm = build_world(world.robot, WorldConfig(contacts=False))
    assert np.nanmax(rollout(calm, Stub(still), 1.5).contacts) == 0


@pytest.mark.parametrize("mount", ["fixed", "free"])
def test_skins_come_module_by_module(mount):
    # The controller reads the skins in this order; the engine's own is another.
    robot = random_tree(modules=20, branches=4, seed=4, mount=mount)
    assert robot.assembly is not None
    world = build_world(robot)
    wanted = [f"{m}_outer_{end}" for m in robot.modules for end in "ab"]
    extra = [robot.base] if mount == "free" else []  # the foot, after all others
    assert list(world.skins.names) == wanted + extra
    engine = [world.model.body(b).name for b in range(world.model.nbody)]
    assert [name for name in engine if name in wanted] != wanted


@pytest.mark.parametrize("seconds", [0.0, -1.0, np.nan, np.inf, 1e-9])
def test_refuses_less_than_one_tick(world, seconds):
    with pytest.raises(ConfigError, match=r"at least one tick of 0\.001 s, got"):
        rollout(world, Stub(still), seconds)


def test_refuses_to_record_never(world):
    with pytest.raises(ConfigError, match="record_every must be >= 1, got 0"):
        rollout(world, Stub(still), 0.1, record_every=0)


def test_processor_time_is_split(world):
    run = rollout(world, Stub(still), 0.3)
    parts = run.cpu.physics + run.cpu.sensing + run.cpu.control
    # rounding: the parts are scaled to the total
    assert parts == pytest.approx(run.cpu.total, rel=1e-12)
    assert 0.0 < run.control_share < 1.0


def test_nothing_is_written(world, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rollout(world, Stub(still), 0.05)
    assert list(tmp_path.iterdir()) == []
