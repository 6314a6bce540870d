"""The judge against reports that are known to be right or wrong."""

import numpy as np
import pytest

from equipoise.control.com.brain.state import ModuleReport
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.processes.judge import Judge, component_sizes

PLAN = random_tree(5, 1, seed=3).assembly  # a chain, by one branch
ABOVE, BESIDE = np.zeros(3), np.array([9.0, 0.0, 0.0])
ALL = np.ones(5, np.bool_)


def report(known=1.0, count=5.0, leader=1.0, verdict=-1.0, age=0.0):
    rows = ModuleReport.zeros(5)
    rows["known"], rows["count"], rows["leader"] = known, count, leader
    rows["verdict"], rows["age"] = verdict, age
    return rows


def middle_link():
    connection = next(c for c in PLAN.connections if {c.a, c.b} == {1, 2})
    return ((connection.a, connection.a_connector), (connection.b, 0))


def test_sizes_of_what_hangs_together():
    chain = [sorted(o for _, o, _, _ in PLAN.neighbours[m]) for m in range(5)]
    assert chain == [[1], [0, 2], [1, 3], [2, 4], [3]]
    alive = np.array([1, 1, 0, 1, 1], np.bool_)
    assert component_sizes(PLAN, alive, set()).tolist() == [2, 2, 0, 2, 2]
    assert component_sizes(PLAN, ALL, {1, 2}).tolist() == [2, 2, 3, 3, 3]
    assert component_sizes(PLAN, ALL, set()).tolist() == [5] * 5


@pytest.mark.parametrize(
    ("said", "where", "wrong"),
    [(1.0, ABOVE, 0), (1.0, BESIDE, 5), (0.0, BESIDE, 0), (0.0, ABOVE, 5)],
)
def test_a_verdict_is_held_against_the_truth(said, where, wrong):
    judge = Judge(PLAN)
    judge.look(0, where, report(verdict=said), ALL)
    assert (judge.verdicts, judge.wrong_verdicts) == (5, wrong)


def test_a_verdict_may_be_as_old_as_it_says_and_no_older():
    judge = Judge(PLAN)
    judge.look(0, ABOVE, report(), ALL)
    for tick in range(1, 4):
        judge.look(tick, BESIDE, report(verdict=1.0, age=0.002), ALL)
    assert (judge.verdicts, judge.wrong_verdicts) == (15, 5)


def test_stretches_count_from_the_fault_until_everybody_is_right():
    judge = Judge(PLAN, cut=middle_link(), cut_ticks=(10, 20))
    halves = report(count=np.array([2.0, 2, 3, 3, 3]))
    for tick in range(30):
        is_known = not (tick < 3 or 12 <= tick < 15 or 20 <= tick < 24)
        rows = halves if 12 <= tick < 24 else report()
        rows = rows.copy()
        rows["known"] = is_known
        judge.look(tick, ABOVE, rows, ALL)
    # 3 at the start; 10 to 14 with the old count or none; 20 to 23
    assert judge.longest == 5
    assert judge.right == 30 - 3 - 5 - 4


def test_a_dead_module_is_nobodys():
    judge = Judge(PLAN)
    dead = np.array([1, 1, 1, 1, 0], np.bool_)
    judge.look(0, ABOVE, report(), dead)
    assert judge.right == 0


def test_leaders_count_once_all_agree_and_after_the_first():
    judge = Judge(PLAN)
    names = [-1.0, 0.0, 3.0, 3.0, np.array([3.0, 3, 2, 2, 2]), 2.0, -1.0, 2.0, 3.0]
    for tick, name in enumerate(names):
        judge.look(tick, ABOVE, report(leader=name), ALL)
    assert judge.leader_changes == 2
