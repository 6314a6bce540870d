"""``eq.simulate`` takes a name, a law with settings, or any object that steps."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.com.laws.upright import GENTLE
from equipoise.control.laws import steering_law
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig

SMALL = {"modules": 4, "branches": 2, "seed": 4}


class Hold:
    """Holds the joints where they are; what a user would write."""

    def __init__(self, stiffness, damping):
        self.stiffness, self.damping = stiffness, damping

    def init(self):
        return None

    def step(self, sensed, state):
        state = sensed.q.copy() if state is None else state
        tau = self.stiffness * (state - sensed.q) - self.damping * sensed.v
        return eq.Command(tau), state


class OnlyInit:
    def init(self):
        return None


def test_a_command_needs_no_telemetry():
    one, two = eq.Command(np.zeros(2)), eq.Command(np.zeros(2))
    assert one.telemetry == {}
    one.telemetry["a"] = 1.0
    assert two.telemetry == {}


def test_an_own_controller_holds_modules():
    result = eq.simulate(eq.load("superbot", **SMALL), Hold(5.0, 0.1), seconds=0.1)
    start, end = result.dataset["qpos"].values[[0, -1]]
    assert result.summary["controller"] == "Hold"
    assert result.summary["messages"] == 0
    # a tenth of a module's weight on 5 N m/rad; without torques it sags by 0.5 rad
    assert np.abs(end - start).max() < 0.05


def test_an_own_controller_holds_a_biped():
    robot = eq.load("biped")
    result = eq.simulate(robot, Hold(1500.0, 60.0), seconds=0.2, block_mass=0.0)
    assert isinstance(result, eq.StandResult)
    assert result.summary["controller"] == "Hold"
    assert not result.summary["fell"]
    aim = result.dataset["aim"].values
    assert np.array_equal(aim[0], aim[-1])  # the set pose, as it says no other
    assert result.summary["position_error_m"] < 0.2


def test_an_own_controller_holds_a_walking_machine_by_its_sensors():
    result = eq.simulate(eq.load("warp1"), Hold(1500.0, 60.0), seconds=2.5)
    assert result.verdict == "yes"
    assert result.summary["gait"] == result.summary["settings"]["controller"] == "Hold"
    assert abs(result.summary["mean_speed_mps"]) < 1e-3
    assert result.summary["commanded_mps"] is None
    assert "com" in result.dataset


def test_a_robot_that_cannot_be_balanced_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(
        "<mujoco model='arm'><worldbody><body><joint name='j' axis='0 1 0'/>"
        "<geom size='0.1' mass='1'/></body></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>"
    )
    with pytest.raises(ConfigError, match="robot 'arm' is not usable: it has 0 legs"):
        eq.simulate(eq.load(str(path)), Hold(1.0, 1.0))


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (OnlyInit(), r"type OnlyInit is not usable: it has no method step\("),
        (object(), r"no method init\(\) and no method step\(sensed, state\)"),
        (lambda sensed: 0.0, r"no method init\(\) and no method step"),
        (Hold, r"it is a class; create an instance, as Hold\(\)"),
        (7, "type int is not usable: it has no method init"),
    ],
)
@pytest.mark.parametrize("robot", ["superbot", "biped", "warp1"])
def test_a_wrong_object_is_told_which_method_is_missing(robot, thing, says):
    with pytest.raises(ConfigError, match=says):
        eq.simulate(eq.load(robot), thing)


def test_gains_change_what_a_law_does():
    robot = eq.load("superbot", **SMALL)
    usual, same, slow = (
        eq.simulate(robot, law, seconds=0.05).dataset["tau"].values[:-1]
        for law in ("upright", eq.laws.upright(pace=150), eq.laws.upright(pace=1))
    )
    assert np.array_equal(usual, same)
    assert not np.allclose(usual, slow)


def test_gains_suit_the_robot_but_for_those_given():
    free = eq.load("superbot", **SMALL).assembly
    free = replace(free, ground=replace(free.ground, mount="free"))
    law = steering_law("upright", {"brake": 2.0}, free)
    assert law.config == replace(GENTLE, brake=2.0)


def test_gains_reach_a_balance_law_and_what_all_of_them_share():
    robot = eq.load("biped")
    law = eq.laws.workspace_step(
        trigger=0.02, position_gain=(60, 60, 200), **{"stand.place": 50}
    )
    result = eq.simulate(robot, law, seconds=0.02)
    config = result.dataset.attrs["config"]
    assert '"stand.place": 50' in config and '"trigger": 0.02' in config
    usual = eq.simulate(robot, "workspace-step", seconds=0.02)
    assert "gains" not in usual.dataset.attrs["config"]
    both = (r.dataset["tau"].values[:-1] for r in (result, usual))
    assert not np.allclose(*both)


def test_gains_reach_a_walking_part():
    walked = [
        eq.simulate(eq.load("warp1"), seconds=2.5, gains=gains).summary
        for gains in ({}, {"stride.sway": 0.03})
    ]
    assert walked[0]["distance_m"] != walked[1]["distance_m"]
    assert "gains" not in walked[0]["settings"]
    assert walked[1]["settings"]["gains"] == {"stride.sway": 0.03}


@pytest.mark.parametrize(
    ("choose", "error", "says"),
    [
        (lambda: eq.laws.upright(pac=1), UnknownNameError, "no setting 'pac'.*'pace'"),
        (lambda: eq.laws.upright(pace="x"), ConfigError, r"pace \[1/s\] must be a fin"),
        (lambda: eq.laws.upright(pace=-1), ConfigError, "pace must be > 0 1/s, got -1"),
        (lambda: eq.laws.workspace_cone(place=0), ConfigError, "place must be > 0"),
        (lambda: eq.laws.workspace(place=1), UnknownNameError, "no setting 'place'"),
        (lambda: eq.laws.workspace(friction=1), UnknownNameError, "no setting"),
        (lambda: eq.laws.uprigt, AttributeError, "no law 'uprigt'. Did you mean"),
    ],
)
def test_a_wrong_gain_is_told_what_there_is(choose, error, says):
    with pytest.raises(error, match=says):
        choose()


def test_a_law_of_another_robot_is_refused():
    with pytest.raises(ConfigError, match="it balances a biped"):
        eq.simulate(eq.load("superbot", **SMALL), eq.laws.workspace())
    with pytest.raises(ConfigError, match="it walks with a gait"):
        eq.simulate(eq.load("warp1"), eq.laws.upright())


def test_laws_are_listed():
    assert "workspace_cone" in dir(eq.laws) and "upright" in list(eq.laws)
    assert (
        "pace: Rate α at which the distance to the goal shrinks"
        in eq.laws.upright.__doc__
    )


def test_an_own_controller_of_a_machine_is_saved(tmp_path):
    result = eq.simulate(eq.load("warp1"), Hold(900.0, 20.0), seconds=2.5)
    names = {path.name for path in result.save(tmp_path)}
    assert {"run.nc", "stills.png", "replay.html"} <= names
    assert "steps.png" not in names  # it tells no schedule to compare with


def test_files_among_a_walks_options_are_told_as_text():
    choice = RobotChoice(name="my.urdf", options={"drives": Path("motors.yaml")})
    assert (
        json.dumps(WalkConfig(robot=choice).settings_record()).count('"motors.yaml"')
        == 1
    )
