"""Swing net: from where it is, a leg goes to its target angles.

[Ridderstrom2003] section 3.4.1: a linear net of eight weights and three outputs. With α
the joint that swings, β the one that lifts, γ the third, and t for targets,

    α' = a (αₜ - α),    β' = b (βₜ - β) + r |αₜ - α|,    γ' = c (γₜ - γ)

The second term of β' lifts the leg as long as it is far from its target, and is gone
when it is there; r is such that short swings rise as high as long ones. All three are
multiplied by 1 / (d/d₀ + 0.2), d the distance to the target and d₀ that of the
beginning, so that the leg is nearly as fast all the way. Who is held up on the way goes
back and up for a moment, and is then drawn to the target again. At the end of its time
a leg that has found no ground goes on down.

Targets are the target net's: a stride's end, and where a leg follows the one before it,
as far as it may be moved to there, angles that put its foot behind the other's.
"""

import math
from dataclasses import dataclass
from typing import Annotated

from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.control.walknet.fitted import NetWeights, answer
from equipoise.control.walknet.stance import NetLeg, StanceNetConfig
from equipoise.core.jit import compiled
from equipoise.core.setting import Setting

__all__ = ["SwingNetConfig", "begin_swing", "swing_on"]

EVEN = 0.2  # distance over the first one below which a swing slows down
SHORT = 0.2  # of a stride that a swing is taken to go at least
HELD, CLEAR = 0.3, 0.15  # share of its speed that a leg lacks; of a swing to begin


@dataclass(frozen=True, kw_only=True, slots=True)
class SwingNetConfig(StanceNetConfig):
    """Settings of the swing net too; the defaults are the TUM hexapod's."""

    fore: Annotated[
        float,
        Setting("Swing net: forward rate times the duration of a swing", above=0.0),
    ] = 2.0
    fall: Annotated[
        float,
        Setting("Swing net: lowering rate times the duration of a swing", above=0.0),
    ] = 3.2
    lift: Annotated[
        float,
        Setting(
            "Swing net: lifting rate per distance to go times the duration of a swing",
            above=0.0,
        ),
    ] = 3.2
    bend: Annotated[
        float,
        Setting(
            "Swing net: rate of the third joint times the duration of a swing",
            above=0.0,
        ),
    ] = 3.2
    stride: Annotated[
        float,
        Setting(
            "Stroke of a standing foot from one extreme position to the other",
            "m",
            above=0.0,
        ),
    ] = 0.14
    follow: Annotated[
        float,
        Setting(
            "Largest shift of a target towards the foot of the leg ahead, rule "
            "4; 0 for hips far apart",
            "m",
            least=0.0,
        ),
    ] = 0.0
    press: Annotated[
        float, Setting("Depth of the targets below the ground", "m", least=0.0)
    ] = 0.015
    search: Annotated[
        float, Setting("Speed at which a late foot is lowered", "m/s", above=0.0)
    ] = 0.25
    retract: Annotated[
        float, Setting("Backward speed of a foot that is held up", "m/s", least=0.0)
    ] = 0.6
    elevate: Annotated[
        float, Setting("Upward speed of a foot that is held up", "m/s", least=0.0)
    ] = 0.8
    reflex_time: Annotated[
        float, Setting("Duration of the way back and up", "s", above=0.0)
    ] = 0.05
    patience: Annotated[
        float, Setting("Duration for which a foot must be held up", "s", above=0.0)
    ] = 0.03


@compiled(allocates=False)
def begin_swing(
    leg: LegEstimate,
    before: LegEstimate,
    own: NetWeights,
    way: tuple[float, float],
    setting: SwingNetConfig,
    state: NetLeg,
) -> None:
    """Choose the target of a leg that lifts, and keep its distance.

    Args:
        leg: what is known of it.
        before: of the leg before it, or of itself if there is none.
        own: its joints and nets.
        way: direction in which it goes, forward and left, of length 1.
        setting: of the net.
        state: overwritten.
    """
    half, down = 0.5 * setting.stride, -setting.press
    q, most = before.q, setting.follow / abs(own.ahead)
    for j in range(3):
        stop = answer(own.target[j], half * way[0], half * way[1], down)
        if own.before >= 0 and most > 0.0:
            x, y, z = q[0] - own.theirs[0], q[1] - own.theirs[1], q[2] - own.theirs[2]
            stop += min(max(answer(own.behind[j], x, y, z) - stop, -most), most)
        state.target[j] = own.stand[j] + stop
    a = state.target[own.fore] - leg.q[own.fore]
    b = state.target[own.lift] - leg.q[own.lift]
    c = state.target[own.bend] - leg.q[own.bend]
    level, least = math.hypot(own.ahead * a, own.out * c), SHORT * setting.stride
    state.way = max(level, least)
    state.span = max(math.sqrt(a * a + b * b + c * c), least / abs(own.ahead))
    state.asked, state.stuck, state.backs = 0.0, 0.0, 0.0


@compiled(allocates=False)
def swing_on(
    leg: LegEstimate,
    stance: LegStance,
    own: NetWeights,
    setting: SwingNetConfig,
    dt: float,
    state: NetLeg,
    aim: LegAim,
) -> None:
    """Command the joint speeds of a swing.

    Args:
        leg: what is known of it.
        stance: how far its swing is.
        own: its joints and nets.
        setting: of the net.
        dt: duration of a tick [s].
        state: of the swing; advanced.
        aim: the joints' rates are written.
    """
    fore, lift, bend = own.fore, own.lift, own.bend
    a = state.target[fore] - leg.q[fore]
    b = state.target[lift] - leg.q[lift]
    c = state.target[bend] - leg.q[bend]
    far = math.sqrt(a * a + b * b + c * c)
    pace = 1.0 / (stance.swing * (far / state.span + EVEN))
    level = math.hypot(own.ahead * a, own.out * c) * setting.stride / state.way
    aim.rate[fore] = pace * setting.fore * a
    aim.rate[lift] = pace * (setting.fall * b + setting.lift * level / own.rise)
    aim.rate[bend] = pace * setting.bend * c
    if stance.late > 0.0:
        aim.rate[lift] = -setting.search / own.rise
    _feel_obstacle(leg, stance, own, setting, dt, state)
    if state.backs > 0.0:
        state.backs -= dt
        aim.rate[fore] -= math.copysign(setting.retract / own.ahead, a)
        aim.rate[lift] += setting.elevate / own.rise
    state.asked = aim.rate[fore]


@compiled(allocates=False)
def _feel_obstacle(
    leg: LegEstimate,
    stance: LegStance,
    own: NetWeights,
    setting: SwingNetConfig,
    dt: float,
    state: NetLeg,
) -> None:
    """Excite the obstacle's inputs where the leg is held up on its way."""
    asked = state.asked
    is_free = leg.v[own.fore] * asked > HELD * asked * asked
    is_slow = abs(own.ahead * asked) * stance.swing < 0.5 * setting.stride
    is_on_its_way = stance.progress > CLEAR and stance.late == 0.0
    if is_free or is_slow or not is_on_its_way or state.backs > 0.0:
        state.stuck = 0.0
        return
    state.stuck += dt
    if state.stuck > setting.patience:
        state.backs, state.stuck = setting.reflex_time, 0.0
