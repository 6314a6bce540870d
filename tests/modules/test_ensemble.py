"""Wires that do what their channel says, and events that leave the rest alone."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.modules.ensemble import wires as wi
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.ensemble.splitmix import pick
from equipoise.modules.rules import Rules

TREE = [(0, 0, 1, 0), (0, 1, 2, 0), (1, 1, 3, 0), (1, 2, 4, 0), (2, 1, 5, 0)]
LOOP = [*TREE, (3, 1, 5, 1)]
MASSES = np.outer(2.0 ** np.arange(6), np.ones(10))  # each sum tells who is in it
CALM = 32 + 6 * 4  # rounds in which a tree of this depth is known again


def ensemble_of(links=TREE, channel=None, seed=1) -> Ensemble:
    return Ensemble(6, 3, links=links, own=MASSES, channel=channel, seed=seed)


def members(ensemble: Ensemble) -> list[int]:
    """Who each module counts, as bits."""
    return ensemble.total[:, 0].astype(int).tolist()


@pytest.mark.parametrize("links", [TREE, LOOP])
def test_all_know_all_and_both_sides_of_a_link_add_up(links):
    ensemble = ensemble_of(links)
    ensemble.step(CALM)
    assert members(ensemble) == [63] * 6
    assert ensemble.steady.all()
    behind = ensemble.beyond[:, :, 0]
    np.testing.assert_array_equal(behind.sum(axis=1) + MASSES[:, 0], 63.0)  # exact
    used = np.flatnonzero(behind.ravel())
    assert len(used) == 2 * 5
    far = ensemble.wires.far[used]
    np.testing.assert_array_equal(behind.ravel()[used] + behind.ravel()[far], 63.0)


def test_two_frames_a_link_a_round_after_the_quarantine():
    ensemble = ensemble_of(LOOP)
    ensemble.step(40)
    quiet = Rules().quarantine
    assert ensemble.sent[:quiet].tolist() == [0] * quiet
    assert ensemble.sent[quiet:].tolist() == [2 * len(LOOP)] * (40 - quiet)
    assert ensemble.delivered[quiet + 1 :].tolist() == [2 * len(LOOP)] * (39 - quiet)


@pytest.mark.parametrize("delta", [0, 1, 7])
def test_any_largest_delay_has_room_on_the_wires(delta: int):
    rules = Rules(delta=delta)
    channel = Channel(delay=1.0 if delta else 0.0, duplication=0.2)
    ensemble = Ensemble(6, 3, links=LOOP, own=MASSES, rules=rules, channel=channel)
    ensemble.step(3 * CALM * (1 + delta))
    assert members(ensemble) == [63] * 6
    arrived = ensemble.tally["sent"] + ensemble.tally["duplicated"]
    assert ensemble.tally["delivered"] >= arrived - 24 * (
        1 + delta
    )  # rest is under way


def test_no_frame_is_lost_by_accident():
    channel = Channel(loss=0.2, duplication=0.3, delay=0.4, corruption=0.1)
    ensemble = ensemble_of(LOOP, channel)
    ensemble.step(300)
    t = ensemble.tally
    under_way = (
        ensemble.wires.waiting.sum() - ensemble.wires.waiting[(ensemble.tick - 1) % 5]
    )
    arrived = t["sent"] - t["lost"] - t["refused"] + t["duplicated"]
    assert arrived == t["delivered"] + under_way
    assert under_way > 0


@pytest.mark.parametrize(
    ("name", "fate"),
    [("loss", "lost"), ("corruption", "refused"), ("duplication", "duplicated")],
)
def test_faults_are_as_frequent_as_the_channel_says(name: str, fate: str):
    ensemble = ensemble_of(LOOP, Channel(**{name: 0.3}))
    ensemble.step(1000)
    sent = ensemble.tally["sent"]
    sigma = np.sqrt(0.3 * 0.7 / sent)
    assert abs(ensemble.tally[fate] / sent - 0.3) < 5 * sigma  # statistical
    others = {"lost", "refused", "duplicated", "garbled"} - {fate}
    assert all(ensemble.tally[other] == 0 for other in others)


def test_late_frames_come_within_delta_and_in_equal_shares():
    ensemble = ensemble_of([(0, 0, 1, 0)], Channel(delay=0.75))
    ensemble.step(20)
    late = np.zeros(5)
    for _ in range(3000):
        ensemble.step()
        slot = (ensemble.tick - 1) % 5
        rows = ensemble.wires.queue_frame[slot, : ensemble.wires.waiting[slot]]
        np.add.at(late, (slot - 1 - rows // (2 * len(ensemble.wires.far))) % 5, 1)
    share = late / late.sum()
    sigma = np.sqrt(0.25 * 0.75 / late.sum())
    assert np.abs(share[:4] - 0.25).max() < 5 * sigma  # statistical
    assert late[4] == 0


def test_reordering_puts_arrivals_out_of_the_order_of_sending():
    orders = []
    for reordering in (False, True):
        ensemble = ensemble_of(LOOP, Channel(reordering=reordering))
        ensemble.step(30)
        slot = (ensemble.tick - 1) % 5
        rows = ensemble.wires.queue_frame[slot, : ensemble.wires.waiting[slot]]
        orders.append(rows.tolist())
    assert orders[0] == sorted(orders[1])
    assert orders[0] != orders[1]


def test_same_seed_same_frames_in_one_call_or_many():
    def digest(seed: int, chunk: int) -> int:
        channel = Channel(loss=0.1, delay=0.2, garbage=0.05, reordering=True)
        ensemble = ensemble_of(LOOP, channel, seed)
        for k in range(0, 80, chunk):
            if k == 40:
                ensemble.crash(3)
                ensemble.undock(1, 1)
            ensemble.step(chunk)
        return ensemble.digest

    assert digest(5, 1) == digest(5, 20) == digest(5, 4)
    assert digest(5, 20) != digest(6, 20)


def test_frames_under_way_outlive_their_link():
    ensemble = ensemble_of([(0, 0, 1, 0)], Channel(delay=1.0))
    ensemble.step(30)
    ensemble.undock(0, 0)
    ensemble.step(5)
    assert ensemble.delivered[:3].sum() > 0
    assert ensemble.sent.sum() == 0
    assert ensemble.delivered[4] == 0


def test_a_crash_in_the_middle_leaves_both_halves_alone_until_the_restart():
    ensemble = ensemble_of()
    ensemble.step(CALM)
    ensemble.crash(1)
    assert not ensemble.known[1]
    ensemble.step(CALM)
    assert members(ensemble) == [0b100101, 0, 0b100101, 0b1000, 0b10000, 0b100101]
    assert ensemble.open[[0, 2, 3, 4, 5]].all()  # docked to somebody who is silent
    assert not ensemble.steady.any()
    ensemble.restart(1)
    ensemble.step(CALM)
    assert members(ensemble) == [63] * 6


@pytest.mark.parametrize("kind", ["mute", "cut"])
def test_nobody_is_counted_across_a_link_that_is_not_two_way(kind: str):
    ensemble = ensemble_of()
    getattr(ensemble, kind)(0, 1)
    ensemble.step(CALM)
    assert members(ensemble) == [
        0b011011,
        0b011011,
        0b100100,
        0b011011,
        0b011011,
        0b100100,
    ]
    ensemble.heal()
    ensemble.step(CALM)
    assert members(ensemble) == [63] * 6


def test_redocking_elsewhere_moves_a_part_without_counting_it_twice():
    ensemble = ensemble_of()
    ensemble.step(CALM)
    ensemble.undock(1, 1)
    ensemble.dock(2, 2, 3, 0)
    for _ in range(CALM):
        ensemble.step()
        assert set(members(ensemble)) <= {0, 63, 63 - 8}
    assert members(ensemble) == [63] * 6


def test_arbitrary_states_and_garbage_are_survived():
    ensemble = ensemble_of(LOOP, Channel(garbage=0.1))
    for i in range(6):
        ensemble.arbitrary(i)
    ensemble.step(100)
    assert ensemble.tally["garbled"] > 50
    ensemble.channel = Channel()
    ensemble.step(256 + CALM)  # a dead name can live for as long as it is remembered
    assert members(ensemble) == [63] * 6


def test_a_garbled_frame_keeps_half_of_its_fields_and_no_value():
    ensemble = ensemble_of()
    ensemble.step(CALM)
    wires, kept = ensemble.wires, []
    for _ in range(200):
        wires.stored[1] = 0
        row = wi.garble(wires, 1, 0)
        kept.append(wires.head[row] == wires.head[0])
        assert wires.source[row] == -1
        assert (wires.value[row] != wires.value[0]).mean() > 0.8
    wide = np.array(wi.WIDTHS) > 1  # a random byte is the same one in 256
    # statistical: 200 throws of a coin, five deviations
    assert np.abs(np.mean(kept, axis=0)[wide] - 0.5).max() < 5 * 0.5 / 200**0.5


def test_the_leader_touches_and_lifts():
    ensemble = ensemble_of()
    ensemble.touch(4)
    ensemble.step(CALM)
    assert ensemble.leader.tolist() == [5] * 6
    ensemble.touch(2)
    ensemble.touch(4, False)
    ensemble.step(6)
    assert ensemble.leader.tolist() == [3] * 6
    assert members(ensemble) == [63] * 6


def test_picks_are_even():
    dice = np.array([9, 0], dtype=np.uint64)
    counts = np.bincount([pick(dice, 7) for _ in range(7000)], minlength=7)
    # chi-square with 6 degrees of freedom: above 35 in fewer than 1 of 100,000
    assert ((counts - 1000) ** 2 / 1000).sum() < 35.0
    assert len(counts) == 7


def test_odds_stand_where_the_wires_look_for_them():
    ensemble = ensemble_of(channel=Channel(loss=0.5, garbage=0.25, reordering=True))
    odds = ensemble.wires.odds
    picked = odds[[wi.LOSS, wi.GARBAGE, wi.REORDERING, wi.DELAY]]
    assert picked.tolist() == [0.5, 0.25, 1.0, 0.0]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Ensemble(0, 3), "a number > 0"),
        (lambda: Ensemble([1, 2, 2], 3), "different ids"),
        (lambda: Ensemble([0, 2], 3), "got 0 to 2"),
        (lambda: Ensemble(2, 33), "ports must be 1 to 32, got 33"),
        (
            lambda: ensemble_of().dock(0, 0, 5, 2),
            "port 0 of module 0 is docked already",
        ),
        (lambda: ensemble_of().dock(5, 1, 5, 2), "module 5 cannot dock with itself"),
        (lambda: ensemble_of().mute(6, 0), "modules are 0 to 5, ports 0 to 2"),
        (lambda: Channel(loss=1.5, delay=-1.0), "got 1.5; delay must be"),
        (
            lambda: Ensemble(2, 1, rules=Rules(delta=0), channel=Channel(delay=0.1)),
            "needs Rules.delta > 0",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(act, words: str):
    with pytest.raises(ConfigError, match=words):
        act()
