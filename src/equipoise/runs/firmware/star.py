"""Seven modules in a star: the one in the middle has as much to do as one can have."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.small.small_module import PORTS, SmallModule
from equipoise.control.com.small.twin import Twin, drawn

__all__ = ["Star", "star_of"]

MIDDLE = 400  # its name; some neighbours have larger ones, so that it has a parent
ANGLES = (0.5, -0.25, 0.75)  # [rad], exact in single precision


@final
@dataclass(frozen=True, eq=False)
class Star:
    """Frames received by the centre of a star, and its twin's answers."""

    mail: list[list[bytes | None]]
    """In each round a frame, or None, by each connector."""
    said: list[list[bytes | None]]
    """In each round a frame, or None, for each connector."""
    known_rounds: int
    """Rounds in which the middle knew the whole star."""

    @property
    def defines(self) -> dict[str, str]:
        """The middle's numbers as C text by name."""
        seq, epoch, join = drawn(MIDDLE, 1)
        angles = ", ".join(f"{angle!r}f" for angle in ANGLES)
        return {
            "MAIL_ROUNDS": str(len(self.mail)),
            "MAIL_ID": str(MIDDLE),
            "MAIL_SEQ": str(seq),
            "MAIL_EPOCH": str(epoch),
            "MAIL_JOIN": str(join),
            "MAIL_ANGLES": "{" + angles + "}",
        }

    @property
    def words(self) -> NDArray[np.uint32]:
        """All that the middle says, in one row."""
        frames = [frame for row in self.said for frame in row if frame is not None]
        return np.frombuffer(b"".join(frames), np.uint32)


def star_of(module: SmallModule, rounds: int) -> Star:
    """Return what happens in a star of modules that all touch the ground.

    Args:
        module: numbers of all.
        rounds: from a cold start.
    """
    names = [MIDDLE, *(MIDDLE + 100 * k for k in (-3, 2, -1, 3, 1, -2))]
    twins: list[Twin] = []
    for name in names:
        seq, epoch, join = drawn(name, 1)
        twins.append(Twin(module, id=name, seq=seq, epoch=epoch, join=join))
    middle, others = twins[0], twins[1:]
    inbox: list[bytes | None] = [None] * PORTS
    mail: list[list[bytes | None]] = []
    said: list[list[bytes | None]] = []
    known = 0
    for _ in range(rounds):
        mail.append(inbox)
        for p, frame in enumerate(inbox):
            if frame is not None:
                middle.mail(p, frame)
        middle.round(ANGLES, touching=True, attached=(1 << PORTS) - 1)
        for p, other in enumerate(others):
            if said and (frame := said[-1][p]) is not None:
                other.mail(0, frame)
            other.round((0.1 * p, 0.2, -0.1 * p), touching=True, attached=1)
        said.append([middle.frame(p) for p in range(PORTS)])
        inbox = [other.frame(0) for other in others]
        known += middle.known
    return Star(mail, said, known)
