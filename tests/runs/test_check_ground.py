"""Will it stand on slopes and steps, and with weak joints: closed forms, MuJoCo."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.check.uncertain import Tolerances

G = mujoco.mjtGeom
REACH, HEIGHT, BALL = 0.3, 0.4, 0.02
CORNERS = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * REACH


def table(com=(0.0, 0.0), tops=None, *, lift=0.0):
    """Return a rigid table on four balls, on blocks (height, lean, way) if given."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0
    body = spec.worldbody.add_body(name="top", pos=[0, 0, HEIGHT + lift])
    body.add_freejoint()
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = 5.0, [*com, 0.0], [0.3, 0.3, 0.3]
    rough = [0.6, 0.005, 0.0001]
    for k, (x, y) in enumerate(CORNERS):
        height, lean, way = (0.0, 0.0, 0.0) if tops is None else tops[k]
        foot = body.add_geom(name=f"foot{k}", type=G.mjGEOM_SPHERE, friction=rough)
        foot.size, foot.pos = [BALL, 0, 0], [x, y, height + BALL - HEIGHT]
        if tops is not None:
            aside, quat = np.array([math.cos(way), math.sin(way), 0.0]), np.zeros(4)
            mujoco.mju_axisAngle2Quat(quat, np.cross([0, 0, 1], aside), lean)
            normal = math.sin(lean) * aside + [0, 0, math.cos(lean)]
            block = spec.worldbody.add_geom(type=G.mjGEOM_BOX, friction=rough)
            block.size, block.quat = [0.1, 0.1, 0.05], quat
            block.pos = np.array([x, y, height + BALL]) - normal * (BALL + 0.05)
    feet = tuple(f"foot{k}" for k in range(4))
    return Robot("table", spec, base="top", feet=feet)


def ends_standing(robot, seconds=2.0):
    """Let it go in MuJoCo and say whether its top is still where it was."""
    data = mujoco.MjData(robot.model)
    start = data.qpos[:3].copy()
    while data.time < seconds:
        mujoco.mj_step(robot.model, data)
    return float(np.linalg.norm(data.qpos[:3] - start)) < 0.02


@pytest.mark.parametrize("heading", [0.0, 37.0, 90.0])
@pytest.mark.parametrize(("share", "stands"), [(0.99, "yes"), (1.01, "no")])
def test_a_slope_tips_it_where_its_centre_passes_the_lower_feet(heading, share, stands):
    """The edge towards a heading is REACH / cos of the angle to the nearest axis."""
    turned = math.radians(heading)
    reach = REACH / max(abs(math.cos(turned)), abs(math.sin(turned)))
    angle = share * math.degrees(math.atan(reach / HEIGHT))
    result = eq.check(table(), slope_deg=angle, heading_deg=heading, friction=2.0)
    assert result.stands == stands
    s = result.summary
    way = np.array([math.cos(turned), math.sin(turned)])
    sine = math.sin(math.radians(angle))
    np.testing.assert_allclose(s["com"][:2], HEIGHT * sine * way, atol=1e-12)
    normal = [*(sine * way), math.cos(math.radians(angle))]
    for contact in s["contacts"]:
        np.testing.assert_allclose(contact["normal"], normal, atol=1e-12)
    area = 4 * REACH**2 * math.cos(math.radians(angle))
    assert s["region_area_m2"] == pytest.approx(area, rel=1e-3)
    # the solver's tolerance of the region
    assert s["region_margin_m"] == pytest.approx(s["static_margin_m"], abs=1e-6)


@pytest.mark.parametrize(("friction", "stands"), [(0.37, "yes"), (0.36, "no")])
def test_a_slope_steeper_than_friction_lets_it_slip(friction, stands):
    result = eq.check(table(), slope_deg=20.0, friction=friction)  # tan 20° = 0.364
    assert result.stands == stands
    if stands == "no":
        assert "no forces within friction" in result.summary["reasons"][0]
        assert result.summary["static_margin_m"] > 0.1


def test_uneven_blocks_agree_with_mujoco():
    rng = np.random.default_rng(8)
    tally = {"yes": 0, "no": 0}
    for _ in range(24):
        tops = np.c_[
            rng.uniform(0.0, 0.2, 4), rng.uniform(0.0, 0.4, 4), rng.uniform(0, 7, 4)
        ]
        com = rng.uniform(-0.45, 0.45, 2)
        robot = table(com, tops)
        result = eq.check(robot, friction=0.6, settle=False)
        assert len(result.summary["contacts"]) == 4
        assert result.summary["static_margin_m"] is None
        if result.stands != "unknown" and abs(result.summary["region_margin_m"]) > 0.02:
            assert eq.check(robot, friction=0.6).stands == result.stands
        if result.stands != "unknown" and abs(result.summary["region_margin_m"]) > 0.02:
            assert ends_standing(robot) is (result.stands == "yes"), (com, tops)
            tally[result.stands] += 1
    assert min(tally.values()) > 4


def test_steps_are_judged_by_the_region_of_friction():
    tops = [(0.0, 0.0, 0.0), (0.15, 0.0, 0.0), (0.15, 0.0, 0.0), (0.0, 0.0, 0.0)]
    result = eq.check(table(tops=tops))
    s = result.summary
    assert result.stands == "yes"
    assert s["static_margin_m"] is None
    assert "not in one plane" in s["reasons"][1]
    # braced, feet 0.6 m apart and 0.15 m in height reach (l + μ H) / 2 < l
    assert s["region_margin_m"] == pytest.approx(REACH, abs=1e-6)
    heights = sorted(c["position"][2] for c in s["contacts"])
    # the ball's lowest point, to the engine's rounding
    np.testing.assert_allclose(heights, [0.0, 0.0, 0.15, 0.15], atol=1e-9)


def test_feet_that_only_brace_are_not_known():
    lean = 0.9  # steeper than friction, all towards the middle: a funnel
    ways = [math.atan2(-y, -x) for x, y in CORNERS]
    robot = table(tops=[(0.0, lean, way) for way in ways])
    for friction in (0.6, 1.0):
        result = eq.check(robot, friction=friction, settle=False)
        assert result.stands == "unknown"
        assert "brace against each other" in result.summary["reasons"][0]


def test_forces_that_could_hold_it_need_not_come_about():
    """Steep blocks: 4.7 cm inside the region of friction, and it slips in MuJoCo.

    One of 128 random stances whose feet must brace did so; none may be a "yes".
    """
    tops = [
        (0.07, 0.70, 6.02),
        (0.07, 0.52, 5.99),
        (0.15, 0.64, 1.98),
        (0.01, 0.69, 3.89),
    ]
    robot = table((0.02, 0.16), tops)
    result = eq.check(robot, friction=0.6, settle=False)
    assert result.summary["region_margin_m"] > 0.04
    assert not ends_standing(robot)
    assert result.stands == "unknown"
    assert eq.check(robot, friction=0.6).stands != "yes"


def test_above_blocks_it_is_in_the_air_and_within_them_not_known():
    tops = [(0.0, 0.1, 0.0)] * 4
    air = eq.check(table(tops=tops, lift=0.05), settle=False)
    assert (air.stands, air.summary["contacts"]) == ("no", [])
    assert "in the air" in air.summary["reasons"][0]
    down = eq.check(table(tops=tops, lift=0.05))
    assert (down.stands, len(down.summary["contacts"])) == ("yes", 4)
    # contacts give way by micrometres; the ball's lowest point is 0.1 mm lower aside
    assert down.summary["settled_m"] == pytest.approx(0.05, abs=2e-4)
    deep = eq.check(table(tops=tops, lift=-0.03))
    assert deep.stands == "unknown"
    assert "deep in the ground" in deep.summary["reasons"][0]


def test_springs_are_not_judged_on_slopes():
    result = eq.check(table(), slope_deg=5.0, ground_stiffness=1e6)
    assert (result.stands, result.summary["compliance"]) == ("unknown", None)
    assert "level ground only" in result.summary["reasons"][-1]


def test_weak_knees_take_a_yes_away():
    """At the largest knee torque of one foot's share it stands, below it does not."""
    robot = eq.load("warp1")
    strong = eq.check(robot, torque_limits=200.0)
    free = eq.check(robot)
    assert strong.stands == free.stands == "yes"
    weak = eq.check(robot, torque_limits=5.0)
    assert weak.stands == "no"
    assert "torques" in weak.summary["reasons"][0]
    margins = [
        eq.check(robot, torque_limits=limit).summary["region_margin_m"] or -1.0
        for limit in (5.0, 30.0, 60.0, 200.0)
    ]
    assert margins == sorted(margins)
    assert margins[-2] < free.summary["region_margin_m"]


def test_torques_on_a_slope_are_those_of_the_tilted_robot():
    """Turning gravity instead of robot and ground gives the same margins."""
    robot = eq.load("warp1")
    tilted = eq.check(robot, slope_deg=12.0, heading_deg=180.0, torque_limits=40.0)
    quat, pose = np.zeros(4), np.array(robot.model.key("start").qpos)
    mujoco.mju_axisAngle2Quat(quat, np.array([0.0, -1.0, 0.0]), math.radians(12.0))
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quat)
    pose[:3], pose[3:7] = R.reshape(3, 3) @ pose[:3], quat
    spec = robot.spec.copy()
    for key in list(spec.keys):
        spec.delete(key)
    spec.worldbody.add_geom(type=G.mjGEOM_PLANE, size=[0, 0, 1], quat=quat)
    same = Robot("warp1", spec, base="trunk", feet=robot.feet)
    own = eq.check(same, qpos=pose, torque_limits=40.0)
    for key in ("static_margin_m", "region_margin_m", "energy_margin_j"):
        # contacts lie half a rounding of the engine's distance apart
        assert own.summary[key] == pytest.approx(tilted.summary[key], abs=1e-6)
    assert own.summary["region_margin_m"] < own.summary["static_margin_m"] - 1e-3


def test_bad_input_gets_a_sentence():
    with pytest.raises(ConfigError, match=r"slope must be 0 to below 90 .* got 90"):
        eq.check(table(), slope_deg=90)
    with pytest.raises(ConfigError, match="without ground of their own"):
        eq.check(table(tops=[(0.0, 0.1, 0.0)] * 4), slope_deg=1.0)
    with pytest.raises(ConfigError, match=r"torque-limits must be > 0, got -3.0"):
        eq.check(eq.load("warp1"), torque_limits=-3.0)
    with pytest.raises(ConfigError, match="the robot has no torque limits"):
        eq.check(eq.load("biped"), torque_limits=True)


def test_tolerances_count_only_feet_that_carry_alone():
    # one block is too steep: the three level ones carry a centre in their triangle
    tops = [(0.0, 0.9, math.atan2(-1, -1)), *[(0.0, 0.0, 0.0)] * 3]
    robot = table((-0.1, -0.1), tops)
    assert eq.check(robot).stands == "yes"
    near = eq.check(robot, tolerances=Tolerances(com=0.05))
    assert near.stands == "yes"
    far = eq.check(robot, tolerances=Tolerances(com=0.15))
    assert far.stands != "yes"
    # some robot within 0.11 m is over the triangle's edge, yet inside the region
    some = eq.check(robot, tolerances=Tolerances(com=0.11))
    assert some.summary["intervals"]["region_margin_m"][0] > 0.0
    assert some.stands == "unknown"
    assert "carry alone" in some.summary["reasons"][0]
