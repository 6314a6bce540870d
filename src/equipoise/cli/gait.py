"""``equipoise gait``: a gait's diagram, support patterns, margins and speed limits."""

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_shown_gaits
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.gait.config import GaitConfig

if TYPE_CHECKING:
    from equipoise.runs.gait.gait import GaitResult

__all__ = ["gait_command"]


@takes_settings(GaitConfig)
def gait_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of the gait: crawl, trot, pace, gallop, wave, crab, turning, "
            "tripod, ...",
            autocompletion=complete_shown_gaits,
            show_default=False,
        ),
    ],
    settings: Settings = NO_SETTINGS,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Show which legs stand when in a gait, its margins and its speed limits.

    The margins are those of the scheduled support over a cycle. The speeds are those
    that the machine's joints allow. Nothing is random. Exits 0 when done.
    """
    from equipoise.runs.gait.gait import gait_report

    expect_out(out)
    result = gait_report(GaitConfig(name=name, **settings))
    written = write_files(out, result.save)
    if json_output:
        print_json(result.summary)
    else:
        _print_gait(result)
        print_written(written)
    return 0


def _print_gait(result: "GaitResult") -> None:
    """Print a gait for people."""
    from equipoise.control.gaits.stances import gait_stances
    from equipoise.viz.gait_text import gait_text

    s = result.summary
    say(f"{s['gait']}, duty factor {s['duty']:.4g}, {s['machine']}; █ marks stance")
    say(*gait_text(gait_stances(result.gait)).splitlines(), "")
    rows = [
        (f"{p['begins']:.3f}", f"{p['lasts']:.3f}", " ".join(p["legs"]) or "none")
        for p in s["support_patterns"]
    ]
    head = ("from", "for", "legs in stance")
    print_table(head, rows, "support patterns [cycles]", justify="left")
    print_table(("", "value"), _number_rows(s), "over a cycle")


def _number_rows(s: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a gait's numbers in words."""
    least, along = (
        f"{round(1e3 * s[key], 1) + 0.0:.1f}" if math.isfinite(s[key]) else "none"
        for key in ("margin_min_m", "longitudinal_margin_m")
    )
    rows = [
        ("order of steps", " ".join(s["sequence"]) or "none"),
        ("at most one leg in the air", "yes" if s["is_creeping"] else "no"),
        ("statically balanced", "yes" if s["is_statically_balanced"] else "no"),
        ("smallest margin [mm]", least),
        ("smallest margin ahead or behind [mm]", along),
        ("stroke [m]", f"{s['stroke_m']:.3f}"),
        ("speed limit with this stroke [m/s]", f"{s['speed_limit_mps']:.3f}"),
    ]
    if s["turn_limit_dps"]:
        rows.append(("fastest turn [deg/s]", f"{s['turn_limit_dps']:.1f}"))
    if s["fastest_mps"] is not None:
        best = f"{s['fastest_mps']:.3f} (stroke {s['fastest_stroke_m']:.2f} m)"
        rows.append(("speed limit with any stroke [m/s]", best))
    rows.append(("cycle [s]", f"{s['cycle_s']:.3f}"))
    rows.append(
        ("largest ratio of trunk to foot speed", f"{s['speed_over_leg_speed']:.3f}")
    )
    return rows
