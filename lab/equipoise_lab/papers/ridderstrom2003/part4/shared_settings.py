"""What part IV of [Ridderstrom2003] sets and we use too: the rig, bodies, grounds."""

from equipoise.core.constants import GRAVITY
from equipoise_lab.papers.ridderstrom2003.part4.attraction import BODIES, body_of
from equipoise_lab.papers.ridderstrom2003.part4.attraction_claims import FIGURES
from equipoise_lab.papers.ridderstrom2003.part4.rig import critical_height
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["shared_settings"]


def shared_settings() -> list[Setting]:
    """Return every setting."""
    rig, (tall, low) = PRINTED.rig, PRINTED.heights
    at_one, wide = PRINTED.stiffness_at_one, PRINTED.half_width
    series = 1.0 / (1.0 / rig.spring + 1.0 / rig.wire)
    used = critical_height(1.0) * rig.mass * GRAVITY / 2.0
    stiff = [body_of(1.0, h, wide, BODIES[0]).stiffness for h in (tall, low)]
    drawn = sorted({grid.height for grid in FIGURES}, reverse=True)
    return [
        setting("9.2, table 9.1, erratum 9", "combined stiffness of spring and wire"
                " [N/m]", rig.stiffness, round(used, 9), "378 and 9800 N/m in series"
                f" give {series:.1f}, which is within the printed ±18"),
        setting("9.3, figs 9.6 to 9.8", "heights of the bodies [m]",
                f"{tall:g}, {low:g}", ", ".join(f"{h:g}" for h in drawn)),
        *(
            setting("9.3", f"k where a is near 1, h = {h:g} m [N/m]", theirs,
                    round(ours, 2), "printed as about, for a mass that is not printed;"
                    " with 1 kg it is this, which we use")
            for h, theirs, ours in zip((tall, low), at_one, stiff, strict=True)
        ),
    ]  # fmt: skip
