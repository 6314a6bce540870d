"""Plots of a robot on its feet, and shapes outside their body's collision box."""

import mujoco
import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from equipoise.stability.rigid.hull import support_polygon
from equipoise.viz.camera import camera_for
from equipoise.viz.limits_plot import plot_limits
from equipoise.viz.raycast import draw
from equipoise.viz.shapes import geom_colours, with_wide_boxes
from equipoise.viz.stand_plots import joint_angles, plot_stand


def test_a_shape_that_does_not_collide_is_drawn_beside_one_that_does():
    model = biped().model
    pose = np.array(model.key("start").qpos)
    size = (160, 240)
    camera = camera_for(model, [pose], size=size, azimuth_deg=90.0)
    image = draw(model, pose, size=size, camera=camera).astype(float)
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    head = data.geom_xpos[model.geom("head").id]
    x, y, _ = camera.project(head, size)[0]
    pixel = image[int(y), int(x)]
    skin = geom_colours(model)[model.geom("head").id, :3]
    # the sky is white; skin is lit more or less but keeps its hue
    assert pixel.max() < 235.0
    assert pixel[0] / pixel[2] == pytest.approx(skin[0] / skin[2], rel=0.1)


def test_the_model_itself_keeps_its_boxes():
    model = biped().model
    before = model.bvh_aabb.copy()
    wide = with_wide_boxes(model)
    assert (wide.bvh_aabb[:, 3:] >= before[:, 3:]).all()
    assert (wide.bvh_aabb != before).any()
    np.testing.assert_array_equal(model.bvh_aabb, before)


def test_joint_angles_are_found_by_name():
    run = xr.Dataset(
        {"qpos": (("frame_time", "coordinate"), [[9.0, 0.5], [9.0, 1.0]])},
        {"coordinate": ["base.x", "knee"], "actuator": ["knee", "tail"]},
    )
    found = joint_angles(run)
    np.testing.assert_allclose(found[:, 0], np.degrees([0.5, 1.0]))
    assert np.isnan(found[:, 1]).all()


def test_the_outline_of_a_sole_leaves_inner_points_out():
    square = np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.4], [1.0, 1.0], [0.0, 1.0]])
    assert sorted(map(tuple, support_polygon(square))) == sorted(
        map(tuple, square[[0, 1, 3, 4]])
    )
    line = square[:2]
    np.testing.assert_array_equal(support_polygon(line), line)


def test_nothing_to_plot_gets_a_sentence(tmp_path):
    with pytest.raises(ConfigError, match="no signal 'position_error'; give one of a"):
        plot_stand(xr.Dataset(), tmp_path / "a.png")
    with pytest.raises(ConfigError, match="needs at least one result, got none"):
        plot_limits([], tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
