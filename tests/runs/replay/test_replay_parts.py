"""What is drawn and said of a recorded run, by small runs written in the test."""

import json
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import BadFileError
from equipoise.runs.replay import plots
from equipoise.runs.replay.motion import (
    Motion,
    ground_model,
    main_tree,
    motion_at,
    motion_of,
)
from equipoise.runs.replay.outcome import json_attribute, outcome_of, push_marks
from equipoise.runs.replay.recorded import unbroken
from equipoise.viz.replay.marks import ReplayMarks

SCENE = """<mujoco><worldbody>
<geom name="floor" type="plane" size="0 0 1"/>
<geom name="lamp" size="0.1" pos="0 0 9" contype="0" conaffinity="0"/>
<body name="ball" pos="3 0 1"><freejoint/><geom size="0.1" mass="1"/></body>
<body name="box" pos="0 0 0.1"><freejoint/>
  <geom name="box" type="box" size="0.2 0.3 0.1" mass="4" contype="4" conaffinity="2"/>
  <geom name="skin" size="0.5" contype="0" conaffinity="0" mass="0"/>
  <body name="arm" pos="0 0 0.3"><joint name="hinge" type="hinge" axis="0 1 0"/>
    <geom size="0.05" mass="1" pos="0.1 0 0"/>
    <body name="tip"><joint type="slide"/><geom size="0.02" mass="0.5"/></body></body>
</body></worldbody><keyframe><key name="start"/></keyframe></mujoco>"""


def scene():
    return mujoco.MjSpec.from_string(SCENE)


# --- robot and ground -------------------------------------------------------------


def test_the_heaviest_tree_is_the_robot():
    assert main_tree(scene()).name == "box"
    heavy = SCENE.replace('size="0.1" mass="1"', 'size="0.1" mass="50"')
    assert main_tree(mujoco.MjSpec.from_string(heavy)).name == "ball"
    empty = mujoco.MjSpec.from_string("<mujoco/>")
    with pytest.raises(BadFileError, match="here has no robot"):
        main_tree(empty, "here")


def test_only_robot_and_ground_touch():
    model, root = ground_model(scene(), "here")
    assert root == "box"
    kinds = {
        model.geom(k).name or str(k): (
            int(model.geom_contype[k]), int(model.geom_conaffinity[k]),
        )
        for k in range(model.ngeom)
    }  # fmt: skip
    assert kinds["floor"] == (0, 1)
    assert kinds["lamp"] == kinds["skin"] == (0, 0)
    assert kinds["box"] == (1, 0)
    floor = int(model.geom("floor").id)
    assert model.geom_margin[floor] == pytest.approx(0.003)
    assert model.nkey == 0
    bare = scene()
    bare.delete(next(g for g in bare.geoms if g.name == "floor"))
    model, _ = ground_model(bare, "here")
    planes = model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
    assert planes.sum() == 1 and model.geom_conaffinity[planes] == 1


@pytest.mark.parametrize("height, stands", [(0.1, 4), (0.1029, 4), (0.1031, 0)])
def test_a_shape_stands_up_to_three_millimetres_above_the_ground(height, stands):
    spec = scene()
    qpos = np.tile(spec.compile().qpos0, (2, 1))
    qpos[:, 9] = height
    motion = motion_of(spec, np.array([0.0, 0.1]), qpos)
    assert [len(corners) for corners in motion.support] == [stands] * 2
    assert motion.mass == pytest.approx(5.5)
    assert not motion.is_fixed
    assert motion.ground(0) == pytest.approx(0.0, abs=2e-3)


def test_velocities_are_those_of_neighbouring_poses():
    spec = scene()
    time = np.array([0.0, 0.1, 0.3])
    qpos = np.tile(spec.compile().qpos0, (3, 1))
    qpos[:, 7] = [0.0, 0.02, 0.12]  # the box along x
    found = motion_of(spec, time, qpos)
    speeds = [0.02 / 0.1, 0.12 / 0.3, 0.10 / 0.2]
    np.testing.assert_allclose(found.momentum[:, 0], 5.5 * np.array(speeds), rtol=1e-9)
    np.testing.assert_allclose(found.momentum[:, 1:], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.diff(found.com[:, 0]), [0.02, 0.1], rtol=1e-9)
    places, _ = found.bodies
    body = int(found.model.body("box").id)
    np.testing.assert_allclose(places[:, body, 0], [0.0, 0.02, 0.12], atol=1e-12)
    still = motion_of(spec, time[:1], qpos[:1])
    assert not still.momentum.any()


def test_a_bolted_robot_stands_on_its_lowest_corners():
    text = """<mujoco><worldbody><geom type="plane" size="0 0 1"/>
    <body name="base" pos="0 0 0.5"><geom type="box" size="0.2 0.1 0.5"/>
    <geom type="box" size="0.3 0.3 0.1" pos="0 0 0.2"/>
    <body name="arm"><joint/><geom size="0.4"/></body></body></worldbody></mujoco>"""
    model, root = ground_model(mujoco.MjSpec.from_string(text), "here")
    data = mujoco.MjData(model)
    found = motion_at(data, root, np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)))
    assert found.is_fixed
    corners = sorted(map(tuple, found.support[0].round(9)))
    assert corners == [(-0.2, -0.1, 0), (-0.2, 0.1, 0), (0.2, -0.1, 0), (0.2, 0.1, 0)]


def test_what_lies_is_no_pendulum():
    motion = Motion(
        model=SimpleNamespace(body_subtreemass=np.array([0.0, 2.0])), root=1,
        time=np.zeros(3), qpos=np.zeros((3, 0)),
        com=np.array([[0, 0, 0.519], [0, 0, 0.521], [1.0, 2.0, 1.481]]),
        momentum=np.array([[0, 0, 0], [0, 0, 0], [2.0, -4.0, 9.0]]),
        spin=np.zeros((3, 3)), support=[np.array([[0, 0, 0.5]])] * 3, bodies=((), ()),
    )  # fmt: skip
    found = motion.capture()
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], [0, 0, 0.5])
    time = np.sqrt(0.981 / 9.81)  # of the pendulum
    np.testing.assert_allclose(found[2], [1 + time, 2 - 2 * time, 0.5], rtol=1e-9)


# --- broken off, and the end in words ---------------------------------------------


def test_poses_end_where_no_motion_leads_on():
    time = np.array([0.0, 0.1, 0.2, 0.3])
    fine = np.array([[0.0, 0], [999.0, 0], [0.0, 1], [0, 0]])
    assert unbroken(time, fine) is fine
    for bad in (1000.1, np.nan, np.inf):
        broken = fine.copy()
        broken[2, 1] = bad
        found = unbroken(time, broken)
        assert np.isfinite(found[:2]).all() and np.isnan(found[2:]).all()
        assert broken[3, 0] == 0.0  # what was given stays
    one = np.array([[np.nan]])
    assert unbroken(time[:1], one) is one


@pytest.mark.parametrize(
    "summary, lamp, words",
    [
        ({"fell": True, "fell_at_s": None}, "no", "fell"),
        ({"fell": True, "fell_at_s": 2.0, "survived": True}, "no", "fell after 2.00 s"),
        ({"fell": False, "survived": True}, "yes", "stands"),
        ({"settled": True, "distance_final_w": 9.0}, "yes", "balanced"),
        ({"settled": False}, "no", "not balanced"),
        ({"distance_final_w": 0.0999}, "yes", "balanced"),
        ({"distance_final_w": 0.1}, "no", "not balanced"),
        ({"fell": False, "distance_final_w": None}, "yes", "did not fall"),
        ({"fell": False, "goal": {"reached": True}}, "yes", "got there"),
        ({"fell": False, "way": {"arrived": False}}, "no",
         "did not go where it was told"),
        ({"fell": False, "way": {"arrived": True}}, "yes", "did not fall"),
        ({"fell": False, "goal": {"reached": True}, "way": {"arrived": False}}, "yes",
         "got there"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("outcome", ["finished", "stopped"])
def test_the_end_of_a_run_in_words(summary, lamp, words, outcome):
    run = SimpleNamespace(attrs={"outcome": outcome, "summary": json.dumps(summary)})
    assert outcome_of(run) == (lamp, words)
    run.attrs["outcome"] = "diverged"
    assert outcome_of(run) == ("no", "broke off: numbers were not finite")
    assert json_attribute(run, "config") == {}


# --- plots ------------------------------------------------------------------------


def shown(plot):
    return {line.name: line.values for line in plot.lines}


def test_joints_of_the_robot_are_in_degrees_and_millimetres():
    model, root = ground_model(scene(), "here")
    qpos = np.tile(model.qpos0, (2, 1))
    qpos[:, 14], qpos[:, 15] = [0.5, np.pi], [0.01, 0.02]
    motion = SimpleNamespace(model=model, root=int(model.body(root).id), qpos=qpos)
    found = plots._joint_angles(motion)
    assert (found.title, found.unit, found.is_joints) == ("joint angles", "deg", True)
    lines = shown(found)
    assert list(lines) == ["hinge", "joint3 [mm]"]
    np.testing.assert_allclose(lines["hinge"], [np.degrees(0.5), 180.0])
    np.testing.assert_allclose(lines["joint3 [mm]"], [10.0, 20.0])


def test_messages_are_counted_between_frames():
    time = 0.002 * np.arange(6)
    sent = np.array([10.0, 20.0, 30.0, 40.0, 50.0, np.nan])
    run = xr.Dataset({"messages": ("time", sent)}, {"time": time})
    found = plots._messages_plot(run, time[[0, 2, 5]])
    means = np.array([10.0, 25.0, 45.0])  # since the frame before; none after the end
    (values,) = shown(found).values()
    np.testing.assert_allclose(values, means / 0.002 / 1e3)


def test_a_machine_s_speed_is_told_beside_what_it_says():
    motion = SimpleNamespace(
        momentum=np.array([[6.0, 8.0, 9.0], [0, -4.0, 1]]), mass=2.0
    )
    run = xr.Dataset({"said_speed": ("time", np.arange(5.0))})
    lines = shown(plots._speed_plot(run, motion, np.array([1, 3])))
    np.testing.assert_allclose(lines["over ground"], [5.0, 2.0])
    np.testing.assert_allclose(lines["forwards, as it says"], [1.0, 3.0])
    assert len(shown(plots._speed_plot(xr.Dataset(), motion, np.array([1])))) == 1


def marks_of(**parts):
    given = {field: None for field in ReplayMarks.__dataclass_fields__}
    return SimpleNamespace(**{**given, **parts})


def test_loads_are_of_feet_that_have_names():
    forces = np.arange(12.0).reshape(2, 2, 3)
    forces[1, 1, 2] = np.nan
    run = xr.Dataset(coords={"foot": ["left", "right"]})
    (found,) = plots._load_plots(run, marks_of(forces=forces))
    lines = shown(found)
    assert {name: v.tolist() for name, v in lines.items()} == {
        "left": [2.0, 8.0], "right": [5.0, 0.0],
    }  # fmt: skip
    assert (found.unit, found.has_zero, found.is_cut) == ("N", True, True)
    assert plots._load_plots(run, marks_of(forces=None)) == []
    assert plots._load_plots(xr.Dataset(), marks_of(forces=forces)) == []
    three = xr.Dataset(coords={"foot": ["a", "b", "c"]})
    assert plots._load_plots(three, marks_of(forces=forces)) == []


def test_margins_that_nobody_knows_are_left_out(monkeypatch):
    def margins(points, motion):
        return np.full(2, np.nan) if points is None else np.asarray(points)

    monkeypatch.setattr(plots, "standing_margins", margins)
    motion = SimpleNamespace(com=[1.0, 2.0])
    marks = marks_of(pressure=[3.0, np.nan], capture=None)
    lines = shown(plots._margin_plot(motion, marks))
    assert list(lines) == ["centre of mass", "pressure point"]
    assert lines["centre of mass"].tolist() == [1.0, 2.0]


def test_plots_of_each_kind_of_run(monkeypatch):
    for name in ("_margin_plot", "_speed_plot", "_messages_plot", "_joint_angles"):
        monkeypatch.setattr(plots, name, lambda *given, name=name: name)
    monkeypatch.setattr(plots, "_load_plots", lambda *given: ["_load_plots"])
    seen = SimpleNamespace(
        motion=SimpleNamespace(time=None), at=np.array([0, 2]), marks=None,
        keep=np.array([0, 1]),
    )  # fmt: skip
    base = ["_margin_plot", "_load_plots", "_joint_angles"]
    assert list(plots.plots_of(xr.Dataset(), seen)) == base
    three = ("time", np.array([1.0, 2.0, 3.0]))
    run = xr.Dataset(
        {
            "distance_w": three, "position_error": three, "static_margin": three,
            "messages": three,
            "tau": (("frame_time", "actuator"), np.array([[1.0, 2.0], [3.0, 4.0]])),
        },
        {"actuator": ["hip", "knee"]},
    )  # fmt: skip
    first, line, aim, speed, sent, loads, angles, torques = plots.plots_of(run, seen)
    assert [first, loads, angles] == base
    assert (speed, sent) == ("_speed_plot", "_messages_plot")
    assert (line.unit, aim.unit) == ("module widths", "mm")
    assert shown(line)["distance to the support line"].tolist() == [1.0, 3.0]
    assert shown(aim)["trunk off its aim"].tolist() == [1e3, 3e3]
    assert {n: v.tolist() for n, v in shown(torques).items()} == {
        "hip": [1.0, 3.0], "knee": [2.0, 4.0],
    }  # fmt: skip
    assert (torques.is_joints, torques.unit) == (True, "N m or N")


def test_a_still_picture_has_the_weight_below_the_centre():
    """Of less than three frames no change of momentum is known."""
    motion = Motion(
        model=SimpleNamespace(body_subtreemass=np.array([0.0, 2.0])), root=1,
        time=np.array([0.0, 0.1]), qpos=np.zeros((2, 0)),
        com=np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.8]]),
        momentum=np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        spin=np.ones((2, 3)), bodies=((), ()),
        support=[np.array([[0.0, 0.0, 0.25]]), np.zeros((0, 3))],
    )  # fmt: skip
    force, places = motion.reaction()
    np.testing.assert_allclose(force[0], [0.0, 0.0, 2.0 * 9.81])
    np.testing.assert_allclose(places[0], [0.1, 0.2, 0.25], atol=1e-12)
    assert np.isnan(force[1]).all() and np.isnan(places[1]).all()  # nothing below it


def test_a_push_begins_at_its_first_frame_and_ends_before_its_last():
    motion = SimpleNamespace(
        time=np.array([0.0, 0.5, 0.75, 1.0, 1.25]), com=np.arange(15.0).reshape(5, 3)
    )
    push = {"impulse": [1.0, -2.0, 0.0], "start": 0.5, "duration": 0.5}
    run = SimpleNamespace(attrs={"config": json.dumps({"push": push})})
    found = push_marks(run, motion)
    assert np.isfinite(found).all(axis=1).tolist() == [False, True, True, False, False]
    assert found[1].tolist() == [3.0, 4.0, 5.0, 2.0, -4.0, 0.0]
    # a frame that is a rounding error early is the first one, too
    motion.time[1] -= 1e-12
    assert np.isfinite(push_marks(run, motion)[1]).all()
    motion.time[1] -= 1e-6
    assert np.isnan(push_marks(run, motion)[1]).all()
