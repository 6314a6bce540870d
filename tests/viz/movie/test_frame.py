"""Frames of a movie beside the still picture of the same pose, which casts rays."""

import mujoco
import numpy as np
import pytest
from PIL import Image

from equipoise.viz.camera import camera_for
from equipoise.viz.movie.frame import FINE, movie_stage
from equipoise.viz.movie.solids import solids_of
from equipoise.viz.raycast import draw

SIZE = (200, 140)
SHAPES = {
    "sphere": 'type="sphere" size="0.3"',
    "capsule": 'type="capsule" size="0.15 0.25" euler="30 20 0"',
    "cylinder": 'type="cylinder" size="0.2 0.3" euler="60 10 0"',
    "ellipsoid": 'type="ellipsoid" size="0.35 0.2 0.15"',
    "box": 'type="box" size="0.3 0.2 0.1" euler="20 10 30"',
    "mesh": 'type="mesh" mesh="wedge"',
}


def scene(shapes, floor=""):
    """Return a model of shapes that float over a floor."""
    geoms = "".join(
        f'<body pos="0 {0.9 * k} 0.5"><freejoint/><geom {shape} '
        f'rgba="0.8 0.3 0.2 1"/></body>'
        for k, shape in enumerate(shapes)
    )
    mesh = '<mesh name="wedge" vertex="0 0 0 .5 0 0 0 .5 0 0 0 .5"/>'
    text = (
        f"<mujoco><asset>{mesh}</asset><worldbody>{floor}{geoms}</worldbody></mujoco>"
    )
    return mujoco.MjModel.from_xml_string(text)


def both(model):
    """Return a frame as it is shown and a still picture of the same, as numbers."""
    pose = model.qpos0
    camera = camera_for(model, [pose], size=SIZE)
    fine = movie_stage(model, SIZE).draw(pose, camera)
    frame = np.asarray(Image.fromarray(fine.rgb).reduce(FINE)).astype(int)
    return frame, draw(model, pose, size=SIZE, camera=camera).astype(int)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_frame_looks_as_the_ray_cast_picture(shape):
    frame, still = both(scene([SHAPES[shape]]))
    apart = np.abs(frame - still).max(axis=2)
    # Edges, and those of shadows, are cast by other rays: 3 of 100 pixels may differ.
    assert np.mean(apart > 12) < 0.03
    assert np.mean(apart) < 2.0
    assert (np.ptp(still, axis=2) > 60).sum() > 500  # the red thing is in it


def test_a_sloping_floor_is_drawn_as_it_lies():
    tilted = '<geom type="plane" size="0 0 1" euler="25 0 0"/>'
    frame, still = both(scene([SHAPES["box"]], tilted))
    level, _ = both(scene([SHAPES["box"]]))
    assert np.mean(np.abs(frame - still).max(axis=2) > 12) < 0.03
    assert np.mean(np.abs(frame - level).max(axis=2) > 12) > 0.05


def test_ground_is_no_solid_that_hides_marks():
    block = '<geom type="box" pos="0 0 -0.1" size="1 1 0.1"/>'
    model = scene([SHAPES["sphere"]], block)
    camera = camera_for(model, [model.qpos0], size=SIZE)
    drawing = movie_stage(model, SIZE).draw(model.qpos0, camera)
    red = np.ptp(drawing.rgb.astype(int), axis=2) > 30
    assert 0.9 < red.sum() / drawing.is_solid.sum() < 1.1


def test_triangles_lie_on_their_shapes():
    model = scene(list(SHAPES.values()))
    solids = solids_of(model)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    placed = solids.placed(data)
    ball = placed[solids.first[0] : solids.first[1]]
    away = np.linalg.norm(ball[:, :3] - data.geom_xpos[0], axis=2)
    assert np.allclose(away, 0.3, rtol=1e-12)
    assert np.allclose(ball[:, 3:6] * 0.3, ball[:, :3] - data.geom_xpos[0], atol=1e-12)
    assert np.allclose(np.linalg.norm(placed[:, 3:6], axis=2), 1.0, atol=1e-6)
