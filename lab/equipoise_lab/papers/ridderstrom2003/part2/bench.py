"""A drive of WARP1 on the bench, alone: spun up, and its rubber spring let go.

The compiled motor of ``sim`` with its winding, limits and gear; nothing else moves.
"""

from functools import cache

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.bound import bound
from equipoise.core.records import Records
from equipoise.robots.drives import Drive
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank
from equipoise.sim.machine.motor_kernel import (
    BY_TORQUE,
    BY_VOLTS,
    DriveCommand,
    Joints,
    drive_step,
)
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["current_rise", "speed_rise", "spun_up", "unloaded"]

DT = 1e-5  # [s]; a winding's current follows within 4e-4
LONGEST = 2.0  # [s]
RISEN = 1.0 - np.exp(-1.0)
FULL = 0.95  # of the speed without load, which is reached never quite


def _run_drive(
    drive: Drive,
    config: ActuatorConfig,
    command: Records[DriveCommand],
    start: float,
    *,
    held: bool,
) -> Array:
    """Return time, speed, torque and current of a drive from rest on, (4, n).

    Args:
        drive: which one.
        config: which model of it.
        command: of one joint.
        start: angle by which its gear is wound up at first [rad].
        held: whether the joint is held; else it is the rotor alone that turns.
    """
    bank = drive_bank([drive], config)
    state = bank.init(np.zeros(1))
    state[0].rotor = start
    q, v, tau = np.zeros(1), np.zeros(1), np.zeros(1)
    address = np.zeros(1, np.int64)
    step = bound(
        drive_step,
        bank.model(DT),
        Joints(q, v, address, address),
        command,
        bank.numbers,
        state,
        tau,
    )
    count = round(LONGEST / DT)
    out = np.zeros((4, count))
    for n in range(count):
        step()
        if not held:
            v[0] += DT * tau[0] / drive.inertia
            q[0] += DT * v[0]
        out[:, n] = (n + 1) * DT, v[0], tau[0], state[0].current
    return out


def asked(torque: float, volts: float, mode: int) -> Records[DriveCommand]:
    """Return a command as the kernel reads it."""
    command = DriveCommand.zeros()
    command[0].tau, command[0].volts, command[0].mode = torque, volts, mode
    return command


def _first(time: Array, is_so: Array) -> float:
    """Return when something is so for the first time, NaN if never [s]."""
    found = np.flatnonzero(is_so)
    return float(time[found[0]]) if found.size else float("nan")


@cache
def spun_up(drive: Drive, share: float = FULL) -> float:
    """Return when a rotor has a share of its full speed, at its current limit [s].

    Args:
        drive: which one; asked for all of its torque.
        share: of the speed without load.
    """
    config = ActuatorConfig(kind="motor")
    command = asked(drive.torque, 0.0, BY_TORQUE)
    time, speed, *_ = _run_drive(drive, config, command, 0.0, held=False)
    return _first(time, speed > share * drive.speed)


@cache
def current_rise(drive: Drive) -> float:
    """Return when 63 % of a small voltage's current flow, the joint held [s].

    Args:
        drive: which one.
    """
    volts = 0.5 * drive.resistance * drive.current
    config = ActuatorConfig(kind="motor")
    command = asked(0.0, volts, BY_VOLTS)
    time, *_, current = _run_drive(drive, config, command, 0.0, held=True)
    return _first(time, current > RISEN * volts / drive.resistance)


@cache
def speed_rise(drive: Drive) -> float:
    """Return when a rotor without load has 63 % of a small voltage's speed [s].

    Args:
        drive: which one; told a voltage that its current limit does not cut off.
    """
    volts = 0.5 * drive.resistance * drive.current
    config = ActuatorConfig(kind="motor")
    command = asked(0.0, volts, BY_VOLTS)
    time, speed, *_ = _run_drive(drive, config, command, 0.0, held=False)
    return _first(time, speed > RISEN * volts / drive.torque_constant)


@cache
def unloaded(drive: Drive, *, driven: bool) -> float:
    """Return when a fully loaded joint with its rubber spring carries nothing [s].

    Args:
        drive: which one; its gear is wound up by its full torque.
        driven: whether the motor unwinds it with all it has; else it is let go.
    """
    config = ActuatorConfig(kind="elastic", stiffness=PRINTED.rubber, substeps=1)
    volts = -drive.voltage if driven else 0.0
    mode = BY_VOLTS if driven else BY_TORQUE
    start = drive.torque / PRINTED.rubber
    command = asked(0.0, volts, mode)
    time, _, torque, _ = _run_drive(drive, config, command, start, held=True)
    return _first(time, torque < 0.0)
