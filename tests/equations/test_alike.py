"""Equal legs are found in equations that say nothing about legs."""

import re

import pytest

from equipoise.equations.mechanism.legged import Leg, Limb, legged, warp1_system
from equipoise.equations.motion import derive
from equipoise.equations.robot.lanes import robot_lanes
from equipoise.equations.tape.alike import alike_legs
from equipoise.equations.tape.functions import sin
from equipoise.equations.tape.lanes import packing, units
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.robots.load import load


def names_of(found, tape):
    names = {i: name for name, i in tape.names.items()}
    return [[names[i] for i in leg] for leg in found]


def test_the_legs_of_a_script_are_told_apart_and_lined_up():
    block = warp1_system().system.block()
    found = names_of(alike_legs(block.program), block.tape)
    assert len(found) == 4
    for number, leg in enumerate(found, start=1):
        assert len(leg) == 29
        assert all(re.search(rf"_{number}(_[xyz]+)?$", name) for name in leg), leg
        roles = [re.sub(rf"_{number}(?=_|$)", "", name) for name in leg]
        first = [re.sub(r"_1(?=_|$)", "", name) for name in found[0]]
        assert roles == first


def test_it_finds_the_legs_that_a_robots_tree_has():
    motion = derive(load("warp1"))
    found = motion.functions.program("forward_dynamics")
    told = {frozenset(leg) for leg in robot_lanes(motion.expressions)}
    used = set(found.inputs) | set(found.parameters)
    legs = alike_legs(found)
    assert all(any(set(leg) <= whole for whole in told) for leg in legs)
    assert len(units(found, packing(found, legs))) == len(
        units(found, packing(found, robot_lanes(motion.expressions)))
    )
    assert {i for leg in legs for i in leg} <= used


LIMB = Limb(2.0, (0.1, 0.02, 0.03), (0.01, 0.02, 0.03), (0.3, 0.01, 0.02))


@pytest.mark.parametrize(
    ("joints", "legs"), [((), 0), ((3, 3, 3), 0), ((3, 3, 3, 2), 0), ((2,) * 4, 4)]
)
def test_only_four_or_eight_that_are_equal_count(joints, legs):
    each = [Leg((0.2, 0.1, -0.1), (LIMB,) * max(1, n - 1), n) for n in joints]
    block = legged("robot", 10.0, (0.1, 0.2, 0.25), each).system.block()
    assert len(alike_legs(block.program)) == legs


def test_a_ring_has_no_legs():
    tape = Tape()
    x = [tape.symbol(f"x{k}", "state") for k in range(4)]
    ring = [sin(x[k]) * x[k - 1] for k in range(4)]
    legs = alike_legs(program(ring, x))
    assert all(len(leg) == 1 for leg in legs)  # alike, and nothing else goes with them
