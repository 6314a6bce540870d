"""How bad the wires of an ensemble are."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.setting import Setting, Settings

__all__ = ["Channel"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Channel(Settings):
    """Probabilities of faults, drawn for each frame; the default loses nothing."""

    loss: Annotated[
        float, Setting("Probability that a frame vanishes", least=0.0, most=1.0)
    ] = 0.0
    corruption: Annotated[
        float,
        Setting(
            "Probability that bits flip and the checksum refuses the frame",
            least=0.0,
            most=1.0,
        ),
    ] = 0.0
    duplication: Annotated[
        float, Setting("Probability that a frame arrives twice", least=0.0, most=1.0)
    ] = 0.0
    delay: Annotated[
        float,
        Setting(
            "Probability that a copy is 1 to `Rules.delta` rounds late",
            least=0.0,
            most=1.0,
        ),
    ] = 0.0
    garbage: Annotated[
        float,
        Setting(
            "Probability that random fields arrive instead, and no checksum notices",
            least=0.0,
            most=1.0,
        ),
    ] = 0.0
    reordering: Annotated[
        bool, Setting("Whether what arrives in one round is read in random order")
    ] = False
