"""Counting what is reproduced, and whether the counts that are kept are still so."""

import pytest

from equipoise_lab.papers.counts import counted, pieces
from equipoise_lab.papers.reproduce import run_of
from oracles.claims import kept_counts

CLAIM = {"where": "1", "quantity": "x", "published": 1}
FOUND = {
    "claims": [
        CLAIM | {"status": status}
        for status in ("met", "met", "mixed", "missed", "not checkable")
    ],
    "beyond": [{"status": status} for status in ("holds", "mixed", "fails")],
    "settings": [{}, {}],
}


def test_claims_are_counted_by_hand():
    assert counted(FOUND) == {
        "claims": 5, "met": 2, "refuted": 0, "missed": 1, "mixed": 1,
        "not checkable": 1, "beyond": 3, "failing": 2, "settings": 2,
    }  # fmt: skip


def test_pieces_are_found_and_each_has_its_counts():
    every = pieces()
    assert list(every) == [
        "moll2006",
        *(f"ridderstrom2003 part {number}" for number in (1, 2, 3, 4)),
        "ridderstrom2003 chapter 3",
        "ridderstrom2003 chapter 11",
        "wendlandt1997",
    ]
    assert every["moll2006"] == {"key": "moll2006"}
    assert every["ridderstrom2003 part 2"] == {"key": "ridderstrom2003", "part": 2}
    assert set(kept_counts()) == set(every)


@pytest.mark.parametrize("name", list(pieces()))
def test_kept_counts_add_up_and_nothing_we_add_fails(name):
    """The whole is counted anew by night; settings, which are quick, here."""
    kept, asked = kept_counts()[name], dict(pieces()[name])
    by_status = ("met", "refuted", "missed", "mixed", "not checkable")
    assert sum(kept[status] for status in by_status) == kept["claims"]
    assert kept["failing"] <= kept["beyond"]
    assert len(run_of(asked.pop("key")).settings(**asked)) == kept["settings"]
