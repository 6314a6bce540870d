"""What section 3.3.3 says of learning: met as it is, missed where it is otherwise."""

from types import SimpleNamespace

import pytest

from equipoise_lab.papers.ridderstrom2003.chapter3.learning_claims import (
    count_claims,
    turning_claims,
)


def learner(lately=0.4, greedy=0.45, unsafe=0, length=4, share=1.0):
    learning = {
        "rad_per_step_last50": lately,
        "greedy_rad_per_step": greedy,
        "unsafe": unsafe,
    }
    cycle = {"length": length, "share": share}
    return SimpleNamespace(summary={"learning": learning, "cycle": cycle})


def test_counts_are_met():
    assert [claim.status for claim in count_claims()] == ["met"] * 3


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ["met", "met"]),
        ({"lately": 0.2}, ["missed", "met"]),
        ({"greedy": 0.35}, ["missed", "met"]),
        ({"unsafe": 1}, ["missed", "met"]),
        ({"length": 6}, ["met", "missed"]),
        ({"share": 0.9}, ["met", "missed"]),
    ],
)
def test_turning_is_met_or_missed(change, expected):
    results = [learner(**change)] * 3
    assert [claim.status for claim in turning_claims(results)] == expected
