"""Left and right of a robot, by their names."""

import re
from collections.abc import Iterator, Sequence

from equipoise.robots.lint.body import LintBody

__all__ = ["other_side", "pairs"]

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


def pairs(bodies: Sequence[LintBody]) -> list[tuple[LintBody, LintBody]]:
    """Return each left-hand body with its right-hand partner, where there is one.

    Args:
        bodies: all bodies of the robot.
    """
    by_name = {body.name: body for body in bodies}
    found: list[tuple[LintBody, LintBody]] = []
    for left in bodies:
        names = [n for n in other_side(left.name) if n in by_name and n != left.name]
        found += [(left, by_name[name]) for name in dict.fromkeys(names)]
    return found
