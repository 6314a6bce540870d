"""Parts of a check on models of a few bodies: what is said before anything settles."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent, stance_of
from equipoise.runs.check.friction import grip_of
from equipoise.runs.check.joints import (
    TorqueShares,
    beyond_range,
    joints_block,
    torque_rows,
    torque_shares,
)
from equipoise.runs.check.size import too_large
from equipoise.runs.check.start import starting_pose
from equipoise.runs.check.world import nothing_to_judge
from oracles.box_robots import ARM, BOX, FLOOR, robot
from oracles.check_cases import grip

# It pushes from the 8th second on, and counts as if it did at once.
LATE = '<general name="jet" site="top" gear="0 0 1 0 0 0" delay="8" nsample="5000"/>'


def told(model, start=None, **changes: Any):
    scene = replace(robot_scene(model), **changes)
    return nothing_to_judge(model, scene, start or starting_pose(model))


# --- what leaves nothing to judge -------------------------------------------------


def test_a_plain_box_is_judged():
    assert told(robot()) is None


@pytest.mark.parametrize(
    "model, answer, said",
    [
        (robot(joint=""), "unknown", "its base is fixed to the world"),
        (
            robot(joint='<joint name="rail" type="slide"/>'),
            "unknown",
            "its base moves on rail and not freely",
        ),
        (robot(option='gravity="0 0 0"'), "unknown", "its file has no gravity"),
        (
            robot(option="><flag contact='disable'/></option><option"),
            "no",
            "its file disables contacts",
        ),
        (
            robot(option="><flag constraint='disable'/></option><option"),
            "no",
            "its file disables contacts",
        ),
        (
            robot(option='gravity="1 0 -9"', world=""),
            "unknown",
            "its file has no ground, and gravity is not along -z",
        ),
        (
            robot(world=FLOOR.replace('size', 'contype="2" conaffinity="2" size')),
            "no",
            "none of its shapes can touch the ground",
        ),
        (
            robot(lost_shapes=("a", "b", "c", "d", "e"), dropped=("a mesh",)),
            "unknown",
            "shapes of a, b, c, d are lost, which might be feet (a mesh)",
        ),
        (robot(lost_shapes=("a",)), "unknown", "shapes of a are lost, which might be"),
    ],
)  # fmt: skip
def test_what_a_file_leaves_to_judge(model, answer, said):
    found = told(model)
    assert found is not None and found[0] == answer
    assert found[1].startswith(said)
    if "lost" in said and "(" not in said:
        assert found[1].endswith("feet")


def test_lost_shapes_that_are_no_feet_do_not_matter():
    assert told(robot(lost_shapes=("arm",), feet=("sole",))) is None


def test_what_is_not_understood_is_named_three_at_most():
    names = ("a", "b", "c", "d")
    assert told(robot(), unknown=names) == ("unknown", "not understood: a; b; c")
    assert told(robot(), pulls=names, ground=()) == (
        "unknown",
        "not understood: a; b; c",
    )
    assert told(robot(), pulls=names) is None


def test_joints_beyond_their_range_are_named_three_at_most():
    start = replace(starting_pose(robot()), beyond=("a", "b", "c", "d", "e"))
    answer, said = told(robot(), start)
    assert answer == "unknown" and "(a; b; c and 2 more)" in said
    assert "(a; b; c)" in told(robot(), replace(start, beyond=("a", "b", "c")))[1]


def keyed(qvel, body=ARM, gravity=9.81):
    key = f'<key name="start" qpos="0 0 .05 1 0 0 0 0" qvel="{qvel}"/>'
    key = f"<keyframe>{key}</keyframe>"
    return robot(body, more=key, option=f'gravity="0 0 {-gravity}"')


@pytest.mark.parametrize("gravity", [9.81, 1.0])
@pytest.mark.parametrize("k", range(7))
def test_a_keyframe_may_begin_slowly(k, gravity):
    """Two hundredths of the pace of a fall through its size; turns count with it."""
    pose = np.array([0, 0, 0.05, 1, 0, 0, 0, 0])
    posed = robot_scene(robot(ARM)).data_at(robot(ARM), pose)
    size = shapes_extent(robot_scene(keyed("0 0 0 0 0 0 0")), posed)
    least = 0.02 * math.sqrt(gravity * size) / (1.0 if k < 3 else size)
    for share, is_fast in ((0.99, False), (1.01, True), (-1.01, True)):
        rates = np.zeros(7)
        rates[k] = share * least
        model = keyed(" ".join(map(str, rates)), gravity=gravity)
        found = told(model)
        if not is_fast:
            assert found is None
        else:
            pace = abs(rates[k]) * (1.0 if k < 3 else size)
            assert found == (
                "unknown", f"its keyframe begins in motion, with {pace:.3g} m/s"
            )  # fmt: skip


@pytest.mark.parametrize(
    "actuator, ctrl, said",
    [
        (
            '<general name="jet" site="top" gear="0 0 1 0 0 0"/>',
            5.0,
            "actuator 'jet', a push",
        ),
        (
            '<general site="top" gear="1 0 0 0 0 0"/>',
            -1.0,
            "actuator 'actuator 0', a push",
        ),
        (
            '<general name="jet" site="top" gear="0 0 0 0 0 1"/>',
            5.0,
            "actuator 'jet', a push",
        ),
        ('<general name="jet" site="top" gear="0 0 1 0 0 0"/>', 0.0, ""),
        ('<motor name="elbow" joint="elbow"/>', 5.0, ""),
        (LATE, 5.0, "actuator 'jet', a push"),
        (LATE, 0.0, ""),
        (
            '<adhesion name="glue" body="base" ctrlrange="0 9"/>',
            5.0,
            "actuator 'glue', adhe",
        ),
        ('<adhesion name="glue" body="base" ctrlrange="0 9"/>', 0.0, ""),
    ],
)
def test_what_pushes_from_outside_is_named_where_it_is_switched_on(
    actuator, ctrl, said
):
    body = ARM + '<site name="top" pos="0 0 .05"/>'
    key = (
        '<keyframe><key name="start" qpos="0 0 .05 1 0 0 0 0" '
        f'ctrl="{ctrl}"/></keyframe>'
    )
    model = robot(body, more=f"<actuator>{actuator}</actuator>{key}")
    late = np.array(getattr(model.scene_model, "actuator_delay", 0.0))
    found = told(model, unknown=())
    assert (late == getattr(model.scene_model, "actuator_delay", 0.0)).all()
    if not said:
        assert found is None
    else:
        assert found is not None
        assert found[1].startswith(f"not understood: {said}")


@pytest.mark.parametrize("count, is_large", [(2500, False), (2501, True)])
def test_a_robot_may_be_too_large(count, is_large):
    one = replace(robot_scene(robot()), shapes=tuple(range(count)))
    found = too_large(one)
    assert (found is not None) is is_large
    if found:
        assert "2,501 shapes that can touch the ground" in found[1]
    many: Any = SimpleNamespace(
        shapes=(), bodies=np.array([False, True]),
        model=SimpleNamespace(dof_bodyid=np.r_[np.ones(1000, int), 0, 0]),
    )  # fmt: skip
    assert too_large(many) is None
    many.model.dof_bodyid = np.ones(1001, int)
    assert "1,001 degrees of freedom" in too_large(many)[1]


# --- joints -----------------------------------------------------------------------


def at(angle):
    return np.array([0, 0, 0.05, 1, 0, 0, 0, angle])


@pytest.mark.parametrize(
    "angle, is_beyond",
    [(0.0, 0), (1.0, 0), (-1.0, 0), (1.0 + 9e-7, 0), (1.0 + 2e-6, 1), (-1.1, 1)],
)
def test_joints_beyond_their_range_are_told_with_it(angle, is_beyond):
    found = beyond_range(robot(ARM), at(angle))
    assert len(found) == is_beyond
    if found:
        assert found[0] == f"elbow is at {angle:.4g}, its range is -1 to 1"
    loose = ARM.replace(' range="-1 1"', "")
    assert beyond_range(robot(loose), at(9.0)) == []


def held(more="", joint="", body=ARM):
    """Return an arm held out, of 0.5 kg at 0.3 m, whose motor has a limit."""
    arm = body.replace('axis="0 1 0"', f'axis="0 1 0" {joint}')
    return robot(arm, more=more)


NEEDS = 0.5 * 9.81 * 0.3


@pytest.mark.parametrize(
    "angle, joint, helped",
    [
        (0.0, 'actuatorfrcrange="-2 2"', NEEDS / 2.0),
        (0.5, 'actuatorfrcrange="-2 2"', NEEDS * math.cos(0.5) / 2.0),
        # a share of what motor and dry friction have together
        (0.0, 'actuatorfrcrange="-2 2" frictionloss=".5"', NEEDS / 2.5),
        # the weight turns it on, towards more: at the upper stop it is held
        (1.0, 'actuatorfrcrange="-2 2"', 0.0),
        (-1.0, 'actuatorfrcrange="-2 2"', NEEDS * math.cos(1.0) / 2.0),
    ],
)
def test_the_share_of_its_torque_that_a_joint_needs(angle, joint, helped):
    model = held(joint=joint)
    pose = at(angle)
    stance = stance_of(model, pose)
    found = torque_shares(model, pose, stance, grip(0.6, n=len(stance.points)), 9.81)
    own = NEEDS * math.cos(angle) / 2.0
    assert found.least == pytest.approx(helped, abs=1e-6)  # solver
    assert found.carried == pytest.approx(own, abs=1e-6)
    assert found.is_helped is (abs(angle) == 1.0 or "friction" in joint)
    block = joints_block(model, pose, found)
    assert block["held"] == 1 and block["beyond_range"] == []
    assert block["torque_share"] == found.least
    assert block["torque_share_without_bracing"] == found.carried


def test_without_limits_or_contacts_there_is_no_share():
    stance = stance_of(held(), at(0.0))
    own = grip(0.6, n=len(stance.points))
    assert torque_shares(held(), at(0.0), stance, own, 9.81) == TorqueShares(None, None)
    limited = held(joint='actuatorfrcrange="-2 2"')
    nothing = replace(stance, points=np.zeros((0, 3)))
    shares = torque_shares(limited, at(0.0), nothing, own, 9.81)
    assert shares == TorqueShares(None, None)
    lost = TorqueShares(math.inf, None)
    block = joints_block(held(), at(0.0), lost)
    assert (block["torque_share"], block["torque_share_without_bracing"]) == (
        None,
        None,
    )


@pytest.mark.parametrize("limit, rows", [(False, None), (True, 1), (3.0, 1)])
def test_limits_of_torques_are_asked_for(limit, rows):
    model = held(joint='actuatorfrcrange="-2 2"')
    stance = stance_of(model, at(0.0))
    found = torque_rows(model, at(0.0), stance, limit, 9.81)
    if rows is None:
        assert found is None
        return
    assert found["weight"] == pytest.approx(4.5 * 9.81)
    most = 2.0 if limit is True else limit
    # with no forces at all, the joint carries its arm alone
    slack = np.sort(np.asarray(found["force_bounds"]).ravel())
    assert slack == pytest.approx([most - NEEDS, most + NEEDS])


# --- friction ---------------------------------------------------------------------


def gripped(model, given=None):
    scene, stance = robot_scene(model), stance_of(model)
    return grip_of(model, scene, stance, given, np.array([0.0, 0.0, 1.0]))


def test_an_option_counts_before_the_file_and_the_file_before_the_usual():
    own = robot(
        BOX.replace('mass="4"', 'mass="4" friction=".35"'),
        world=FLOOR.replace("size", 'friction=".2" size'),
        option='cone="elliptic"',
    )
    found = gripped(own)
    assert (found.source, found.is_plain) == ("file", True)
    assert found.sure.tolist() == [0.35] * 4  # the larger, as in the engine
    option = gripped(own, 0.9)
    assert (option.source, option.most.tolist()) == ("option", [0.9] * 4)
    alone = robot(has_world=False)
    assert gripped(alone).source == "assumed"
    assert gripped(alone).sure.tolist() == [0.6] * 4
    bare = robot(world="", option='cone="elliptic"')
    assert gripped(bare).most.tolist() == [1.0] * 4  # of the shape itself


PAIR = (
    '<contact><pair geom1="floor" geom2="sole" condim="4" friction="{} {} .1 .1 .1"/>'
    "</contact>"
)


def test_a_pair_that_is_written_out_has_its_own_friction():
    option = 'cone="elliptic"'
    even = gripped(robot(more=PAIR.format(0.3, 0.3), option=option))
    assert even.is_plain and even.most.tolist() == [0.3] * 4
    uneven = gripped(robot(more=PAIR.format(0.3, 0.5), option=option))
    assert uneven.most.tolist() == [0.5] * 4 and not uneven.is_plain
    swapped = gripped(robot(more=PAIR.format(0.5, 0.3), option=option))
    assert swapped.most.tolist() == [0.5] * 4


@pytest.mark.parametrize("margin, is_odd", [(0.0, 0), (1e-3, 0), (0.1, 1)])
def test_contacts_that_push_at_a_distance_are_odd(margin, is_odd):
    body = BOX.replace('mass="4"', f'mass="4" margin="{margin}"')
    found = gripped(robot(body))
    assert len(found.odd) == is_odd
    if is_odd:
        assert found.odd[0] == f"a contact margin of {margin:g} m at 'sole'"
    apart = gripped(robot(body, world=""))
    assert len(apart.odd) == is_odd
