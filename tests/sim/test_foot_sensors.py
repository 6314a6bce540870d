"""Sensors beside WARP1's: forces, contacts and distances of feet, and a scanner."""

import math
from dataclasses import replace

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.control.observer.trunk import TrunkObserver
from equipoise.control.records import LegStance
from equipoise.core.contracts import Command
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.foot_sensors import (
    FootSensorConfig,
    bare_share,
    scan_grid,
)
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.terrain import Surface, Terrain, parse_terrain, surface_of

pytestmark = pytest.mark.sim
FIELDS = ("force", "edge", "near", "scan", "scanned")
QUIET = (
    "current_noise", "gyro_noise", "gyro_offset", "gyro_drift", "acceleration_noise",
    "acceleration_offset", "inclination_noise", "inclination_offset", "load_noise",
    "load_offset", "pad_noise",
)  # fmt: skip
"""Of the other sensors, so that a machine stands as still as with ideal ones."""


class Hold:
    """Holds slides where they stand, and keeps what was read beside WARP1's."""

    def __init__(self, stiffness: float) -> None:
        self.stiffness, self.kept = stiffness, []

    def init(self):
        self.kept.clear()
        return None

    def step(self, readings, state):
        self.kept.append({n: np.array(getattr(readings, n)) for n in FIELDS})
        self.readings = readings
        tau = -self.stiffness * (readings.q + 0.05 * readings.v)
        return Command(tau, {}), None


def read(name, seconds=0.5, kind="ideal", terrain="flat", raised=0.0):
    robot = eq.load(name)
    holds = Hold(400.0 * float(robot.model.body_mass.sum()))
    quiet = dict.fromkeys(QUIET, 0.0) if kind == "real" else {}
    sensors = SensorConfig(kind=kind, seed=3, motor_encoder=(0.0, 0.0, 0.0), **quiet)
    config = MachineConfig(actuators=ActuatorConfig(kind="ideal"), sensors=sensors)
    world = machine_world(robot, parse_terrain(terrain))
    start = np.array(world.start_pose)
    start[2] += raised
    rollout(replace(world, start_pose=start), holds, seconds, plant=config)
    return robot, holds


def test_forces_of_feet_carry_the_weight_and_leave_a_period_late():
    _, holds = read("titan6", seconds=1.5)
    forces = np.array([row["force"] for row in holds.kept])
    assert forces.shape[1:] == (4, 3)
    weight = 195.0 * 9.81
    assert forces[-1, :, 2].sum() == pytest.approx(weight, rel=0.01)  # at rest
    assert np.isnan(holds.kept[-1]["edge"]).all()  # it has no contacts
    np.testing.assert_array_equal(forces[0], forces[1])  # the first, and then it again
    assert np.abs(forces[1] - forces[2]).max() > 0.0


def test_noise_is_a_share_of_the_weight():
    _, quiet = read("titan6", seconds=1.5)
    _, noisy = read("titan6", seconds=1.5, kind="real")
    weight, config = 195.0 * 9.81, FootSensorConfig()
    error = np.array([n["force"] for n in noisy.kept[-300:]]) - quiet.kept[-1]["force"]
    spread = error.std(axis=0).mean() / weight  # 12 channels of 300: 5 sigma is 6 %
    assert spread == pytest.approx(config.force_noise, rel=0.06)
    offset = np.abs(error.mean(axis=0)).mean() / weight
    assert offset == pytest.approx(config.force_offset, rel=0.1)


def test_a_raised_foot_is_near_until_it_is_too_far():
    for raised in (0.0, 0.1, 0.18):
        _, holds = read("titan3", seconds=0.002, raised=raised)
        np.testing.assert_allclose(holds.kept[0]["near"], raised, atol=1e-12)
    assert np.isnan(holds.kept[0]["force"]).all()  # it measures none
    _, holds = read("titan3", seconds=0.002, raised=0.2)
    assert np.isnan(holds.kept[0]["near"]).all()  # beyond a fifth of 0.95 m


def test_contacts_round_a_foot_tell_an_edge():
    flat = surface_of(Terrain())
    assert bare_share(flat, np.array([0.0, 0.0, 0.04]), 0.04) == 0.0
    blocks = surface_of(parse_terrain("blocks:20"), seed=1)
    tiles = np.zeros_like(blocks.tiles)
    tiles[20] = 0.2  # a wall across
    wall = Surface(blocks.plane, tiles)
    east = blocks.plane[0].corner[0] + 21 * blocks.plane[0].edge
    # contacts are 0.06 and twice 0.03 m ahead of the foot's middle, and as far behind
    for inside, bare in ((0.2, 0), (0.05, 1), (0.02, 3), (-0.001, 3), (-0.05, 5)):
        place = np.array([east - inside, 0.0, 0.24])
        assert bare_share(wall, place, 0.04) == pytest.approx(bare / 6), inside
    steep = surface_of(parse_terrain("slope:35"))
    up = math.sqrt(1.0 + 0.35**2)
    assert bare_share(steep, np.array([0.0, 0.0, 0.1 * up]), 0.1) == 0.0  # no edge


def test_a_scanner_sees_the_ground_ahead_twice_a_second():
    _, holds = read("asv", seconds=1.3, terrain="slope:20")
    times = np.array([row["scanned"] for row in holds.kept])
    assert set(np.unique(times)) == {0.0, 0.5, 1.0}
    assert holds.kept[0]["scan"].shape == (len(scan_grid(1.6)), 3)
    assert len(holds.kept[0]["force"]) == 0  # pressures tell what its feet carry
    scan = holds.kept[0]["scan"]
    np.testing.assert_allclose(scan[:, 2], -1.6, atol=1e-9)  # leaning with the slope
    assert scan[:, 0].min() > 0.0
    leant = math.cos(math.atan(0.2))
    assert np.ptp(scan[:, 0]) == pytest.approx(3.5 * 1.6 / leant)


def test_machines_without_them_read_nothing_more():
    readings = read("warp1", seconds=0.01)[1].readings
    for name in ("force", "edge", "near", "scan"):
        assert len(getattr(readings, name)) == 0
    assert math.isnan(readings.scanned)


def test_the_observer_feels_by_what_the_machine_has():
    robot, holds = read("titan6", seconds=1.0)
    machine = legged_machine(robot)
    assert machine.feels_feet
    assert machine.has_foot_sensors
    observer = TrunkObserver(machine)
    stance = LegStance.zeros(4)
    stance["stands"] = 1.0
    estimate, _ = observer.step(holds.readings, stance, False, observer.init())
    np.testing.assert_array_equal(estimate.legs["force"], holds.readings.force)
    total = estimate.legs["load"].sum()
    assert total == pytest.approx(195.0 * 9.81, rel=0.01)
    assert not legged_machine(eq.load("titan3")).feels_feet
    assert not legged_machine(eq.load("asv")).has_foot_sensors
    assert legged_machine(eq.load("warp1")).feels_feet
