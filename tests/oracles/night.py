"""Seeds that each night draws anew, in parts that can be run one by one."""

import os

__all__ = ["seeds_of_the_night"]


def seeds_of_the_night(first: int, count: int, each: int) -> list[range]:
    """Return the seeds of a night in parts.

    EQUIPOISE_NIGHT is the number of the night; 0 where there is none, so that a test
    that is run by hand has the same seeds every time.

    Args:
        first: of all seeds that are ever drawn; those below are of the daily tests.
        count: seeds of a night.
        each: seeds of a part; a divisor of ``count``.
    """
    night = int(os.environ.get("EQUIPOISE_NIGHT", "0"))
    start = first + night * count
    return [range(k, k + each) for k in range(start, start + count, each)]
