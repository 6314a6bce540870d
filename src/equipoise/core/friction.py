"""Coulomb friction of ground that nobody describes: every default, and why jobs differ.

What an option or a robot file says counts before all of these. The friction that a
controller trusts is not here: it is a setting of that controller.
"""

__all__ = [
    "ASSUMED_FRICTION",
    "DRAWN_FRICTION",
    "MIDDLE_FRICTION",
    "SLIPPERY_FRICTION",
]

ASSUMED_FRICTION = 0.6
"""Friction of a file that names none, in ``check`` and in stop tests: the least that
walks are tried with, so that the verdict "it stands" is on the safe side."""
DRAWN_FRICTION = (0.6, 0.8)
"""Range from which the seed of a walk draws: rubber feet on dry floors, so that no
result hangs on one number."""
MIDDLE_FRICTION = 0.7
"""Middle of that range, for ground that has to be the same for every robot (rows on a
card) or that is built by hand; γ of [Ridderstrom2003] table 6.1, too."""
SLIPPERY_FRICTION = 0.3
"""Friction under robots that stand and are pushed, as [Wendlandt1997] has it. Balance
laws have to keep their forces within its cone, which that paper's law does not."""
