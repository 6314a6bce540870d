"""A gait on WARP1: numbers that belong together, speeds its joints allow."""

import math
from typing import Any

import numpy as np
import pytest

from equipoise.control.gaits.margins import wave_margin
from equipoise.control.gaits.named import gait_names
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.load import load
from equipoise.runs.gait.config import GENERATED, GaitConfig
from equipoise.runs.gait.gait import gait_report, write_gait


def report(name, **options):
    return gait_report(GaitConfig(name=name, **options)).summary


@pytest.mark.parametrize("name", [*gait_names(), *GENERATED])
def test_every_gait_can_be_asked_for(name):
    s = report(name)
    assert s["gait"] == name
    assert len(s["phases"]) == s["legs"] == len(s["leg_names"])
    assert sum(s["durations"]) == pytest.approx(1.0, abs=1e-12)
    assert len(s["matrix"]) == len(s["durations"]) == len(s["support_patterns"])
    for row, pattern in zip(s["matrix"], s["support_patterns"], strict=True):
        stands = [n for n, bit in zip(s["leg_names"], row, strict=True) if bit]
        assert stands == pattern["legs"]
    steps = "+".join(s["sequence"]).split("+")
    assert sorted(steps) == sorted(s["leg_names"])
    assert s["is_statically_balanced"] == (s["margin_min_m"] > 1e-9)
    assert s["speed_mps"] * s["cycle_s"] == pytest.approx(s["stride_m"], abs=1e-12)
    if name != "turning":
        assert 0.0 < s["speed_limit_mps"] <= 1.001 * s["fastest_mps"]
    along = s["margin_over_cycle"]
    assert min(along["static_m"]) == s["margin_min_m"]
    assert len(along["share"]) == len(along["static_m"]) == len(along["longitudinal_m"])


@pytest.mark.parametrize("duty", [0.75, 0.8, 0.9])
def test_warp1_crawls_with_mcghee_and_franks_margin(duty):
    s = report("crawl", duty=duty, stroke=0.25)
    expected = wave_margin(4, duty, 0.62, 0.25)
    # Solver: the feet are put around the centre of mass to 1e-12 m.
    assert s["longitudinal_margin_m"] == pytest.approx(expected, abs=1e-11)
    assert s["is_statically_balanced"] == (duty > 0.75)
    assert s["is_creeping"]


def test_six_legs_walk_faster_and_steadier():
    four, six = report("crawl", duty=0.8), report("tripod")
    assert six["legs"] == 6
    assert six["is_statically_balanced"] and not six["is_creeping"]
    assert six["speed_limit_mps"] > 2.0 * four["speed_limit_mps"]
    assert six["margin_min_m"] > four["margin_min_m"]


def test_the_foot_is_at_its_limit_at_the_speed_limit():
    """V_leg from the peak factor, and the hip's 48 V speed on a leg of 0.475 m."""
    s = report("trot", stroke=0.2)
    foot = s["speed_limit_mps"] * s["peak_factor"]
    hip = load("warp1").drives[1].speed
    # The foot moves on two hinges; a rigid leg about the hip alone bounds the order.
    assert 0.5 < foot / (hip * 0.475) < 1.0
    assert s["speed_over_leg_speed"] == 1.0
    slower = report("trot", stroke=0.2, swing="cycloid")
    assert slower["speed_limit_mps"] < 0.8 * s["speed_limit_mps"]


def test_a_wanted_speed_sets_the_cycle():
    s = report("crawl", duty=0.8, stroke=0.2, speed=0.05)
    assert s["cycle_s"] == pytest.approx(0.25 / 0.05, abs=1e-12)
    assert s["speed_mps"] == pytest.approx(0.05, abs=1e-15)
    with pytest.raises(
        ConfigError, match=r"at most 0\.1\d\d m/s with strokes of 0\.20"
    ):
        report("crawl", duty=0.8, stroke=0.2, speed=0.5)
    with pytest.raises(
        ConfigError, match="a gait that turns on the spot has no speed, got"
    ):
        report("turning", speed=0.1)


def test_stop_and_go_goes_its_stride_while_all_stand():
    s = report("discontinuous", duty=0.85)
    assert s["stride_m"] == s["stroke_m"] == pytest.approx(0.2, abs=1e-15)
    assert s["longitudinal_margin_m"] == pytest.approx(0.05, abs=1e-11)
    assert s["speed_over_leg_speed"] == pytest.approx(0.15, abs=1e-15)
    assert s["speed_limit_mps"] < report("crawl", duty=0.85)["speed_limit_mps"]


def test_sideways_and_on_the_spot():
    crab = report("crab", angle_deg=90.0)
    assert crab["sequence"] == ["RR", "LR", "RF", "LF"]
    assert crab["is_statically_balanced"]
    turning = report("turning", turn_deg=-12.0)
    assert turning["sequence"] == ["RF", "RR", "LR", "LF"]
    assert turning["is_statically_balanced"]
    assert turning["speed_limit_mps"] == pytest.approx(0.0, abs=1e-12)
    assert turning["turn_limit_dps"] < -1.0


def test_pictures_are_those_of_the_gait(tmp_path):
    result = gait_report(GaitConfig(name="follow-the-leader"))
    names = [path.name for path in write_gait(result, tmp_path / "new")]
    assert names == ["gait.png", "supports.png", "gait.json"]
    assert np.isfinite(result.margins.static).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"name": "crawl", "stroke": 0.9}, "stroke must be above 0 and at most 0."),
        ({"name": "crawl", "stroke": -1.0}, "stroke must be > 0 m, got -1.0"),
        ({"name": "crawl", "lift": -0.1}, "lift must be >= 0 m, got -0.1"),
        ({"name": "crawl", "speed": math.nan}, "speed must be > 0 m/s, got nan"),
        ({"name": "crab", "angle_deg": 400.0}, "angle must be -360 to 360 deg"),
        ({"name": "crab", "legs": 6}, "gait 'crab' is not usable: it needs 4 legs"),
        ({"name": "discontinuous", "duty": 0.75}, "must be above 0.75 and below 1"),
        ({"name": "discontinuous", "turn_deg": 5.0}, "turn is not for it, got 5.0"),
        ({"name": "turning", "duty": 0.7}, "gait 'turning' is not usable: duty must"),
        ({"name": "wave", "legs": 10}, "legs must be 2, 4, 6 or 8, got 10"),
        ({"name": "wave", "legs": 0}, "an even number of legs, 4 to 100, got 0"),
        ({"name": "crab", "swing": "elipse"}, "'elipse' (did you mean 'ellipse'?)"),
        ({"name": "crab", "legs": 0}, "it needs 4 legs, got 0"),
    ],
)
def test_what_cannot_be_is_one_sentence(options, sentence):
    with pytest.raises(ConfigError) as error:
        gait_report(GaitConfig(**options))
    assert sentence in str(error.value)


@pytest.mark.parametrize("field", ["name", "machine"])
def test_unknown_names_are_told(field):
    options: dict[str, Any] = {"name": "trot", field: "nothing"}
    with pytest.raises(UnknownNameError, match=r"has no .* 'nothing'"):
        GaitConfig(**options)
