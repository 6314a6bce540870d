"""One door for every robot: modules are steered, what has feet stands."""

import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError


def test_a_biped_is_hit_and_stands():
    result = eq.simulate(eq.load("biped", height=1.6, body_mass=60.0), seconds=0.2)
    assert isinstance(result, eq.StandResult)
    assert result.summary["controller"] == "workspace-cone"
    assert result.summary["simulated_s"] == pytest.approx(0.2)
    assert not result.summary["fell"]


def test_modules_are_steered_by_the_recommended_law():
    robot = eq.load("superbot", modules=2, branches=1)
    result = eq.simulate(robot, seconds=0.01, target=[0.01, 0.0])
    assert isinstance(result, eq.BalanceResult)
    assert result.summary["controller"] == "upright"


@pytest.mark.parametrize(
    ("name", "setting", "known"),
    [("biped", "loss", "block_mass"), ("superbot", "block_mass", "loss")],
)
def test_a_setting_of_another_robot_is_refused(name, setting, known):
    with pytest.raises(UnknownNameError, match=rf"has no setting '{setting}'.*{known}"):
        eq.simulate(eq.load(name), **{setting: 0.1})


@pytest.mark.parametrize("setting", ["height", "controllers"])
def test_the_bipeds_size_is_a_matter_of_the_robot(setting):
    with pytest.raises(UnknownNameError, match=f"no setting '{setting}'"):
        eq.simulate(eq.load("biped"), **{setting: 1.6})


def test_a_law_of_another_robot_is_refused():
    with pytest.raises(ConfigError, match="it steers robots made of modules"):
        eq.simulate(eq.load("biped"), "upright")


def test_a_push_that_is_none_gets_a_sentence():
    with pytest.raises(ConfigError, match=r"push must be as .*Push\(impulse=.*got \(2"):
        eq.simulate(eq.load("biped"), push=(20, 5, 0))
