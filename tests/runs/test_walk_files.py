"""Robot files that nobody built for this library walk, or are told why not."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.servo_quadruped import servo_quadruped
from tests.oracles.stick_hexapod import stick_hexapod
from tests.oracles.stick_quadruped import stick_quadruped

import equipoise as eq
from equipoise.cli.app import run as command
from equipoise.core.errors import ConfigError
from equipoise.runs.walk.contacts import gait_from_contacts
from equipoise.runs.walk.effort import recorded_chatter_share
from equipoise.runs.walk.walk import WalkConfig, walk_robot


def written(folder: Path, text: str, name: str = "servos.xml") -> Path:
    """Return a robot file with a text."""
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def trot(tmp_path_factory):
    """A trot of a quadruped whose file has servos and no walking settings."""
    path = written(tmp_path_factory.mktemp("walk"), servo_quadruped())
    return eq.simulate(eq.load(path), gait="trot", seconds=6.0, seed=3)


def test_a_file_trots_at_a_speed_that_suits_its_size(trot):
    s = trot.summary
    assert trot.verdict == "yes"
    assert s["scale"]["speed_star"] == pytest.approx(0.18, abs=0.002)
    assert abs(s["speed_error"]) < 0.05
    assert s["roll_p95_deg"] < 8.0
    assert s["chatter"] < 0.05
    assert s["state"] == "sensors"


def test_what_was_assumed_is_told(trot):
    told = " ".join(trot.summary["assumed"])
    assert "'neck'" in told
    assert "feet have no sensors" in told
    assert "ground and contacts of its file are left out" in told


def test_the_gait_is_seen_in_the_contacts(trot):
    found = trot.summary["gait_found"]
    assert found["cycle_s"] == pytest.approx(
        trot.summary["settings"]["cycle"], rel=0.02
    )
    assert found["phase_contralateral"] == pytest.approx(0.5, abs=0.08)
    assert sum(found["in_the_air_share"]) == pytest.approx(1.0)


def test_dead_reckoning_is_within_some_hundredths_of_the_way(trot):
    s = trot.summary
    assert abs(s["odometry_error_m"]) < 0.05 * s["distance_m"]


def test_a_file_crawls_with_its_centre_of_mass_over_its_feet(tmp_path):
    robot = eq.load(written(tmp_path, servo_quadruped()))
    result = walk_robot(robot, WalkConfig(gait="crawl", seconds=8.0, seed=4))
    assert result.verdict == "yes"
    assert result.summary["static_margin_p5_m"] > 0.0


def test_a_push_comes_when_and_where_it_is_told(tmp_path):
    robot = eq.load(written(tmp_path, servo_quadruped()))
    plain = walk_robot(robot, WalkConfig(seconds=2.5)).run
    before, after = (np.searchsorted(plain.time, t) for t in (2.0, 2.1))
    for heading, axis, sign in ((0.0, 0, 1.0), (180.0, 0, -1.0), (-90.0, 1, -1.0)):
        config = WalkConfig(seconds=2.5, push=4.0, push_heading=heading, push_at=2.0)
        pushed = walk_robot(robot, config).run
        np.testing.assert_array_equal(
            pushed.qpos[: before + 1], plain.qpos[: before + 1]
        )
        gain = pushed.qvel[after, :2] - plain.qvel[after, :2]
        assert np.argmax(np.abs(gain)) == axis
        assert sign * gain[axis] > 0.1  # of 4 N s / 15.2 kg


WEAK = ('forcerange="-30 30"', 'forcerange="-1.5 1.5"')
STIFF = ('range="-2 2"', 'range="0.72 0.78"')
UNEVEN = ('pos="0 0 0.1" mass="1"', 'pos="1.5 0 0.1" mass="9"')


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (WEAK, "times their torque"),
        (STIFF, "to and fro"),
        (UNEVEN, "centre of mass"),
    ],
)
def test_what_cannot_walk_is_refused_with_a_number(tmp_path, change, says):
    text = servo_quadruped()
    assert change[0] in text
    robot = eq.load(written(tmp_path, text.replace(*change)))
    with pytest.raises(ConfigError, match=says):
        walk_robot(robot, WalkConfig(seconds=3.0))


@pytest.mark.slow  # its kernels are compiled for two joints
def test_two_joints_a_leg_are_enough(tmp_path):
    robot = eq.load(written(tmp_path, stick_quadruped(), "sticks.urdf"))
    result = walk_robot(robot, WalkConfig(gait="trot", seconds=4.0))
    assert result.verdict == "yes"


def test_the_command_tells_what_it_took_the_file_for(tmp_path, capsys):
    path = written(tmp_path, servo_quadruped())
    assert command(["walk", str(path), "--seconds", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["assumed"]
    assert command(["walk", str(path), "--seconds", "3"]) == 0
    assert "4 legs" in capsys.readouterr().out


def test_blocks_may_be_told_in_heights(tmp_path):
    robot = eq.load(written(tmp_path, servo_quadruped()))
    result = walk_robot(robot, WalkConfig(terrain="blocks:0.05h", seconds=3.0))
    told = float(result.summary["terrain"].removeprefix("blocks:"))
    assert told == pytest.approx(5.0 * result.summary["scale"]["height_m"])


def test_chatter_is_the_share_above_fifty_hertz():
    time = np.arange(2000) * 1e-3
    slow, quick = np.sin(2 * np.pi * 5 * time), np.sin(2 * np.pi * 100 * time)
    torque = np.stack([slow, 0.5 * quick], axis=1)
    assert recorded_chatter_share(time, torque) == pytest.approx(
        0.2, rel=1e-6
    )  # 1/4 of 1 + 1/4
    assert recorded_chatter_share(time[::40], torque[::40]) is None


def test_phases_come_from_footfalls_and_bounces_do_not_count():
    time = np.arange(3000) * 1e-3
    phases = (0.0, 0.5, 0.25, 0.75)
    stands = np.stack([((time - p * 0.4) % 0.4) < 0.3 for p in phases], axis=1)
    stands[::100, 0] ^= True  # bounces of a millisecond
    found = gait_from_contacts(time, stands, 0)
    assert found["cycle_s"] == pytest.approx(0.4, abs=2e-3)
    assert found["phase_contralateral"] == pytest.approx(0.5, abs=0.01)
    assert found["lag_ipsilateral"] == pytest.approx(0.75, abs=0.01)
    np.testing.assert_allclose(found["duty"], 0.75, atol=0.02)
    assert found["in_the_air_share"][1] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("gait", ["tripod", "wave"])
def test_a_file_with_six_legs_walks_on_them(tmp_path, gait):
    robot = eq.load(written(tmp_path, stick_hexapod(), "six.xml"))
    result = walk_robot(robot, WalkConfig(gait=gait, seconds=5.0, seed=2))
    assert result.verdict == "yes"
    assert abs(result.summary["speed_error"]) < 0.1
    assert result.summary["static_margin_p5_m"] > 0.0
