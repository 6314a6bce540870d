"""Settings carried over between machines of other sizes."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import foot_mobility, legged_machine
from equipoise.control.scaling import scaled_settings
from equipoise.control.walker import WARP1, WalkerConfig, carried_over
from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting
from equipoise.core.settings import settings_of
from equipoise.robots.size import Scale


def test_every_setting_of_a_walker_has_a_unit_that_scales():
    factors = Scale(30.0, 0.25).over(WARP1)
    before, after = WalkerConfig(), scaled_settings(WalkerConfig(), factors)
    told = settings_of(after)
    for name, setting in settings_of(before).items():
        if isinstance(setting.default, float):
            assert told[name].default == pytest.approx(
                factors[setting.about.unit] * setting.default
            ), name


def test_the_same_size_changes_nothing():
    assert scaled_settings(WalkerConfig(), WARP1.over(WARP1)) == WalkerConfig()


def test_units_follow_mass_height_and_gravity():
    by = Scale(8.0, 4.0).over(Scale(2.0, 1.0))
    assert by["s"] == 2.0  # sqrt(h / g)
    assert by["m/s"] == 2.0  # sqrt(g h)
    assert by["N"] == 4.0
    # a spring that gives way alike: m g / h
    assert by["N/m"] * by["m"] == pytest.approx(by["N"])
    assert by["N s/m"] * by["m/s"] == pytest.approx(by["N"])
    assert by["N m/rad"] == pytest.approx(by["N"] * by["m"])
    assert by["N m s/rad"] * by["rad/s"] == pytest.approx(by["N m"])
    assert by["m/s²"] == by["m"] / by["s"] ** 2 == 1.0
    assert by["rad/s²"] == pytest.approx(1.0 / by["s"] ** 2)


@dataclass(frozen=True)
class Strange:
    """A setting in a unit of its own."""

    size: Annotated[float, Setting("Its size", "furlong")] = 1.0


def test_a_unit_that_nobody_knows_is_refused():
    with pytest.raises(ConfigError, match="'size' has the unit 'furlong'"):
        scaled_settings(Strange(), WARP1.over(WARP1))


def test_gains_of_a_light_machine_are_what_it_can_hold():
    machine = legged_machine(eq.load("warp1"))
    light = 200.0 * foot_mobility(machine)  # as without rotors
    own = carried_over(WalkerConfig(), machine, light, 0.004)
    assert np.all(np.array(own.law.damping) < np.array([700.0, 700.0, 1600.0]))
    assert np.all(np.array(own.steps.steady) > 0.0)
    assert own.steps.lands_where_seen
    heavy = carried_over(WalkerConfig(), machine, foot_mobility(machine), 1e-4)
    assert heavy.law.damping == pytest.approx((700.0, 700.0, 1600.0))
    assert math.isclose(heavy.stride.sway, WalkerConfig().stride.sway)
