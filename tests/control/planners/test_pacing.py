"""How waves are paced: duty factor, duration and sway by time and speed, by hand."""

import pytest

from equipoise.control.planners.pacing import ExpandedConfig
from equipoise.core.errors import ConfigError

CONFIG = ExpandedConfig(
    duty=0.6, duty_to=0.8, sweep=10.0, duty_still=0.75, steady=0.4, sway=0.03, still=0.1
)


@pytest.mark.parametrize(
    ("walked", "speed", "duty"),
    [
        (0.0, 0.4, 0.6),
        (2.5, 0.4, 0.65),
        (10.0, 0.4, 0.8),
        (99.0, 9.0, 0.8),
        (-1.0, 0.4, 0.6),
        (0.0, 0.0, 0.75),  # at rest, at least
        (0.0, 0.2, 0.675),  # half way
        (10.0, 0.0, 0.8),  # more than it must have
        (5.0, 0.1, 0.7 + 0.75 * 0.05),
    ],
)
def test_duty_sweeps_in_time_and_rises_to_that_of_rest(walked, speed, duty):
    assert CONFIG.duty_at(walked, speed) == pytest.approx(duty, abs=1e-15)


def test_duty_stays_where_no_other_is_asked_for():
    config = ExpandedConfig(duty=0.7, duty_still=0.6)
    for walked in (0.0, 5.0, 99.0):
        assert config.duty_at(walked, 1.0) == config.duty_at(walked, 0.0) == 0.7


@pytest.mark.parametrize(
    ("duty", "speed", "sway"),
    [
        (0.75, 0.4, 0.03),  # a crawl
        (0.75, 9.0, 0.03),
        (0.9, 0.4, 0.03),  # no more than a crawl's
        (0.6, 0.4, 0.0),
        (0.5, 0.0, 0.0),
        (0.675, 0.4, 0.015),  # half way between trot and crawl
        (0.75, 0.0, 0.1),
        (0.75, 0.2, 0.065),
        (0.7, 0.1, (0.03 + 0.75 * 0.07) * 2.0 / 3.0),
    ],
)
def test_sway_is_a_crawl_s_and_none_of_a_trot(duty, speed, sway):
    assert CONFIG.sway_at(duty, speed) == pytest.approx(sway, abs=1e-15)


def test_a_still_machine_sways_no_less_than_a_moving_one():
    config = ExpandedConfig(sway=0.05, still=0.02)
    assert config.sway_at(0.75, 0.0) == config.sway_at(0.75, 1.0) == 0.05


@pytest.mark.parametrize(
    ("duty", "lasts"),
    [
        (0.5, 0.24),  # a trot is on two feet all the time
        (0.65, 0.6),  # 0.4 of it on two feet, which is the 0.24 s
        (0.6, 0.4),
        (0.75, 0.6),  # never on two feet: as long as it was asked for
        (0.9, 0.6),
    ],
)
def test_waves_are_short_enough_for_their_time_on_two_feet(duty, lasts):
    wave = ExpandedConfig(wave=0.6, on_two=0.24).wave_of(duty)
    assert (wave.duration, wave.duty) == (pytest.approx(lasts), duty)


@pytest.mark.parametrize(
    "wrong",
    [
        {"duty": 0.4}, {"duty_to": 0.96}, {"duty_still": 0.4}, {"crawl": 1.0},
        {"sweep": 0.0}, {"steady": 0.0}, {"on_two": 0.0}, {"sway": -0.01},
    ],
)  # fmt: skip
def test_what_is_no_pace_is_refused(wrong):
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        ExpandedConfig(**wrong)
