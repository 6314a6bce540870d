"""Legs of slow, heavy drives are WARP1's at another machine's size."""

import pytest

from equipoise.control.controllers import titan3, titan6
from equipoise.control.recipe import AskedWalk
from equipoise.control.walker import STIFF, WARP1


@pytest.mark.parametrize("made", [titan3, titan6])
def test_springs_of_geared_legs_are_warp1s_by_dynamic_similarity(made):
    """Stiffness goes with m/h and damping with m/sqrt(h); two digits are kept."""
    m, h = made.SIZE.mass / WARP1.mass, made.SIZE.height / WARP1.height
    legs = made.GEARED_LEGS
    assert legs.stiffness == pytest.approx(
        [m / h * k for k in STIFF.stiffness], rel=0.02
    )
    assert legs.damping == pytest.approx(
        [m / h**0.5 * d for d in STIFF.damping], rel=0.02
    )
    assert legs.inertia_share == STIFF.inertia_share == 0.5  # a share has no unit


@pytest.mark.parametrize(
    ("recipe", "light"),
    [
        (titan3.Titan3Recipe(), titan3.STIFF_LEGS),
        (titan6.Titan6Recipe(), titan6.LIGHT_LEGS),
    ],
)
def test_legs_that_can_be_told_forces_get_stiff_light_springs(recipe, light):
    config = recipe.config(AskedWalk())
    assert config.law == light
    assert light.inertia_share == 1.0  # all of what they weigh is fed forward
    geared = recipe.config(AskedWalk(is_backdrivable=False))
    assert geared.law.inertia_share == 0.5
    assert max(geared.law.stiffness[:2]) < min(light.stiffness)
