"""What a machine's own sensors tell it, by the names of ``core.contracts.Readings``."""

from collections.abc import Iterable

from equipoise.core.errors import UnknownNameError

__all__ = ["FILE_SENSES", "FOOT_SENSES", "SENSES", "WARP1_SENSES", "expect_senses"]

SENSES: dict[str, str] = {
    "q": "encoders on the joints",
    "current": "currents of the drives, and so their torques",
    "limit": "switches before the joints' stops",
    "gyro": "rates of turn of the trunk",
    "acceleration": "of the trunk",
    "inclination": "slow inclinometer of the trunk",
    "load": "load cell along each shank",
    "pad": "how far each foot's pad is pushed in",
    "force": "force on each foot, three axes",
    "edge": "six contact sensors round each foot: share without ground below",
    "near": "distance of each foot from the ground, within its range",
    "scan": "heights of the ground ahead, twice a second",
}
"""What each tells, in a phrase."""
FILE_SENSES = frozenset(
    ("q", "current", "limit", "gyro", "acceleration", "inclination")
)
"""What a robot of which nothing is said is taken to have."""
WARP1_SENSES = FILE_SENSES | {"load", "pad"}
"""[Ridderstrom2003] sections 5.1.3 and 5.1.4."""

FOOT_SENSES = frozenset(("force", "edge", "near"))
"""Those in the feet of some machines."""


def expect_senses(names: Iterable[str], where: str) -> None:
    """Refuse what no machine can sense.

    Args:
        names: of sensors.
        where: whose they are, in words.

    Raises:
        UnknownNameError: names the first that does not exist.
    """
    for name in names:
        if name not in SENSES:
            raise UnknownNameError("sensor", name, SENSES, where)
