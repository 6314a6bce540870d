"""Jobs by name put their question to the robot that the request names."""

from types import SimpleNamespace

import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.jobs.job import JobRequest, job_named, job_names
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.stance import stance_config

ANSWER = SimpleNamespace(verdict="yes", report={})


def asked_of(monkeypatch, place, job, robot, **settings):
    """Return what a job asks instead of doing it."""
    seen = []
    monkeypatch.setattr(place, lambda *given, **_: seen.append(given) or ANSWER)
    job_named(job).answer(JobRequest(robot, {}, settings, 7))
    return seen[0]


def test_there_is_a_job_for_every_command_that_can_be_swept():
    assert job_names() == ("balance", "check", "limits", "modules", "walk")


def test_the_seed_says_which_robot_is_drawn(monkeypatch):
    place = "equipoise.runs.check.asked_robot.check_named"
    choice, config = asked_of(monkeypatch, place, "check", "superbot", friction=0.4)
    assert (choice.name, choice.seed, config.friction) == ("superbot", 7, 0.4)
    place = "equipoise.runs.balance.balance.balance"
    (config,) = asked_of(monkeypatch, place, "balance", None, loss=0.1)
    drawn = (config.robot.name, config.robot.seed, config.steer.seed)
    assert drawn == ("superbot", 7, 7) and config.steer.loss == 0.1


def test_a_robot_that_is_not_drawn_has_no_seed(monkeypatch):
    place = "equipoise.runs.stand.stand.stand"
    (config,) = asked_of(monkeypatch, place, "balance", "biped", block_mass=2.0)
    assert (config.robot, config.seed) == (RobotChoice(name="biped"), 7)
    place = "equipoise.runs.walk.walk.walk"
    (config,) = asked_of(monkeypatch, place, "walk", None, speed=0.2)
    assert (config.robot, config.seed) == (RobotChoice(name="warp1"), 7)


@pytest.mark.parametrize(
    ("job", "robot", "setting"),
    [("balance", "biped", "loss"), ("balance", "superbot", "block_mass")],
)
def test_a_setting_of_another_kind_of_robot_is_refused(job, robot, setting):
    with pytest.raises(ConfigError, match=f"--{setting.replace('_', '-')} is for"):
        job_named(job).answer(JobRequest(robot, {}, {setting: 0.1}, 0))


def test_a_check_without_a_robot_is_refused():
    with pytest.raises(ConfigError, match="it needs a robot"):
        job_named("check").answer(JobRequest(None, {}, {}, 0))


def test_a_block_is_a_push_of_its_momentum_from_ahead():
    robot = eq.load("colt")
    choice = RobotChoice(name="colt")
    told = stance_config(robot, choice, {"block_mass": 2.0, "block_speed": 3.0})
    assert (told.push, told.push_heading, told.speed) == (6.0, 180.0, 0.0)
    mass = sum(robot.model.body_mass)
    usual = stance_config(robot, choice, {})
    # rounding: a sum of a dozen masses; 3 % of the mass at 4.5 m/s
    assert usual.push == pytest.approx(0.03 * mass * 4.5, rel=1e-12)
    assert usual.support == "standing"
