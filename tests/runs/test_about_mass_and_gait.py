"""What robots are said to be, their mass, and what is asked of a gait, by hand."""

import math
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.cli import about as shown
from equipoise.cli.output import heard
from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.runs import about, mass
from equipoise.runs.gait import gait
from equipoise.runs.gait.config import GaitConfig
from equipoise.spatial.mass.mass import MassProperties

ARM = """<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>
<body name="base" pos="0.3 -0.2 0.5" euler="0.3 0.2 -0.5"><freejoint/>
 <inertial pos="0.1 0 0.05" mass="3" diaginertia="0.03 0.02 0.04" euler="0.1 0.4 0"/>
 <body name="a" pos="0.2 0.1 0" euler="0 0.7 0.2"><joint name="h" type="hinge"
  axis="0 1 0" limited="true" range="-1 2"/>
  <inertial pos="0 0.1 -0.2" mass="2" diaginertia="0.01 0.015 0.02" euler="0.5 0 0.3"/>
  <body name="b" pos="0 0 -0.3" euler="0.6 0 0"><joint name="s" type="slide"/>
   <geom size="0.1" mass="1.5"/></body></body></body>
<body name="other" pos="5 5 5"><geom size="0.2" mass="50"/></body></worldbody>
<actuator><motor joint="s" ctrllimited="true" ctrlrange="-7 8"/><motor joint="h"/>
</actuator></mujoco>"""


def arm(key=False):
    spec = mujoco.MjSpec.from_string(ARM)
    if key:
        qpos = spec.compile().qpos0.copy()
        qpos[7:] = 0.8, 0.15
        spec.add_key(name="start", qpos=qpos)
    return Robot("arm", spec, base="base")


# --- mass -------------------------------------------------------------------------


@pytest.mark.parametrize("key", [False, True])
def test_mass_properties_are_those_of_the_spread_of_its_points(key):
    """Each body is replaced by six points on its axes that have its inertia."""
    robot = arm(key)
    model = robot.model
    data = mujoco.MjData(model)
    if key:
        data.qpos[:] = model.key_qpos[0]
    mujoco.mj_kinematics(model, data)
    points, weights = [], []
    for body in range(1, 4):
        m, (x, y, z) = model.body_mass[body], model.body_inertia[body]
        spread = np.sqrt(np.array([y + z - x, x + z - y, x + y - z]) * 1.5 / m)
        turn = data.ximat[body].reshape(3, 3)
        for k in range(3):
            for sign in (1.0, -1.0):
                points.append(data.xipos[body] + sign * spread[k] * turn[:, k])
                weights.append(m / 6.0)
    p, w = np.array(points), np.array(weights)
    centre = w @ p / w.sum()
    off = p - centre
    inertia = np.einsum("n,nij->ij", w, np.einsum("n,ij->nij", (off**2).sum(1),
        np.eye(3)) - off[:, :, None] * off[:, None, :])  # fmt: skip
    for found in (mass.mass_properties(robot).whole_W, None):
        told = mass.engine_mass(robot)
        total, com, turning = (
            told if found is None else (found.mass, found.com, found.inertia)
        )
        assert total == pytest.approx(6.5, rel=1e-12)
        np.testing.assert_allclose(com, centre, atol=1e-12)
        np.testing.assert_allclose(turning, inertia, atol=1e-12)
    result = mass.mass_properties(robot, seed=4)
    assert result.verdict == "yes"
    assert (result.summary["seed"], result.summary["rounds"]) == (4, None)


@pytest.mark.parametrize("bad, verdict", [(0.9e-9, "yes"), (1.1e-9, "no")])
def test_mass_is_well_known_where_all_agree_to_rounding(bad, verdict):
    summary = {"max_error_vs_engine": bad}
    assert mass.MassResult(None, None, summary).verdict == verdict


def test_the_largest_error_is_relative_to_mass_size_and_inertia():
    inertia = np.diag([2.0, 3.0, 3.0])
    engine = (4.0, np.array([0.1, 0.2, 0.3]), inertia)  # a radius of gyration of 1 m
    good = MassProperties(4.0, engine[1], inertia)
    assert mass._largest_error([good], engine) == pytest.approx(0.0, abs=1e-14)
    heavy = MassProperties(4.4, engine[1], inertia)
    away = MassProperties(4.0, engine[1] + [0.0, -0.05, 0.01], inertia)
    turned = MassProperties(4.0, engine[1], inertia + np.diag([0.0, 0.06, -0.03]))
    for worst, wrong in ((0.1, heavy), (0.05, away), (0.02, turned)):
        found = mass._largest_error([good, wrong, good], engine)
        assert found == pytest.approx(worst, rel=1e-9)
    assert mass._largest_error([heavy, away], engine) == pytest.approx(0.1)


# --- about ------------------------------------------------------------------------


def test_limits_are_those_of_driven_joints_in_their_order():
    drives = (SimpleNamespace(speed=3.0), SimpleNamespace(speed=4.0))
    robot = SimpleNamespace(model=arm().model, drives=drives)
    first, second = about._limits_of(robot)
    assert first == {
        "joint": "s", "kind": "slide", "lower": None, "upper": None, "effort": 8.0,
        "speed": 3.0,
    }  # fmt: skip
    assert second == {
        "joint": "h", "kind": "hinge", "lower": -1.0, "upper": 2.0, "effort": None,
        "speed": 4.0,
    }  # fmt: skip
    robot.drives = ()
    assert [row["speed"] for row in about._limits_of(robot)] == [None, None]


def test_legs_are_counted_with_their_joints():
    robot = SimpleNamespace(legs=("fl_leg", "a_b_leg"), model=SimpleNamespace(nu=6))
    assert about._legs_of(robot) == {
        "count": 2, "names": ["fl", "a_b"], "joints_each": 3,
    }  # fmt: skip
    robot.legs = ()
    assert about._legs_of(robot) == {"count": 0, "names": [], "joints_each": 0}


def test_what_cannot_be_told_or_saved_is_refused(tmp_path):
    for name in ("my.urdf", "MY.URDF", "a/b.xml"):
        with pytest.raises(BadFileError, match="is a file"):
            about.about(name)
    for call in (about.about, lambda n: about.save_robot(n, tmp_path / "a.urdf")):
        with pytest.raises(UnknownNameError):
            call("warpp1")
    for ending in (".txt", "", ".yaml"):
        with pytest.raises(BadFileError, match=r"ends in .urdf or .xml"):
            about.save_robot("warp1", tmp_path / f"a{ending}")


SAID = {
    "robot": "dog", "what": "a dog", "mass_kg": 12.3456, "size_m": [1.0, 0.5, 0.255],
    "legs": {"count": 4, "joints_each": 3}, "simplified": ["no tail"],
    "sensors": [{"name": "imu", "what": "turn", "source": "file", "where": "x.pdf"}],
    "numbers": [{"what": "mass", "value": [1.0, [2.0, 3.25]], "unit": "kg",
                 "source": "paper", "where": "p. 3"}],
    "controllers": [{"name": "c", "what": "walks", "is_own": True},
                    {"name": "d", "what": "runs", "is_own": False}],
    "options": [], "limits": [],
}  # fmt: skip


def joint(name, kind="hinge", lower=-1.0, upper=2.0, effort=40.0, speed=7.0):
    return {"joint": name, "kind": kind, "lower": lower, "upper": upper,
            "effort": effort, "speed": speed}  # fmt: skip


def test_a_robot_in_tables():
    rows = [
        joint("a"), joint("b", speed=8.0), joint("c"), joint("d"),
        joint("e", "slide", None, None, None, None), joint("f", "slide"),
    ]  # fmt: skip
    first, line, limits, sensors, numbers, controllers, last = heard(
        shown._print_robot, {**SAID, "limits": rows}
    )
    assert first == "dog: a dog"
    assert line.startswith("12.35 kg, 1.00 x 0.50 x 0.2")
    assert line.endswith(" m in its stand, 4 legs of 3 joints")
    assert limits.rows == [
        ("a and 2 more", "-1 to 2 rad", "40 N m", "7 rad/s"),
        ("b", "-1 to 2 rad", "40 N m", "8 rad/s"),
        ("e", "-", "-", "-"),
        ("f", "-1 to 2 m", "40 N", "7 m/s"),
    ]
    assert sensors.rows == [("imu", "turn", "file: x.pdf")]
    assert numbers.rows == [("mass", "1; 2, 3.25", "kg", "paper: p. 3")]
    assert controllers.rows == [("c (its own)", "walks"), ("d", "runs")]
    assert last == "simplified: no tail"
    option = {"name": "size", "default": "1", "what": "Its size."}
    bare = {**SAID, "legs": {"count": 0}, "sensors": [], "options": [option]}
    _, line, _, _, _, options, _ = heard(shown._print_robot, bare)
    assert line.endswith("in its stand")
    assert options.rows == [("--size", "1", "Its size.")]


# --- gaits ------------------------------------------------------------------------


def config(name="crawl", **settings):
    return GaitConfig(name=name, **settings)


def test_legs_and_duty_are_as_given_or_the_gait_s_own(monkeypatch):
    monkeypatch.setattr(gait, "GENERATED", {"creep": (4, 0.9)})
    assert gait._usual(config("creep")) == (4, 0.9)
    assert gait._usual(config("creep", legs=6, duty=0.95)) == (6, 0.95)
    legs, duty = gait._usual(config("crawl"))
    assert (legs, duty) == (gait.usual_legs("crawl"), None)
    assert gait._usual(config("crawl", legs=8, duty=0.8)) == (8, 0.8)


def test_a_trunk_that_stops_moves_while_all_feet_stand():
    """Four feet swing one after the other, each for 1 - duty of the cycle."""
    assert gait._shift_of(0.75) == pytest.approx(0.0)
    assert gait._shift_of(0.9) == pytest.approx(0.6)
    with pytest.raises(ConfigError, match=r"duty must be above 0\.75"):
        gait._gait_of(config("discontinuous"), 4, 0.75)
    assert gait._gait_of(config("discontinuous"), 4, 0.76).duty[0] == pytest.approx(
        0.76
    )


@pytest.mark.parametrize(
    "settings, stride, turn",
    [
        ({}, 0.2 / 0.8, 0.0),
        ({"stroke": 0.1}, 0.1 / 0.8, 0.0),
        ({"name": "turning"}, 0.0, 10.0),
        ({"name": "turning", "turn_deg": -5.0}, 0.0, -5.0),
        ({"name": "turning", "turn_deg": 0.0}, 0.2 / 0.8, 0.0),
        ({"name": "turning", "stroke": 0.1}, 0.1 / 0.8, 10.0),
        ({"turn_deg": 3.0}, 0.2 / 0.8, 3.0),
        ({"name": "discontinuous"}, 0.2, 0.0),
    ],
)
def test_a_cycle_goes_a_stroke_over_the_duty_factor(
    monkeypatch, settings, stride, turn
):
    monkeypatch.setattr(gait, "turning_stride", lambda centre, turn: 0.0 * centre)
    footprint = SimpleNamespace(centre=np.zeros(2))
    angle = math.radians(30.0)
    asked = config(**{"angle_deg": 30.0, **settings})
    found, turned = gait._stride_of(asked, 0.8, footprint)
    way = stride * np.array([math.cos(angle), math.sin(angle)])
    np.testing.assert_allclose(found, way, atol=1e-15)
    assert math.degrees(turned) == pytest.approx(turn)


def test_it_turns_about_its_centre_of_mass(monkeypatch):
    seen = []

    def about_centre(centre, turn):
        seen.append((centre.tolist(), turn))
        return np.array([0.01, -0.02])

    monkeypatch.setattr(gait, "turning_stride", about_centre)
    footprint = SimpleNamespace(centre=np.array([0.1, 0.2]))
    found, _ = gait._stride_of(config("turning"), 0.8, footprint)
    np.testing.assert_allclose(found, [0.01, -0.02])
    assert seen == [([0.1, 0.2], math.radians(10.0))]


def test_a_wanted_speed_is_one_that_joints_allow():
    limit = SimpleNamespace(cycle=2.0, stroke=0.2)
    best = SimpleNamespace(speed=0.4, stroke=0.3)
    assert gait._wanted_cycle(config(), 0.5, limit, best) == 2.0
    assert gait._wanted_cycle(config(speed=0.125), 0.5, limit, best) == 4.0
    assert gait._wanted_cycle(config(speed=0.25), 0.5, limit, best) == 2.0
    with pytest.raises(ConfigError, match=r"at most 0.250 m/s with strokes of 0.20 m, "
                       r"0.400 with 0.30 m, got 0.2501"):  # fmt: skip
        gait._wanted_cycle(config(speed=0.2501), 0.5, limit, best)
    with pytest.raises(ConfigError, match=r"strokes of 0.20 m, got 0.3"):
        gait._wanted_cycle(config(speed=0.3, turn_deg=3.0), 0.5, limit, best)
    with pytest.raises(ConfigError, match="turns on the spot"):
        gait._wanted_cycle(config(speed=0.3), 1e-9, limit, best)
