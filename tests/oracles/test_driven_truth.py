"""The truth about driven scenes, where it can be worked out by hand."""

import mujoco
import pytest

from oracles.driven_scenes import Scene
from oracles.driven_truth import Fact, _trial, grade, truth

WEIGHT = 3.0 * 9.81
FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'


def pillars(drive="", more="", tags=()):
    """Return a plate of 3 kg on three sliding legs, 0.5 m up, driven alike."""
    legs = "".join(
        f'<body pos="{x} {y} 0"><joint name="j{k}" type="slide" axis="0 0 -1" '
        f'damping="20" armature="0.1" {more}/><geom size=".02" pos="0 0 -.48" '
        'mass="0.01"/></body>'
        for k, (x, y) in enumerate([(0.3, 0), (-0.2, 0.25), (-0.2, -0.25)])
    )
    drives = "".join(drive.format(joint=f'name="j{k}" joint="j{k}"') for k in range(3))
    return scene(
        f'<mujoco><option integrator="implicitfast"/><worldbody>{FLOOR}<body '
        'name="trunk" pos="0 0 .5"><freejoint/><geom name="plate" type="box" '
        f'size=".1 .1 .02" mass="3"/>{legs}</body></worldbody><actuator>{drives}'
        "</actuator></mujoco>",
        tags,
    )


def scene(xml, tags=(), size=0.5, height=0.5):
    """Return a scene judged as it is."""
    return Scene("by_hand", xml, None, None, size, height, True, frozenset(tags))


@pytest.mark.parametrize(
    ("sunk", "fact"), [(0.01, "yes"), (0.05, "unclear"), (0.15, "no")]
)
def test_a_servo_sags_by_weight_over_stiffness(sunk, fact):
    stiffness = WEIGHT / 3 / (sunk * 0.5)
    found = truth(pillars(f'<position {{joint}} kp="{stiffness}"/>'))
    assert found == Fact(fact)


@pytest.mark.parametrize(("minutes", "fact"), [(100, "yes"), (0.4, "no")])
def test_a_velocity_servo_is_watched_for_a_minute(minutes, fact):
    speed = 0.05 * 0.5 / (60 * minutes)
    slow = pillars(f'<velocity {{joint}} kv="{WEIGHT / 3 / speed}"/>')
    assert truth(slow).word == fact
    assert truth(slow, thorough=False).word == "yes"  # nothing to see in seconds


@pytest.mark.parametrize(("share", "fact"), [(0.7, "no"), (1.5, "yes")])
@pytest.mark.parametrize("limit", ["forcerange", "ctrlrange"])
def test_motors_hold_what_their_limits_allow(share, limit, fact):
    most = share * WEIGHT / 3
    motor = f'<motor {{joint}} {limit}="{-most} {most}"/>'
    found = truth(pillars(motor, 'ref="0.3"'))  # its coordinate is not 0
    assert found.word == fact


def test_passive_joints_are_loaded_or_rest_on_their_stops():
    assert truth(pillars(tags={"passive"})).word == "loaded"
    at_stop = 'range="-1e-4 1" solreflimit="0.005 1"'
    assert truth(pillars(more=at_stop, tags={"passive"})).word == "yes"


@pytest.mark.parametrize(
    ("words", "fact"), [("", "no"), ('impratio="1000" cone="elliptic"', "yes")]
)
def test_a_box_on_a_slope_creeps_111_mm_a_minute(words, fact):
    lean = 20
    box = scene(
        f'<mujoco><option {words}/><worldbody><geom type="plane" size="0 0 1" '
        f'euler="0 {lean} 0"/><body name="trunk" pos="0.0342 0 0.094" '
        f'euler="0 {lean} 0"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/>'
        "</body></worldbody></mujoco>",
        {"slope"},
        size=0.2,
        height=0.1,
    )
    assert truth(box).word == fact
    if fact == "no":
        model = mujoco.MjModel.from_xml_string(box.xml)
        crept = 0.2 * _trial(box, model, seconds=60.0).crept
        assert crept * 60 / 56 == pytest.approx(0.111 * 0.94, rel=0.1)  # level part


def test_a_grade_says_what_an_answer_is_worth():
    known = pillars()
    assert grade(known, Fact("no"), "yes") == "wrong yes"
    assert grade(known, Fact("loaded"), "yes") == "wrong yes"
    assert grade(known, Fact("yes"), "no") == "wrong no"
    assert grade(known, Fact("yes"), "unknown") == "shy"
    assert grade(known, Fact("yes", touched=True), "unknown") == "tolerated"
    assert grade(known, Fact("unclear"), "yes") == "left out"
