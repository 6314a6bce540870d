"""Points, forces and pushes of a log are where the run says, not only there."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

pytest.importorskip("foxglove_schemas_protobuf")

from equipoise.runs.export.foxglove.balance import (
    BalanceShapes,
    margin_values,
)
from equipoise.runs.export.foxglove.bodies import RecordedJoints
from equipoise.runs.export.foxglove.signals import sample_of
from equipoise.runs.export.table import TimedSignal

NAN = np.full(3, np.nan)
SQUARE = np.array([[-0.2, -0.1, 0], [0.2, -0.1, 0], [0.2, 0.1, 0], [-0.2, 0.1, 0]])
COM = np.array([[0.0, 0.0, 0.5], [0.1, 0.02, 0.4], [0.15, 0.0, 0.3]])
PLACES = np.array([[[0.2, 0.1, 0.0], [-0.2, -0.1, 0.0]]] * 3)
FORCES = np.array([[[1.0, 2.0, 30.0], NAN], [[0, 0, 9.0], [-3.0, 0, 4.0]], [NAN, NAN]])


def seen(**marks: Any) -> Any:
    """Return three frames of a run, its samples the other way round."""
    given = {
        "pressure": np.array([[0.05, 0.0, 0.0], [0.3, 0.0, 0.0], NAN]),
        "capture": np.array([[0.0, 0.04, 0.0], NAN, [0.0, -0.3, 0.0]]),
        "support": [SQUARE, SQUARE, SQUARE[:0]],
        "force_places": PLACES,
        "forces": FORCES,
        "metres_a_newton": 0.01,
        "push": np.array([[*NAN, *NAN], [0.1, 0.0, 0.6, 0.0, 8.0, -6.0], [*NAN, *NAN]]),
    }
    shown = SimpleNamespace(**(given | marks))
    motion = SimpleNamespace(com=COM, support=shown.support)
    return SimpleNamespace(at=np.array([2, 1, 0]), motion=motion, marks=shown)


def shapes(k: int, **marks: Any) -> dict[str, Any]:
    """Return the entities of a frame by name."""
    run = xr.Dataset(
        {"com": (("time", "axis"), COM[::-1])}, {"foot": ["left", "right"]}
    )
    message = BalanceShapes(run, seen(**marks)).message(7 * 10**9 + 5, k)
    for one in message.entities:
        assert (one.timestamp.seconds, one.timestamp.nanos) == (7, 5)
        assert one.frame_id == "world"
    return {entity.id: entity for entity in message.entities}


def xyz(p: Any) -> list[float]:
    """Return a point's numbers."""
    return [p.x, p.y, p.z]


def ends(arrow: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return where an arrow begins and ends."""
    o, tail = arrow.pose.orientation, np.array(xyz(arrow.pose.position))
    way = Rotation.from_quat([o.x, o.y, o.z, o.w]).apply([1.0, 0.0, 0.0])
    return tail, tail + (arrow.shaft_length + arrow.head_length) * way


def test_each_ball_is_its_own_point_s():
    balls = ("centre of mass", "pressure point", "capture point")
    for k, points in enumerate(
        zip(COM, seen().marks.pressure, seen().marks.capture, strict=True)
    ):
        found = shapes(k)
        for name, p in zip(balls, points, strict=True):
            spheres = found[name].spheres
            assert [xyz(s.pose.position) for s in spheres] == (
                [p.tolist()] if np.isfinite(p).all() else []
            )
    (ball,) = shapes(0)["centre of mass"].spheres
    assert xyz(ball.size) == pytest.approx([0.08 * 0.5] * 3)  # of the run's height
    assert not shapes(0, capture=None)["capture point"].spheres


def test_a_push_is_an_arrow_that_ends_where_it_pushes():
    (arrow,) = shapes(1)["push"].arrows
    tail, tip = ends(arrow)
    # rounding: a quaternion and back
    assert tip == pytest.approx([0.1, 0.0, 0.6], abs=1e-14)
    assert tail == pytest.approx([0.1, -0.4, 0.9], abs=1e-14)  # 0.5 m long
    assert not shapes(0)["push"].arrows
    assert "push" not in shapes(1, push=None)


def test_a_force_is_an_arrow_from_its_foot_as_long_as_it_is_strong():
    found = shapes(0)
    (arrow,) = found["force on left"].arrows
    tail, tip = ends(arrow)
    assert tail.tolist() == [0.2, 0.1, 0.0]
    assert tip - tail == pytest.approx([0.01, 0.02, 0.3], abs=1e-14)
    assert xyz(found["force on left"].spheres[0].pose.position) == [0.2, 0.1, 0.0]
    assert not found["force on right"].arrows  # in the air
    (arrow,) = shapes(1)["force on right"].arrows
    tail, tip = ends(arrow)
    assert tail.tolist() == [-0.2, -0.1, 0.0]
    assert tip - tail == pytest.approx([-0.03, 0.0, 0.04], abs=1e-14)


def test_the_rim_has_the_corners_of_the_support():
    (rim,) = shapes(1)["support polygon"].lines
    assert [xyz(p) for p in rim.points] == SQUARE.tolist()
    assert not shapes(2)["support polygon"].lines


def test_margins_are_each_its_own_point_s_in_metres():
    """Of a rectangle from -0.2 to 0.2 and from -0.1 to 0.1 m, by hand."""
    found = margin_values(seen())
    wanted = {
        "centre_of_mass": [0.1, 0.08, np.nan],
        "pressure_point": [0.1, -0.1, np.nan],
        "capture_point": [0.06, np.nan, np.nan],
    }
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        assert found[name] == pytest.approx(values, abs=1e-12, nan_ok=True), name


def test_a_joint_s_numbers_are_each_its_own():
    """What is not known is left out; the others keep their places."""
    q, v, tau = np.arange(12.0).reshape(3, 2, 2)
    v[1, 0] = tau[1, 1] = np.nan
    message = RecordedJoints(["hip", "knee"], q, v, tau).message(3 * 10**9, 1)
    hip, knee = message.joints
    assert message.timestamp.seconds == 3
    assert (hip.name, hip.position, hip.effort) == ("hip", q[1, 0], tau[1, 0])
    assert (knee.name, knee.position, knee.velocity) == ("knee", q[1, 1], v[1, 1])
    assert not hip.HasField("velocity") and not knee.HasField("effort")


def test_a_sample_s_numbers_stand_at_their_labels():
    values = np.array([[1.0, 2.0, np.inf], [4.0, 5.0, 6.0]])
    labels = (("left", "x"), ("left", "y"), ("right", "x"))
    signal = TimedSignal("foot.place", "time", "m", labels, values)
    assert sample_of([signal], 1) == (
        b'{"foot_place":{"left":{"x":4.0,"y":5.0},"right":{"x":6.0}}}'
    )
    assert sample_of([signal], 0).endswith(b'"right":{"x":null}}}')
