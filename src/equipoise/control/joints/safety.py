"""Safety at the joints: limit sensors stop the drive, silence stops the machine.

Where a range limit sensor is active, the voltage in the direction of the mechanical
stop is limited, [Ridderstrom2003] section 5.3. When no fresh readings come, the machine
halts (figure 5.5).
"""

import math

from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled

__all__ = ["ticks_without_readings", "voltage_at_stop"]


@compiled(allocates=False, force_inline=True)
def voltage_at_stop(
    volts: float, limit: float, back_emf: float, most_drop: float
) -> float:
    """Return a voltage that does not drive a joint into its stop.

    At the upper stop V <= min(0, K w), so that the torque towards the stop is zero or
    less, but never so far below K w that braking takes more than the largest current.
    At the lower stop the mirror image.

    Args:
        volts: wanted [V].
        limit: of the range sensor, -1, 0 or 1.
        back_emf: K w, what holds zero torque at this speed [V].
        most_drop: R times the largest current [V].
    """
    if limit > 0.5:
        return min(volts, max(min(0.0, back_emf), back_emf - most_drop))
    if limit < -0.5:
        return max(volts, min(max(0.0, back_emf), back_emf + most_drop))
    return volts


@compiled(allocates=False)
def ticks_without_readings(time: float, memory: VecN) -> float:
    """Return the number of consecutive ticks without new readings.

    Args:
        time: when the readings were sampled [s]; nan before the first.
        memory: time of the last fresh ones and the count, (2,); overwritten.
    """
    if math.isfinite(time) and not time <= memory[0]:  # also the first: memory is nan
        memory[0], memory[1] = time, 0.0
    else:
        memory[1] += 1.0
    return memory[1]
