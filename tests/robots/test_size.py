"""What a machine's folder declares of its size is what its model has."""

import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.core.errors import UnknownNameError
from equipoise.robots.builtin import builtin, builtin_names, size_of
from equipoise.robots.size import Scale

SIZED = [name for name in builtin_names() if builtin(name).size is not None]


def test_every_machine_with_a_controller_of_its_own_has_a_size_and_a_speed():
    walkers = [builtin(name) for name in builtin_names()]
    walkers = [robot for robot in walkers if robot.task == "walk"]
    assert {robot.controller for robot in walkers} == {
        robot.controller for robot in walkers if robot.size and robot.speed
    }
    assert len(SIZED) >= 9


@pytest.mark.parametrize("name", SIZED)
def test_the_declared_size_is_the_models(name):
    size = builtin(name).size
    machine = legged_machine(eq.load(name))
    assert size is not None
    # Rounding: the masses of a few dozen bodies are summed.
    assert machine.mass == pytest.approx(size.mass, rel=1e-13)
    # Reading: heights are printed to the millimetre, of a stand that was fitted to it.
    assert abs(machine.height - size.height) < 0.5e-3


def test_a_robot_without_a_size_is_named():
    assert size_of("asv") == Scale(mass=2700.0, height=1.5)
    for name in ("superbot", "nobody"):
        with pytest.raises(UnknownNameError, match=name):
            size_of(name)


def test_each_unit_scales_by_its_powers_of_mass_length_and_time():
    factors = Scale(mass=16.0, height=4.0).over(Scale(mass=2.0, height=1.0))
    assert factors["kg"] == 8.0 and factors["m"] == 4.0 and factors["s"] == 2.0
    # Exact: products and quotients of powers of two.
    assert factors["N m"] == factors["kg"] * factors["m"] ** 2 / factors["s"] ** 2
    assert factors["N s/m"] == factors["kg"] / factors["s"]
    assert factors["m/s"] == 2.0 and factors["rad/s"] == 0.5


def test_a_payload_is_what_the_model_weighs_beyond_the_machine():
    for legs in (2, 4, 6, 8):
        assert eq.load("warp1", legs=legs).payload == 0.0
    heavy = eq.load("warp1", payload=12.5)
    assert heavy.payload == 12.5
    # Whatever is added counts, and a robot of which nothing is known carries nothing.
    assert eq.load("warp1", change="mass.trunk=40kg").payload == 2.4
    assert eq.load("superbot", seed=1).payload == 0.0


def test_a_run_lists_the_knees_even_where_nobody_chose_them():
    robot = builtin("warp1")
    assert robot.settings_record({}) == {"knees": "forward"}
    assert robot.settings_record({"knees": "inwards", "legs": 6}) == {
        "knees": "inwards",
        "legs": 6,
    }
    assert builtin("tum").settings_record({}) == {}
