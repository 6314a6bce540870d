"""Contact tables: who touches and where, spread by pages; verdicts on one foot."""

import numpy as np
import pytest

from equipoise.control.com.brain.contacts import foot_verdict
from equipoise.control.com.brain.state import TABLE, empty_memory
from equipoise.modules.kernels.rows import AGE
from equipoise.modules.rules import Rules
from oracles.brain_robots import Herd
from oracles.module_robots import Engine, any_tree, upright_chain

READY = 2 * (Rules().quarantine + Rules().listen)  # rounds; more than it takes to start
EACH = 4 * 4 * 4  # rounds in which four entries come round: a contact in four pages


def table(herd, module):
    """Return what a module believes: {who: (foot, touches, point)}."""
    contacts = herd.brains[0].memory.contacts
    rows = range(module * TABLE, (module + 1) * TABLE)
    return {
        int(contacts[r].who): (
            int(contacts[r].foot),
            bool(contacts[r].touches),
            contacts[r].place.point.copy(),
        )
        for r in rows
        if contacts[r].who
    }


def touching(herd, module, point=None):
    """Let a module of a herd with one brain touch at a point, or lift."""
    senses = herd.brains[0].senses
    senses.touching[module] = point is not None
    if point is not None:
        contact = senses.contact[module]
        contact.point[:], contact.friction, contact.radius = point, 0.7, 0.01
        senses.anchor[module] = senses.anchor[0]


def test_every_module_learns_who_touches_and_where(rng):
    assembly = any_tree(7, rng)
    herd = Herd(assembly)
    points = rng.normal(size=(7, 3))
    for module in (1, 4, 6):
        touching(herd, module, points[module])
    herd.tick(READY + EACH + 8 * assembly.diameter)
    assert (herd.reports()["complete"] == 1).all()
    for module in range(7):
        seen = table(herd, module)
        assert set(seen) == {1, 2, 5, 7}
        for who in (2, 5, 7):
            assert seen[who][1]
            # rounding of a float32
            np.testing.assert_allclose(seen[who][2], points[who - 1], rtol=2.0**-24)


def test_a_lifted_foot_is_struck_off_and_a_new_one_added():
    herd = Herd(upright_chain(4))
    touching(herd, 3, (0.5, 0.0, 0.0))
    herd.tick(READY + EACH)
    before = table(herd, 0)[4]
    assert before[1]
    touching(herd, 3)
    herd.tick(1)
    assert herd.reports()[3].complete == 1  # it knows of itself at once
    herd.tick(EACH)
    assert (herd.reports()["complete"] == 1).all()
    assert not table(herd, 0)[4][1]
    touching(herd, 3, (0.6, 0.0, 0.0))
    herd.tick(EACH)
    after = table(herd, 0)[4]
    assert after[0] == (before[0] + 1) % 256
    assert abs(after[2][0] - 0.6) < 1e-7
    assert (herd.reports()["complete"] == 1).all()


def test_a_steady_and_complete_table_is_never_wrong(rng):
    herd = Herd(upright_chain(6)).tick(READY)
    herd.luck = lambda: rng.random() >= 0.25
    node = herd.brains[0].seats.node
    judged = waited = 0
    for lift in range(16):
        touching(herd, 5, (0.1 * lift, 0.0, 0.0) if lift % 2 == 0 else None)
        for rounds in range(80):
            report = herd.tick().reports()
            steady = (report["steady"] * report["complete"]) > 0.0
            for module in range(6):
                # numbers are at most AGE rounds old, and true at one instant
                if steady[module] and rounds > 2 * node[module, AGE] + 2:
                    judged += 1
                    assert table(herd, module).get(6, (0, False))[1] == (lift % 2 == 0)
                waited += not steady[module]
    assert judged > 1000
    assert waited > 200


def test_a_foot_that_moves_by_a_step_is_another_foot():
    herd = Herd(upright_chain(2)).tick(READY)
    first = table(herd, 0)[1][0]
    herd.brains[0].senses.contact[0].point[0] = 0.0015
    herd.tick(EACH)
    assert table(herd, 1)[1][0] == first
    herd.brains[0].senses.contact[0].point[0] = 0.0025
    herd.tick(EACH)
    assert table(herd, 1)[1][0] == (first + 1) % 256
    assert (herd.reports()["complete"] == 1).all()


def test_a_part_that_is_cut_off_takes_its_contacts_along():
    herd = Herd(upright_chain(4))
    touching(herd, 3, (0.5, 0.0, 0.0))
    herd.tick(READY + EACH)
    herd.cut = {1 * 6 + 3, 2 * 6 + 0}
    herd.tick(2 * EACH)
    assert set(table(herd, 0)) == {1}
    assert set(table(herd, 2)) == {4}
    assert (herd.reports()["complete"] == 1).all()
    assert (herd.reports()["verdict"] == -1).all()  # a deaf dock is open


def test_verdict_on_one_foot():
    memory = empty_memory(1, 6, 3)
    own, other = memory.contacts[0], memory.contacts[1]
    own.who, own.touches = 1, 1
    own.place.point[:2], own.place.radius = (1.0, 2.0), 0.042
    still = (0.0, 0.0, 0.0)
    assert foot_verdict(memory, 0, (1.0, 2.0, 0.3), still, 0.0) == 1
    assert foot_verdict(memory, 0, (1.04, 2.0, 0.3), still, 0.0) == 1
    assert foot_verdict(memory, 0, (1.042, 2.0, 0.3), still, 0.0) == -1
    assert foot_verdict(memory, 0, (1.044, 2.0, 0.3), still, 0.0) == 0
    # old numbers and speed need a margin either way
    assert foot_verdict(memory, 0, (1.04, 2.0, 0.3), (0.5, 0.0, 0.0), 0.01) == -1
    assert foot_verdict(memory, 0, (1.05, 2.0, 0.3), (0.5, 0.0, 0.0), 0.01) == -1
    assert foot_verdict(memory, 0, (1.02, 2.0, 0.3), (0.5, 0.0, 0.0), 0.01) == 1
    assert foot_verdict(memory, 0, (1.0, 2.0, 0.3), still, 0.1) == -1
    other.who, other.touches = 2, 1
    assert foot_verdict(memory, 0, (1.0, 2.0, 0.3), still, 0.0) == -1


@pytest.mark.parametrize("bend", [0.0, 0.3])
def test_modules_say_whether_the_centre_is_above_the_foot(bend):
    assembly = upright_chain(5)
    q = np.zeros((5, 3))
    q[0, 2] = bend
    engine = Engine(assembly).set(q, 0.0 * q)
    herd = Herd(assembly).sense(q, 0.0 * q).tick(READY + EACH)
    x, y, _ = engine.data.subtree_com[0]
    inside = np.hypot(x, y) < 0.5 * assembly.body.width
    assert inside == (bend == 0.0)
    assert (herd.reports()["verdict"] == float(inside)).all()
