"""The two passes against brute force, against MuJoCo, and in float32."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import ShapeError
from equipoise.spatial import MassProperties, Pose, add10, transform10, tree_mass
from oracles.trees import Tree, chain_of_modules, mujoco_model, random_tree
from oracles.versions import PRINCIPAL_AXES

W = 0.084  # module width [m]
seeds = st.integers(0, 2**32 - 1)
kinds = st.sampled_from(["chain", "star", "random"])


def poses(tree: Tree) -> list[Pose]:
    """Return every node's pose seen from the root."""
    made = [Pose.identity()]
    for k in range(1, len(tree.parent)):
        made.append(made[tree.parent[k]] @ Pose(tree.R_PC[k], tree.p_PC[k]))
    return made


def brute_force(tree: Tree, node: int, members: list[int]) -> np.ndarray:
    """Return the sum of the members' (4, 4) forms seen from one node, (10,)."""
    X_N = poses(tree)
    S = np.zeros((4, 4))
    for k in members:
        X = (X_N[node].inverse() @ X_N[k]).matrix
        S += X @ tree.bodies[k].second_moment @ X.T
    return S[(3, 0, 1, 2, 0, 0, 0, 1, 1, 2), (3, 3, 3, 3, 0, 1, 2, 1, 2, 2)]


def below(tree: Tree, node: int) -> list[int]:
    found = [node]
    for k in range(node + 1, len(tree.parent)):
        if tree.parent[k] in found:
            found.append(k)
    return found


@given(seeds, kinds, st.integers(1, 12))
def test_both_layouts_agree_with_brute_force(seed: int, kind: str, n: int) -> None:
    tree = random_tree(kind, n, np.random.default_rng(seed))
    additive = tree_mass(tree.parent, tree.R_PC, tree.p_PC, tree.own)
    rows = np.array([b.to_factored_vector() for b in tree.bodies])
    factored = tree_mass(tree.parent, tree.R_PC, tree.p_PC, rows, layout="factored")
    everyone = list(range(n))
    for k in everyone:
        subtree = below(tree, k)
        rest = [j for j in everyone if j not in subtree]
        for got, other, members in (
            (additive.whole, factored.whole, everyone),
            (additive.subtree, factored.subtree, subtree),
            (additive.beyond, factored.beyond, rest),
        ):
            want = brute_force(tree, k, members)
            # rounding: n bodies, at most n transforms each, of numbers this size
            limit = 1e-14 * n * max(1.0, np.abs(want).max())
            assert np.abs(got[k] - want).max() < limit
            body = MassProperties.from_factored_vector(other[k])
            assert np.abs(body.to_vector() - want).max() < 4 * limit


@given(seeds, st.integers(1, 40))
def test_subtrees_agree_with_mujoco(seed: int, n: int) -> None:
    tree = random_tree("random", n, np.random.default_rng(seed))
    model = mujoco_model(tree)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    assert model.nbody == n + 1
    subtree = tree_mass(tree.parent, tree.R_PC, tree.p_PC, tree.own).subtree
    size = np.abs(data.xipos).max()
    body = [model.body(str(k)).id for k in range(n)]
    for k, b in enumerate(body):
        R_WN, p_WN = data.xmat[b].reshape(3, 3), data.xpos[b]
        seen = MassProperties.from_vector(subtree[k]).transformed(R_WN, p_WN)
        # rounding, relative 1e-12 as promised, of the lengths and masses involved
        assert seen.mass == pytest.approx(model.body_subtreemass[b], rel=1e-12)
        assert np.abs(seen.com - data.subtree_com[b]).max() < 1e-12 * size
        inertia = np.zeros((3, 3))
        for j in (body[j] for j in below(tree, k)):
            R_WI, arm = data.ximat[j].reshape(3, 3), data.xipos[j] - seen.com
            inertia += R_WI @ np.diag(model.body_inertia[j]) @ R_WI.T
            inertia += model.body_mass[j] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        error = np.abs(seen.inertia - inertia).max()
        assert error < PRINCIPAL_AXES * seen.mass * (1 + size**2)


def test_kernels_add_and_transform_like_the_class() -> None:
    tree = random_tree("star", 2, np.random.default_rng(0))
    a, b = tree.bodies
    row, seen = a.to_vector(), np.empty(10)
    transform10(tree.R_PC[1], tree.p_PC[1], b.to_vector(), seen)
    add10(row, seen)
    want = (a + b.transformed(tree.R_PC[1], tree.p_PC[1])).to_vector()
    assert np.abs(row - want).max() < 1e-13  # rounding
    transform10(tree.R_PC[1], tree.p_PC[1], row, row)  # in place
    want = MassProperties.from_vector(want).transformed(tree.R_PC[1], tree.p_PC[1])
    assert np.abs(row - want.to_vector()).max() < 1e-12  # rounding


@pytest.mark.parametrize("tilted", [False, True])
def test_a_thousand_modules_in_float32(tilted: bool) -> None:
    n = 1000
    tree = chain_of_modules(n, tilted, np.random.default_rng(0))
    exact = tree_mass(tree.parent, tree.R_PC, tree.p_PC, tree.own)
    rows = np.array([b.to_factored_vector() for b in tree.bodies], np.float32)
    single = tree_mass(tree.parent, tree.R_PC, tree.p_PC, rows, layout="factored")
    assert {a.dtype for a in single} == {np.dtype(np.float32)}
    # the message that describes the leaf's side, two modules: a few roundings (6e-8) of
    # one module length, 2 W
    leaf = single.subtree[n - 2, 1:4] / single.subtree[n - 2, 0]
    want = exact.subtree[n - 2, 1:4] / exact.subtree[n - 2, 0]
    assert np.linalg.norm(want) == pytest.approx(W)
    assert np.abs(leaf - want).max() < 1e-6 * W
    com = exact.whole[:, 1:4] / exact.whole[:, :1]
    error = np.linalg.norm(single.whole[:, 1:4] / single.whole[:, :1] - com, axis=1)
    # rounding: 2e-5 is the promise; 1000 float32 sums leave 1e-6 of 84 m, and near the
    # middle the two sides' errors cancel because they are built alike
    assert (error / np.linalg.norm(com, axis=1)).max() < 2e-5
    for table in single:
        for row in table[1:]:
            inertia = MassProperties.from_factored_vector(row).inertia
            assert np.linalg.eigvalsh(inertia.astype(np.float64))[0] > 0


@pytest.mark.parametrize("layout", ["additive", "factored"])
def test_a_single_node_is_all_there_is(layout: str) -> None:
    tree = random_tree("chain", 1, np.random.default_rng(1))
    all_of_it = tree_mass([-1], tree.R_PC, tree.p_PC, tree.own, layout=layout)  # type: ignore[arg-type]
    assert np.array_equal(all_of_it.whole, tree.own)
    assert np.array_equal(all_of_it.subtree, tree.own)
    assert not all_of_it.beyond.any()


def test_inputs_are_left_alone() -> None:
    tree = random_tree("random", 9, np.random.default_rng(2))
    before = [a.copy() for a in (tree.parent, tree.R_PC, tree.p_PC)]
    own = tree.own
    tree_mass(tree.parent, tree.R_PC, tree.p_PC, own)
    assert np.array_equal(own, tree.own)
    for a, b in zip(before, (tree.parent, tree.R_PC, tree.p_PC), strict=True):
        assert np.array_equal(a, b)


def test_bad_trees_get_a_sentence() -> None:
    tree = random_tree("chain", 3, np.random.default_rng(3))
    R, p, own = tree.R_PC, tree.p_PC, tree.own
    cases = [
        (([0, 0, 1], R, p, own), r"parent\[0\] must be -1"),
        (([-1, 2, 0], R, p, own), r"parent\[1\] must be an earlier .* got 2"),
        (([-1, -1, 0], R, p, own), r"parent\[1\] must be an earlier node"),
        (([], R, p, own), "parent must be a list"),
        (([-1.0, 0.0, 1.0], R, p, own), "parent must be a list"),
        (([-1, 0, 1], R[:2], p, own), "R_PC must have shape"),
        (([-1, 0, 1], R, p, own[:, :9]), "own must have shape"),
        (([-1, 0, 1], R, p, own.astype(int)), "dtype must be"),
        (([-1, 0, 1], R, p * [[1], [1], [np.nan]], own), r"p_PC\[2\] must be finite"),
        (([-1, 0, 1], R, p, np.full((3, 10), 1e308)), "overflows float64"),
    ]
    for arguments, sentence in cases:
        with pytest.raises(ShapeError, match=sentence):
            tree_mass(*arguments)
    with pytest.raises(ShapeError, match="layout must be"):
        tree_mass([-1, 0, 1], R, p, own, layout="flat")  # type: ignore[arg-type]
