"""Two and three modules tell each other everything, against MuJoCo, within few ticks.

What larger robots show in ``test_exchange`` and ``test_brain``, in little: the joints
move, contacts push, and nothing is level.
"""

import mujoco
import numpy as np
import pytest

from equipoise.control.com.brain.brain import Brain
from equipoise.control.com.brain.config import BrainConfig
from equipoise.control.com.goal import line_goal
from equipoise.control.com.joint_view import com_column
from oracles.brain_robots import Herd
from oracles.module_robots import (
    Engine,
    Talk,
    any_tree,
    frame_numbers,
    free_joints,
    put_frame,
    random_state,
    upright_chain,
)

TIGHT = 1e-11  # rounding: three modules, lengths to 1 m, rates to 10 m/s
HALF = 2.0**-11  # rounding of a half, relative


def pushed(engine, skin, rng):
    """Push each module's last part; return what joints feel of it."""
    model, data, felt = engine.model, engine.data, np.zeros(engine.model.nv)
    parts = len(engine.assembly.body.parts)
    for module in range(len(engine.assembly.modules)):
        body = engine.body(module, parts - 1)
        f_W, arm = rng.normal(size=3), rng.normal(size=3)
        R = data.xmat[body].reshape(3, 3)
        mujoco.mj_applyFT(
            model, data, f_W, np.zeros(3), data.xpos[body] + R @ arm, body, felt
        )
        row = skin[module * parts + parts - 1]
        row.force[:], row.moment[:] = R.T @ f_W, np.cross(arm, R.T @ f_W)
    return felt[engine.v_at]


@pytest.mark.parametrize("hop_ticks", [0, 1])
@pytest.mark.parametrize("kind, ground", [("superbot", 1), ("sliding", 0)])
def test_three_modules_know_what_the_engine_knows(kind, ground, hop_ticks, rng):
    assembly = any_tree(3, rng, kind, ground, "free")
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v, rng)
    goal = line_goal((0.1, -0.2), rng.normal(size=3))
    talk = Talk(assembly, goal=goal, hop_ticks=hop_ticks)
    put_frame(talk.base[0], engine.pose(engine.base))
    felt = pushed(engine, talk.skin, rng)
    talk.tick(q, v, 2 * assembly.diameter + 2)
    rows, free, data = talk.state.rows, free_joints(assembly), engine.data
    assert rows["known"].all()
    close = {"rtol": TIGHT, "atol": TIGHT}
    np.testing.assert_allclose(
        rows["mass"], engine.model.body_subtreemass[0], rtol=TIGHT
    )
    for name, want in (
        ("com", data.subtree_com[0]), ("velocity", data.subtree_linvel[0]),
    ):  # fmt: skip
        np.testing.assert_allclose(rows[name], np.tile(want, (len(rows), 1)), **close)
    J = engine.com_jacobian()
    columns = np.array([com_column(rows[j]) for j in free]).T
    np.testing.assert_allclose(columns, J, **close)
    xx, xy, _, yy = ((goal.frame[:2] @ J) @ (goal.frame[:2] @ J).T).ravel()
    np.testing.assert_allclose(
        rows["span"], np.tile([xx, xy, yy], (len(rows), 1)), **close
    )
    np.testing.assert_allclose(rows["touch"][free], felt, **close)
    poses = frame_numbers(talk.state.modules["pose"])
    for module in range(3):
        want = engine.pose(engine.body(module, 1))
        np.testing.assert_allclose(poses[module], want, **close)
    np.testing.assert_array_equal(rows["angle"], q.ravel())
    np.testing.assert_array_equal(rows["rate"], v.ravel())
    hops = 0.001 * hop_ticks * assembly.diameter
    assert rows["age"].max() == pytest.approx(hops)


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_joint_fades_from_the_span_before_the_limit_that_it_is_driven_to(end):
    assembly = upright_chain(2)
    limit = getattr(assembly.body.joints[0], end)
    counted = []
    for room in (0.15, 0.04, 0.0):
        q, pair = np.zeros((2, 3)), []
        q[1, 0], q[0, 0] = limit - np.sign(limit) * room, 0.4
        for goal in (5.0, -5.0):
            talk = Talk(assembly, goal=line_goal((goal, 0.0)))
            talk.tick(q, 0.0 * q, 4)
            own, *others = [com_column(row)[0] ** 2 for row in talk.state.rows[3:6]]
            pair.append((talk.state.modules[1].span[0] - sum(others)) / own)
        counted.append(sorted(pair))
    # it fades evenly on the last 0.1 rad, and only where it is driven to the limit
    assert np.ravel(counted) == pytest.approx([1, 1, 0.4, 1, 0, 1], abs=1e-9)


@pytest.fixture(scope="module")
def herd():
    """Two modules that move, know each other by frames, and are pushed."""
    rng = np.random.default_rng(3)
    assembly = any_tree(2, rng, "superbot", 1, "free")
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v, rng)
    found = Herd(assembly).sense(q, v, engine.pose(engine.base))
    felt = pushed(engine, found.brains[0].senses.skin, rng)
    before = [found.tick(1).reports()["holds"].copy() for _ in range(60)]
    return engine, found, felt, np.array(before)


def test_two_modules_know_by_frames_what_the_engine_knows(herd):
    engine, known, felt, _ = herd
    rows, data = known.each("rows").reshape(-1), engine.data
    free = free_joints(engine.assembly)
    assert rows["known"].all()
    # rounding: float32 poses and sums over one hop; twists and pushes are halves
    mass = engine.model.body_subtreemass[0]
    np.testing.assert_allclose(rows["mass"], mass, rtol=1e-6)
    np.testing.assert_allclose(
        rows["com"], np.tile(data.subtree_com[0], (len(rows), 1)), atol=1e-6
    )
    np.testing.assert_allclose(
        rows["velocity"], np.tile(data.subtree_linvel[0], (len(rows), 1)),
        atol=20 * HALF,
    )  # fmt: skip
    J = engine.com_jacobian()
    columns = np.array([com_column(rows[j]) for j in free]).T
    np.testing.assert_allclose(columns, J, atol=1e-5)
    span = (J[:2] @ J[:2].T)[np.triu_indices(2)]
    np.testing.assert_allclose(
        rows["span"], np.tile(span, (len(rows), 1)), rtol=1e-4, atol=1e-7
    )
    np.testing.assert_allclose(rows["touch"][free], felt, atol=20 * HALF)


def test_they_report_what_they_know(herd):
    engine, known, _, before = herd
    report = known.reports()
    assert before[0].all() and not before[-1].any()  # they hold at first, then steer
    assert report["holds"].tolist() == [0.0, 0.0]
    assert report["known"].tolist() == report["steady"].tolist() == [1.0, 1.0]
    assert report["open"].tolist() == [0.0, 0.0]
    assert report["count"].tolist() == [2.0, 2.0]
    assert report["leader"].tolist() == [1.0, 1.0]
    assert report["complete"].tolist() == [1.0, 1.0]
    np.testing.assert_allclose(
        report["mass"], engine.model.body_subtreemass[0], rtol=1e-6
    )
    np.testing.assert_allclose(
        report["com"], 2 * [engine.data.subtree_com[0]], atol=1e-6
    )
    assert report["age"].max() <= 8 * BrainConfig().dt
    assert report["age"].max() >= BrainConfig().dt


def test_one_that_is_stopped_says_nothing_and_its_neighbour_holds():
    herd = Herd(upright_chain(2)).tick(60)
    brain = herd.brains[0]
    assert not herd.reports()["holds"].any()
    brain.stop(1)
    herd.tick(30)
    report = herd.reports()
    assert not brain.sends[1].any() and brain.sends[0].any()
    assert report[1].leader == report[1].verdict == -1.0
    for name in (
        "known",
        "steady",
        "open",
        "complete",
        "count",
        "mass",
        "holds",
        "age",
    ):
        assert report[1][name] == 0.0
    assert report[1].com.tolist() == [0.0, 0.0, 0.0]
    assert not herd.each("rows")[1]["known"].any()
    assert report[0].holds == report[0].open == 1.0
    assert not brain.tau[1].any()


def test_a_lone_module_is_its_own_robot():
    brain = Brain(upright_chain(1), [0])
    engine = Engine(upright_chain(1)).set(np.zeros((1, 3)), np.zeros((1, 3)))
    for _ in range(60):
        brain.tick()
    report = brain.report[0]
    assert report.holds == 0.0 and report.count == 1.0 and report.leader == 1.0
    np.testing.assert_allclose(report.com, engine.data.subtree_com[0], atol=1e-12)
    assert report.mass == pytest.approx(engine.model.body_subtreemass[0], rel=1e-12)
