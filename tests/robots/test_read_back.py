"""Numbers that a text rounds, poses of SRDF files, and which body is the robot."""

from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.robots.exact_numbers import Number, lost_numbers, restore_numbers
from equipoise.robots.found.srdf import srdf_stand, srdf_states
from equipoise.robots.which_robot import (
    BodyTree,
    alone,
    choose_robot_tree,
    moving_trees,
    unused,
)

# --- numbers --------------------------------------------------------------------------

EXACT = """<mujoco><option timestep="0.00123456789"/><worldbody>
<body name="a" pos="0.123456789 2 3"><joint name="j" axis="0 3 4" damping="1.23456789"/>
<geom name="g" size="0.1" pos="0 0 0.25"/></body></worldbody></mujoco>"""


def specs():
    """Return a specification, and what its text with six digits reads as."""
    one, two = (mujoco.MjSpec.from_string(EXACT) for _ in range(2))
    two.body("a").pos = [0.123457, 2.0, 3.0]
    two.joint("j").damping = [1.23457, *two.joint("j").damping[1:]]
    two.option.timestep = 0.00123457
    return one, two


def test_numbers_that_read_back_nearly_are_noted_and_put_back():
    one, two = specs()
    lost = lost_numbers(one, two)
    found = {(n.kind, n.place, n.name): n.values for n in lost}
    assert found["option", 0, "timestep"] == (0.00123456789,)
    body = next(k for k, b in enumerate(one.bodies) if b.name == "a")
    assert found["bodies", body, "pos"] == (0.123456789, 2.0, 3.0)
    assert found["joints", 0, "damping"][0] == 1.23456789
    assert len(found) == 3
    restore_numbers(two, lost)
    assert two.option.timestep == 0.00123456789
    assert two.body("a").pos.tolist() == [0.123456789, 2.0, 3.0]
    assert two.joint("j").damping[0] == 1.23456789
    assert lost_numbers(one, two) == ()
    restore_numbers(two, [Number("geoms", 0, "pos", (1.0, 2.0, 3.0))])
    assert two.geom("g").pos.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("factor", "is_noted"),
    [(1.0, False), (1.0 + 0.9e-5, True), (1.0 + 1.2e-5, False), (1.0 - 1e-9, True)],
)
def test_what_reads_back_as_another_number_is_another_number(factor, is_noted):
    one, two = (mujoco.MjSpec.from_string(EXACT) for _ in range(2))
    two.geom("g").pos = [0.0, 0.0, 0.25 * factor]
    assert bool(lost_numbers(one, two)) is is_noted


def test_a_direction_may_be_of_any_length():
    """An axis is written as a unit vector; its own length does not matter."""
    one, two = (mujoco.MjSpec.from_string(EXACT) for _ in range(2))
    two.joint("j").axis = [0.0, 0.6, 0.8]
    (number,) = lost_numbers(one, two)
    assert (number.name, number.values) == ("axis", (0.0, 3.0, 4.0))
    two.joint("j").axis = [0.0, 0.8, 0.6]
    assert lost_numbers(one, two) == ()


def test_after_another_element_nothing_is_compared():
    one, two = specs()
    two.body("a").add_body(name="more")
    kinds = {number.kind for number in lost_numbers(one, two)}
    assert "joints" not in kinds


# --- SRDF -----------------------------------------------------------------------------


def srdf(folder, name, *states, robot="r"):
    groups = "".join(
        f'<group_state name="{state}" group="g"><joint name="j" value="{value}"/>'
        '<joint name="many" value="1 2"/></group_state>'
        for state, value in states
    )
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f'<robot name="{robot}">{groups}</robot>')


@pytest.mark.parametrize(
    ("states", "best"),
    [
        ((("home", 1), ("standing", 2)), "standing"),
        ((("default", 1), ("half_sitting", 2), ("home", 3)), "half_sitting"),
        ((("stand_high", 1), ("stand", 2)), "stand"),  # the shorter name
        ((("standing_up", 1), ("stand", 2)), "standing_up"),
        ((("arms_up", 1), ("home_2", 2)), "home_2"),
    ],
)
def test_the_pose_to_stand_in_is_the_best_name(tmp_path, states, best):
    urdf = tmp_path / "r.urdf"
    srdf(tmp_path, "r.srdf", *states)
    joints, said = srdf_stand(urdf, "r")
    assert said == f"'{best}' of r.srdf"
    assert joints == {"j": float(dict(states)[best])}
    assert set(srdf_states(urdf, "r")) == {name for name, _ in states}
    assert srdf_stand(urdf, "other") is None


def test_files_of_the_own_name_come_first_and_folders_are_looked_into(tmp_path):
    here = tmp_path / "urdf"
    here.mkdir()
    urdf = here / "r.urdf"
    assert srdf_stand(urdf, "r") is None
    srdf(tmp_path / "srdf", "up.srdf", ("home", 1))
    assert srdf_stand(urdf, "r") == ({"j": 1.0}, "'home' of up.srdf")
    srdf(here / "srdf", "r.srdf", ("default", 2))
    assert srdf_stand(urdf, "r") == ({"j": 2.0}, "'default' of r.srdf")
    srdf(here, "other.srdf", ("standing", 3))
    assert srdf_stand(urdf, "r") == ({"j": 2.0}, "'default' of r.srdf")
    assert set(srdf_states(urdf, "r")) == {"home", "default", "standing"}
    srdf(here, "lie.srdf", ("arms_up", 4))
    assert srdf_states(urdf, "r")["arms_up"] == ({"j": 4.0}, "lie.srdf")


# --- which robot ----------------------------------------------------------------------


def tree(name="t", **other):
    root = SimpleNamespace(name=name, bodies=[])
    given = {"is_free": False, "joints": 1, "parts": 2, "motors": 0} | other
    return BodyTree(root, **given)


def test_what_is_free_and_has_joints_looks_most_like_a_robot():
    ranks = [
        tree(is_free=True, joints=1), tree(motors=1),
        tree(is_free=True, joints=0, parts=3),
        tree(is_free=True, joints=0, parts=2), tree(),
    ]  # fmt: skip
    assert [one.rank for one in ranks] == [5, 4, 3, 2, 1]
    for k in range(len(ranks)):
        assert choose_robot_tree(ranks[k:][::-1], None, "f") is ranks[k]
    assert choose_robot_tree([], None, "f") is None
    # among doors and drawers the first one is as good as any
    doors = [tree("one"), tree("two")]
    assert choose_robot_tree(doors, None, "f") is doors[0]


@pytest.mark.parametrize(("count", "more"), [(2, ""), (6, ""), (8, " and 2 more")])
def test_several_that_are_as_likely_are_named(count, more):
    trees = [tree(f"t{k}", is_free=True) for k in range(count)]
    with pytest.raises(BadFileError) as refused:
        choose_robot_tree([tree("door"), *trees], None, "f")
    names = ", ".join(f"'t{k}'" for k in range(min(count, 6)))
    said = f"holds {count} bodies that could be the robot, {names}{more}; name one"
    assert str(refused.value).startswith(said)
    assert "(--base t0)" in str(refused.value)
    assert choose_robot_tree(trees, "t1", "f") is trees[1]
    with pytest.raises(UnknownNameError, match="moving base"):
        choose_robot_tree(trees, "x", "f")
    with pytest.raises(
        ConfigError, match="base 'x' was given, but nothing in the file moves"
    ):
        choose_robot_tree([], "x", "f")


SCENE = """<mujoco><worldbody>
<body name="table"><geom size="1"/></body>
<body><freejoint/><geom size=".1"/><geom size=".1"/><body name="arm">
<joint name="one"/><geom size=".1"/><body name="hand"><joint name="two"/>
<geom size=".1"/></body></body></body>
<body name="base"><geom size=".1"/><body name="door"><joint name="hinge"/>
<geom size=".1"/></body></body>
<camera name="eye" mode="targetbody" target="door"/>
<camera name="own" mode="targetbody" target="arm"/>
<light name="lamp" mode="targetbody" target="hand"/></worldbody>
<actuator><motor joint="one"/><motor joint="two"/><motor joint="two"/>
<motor joint="hinge"/></actuator></mujoco>"""


def test_trees_are_counted_and_a_first_body_gets_a_name_that_is_free():
    spec = mujoco.MjSpec.from_string(SCENE)
    one, two = moving_trees(spec)
    assert (one.root.name, two.root.name) == ("base2", "base")
    seen = [(t.is_free, t.joints, t.parts, t.motors) for t in (one, two)]
    assert seen == [(True, 2, 7, 3), (False, 1, 4, 1)]
    assert unused("x", {"x", "x2", "x4"}) == "x3" and unused("x", set()) == "x"


def test_of_all_that_moves_one_is_left_alone():
    spec = mujoco.MjSpec.from_string(SCENE)
    moving_trees(spec)
    left = alone(spec, "base2")
    names = {body.name for body in left.bodies}
    assert names == {"world", "table", "base2", "arm", "hand"}
    cameras = {camera.name: camera for camera in left.cameras}
    fixed = mujoco.mjtCamLight.mjCAMLIGHT_FIXED
    # a camera that looked at the door stays where it is
    assert (cameras["eye"].targetbody, cameras["eye"].mode) == ("", fixed)
    assert cameras["own"].targetbody == "arm" and cameras["own"].mode != fixed
    assert {light.name: light.targetbody for light in left.lights} == {"lamp": "hand"}
    model = left.compile()
    assert model.nv == 8 and model.nu == 3
    other = alone(spec, "base").compile()
    assert other.nv == 1 and other.nu == 1
    assert len(list(spec.bodies)) == 7  # the file itself is as it was
    np.testing.assert_array_equal(other.nlight, 1)
