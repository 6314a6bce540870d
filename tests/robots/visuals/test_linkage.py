"""Bars for the eye: they meet, they reach, and nothing else changes by them."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.visuals.appearance import Appearance
from equipoise.robots.visuals.linkage import TwoBarLinkage, add_link, knees, linkages_of
from equipoise.robots.visuals.picture import picture_model
from equipoise.robots.visuals.robot_looks import robot_picture_model
from equipoise.runs.portrait import portrait_model, standing_pose, write_portrait
from equipoise.sim.machine.world import machine_world
from equipoise.sim.recorded_looks import replay_model
from equipoise.viz.shapes import data_in_pose

MACHINES = ("titan3", "titan4", "titan6", "asv")


def test_a_knee_is_where_a_right_triangle_has_it():
    ends = np.array([[[0.0, 0.0, 5.0], [0.0, 0.0, 0.0]]])
    lengths, bend = np.array([[3.0, 4.0]]), np.array([[2.0, 0.0, 7.0]])
    # 3-4-5: the foot of the height is 9/5 from the first end, the height 12/5
    np.testing.assert_allclose(
        knees(ends, lengths, bend), [[2.4, 0.0, 3.2]], atol=1e-12
    )
    far = knees(ends, np.array([[1.0, 2.0]]), bend)  # too short: straight, no NaN
    assert np.isfinite(far).all()
    assert far[0, 0] == 0.0


@pytest.mark.parametrize("name", MACHINES)
def test_bars_reach_every_place_of_a_foot(name):
    robot = eq.load(name)
    model, rng = robot_picture_model(robot), np.random.default_rng(3)
    assert model.nq == robot.model.nq
    links = linkages_of(model)
    assert len(links.bodies) == (0 if name == "titan6" else 2 * len(robot.feet))
    low, high = robot.model.jnt_range[1:].T
    for share in (*rng.uniform(size=(20, len(low))), *np.eye(2)[:, :1]):
        qpos = standing_pose(robot)
        qpos[7:] = low + share * (high - low)
        data = data_in_pose(model, qpos)
        for bodies, ends, bars in zip(
            links.bodies, links.ends, links.bars, strict=True
        ):
            own = [int(np.flatnonzero(model.body_mocapid == bar)[0]) for bar in bars]
            geoms = [int(model.body_geomadr[body]) for body in own]
            half = [model.geom_size[g, 1] * data.geom_xmat[g, 2::3] for g in geoms]
            places = [data.geom_xpos[g] for g in geoms]
            tips = [data.xpos[b] + data.xmat[b].reshape(3, 3) @ e
                    for b, e in zip(bodies, ends, strict=True)]  # fmt: skip
            np.testing.assert_allclose(places[0] - half[0], tips[0], atol=1e-9)
            np.testing.assert_allclose(
                places[0] + half[0], places[1] - half[1], atol=1e-9
            )
            np.testing.assert_allclose(places[1] + half[1], tips[1], atol=1e-9)


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_drawn_neither_weighs_nor_touches(name):
    robot = eq.load(name)
    model, picture = robot.model, robot_picture_model(robot)
    np.testing.assert_array_equal(picture.body_mass[: model.nbody], model.body_mass)
    assert picture.body_mass[model.nbody :].sum() == 0.0
    solid = [g for g in range(model.ngeom) if model.geom_contype[g]]
    assert {model.geom(g).name for g in solid} == {"trunk", *robot.feet}
    world = machine_world(robot).model  # as it is simulated: no shape for the eye
    assert world.ngeom == 1 + 1 + len(robot.feet) * 3  # two knees a leg touch too
    assert world.nbody == model.nbody


def test_a_person_stands_beside_a_machine_and_nobody_beside_a_tree(tmp_path):
    tall = portrait_model(eq.load("titan3"))
    data = data_in_pose(tall, standing_pose(eq.load("titan3")))
    top = data.geom_xpos[-1, 2] + tall.geom_size[-1, 0]
    assert top == pytest.approx(1.8)
    tree = eq.load("superbot", modules=3)
    assert portrait_model(tree) is robot_picture_model(tree)
    assert write_portrait(eq.load("titan3"), tmp_path / "a.png").stat().st_size > 10_000


def test_a_recording_keeps_its_bars():
    result = eq.simulate(eq.load("titan3"), seconds=2.5, gait="crawl", speed=0.1)
    model = replay_model(result.dataset, "the run")
    assert len(linkages_of(model).bodies) == 8


def test_bars_that_make_no_sense_are_left_out():
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="a").add_geom(size=[0.1, 0.0, 0.0])
    good = {"bodies": ("a", "a"), "ends": ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            "lengths": (0.6, 0.6), "bend": (1.0, 0.0, 0.0), "radius": 0.1,
            "rgba": (1.0, 1.0, 1.0, 1.0)}  # fmt: skip
    wrong = ({}, {"bodies": ("a", "b")}, {"lengths": (0.0, 1.0)},
             {"bend": (0.0, 0.0, 0.0)}, {"radius": -1.0}, {"radius": 1e9})  # fmt: skip
    for k, change in enumerate(wrong):
        add_link(spec, TwoBarLinkage(name=str(k), **{**good, **change}))
    spec.add_numeric(name="linkage:short", size=2, data=[1.0, 2.0])
    model = picture_model(spec, Appearance())
    assert len(linkages_of(model).bodies) == 1  # the first
