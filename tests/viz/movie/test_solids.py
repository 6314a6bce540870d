"""Shapes as triangles: closed, looking outwards, on the shape and as large as it."""

from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.viz.movie.solids import ROUND, Solids, solids_of
from equipoise.viz.shapes import height_surface

SHAPES = {
    "sphere": "type='sphere' size='.3'",
    "ellipsoid": "type='ellipsoid' size='.1 .2 .4'",
    "capsule": "type='capsule' size='.1 .25'",
    "cylinder": "type='cylinder' size='.2 .15'",
    "box": "type='box' size='.1 .2 .3'",
    "mesh": "type='mesh' mesh='wedge'",
    "hfield": "type='hfield' hfield='hill'",
}
ASSET = """<asset><mesh name="wedge" inertia="exact"
  vertex="0 0 0  .3 0 0  0 .2 0  0 0 .4"/>
<hfield name="hill" nrow="3" ncol="4" size=".6 .4 .5 .1"
  elevation="0 1 2 0  3 4 1 2  0 2 4 1"/></asset>"""


def model_of(*geoms: str) -> mujoco.MjModel:
    body = "".join(f"<geom {geom}/>" for geom in geoms)
    return mujoco.MjModel.from_xml_string(
        f"<mujoco>{ASSET}<worldbody>{body}</worldbody></mujoco>"
    )


def volume(corners: np.ndarray) -> float:
    """Return the volume inside triangles that all see the origin, (n, 3, 3)."""
    a, b, c = np.moveaxis(corners, 1, 0)
    return float(np.abs(np.einsum("ij,ij->i", a, np.cross(b, c))).sum() / 6.0)


def is_closed(corners: np.ndarray) -> bool:
    """Say whether two triangles meet at each edge."""
    edges: dict[Any, int] = {}
    for triangle in corners.round(9) + 0.0:
        points = {tuple(p) for p in triangle}
        if len(points) == 3:  # at a ball's pole some are but an edge
            for missing in points:
                edge = frozenset(points - {missing})
                edges[edge] = edges.get(edge, 0) + 1
    return set(edges.values()) == {2}


@pytest.fixture(scope="module")
def solids() -> dict[str, tuple[Solids, mujoco.MjModel]]:
    models = {name: model_of(shape) for name, shape in SHAPES.items()}
    return {name: (solids_of(model), model) for name, model in models.items()}


# a circle's polygon of 24 sides, and a ball's facets, are a little smaller
SHARE = ROUND / (2 * np.pi) * np.sin(2 * np.pi / ROUND)
VOLUMES = {
    "sphere": (4 / 3 * np.pi * 0.3**3, 0.965),
    "ellipsoid": (4 / 3 * np.pi * 0.1 * 0.2 * 0.4, 0.965),
    "capsule": (np.pi * 0.1**2 * (0.5 + 4 / 3 * 0.1), 0.97),
    "cylinder": (np.pi * 0.2**2 * 0.3 * SHARE, 1.0),
    "box": (8 * 0.1 * 0.2 * 0.3, 1.0),
    "mesh": (0.3 * 0.2 * 0.4 / 6, 1.0),
}


@pytest.mark.parametrize("name", VOLUMES)
def test_a_shape_is_closed_and_as_large_as_it_is(solids, name):
    corners = solids[name][0].corners
    whole, share = VOLUMES[name]
    assert share - 1e-6 <= volume(corners) / whole <= 1.0 + 1e-6  # meshes: float32
    assert is_closed(corners)


def over_surface(name: str, p: np.ndarray) -> np.ndarray:
    """Return how far points are over a shape's surface, in its own measure."""
    x, y, z = p.T
    level = np.hypot(x, y)
    if name == "sphere":
        return np.linalg.norm(p, axis=1) - 0.3
    if name == "ellipsoid":
        return np.linalg.norm(p / [0.1, 0.2, 0.4], axis=1) - 1.0
    if name == "capsule":
        return np.hypot(level, np.maximum(np.abs(z) - 0.25, 0.0)) - 0.1
    if name == "cylinder":
        return np.maximum(level - 0.2, np.abs(z) - 0.15)
    return (np.abs(p) - [0.1, 0.2, 0.3]).max(axis=1)


@pytest.mark.parametrize("name", ["sphere", "ellipsoid", "capsule", "cylinder", "box"])
def test_corners_are_on_the_surface_and_normals_look_out_of_it(solids, name):
    one = solids[name][0]
    corners, normals = one.corners.reshape(-1, 3), one.normals.reshape(-1, 3)
    over = over_surface(name, corners)
    is_middle = (np.hypot(*corners[:, :2].T) < 1e-12) & (name == "cylinder")
    np.testing.assert_allclose(over[~is_middle], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0)
    if name in ("box", "cylinder"):  # flat: either side will do, the viewer's counts
        away = np.repeat(one.corners.mean(axis=1), 3, axis=0)
        normals *= np.sign(np.einsum("ij,ij->i", away, normals))[:, None]
    # a step along the normal leads out by as much; to second order where it is round
    step = 1e-5
    risen = over_surface(name, corners + step * normals)
    measure = 1.0
    if name == "ellipsoid":
        p = corners / np.array([0.1, 0.2, 0.4])
        measure = np.linalg.norm(p / np.array([0.1, 0.2, 0.4]), axis=1)
    wanted = np.where(is_middle, np.abs(corners[:, 2]) - 0.15 + step, step * measure)
    np.testing.assert_allclose(risen, wanted, rtol=2e-3, atol=1e-8)


def test_a_height_field_is_its_heights_with_walls_down_to_its_base(solids):
    model = solids["hfield"][1]
    corners, faces = height_surface(model, 0)
    # in the file the first row is the farthest along y
    heights = 0.5 * np.array([[0, 2, 4, 1], [3, 4, 1, 2], [0, 1, 2, 0]]) / 4.0
    top = corners[:12].reshape(3, 4, 3)
    np.testing.assert_allclose(top[:, :, 2], heights, atol=1e-7)  # float32
    np.testing.assert_allclose(top[:, :, 0], [np.linspace(-0.6, 0.6, 4)] * 3)
    np.testing.assert_allclose(top[:, :, 1].T, [np.linspace(-0.4, 0.4, 3)] * 4)
    a, b, c = np.moveaxis(corners[faces] + np.array([0.0, 0.0, 0.1]), 1, 0)
    out = np.cross(b - a, c - a)
    middles = (a + b + c) / 3.0
    assert (out[:12, 2] > 0.0).all()
    np.testing.assert_allclose(out[12:, 2], 0.0, atol=1e-9)
    assert (np.einsum("ij,ij->i", out[12:], middles[12:]) > 0.0).all()
    # halves of cells of 0.4 m, each as high as its three corners are over the base, on
    # average; the base has no lid, which at height zero adds nothing
    low, right, both, up = (heights[:-1, :-1], heights[:-1, 1:], heights[1:, 1:],
                            heights[1:, :-1])  # fmt: skip
    mean = (low + right + both) / 3 + (low + both + up) / 3 + 2 * 0.1
    found = float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
    assert found == pytest.approx(0.5 * 0.4 * 0.4 * mean.sum(), rel=1e-6)
    assert len(faces) == 2 * 6 + 2 * 10
    assert corners[:, 2].min() == pytest.approx(-0.1)


def test_fine_height_fields_are_drawn_by_every_so_many_points():
    model = mujoco.MjModel.from_xml_string("""<mujoco><asset>
      <hfield name="h" nrow="300" ncol="2" size="1 2 .5 .1"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>""")
    corners, faces = height_surface(model, 0)
    top = corners[: 256 * 2].reshape(256, 2, 3)
    assert (np.diff(top[:, 0, 1]) > 0.0).all()
    assert top[0, 0, 1] == -2.0 and top[-1, 0, 1] == 2.0  # both edges are kept
    assert len(faces) == 2 * 255 + 2 * (2 * 255 + 2)


def test_shapes_are_placed_where_their_geoms_are():
    model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
      <geom type="plane" size="1 1 1"/><geom type="box" size=".1 .1 .1" group="4"/>
      <geom type="box" size=".1 .2 .3" rgba=".1 .2 .3 1"/>
      <body pos="1 2 3" euler="20 30 40"><geom type="cylinder" size=".1 .2"
        pos=".3 .2 .1" rgba=".7 .8 .9 .5"/></body>
    </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    solids = solids_of(model)
    assert solids.geoms.tolist() == [2, 3]
    assert solids.first[0] == 0 and solids.first[-1] == len(solids.corners)
    cut = int(solids.first[1])
    assert cut == 12  # a box
    np.testing.assert_array_equal(solids.is_ground, np.arange(len(solids.corners)) < 12)
    np.testing.assert_allclose(solids.colours[:cut], [[0.1, 0.2, 0.3]] * cut, rtol=1e-6)
    np.testing.assert_allclose(solids.colours[cut], [0.7, 0.8, 0.9], rtol=1e-6)
    placed = solids.placed(data)
    for geom, own in ((2, slice(0, cut)), (3, slice(cut, None))):
        R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
        np.testing.assert_allclose(
            placed[own, :3], solids.corners[own] @ R.T + p, atol=1e-12
        )
        np.testing.assert_allclose(
            placed[own, 3:6], solids.normals[own] @ R.T, atol=1e-12
        )
    np.testing.assert_array_equal(placed[:, 6], solids.colours)


def test_a_model_with_nothing_to_see_has_no_triangles():
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    solids = solids_of(model)
    assert solids.corners.shape == solids.normals.shape == (0, 3, 3)
    assert solids.first.tolist() == [0]
    data: Any = SimpleNamespace(geom_xmat=np.zeros((0, 9)), geom_xpos=np.zeros((0, 3)))
    assert solids.placed(data).shape == (0, 7, 3)
