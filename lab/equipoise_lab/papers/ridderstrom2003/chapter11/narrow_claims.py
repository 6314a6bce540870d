"""Section 11.1.3: (11.3), the energy test, and the width at which WARP1 leans."""

from collections.abc import Sequence

from equipoise_lab.papers.check import above, at_least, below
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow import OWN, Narrow

__all__ = ["CASES", "narrow_claims"]

CASES = ((4e3, 10e3), (10e3, 4e3))
"""Stiffness along and up: as it must be read, and as the words have it [N/m]."""
CLOSE = 0.01  # what the energy test has to reach, share of the width
STANDS = 1.0  # roll of a machine that stands [°]
FAR = 0.05  # more than any of the printed numbers is rounded by


def narrow_claims(found: Sequence[Narrow]) -> list[Claim]:
    """Return what the simulated widths say.

    Args:
        found: one for each of ``CASES``.
    """
    return [claim for narrow in found for claim in _case_claims(narrow)]


def _case_claims(narrow: Narrow) -> list[Claim]:
    """Return the claims for one choice of stiffnesses."""
    name = f"{narrow.along / 1e3:g} kN/m along, {narrow.up / 1e3:g} up"
    energy = narrow.predicted.heavy / narrow.simulated - 1.0
    planar = narrow.predicted.lumped / narrow.simulated - 1.0
    leans = [g for r, g in narrow.tried if r < narrow.simulated]
    comes = [g for r, g in narrow.tried if r > narrow.simulated]
    told = ", ".join(f"{r:.4f} m {g:+.2f} /s" for r, g in narrow.tried)
    return [
        shown(
            "11.1.3",
            f"{name}: (11.3) is unlikely to be accurate for WARP1",
            "unlikely, as it models neither its bodies nor its actuators",
            f"{100 * planar:.1f} % too wide; the energy test with the legs' masses is"
            f" {100 * energy:+.2f} % off",
            [below(abs(energy), CLOSE), above(planar, FAR)],
            f"simulated, it starts to lean at a half-width of {narrow.simulated:.4f} m;"
            f" (11.3) with all mass in the trunk says {narrow.predicted.lumped:.4f} m,"
            f" the energy test {narrow.predicted.heavy:.4f} m. Ideal torques, rigid"
            " ground, law (5.1) in each millisecond",
            tolerance="energy test within 1 %, (11.3) off by more than 5 %",
        ),
        shown(
            "11.1.3",
            f"{name}: WARP1 stands as usual, with r/h = 0.5: largest roll [°]",
            "easily capable of standing",
            narrow.usual,
            below(narrow.usual, STANDS),
            f"simulated for 10 s at its own half-width of {OWN:g} m, pushed with"
            " 0.1 N s after one; narrower than the critical point it falls by that",
            tolerance=f"below {STANDS:g}",
        ),
        shown(
            "11.1.3",
            f"{name}: made narrower than the critical point it falls",
            "fell",
            f"{len(leans)} narrower stances lean, {len(comes)} wider ones come back",
            [at_least(len(leans), 2), above(min(leans), 0.0), below(max(comes), 0.0)],
            f"rates at which a roll grows, by half-width: {told}",
            tolerance="every narrower stance leans, every wider one comes back",
        ),
        shown(
            "11.1.3",
            f"{name}: it falls faster as it is closer to the critical point",
            "seemed to fall faster as it was closer",
            f"{leans[-1]:.2f} /s next to it, {leans[-2]:.2f} /s further beyond it",
            above(leans[-1], leans[-2]),
            "the other way round: next to the critical point a roll grows slowest, as"
            f" it must where it turns from growing to decaying. {told}. Motors, sensors"
            " and buses do not change that: it is then seen to fall within a few"
            " seconds, and only beyond",
            tolerance="faster next to it",
        ),
    ]
