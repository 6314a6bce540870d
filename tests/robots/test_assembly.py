"""Assemblies made in Python: their checks, their walk, and where the modules are."""

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError, ShapeError
from equipoise.robots.assembled import (
    DEEPEST,
    deepest_body,
    robot_from_assembly,
)
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import ModuleJoint, mating
from equipoise.robots.assembly.module_shapes import branch_of
from equipoise.robots.engine import built
from equipoise.robots.superbot.superbot import random_assembly, random_tree
from oracles.versions import OLD_ENGINE

FRONT_A, LEFT_A, FRONT_B = 0, 1, 3
SECOND_PART = "inner_a"  # whose frame is the module's own


def chain(n: int, *extra: Connection, ground: Ground | None = None) -> Assembly:
    """Return a straight chain, with more connections if asked."""
    rows = tuple(PlacedModule(f"m{k}", (0.0, 0.0, 0.0)) for k in range(n))
    links = [Connection(k, FRONT_B, k + 1, FRONT_A, 0) for k in range(n - 1)]
    return Assembly(
        "chain", SuperbotModule(), rows, (*links, *extra), ground or Ground(0, FRONT_A)
    )


def ring(n: int) -> set[str]:
    """Return the modules that the message of a closed chain names."""
    with pytest.raises(ConfigError, match="form a loop") as caught:
        chain(n + 2, Connection(1, LEFT_A, n, LEFT_A, 0))
    listed = str(caught.value).split("modules ")[1].split(" form")[0]
    return {name.strip("'") for name in listed.split(", ")}


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_a_loop_is_named_by_its_modules_and_no_others(n: int):
    assert ring(n) == {f"m{k}" for k in range(1, n + 1)}


def test_a_straight_chain_stands_as_high_as_its_modules():
    plan = chain(4)
    heights = [X.p[2] for X in plan.module_poses()]
    # exact: sums of 0.042, each rounded once or twice
    np.testing.assert_allclose(heights, 0.042 + 0.168 * np.arange(4), atol=1e-15)
    assert plan.diameter == 3
    assert [link.module for link in plan.walk] == [0, 1, 2, 3]
    assert plan.module_poses()[0].p[:2].tolist() == [0.0, 0.0]


def test_the_walk_and_the_diameter_of_a_chain_held_in_the_middle():
    plan = chain(5, ground=Ground(2, LEFT_A))
    assert plan.diameter == 4
    assert {(link.parent, link.module) for link in plan.walk} == {
        (-1, 2), (2, 1), (2, 3), (1, 0), (3, 4),
    }  # fmt: skip


@settings(max_examples=12)
@given(
    modules=st.integers(1, 15),
    seed=st.integers(0, 999),
    kind=st.sampled_from(["superbot", "mtran", "conro"]),
    mount=st.sampled_from(["fixed", "free"]),
    forward=st.sampled_from([0.0, 0.004]),
)
def test_module_poses_agree_with_mujoco(modules, seed, kind, mount, forward):
    module = SuperbotModule(kind=kind, side_forward=forward)
    plan = random_assembly(modules, 1 + seed % modules, seed, "random", module, mount)
    model = robot_from_assembly(plan).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    for placed, X_WM in zip(plan.modules, plan.module_poses(), strict=True):
        body = data.body(f"{placed.name}_{SECOND_PART}")
        # rounding: up to 60 products of rotations, positions of a metre or two
        np.testing.assert_allclose(X_WM.p, body.xpos, rtol=0, atol=1e-12)
        np.testing.assert_allclose(X_WM.R.ravel(), body.xmat, rtol=0, atol=1e-12)


def test_module_poses_take_other_angles(rng: np.random.Generator):
    plan = random_assembly(6, 2, 5)
    angles = rng.uniform(-1.0, 1.0, (6, 3))
    rows = tuple(
        PlacedModule(m.name, tuple(q))
        for m, q in zip(plan.modules, angles, strict=True)
    )
    moved = Assembly(plan.name, plan.module, rows, plan.connections, plan.ground)
    for X, Y in zip(plan.module_poses(angles), moved.module_poses(), strict=True):
        np.testing.assert_array_equal(X.matrix, Y.matrix)  # exact: the same sums
    with pytest.raises(
        ShapeError, match=r"angles must have shape \(6, 3\), got \(5, 3\)"
    ):
        plan.module_poses(angles[:5])


@pytest.mark.parametrize("turn", range(4))
def test_mating_faces_oppose_and_undo_themselves(turn: int):
    X = mating(turn)
    np.testing.assert_array_equal(X.R[:, 2], [0.0, 0.0, -1.0])  # exact: 0 and 1 only
    np.testing.assert_array_equal((X @ X).matrix, np.eye(4))
    marks = [mating(t).R[:, 0].tolist() for t in range(4)]
    assert len({tuple(m) for m in marks}) == 4  # four different rotations


@pytest.mark.parametrize(
    ("kind", "angle"), [("mtran", 0.0), ("conro", 90.0), ("superbot", None)]
)
def test_emulation_locks_the_roll_joint(kind: str, angle: float | None, rng):
    """Hinge axes: parallel for M-TRAN, crossed at right angles for CONRO."""
    module = SuperbotModule(kind=kind)
    model = robot_from_assembly(random_assembly(1, 1, 0, "zero", module)).model
    data = mujoco.MjData(model)
    assert model.nu == model.njnt == (3 if angle is None else 2)
    seen = set()
    for _ in range(3):
        data.qpos[:] = rng.uniform(-1.0, 1.0, model.nq)
        mujoco.mj_forward(model, data)
        u, v = (data.joint(f"m0_hinge_{s}").xaxis for s in "ab")
        seen.add(round(float(np.degrees(np.arccos(np.clip(abs(u @ v), 0, 1)))), 5))
    if angle is None:
        assert len(seen) == 3  # free to roll
    else:
        # 1e-5 degrees: arccos of a cosine known to 1e-16 near 1 is good to 1e-8 rad
        assert seen == {angle}


def test_bad_plans_are_refused():
    rows = (PlacedModule("m", (0.0, 0.0, 0.0)),)
    with pytest.raises(
        ConfigError, match="mount must be 'fixed', 'free' or 'feet', got 'glue'"
    ):
        Assembly("x", SuperbotModule(), rows, (), Ground(0, 0, "glue"))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no modules"):
        Assembly("x", SuperbotModule(), (), (), Ground(0, 0))
    with pytest.raises(ConfigError, match="'m' is used 2 times"):
        Assembly("x", SuperbotModule(), rows * 2, (), Ground(0, 0))
    with pytest.raises(ConfigError, match="ground module 7 does not exist"):
        Assembly("x", SuperbotModule(), rows, (), Ground(7, 0))
    with pytest.raises(ConfigError, match="connector 9 of 'm' does not exist"):
        Assembly("x", SuperbotModule(), rows, (), Ground(0, 9))
    with pytest.raises(ConfigError, match="turn must be 0 to 3 quarter turns, got 4"):
        chain(3, Connection(0, LEFT_A, 2, LEFT_A, 4))
    with pytest.raises(ConfigError, match="angles must be numbers, got"):
        PlacedModule("m", ("a", 0.0, 0.0))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="axis must have length 1, got"):
        joint = SuperbotModule().body().joints[0]
        ModuleJoint(**{**vars(joint), "axis": np.array([0.0, 2.0, 0.0])})


def test_branches_are_counted_from_the_ground():
    """A T of three arms of 3, 2 and 1 modules: the longest goes on with the colour."""
    rows = tuple(PlacedModule(f"m{k}", (0.0,) * 3) for k in range(7))
    joins = [(0, 3, 1), (1, 3, 2), (2, 3, 3), (0, 4, 4), (4, 3, 5), (0, 5, 6)]
    links = tuple(Connection(a, face, b, 0, 0) for a, face, b in joins)
    plan = Assembly("t", SuperbotModule(), rows, links, Ground(0, 0))
    assert branch_of(plan) == [0, 0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("branches", [1, 3])
def test_the_longest_row_of_bodies_is_the_compiled_one(branches):
    robot = random_tree(modules=12, branches=branches, seed=branches)
    depth = np.zeros(robot.model.nbody, int)
    for body in range(1, robot.model.nbody):
        depth[body] = depth[robot.model.body_parentid[body]] + 1
    assert deepest_body(robot.assembly) == depth.max()


def test_the_engine_takes_as_many_bodies_in_a_row_as_we_say():
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for _ in range(DEEPEST):
        body = body.add_body(mass=1.0, inertia=[1.0, 1.0, 1.0], explicitinertial=True)
    assert built(spec.copy(), "a row").nbody == DEEPEST + 1
    if OLD_ENGINE:  # says so at once
        with pytest.raises(RuntimeError):
            body.add_body(mass=1.0)
        return
    body.add_body(mass=1.0, inertia=[1.0, 1.0, 1.0], explicitinertial=True)
    with pytest.raises(
        ConfigError, match="a row is not usable: MuJoCo cannot build it"
    ):
        built(spec, "a row")
