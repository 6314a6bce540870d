"""Other bodies beside a robot: what can reach it is named, what is at rest is not."""

import pytest

import equipoise as eq
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent
from equipoise.sim.neighbours import moving_neighbour

BOX = (
    '<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" '
    'mass="4"/></body>'
)
POLE = (
    '<body name="{name}" pos="{at} 0 .6"><joint axis="0 1 0" {joint}/><geom '
    'type="capsule" fromto="0 0 0 {to}" size=".02" mass="1"/></body>'
)


def neighbour(tmp_path, beside, option=""):
    """Return what is said of a body beside a box."""
    path = tmp_path / "scene.xml"
    path.write_text(
        f"<mujoco>{option}<worldbody><geom type='plane' size='0 0 1'/>{BOX}{beside}"
        "</worldbody></mujoco>"
    )
    robot = eq.load(path, base="box")
    scene = robot_scene(robot)
    data = scene.data_at(robot, robot.model.qpos0)
    return moving_neighbour(scene, data, shapes_extent(scene, data))


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        # swings down into it, hangs at rest, is too short to reach it, is far away
        (POLE.format(name="pole", at=0.4, to=".55 0 0", joint=""), "reaches it"),
        (POLE.format(name="pole", at=0.4, to="0 0 -.4", joint=""), ""),
        (POLE.format(name="pole", at=0.4, to=".15 0 0", joint=""), ""),
        (POLE.format(name="pole", at=2.0, to=".3 0 0", joint='damping="0"'), ""),
        # swings for ever a little beside it
        (POLE.format(name="pole", at=0.5, to=".35 0 0", joint=""), "reach"),
        # balanced on its tip, and held by a spring there
        (POLE.format(name="pole", at=0.4, to="0 0 .5", joint=""), "reaches it"),
        (
            POLE.format(name="pole", at=0.4, to="0 0 .5", joint='stiffness="50"'),
            "",
        ),
        # closes so slowly that a minute would not do
        (
            POLE.format(name="door", at=0.5, to=".45 0 0", joint='damping="300"'),
            "'door', which moves and may reach it",
        ),
        ('<body name="ball" pos=".5 0 .05"><freejoint/><geom size=".05"/></body>', ""),
        (
            '<body name="ball" pos="0 0 .9"><freejoint/><geom size=".05"/></body>',
            "'ball', which moves and reaches it",
        ),
        (
            '<body name="ghost" pos="0 0 .9"><freejoint/><geom size=".05" contype="0" '
            'conaffinity="0"/></body>',
            "",
        ),
    ],
)
def test_what_moves_and_can_reach_it_is_named(tmp_path, beside, said):
    found = neighbour(tmp_path, beside)
    assert said in found
    assert bool(said) is bool(found)


def test_a_ball_that_rolls_here_from_afar_is_watched_for_long(tmp_path):
    roll = (
        '<body name="ball" pos="1.5 0 .05"><joint type="slide" axis="1 0 0" '
        'stiffness=".2" springref="-9" damping="9"/><geom size=".05" mass="1"/></body>'
    )
    assert "'ball'" in neighbour(tmp_path, roll)
