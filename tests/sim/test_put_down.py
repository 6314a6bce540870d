"""Rigid bodies put down gently in the engine, against geometry."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent
from equipoise.sim.let_go import tips_when_let_go
from equipoise.sim.put_down import put_down, turn_between

TABLE = '<geom type="box" size="9 9 .05" pos="0 0 -.05" {}/>'


def placed(tmp_path, x=0.0, z=0.3, lean=0.0, slope=0.0, friction=1.0):
    """Return scene, state and size of a box, 0.2 by 0.2 by 0.6 m, over a table."""
    ground = TABLE.format(f'euler="0 {slope} 0" friction="{friction}"')
    path = tmp_path / "box.xml"
    path.write_text(
        f'<mujoco><worldbody>{ground}<body name="box" pos="{x} 0 {z}" '
        f'euler="0 {lean} 0"><freejoint/><geom type="box" size=".1 .1 .3" mass="2" '
        f'friction="{friction}"/></body></worldbody></mujoco>'
    )
    robot = eq.load(path)
    scene = robot_scene(robot)
    data = scene.data_at(robot, robot.model.qpos0)
    return scene, data, shapes_extent(scene, data)


def test_a_box_in_the_air_is_let_down_and_one_in_the_ground_is_lifted(tmp_path):
    for gap in (0.4, -0.003):
        rest = put_down(*placed(tmp_path, z=0.3 + gap))
        # to a millionth of the size, then contacts give by some 10 micrometres
        assert rest.lowered == pytest.approx(gap, abs=1e-6)
        assert rest.start[2] == pytest.approx(0.3, abs=1e-6)
        assert rest.is_at_rest
        assert rest.sank == pytest.approx(0.0, abs=1e-4)
        assert rest.turned == pytest.approx(0.0, abs=1e-3)


def test_a_leaning_box_turns_onto_its_face(tmp_path):
    lean = math.radians(5.0)
    rest = put_down(*placed(tmp_path, z=0.4, lean=5.0))
    assert rest.is_at_rest
    # closed form, to the contacts' give and the engine's step
    assert rest.turned == pytest.approx(lean, abs=1e-3)
    high = 0.3 * math.cos(lean) + 0.1 * math.sin(lean)
    assert rest.lowered == pytest.approx(0.4 - high, abs=1e-6)
    assert rest.sank == pytest.approx(high - 0.3, abs=2e-4)
    aside = 0.1 * math.cos(lean) - 0.3 * math.sin(lean)  # from its lowest edge
    assert rest.moved == pytest.approx(0.1 - aside, abs=1e-3)


def test_where_there_is_nothing_below_it_does_not_come_to_rest(tmp_path):
    assert put_down(*placed(tmp_path, x=9.5)) is None


@pytest.mark.parametrize(
    ("lean", "slope", "friction", "falls"),
    [
        (0.0, 0.0, 1.0, False),
        (25.0, 0.0, 1.0, True),  # beyond atan(0.1 / 0.3) = 18.4 degrees
        (10.0, 10.0, 0.05, True),  # flat on a slope of 10 degrees, which it slides down
        (10.0, 10.0, 1.0, False),
    ],
)
def test_let_go_it_tips_or_slides_or_stays(tmp_path, lean, slope, friction, falls):
    angle = math.radians(lean)
    high = 0.3 * math.cos(angle) + (0.1 * math.sin(angle) if slope == 0.0 else 0.0)
    x = 0.3 * math.sin(angle) if slope else 0.0
    case = placed(tmp_path, x, high, lean, slope, friction)
    assert tips_when_let_go(*case) is falls


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0, 3.0])
def test_the_angle_between_attitudes_is_the_angle(angle, rng):
    one = rng.normal(size=4)
    one /= np.linalg.norm(one)
    w, x, y, z = one
    axis = rng.normal(size=3)
    axis *= math.sin(angle / 2) / np.linalg.norm(axis)
    turned = math.cos(angle / 2) * one
    turned[0] -= axis @ [x, y, z]
    turned[1:] += w * axis + np.cross([x, y, z], axis)
    # rounding: acos near 1 keeps half the digits
    assert turn_between(one, turned) == pytest.approx(angle, abs=5e-8)
    assert turn_between(one, -turned) == pytest.approx(angle, abs=5e-8)
