"""A stand is put on the ground by the lowest that its feet or shapes have."""

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.robots.found import footing
from equipoise.robots.found.feet import FoundFoot
from equipoise.robots.found.footing import foot_body_and_place, put_on_ground
from equipoise.spatial.rotations import matrix_from_quat

MODEL = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><body name="trunk"><freejoint/><geom size=".1" mass="1"/>'
    '<body name="left" pos="0 .2 -.3"><geom size=".02" mass="1"/></body>'
    '<body name="right" pos="0 -.2 -.4"><geom size=".02" mass="1"/></body>'
    "</body></worldbody></mujoco>"
)
BALL = FoundFoot((), "ball", (0.1, 0.1), "left", radius=0.05, centre=(0.01, 0.02, -0.1))
CORNERS = ((0.1, 0.05, -0.2), (0.1, -0.05, -0.2), (-0.1, -0.05, -0.23))
SOLE = FoundFoot((), "sole", (0.2, 0.1), "right", corners=CORNERS)
UNKNOWN = FoundFoot((), "unknown", (0.0, 0.0), "left", centre=(0.0, 0.0, -9.0))
TURN = np.array([0.9, 0.1, -0.2, 0.3]) / np.linalg.norm([0.9, 0.1, -0.2, 0.3])


def bottom(foot, R, p):
    """Return how low a foot is, by hand, of a trunk at p and turned by R."""
    hang = {"left": (0, 0.2, -0.3), "right": (0, -0.2, -0.4)}[foot.body]
    places = [foot.centre] if foot.kind == "ball" else foot.corners
    return min((p + R @ np.add(hang, c))[2] for c in places) - foot.radius


def posed(pose, ground):
    data = mujoco.MjData(MODEL)
    data.qpos[:] = pose
    mujoco.mj_kinematics(MODEL, data)
    return SimpleNamespace(model=MODEL, data=data, ground=ground)


@pytest.fixture
def put(monkeypatch):
    """Return what becomes of a turned pose at (3, 4, 2)."""

    def put(feet, *, ground=9.0, plane: Any = "floor", legs: Any = ("leg",), at=0):
        scene = SimpleNamespace(data_at=lambda robot, pose: "data")
        monkeypatch.setattr(footing, "free_base", lambda robot: at)
        monkeypatch.setattr(footing, "robot_scene", lambda robot: scene)
        monkeypatch.setattr(footing, "floor_of", lambda scene, data: plane)
        monkeypatch.setattr(
            footing, "robot_in_pose", lambda robot, pose: posed(pose, ground)
        )
        robot: Any = None
        return put_on_ground(robot, legs, tuple(feet), np.array([3.0, 4.0, 2.0, *TURN]))

    return put


@pytest.mark.parametrize(
    ("feet", "ground"),
    [
        ([BALL, SOLE], 9.0),
        ([SOLE, BALL], 9.0),
        ([BALL], 9.0),
        ([BALL, SOLE], 0.5),  # a shape is lower than any foot
        ([UNKNOWN, BALL], 9.0),
        ([UNKNOWN], 0.7),  # shapes alone are known
        ([], 0.7),
    ],
)
def test_the_lowest_of_feet_and_shapes_is_at_zero(put, feet, ground):
    """On a plane it faces along x over the origin, its tilt as it was."""
    found = put(feet, ground=ground)
    assert found[:2].tolist() == [0.0, 0.0]
    R = matrix_from_quat(found[3:])
    assert R[1, 0] == pytest.approx(0.0, abs=1e-15) and R[0, 0] > 0.0
    assert R[2] == pytest.approx(matrix_from_quat(TURN)[2])  # up, seen from it
    known = [foot for foot in feet if foot.kind != "unknown"]
    over = np.array([0.0, 0.0, 2.0])
    low = min([ground, *(bottom(foot, R, over) for foot in known)])
    assert found[2] == pytest.approx(2.0 - low)


def test_on_other_ground_it_stays_where_it_is_but_for_its_height(put):
    found = put([BALL, SOLE], plane=None)
    assert found[[0, 1, 3, 4, 5, 6]].tolist() == [3.0, 4.0, *TURN]
    R, at = matrix_from_quat(TURN), np.array([3.0, 4.0, 2.0])
    low = min(bottom(foot, R, at) for foot in (BALL, SOLE))
    assert found[2] == pytest.approx(2.0 - low)


def test_without_legs_or_a_free_base_a_pose_is_left_alone(put):
    for given in ({"legs": ()}, {"at": -1}):
        assert put([BALL], **given).tolist() == [3.0, 4.0, 2.0, *TURN]


def test_a_ball_stands_below_its_middle():
    body, place = foot_body_and_place(posed([3.0, 4.0, 2.0, *TURN], 0.0), BALL)  # pyright: ignore
    assert body == MODEL.body("left").id
    R = matrix_from_quat(TURN)
    middle = np.array([3.0, 4.0, 2.0]) + R @ [0.01, 0.22, -0.4]
    assert place == pytest.approx(middle - [0.0, 0.0, 0.05])
