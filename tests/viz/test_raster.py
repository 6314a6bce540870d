"""Filled triangles against a ray through each pixel."""

import mujoco
import numpy as np
import pytest

from equipoise.viz.camera import Camera
from equipoise.viz.raster import Triangles, meet, mesh_triangles, seen
from equipoise.viz.shapes import data_in_pose

SIZE = (160, 120)
TWO = """<mujoco><asset>
 <mesh name="wedge" vertex="0 0 0  .12 0 0  0 .08 0  0 0 .1"/>
 <mesh name="block" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
  scale=".05 .03 .02"/>
</asset><worldbody>
 <body pos="0 0 .1"><joint axis="0 0 1"/><geom type="mesh" mesh="wedge"/>
  <geom type="mesh" mesh="block" pos=".05 -.05 .02" euler="20 30 40"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def pose():
    model = mujoco.MjModel.from_xml_string(TWO)
    return model, data_in_pose(model, np.array([0.4]))


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.25, -0.25)])
def test_what_is_filled_is_what_rays_meet(pose, shift):
    model, data = pose
    camera = Camera(eye=(0.5, 0.3, 0.4), target=(0.02, 0.0, 0.12), fov_deg=28.0)
    triangles = mesh_triangles(model, data)
    assert triangles is not None
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    xy = np.column_stack((x.ravel(), y.ravel()))
    d_W = camera.rays(xy + 0.5 + shift, SIZE)
    found = seen(triangles, camera, SIZE, shift)
    geom, length, normal = meet(triangles, found, xy, d_W, camera)
    n, eye = len(d_W), np.array(camera.eye)
    ids, far, side = np.full(n, -1, np.int32), np.zeros(n), np.zeros(3 * n)
    mujoco.mj_multiRay(
        model, data, eye, d_W.ravel(), None, True, -1, ids, far, side, n, 10.0
    )
    same = geom == ids
    assert (ids == 0).sum() > 500 and (ids == 1).sum() > 500
    assert (~same).sum() <= 4  # rays through an edge itself fall to either side
    hit = same & (ids >= 0)
    # float32 corners in both, a metre away
    assert np.abs(length[hit] - far[hit]).max() < 1e-6
    close = np.abs(normal[hit] - side.reshape(-1, 3)[hit]).max(axis=1) < 1e-4
    assert (~close).sum() <= 20  # where two faces of one mesh meet


def test_the_nearer_of_two_sheets_is_seen_and_none_behind_the_eye():
    sheet = np.array([[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 2.0]])
    ways = np.array([[0.0, 0, 0], [-0.5, 0, 0], [4.0, 0, 0]])  # near, far, behind
    triangles = Triangles(sheet + ways[:, None], np.arange(3))
    camera = Camera(eye=(3.0, 0.0, 0.1), target=(0.0, 0.0, 0.0))
    found = seen(triangles, camera, SIZE)
    assert set(np.unique(found.triangle)) <= {-1, 0, 1}
    assert found.triangle[SIZE[1] // 2, SIZE[0] // 2] == 0
    depth = found.depth[SIZE[1] // 2, SIZE[0] // 2]
    assert depth == pytest.approx(3.0, rel=2e-3)  # seen a little from above


def test_a_sheet_looks_at_its_viewer_from_both_sides():
    sheet = np.array([[[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 2.0]]])
    triangles = Triangles(sheet, np.zeros(1, np.int64))
    for x in (3.0, -3.0):
        camera = Camera(eye=(x, 0.0, 0.1), target=(0.0, 0.0, 0.0))
        xy = np.array([[SIZE[0] // 2, SIZE[1] // 2]])
        d_W = camera.rays(xy + 0.5, SIZE)
        found = seen(triangles, camera, SIZE)
        _, _, normal = meet(triangles, found, xy, d_W, camera)
        assert normal[0] @ d_W[0] < 0.0


def test_without_meshes_there_is_nothing_to_fill():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"
    )
    assert mesh_triangles(model, data_in_pose(model, np.zeros(0))) is None
