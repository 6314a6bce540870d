"""The library of gaits against the figures of the thesis and the table of footfalls."""

import numpy as np
import pytest

from equipoise.control.gaits.named import (
    gait_names,
    named_gait,
    usual_duty,
    usual_legs,
    wave_phases,
)
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names
from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError

EPS = np.finfo(float).eps


def apart(a, b):
    """Distance of phases around the cycle."""
    return np.abs((np.asarray(a) - b + 0.5) % 1.0 - 0.5)


def standing(gait: PhaseGait, share: float) -> set[str]:
    names = leg_names(gait.legs)
    return {names[k] for k in np.flatnonzero(gait.is_standing(share))}


# Who stands in figure 2.2 and 2.4, in the middle of each stretch of the diagram.
PICTURES = [
    ("trot", 0.25, {"LF", "RR"}),
    ("trot", 0.75, {"RF", "LR"}),
    ("pace", 0.25, {"LF", "LR"}),
    ("pace", 0.75, {"RF", "RR"}),
    ("crawl", 0.125, {"LR", "RR", "RF"}),
    ("crawl", 0.375, {"LR", "LF", "RF"}),
    ("crawl", 0.625, {"LR", "LF", "RR"}),
    ("crawl", 0.875, {"LF", "RR", "RF"}),
    ("tripod", 0.25, {"L1", "R2", "L3"}),
    ("tripod", 0.75, {"R1", "L2", "R3"}),
    ("gallop", 0.05, {"LR"}),
    ("gallop", 0.20, {"LR", "RR"}),
    ("gallop", 0.46, set()),  # gathered, in the air
    ("gallop", 0.70, {"RF", "LF"}),
    ("gallop", 0.97, set()),
]


@pytest.mark.parametrize(("name", "share", "stands"), PICTURES)
def test_who_stands_is_what_the_diagram_shows(name, share, stands):
    assert standing(named_gait(name, usual_legs(name)), share) == stands


def test_the_crawl_falls_left_rear_left_front_right_rear_right_front():
    gait = named_gait("crawl", duty=0.8)
    order = [leg_names(4)[k] for k in np.argsort(gait.phases)]
    assert order == ["LR", "LF", "RR", "RF"]
    # Rounding: each phase is one product and one remainder.
    assert apart(gait.phases, [0.2, 0.7, 0.0, 0.5]).max() <= 4 * EPS


def test_tripod_and_tetrapod_are_waves():
    for name, duty in (("tripod", 0.5), ("tetrapod", 2 / 3)):
        gait = named_gait(name, legs=6)
        assert gait.duty == pytest.approx(np.full(6, duty), abs=EPS)
        wave = named_gait("wave", legs=6, duty=duty)
        assert apart(gait.phases, wave.phases).max() <= 8 * EPS  # rounding


def test_the_expanded_trot_swings_in_the_windows_of_titan_iv():
    """Front [0, 2(1-β)] T_w, the diagonal rear [(2β-1), 1] T_w, T_w = T/2."""
    beta = 0.65
    gait = named_gait("expanded-trot", duty=beta)
    swings = np.stack([gait.lift_offs, gait.lift_offs + 1.0 - beta], axis=1)
    LF, RF, LR, RR = range(4)
    expected = np.zeros((4, 2))
    expected[LF] = 0.0, 2.0 * (1.0 - beta) / 2.0
    expected[RR] = (2.0 * beta - 1.0) / 2.0, 0.5
    expected[RF], expected[LR] = expected[LF] + 0.5, expected[RR] + 0.5
    assert apart(swings, expected).max() <= 8 * EPS  # rounding
    at_half = named_gait("expanded-trot", duty=0.5)
    turned = at_half.phases - at_half.phases[0]
    assert apart(turned, named_gait("trot").phases).max() <= 4 * EPS


def test_a_wave_advances_by_one_swing_from_row_to_row():
    phases = wave_phases(10, 0.7).reshape(5, 2)
    assert apart(phases[:-1] - phases[1:], 1.0 - 0.7).max() <= 32 * EPS  # 5 rows
    assert apart(phases[:, 1] - phases[:, 0], 0.5).max() <= 32 * EPS


@pytest.mark.parametrize("name", gait_names())
def test_every_name_gives_a_gait_with_its_usual_numbers(name):
    gait = named_gait(name, usual_legs(name))
    assert gait.name == name
    assert gait.duty == pytest.approx(usual_duty(name), abs=0.0)
    assert np.all((gait.phases >= 0.0) & (gait.phases < 1.0))
    # Standing for β of the cycle, counted: statistical would be looser than the grid.
    grid = (np.arange(4800) + 0.5) / 4800
    share = gait.is_standing(grid).mean(axis=0)
    assert share == pytest.approx(gait.duty, abs=1 / 4800)  # one cell of the grid


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tripod", 4), "gait 'tripod' is not usable: it needs 6 legs, got 4."),
        (("trot", 6), "it needs 4 legs, got 6"),
        (("wave", 5), "an even number of legs, 4 to 100, got 5"),
        (("wave", 2), "an even number of legs, 4 to 100, got 2"),
        (("wave", 4.0), "legs must be a whole number, got 4.0"),
        (("crawl", 4, 0.7), "duty must be at least 0.75 and below 1, got 0.7"),
        (("trot", 4, 1.2), "duty must be above 0 and below 1, got 1.2"),
        (("trot", 4, 0.0), "duty must be above 0 and below 1, got 0.0"),
        (("trot", 4, float("nan")), "got nan"),
        (("tripod", 4, 2.0), "got 4; duty must be above 0 and below 1, got 2.0"),
    ],
)
def test_what_a_gait_cannot_be_is_one_sentence(arguments, sentence):
    with pytest.raises(ConfigError, match="is not usable") as error:
        named_gait(*arguments)
    assert sentence in str(error.value)


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(UnknownNameError, match="Did you mean 'trot'"):
        named_gait("trott")


def test_a_gait_of_ones_own_is_checked_and_kept():
    gait = PhaseGait(np.array([0.0, 1.25]), np.array([0.5, 1.0]), "mine")
    assert gait.phases.tolist() == [0.0, 0.25]
    assert gait.is_standing(0.75).tolist() == [False, True]
    with pytest.raises(ValueError, match="read-only"):
        gait.phases[0] = 0.3
    with pytest.raises(ConfigError, match=r"above 0 and at most 1, got \[0.5, 0.0\]"):
        PhaseGait(np.array([0.0, 0.5]), np.array([0.5, 0.0]))
    with pytest.raises(ConfigError, match="at least one leg"):
        PhaseGait(np.zeros(0), np.zeros(0))
    with pytest.raises(ShapeError, match="duty must have shape"):
        PhaseGait(np.zeros(4), np.full(3, 0.5))
    with pytest.raises(ShapeError, match="finite"):
        PhaseGait(np.array([0.0, np.nan]), np.array([0.5, 0.5]))


def test_landing_and_lifting_legs_both_support_at_the_switch():
    """β = 3/4: at s = 1/4 the left front leg lands as the right rear one lifts."""
    gait = named_gait("crawl", duty=0.75)
    assert gait.is_standing(0.25).sum() == 3
    assert gait.is_supporting(0.25).all()
    assert gait.is_supporting(0.25 + 1e-9).sum() == 3
    assert gait.is_supporting(-0.75).all()  # any cycle
    tenth = named_gait("crawl", duty=0.9)  # 1 - 0.9 is not 0.1 in floats
    assert tenth.is_supporting(0.1)[0] and tenth.is_supporting(0.0).all()
