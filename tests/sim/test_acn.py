"""The legs' nodes: INIT, RUN, HALT, lost commands, and a machine that sinks down."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.sim.machine.acn import HALT, INIT, RUN, node_bank
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.motor_kernel import BY_TORQUE, HALTED, DriveCommand
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome
from oracles.machine_stub import Hold, bare

LEGS, NU = 4, 12


def played(config: BusConfig, cycles: int, arrives=None):
    """Return states, torques and modes at each cycle; a torque is its number."""
    bank = node_bank(config, LEGS, cycles, 0.002)
    if arrives is not None:
        bank.arrives[:] = arrives
    active, command = DriveCommand.zeros(NU), DriveCommand.zeros(NU)
    active["mode"], command["mode"] = HALTED, BY_TORQUE
    states, torques, modes = [], [], []
    for cycle in range(cycles):
        command["tau"] = command["volts"] = cycle
        bank.deliver(cycle, command, active)
        states.append(bank.nodes["state"].copy())
        torques.append(active["tau"].copy())
        modes.append(active["mode"].copy())
    return np.array(states), np.array(torques), np.array(modes), bank


def test_nodes_run_with_the_first_command():
    states, torques, modes, bank = played(BusConfig(), 5)
    assert (states == RUN).all()
    assert (torques == np.arange(5.0)[:, None]).all()
    assert (modes == BY_TORQUE).all()
    assert np.isnan(bank.halted_at(0.002)).all()


def test_a_node_waits_in_init_without_voltage():
    arrives = np.ones((4, 2, LEGS), np.uint8)
    arrives[:2, 0, 1] = 0
    states, _, modes, _ = played(BusConfig(), 4, arrives)
    assert states[:, 1].tolist() == [INIT, INIT, RUN, RUN]
    assert (modes[:2, 3:6] == HALTED).all()
    assert (modes[:, :3] == BY_TORQUE).all()


@pytest.mark.parametrize("timeout", [1, 3, 5])
def test_lost_commands_hold_the_last_one_until_the_time_out(timeout: int):
    arrives = np.ones((20, 2, LEGS), np.uint8)
    arrives[7:, 0, 2] = 0  # its status still comes, so the others go on
    config = BusConfig(timeout=timeout)
    states, torques, modes, bank = played(config, 20, arrives)
    last = 7 + timeout - 1
    assert (states[:last, 2] == RUN).all()
    assert (states[last:, 2] == HALT).all()
    assert (torques[7:last, 6:9] == 6.0).all()
    assert (modes[last:, 6:9] == HALTED).all()
    assert (states[:, [0, 1, 3]] == RUN).all()
    halted = bank.halted_at(0.002)
    assert halted[2] == pytest.approx(0.002 * last)
    assert np.isnan(halted[[0, 1, 3]]).all()


def test_two_lost_commands_in_a_row_are_survived():
    arrives = np.ones((12, 2, LEGS), np.uint8)
    arrives[[3, 4, 6, 7, 9, 10], 0, :] = 0
    states, torques, _, _ = played(BusConfig(), 12, arrives)
    assert (states == RUN).all()
    assert torques[:, 0].tolist() == [0, 1, 2, 2, 2, 5, 5, 5, 8, 8, 8, 11]


def test_halt_is_final():
    arrives = np.ones((20, 2, LEGS), np.uint8)
    arrives[5:9, 0, 0] = 0
    states, _, modes, _ = played(BusConfig(), 20, arrives)
    assert (states[7:, 0] == HALT).all()
    assert (modes[7:, :3] == HALTED).all()


def test_a_silent_node_stops_all():
    arrives = np.ones((30, 2, LEGS), np.uint8)
    arrives[10:, 1, 3] = 0  # hears, but is not heard
    states, _, _, _ = played(BusConfig(), 30, arrives)
    # its status is due at cycles 10, 12 and 14: the third that is missing stops all
    assert (states[:14] == RUN).all()
    assert (states[14:] == HALT).all()


def test_a_halt_message_stops_all_at_its_time():
    states, _, _, bank = played(BusConfig(halt=0.01), 10)
    assert (states[:5] == RUN).all()
    assert (states[5:] == HALT).all()
    assert bank.halted_at(0.002).tolist() == [0.01] * 4


def test_losses_come_at_their_rate_and_from_their_seed():
    one, two = (node_bank(BusConfig(loss=0.2, seed=7), 4, 20_000, 0.002) for _ in "ab")
    assert np.array_equal(one.arrives, two.arrives)
    share = 1.0 - one.arrives.mean()
    # statistical: 6 standard deviations of 160 000 draws
    assert abs(share - 0.2) < 6 * np.sqrt(0.2 * 0.8 / one.arrives.size)


def test_a_cut_bus_of_a_leg_that_is_not_there():
    with pytest.raises(ConfigError, match="legs are 0 to 3, got a cut bus of leg 4"):
        node_bank(BusConfig(cut=((4, 1.0),)), 4, 10, 0.002)


@pytest.mark.sim
@pytest.mark.parametrize("kind", ["ideal", "motor"])
def test_a_halted_machine_sinks_down_softly(kind):
    config = MachineConfig(
        bus=BusConfig(cut=((1, 0.5),)), actuators=ActuatorConfig(kind=kind)
    )
    run = rollout(bare(), Hold(), 6.0, plant=config)
    assert run.outcome is Outcome.FINISHED
    assert run.halted_at is not None
    # the cut node by its own time-out after 3 cycles, the others when its third status
    # is missing, which takes at most 6
    assert run.halted_at[1] == pytest.approx(0.504)
    assert 0.504 <= run.halted_at[0] <= 0.512
    assert run.p_WB[-1, 2] < 0.75 * run.p_WB[0, 2]  # it is down
    # falling freely over that way it would land at 2 m/s
    assert run.qvel[:, 2].min() > -0.5
    assert np.abs(run.current[-1]).max() < 5.0
