"""Where the loop around the cone programs puts numbers, with programs made up here."""

import ctypes

import numpy as np
import pytest

from equipoise.equations.margins.cone import kernel
from equipoise.equations.margins.cone.kernel import ANSWER, PREPARE, cone_loop

LANES, CONTACTS, ROUNDS, GIVEN, TOLD = 8, 2, 3, 4, 3
SEEN, CORNERS = 8 * CONTACTS + 6, 2 * (CONTACTS + ROUNDS) + 2
ENDS = np.array([0.5, 0.25, 0.125])


def rows_at(address, count):
    """Return rows of eight lanes at an address, to be read and written."""
    kind = ctypes.c_double * (count * LANES)
    return np.frombuffer(kind.from_address(address)).reshape(count, LANES)


@pytest.fixture
def calls(monkeypatch):
    """What each part of the loop was given, with parts that write numbers of a rank."""
    calls = []

    def jump(code, given, x, y):
        if code == PREPARE:
            calls.append(("prepare", rows_at(x, GIVEN).copy()))
            first = rows_at(y, SEEN + CORNERS)
            first[:] = 1000.0 + np.arange(first.size).reshape(first.shape)
            first[:] += calls[-1][1][0]  # another number for each state
        else:
            assert code == ANSWER
            calls.append(("answer", rows_at(x, GIVEN + 11).copy()))
            rows_at(y, TOLD)[:] = calls[-1][1][:TOLD] * 2.0

    def search_edge(code, spot, search, held, rounds, ends):
        assert rounds == ROUNDS and ends is ENDS
        calls.append(("search", spot.copy(), search.copy(), held.copy()))
        spot[:SEEN] += 0.5  # nothing of it may be left for the next states
        spot[SEEN:] = -7.0
        search[:] = -100.0 - np.arange(search.size).reshape(search.shape)
        held[:] = -9000.0 - np.arange(held.size).reshape(held.shape)

    def swing(code, spot, works):
        calls.append(("swing", spot.copy()))
        spot[SEEN:] = 500.0 + np.arange(8 * LANES).reshape(8, LANES)

    for name, part in (
        ("jump", jump), ("_search_edge", search_edge), ("_swing", swing),
    ):  # fmt: skip
        monkeypatch.setattr(kernel, name, part)
    return calls


def test_rows_of_each_eight_states_go_where_the_programs_read_them(calls):
    rng = np.random.default_rng(4)
    states, told = rng.normal(size=(GIVEN, 16)), np.zeros((TOLD, 16))
    loop = getattr(cone_loop, "py_func", cone_loop)
    loop(np.arange(7), states, told, CONTACTS, ROUNDS, ENDS)
    assert [call[0] for call in calls] == ["prepare", "search", "swing", "answer"] * 2
    assert told.tolist() == (2.0 * states[:TOLD]).tolist()
    for k in range(2):
        own = states[:, 8 * k : 8 * k + 8]
        (_, given), (_, spot, search, held), (_, begun), (_, last) = calls[
            4 * k : 4 * k + 4
        ]
        first = 1000.0 + np.arange((SEEN + CORNERS) * LANES).reshape(-1, LANES) + own[0]
        assert (given == own).all()
        # the barrier's rows, then nothing; the polygon's, com, an endless edge
        assert (spot[:SEEN] == first[:SEEN]).all() and not spot[SEEN:].any()
        assert (search[:CORNERS] == first[SEEN:]).all()
        more = np.zeros((16, LANES))
        more[:2] = first[8 * CONTACTS : 8 * CONTACTS + 2]
        more[11], more[12] = 1e30, 1.0
        assert (search[CORNERS:] == more).all()
        assert not held.any()
        # the best direction, its unknowns and the last t
        found = -100.0 - np.arange(search.size).reshape(search.shape)
        best = -9000.0 - np.arange(held.size).reshape(held.shape)
        assert (begun[:SEEN] == first[:SEEN] + 0.5).all()
        assert (begun[SEEN : SEEN + 2] == found[CORNERS + 12 : CORNERS + 14]).all()
        assert (begun[SEEN + 2 : SEEN + 7] == best).all()
        assert (begun[SEEN + 7] == ENDS[2]).all()
        # what was given, what the path ended in, and what the polygon says
        swung = 500.0 + np.arange(8 * LANES).reshape(8, LANES)
        assert (last[:GIVEN] == own).all()
        assert (last[GIVEN : GIVEN + 7] == swung[:7]).all()
        assert (last[GIVEN + 7] == found[CORNERS + 14]).all()
        assert (last[GIVEN + 8 :] == found[CORNERS + 11 : CORNERS + 14]).all()


def test_lanes_that_do_not_work_keep_their_numbers():
    rows, new = np.full((4, 3), -1.0), np.arange(9.0).reshape(3, 3)
    kernel._kept(rows, 1, new, 2, np.array([1, 0, 2]))
    wanted = [[-1, -1, -1], [0, -1, 2], [3, -1, 5], [-1, -1, -1]]
    assert rows.tolist() == wanted
