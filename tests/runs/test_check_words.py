"""What a check says of joints and drives, in words and by cases."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.robots.scene.joint_holds import JointHolds
from equipoise.runs.check import own_joints
from equipoise.runs.check.own_joints import (
    hold_block,
    joint_mode,
    own_holds,
    sag_answer,
)
from equipoise.runs.check.own_words import (
    count_of,
    holds_words,
    motor_words,
    own_words,
    passive_words,
)
from oracles.check_cases import holds

# --- who holds the joints ---------------------------------------------------------


def test_counts_in_words():
    assert [count_of(k, "joint") for k in (0, 1, 2)] == [
        "0 joints",
        "1 joint",
        "2 joints",
    ]
    assert motor_words(1, None) == "its 1 motor joint held by a controller"
    assert motor_words(2, 0.456) == (
        "its 2 motor joints held by a controller, at 0.46 of their torque"
    )
    held = "(--joints held)"
    assert passive_words(1) == f"it stands if its 1 passive joint is held {held}"
    assert passive_words(3) == f"it stands if its 3 passive joints are held {held}"


def test_what_holds_the_joints_in_a_table():
    assert holds_words("own", holds(0)) == "none"
    assert holds_words("held", holds(4)) == "4, taken as held"
    every = holds(7, motors=("a", "b"), own=("c", "d", "e"), passive=("f", "g"))
    every.servo_driven = ("c",)
    assert holds_words("own", every) == (
        "2 held by a controller's motors, 1 on their servos, "
        "2 on springs, friction or ties, 2 passive"
    )
    assert holds_words("own", holds(1, own=("c",))) == "1 on their servos"


def words(sinks=0.004, share=0.5, **parts):
    return own_words(holds(**parts), sinks, share)


def test_who_holds_the_joints_where_some_are_on_their_own():
    sunk = "sinking by 0.4 % of its height"
    assert words(own=("a",)) == f"its 1 joint on its own drive, {sunk}"
    assert words(own=("a", "b")) == f"its 2 joints on their own drives, {sunk}"
    assert (
        words(own=(), passive=("p",))
        == f"its 1 passive joint at rest by itself, {sunk}"
    )
    assert words(own=(), passive=("p", "q")) == (
        f"its 2 passive joints at rest by themselves, {sunk}"
    )
    assert words(own=("a",), passive=("p",)) == (
        f"its 1 passive joint at rest by itself, {sunk}; its 1 joint on its own drive"
    )
    motors = "its 1 motor joint held by a controller, at 0.5 of their torque"
    assert words(own=("a",), motors=("m",)) == (
        f"its 1 joint on its own drive, {sunk}; {motors}"
    )
    assert words(own=(), motors=("m",)) == f"{motors}, {sunk}"
    assert words(own=(), passive=("p",), motors=("m",)).endswith(f"{sunk}; {motors}")


@pytest.mark.parametrize(
    "sinks, said",
    [
        (0.0123, "sinking by 1.2 %"),
        (0.0, "sinking by 0 %"),
        (-0.001, "sinking by 0 %"),  # soft contacts give back what they took
        (-0.0011, "rising by 0.11 %"),
        (-0.5, "rising by 50 %"),
    ],
)
def test_a_robot_may_rise_on_its_drives(sinks, said):
    assert said in words(sinks, own=("a",))


@pytest.mark.parametrize("asked", ["own", "held", None])
@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize(
    "has_world, source, nu, is_of_file",
    [
        (True, "", 0, 1),
        (False, "a.urdf", 1, 1),
        (False, "a.urdf", 0, 0),
        (False, "", 1, 0),
    ],
)
def test_joints_are_the_files_own_where_it_has_drives(
    asked, count, has_world, source, nu, is_of_file
):
    robot = SimpleNamespace(
        has_world=has_world, source=source, model=SimpleNamespace(nu=nu)
    )
    default = "own" if count and is_of_file else "held"
    assert joint_mode(robot, holds(count), asked) == (asked or default)


@pytest.mark.parametrize("mode", ["own", "held"])
def test_who_holds_the_joints_is_told_as_data(mode):
    found = hold_block(
        mode,
        holds(4, motors=("m",), own=("a", "b"), passive=("p",)),
        SimpleNamespace(source="as given", instead=""),
        "by whom",
    )
    is_own = mode == "own"
    assert found == {
        "joints_words": "by whom",
        "joints_from": mode,
        "joints_held": ["m"] if is_own else ["m", "a", "b", "p"],
        "joints_own": ["a", "b"] if is_own else [],
        "joints_passive": ["p"] if is_own else [],
        "pose_from": "as given",
        "pose_instead": None,
    }
    start = SimpleNamespace(source="x", instead="why")
    assert hold_block(mode, holds(), start, None)["pose_instead"] == "why"


# --- equilibrium and stiffness ----------------------------------------------------


def sag(how="rests", sunk=0.0, turned=0.0):
    return SimpleNamespace(how=how, sunk=sunk, turned=turned)


class OnDrives:
    """Drives whose rests are given, height 0.5 m."""

    height = 0.5

    def __init__(self, rest, near=None):
        self.rest, self.near = rest, near

    def stands_as(self, rest):
        return rest.how == "rests" and rest.sunk <= 0.1 and rest.turned <= 0.1

    def rest_near(self, qpos):
        assert qpos == "there"
        return self.near


@pytest.mark.parametrize(
    "rest, stands, said",
    [
        (sag(sunk=0.01), "yes", "sinking by 2 %"),
        (sag(sunk=0.2), "no", "it sinks by 40 % of its height on its own drives"),
        (sag(turned=0.5), "no", "it leans by 28.6 degrees on its own drives"),
        (sag("falls"), "no", "its own drives do not hold it up"),
        (
            sag("tilts"),
            "no",
            "the stiffness of its own drives does not keep it upright",
        ),
        (sag("slides"), "no", "its feet slide apart on its own drives"),
        (sag("unknown"), "unknown", "no equilibrium on its own drives was found"),
        (sag("too large"), "unknown", "it has too many joints to find its equilibrium"),
    ],
)
def test_what_equilibrium_says(rest, stands, said):
    found = sag_answer(OnDrives(rest))
    assert found.stands == stands
    assert found.sentence.startswith(said)
    assert found.sag is rest
    assert found.is_crept is False


def test_a_rest_near_where_the_engine_left_it_counts_too():
    good, bad = sag(sunk=0.01), sag("falls")
    assert sag_answer(OnDrives(bad, good), "there").stands == "yes"
    assert sag_answer(OnDrives(bad, good)).stands == "no"
    assert sag_answer(OnDrives(bad, None), "there").sag is bad
    assert sag_answer(OnDrives(good, bad), "there").sag is good


def test_a_robot_without_a_world_has_no_passive_joints(monkeypatch):
    found = JointHolds(
        held=("a",), own=("b",), passive=("c",), held_dofs=np.array([6]),
        dofs=np.array([6, 7, 8]), is_plain=False,
        **{
            name: None
            for name in JointHolds.__dataclass_fields__
            if name not in ("held", "own", "passive", "held_dofs", "dofs", "is_plain")
        },
    )  # fmt: skip
    monkeypatch.setattr(own_joints, "joint_holds", lambda model, bodies, qpos: found)
    scene = SimpleNamespace(model=None, bodies=None)
    data = SimpleNamespace(qpos=[0.0])
    assert own_holds(SimpleNamespace(has_world=True), scene, data) is found
    alone = own_holds(SimpleNamespace(has_world=False), scene, data)
    assert alone.held == ("a", "b", "c")
    assert (alone.own, alone.passive) == ((), ())
    assert alone.held_dofs.tolist() == [6, 7, 8]
    assert alone.is_plain is True
