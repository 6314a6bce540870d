"""Parts of a stand by themselves: settings, the throw, the end, the limits' search."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs import limits, torque_numbers
from equipoise.runs.limits import first_failure
from equipoise.runs.limits_config import LimitsConfig
from equipoise.runs.limits_result import has_limits
from equipoise.runs.stand import throw
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.own_robot import mass_of, scale_of, usual_block
from equipoise.runs.stand.result import BaseAtEnd
from equipoise.runs.stand.staged import expect_law
from equipoise.runs.stand.throw import thrown_block
from equipoise.sim.disturbances import Push

# --- settings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"block_mass": 0.0}, ""),
        ({"block_mass": 1000.0}, ""),
        ({"block_mass": 1e-6}, ""),
        ({"block_mass": 9e-7}, "block-mass must be 0 or at least 1e-06 kg, got 9e-07"),
        ({"block_mass": 1000.1}, "block-mass must be 0 to 1000"),
        ({"block_mass": -0.1}, "block-mass must be 0 to 1000"),
        ({"block_mass": math.nan}, "block-mass must be 0 to 1000"),
        ({"block_speed": 50.0}, ""),
        ({"block_speed": 50.1}, "block-speed must be 0 to 50"),
        ({"block_speed": -1.0}, "block-speed must be 0 to 50"),
        ({"friction": 0.0}, "friction must be > 0, got 0.0"),
        ({"friction": math.inf}, "friction must be > 0"),
        ({"friction": 1e-9}, ""),
        ({"seconds": 0.002}, ""),
        ({"seconds": 600.0}, ""),
        ({"seconds": 600.1}, "seconds must be 0.002 to 600"),
        ({"seconds": 0.0019}, "seconds must be 0.002 to 600"),
        ({"timestep": 0.002}, ""),
        ({"timestep": 1e-5}, ""),
        ({"timestep": 0.0021}, "timestep must be "),
        ({"timestep": 9e-6}, "timestep must be "),
        ({"push": (0, 20, 0)}, "push must be as equipoise.sim"),
        ({"push": Push(impulse=(0, 20, 0), start=1.0)}, ""),
        ({"seed": -1}, "seed must be >= 0"),
        ({"seed": 2**63}, "seed must be >= 0 and below 2^63"),
        ({"seed": 2**63 - 1}, ""),
        ({"delay_ms": "late"}, "delay-ms must be "),
        ({"delay_ms": 4.0}, ""),
    ],
)
def test_settings_of_a_stand(settings, said):
    if not said:
        StandConfig(**settings)
        return
    with pytest.raises(ConfigError) as caught:
        StandConfig(**settings)
    (problem,) = caught.value.problems
    assert problem.startswith(said)


@pytest.mark.parametrize("settings", [{"timestep": 0.0003}, {"delay_ms": 3.0}])
def test_steps_and_delays_are_whole_periods(settings):
    with pytest.raises(ConfigError):
        StandConfig(**settings)


def test_laws_are_of_robots_on_feet():
    expect_law(StandConfig().controller)
    with pytest.raises(ConfigError, match="it steers robots made of modules"):
        expect_law("transpose")
    with pytest.raises(UnknownNameError, match="the biped has no controller 'none'"):
        expect_law("none")


# --- the end ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, fine, bad",
    [
        ("distance", 0.05, 0.0501),
        ("angle", math.radians(5.0), math.radians(5.01)),
        ("speed", 0.05, 0.0501),
        ("spin", 0.1, 0.101),
        ("fell", False, True),
    ],
)
def test_who_is_at_rest_near_its_aim_survived(name, fine, bad):
    still = {"fell": False, "distance": 0.0, "angle": 0.0, "speed": 0.0, "spin": 0.0}
    assert BaseAtEnd(**still | {name: fine}, steps=0).survived
    assert not BaseAtEnd(**still | {name: bad}, steps=0).survived
    assert not BaseAtEnd(**still | {"distance": math.nan}, steps=0).survived


# --- the throw --------------------------------------------------------------------

TEXT = """<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/>
<geom type="box" size=".1 .2 .3" pos=".05 0 {z}" mass="60"/>
<body pos="0 0 -1"><joint/><geom size=".01" pos="-.3 0 0" mass="10"/></body></body>
</worldbody></mujoco>"""


def stander(monkeypatch, source="a.urdf", z=0.0, height=1.14) -> Any:
    """Return a trunk whose front is at x = 0.15 m, its middle at 1 m."""
    spec = mujoco.MjSpec.from_string(TEXT.format(z=z))
    model = spec.compile()
    place = np.array([0.0, 0.0, height]), np.array([1.0, 0, 0, 0])
    monkeypatch.setattr(throw, "set_place", lambda robot: place)
    monkeypatch.setattr(throw, "keyframe_posture", lambda robot: np.array(model.qpos0))
    return SimpleNamespace(
        name="stander", source=source, spec=spec, model=model, base="base"
    )


@pytest.mark.parametrize("height", [1.14, 0.57])
def test_a_throw_fits_the_robot_s_height(monkeypatch, height):
    block = thrown_block(stander(monkeypatch, "", height=height), 1.8, 4.5)
    share = height / 1.14
    assert block.mass == 1.8
    assert block.velocity == (-4.5, 0.0, 0.2)
    np.testing.assert_allclose(block.position, (0.5, 0.10 * share, 1.20 * share))


@pytest.mark.parametrize(
    "z, side, up",
    [
        (0.0, 0.10, 1.20),  # from 0.7 to 1.3 m high: the usual throw hits
        (0.3, 0.10, 1.20),
        (-0.2, 0.10, 1.20 - 4 * 0.025 * 1.14),  # its top is at 1.1 m
        (0.6, 0.10, 1.20 + 4 * 0.025 * 1.14),  # it begins at 1.3 m
    ],
)
def test_a_file_s_robot_is_aimed_at(monkeypatch, z, side, up):
    block = thrown_block(stander(monkeypatch, z=z), 1.8, 4.5)
    np.testing.assert_allclose(block.position, (0.15 + 0.4, side, up), rtol=1e-9)


def test_a_block_that_would_fly_past_is_refused(monkeypatch):
    with pytest.raises(ConfigError, match="fly past it at any height"):
        thrown_block(stander(monkeypatch, z=5.0), 1.8, 4.5)


def test_a_block_is_a_share_of_a_file_s_robot(monkeypatch):
    file, built = stander(monkeypatch), stander(monkeypatch, "")
    assert mass_of(file) == pytest.approx(70.0)
    assert (usual_block(file), usual_block(built)) == (2.1, 1.8)
    from equipoise.runs.stand import own_robot

    monkeypatch.setattr(own_robot, "set_place", throw.set_place)
    scale = scale_of(file, 3.5)
    assert scale == {
        "mass_kg": pytest.approx(70.0), "height_m": 1.14,
        "block_share": pytest.approx(0.05),
    }  # fmt: skip


# --- limits -----------------------------------------------------------------------


def test_the_first_value_that_fails_is_narrowed_down():
    asked = []

    def survives(x):
        asked.append(x)
        return x <= 7.3

    found = first_failure(survives, 1.0, 1.5, 100.0, 0.01)
    assert 7.3 * 0.99 <= found <= 7.3
    assert asked[:6] == [1.0, 1.5, 2.25, 3.375, 5.0625, pytest.approx(7.59375)]
    assert all(5.0625 < x < 7.59375 for x in asked[6:])
    assert first_failure(lambda x: True, 1.0, 1.5, 100.0) == 100.0
    assert first_failure(lambda x: x < 0.5, 1.0, 1.5, 100.0, 0.1) == pytest.approx(
        0.5, rel=0.1
    )
    assert first_failure(lambda x: False, 1.0, 1.5, 100.0) == 0.0
    rough = [0]
    first_failure(lambda x: rough.append(x) or x <= 7.3, 1.0, 1.5, 100.0, 0.1)
    assert len(rough) < len(asked)


@pytest.mark.parametrize(
    "pushes, impulse, count",
    [
        (0, None, 0), (100_000, None, 0), (100_001, None, 1), (-1, None, 1),
        (1.5, None, 1), (1, 100.0, 0), (1, 100.1, 1), (1, 0.0, 1), (1, "x", 1),
        (-1, -1.0, 2),
    ],
)  # fmt: skip
def test_random_pushes_are_in_number_and_size(pushes, impulse, count):
    if not count:
        assert LimitsConfig(pushes=pushes, impulse=impulse).random_pushes == pushes
        return
    with pytest.raises(ConfigError) as caught:
        LimitsConfig(pushes=pushes, impulse=impulse)
    assert len(caught.value.problems) == count


def test_a_limit_s_run_is_calm_but_for_its_push():
    config = LimitsConfig(friction=0.5, delay_ms=2.0, timestep=0.001, seed=4)
    calm = config.calm()
    assert (calm.block_mass, calm.block_speed, calm.push) == (0.0, 4.5, None)
    assert (calm.friction, calm.delay_ms, calm.timestep) == (0.5, 2.0, 0.001)
    assert (calm.seconds, calm.seed) == (4.0, 4)
    assert config.random_pushes == 200
    assert LimitsConfig(quick=True).random_pushes == 20
    assert LimitsConfig(quick=True, pushes=0).random_pushes == 0
    with pytest.raises(ConfigError) as caught:
        LimitsConfig(friction=0.0, pushes=-1)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("heading", [None, 90.0, 225.0])
def test_each_search_is_of_blocks_or_of_pushes_one_way(monkeypatch, quick, heading):
    asked = []

    def stands(config):
        asked.append(config)
        size = (
            config.block_mass if heading is None else math.hypot(*config.push.impulse)
        )
        return size <= 20.0

    monkeypatch.setattr(limits, "stands", stands)
    search = limits.LimitSearch(LimitsConfig().calm(), heading, 2.0, quick)
    (found,) = limits.worked(search)
    assert found == pytest.approx(20.0, rel=0.1 if quick else 0.01) and found <= 20.0
    first, second = asked[:2]
    if heading is None:
        ratio = second.block_mass / first.block_mass
        assert (first.block_mass, first.push) == (1.0, None)
        assert ratio == pytest.approx(1.3 if quick else 1.1)
        return
    sizes = [math.hypot(*one.push.impulse) for one in (first, second)]
    assert sizes == pytest.approx([2.0, 2.8 if quick else 2.3])
    x, y, z = first.push.impulse
    assert math.degrees(math.atan2(y, x)) % 360.0 == pytest.approx(heading)
    assert (z, first.push.start, first.push.duration) == (0.0, 1.0, 0.1)


def test_some_directions_may_be_known():
    assert has_limits({"impulse_ns": [None, 0.0]})
    assert not has_limits({"impulse_ns": [None, None]})


# --- torques ----------------------------------------------------------------------


def test_the_most_loaded_joint_counts():
    tau = np.zeros((1000, 2))
    tau[:, 0], tau[:20, 1], tau[500] = -2.0, 30.0, math.nan
    share = torque_numbers.torque_p99_share
    assert share(tau, np.array([10.0, 20.0])) == 1.0  # twenty of a thousand
    assert share(tau, np.array([10.0, math.inf])) == pytest.approx(0.2)
    assert share(tau, np.array([math.inf, math.inf])) is None
    assert share(np.full((3, 2), math.nan), np.ones(2)) is None
    few = tau.copy()
    few[5:, 1] = 0.0
    assert share(few, np.array([10.0, 20.0])) == pytest.approx(0.2)


def test_torques_chatter_above_fifty_hertz():
    time = 0.002 * np.arange(1000)
    slow = np.sin(2 * np.pi * 20.0 * time)[:, None]
    quick = np.sin(2 * np.pi * 80.0 * time)[:, None]
    chatter = torque_numbers.torque_chatter_share
    assert chatter(5.0 + 2.0 * slow + quick, 0.002) == pytest.approx(0.2)
    gap = np.vstack([5.0 + slow, [[math.nan]]])
    assert chatter(gap, 0.002) == pytest.approx(0.0, abs=1e-20)
    assert chatter(np.ones((10, 1)), 0.002) == 0.0
    assert chatter(np.ones((1, 1)), 0.002) is None
    assert chatter(np.ones((10, 1)), 0.01) is None
    assert chatter(np.ones((10, 1)), 0.0099) == 0.0
