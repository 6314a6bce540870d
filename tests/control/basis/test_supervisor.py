"""Supervisors: the flat walk closes and goes on; tables are kept as they are."""

import json

import numpy as np
import pytest
from tests.control.basis.test_basis import parts, random_stance

from equipoise.control.basis.compose import Ending, bind, subject_to
from equipoise.control.basis.stance import tripod_margin
from equipoise.control.basis.supervisor import FLAT, Supervisor, relabelled
from equipoise.core.errors import ConfigError

SUPPORT = {3: (0, 1, 3), 1: (1, 2, 3), 4: (0, 1, 2), 2: (0, 2, 3)}
"""Feet that stand while a leg is lifted."""


def walked(stance, cycles, supervisor=FLAT, ahead=(1.0, 0.0)):
    """Return where it gets to, the least margin, and the legs in their order."""
    name, least, order = supervisor.first, np.inf, []
    for _ in range(8 * cycles):
        now = supervisor.states[name]
        until = float(np.dot(ahead, stance["p_WB"][0, :2])) + 0.01
        chain = bind(now.chain, ahead, until)
        if now.lifts:
            order.append(now.lifts)
            least = min(least, tripod_margin(stance, *SUPPORT[now.lifts], parts()))
        stance, outcome = subject_to(chain, stance, parts())
        if now.lifts:
            least = min(least, tripod_margin(stance, *SUPPORT[now.lifts], parts()))
        name = now.otherwise if outcome is Ending.FAILED else now.then
    return stance, least, order


def test_the_flat_supervisors_cycle_closes_and_advances():
    for seed in range(20):
        start = random_stance(seed)
        before, _, _ = walked(start, 3)
        after, least, order = walked(before, 1)
        way = (after["p_WB"] - before["p_WB"])[0]
        assert way[0] > 0.06 and abs(way[1]) < 0.02
        assert least > 0.0
        assert order == [3, 1, 4, 2]  # LR, LF, RR, RF, table 3.1
        assert abs(after["yaw"][0]) < 0.05
        # it closes: feet are where they were, seen from the trunk
        seen = [s["feet"][0] - s["p_WB"][0] for s in (before, after)]
        assert np.abs(seen[1] - seen[0]).max() < 0.03


def test_with_other_labels_it_walks_backward_and_aside():
    back = relabelled(FLAT, {1: 3, 2: 4, 3: 1, 4: 2})
    after, least, order = walked(random_stance(3), 5, back, (-1.0, 0.0))
    assert after["p_WB"][0, 0] < -0.3 and least > 0.0
    assert order[:4] == [1, 3, 2, 4]


def test_a_table_comes_back_from_json_as_it_was():
    text = json.dumps(FLAT.as_table())
    assert Supervisor.from_table(json.loads(text), "a file") == FLAT


def test_a_table_says_what_follows_and_nothing_where_it_does_not():
    """By sight where no state is told; no leg in the air where none is."""
    chain = ["phi2 1234 yaw", "phi1 124 xy"]
    table = {
        "supervisor": "x",
        "states": {
            "a": {"chain": chain, "then": "b", "otherwise": "c", "lifts": 3},
            "b": {"chain": chain, "otherwise": "a"},
            "c": {"chain": chain, "then": "a"},
        },
    }
    found = Supervisor.from_table(table, "a file")
    told = {n: (s.then, s.otherwise, s.lifts) for n, s in found.states.items()}
    assert told == {"a": ("b", "c", 3), "b": ("", "a", 0), "c": ("a", "", 0)}
    assert [str(one) for one in found.states["a"].chain] == chain
    assert (found.name, found.first) == ("x", "a")
    rows = found.as_table()["states"]
    assert rows["a"] == table["states"]["a"]
    assert rows["b"] == {"chain": chain, "then": "", "otherwise": "a", "lifts": 0}


@pytest.mark.parametrize("way", ["then", "otherwise"])
def test_a_state_that_leads_nowhere_is_refused_whichever_way_it_leads(way):
    states = {"0": {"chain": ["phi2 1234 yaw"], way: "9"}}
    with pytest.raises(
        ConfigError, match="state '0' leads to '9', which does not exist"
    ):
        Supervisor.from_table({"supervisor": "x", "states": states}, "a file")


def test_other_labels_are_of_inputs_outputs_and_of_the_leg_in_the_air():
    table = {
        "supervisor": "x",
        "states": {
            "0": {"chain": ["phi2 2 2", "phi1 124 xy"], "then": "1", "lifts": 2},
            "1": {"chain": ["phi0 yaw"], "otherwise": "0"},
        },
    }
    found = relabelled(Supervisor.from_table(table, "a file"), {1: 4, 2: 1, 3: 2, 4: 3})
    rows = found.as_table()["states"]
    assert rows["0"]["chain"] == ["phi2 1 1", "phi1 134 xy"]
    assert (rows["0"]["then"], rows["0"]["otherwise"], rows["0"]["lifts"]) == (
        "1",
        "",
        1,
    )
    assert rows["1"] == {
        "chain": ["phi0 yaw"], "then": "", "otherwise": "0", "lifts": 0
    }  # fmt: skip


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"supervisor": "x", "states": {}},
        {"supervisor": "x", "states": {"0": {"chain": ["phi9 1 1"]}}},
        {"supervisor": "x", "states": {"0": {"chain": ["phi0 xy"], "then": "9"}}},
        [],
    ],
)
def test_what_is_no_table_is_refused_in_words(table):
    with pytest.raises(ConfigError):
        Supervisor.from_table(table, "a file")
