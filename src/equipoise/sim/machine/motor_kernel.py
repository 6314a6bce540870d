"""One time step of a machine's drives, compiled.

The winding, [Ridderstrom2003] section 6.1.3, at a speed w held over the time step::

    L i' = V - R i - K w        so  i(t) = i∞ + (i₀ - i∞) exp(-t R/L),  i∞ = (V - K w)/R

solved exactly; its torque is K times the mean current of the step, so that its impulse
is right. The amplifier bends the voltage where the current would pass its limit by the
end of the step; no voltage passes the supply's. The rotor behind a spring is stepped in
parts of the time step, with the joint going on at its speed::

    J w_r' = K i - b w_r - T,   T = k (θ - q) + d (w_r - w)

Work is torque times way, taken when the way is known: one step later.
"""

import math

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["drive_step"]

K, R, RISE, J, VOLTAGE, CURRENT, SPRING, GEAR, VISCOUS, TORQUE, SPEED, STALL = range(12)
TABLE_ROWS = 12
AMPERES, ROTOR, ROTOR_SPEED, TAU, VOLTS, LAST_Q = range(6)
WORK_PLUS, WORK_MINUS, ELECTRIC, DRAWN, HEAT = range(6, 11)
STATE_ROWS = 11
WANT_TAU, WANT_VOLTS, MODE = range(3)
COMMAND_ROWS = 3
BY_TORQUE, BY_VOLTS, HALTED = 0.0, 1.0, 2.0
IDEAL, MOTOR, ELASTIC = 0, 1, 2


@compiled(allocates=False)
def drive_step(
    kind: int,
    dt: float,
    substeps: int,
    qpos: Array,
    qvel: Array,
    address: Ints,
    command: Array,
    table: Array,
    state: Array,
    out: Array,
) -> None:
    """Advance all drives by a time step and write the joint torques.

    Args:
        kind: 0 ideal, 1 motor, 2 elastic.
        dt: time step [s].
        substeps: of the rotor in it, for kind 2.
        qpos: of the model.
        qvel: of the model.
        address: of each joint in both, (2, nu).
        command: torques, volts and which of them count, (3, nu).
        table: the drives, (12, nu).
        state: overwritten by the next one, (11, nu).
        out: generalised forces of the model; the joints' entries are overwritten.
    """
    for j in range(address.shape[1]):
        q, w = float(qpos[address[0, j]]), float(qvel[address[1, j]])
        settle_work(j, q, state)
        if kind == IDEAL:
            tau = ideal_torque(j, w, dt, command, table, state)
        elif kind == MOTOR:
            state[ROTOR, j], state[ROTOR_SPEED, j] = q, w
            tau = winding(j, w, dt, command, table, state)
            tau -= table[VISCOUS, j] * w
        else:
            tau = behind_spring(j, q, w, dt, substeps, command, table, state)
        state[TAU, j] = tau
        out[address[1, j]] = tau


@compiled(allocates=False, melts=True)
def settle_work(j: int, q: float, state: Array) -> None:
    """Count the work of the last step's torque, now that its way is known."""
    work = state[TAU, j] * (q - state[LAST_Q, j])
    state[LAST_Q, j] = q
    if work > 0.0:
        state[WORK_PLUS, j] += work
    else:
        state[WORK_MINUS, j] += work


@compiled(allocates=False, melts=True)
def ideal_torque(
    j: int, w: float, dt: float, command: Array, table: Array, state: Array
) -> float:
    """Return the torque asked for, as far as current and voltage go.

    The limits are [-clip(s (1 + w/w₀)), clip(s (1 - w/w₀))] τ_max with s the stall
    torque over the limit; a halted drive brakes like a motor without voltage.
    """
    limit, share = table[TORQUE, j], w / table[SPEED, j]
    up = limit * min(1.0, max(0.0, table[STALL, j] * (1.0 - share)))
    down = limit * min(1.0, max(0.0, table[STALL, j] * (1.0 + share)))
    if command[MODE, j] == HALTED:
        tau = min(limit, max(-limit, -table[K, j] * table[K, j] / table[R, j] * w))
    else:
        tau = min(up, max(-down, command[WANT_TAU, j]))
    i = tau / table[K, j]
    state[AMPERES, j] = i
    state[VOLTS, j] = table[R, j] * i + table[K, j] * w
    state[ROTOR_SPEED, j] = w
    count_power(j, state[VOLTS, j] * i * dt, table[R, j] * i * i * dt, state)
    return tau - table[VISCOUS, j] * w


@compiled(allocates=False, melts=True)
def count_power(j: int, energy: float, heat: float, state: Array) -> None:
    """Count what a drive takes from the supply [J]; ``DRAWN`` gets nothing back."""
    state[ELECTRIC, j] += energy
    state[DRAWN, j] += max(energy, 0.0)
    state[HEAT, j] += heat


@compiled(allocates=False, melts=True)
def winding(
    j: int, w: float, dt: float, command: Array, table: Array, state: Array
) -> float:
    """Advance the current over ``dt`` and return the mean torque [N m]."""
    k, r, i0, most = table[K, j], table[R, j], state[AMPERES, j], table[CURRENT, j]
    x = dt / table[RISE, j]
    rest = -math.expm1(-x)  # share of the way to i∞ that a step goes
    mode = command[MODE, j]
    if mode == BY_VOLTS:
        aim = (command[WANT_VOLTS, j] - k * w) / r
    elif mode == HALTED:
        aim = -k * w / r
    else:
        ask = min(most, max(-most, command[WANT_TAU, j] / k))
        aim = i0 + (ask - i0) / rest
    high, low = i0 + (most - i0) / rest, i0 + (-most - i0) / rest
    volts = r * min(high, max(low, aim)) + k * w
    volts = min(table[VOLTAGE, j], max(-table[VOLTAGE, j], volts))
    final = (volts - k * w) / r
    gap = i0 - final
    mean = final + gap * rest / x
    square = final * (2.0 * mean - final) - gap * gap * math.expm1(-2.0 * x) / (2.0 * x)
    state[AMPERES, j] = final + gap * (1.0 - rest)
    state[VOLTS, j] = volts
    count_power(j, volts * mean * dt, r * square * dt, state)
    return k * mean


@compiled(allocates=False, melts=True)
def behind_spring(
    j: int,
    q: float,
    w: float,
    dt: float,
    substeps: int,
    command: Array,
    table: Array,
    state: Array,
) -> float:
    """Advance the rotor behind its gear; return the mean torque on the joint [N m]."""
    h, total, volts = dt / substeps, 0.0, 0.0
    angle, speed = state[ROTOR, j], state[ROTOR_SPEED, j]
    inertia = table[J, j]
    for part in range(substeps):
        drive = winding(j, speed, h, command, table, state)
        volts += state[VOLTS, j]
        here = q + w * (part + 0.5) * h
        # spring and dampers at mid-step: second order
        wound = table[SPRING, j] * (angle + 0.5 * h * speed - here)
        pull = drive - wound + table[GEAR, j] * w
        lag = 0.5 * h * (table[GEAR, j] + table[VISCOUS, j])
        after = ((inertia - lag) * speed + h * pull) / (inertia + lag)
        total += wound + table[GEAR, j] * (0.5 * (speed + after) - w)
        angle += 0.5 * h * (speed + after)
        speed = after
    state[ROTOR, j], state[ROTOR_SPEED, j] = angle, speed
    state[VOLTS, j] = volts / substeps
    return total / substeps
