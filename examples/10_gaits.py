"""Gaits as numbers: diagrams, margins, the best phases, and a walk without an order.

Writes ``gaits.png`` and ``free.png`` into the folder it is run in.
"""

import numpy as np

from equipoise.control.gaits import (
    FreeGaitConfig,
    best_gait,
    free_gait,
    gait_stances,
    is_creeping,
    leg_names,
    leg_sequence,
    named_gait,
    periodic_plan,
    plan_margins,
    row_footprint,
    static_margins,
    wave_margin,
)
from equipoise.viz.gait_plots import plot_gaits, plot_supports
from equipoise.viz.gait_text import gait_text


def main() -> None:
    crawl = named_gait("crawl", duty=0.8)
    print(gait_text(gait_stances(crawl)))
    order = [leg_names(4)[k] for (k,) in leg_sequence(crawl)]
    print("steps:", *order, "- creeping:", is_creeping(crawl))

    # Four feet 0.62 m apart ahead and 0.5 m aside, strokes of 0.2 m.
    feet = row_footprint(4, pitch=0.62, width=0.5)
    margins = plan_margins(periodic_plan(crawl, feet, [0.2 / 0.8, 0.0]))
    print(f"margin {1e3 * margins.static.min():.1f} mm,", end=" ")
    print(f"ahead {1e3 * margins.longitudinal.min():.1f} mm,", end=" ")
    print(f"by formula {1e3 * wave_margin(4, 0.8, 0.62, 0.2):.1f} mm")

    # No phases are better than the crawl's; the search does not know them.
    best = best_gait(feet, 0.8, 0.2 / 0.8)
    print(f"best of {best.tried} tried: {1e3 * best.margin:.1f} mm")
    print("phases", (best.gait.phases - best.gait.phases[2]).round(4) % 1.0)

    # Eight legs, long strokes: here other phases are better than the wave's.
    eight = row_footprint(8, pitch=0.3, width=0.5)
    best = best_gait(eight, 0.5, 0.3 / 0.5, is_symmetric=True)
    print(f"eight legs: {best.margin:.3f} m, wave {wave_margin(8, 0.5, 0.3, 0.3)} m")

    # Six legs that step when they must, and keep off stripes on the ground.
    six = row_footprint(6, pitch=0.31, width=0.5)
    walk = free_gait(
        six,
        np.array([0.08, 0.0, 0.0]),
        6.0,
        FreeGaitConfig(margin=0.02),
        allowed=lambda place: bool(place[0] % 0.13 > 0.03),
    )
    least = static_margins(walk.plan).min()
    print(f"free: {walk.plan.poses[-1, 0]:.2f} m, margin {1e3 * least:.0f} mm or more")

    names = ("trot", "pace", "gallop", "crawl", "tripod", "tetrapod")
    legs = (4, 4, 4, 4, 6, 6)
    gaits = [named_gait(n, k) for n, k in zip(names, legs, strict=True)]
    print("wrote", plot_gaits("gaits.png", gaits))
    print("wrote", plot_supports("free.png", walk.plan, title="free gait [s]"))


if __name__ == "__main__":
    main()
