"""Force of a standing foot over its support, [Ridderstrom2003] section 3.2.4.

A truncated Fourier series as animals' feet show it, with t from the middle of the
support, f the frequency of steps and β the duty factor::

    F_z = F₀ + C (cos(π f t / β) - q cos(3 π f t / β)),   F_x = (v t / h) F_z

so that the force points from the foot to the hip, which is h above it and passes over
it at v. As printed q is not multiplied by C, and F_x = v t F_z would be no force. The
mean over a cycle, β F₀ + (2 β C / π)(1 + q / 3), is a leg's share of the weight by the
choice of C.
"""

import math

from equipoise.core.errors import NotPhysicalError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, entry

__all__ = ["ForceReference", "force_reference", "peak_for"]


class ForceReference(Record):
    """Numbers of the force series."""

    offset: float = entry("F₀", "N")
    peak: float = entry("C", "N")
    dip: float = entry("q")
    frequency: float = entry("f, of cycles", "1/s")
    duty: float = entry("β, share of a cycle on the ground")
    speed: float = entry("v, of the hip over the foot", "m/s")
    height: float = entry("h, of the hip over the foot", "m")


def peak_for(
    share: float, weight: float, duty: float, dip: float = 0.2, offset: float = 0.0
) -> float:
    """Return the C [N] for which a leg carries its share of the weight on average.

    Args:
        share: of the weight.
        weight: [N].
        duty: β, above 0 and at most 1.
        dip: q.
        offset: F₀ [N].

    Raises:
        NotPhysicalError: a duty factor that is none.
    """
    if not 0.0 < duty <= 1.0:
        raise NotPhysicalError(f"A duty factor is above 0 and at most 1, got {duty!r}.")
    left = share * weight - duty * offset
    return left * math.pi / (2.0 * duty * (1.0 + dip / 3.0))


@compiled(allocates=False)
def force_reference(time: float, reference: ForceReference) -> tuple[float, float]:
    """Return F_x and F_z of the ground on the foot [N]; nothing outside the support.

    Args:
        time: from the middle of the support [s].
        reference: the series.
    """
    angle = math.pi * reference.frequency * time / reference.duty
    if abs(angle) > 0.5 * math.pi:
        return 0.0, 0.0
    wave = math.cos(angle) - reference.dip * math.cos(3.0 * angle)
    up = reference.offset + reference.peak * wave
    return reference.speed * time / reference.height * up, up
