"""Section 11.1.3: (11.3), the energy test, and the width at which WARP1 leans."""

from collections.abc import Sequence
from itertools import pairwise

from equipoise.papers.claim import Claim, shown
from equipoise.papers.ridderstrom2003.chapter11.narrow import Narrow

__all__ = ["CASES", "narrow_claims"]

CASES = ((4e3, 10e3), (10e3, 4e3))
"""Stiffness along and up: as it must be read, and as the words have it [N/m]."""
CLOSE = 0.01  # what the energy test has to reach, share of the width
FAR = 0.05  # more than any of the printed numbers is rounded by


def narrow_claims(found: Sequence[Narrow]) -> list[Claim]:
    """Return what the simulated widths say.

    Args:
        found: one for each of ``CASES``.
    """
    return [claim for narrow in found for claim in case_claims(narrow)]


def case_claims(narrow: Narrow) -> list[Claim]:
    """Return the claims for one choice of stiffnesses."""
    name = f"{narrow.along / 1e3:g} kN/m along, {narrow.up / 1e3:g} up"
    energy = narrow.predicted.heavy / narrow.simulated - 1.0
    planar = narrow.predicted.lumped / narrow.simulated - 1.0
    leans = [g for r, g in narrow.tried if r < narrow.simulated]
    return [
        shown(
            "11.1.3",
            f"{name}: (11.3) is unlikely to be accurate for WARP1",
            "unlikely, as it models neither its bodies nor its actuators",
            f"{100 * planar:.1f} % too wide; the energy test with the legs' masses is"
            f" {100 * energy:+.2f} % off",
            abs(energy) < CLOSE and planar > FAR,
            f"simulated, it starts to lean at a half-width of {narrow.simulated:.4f} m;"
            f" (11.3) with all mass in the trunk says {narrow.predicted.lumped:.4f} m,"
            f" the energy test {narrow.predicted.heavy:.4f} m. Ideal torques, rigid"
            " ground, law (5.1) in each millisecond",
            tolerance="energy test within 1 %, (11.3) off by more than 5 %",
        ),
        shown(
            "11.1.3",
            f"{name}: WARP1 falls near the critical point, the faster the further"
            " beyond",
            "fell, and seemed to fall faster as it was closer",
            f"{len(leans)} narrower stances lean, {len(narrow.tried) - len(leans)}"
            " wider ones come back",
            len(leans) >= 2 and all(a >= b > 0.0 for a, b in pairwise(leans))
            and all(g < 0.0 for r, g in narrow.tried if r > narrow.simulated),
            "rates at which a roll grows, by half-width: "
            + ", ".join(f"{r:.4f} m {g:+.2f} /s" for r, g in narrow.tried),
            tolerance="rates rise as it gets narrower",
        ),
    ]  # fmt: skip
