"""A trunk that hangs from the sky: against its spring and damper by hand."""

import numpy as np
import pytest

from equipoise.control.balance.posture import PostureBalance, PostureBalanceConfig
from equipoise.control.balance.skyhook import SkyhookBalance, SkyhookConfig
from equipoise.core.errors import ConfigError
from oracles.walking_parts import estimate, machine, reference, rotation, stance

WEIGHT = 9.81 * machine().mass
AT_ONCE = PostureBalanceConfig(take_on=0.0)


def loads(config, known, found=None, trunk=None):
    """Return what feet press with along gravity, (4,) [N], and their forces in B."""
    part = SkyhookBalance(config)
    answer, _ = part.step(
        known, found or stance(), trunk or reference(), part.init(machine())
    )
    return -answer.force @ rotation(0.02, -0.03, 0.0)[2], answer.force


def pose(height=0.5, rate=0.0):
    """Return an estimate of a trunk at some height, slightly tilted."""
    known = estimate(p_WB=(0, 0, height), tilt=(0.02, -0.03, 0.0), v_WB=(0, 0, rate))
    return known


@pytest.mark.parametrize("height, rate", [(0.5, 0.0), (0.48, 0.0), (0.51, -0.1)])
def test_feet_carry_the_weight_and_what_spring_and_damper_add(height, rate):
    config = SkyhookConfig(posture=AT_ONCE, stiffness=3000.0, damping=400.0)
    known = pose(height, rate)
    level = reference(tilt=(0.02, -0.03, 0.0))
    found, _ = loads(config, known, trunk=level)
    expected = WEIGHT + 3000.0 * (0.5 - height) - 400.0 * rate
    # solver: the slack of the sharing, as in ``posture``
    assert found.sum() == pytest.approx(expected, rel=1e-6)


def test_without_spring_and_damper_it_is_posture():
    config = SkyhookConfig(posture=AT_ONCE, stiffness=0.0, damping=0.0, least=0.0)
    known = pose(0.47, 0.2)
    _, force = loads(config, known)
    part = PostureBalance(AT_ONCE)
    other, _ = part.step(known, stance(), reference(), part.init(machine()))
    assert np.allclose(force, other.force, rtol=0, atol=1e-12 * WEIGHT)  # rounding


def test_loads_stay_between_the_least_and_the_largest():
    config = SkyhookConfig(posture=AT_ONCE, least=0.05, largest=0.3)
    down, _ = loads(config, pose(0.2))
    assert down == pytest.approx(0.3 * WEIGHT, rel=1e-12)  # rounding
    lifted, _ = loads(config, pose(0.2), stance((1, 1, 1, 0)))
    assert lifted[3] == 0.0
    # legs 1 and 2 are across from each other: nothing is left for leg 0
    assert lifted[0] == pytest.approx(0.05 * WEIGHT, rel=1e-12)
    up, _ = loads(config, pose(0.9))
    assert up == pytest.approx(0.05 * WEIGHT, rel=1e-12)
    with pytest.raises(ConfigError, match="least"):
        SkyhookConfig(least=2.0)
