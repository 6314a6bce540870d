"""The compiled program's own edges; that it equals ``member`` is tested elsewhere."""

import numpy as np
import pytest

from equipoise.modules import frame as fr
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.frame import read_frame_bytes, write_frame_bytes
from equipoise.modules.kernels.member import boot, empty_seats, take
from equipoise.modules.rules import Rules, rules_vector

RULE = rules_vector(Rules())


def random_heads(many: int) -> np.ndarray:
    """Headers with every field anywhere in its range."""
    rng = np.random.default_rng(4)
    heads = np.stack([rng.integers(0, top + 1, many) for top in fr.LIMITS], axis=1)
    heads[:, fr.CAND] |= rng.integers(0, 2, many) << 31
    heads[:, [fr.SENDER, fr.ROOT]] = np.maximum(heads[:, [fr.SENDER, fr.ROOT]], 1)
    return heads


def test_bytes_are_those_of_the_object_program():
    heads, payload = random_heads(200), np.arange(40, dtype=np.uint8)
    names = [*fr.ProtocolFrame.__dataclass_fields__][2:]  # without the envelope
    frame = np.zeros(64, np.uint8)
    for h, head in enumerate(heads):
        write_frame_bytes(heads, h, payload, frame)
        fields = dict(zip(names, head.tolist(), strict=False))
        assert frame.tobytes() == fr.pack_frame(
            fr.ProtocolFrame(**fields), payload.tobytes()
        )


def test_what_was_packed_is_read_back():
    heads, payload = random_heads(50), np.arange(40, dtype=np.uint8)[::-1].copy()
    frame, read, carried = (
        np.zeros(64, np.uint8),
        np.zeros((1, 13), np.int64),
        payload * 0,
    )
    for h in range(len(heads)):
        write_frame_bytes(heads, h, payload, frame)
        assert read_frame_bytes(frame, read, 0, carried)
        assert read[0].tolist() == heads[h].tolist()
        assert carried.tolist() == payload.tolist()


def test_every_single_bit_that_flips_is_noticed():
    heads, payload = random_heads(1), np.arange(40, dtype=np.uint8)
    frame, read, carried = (
        np.zeros(64, np.uint8),
        np.zeros((1, 13), np.int64),
        payload * 0,
    )
    write_frame_bytes(heads, 0, payload, frame)
    for bit in range(512):
        frame[bit // 8] ^= 1 << bit % 8
        assert not read_frame_bytes(frame, read, 0, carried)
        frame[bit // 8] ^= 1 << bit % 8
    assert not read.any()
    assert not carried.any()


@pytest.mark.parametrize("column", [fr.SENDER, fr.ROOT, fr.CAND])
@pytest.mark.parametrize("name", [0, 1, 32766, 32767, 32768, 65535])
def test_names_that_no_module_has_are_refused_as_by_the_object_program(column, name):
    heads, payload = random_heads(1), np.zeros(40, np.uint8)
    frame, read = np.zeros(64, np.uint8), np.zeros((1, 13), np.int64)
    heads[0, column] = name if column != fr.CAND else (name >> 15) << 31 | name & 0x7FFF
    write_frame_bytes(heads, 0, payload, frame)
    is_good = fr.unpack_frame(frame.tobytes()) is not None
    assert read_frame_bytes(frame, read, 0, payload) is is_good
    is_a_name = 1 <= name <= 32766
    nobody = column == fr.CAND and name & 0x7FFF != 32767
    assert is_good is (is_a_name or nobody)


def heard(sender: int, seq: int) -> tuple[np.ndarray, np.ndarray]:
    head = np.zeros((1, 13), np.int64)
    head[0, [fr.SENDER, fr.ROOT, fr.SEQ]] = sender, sender, seq
    return head, np.zeros((1, 10))


def fresh():
    seats = empty_seats(1, 2)
    boot(seats, 0, 7, 0, 0, 0)
    return seats


@pytest.mark.parametrize("sender", [0, 7])
def test_frames_of_nobody_and_of_itself_are_dropped(sender: int):
    seats = fresh()
    head, value = heard(sender, 5)
    assert not take(RULE, seats, 0, 1, head, 0, value, 0)
    assert seats.node[0, at.LIVE] == 0


@pytest.mark.parametrize(
    ("seq", "counts"),
    [(201, True), (71, True), (200, False), (72, False), (199, False)],
)
def test_only_newer_frames_count(seq: int, counts: bool):
    seats = fresh()
    assert take(RULE, seats, 0, 1, *_rows(heard(9, 200)))
    assert take(RULE, seats, 0, 1, *_rows(heard(9, seq))) is counts


def test_another_neighbour_at_a_port_takes_the_link_down_at_once():
    seats = fresh()
    take(RULE, seats, 0, 1, *_rows(heard(9, 200)))
    seats.port[1, [at.UP, at.GOOD, at.HAS_VALUE]] = 1, 2, 1
    assert take(RULE, seats, 0, 1, *_rows(heard(3, 10)))
    assert seats.port[1, [at.PEER, at.UP, at.GOOD, at.HAS_VALUE]].tolist() == [
        3,
        0,
        0,
        0,
    ]


def _rows(said):
    head, value = said
    return head, 0, value, 0


def binary_tree(many: int, rules: Rules) -> Ensemble:
    ids = 2**31 - 1 - np.arange(many)  # as wide as ids can be in memory
    links = [((k - 1) // 2, 1 + (k - 1) % 2, k, 0) for k in range(1, many)]
    return Ensemble(ids, 3, links=links, own=np.ones((many, 10)), rules=rules, seed=3)


def test_in_memory_a_robot_may_be_larger_than_a_frame_can_say():
    ensemble = binary_tree(300, Rules(most=400))
    ensemble.touch(250)
    ensemble.step(32 + 6 * 16)  # the diameter is 16
    assert ensemble.count.tolist() == [300] * 300
    assert ensemble.leader.tolist() == [2**31 - 1 - 250] * 300
    assert (ensemble.total == 300.0).all()


def test_too_many_modules_are_not_known():
    ensemble = binary_tree(300, Rules(most=299))
    ensemble.step(32 + 6 * 16)  # the diameter is 16
    assert not ensemble.known.any()
    assert (ensemble.root == 2**31 - 1).all()  # one tree all the same
