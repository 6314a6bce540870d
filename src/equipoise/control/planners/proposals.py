"""Proposing ways to go and taking the first that can be; see ``planners.stopping``."""

import math
from typing import NamedTuple

from equipoise.control.forces.two_step import FootForce, ForceMiss, TrunkWrench
from equipoise.control.gaits.leg_limits import LegLimits, highest_share
from equipoise.control.modes import PRECISION, TRIPOD, next_mode
from equipoise.control.planners.point_model import (
    PointLeg,
    PointModel,
    StopPlan,
    planned_velocity,
    try_plan,
)
from equipoise.control.records import (
    GaitClock,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["PlanningRoom", "StoppingMemory", "plan_on"]

SHRINKS = (1.0, 0.7, 0.5, 0.3, 0.0)
"""Shares of the acceleration that are tried one after the other."""
EXTRA = 0.25  # of the margin, that a plan must have to change its velocity
DWELL = 0.1  # in each mode on the way to another [s]
SLOW = 1e-6  # velocity at which it rests [m/s, rad/s]


class StoppingMemory(Record):
    """Memory of the planner beside its plan."""

    time: float = entry("since the start", "s")
    due: float = entry("when to plan again", "s")
    mode: float = entry("number of the present mode")
    dwelt: float = entry("for how long it has been so", "s")
    walks: float = entry("1 while legs shall step")
    rested: float = entry("for how long it has been told to stop and was slow", "s")
    walked: float = entry("for how long it has been told to step", "s")
    share: float = entry("of the acceleration that was granted last")
    reason: float = entry("why no more was, see ``point_model.REASONS``")
    tried: float = entry("how often a way was proposed")
    refused: float = entry("how often none could be")
    shrunk: float = entry("how often only a weaker one could be")
    stops: float = entry("how often a second segment was begun in motion")
    stopping: float = entry("1 while the second segment is carried out")


class PlanningRoom(NamedTuple):
    """Scratch memory in which plans are tried."""

    points: Records[PointLeg]
    feet: Records[FootForce]
    places: Array
    wrench: Records[TrunkWrench]
    miss: Records[ForceMiss]


@compiled(allocates=False)
def plan_on(
    known: tuple[Records[TrunkEstimate], Records[LegEstimate]],
    stance: tuple[Records[LegStance], Records[GaitClock]],
    goals: Records[Travel],
    given: tuple[Records[PointModel], Records[LegLimits]],
    before: tuple[Records[StopPlan], Records[StoppingMemory]],
    after: tuple[Records[StopPlan], Records[StoppingMemory]],
    room: PlanningRoom,
    travels: Records[Travel],
) -> None:
    """Advance the plan, make a new one where it is time, and say what it grants."""
    plans, memories = after
    plans[0], memories[0] = before[0][0], before[1][0]
    plan, memory, model, goal = plans[0], memories[0], given[0][0], goals[0]
    dt = known[0][0].dt
    memory.time += dt
    velocity, _ = planned_velocity(plan, memory.time - plan.made)
    moves = max(abs(velocity[0]), abs(velocity[1]), abs(velocity[2])) > SLOW
    _change_mode(goal, moves, dt, int(model.mode), stance[0], memory)
    if memory.time >= memory.due:
        memory.due = memory.time + model.config.period
        _propose(known, stance, goal, velocity, given, plans, memory, room)
    stopping = moves and memory.time - plan.made > plan.lasts
    if stopping and memory.stopping == 0.0:
        memory.stops += 1.0
    memory.stopping = 1.0 if stopping else 0.0
    goes = memory.mode >= TRIPOD
    memory.rested = 0.0 if moves or goal.walks > 0.0 else memory.rested + dt
    walks = goes and (goal.walks > 0.0 or moves or memory.rested < model.config.settle)
    memory.walks = 1.0 if walks and (goal.walks > 0.0 or memory.walks > 0.0) else 0.0
    memory.walked = memory.walked + dt if memory.walks > 0.0 else 0.0
    travel = travels[0]
    for i in range(3):
        travel.velocity[i] = velocity[i]
    travel.walks, travel.rested = memory.walks, memory.rested
    travel.walked = memory.walked


@compiled(allocates=False)
def _change_mode(
    goal: Travel,
    moves: bool,
    dt: float,
    mode: int,
    stance: Records[LegStance],
    memory: StoppingMemory,
) -> None:
    """Go on towards the mode that is wanted: the operator's, or precision at rest."""
    is_still = not moves and memory.walks == 0.0
    for leg in stance:
        is_still = is_still and leg.stands > 0.0
    memory.dwelt += dt
    wanted = mode if goal.walks > 0.0 else PRECISION
    if memory.dwelt >= DWELL:
        new = next_mode(int(memory.mode), wanted, is_still)
        if new != int(memory.mode):
            memory.mode, memory.dwelt = float(new), 0.0


@compiled(allocates=False)
def _propose(
    known: tuple[Records[TrunkEstimate], Records[LegEstimate]],
    stance: tuple[Records[LegStance], Records[GaitClock]],
    goal: Travel,
    velocity: tuple[float, float, float],
    given: tuple[Records[PointModel], Records[LegLimits]],
    plans: Records[StopPlan],
    memory: StoppingMemory,
    room: PlanningRoom,
) -> None:
    """Take the strongest way towards the command that can be, if any can."""
    models, limits = given
    model, plan = models[0], plans[0]
    made, start, bend = plan.made, plan.start, plan.bend
    kept = (made, start[0], start[1], start[2], bend[0], bend[1], bend[2], plan.bends)
    ax, ay, aw, bends = _towards(
        goal, velocity, model, limits, memory, stance[1][0].rate
    )
    rests = max(abs(velocity[0]), abs(velocity[1]), abs(velocity[2])) <= SLOW
    is_idle = rests and ax == 0.0 and ay == 0.0 and aw == 0.0
    memory.tried += 0.0 if is_idle else 1.0
    first = 0
    for share in SHRINKS:
        plan.made = memory.time
        plan.start[0], plan.start[1], plan.start[2] = velocity
        plan.bend[0], plan.bend[1], plan.bend[2] = share * ax, share * ay, share * aw
        plan.bends = bends
        plan.extra = EXTRA * model.config.margin if share > 0.0 else 0.0
        points = (room.points, room.feet, room.places)
        why = 0
        if not is_idle:
            why = try_plan(
                known, stance, plan, model, limits, points, room.wrench, room.miss
            )
        first = why if share == 1.0 else first
        if why == 0:
            memory.share, memory.reason = share, float(first)
            memory.shrunk += 1.0 if share < 1.0 else 0.0
            return
    plan.made = kept[0]
    plan.start[0], plan.start[1], plan.start[2] = kept[1], kept[2], kept[3]
    plan.bend[0], plan.bend[1], plan.bend[2] = kept[4], kept[5], kept[6]
    plan.bends, plan.extra = kept[7], 0.0
    memory.refused += 1.0
    memory.share, memory.reason = -1.0, float(first)


@compiled(allocates=False)
def _towards(
    goal: Travel,
    velocity: tuple[float, float, float],
    model: PointModel,
    limits: Records[LegLimits],
    memory: StoppingMemory,
    rate: float,
) -> tuple[float, float, float, float]:
    """Return the acceleration towards the command, and how long it takes.

    Forward, left and turn get there at once. Legs that step freely slow it down.
    """
    setting, by_hand = model.config, model.stays > 0.0 and memory.mode == PRECISION
    goes = 1.0 if (memory.mode >= TRIPOD or by_hand) and goal.walks > 0.0 else 0.0
    v = goal.velocity
    if setting.is_limited and goes > 0.0 and not by_hand:
        goes = highest_share(v[0], v[1], v[2], setting.cycle, limits)
    goes *= rate if model.is_free > 0.0 else 1.0
    x, y = goes * v[0] - velocity[0], goes * v[1] - velocity[1]
    w = goes * v[2] - velocity[2]
    level, turn = setting.acceleration, setting.turn_acceleration
    T = max(math.hypot(x, y) / level, abs(w) / turn)
    if T <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return x / T, y / T, w / T, min(T, setting.segment)
