"""The work of a step of the engine, counted by hand, and budgets from both sides."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.scene.engine_work import EngineWork, tree_work

ARM = """<mujoco><option solver="{solver}" noslip_iterations="{noslip}" cone="{cone}"/>
<worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>"""
FREE = '<body pos="0 0 1"><freejoint/><geom size=".1"/>{}</body>'
LINK = (
    '<body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1"/><geom size=".05"/></body>'
)
BOX = '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'


def model_of(bodies: str, solver="Newton", noslip=0, cone="pyramidal"):
    text = ARM.format(bodies=bodies, solver=solver, noslip=noslip, cone=cone)
    return mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize(
    ("bodies", "count", "shapes", "depths"),
    [
        ("", 1, 1, 0.0),
        (FREE.format(""), 2, 2, 1 + 4 + 9 + 16 + 25 + 36),
        (FREE.format(LINK), 3, 4, 91 + 49),
        # two arms of one trunk do not hang on each other
        (FREE.format(LINK + LINK), 4, 6, 91 + 49 + 49),
        (LINK + LINK, 3, 5, 1 + 1),
    ],
)
def test_joints_count_by_how_many_move_them(bodies, count, shapes, depths):
    wanted = 5.0 + 0.35 * count + 0.1 * shapes + 7e-4 * depths
    assert tree_work(model_of(bodies)) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("solver", "noslip", "is_coupled"),
    [("Newton", 0, False), ("CG", 0, False), ("PGS", 0, True), ("Newton", 3, True)],
)
def test_contacts_count_by_entries_and_turns_of_the_solver(solver, noslip, is_coupled):
    model = model_of(BOX, solver, noslip)
    data = mujoco.MjData(model)
    for _ in range(5):
        mujoco.mj_step(model, data)
    assert data.ncon == 4
    rounds = 1.0 + data.solver_niter.max()
    work = tree_work(model) + 0.2 * 4 + 0.012 * rounds * data.efc_J.size
    if is_coupled:
        work += 2e-3 * (rounds + noslip) * data.nefc**2
    found = EngineWork(model, 1e9).step(data)
    assert found == pytest.approx(work, rel=1e-12)
    assert found > tree_work(model) + 0.8


def test_a_budget_is_spent_step_by_step():
    model = model_of(FREE.format(LINK))  # in the air: every step is the same
    each = tree_work(model)
    for steps, is_done in ((10, True), (11, False)):
        work = EngineWork(model, 10.5 * each)
        data = mujoco.MjData(model)
        assert work.run(data, steps) is is_done
        assert data.time == pytest.approx(0.002 * steps)
    work, data = EngineWork(model, 10.5 * each), mujoco.MjData(model)
    assert work.run(data, 4)
    assert work.can_step(data, 6) and not work.can_step(data, 7)
    assert work.run(data, 0) and data.time == pytest.approx(0.008)


def test_many_steps_are_made_in_pieces():
    """After the first, as many at a time as 100,000 units allow."""
    model = model_of("")
    each, pieces = tree_work(model), []
    plain = mujoco.mj_step

    def step(model, data, count):
        pieces.append(count)
        plain(model, data, count)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mujoco, "mj_step", step)
        assert EngineWork(model, 1e9).run(mujoco.MjData(model), 40_000)
    size = int(1e5 / each)
    assert pieces == [1, size, size, 40_000 - 1 - 2 * size]
    assert np.sum(pieces) == 40_000
