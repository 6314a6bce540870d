"""Random trees: the paper's spread, no contact at the start, same seed same tree."""

import re

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.assembled import deepest_body, robot_from_assembly
from equipoise.robots.assembly.module import SuperbotModule, box_inertia
from equipoise.robots.superbot import superbot
from equipoise.robots.superbot.superbot import random_assembly, random_tree
from equipoise.sim.world import build_world

SEEDS = range(100)


@pytest.fixture(scope="module")
def trees():
    """The hundred trees of 4 x 5 modules, straight."""
    return [random_tree(seed=seed) for seed in SEEDS]


def test_initial_distances_are_those_of_the_setting(trees):
    """Median 1.3 to 2.0 module widths, largest above 4, over seeds 0 to 99."""
    distances = []
    for robot in trees:
        data = mujoco.MjData(robot.model)
        mujoco.mj_forward(robot.model, data)
        width = robot.assembly.module.width
        distances.append(np.hypot(*data.subtree_com[0][:2]) / width)
    # statistical: the bounds of the requirement; found 1.556 and 4.68
    assert 1.3 <= np.median(distances) <= 2.0
    assert max(distances) > 4.0


def test_nothing_touches_at_the_start(trees):
    touching = [r.name for r in trees if build_world(r).start().ncon != 0]
    assert touching == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["superbot", "mtran", "conro"])
def test_nothing_touches_with_random_angles(seed: int, kind: str):
    robot = random_tree(20, 4, seed, "random", SuperbotModule(kind=kind))
    assert build_world(robot).start().ncon == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_free_tree_touches_the_ground_with_its_foot_only(seed: int):
    world = build_world(random_tree(seed=seed, mount="free"))
    data = world.start()
    foot, ground = world.model.geom("foot").id, world.model.geom("ground").id
    pairs = {tuple(sorted(map(int, c.geom))) for c in data.contact}
    assert pairs == {tuple(sorted((foot, ground)))}


def test_contact_balls_that_overlap_are_seen_by_the_world():
    """The check above can fail: a module bent back onto its neighbour does touch."""
    plan = random_assembly(3, 1, 2)
    world = build_world(robot_from_assembly(plan))
    data = world.start()
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(200):
        data.qpos[:] = rng.uniform(*world.model.jnt_range.T)
        mujoco.mj_forward(world.model, data)
        found += data.ncon > 0
    assert found > 0


def test_the_root_is_upright_and_fixed_at_the_origin(trees):
    for robot in trees[:10]:
        assert robot.base == "m0_outer_a"
        model = robot.model
        body = model.body(robot.base)
        assert body.parentid[0] == 0
        assert body.jntnum[0] == 0
        X_WM = robot.assembly.module_poses()[0]
        # exact: the root's axes are the world's, perhaps turned about the vertical
        np.testing.assert_array_equal(X_WM.R[:, 2], [0.0, 0.0, 1.0])
        np.testing.assert_array_equal(X_WM.p, [0.0, 0.0, 0.042])
        assert not np.any(model.body_dofnum[0])


@pytest.mark.parametrize(
    ("modules", "branches"),
    [(1, 1), (2, 2), (7, 3), (20, 4), (20, 20), (33, 5), (200, 4), (60, 30)],
)
def test_any_number_of_modules_in_any_number_of_branches(modules: int, branches: int):
    plan = random_assembly(modules, branches, seed=1)
    assert len(plan.modules) == modules
    assert len(plan.connections) == modules - 1
    assert len(plan.walk) == modules
    # a branch goes on from its newest module; only its first one may hang elsewhere
    jumps = [c for c in plan.connections if c.a != c.b - 1]
    assert len(jumps) <= branches - 1
    longest = -(-modules // branches)
    assert plan.diameter >= longest - 1


def test_same_seed_same_tree_other_seed_other_tree():
    for angles in ("zero", "random"):
        plans = [random_assembly(12, 3, seed, angles) for seed in (0, 1, 2, 3)]
        again = [random_assembly(12, 3, seed, angles) for seed in (0, 1, 2, 3)]
        assert plans == again
        shapes = {(p.connections, p.modules) for p in plans}
        assert len(shapes) == 4


def test_random_angles_fill_their_limits():
    plan = random_assembly(200, 4, 7, "random")
    angles = np.array([m.angles for m in plan.modules])
    limits = np.array([np.pi / 2, np.pi, np.pi / 2])
    assert np.all(np.abs(angles) <= limits)
    # statistical: 200 uniform draws miss the outer fifth at one end with 1e-10
    assert np.all(angles.max(axis=0) > 0.8 * limits)
    assert np.all(angles.min(axis=0) < -0.8 * limits)
    zero = random_assembly(5, 2, 7)
    assert all(m.angles == (0.0, 0.0, 0.0) for m in zero.modules)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"modules": 0}, "modules must be >= 1, got 0"),
        ({"modules": 2.5}, "modules must be a whole number, got 2.5"),
        ({"modules": True}, "modules must be a whole number, got True"),
        (
            {"modules": 3, "branches": 4},
            "branches must be at most the 3 modules, got 4",
        ),
        ({"branches": 0}, "branches must be >= 1, got 0"),
        ({"seed": -1}, "seed must be >= 0, got -1"),
        ({"seed": None}, "seed must be a whole number, got None"),
        ({"angles": "some"}, "angles must be 'zero' or 'random', got 'some'"),
        ({"mount": "glued"}, "mount must be 'fixed' or 'free', got 'glued'"),
    ],
)
def test_counts_that_do_not_fit_are_refused(options, match):
    with pytest.raises(ConfigError, match=match):
        random_tree(**options)


def test_balls_wider_than_a_module_are_refused():
    with pytest.raises(
        ConfigError, match=r"contact_radius must be at most hinge_offset"
    ):
        SuperbotModule(contact_radius=0.05)
    with pytest.raises(ConfigError, match=r"at most side_offset, 0\.03 m, got 0\.04"):
        SuperbotModule(side_offset=0.03)


def test_a_box_turns_as_the_engines_does():
    spec, sides = mujoco.MjSpec(), np.array([0.3, 0.2, 0.05])
    body = spec.worldbody.add_body(name="box")
    body.add_freejoint()
    box = mujoco.mjtGeom.mjGEOM_BOX
    body.add_geom(type=box, size=0.5 * sides, mass=1.7)
    own = spec.compile().body("box")
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, own.iquat)
    R = R.reshape(3, 3)
    engine = R @ np.diag(own.inertia) @ R.T
    np.testing.assert_allclose(box_inertia(1.7, *sides), engine, rtol=1e-12, atol=1e-15)


def test_mass_is_what_the_module_says(trees):
    module = SuperbotModule()
    # rounding: 80 parts summed
    assert trees[0].model.body_mass.sum() == pytest.approx(20 * 0.0718, rel=1e-14)
    body = module.body()
    assert body.mass((0.3, 0.5, -0.2)).mass == pytest.approx(0.0718, rel=1e-14)
    heavy = random_tree(3, 1, module=SuperbotModule(mass_scale=1.0))
    assert heavy.model.body_mass.sum() == pytest.approx(3 * 0.718, rel=1e-14)


def test_visible_shapes_weigh_nothing_touch_nothing_and_are_few(trees):
    model = trees[4].model
    seen = model.geom_group == 2
    assert not np.any(model.geom_contype[seen] | model.geom_conaffinity[seen])
    assert np.bincount(model.geom_bodyid[seen]).max() <= 3
    assert len(np.unique(model.geom_rgba[seen & (model.geom_group == 2)], axis=0)) > 3
    for part in ("outer_a", "inner_a", "inner_b", "outer_b"):
        body = model.body(f"m3_{part}")
        own = trees[4].assembly.body.part_mass[trees[4].assembly.body.parts.index(part)]
        assert body.mass[0] == own.mass
        # rounding of one diagonalisation
        np.testing.assert_allclose(
            np.sort(body.inertia), own.principal()[0], rtol=1e-12
        )


def test_a_tree_too_deep_is_answered_with_branches_that_would_do(monkeypatch):
    """The number in the sentence was tried: with it the rows are short enough."""
    monkeypatch.setattr(superbot, "DEEPEST", 60)
    monkeypatch.setattr(superbot, "AIM", 45)
    with pytest.raises(
        ConfigError, match=r"a tree of 40 modules in 1 branches"
    ) as error:
        random_tree(40, 1, 3)
    found = re.search(r"(\d+) branches would do \(--branches (\d+)\)", str(error.value))
    assert found is not None
    assert found[1] == found[2]
    assert deepest_body(random_assembly(40, int(found[1]), 3)) <= 60
