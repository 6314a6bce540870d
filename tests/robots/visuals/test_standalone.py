"""A scene whose text has the masses, sizes and heights of its meshes and files."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.visuals import standalone
from equipoise.robots.visuals.appearance import Appearance
from equipoise.robots.visuals.standalone import mesh_shapes, portrait_of

WEDGE = "0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 .05"
FINE = "0 0 0  .4 0 0  0 .1 0  .4 .1 0  0 0 .2  .4 0 .2  0 .1 .2  .4 .1 .2"
SCENE = f"""
<mujoco><compiler inertiafromgeom="auto"/>
<asset><mesh name="wedge" vertex="{WEDGE}" scale="1 2 1"/>
<mesh name="brick" vertex="{FINE}"/>
<hfield name="hills" nrow="2" ncol="3" size="2 1 .5 .1"
 elevation="0 1 2 3 4 5"/></asset>
<worldbody><geom name="ground" type="hfield" hfield="hills" pos="0 0 -1"/>
<body name="first" pos="0 0 1"><freejoint/>
 <geom name="meshed" type="mesh" mesh="wedge" density="900" pos=".1 0 0"/>
 <body name="fitted" pos="0 1 0"><joint axis="0 0 1"/>
  <geom name="box" type="box" mesh="brick" density="300" euler="0 0 30"/></body>
 <body name="told" pos="0 2 0"><joint axis="0 1 0"/>
  <inertial mass="3" pos=".1 .2 .3" diaginertia=".1 .2 .25"/>
  <geom type="mesh" mesh="wedge"/></body>
 <body name="thin" pos="0 3 0"><joint axis="1 0 0"/>
  <inertial mass="2" pos="0 0 0" diaginertia=".1 .2 .3" euler="0 40 0"/>
  <geom type="mesh" mesh="brick" contype="0" conaffinity="0"/></body>
</body></worldbody></mujoco>
"""


@pytest.fixture(scope="module")
def scene():
    """A scene of meshes, its model, and the model of the text that stands for it."""
    spec = mujoco.MjSpec.from_string(SCENE)
    model = spec.copy().compile()
    found = portrait_of(spec, mesh_shapes(model), Appearance())
    return model, found, mujoco.MjModel.from_xml_string(found.text)


def test_bodies_weigh_what_their_meshes_made_them_weigh(scene):
    model, _, alone = scene
    assert alone.nbody == model.nbody
    np.testing.assert_allclose(alone.body_mass, model.body_mass, rtol=1e-6)
    np.testing.assert_allclose(alone.body_ipos, model.body_ipos, atol=1e-6)
    for k in range(1, model.nbody):
        wanted, found = (inertia_of(one, k) for one in (model, alone))
        np.testing.assert_allclose(found, wanted, atol=1e-6 * wanted.max())
    # a plate has as large an inertia as a body can: it is made larger by a billionth
    a, b, c = alone.body_inertia[alone.body("thin").id]
    assert (a, b, c) == pytest.approx((0.1, 0.2, 0.3))
    assert 1e-10 < a + b - c < 1e-9


def inertia_of(model, body):
    """Return a body's inertia along its own axes, whatever its principal ones are."""
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[body])
    R = R.reshape(3, 3)
    return R @ np.diag(model.body_inertia[body]) @ R.T


def test_a_shape_fitted_to_a_mesh_is_written_as_it_is(scene):
    model, _, alone = scene
    for name in ("pos", "quat", "size"):
        wanted, found = (getattr(one.geom("box"), name) for one in (model, alone))
        np.testing.assert_allclose(found, wanted, atol=1e-6)
    assert alone.geom("box").type == mujoco.mjtGeom.mjGEOM_BOX


def test_hills_have_their_heights(scene):
    model, _, alone = scene
    assert (alone.hfield_nrow[0], alone.hfield_ncol[0]) == (2, 3)
    rows = np.arange(6).reshape(2, 3)[::-1] / 5.0  # a text begins with the last row
    np.testing.assert_allclose(alone.hfield_data, rows.ravel(), atol=1e-6)
    np.testing.assert_allclose(alone.hfield_size, model.hfield_size)


def test_what_touches_is_a_hull_and_what_is_only_seen_is_drawn_beside(scene):
    model, found, alone = scene
    assert [shape.visual.body for shape in found.looks.shapes] == [
        "first", "told", "thin",
    ]  # fmt: skip
    hulls = {str(alone.mesh(k).name) for k in range(alone.nmesh)}
    assert hulls == {"hull:wedge"}  # no part of the brick itself touches
    assert alone.ngeom == model.ngeom - 1


def test_a_shape_has_its_own_colour_or_else_its_materials():
    """Grey is MuJoCo's for a shape without one; a shape may have no material at all."""
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><asset><material name="other" rgba=".9 .8 .7 .6"/>'
        '<material name="red" rgba="1 .25 0 .5"/></asset><worldbody>'
        '<geom size="1" material="red"/><geom size="1" material="red" rgba="0 .5 1 1"/>'
        '<geom size="1"/><geom size="1" rgba=".25 1 .5 .75"/></worldbody></mujoco>'
    )
    found = [standalone._colour_of(model, geom) for geom in range(4)]
    grey = (0.5, 0.5, 0.5, 1.0)
    assert found == [(1, 0.25, 0, 0.5), (0, 0.5, 1, 1), grey, (0.25, 1, 0.5, 0.75)]


def test_pictures_on_surfaces_and_skins_are_left_out():
    spec = mujoco.MjSpec.from_string(
        '<mujoco><asset><texture name="checks" type="2d" builtin="checker" width="4" '
        'height="4"/><material name="floor" texture="checks" rgba="0 1 0 1"/></asset>'
        '<worldbody><geom name="ground" type="plane" size="1 1 1" material="floor"/>'
        "</worldbody></mujoco>"
    )
    found = mujoco.MjModel.from_xml_string(portrait_of(spec, {}, Appearance()).text)
    assert found.ntex == 0 and found.ngeom == 1
    assert found.mat_rgba.tolist() == [[0.0, 1.0, 0.0, 1.0]]
    assert len(spec.textures) == 1  # the scene itself is as it was
