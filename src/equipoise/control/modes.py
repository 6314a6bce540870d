"""Operating modes of the Adaptive Suspension Vehicle, [Ridderstrom2003] section 3.2.2.

Every change from one mode to another goes through precision footing, and only a machine
at rest changes at all.
"""

from equipoise.core.errors import UnknownNameError
from equipoise.core.jit import compiled

__all__ = ["FREE_MODES", "MODES", "expect_mode", "next_mode"]

MODES = ("utility", "precision", "tripod", "terrain", "leader", "crossing")
"""Start-up and shut-down; trunk and single legs by hand, the support as it is; close
manoeuvring; terrain following by a free gait; follow-the-leader; crossing of steps."""
FREE_MODES = MODES[3:]
"""In which legs step when they must, not by a clock."""
UTILITY, PRECISION, TRIPOD = range(3)


@compiled(allocates=False)
def next_mode(now: int, wanted: int, is_still: bool) -> int:
    """Return the mode after this one, by its number in ``MODES``.

    Args:
        now: the present one.
        wanted: by the operator.
        is_still: whether the machine rests on all feet.
    """
    if now == wanted or not is_still:
        return now
    return wanted if now == PRECISION else PRECISION


def expect_mode(name: str) -> int:
    """Return a mode's number, or say which there are.

    Args:
        name: of the mode.

    Raises:
        UnknownNameError: no such mode.
    """
    if name not in MODES:
        raise UnknownNameError("mode", name, MODES, "the Adaptive Suspension Vehicle")
    return MODES.index(name)
