"""Claims on several seeds: one verdict where they agree, all of them where not."""

import pytest

from equipoise_lab.papers.check import same
from equipoise_lab.papers.claim import beyond, compared, not_checkable, shown
from equipoise_lab.papers.seeds import by_seed, claim_seeds, collected, rows_of


def joints(ours, where="2"):
    return compared(where, "joints", 3, ours, f"counted {ours}")


def order(claim):
    return (int(claim.where),)


def test_sets_of_seeds_never_meet_nor_any_that_gains_were_chosen_on():
    sets = [claim_seeds(seed, 3) for seed in range(20)]
    assert sets[0] == (200, 300, 400) and sets[1] == (500, 600, 700)
    every = [seed for one in sets for seed in one]
    assert len(set(every)) == 60
    # gains were chosen on seeds below 10, learning's on those below 40, and reports
    # are on 100 to 119; a claim may draw up to a hundred of its own from its seed
    assert min(every) >= 120
    assert (
        min(b - a for a, b in zip(sorted(every), sorted(every)[1:], strict=False))
        >= 100
    )


def test_one_verdict_where_all_seeds_agree():
    (row,) = rows_of({200: [joints(3)], 300: [joints(3)]}, order)
    assert (row["status"], row["ours"]) == ("met", 3)
    assert [one["seed"] for one in row["seeds"]] == [200, 300]
    assert row["seeds"][1] == {
        "seed": 300, "status": "met", "ours": 3, "checks": ["3 = 3"]
    }  # fmt: skip


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_status_that_turns_with_the_seed_is_mixed(which):
    found = {200 + 100 * k: [joints(4 if k == which else 3)] for k in range(3)}
    (row,) = rows_of(found, order)
    assert row["status"] == "mixed"
    assert [one["status"] == "missed" for one in row["seeds"]] == [
        k == which for k in range(3)
    ]
    # what is told is why it failed, whichever seed that was
    assert (row["ours"], row["why"]) == (4, "counted 4")


def test_what_we_add_can_be_mixed_too_and_stays_apart():
    def added(ours):
        return beyond("3", "blocks", ours, same(ours, 1), "tried", tolerance=0)

    (row,) = rows_of({200: [added(1)], 300: [added(2)]}, order)
    assert row["status"] == "mixed" and "published" not in row


def test_claims_come_in_the_order_of_the_work_whatever_touches_them():
    fixed = [not_checkable("1", "a", 1, "no"), not_checkable("3", "c", 1, "no")]
    rows = rows_of({None: fixed, 200: [joints(3)]}, order)
    assert [row["where"] for row in rows] == ["1", "2", "3"]
    assert [bool(row["seeds"]) for row in rows] == [False, True, False]


def test_seeds_with_other_claims_are_refused():
    """A claim that is there on one seed only would have no distribution."""
    with pytest.raises(RuntimeError, match="seed 300 has other claims than the first"):
        rows_of({200: [joints(3)], 300: [joints(3, "4")]}, order)
    with pytest.raises(RuntimeError, match="seed 300 has other claims than the first"):
        rows_of({200: [joints(3)], 300: []}, order)


def test_two_claims_of_one_name_are_refused():
    for found in (
        {None: [joints(3), joints(4)]},
        {None: [joints(3)], 200: [joints(3)]},
    ):
        with pytest.raises(RuntimeError, match=r"two claims are called \('2', 'joints"):
            rows_of(found, order)


def drawn(seed):
    """Return a claim about a seed."""
    return [shown("2", "seed", "x", f"{seed}", same(seed, seed), "why", tolerance=0)]


def fixed():
    """Return a claim about none."""
    return [joints(3, "1")]


def lost(seed):
    """Return nothing."""
    raise ValueError(f"no {seed}")


def test_groups_are_run_on_each_seed_and_fixed_ones_once():
    shares = []
    found = by_seed((fixed,), (drawn, drawn), (7, 9), progress=shares.append)
    assert list(found) == [None, 7, 9]
    assert [c.ours for c in found[None]] == [3]
    assert [c.ours for c in found[7]] == ["7", "7"]
    assert [c.ours for c in found[9]] == ["9", "9"]
    assert shares == sorted(shares) and len(shares) == 5 and shares[-1] == 1.0


def test_a_group_without_a_result_is_not_hidden():
    with pytest.raises(RuntimeError, match="lost was lost: ValueError: no 7"):
        by_seed((), (lost,), (7,))


def test_parts_are_put_together_seed_by_seed():
    one, two = joints(3, "1"), joints(3, "2")
    assert collected([{None: [one], 7: [two]}, {7: [one]}]) == {
        None: [one], 7: [two, one]
    }  # fmt: skip
