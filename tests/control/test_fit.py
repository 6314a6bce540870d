"""Which machines a controller can walk, and what it says of the others."""

import pytest

import equipoise as eq
from equipoise.control.fit import Fit, unfit_machine
from equipoise.control.machine import legged_machine
from equipoise.robots.legged import legged_robot


@pytest.fixture(scope="module")
def machines():
    return {
        name: legged_machine(legged_robot(eq.load(name))) for name in ("warp1", "tum")
    }


@pytest.mark.parametrize(("name", "legs"), [("warp1", 4), ("tum", 6)])
def test_a_usual_controller_walks_on_four_and_on_six_legs(machines, name, legs):
    machine = machines[name]
    assert machine.legs == legs
    assert unfit_machine(machine, Fit(), "any") == []
    (why,) = unfit_machine(machine, Fit(legs=(8, 10 - legs)), "odd")
    assert (
        why == f"controller 'odd' walks on 8 or {10 - legs} legs, '{name}' has {legs}"
    )
    (why,) = unfit_machine(machine, Fit(joints=4), "long")
    assert "takes 4 joints a leg" in why and "has 3" in why
    assert unfit_machine(machine, Fit(joints=3), "any") == []


def test_sensors_that_are_lacking_are_named(machines):
    needs = Fit(senses=frozenset({"smell", "taste"}))
    (why,) = unfit_machine(machines["warp1"], needs, "keen")
    assert why.startswith("controller 'keen' needs sensors of smell, taste, which")
