"""The law with friction cones, and a step if standing cannot save the balance.

While the capture point ξ = c + c'/ω [Pratt2006] is between the feet this is
``workspace-cone``. When it has left, the foot that can catch it best is swung to where
ξ will be when it lands; the set point moves along with the feet.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

import numpy as np

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    BalanceSetting,
    register,
)
from equipoise.control.workspace.capture import (
    Pendulum,
    Stride,
    best_foot,
    landing,
    sole_middle,
    sole_points,
    timing,
)
from equipoise.control.workspace.feet import lowest_corner, swing_foot
from equipoise.control.workspace.force_problem import Wishes, move_links, solve_pushes
from equipoise.control.workspace.laws.cone import ConeLaw, ConeMemory
from equipoise.control.workspace.polygon import hull_gap
from equipoise.control.workspace.reach import height_over, leg_stretch, slack_above
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.standing import ask_trunk, hold_feet
from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["TIMED", "StepLaw", "StepMemory", "step_step"]

TIMED = {"swing_time": 1.05, "hurried": 0.7, "taut": 0.97}
"""Settings with which robots that are weaker than the biped step: they swing slowly,
which shakes the trunk less, hurry where a step would be too long, and step up. The
biped takes more from every side with them (60 N s instead of 46), but less from behind
(62 instead of 88)."""
TOUCHED = 2e-3  # height of a sole at which a swing has landed [m]
STANDING = -1  # in place of the foot that swings


class StepMemory(NamedTuple):
    """Standing, what a step may be, and the step that is being made."""

    stand: ConeMemory
    stride: Stride
    swing_weight: Records[Wishes]
    """How much each wish counts while a foot swings, (1,)."""
    trigger: float
    """How far ξ is outside the soles when a step begins [m]."""
    rest: float
    """Time between a landing and the next step [s]."""
    taut: float
    """Share of its length from which on a leg left behind takes a step."""
    centre: Array
    """Middle of all soles at the set point, (2,) [m]."""
    swung: Ints
    """The foot that swings, or -1, (1,)."""
    moment: Array
    """When the last swing began, when the last foot landed, and how long the swing
    shall take, (3,) [s]."""
    points: Array
    """(nc, 2), scratch."""


@final
@register("workspace-step")
@dataclass(frozen=True, kw_only=True)
class StepLaw(Settings, AbstractBalanceLaw):
    """Lengths in legs and times in √(leg / g), so that a robot of any size fits."""

    stand: ConeLaw = field(default_factory=ConeLaw)
    """How it stands."""
    trigger: Annotated[
        float,
        Setting(
            "Distance of ξ outside the soles at which a step begins", "legs", least=0.0
        ),
    ] = 0.0125
    swing_time: Annotated[
        float,
        Setting(
            "Time of a swing, 0.25 s for the biped of 1.72 m", "√(leg / g)", above=0.0
        ),
    ] = 0.85
    hurried: Annotated[
        float,
        Setting(
            "Time of a swing in a step that would be too long", "√(leg / g)", above=0.0
        ),
    ] = 0.85
    easy: Annotated[
        float,
        Setting(
            "Distance between the feet from which on a step is too long",
            "legs",
            above=0.0,
        ),
    ] = 0.55
    lift: Annotated[
        float, Setting("Height to which a swinging foot is lifted", "legs", least=0.0)
    ] = 0.05
    ahead: Annotated[
        float, Setting("Distance beyond ξ at which a foot lands", "legs", least=0.0)
    ] = 0.025
    reach: Annotated[
        float, Setting("Largest distance between the feet", "legs", above=0.0)
    ] = 0.7
    apart: Annotated[
        float,
        Setting(
            "Least distance between the feet across, as a share of how they stand",
            least=0.0,
        ),
    ] = 0.87
    rest: Annotated[
        float,
        Setting("Time between a landing and the next step", "√(leg / g)", least=0.0),
    ] = 0.35
    taut: Annotated[
        float,
        Setting(
            "Share of its length from which on a leg that is left behind steps up; "
            "above 1 none does",
            above=0.0,
        ),
    ] = 2.0
    _torques = cached_dispatch(lambda: step_step)

    def init(self, setting: BalanceSetting) -> StepMemory:
        """Return the memory of a robot that stands.

        Raises:
            ConfigError: legs that do not have six joints of their own.
        """
        stand = self.stand.init(setting)
        leg = float(stand.reach["length"].mean())
        unit = math.sqrt(leg / setting.tree.gravity)
        middles = setting.sole_centre[:, :2]
        count = len(middles)
        own_side = middles - (middles.sum(axis=0) - middles) / (count - 1)
        width = np.linalg.norm(own_side, axis=1)
        swing_weight = Wishes.zeros()
        swing_weight[0].trunk[:] = 0.0, 0.0, 10.0, 1.0, 1.0, 1.0
        swing_weight[0].centre[:] = 10.0
        return StepMemory(
            stand=stand,
            stride=Stride(
                swing_time=self.swing_time * unit,
                hurried=self.hurried * unit,
                easy=self.easy * leg,
                lift=self.lift * leg,
                ahead=self.ahead * leg,
                reach=self.reach * leg,
                inside=self.ahead * leg,
                own_side=own_side / width[:, None],
                apart=self.apart * width,
            ),
            swing_weight=swing_weight,
            trigger=self.trigger * leg,
            rest=self.rest * unit,
            taut=self.taut,
            centre=middles.mean(axis=0),
            swung=np.full(1, STANDING, np.int64),
            moment=np.array([0.0, -math.inf, self.swing_time * unit]),
            points=np.zeros((len(setting.corner), 2)),
        )

    def torques(
        self,
        setting: BalanceSetting,
        s: Scratch,
        memory: StepMemory,
        time: float,
        dt: float,
    ) -> StepMemory:
        """Write the torques of one control step."""
        self._torques(setting.tree, s, memory, time)
        return memory


@compiled(allocates=False)
def step_step(t: TreeArrays, s: Scratch, e: StepMemory, time: float) -> None:
    """Write the joint torques for the readings in ``s``."""
    m, stride, p_WO = e.stand.problem, e.stride, s.trunk[0].p_WO
    move_links(t, s, m)
    p, v, rate = m.whole[0].p_WC, m.whole[0].v_WC, m.whole[0].rate
    fall = Pendulum(p[0] + v[0] / rate, p[1] + v[1] / rate, rate)
    if e.swung[0] != STANDING:
        _land(s, e, time)
    if e.swung[0] == STANDING and time - e.moment[1] > e.rest:
        _lift_off(s, e, fall, time)
    if e.swung[0] == STANDING and s.taken[0].count > 0.0:
        _follow_up(s, e, time)
    f = e.swung[0]
    lx = ly = px = py = 0.0
    if f != STANDING:
        left = max(e.moment[2] - (time - e.moment[0]), 0.0)
        lx, ly, px, py, _ = landing(f, fall, left, m.u, p_WO, stride, e.points)
        fx, fy = sole_middle(f, m.u, p_WO)
        lx, ly = lx - fx, ly - fy
    ask_trunk(s, m, e.stand.manner, _legs_slack(s, e, f, lx, ly))
    hold_feet(s, m, e.stand.manner, f)
    if f != STANDING:
        weight, usual, wish = m.weight[0], e.swing_weight[0], m.wish[0]
        for r in range(6):
            weight.trunk[r] = usual.trunk[r]
        for d in range(2):
            weight.centre[d] = usual.centre[d]
        wish.centre[0] = rate**2 * (p[0] - px)
        wish.centre[1] = rate**2 * (p[1] - py)
        since, swing_time = time - e.moment[0], e.moment[2]
        swing_foot(f, s, m.u, (lx, ly), since, swing_time, stride.lift)
    solve_pushes(t, s, m, e.stand.friction)


@compiled(allocates=False)
def _lift_off(s: Scratch, e: StepMemory, fall: Pendulum, time: float) -> None:
    """Begin a step if the capture point has left the soles."""
    u, p_WO = e.stand.problem.u, s.trunk[0].p_WO
    n = sole_points(u, p_WO, STANDING, False, 0, e.points)
    outside, _, _ = hull_gap(e.points, n, fall.x, fall.y)
    if outside > e.trigger:
        f = best_foot(fall, u, p_WO, e.stride, e.points)
        e.swung[0] = f
        e.moment[0] = time
        e.moment[2] = timing(f, fall, u, p_WO, e.stride, e.points)


@compiled(allocates=False)
def _follow_up(s: Scratch, e: StepMemory, time: float) -> None:
    """Begin a step with a foot that is left behind: its leg is almost straight."""
    farthest = e.taut
    for f in range(e.stand.problem.u.feet.shape[0]):
        stretch = leg_stretch(f, e.stand.reach, s.links)
        if stretch > farthest:
            farthest = stretch
            e.swung[0] = f
            e.moment[0] = time
            e.moment[2] = e.stride.swing_time


@compiled(allocates=False)
def _land(s: Scratch, e: StepMemory, time: float) -> None:
    """End a step whose foot has touched; the set point moves with the feet."""
    u, f, p_WO = e.stand.problem.u, e.swung[0], s.trunk[0].p_WO
    since = time - e.moment[0]
    is_down = lowest_corner(f, u, p_WO[2]) < TOUCHED
    if not (is_down and since > 0.6 * e.moment[2]):
        if since < 2.0 * e.moment[2]:
            return
    e.swung[0] = STANDING
    e.moment[1] = time
    taken, aim = s.taken[0], s.aim[0].p
    taken.count += 1.0
    x = y = 0.0
    count = u.feet.shape[0]
    for g in range(count):
        gx, gy = sole_middle(g, u, p_WO)
        x += gx / count
        y += gy / count
    if not (math.isfinite(x) and math.isfinite(y)):
        return
    shift = taken.shift
    for d in range(3):
        aim[d] -= shift[d]
    shift[0], shift[1], shift[2] = x - e.centre[0], y - e.centre[1], 0.0
    aim[0] += shift[0]
    aim[1] += shift[1]
    high = aim[2]
    for g in range(count):
        aim[2] = min(aim[2], height_over(g, e.stand.reach, e.stand.stretch, s, aim))
    shift[2] = aim[2] - high


@compiled(allocates=False)
def _legs_slack(s: Scratch, e: StepMemory, swung: int, dx: float, dy: float) -> float:
    """Return how much higher the body may be, the swung foot taken at its place [m]."""
    u, slack = e.stand.problem.u, math.inf
    for f in range(u.feet.shape[0]):
        x = y = z = 0.0
        if f == swung:
            x, y = dx, dy
            z = -lowest_corner(f, u, s.trunk[0].p_WO[2])
        room = slack_above(f, e.stand.reach, e.stand.stretch, s.links, (x, y, z))
        slack = min(slack, room)
    return slack
