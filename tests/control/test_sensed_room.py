import copy
from dataclasses import astuple

import numpy as np
import pytest

from equipoise.control.sensed_room import SensedRoom
from equipoise.core.contracts import Sensed


def sensed_at(rng, joints=4, skins=2):
    return Sensed(
        time=rng.random(),
        dt=0.001,
        q=rng.random((joints, 2))[:, 0],  # not in one piece
        v=rng.random(joints),
        p_WB=rng.random(3),
        R_WB=rng.random((3, 3)).T,
        V_WB=rng.random(6),
        skin=rng.random((skins, 6)),
    )


def expect_same(one, other):
    for a, b in zip(astuple(one), astuple(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_readings_are_copied_whole_into_arrays_that_stay(rng):
    room = SensedRoom(4, 2)
    arrays = astuple(room.sensed)[2:]
    for _ in range(2):
        told = sensed_at(rng)
        own = room.take(told)
        expect_same(own, told)
        told.q[:] = 0.0
        assert own.q.all()
        assert own is room.sensed
    for name in ("q", "v", "p_WB", "R_WB", "V_WB", "skin"):
        array = getattr(own, name)
        assert array.flags.c_contiguous and array.dtype == np.float64
    assert len(arrays) == 6


def test_a_kept_row_brings_a_tick_back(rng):
    room, ticks, rows = SensedRoom(4, 2), [], []
    for _ in range(3):
        ticks.append(sensed_at(rng))
        room.take(ticks[-1])
        rows.append(room.kept())
    for told, row in zip(ticks, rows, strict=True):
        expect_same(room.put_back(row), told)


def test_a_copy_keeps_rows_of_its_own(rng):
    room, told = SensedRoom(4, 2), sensed_at(rng)
    other = copy.deepcopy(room)
    other.take(told)
    row = other.kept()
    other.take(sensed_at(rng))
    expect_same(other.put_back(row), told)
    assert not room.kept().any()


def test_another_robot_is_refused(rng):
    with pytest.raises(ValueError, match="shape"):
        SensedRoom(4, 2).take(sensed_at(rng, joints=3))
