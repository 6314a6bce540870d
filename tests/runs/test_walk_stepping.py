"""Cycle, gains and heading of robots of files: by size, width and speed."""

import math

import numpy as np
import pytest
from tests.oracles.servo_quadruped import servo_quadruped

import equipoise as eq
from equipoise.control.gaits.named import named_gait
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk
from equipoise.runs.walk.stepping import ENOUGH, SMALL, stepping
from equipoise.runs.walk.walk import WalkConfig, walk_robot


def quadruped(folder, *changes: tuple[str, str]) -> Robot:
    """Return a robot of a file, parts of its text replaced."""
    text = servo_quadruped()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "quadruped.xml"
    path.write_text(text)
    return eq.load(path)


def plan(robot: Robot, **how) -> ResolvedWalk:
    """Return the plan of its trot."""
    return resolved_walk(robot, WalkConfig(**how))


def narrow(folder, half: float) -> Robot:
    """Return one whose feet are so far from the middle [m]."""
    changes = [("0.05 0", f"{half - 0.15:g} 0"), ("-0.05 0", f"{0.15 - half:g} 0")]
    return quadruped(folder, *reversed(changes))


def test_faster_trots_share_a_speed_between_stride_and_cycle(tmp_path):
    robot = quadruped(tmp_path)
    slow, fast = plan(robot), plan(robot, speed=1.05)
    usual, height = slow.walking.clocked.cycle, slow.machine.height
    assert usual == pytest.approx(0.65 * math.sqrt(height / 0.5))
    strokes = [
        0.5 * v * c for v, c in ((1.05, usual), (0.55 * height * 2 / usual, usual))
    ]
    shorter = math.sqrt(strokes[1] / strokes[0])
    assert shorter < 0.95
    assert fast.walking.clocked.cycle == pytest.approx(usual * shorter)
    told = plan(robot, speed=1.05, gains={"clocked.cycle": 0.5})
    assert told.walking.clocked.cycle == 0.5


def test_the_stated_limit_is_what_is_granted(tmp_path):
    robot = quadruped(tmp_path)
    with pytest.raises(ConfigError) as refused:
        plan(robot, speed=3.0)
    limit = float(str(refused.value).split("at most ")[1].split(" m/s")[0])
    assert plan(robot, speed=limit).speed == limit
    with pytest.raises(ConfigError):
        plan(robot, speed=1.01 * limit)


def test_a_narrow_stand_asks_for_more_gain_and_is_warned_of_without(tmp_path):
    wide, close = plan(narrow(tmp_path, 0.25)), plan(narrow(tmp_path, 0.09))
    similar = 0.2 * wide.walking.clocked.cycle / 0.65
    assert wide.walking.capture.gain == pytest.approx(similar)
    assert close.walking.capture.gain > 1.4 * similar
    assert wide.loop_margin >= ENOUGH and close.loop_margin >= ENOUGH
    own = plan(narrow(tmp_path, 0.09), gains={"capture.gain": similar})  # it falls
    assert own.walking.capture.gain == similar
    assert own.loop_margin < SMALL
    assert not close.warnings and "held by its steps" in own.warnings[-1]


def test_built_in_machines_keep_their_cycle_and_gain():
    robot = eq.load("warp1")
    fast = plan(robot, speed=0.6)
    assert fast.loop_margin is None
    assert fast.walking.clocked.cycle == 0.65
    assert fast.walking.capture.gain == 0.2


def test_a_robot_that_rocks_as_it_begins_keeps_its_heading(tmp_path):
    alone = {"observer.heading_rate": 0.0}  # by the gyro, without the feet
    config = WalkConfig(seconds=8.0, seed=11, gains=alone)
    result = walk_robot(quadruped(tmp_path), config)
    yaw = np.unwrap(result.run.attitude[:, 2])
    assert result.verdict == "yes"
    assert abs(yaw[-1] - yaw[0]) < 0.008  # 0.014 where rocking is learnt
    assert result.summary["loop_margin"] > SMALL


@pytest.mark.parametrize("aside", [0.0, 0.06])
def test_legs_of_a_computed_stand_hang_upright(tmp_path, aside):
    text = servo_quadruped()
    key = text[text.index("<keyframe>") : text.index("</keyframe>") + 11]
    robot = quadruped(
        tmp_path,
        (key, ""),
        ('<body name="FL_shank" pos="0 0 ', f'<body name="FL_shank" pos="0 {aside} '),
    )
    found = robot.found
    at = robot.model.joint("FL_roll").qposadr[0]
    assert "computed" in found.stand
    assert abs(found.qpos[at]) < 0.06  # 0.16 with the foot below the joint


@pytest.mark.parametrize("gait", ["trot", "crawl"])
def test_only_trots_of_files_are_stepped_by_their_margin(tmp_path, gait):
    own, other = quadruped(tmp_path), eq.load("warp1")
    fast = np.array([1.05, 0.0])
    for robot, changes in ((own, gait == "trot"), (other, False)):
        made = plan(robot, gait=gait)
        phases = named_gait(gait)
        found = stepping(made.walking, made.machine, phases, fast)
        assert (found is not made.walking) == changes
