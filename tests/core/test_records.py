import math
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Literal

import numpy as np
import pytest

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import (
    MOST_ROOMS,
    Record,
    Records,
    copied,
    entry,
    pooled_empty_like,
    record_dtype,
    record_of,
)
from equipoise.core.setting import Setting, Settings


class Trunk(Record):
    p_WB: Array = entry("place of the trunk", "m", 3)
    R_WB: Array = entry("its orientation", "", 3, 3)
    load: float = entry("what it carries", "N")


class Leg(Record):
    q: Array = entry("joint angles", "rad", "joints")
    stands: int = entry("1 on the ground", kind=np.int64)


@compiled(allocates=False)
def carry(trunk: Records[Trunk], legs: Records[Leg]) -> float:
    body, standing = trunk[0], 0
    for leg in legs:
        standing += leg.stands
        for j in range(leg.q.shape[0]):
            leg.q[j] += body.p_WB[2] * body.R_WB[2, j % 3]
    body.load = 10.0 * standing
    return body.load


def test_a_kernel_reads_and_writes_records_by_name():
    trunk, legs = Trunk.zeros(), Leg.zeros(2, joints=4)
    trunk[0].p_WB[:] = 1.0, 2.0, 3.0
    trunk[0].R_WB[:] = np.arange(9.0).reshape(3, 3)
    legs[1].stands = 1
    assert carry(trunk, legs) == trunk[0].load == 10.0
    expected = 3.0 * np.array([6.0, 7.0, 8.0, 6.0])  # exact: whole numbers
    assert np.array_equal(legs[0].q, expected) and np.array_equal(legs[1].q, expected)


def test_names_units_and_shapes_are_those_that_were_said():
    assert list(Trunk.entries) == ["p_WB", "R_WB", "load"]
    assert Trunk.entries["p_WB"].unit == "m" and Trunk.entries["R_WB"].shape == (3, 3)
    assert Leg.dtype(joints=3)["q"].shape == (3,)


def test_a_length_that_is_missing_gets_a_sentence():
    with pytest.raises(ConfigError, match=r"Leg.*'q' needs the length 'joints'"):
        Leg.zeros(2)


def test_a_record_extends_another():
    class Foot(Leg):
        force: Array = entry("on the ground", "N", 3)

    assert list(Foot.entries) == ["q", "stands", "force"]
    assert list(Leg.entries) == ["q", "stands"]


class Pair(Record):
    trunk: Trunk = entry("what carries", kind=Trunk)
    legs: Leg = entry("what it stands on", "", 2, kind=Leg)


@compiled(allocates=False)
def lift(pairs: Records[Pair]) -> float:
    pair = pairs[0]
    pair.trunk.p_WB[2] += pair.legs[1].q[0]
    return pair.trunk.p_WB[2]


def test_a_record_holds_others():
    pairs = Pair.zeros(3, joints=4)
    pairs[0].trunk.p_WB[2], pairs[0].legs[1].q[0] = 1.0, 0.25
    assert lift(pairs) == pairs[0].trunk.p_WB[2] == 1.25
    with pytest.raises(ConfigError, match="'joints'"):
        Pair.zeros()


def test_a_copy_has_memory_of_its_own():
    legs = Leg.zeros(3, joints=4)
    legs[1].q[:] = 1.0, 2.0, 3.0, 4.0
    twin = copied(legs)
    assert twin.dtype == legs.dtype and (twin == legs).all()
    twin[1].q[2] = 0.0
    assert legs[1].q[2] == 3.0


def test_rooms_are_of_the_same_kind_and_share_no_memory():
    legs = Leg.zeros(2, joints=4)
    rooms = [pooled_empty_like(legs) for _ in range(100)]  # more than are remembered
    for k, room in enumerate(rooms):
        assert room.dtype is legs.dtype and room.shape == legs.shape
        room["stands"] = k
    assert all((room["stands"] == k).all() for k, room in enumerate(rooms))
    assert len(pooled_empty_like(Leg.zeros(0, joints=4))) == 0


def test_a_room_is_used_again_when_nobody_holds_it_not_even_by_a_view():
    legs = Leg.zeros(5, joints=2)
    for held in (lambda room: room["q"], lambda room: room[1], lambda room: room[2:]):
        part = held(pooled_empty_like(legs))
        rooms = [pooled_empty_like(legs) for _ in range(3 * MOST_ROOMS)]
        assert not any(np.shares_memory(part, room) for room in rooms)
    del part, rooms
    places = {id(pooled_empty_like(legs)) for _ in range(3 * MOST_ROOMS)}
    assert len(places) <= MOST_ROOMS


def test_a_copy_is_the_same_and_has_memory_of_its_own():
    legs = Leg.zeros(2, joints=4)
    legs["q"] = np.arange(8.0).reshape(2, 4)
    twin = copied(legs)
    assert twin.tobytes() == legs.tobytes()
    twin["q"] = 0.0
    assert legs["q"].sum() == 28.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Spring(Settings):
    stiffness: Annotated[float, Setting("Stiffness", "N/m", least=0.0)] = 5e3


@dataclass(frozen=True, kw_only=True, slots=True)
class Buggy(Settings):
    spring: Spring = field(default_factory=Spring)
    wheels: Annotated[int, Setting("Number of wheels", least=1)] = 3
    is_open: Annotated[bool, Setting("Whether it has no roof")] = True
    name: Annotated[str, Setting("Name")] = "buggy"
    drive: Annotated[Literal["front", "rear"], Setting("Driven axle")] = "rear"
    seats: Annotated[Literal[2, 4], Setting("Number of seats")] = 4
    track: Annotated[float | None, Setting("Track", "m", above=0.0)] = None
    gears: Annotated[tuple[float, float], Setting("Gear ratios", above=0.0)] = (3, 1.5)
    stops: Annotated[tuple[float, ...], Setting("Way points", "m")] = (1.0,)


@compiled
def _buggy_sum(settings):
    own = settings[0]
    total = own.spring.stiffness + own.wheels / 2 + own.gears[1]
    return total + (100.0 if own.is_open else 0.0) + (0.0 if own.drive == 1 else 7.0)


def test_a_kernel_reads_settings_under_the_names_of_their_fields():
    settings = record_of(Buggy(spring=Spring(stiffness=8.0)))
    assert _buggy_sum(settings) == 8.0 + 1.5 + 1.5 + 100.0  # exact
    assert settings[0].seats == 4 and math.isnan(settings[0].track)
    names = ("spring", "wheels", "is_open", "drive", "seats", "track", "gears")
    assert settings[0].dtype.names == names  # free words and open tuples have no place
    kinds = [settings[0].dtype[name].base.kind for name in names[1:]]
    assert kinds == ["i", "b", "i", "i", "f", "f"]
    assert settings.dtype is record_of(Buggy()).dtype  # made once, known quickly


def test_a_record_may_hold_settings_beside_what_is_derived_from_them():
    class Ride(Record):
        spring: Spring = entry("springs", kind=Spring)
        sag: float = entry("by which they give way", "m")

    rides = Ride.zeros(2)
    rides["spring"] = record_of(Spring(stiffness=3.0))
    assert [one.spring.stiffness for one in rides] == [3.0, 3.0]


def test_what_has_no_described_number_is_no_record():
    with pytest.raises(TypeError, match="Kind has no described numbers"):
        record_dtype(make_dataclass("Kind", [("name", str, "")]))
