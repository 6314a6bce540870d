"""A job stepped from outside is the job that runs whole, to the bit."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.staged import staged_balance
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.staged import staged_stand
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.staged import staged_walk
from equipoise.sim.disturbances import Push
from equipoise.sim.run import Outcome
from equipoise.sim.stepper import Stepper

pytestmark = pytest.mark.sim


def staged(kind):
    if kind == "modules":
        robot = eq.load("superbot", modules=6, seed=3)
        return staged_balance(robot, SteerConfig(seconds=0.2))
    if kind == "biped":
        push = Push(impulse=(0, 5, 0), start=0.05, duration=0.1)
        config = StandConfig(seconds=0.3, push=push)
        return staged_stand(eq.load("biped"), config)
    config = WalkConfig(seconds=2.5, push=10.0, push_at=1.1, force=5.0, seed=3)
    return staged_walk(eq.load("warp1"), config).staged


def stepped(stepper, controller, ticks=None):
    state = controller.init()
    while (readings := stepper.sense()) is not None:
        command, state = controller.step(readings, state)
        stepper.act(command)
        if ticks is not None and stepper.tick == ticks:
            break
    return stepper.data.qpos.copy()


@pytest.mark.parametrize("kind", ["modules", "biped", "walk"])
def test_a_stepped_job_ends_in_the_same_bits(kind):
    whole = staged(kind).run()
    job = staged(kind)
    stepper = job.stepper()
    pose = stepped(stepper, job.controller)
    assert stepper.outcome is Outcome.FINISHED
    assert stepper.time == pytest.approx(job.seconds)
    np.testing.assert_array_equal(pose, whole.qpos[-1])


def test_a_horizon_does_not_change_what_happens_before_it():
    short, long = staged("walk"), staged("walk")
    first = stepped(short.stepper(), short.controller, ticks=500)
    second = stepped(long.stepper(horizon=60.0), long.controller, ticks=500)
    np.testing.assert_array_equal(first, second)


def test_a_push_from_outside_is_felt_until_it_is_let_go():
    ends = []
    for force in (0.0, 60.0):
        job = staged("biped")
        stepper = Stepper(job.world, job.plant, horizon=1.0)
        stepper.push("trunk", [0.0, force, 0.0])
        stepped(stepper, job.controller, ticks=50)
        stepper.push("trunk", [0.0, 0.0, 0.0])
        assert not stepper.data.xfrc_applied.any()
        ends.append(float(stepper.data.qvel[1]))
    assert ends[1] > ends[0] + 0.02


@pytest.mark.parametrize(
    ("body", "force", "error"),
    [
        ("head", [0, 0, 0], UnknownNameError),
        ("trunk", [0, math.nan, 0], ConfigError),
        ("trunk", [1, 2], ConfigError),
        ("trunk", "hard", ConfigError),
    ],
)
def test_a_push_that_cannot_be_is_refused(body, force, error):
    job = staged("biped")
    stepper = Stepper(job.world, job.plant, horizon=1.0)
    with pytest.raises(error):
        stepper.push(body, force)
    assert not stepper.data.xfrc_applied.any()


def test_a_planned_push_is_not_overwritten():
    stepper = staged("biped").stepper()
    with pytest.raises(ConfigError, match="pushed by a plan"):
        stepper.push("trunk", [0, 1, 0])


def test_a_command_that_no_motor_can_obey_ends_it():
    stepper = staged("modules").stepper()
    stepper.sense()
    joints = stepper.model.nu
    assert not stepper.act(Command(np.full(joints, np.nan)))
    assert stepper.outcome is Outcome.BAD_COMMAND
    assert stepper.sense() is None
    assert not stepper.act(Command(np.zeros(joints)))


def test_each_job_says_whether_it_fell():
    for kind in ("modules", "biped", "walk"):
        job = staged(kind)
        stepper = job.stepper()
        stepper.sense()
        assert not job.has_fallen(stepper.data)
    stepper.data.xmat[job.world.base] = np.diag([1.0, -1.0, -1.0]).ravel()
    assert job.has_fallen(stepper.data)
