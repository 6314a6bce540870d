"""A robot that stands on the balls of four modules."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.file import read_assembly, write_assembly
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.quadruped import LEGS, superbot_quadruped

FEET = tuple(f"{leg}_lower_ball_b" for leg in LEGS)


def started(plan):
    """Return the compiled model and its state at the start."""
    model = robot_from_assembly(plan).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("slope", [0.2, 0.5, 1.1])
def test_it_stands_level_on_four_feet(slope):
    plan = superbot_quadruped(slope)
    assert robot_from_assembly(plan).feet == FEET
    model, data = started(plan)
    lowest = data.geom_xpos[:, 2] - model.geom_size[:, 0]
    balls = [g for g in range(model.ngeom) if "ball" in model.geom(g).name]
    touching = {model.geom(g).name for g in balls if abs(lowest[g]) < 1e-12}
    assert touching == set(FEET)
    assert min(lowest[g] for g in balls) > -1e-12
    trunk = [data.body(f"{end}_inner_a").xpos[2] for end in ("front", "rear")]
    # heights are sums of a dozen lengths below 1 m
    assert trunk[0] == pytest.approx(trunk[1], abs=1e-14)


def test_x_is_forward_and_y_is_left():
    _, data = started(superbot_quadruped())
    place = {leg: data.body(f"{leg}_lower_outer_b").xpos[:2] for leg in LEGS}
    assert place["front_left"][0] > place["rear_left"][0] + 0.2
    assert place["front_left"][1] > place["front_right"][1] + 0.2
    centre = np.mean(list(place.values()), axis=0)
    np.testing.assert_allclose(data.subtree_com[0, :2], centre, atol=1e-14)


def test_its_plan_agrees_with_the_engine():
    plan = superbot_quadruped(0.7)
    _, data = started(plan)
    for module, X_WM in zip(plan.modules, plan.module_poses(), strict=True):
        body = data.body(f"{module.name}_inner_a")
        np.testing.assert_allclose(X_WM.p, body.xpos, atol=1e-14)
        np.testing.assert_allclose(X_WM.R.ravel(), body.xmat, atol=1e-14)


def test_a_file_of_it_reads_back(tmp_path):
    plan = superbot_quadruped(0.4, SuperbotModule(mass_scale=0.3))
    write_assembly(plan, tmp_path / "quadruped.yaml")
    assert "mount: feet" in (tmp_path / "quadruped.yaml").read_text()
    assert read_assembly(tmp_path / "quadruped.yaml") == plan


def test_it_refuses_legs_that_cannot_be():
    with pytest.raises(ConfigError, match=r"slope must be .* got 2\.0; kind must be"):
        superbot_quadruped(2.0, SuperbotModule(kind="mtran"))
