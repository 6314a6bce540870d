"""What a gait is worth on a machine: the numbers and pictures of ``equipoise gait``."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.control.gaits.crab import crab_gait
from equipoise.control.gaits.discontinuous import (
    discontinuous_gait,
    discontinuous_plan,
)
from equipoise.control.gaits.follow_leader import follow_the_leader
from equipoise.control.gaits.foot_path import peak_factor, speed_limit
from equipoise.control.gaits.footprint import Footprint, balanced_footprint
from equipoise.control.gaits.machine_speed import (
    FootWay,
    SpeedLimit,
    fastest_walk,
    largest_stroke,
)
from equipoise.control.gaits.margins import (
    PlanMargins,
    conservative_margins,
    plan_margins,
)
from equipoise.control.gaits.named import named_gait, usual_legs
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names
from equipoise.control.gaits.plan import (
    FootfallPlan,
    periodic_plan,
    refined,
    stroke_vectors,
    turning_stride,
)
from equipoise.control.gaits.sequences import (
    as_matrix,
    creeping_gait,
    is_creeping,
    is_nonsingular,
    leg_sequence,
    support_sequence,
)
from equipoise.control.gaits.stances import gait_stances
from equipoise.control.gaits.turning import turning_gait
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.files import write_json, write_together
from equipoise.core.kinds import Verdict
from equipoise.robots.builtin import builtin
from equipoise.robots.legs import LegGeometry, leg_geometry
from equipoise.runs.gait.config import GENERATED, GaitConfig
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.viz.gait_plots import plot_gait, plot_supports

__all__ = ["GaitResult", "gait_report", "write_gait"]

TURN_DEG = 10.0  # of a cycle, for the turning gait unless told
STROKE = 0.2  # unless told [m]
PIECES = 6  # of a row, to draw margins between its ends
CRAWL_ORDER = (2, 0, 3, 1)


@final
@dataclass(frozen=True, eq=False, repr=False)
class GaitResult(AbstractResult):
    """A gait with its walk, its margins, and all numbers by name."""

    gait: PhaseGait
    plan: FootfallPlan
    margins: PlanMargins
    summary: dict[str, Any]
    """The keys of ``equipoise gait --json``."""

    @property
    def verdict(self) -> Verdict:
        """Whether the centre of mass is over the feet that stand, always."""
        return yes_or_no(self.margins.is_balanced)

    def save(self, out: str | Path) -> list[Path]:
        """Write ``gait.png``, ``supports.png`` and ``gait.json`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        return write_gait(self, out)


def gait_report(config: GaitConfig) -> GaitResult:
    """Return a gait's diagram data, support patterns, margins and speed limits.

    Args:
        config: which gait, on which machine.

    Raises:
        ConfigError: legs, duty, stroke or speed that gait or machine cannot have.
    """
    legs, duty = _usual(config)
    plain = _gait_of(config, legs, duty)  # refuses what the gait cannot have
    beta = float(plain.duty[0])
    geometry, speeds, height = _machine_legs(config.machine, legs)
    depth = height - geometry.foot_radius
    footprint = balanced_footprint(geometry, depth)
    stride, turn = _stride_of(config, beta, footprint)
    gait = _fitted(config, plain, footprint, stride, turn)
    plan = _plan_of(config, gait, footprint, stride, turn)
    margins = plan_margins(refined(plan, 1 if turn else PIECES), _travel(config))
    strokes = stroke_vectors(gait, footprint, stride, turn)
    stops = config.name == "discontinuous"
    way = FootWay(
        duty=beta,
        depth=depth,
        lift=config.lift,
        swing=config.swing,
        push=_shift_of(beta) if stops else None,
        offset=footprint.feet - geometry.hips[:, :2],
    )
    summary = {
        **_gait_summary(gait, config),
        **_margin_summary(margins),
        "conservative_margin_m": float(conservative_margins(plan).min()),
        **_speed_summary(
            config, geometry, speeds, way, strokes / beta if stops else strokes, turn
        ),
    }
    return GaitResult(gait, plan, margins, summary)


def _usual(config: GaitConfig) -> tuple[int, float | None]:
    """Return legs and duty factor, as given or the gait's usual ones."""
    if config.name in GENERATED:
        legs, duty = GENERATED[config.name]
        legs = legs if config.legs is None else config.legs
        return legs, duty if config.duty is None else config.duty
    legs = usual_legs(config.name) if config.legs is None else config.legs
    return legs, config.duty


def _gait_of(config: GaitConfig, legs: int, duty: float | None) -> PhaseGait:
    """Return the gait's phases, as far as they do not depend on the machine."""
    name = config.name
    if name not in GENERATED:
        return named_gait(name, legs, duty)
    base = "wave" if name == "follow-the-leader" else "crawl"
    try:
        gait = named_gait(base, legs, duty)
    except ConfigError as error:
        raise ConfigError(f"gait '{name}'", error.problems) from None
    beta = float(gait.duty[0])
    if name == "creep":
        return creeping_gait(CRAWL_ORDER, beta)
    if name == "discontinuous":
        if beta <= 0.75:
            problem = f"duty must be above 0.75 and below 1, got {beta!r}"
            raise ConfigError("gait 'discontinuous'", [problem])
        return discontinuous_gait(_shift_of(beta))
    return PhaseGait(gait.phases, gait.duty, name)


def _shift_of(duty: float) -> float:
    """Return the share of a stop-and-go cycle in which the trunk moves."""
    return 1.0 - 4.0 * (1.0 - duty)


def _fitted(
    config: GaitConfig,
    gait: PhaseGait,
    footprint: Footprint,
    stride: Array,
    turn: float,
) -> PhaseGait:
    """Return the gait with the order of steps that suits the direction of travel."""
    beta = float(gait.duty[0])
    if config.name == "crab":
        return crab_gait(math.radians(config.angle_deg), footprint, beta)
    if config.name == "turning" and turn:
        return turning_gait(footprint, stride, turn, beta)
    return gait


def _machine_legs(machine: str, legs: int) -> tuple[LegGeometry, Array, float]:
    """Return a machine's legs, their joints' speeds and its hips' height [m].

    Args:
        machine: one of ``machines()``; how many legs it has can be chosen.
        legs: as many as the gait has.
    """
    chosen = builtin(machine).chosen({"legs": legs})
    robot = builtin(machine).build(chosen)
    speeds = np.array([drive.speed for drive in robot.drives])
    return leg_geometry(robot), speeds, chosen.height


def _travel(config: GaitConfig) -> Array:
    """Return the direction of travel in the trunk's frame, (2,)."""
    angle = math.radians(config.angle_deg)
    return np.array([math.cos(angle), math.sin(angle)])


def _stride_of(
    config: GaitConfig, duty: float, footprint: Footprint
) -> tuple[Array, float]:
    """Return stride [m] and turn [rad] of a cycle; it turns about its centre of mass.

    The stride is the centre of mass's, taken back to the trunk's origin.
    """
    is_turning = config.name == "turning"
    usual_turn = TURN_DEG if is_turning else 0.0
    turn = math.radians(usual_turn if config.turn_deg is None else config.turn_deg)
    usual_stroke = 0.0 if is_turning and turn else STROKE
    stroke = usual_stroke if config.stroke is None else config.stroke
    stride = stroke / (1.0 if config.name == "discontinuous" else duty)
    about = turning_stride(footprint.centre, turn)
    return stride * _travel(config) + about, turn


def _plan_of(
    config: GaitConfig,
    gait: PhaseGait,
    footprint: Footprint,
    stride: Array,
    turn: float,
) -> FootfallPlan:
    """Return a cycle of the walk."""
    if config.name == "discontinuous":
        return discontinuous_plan(footprint, stride, _shift_of(float(gait.duty[0])))
    if config.name == "follow-the-leader":
        return follow_the_leader(gait, footprint, stride, turn)
    return periodic_plan(gait, footprint, stride, turn)


def _gait_summary(gait: PhaseGait, config: GaitConfig) -> dict[str, Any]:
    """Return what is known of a gait without a machine."""
    matrix, names = as_matrix(gait), leg_names(gait.legs)
    return {
        "gait": config.name,
        "machine": config.machine,
        "legs": gait.legs,
        "leg_names": list(names),
        "duty": float(gait.duty[0]),
        "phases": gait.phases.tolist(),
        "sequence": ["+".join(names[k] for k in g) for g in leg_sequence(gait)],
        "support_patterns": [
            {
                "begins": phase.begins,
                "lasts": phase.lasts,
                "legs": [names[k] for k in phase.legs],
            }
            for phase in support_sequence(gait)
        ],
        "matrix": matrix.rows.tolist(),
        "durations": matrix.durations.tolist(),
        "is_creeping": is_creeping(gait),
        "is_nonsingular": is_nonsingular(gait),
        "angle_deg": config.angle_deg,
        "swing": config.swing,
        "lift_m": config.lift,
    }


def _margin_summary(margins: PlanMargins) -> dict[str, Any]:
    """Return margins over the cycle; those of no support at all become null in JSON."""
    return {
        "margin_min_m": float(margins.static.min()),
        "longitudinal_margin_m": float(margins.longitudinal.min()),
        "is_statically_balanced": margins.is_balanced,
        "margin_over_cycle": {
            "share": margins.times.reshape(-1).tolist(),
            "static_m": margins.static.reshape(-1).tolist(),
            "longitudinal_m": margins.longitudinal.reshape(-1).tolist(),
        },
    }


def _speed_summary(
    config: GaitConfig,
    geometry: LegGeometry,
    speeds: Array,
    way: FootWay,
    strokes: Array,
    turn: float,
) -> dict[str, Any]:
    """Return how fast the machine can walk it, or say that it cannot as asked."""
    stroke = float(np.hypot(*strokes.mean(axis=0)))  # of a foot below the middle
    asked = float(np.hypot(strokes[:, 0], strokes[:, 1]).max())
    limit = fastest_walk(geometry, speeds, strokes, way, asked)
    best = fastest_walk(geometry, speeds, strokes, way)
    # A trunk that rests while feet swing leaves them the whole stride to go.
    share = 1.0 if way.push is None else way.duty
    stride = stroke * share / way.duty
    cycle = _wanted_cycle(config, stride, limit, best)
    return {
        "stroke_m": stroke,
        "stride_m": stride,
        "turn_deg": math.degrees(turn),
        "speed_limit_mps": stride / limit.cycle,
        "turn_limit_dps": math.degrees(turn) / limit.cycle,
        "speed_over_leg_speed": share * speed_limit(1.0, way.duty),
        "peak_factor": peak_factor(config.swing, way.duty) / share,
        "speed_mps": stride / cycle,
        "cycle_s": cycle,
        "fastest_mps": None if turn else best.speed,
        "fastest_stroke_m": best.stroke,
        "longest_stroke_m": largest_stroke(geometry, strokes, way),
    }


def _wanted_cycle(
    config: GaitConfig, stride: float, limit: SpeedLimit, best: SpeedLimit
) -> float:
    """Return the cycle of a wanted speed, or say which speed is the limit [s]."""
    if config.speed is None:
        return limit.cycle
    fastest, problem = stride / limit.cycle, ""
    if not stride > 1e-9:
        problem = f"a gait that turns on the spot has no speed, got {config.speed!r}"
    elif config.speed > fastest * (1.0 + 1e-12):
        also = f", {best.speed:.3f} with {best.stroke:.2f} m"
        problem = (
            f"speed must be at most {fastest:.3f} m/s with strokes of "
            f"{limit.stroke:.2f} m{'' if config.turn_deg else also}, "
            f"got {config.speed!r}"
        )
    if problem:
        raise ConfigError(f"gait '{config.name}'", [problem])
    return stride / config.speed


def write_gait(result: GaitResult, out: str | Path) -> list[Path]:
    """Write ``gait.png`` (diagram and margins), ``supports.png`` and the numbers.

    Args:
        result: of ``gait_report``.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    s = result.summary
    title = f"{s['gait']}, duty factor {s['duty']:.3g}, {s['machine']}"
    end = float(result.plan.times[-1])
    stances = gait_stances(result.gait, end)
    return write_together(
        out,
        lambda folder: [
            plot_gait(folder / "gait.png", stances, result.margins, title=title),
            plot_supports(folder / "supports.png", result.plan, title=title),
            write_json(folder, "gait.json", s),
        ],
    ).files
