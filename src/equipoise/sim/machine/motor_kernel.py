"""One time step of a machine's drives, compiled.

The winding, [Ridderstrom2003] section 6.1.3, at a speed w held over the time step::

    L i' = V - R i - K w        so  i(t) = i∞ + (i₀ - i∞) exp(-t R/L),  i∞ = (V - K w)/R

solved exactly; its torque is K times the mean current of the step, so that its impulse
is right. The amplifier bends the voltage where the current would pass its limit by the
end of the step; no voltage passes the supply's. The rotor behind a spring is stepped in
parts of the time step, with the joint going on at its speed::

    J w_r' = K i - b w_r - T,   T = k (θ - q) + d (w_r - w)

A cylinder behind a valve is told a torque u, held over the step; valve and chamber are
two lags in a row, solved exactly for the mean torque of the step::

    x' = w_v (u - x),   τ' = w_c (x - τ)

Work is torque times way, taken when the way is known: one step later.
"""

import math
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "BY_TORQUE",
    "BY_VOLTS",
    "HALTED",
    "DriveCommand",
    "DriveModel",
    "DriveNumbers",
    "DriveState",
    "Joints",
    "drive_step",
]

BY_TORQUE, BY_VOLTS, HALTED = range(3)
"""What of a command counts; a halted drive gets no voltage."""
IDEAL, MOTOR, ELASTIC = range(3)


class DriveModel(Record):
    """Model of all drives of a machine."""

    kind: int = entry("0 ideal, 1 motor, 2 elastic", kind=np.int64)
    dt: float = entry("time step", "s")
    substeps: int = entry("of the rotor in it, if elastic", kind=np.int64)


class DriveNumbers(Record):
    """A drive's numbers, all at the joint."""

    constant: float = entry("torque constant K", "N m/A")
    resistance: float = entry("of the winding, R", "ohm")
    rise: float = entry("time constant of the current, L/R", "s")
    inertia: float = entry("of rotor and gear, J", "kg m²")
    voltage: float = entry("of the supply", "V")
    current: float = entry("largest of the amplifier", "A")
    stiffness: float = entry("of the gear, k", "N m/rad")
    gear_damping: float = entry("of the gear, d", "N m s/rad")
    damping: float = entry("viscous, of rotor and gear, b", "N m s/rad")
    torque: float = entry("largest", "N m")
    speed: float = entry("without load", "rad/s")
    stall: float = entry("torque at rest over the largest")
    valve: float = entry("rate of a lag's valve; 0 for a motor", "rad/s")
    chamber: float = entry("and of what comes behind it", "rad/s")


class DriveState(Record):
    """State of a drive between steps."""

    current: float = entry("in the winding", "A")
    rotor: float = entry("angle", "rad")
    rotor_speed: float = entry("of the rotor", "rad/s")
    tau: float = entry("torque on the joint", "N m")
    volts: float = entry("on the winding", "V")
    last_q: float = entry("angle of the joint, a step ago", "rad")
    work_plus: float = entry("positive mechanical work so far", "J")
    work_minus: float = entry("negative mechanical work so far", "J")
    electric: float = entry("energy taken less what came back", "J")
    drawn: float = entry("energy taken, if nothing comes back", "J")
    heat: float = entry("of the winding so far", "J")
    valve: float = entry("torque as a lag's valve has it", "N m")
    lagged: float = entry("torque that a lag gives", "N m")


class DriveCommand(Record):
    """Command to a joint's drive."""

    tau: float = entry("torque", "N m")
    volts: float = entry("voltage", "V")
    mode: int = entry("which of them counts", kind=np.int64)


class Joints(NamedTuple):
    """Indices of the driven joints' angles and speeds in the engine."""

    qpos: Array
    qvel: Array
    q_address: Ints
    """Of each joint in ``qpos``, (nu,)."""
    v_address: Ints
    """And in ``qvel``, (nu,)."""


@compiled(allocates=False)
def drive_step(
    model: Records[DriveModel],
    joints: Joints,
    command: Records[DriveCommand],
    numbers: Records[DriveNumbers],
    state: Records[DriveState],
    out: Array,
) -> None:
    """Advance all drives by a time step and write the joint torques.

    Args:
        model: how they are stepped.
        joints: which they turn.
        command: what they are told, one a joint.
        numbers: the drives.
        state: overwritten by the next one.
        out: generalised forces of the model; the joints' entries are overwritten.
    """
    kind, dt = model[0].kind, model[0].dt
    for j in range(joints.q_address.shape[0]):
        q = float(joints.qpos[joints.q_address[j]])
        w = float(joints.qvel[joints.v_address[j]])
        told, drive, now = command[j], numbers[j], state[j]
        _settle_work(q, now)
        if kind == IDEAL:
            tau = _ideal_torque(w, dt, told, drive, now)
        elif drive.valve > 0.0:
            tau = _lagging_torque(w, dt, told, drive, now)
        elif kind == MOTOR:
            now.rotor, now.rotor_speed = q, w
            tau = _winding(w, dt, told, drive, now)
            tau -= drive.damping * w
        else:
            tau = _behind_spring(q, w, model[0], told, drive, now)
        now.tau = tau
        out[joints.v_address[j]] = tau


@compiled(allocates=False, force_inline=True)
def _settle_work(q: float, now: DriveState) -> None:
    """Count the work of the last step's torque, now that its way is known."""
    work = now.tau * (q - now.last_q)
    now.last_q = q
    if work > 0.0:
        now.work_plus += work
    else:
        now.work_minus += work


@compiled(allocates=False, force_inline=True)
def _ideal_torque(
    w: float, dt: float, told: DriveCommand, drive: DriveNumbers, now: DriveState
) -> float:
    """Return the torque asked for, as far as current and voltage go.

    The limits are [-clip(s (1 + w/w₀)), clip(s (1 - w/w₀))] τ_max with s the stall
    torque over the limit; a halted drive brakes like a motor without voltage.
    """
    limit, share, k, r = drive.torque, w / drive.speed, drive.constant, drive.resistance
    up = limit * min(1.0, max(0.0, drive.stall * (1.0 - share)))
    down = limit * min(1.0, max(0.0, drive.stall * (1.0 + share)))
    if told.mode == HALTED:
        tau = min(limit, max(-limit, -k * k / r * w))
    else:
        tau = min(up, max(-down, told.tau))
    i = tau / k
    now.current = i
    now.volts = r * i + k * w
    now.rotor_speed = w
    _count_power(now.volts * i * dt, r * i * i * dt, now)
    return tau - drive.damping * w


@compiled(allocates=False, force_inline=True)
def _lagging_torque(
    w: float, dt: float, told: DriveCommand, drive: DriveNumbers, now: DriveState
) -> float:
    """Advance valve and chamber over ``dt``; return the mean torque [N m].

    A torque is what it is told, within the limits of ``_ideal_torque``; a halted valve
    lets go.
    """
    ask = 0.0
    if told.mode != HALTED:
        share = w / drive.speed
        up = drive.torque * min(1.0, max(0.0, drive.stall * (1.0 - share)))
        down = drive.torque * min(1.0, max(0.0, drive.stall * (1.0 + share)))
        ask = min(up, max(-down, told.tau))
    v, c, x, tau = drive.valve, drive.chamber, now.valve - ask, now.lagged - ask
    fast, slow = math.exp(-v * dt), math.exp(-c * dt)
    part = c * x / (c - v)  # of the valve's own decay in the chamber
    rest = tau - part
    mean = ask + (part * (1.0 - fast) / v + rest * (1.0 - slow) / c) / dt
    now.valve, now.lagged = ask + x * fast, ask + part * fast + rest * slow
    now.current, now.volts = mean / drive.constant, 0.0
    now.rotor_speed = w
    _count_power(mean * w * dt, 0.0, now)
    return mean - drive.damping * w


@compiled(allocates=False, force_inline=True)
def _count_power(energy: float, heat: float, now: DriveState) -> None:
    """Count what a drive takes from the supply [J]; ``drawn`` gets nothing back."""
    now.electric += energy
    now.drawn += max(energy, 0.0)
    now.heat += heat


@compiled(allocates=False, force_inline=True)
def _winding(
    w: float, dt: float, told: DriveCommand, drive: DriveNumbers, now: DriveState
) -> float:
    """Advance the current over ``dt`` and return the mean torque [N m]."""
    k, r, i0, most = drive.constant, drive.resistance, now.current, drive.current
    x = dt / drive.rise
    rest = -math.expm1(-x)  # share of the way to i∞ that a step goes
    if told.mode == BY_VOLTS:
        aim = (told.volts - k * w) / r
    elif told.mode == HALTED:
        aim = -k * w / r
    else:
        ask = min(most, max(-most, told.tau / k))
        aim = i0 + (ask - i0) / rest
    high, low = i0 + (most - i0) / rest, i0 + (-most - i0) / rest
    volts = r * min(high, max(low, aim)) + k * w
    volts = min(drive.voltage, max(-drive.voltage, volts))
    final = (volts - k * w) / r
    gap = i0 - final
    mean = final + gap * rest / x
    square = final * (2.0 * mean - final) - gap * gap * math.expm1(-2.0 * x) / (2.0 * x)
    now.current = final + gap * (1.0 - rest)
    now.volts = volts
    _count_power(volts * mean * dt, r * square * dt, now)
    return k * mean


@compiled(allocates=False, force_inline=True)
def _behind_spring(
    q: float,
    w: float,
    model: DriveModel,
    told: DriveCommand,
    drive: DriveNumbers,
    now: DriveState,
) -> float:
    """Advance the rotor behind its gear; return the mean torque on the joint [N m]."""
    h, total, volts = model.dt / model.substeps, 0.0, 0.0
    angle, speed, inertia = now.rotor, now.rotor_speed, drive.inertia
    for part in range(model.substeps):
        turned = _winding(speed, h, told, drive, now)
        volts += now.volts
        here = q + w * (part + 0.5) * h
        # spring and dampers at mid-step: second order
        wound = drive.stiffness * (angle + 0.5 * h * speed - here)
        pull = turned - wound + drive.gear_damping * w
        lag = 0.5 * h * (drive.gear_damping + drive.damping)
        after = ((inertia - lag) * speed + h * pull) / (inertia + lag)
        total += wound + drive.gear_damping * (0.5 * (speed + after) - w)
        angle += 0.5 * h * (speed + after)
        speed = after
    now.rotor, now.rotor_speed = angle, speed
    now.volts = volts / model.substeps
    return total / model.substeps
