"""Left and right of a robot: bodies that should be each other's mirror image."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from equipoise.robots.lint.body import Finding, LintBody

__all__ = ["other_side", "side_findings"]

MASS_SHARE, INERTIA_SHARE, PLACE = 0.01, 0.05, 2e-3
"""Differences that a drawing program makes between mirrored parts: shares of mass and
of principal moments, and of the centre of mass [m]."""
WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
TOKENS = (
    "L R",
    "l r",
    "FL FR",
    "RL RR",
    "HL HR",
    "BL BR",
    "LF RF",
    "LH RH",
    "LB RB",
    "fl fr",
    "rl rr",
    "hl hr",
    "bl br",
    "lf rf",
    "lh rh",
    "lb rb",
)


def other_side(name: str) -> Iterator[str]:
    """Yield the names that the right-hand partner of a left-hand body may have.

    Args:
        name: ``left_foot``, ``l_foot``, ``foot_l``, ``LFoot``, ``FL_foot`` ...
    """
    for left, right in WORDS.items():
        if left in name:
            yield name.replace(left, right)
    for left, right in (pair.split() for pair in TOKENS):
        token = rf"(?<![A-Za-z]){left}(?![A-Za-z])"
        if re.search(token, name):
            yield re.sub(token, right, name)
    if re.match(r"[Ll][A-Z]", name):  # LHipYaw, lFoot
        yield chr(ord(name[0]) + 6) + name[1:]


def side_findings(bodies: Sequence[LintBody]) -> Iterator[Finding]:
    """Compare each left-hand body with its right-hand partner, where there is one.

    Frames of mirrored links differ by signs, so signs are not compared.

    Args:
        bodies: all bodies of the robot.
    """
    by_name = {body.name: body for body in bodies}
    for left in bodies:
        names = [n for n in other_side(left.name) if n in by_name and n != left.name]
        for name in dict.fromkeys(names):
            yield from pair_findings(left, by_name[name])


def pair_findings(left: LintBody, right: LintBody) -> Iterator[Finding]:
    """Compare two bodies that should be mirror images."""
    a, b = left.mass or 0.0, right.mass or 0.0
    if abs(a - b) > MASS_SHARE * max(abs(a), abs(b)):
        yield left.found(
            "warning",
            f"mass differs from '{right.name}'",
            f"{a:g} kg and {b:g} kg",
            f"{0.5 * (a + b):g} kg on both sides",
        )
        return
    if left.com is not None and right.com is not None:
        off = float(np.abs(np.abs(left.com) - np.abs(right.com)).max())
        if off > PLACE:
            sides = (" ".join(f"{x:g}" for x in p) for p in (left.com, right.com))
            mean = 0.5 * (np.abs(left.com) + np.abs(right.com))
            both = " ".join(f"±{x:.4g}" for x in mean)
            yield left.found(
                "note",
                f"centre of mass is no mirror image of '{right.name}'",
                f"{' and '.join(sides)} m",
                f"{both} m",
            )
    if left.inertia is not None and right.inertia is not None:
        one, two = (np.linalg.eigvalsh(s) for s in (left.inertia, right.inertia))
        if np.abs(one - two).max() > INERTIA_SHARE * np.abs([one, two]).max():
            shown = (" ".join(f"{v:.4g}" for v in s) for s in (one, two))
            mean = " ".join(f"{v:.4g}" for v in 0.5 * (one + two))
            yield left.found(
                "note",
                f"inertia differs from '{right.name}'",
                f"principal moments {' and '.join(shown)} kg m²",
                f"{mean} kg m² on both sides",
            )
