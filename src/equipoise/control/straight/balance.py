"""Loads and shifted footholds as straight lines: ``balance.capture`` and ``posture``.

Loads are shared as ``forces.distribution.share_consistent`` shares them: the smallest
that give force and moments, none of which pulls, the nearest ones where they cannot be
had. With N_i = S/n + d_i·z, d_i a foot's arm less the mean arm ā of those that stand,
and G the sum of their d dᵀ, that is

    S = (w² f + āᵀ P M) / (w² + āᵀ P ā),   z = (G + s 1)⁻¹ (M - ā S),  P = s (G + s 1)⁻¹

with w the weight of the force and s a small share of G's trace, for stances in which a
moment cannot be had: too small to bias loads by much, large enough for single
precision. Loads that would pull are held at zero, one after the other, in as many
rounds as there are legs; one that is held stays so, where the active-set method may
free it again.
"""

from typing import NamedTuple

from equipoise.control.balance.capture import CaptureConfig
from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.straight.clock import LegStep, RunningClock
from equipoise.control.straight.known import KnownLeg, KnownTrunk
from equipoise.control.straight.memory import TickMemory
from equipoise.control.straight.stride import TrunkCourse, clamped, roll_pitch_yaw_expr
from equipoise.core.constants import GRAVITY
from equipoise.equations.tape.functions import cos, less, maximum, minimum, sin, where
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec

__all__ = ["SLACK", "FootLoad", "balanced", "shared_loads"]

SLACK = 3e-4
FORCE_WEIGHT = 10.0  # per newton, beside 1 per N m at an arm of a metre
LEAST = 1e-6  # of s, where arms are equal [m²]


class FootLoad(NamedTuple):
    """Contribution of one foot to keeping the trunk upright."""

    force: Vec
    """On the ground, in B."""
    share: Expr
    """Of its load that it has taken on."""
    shift: tuple[Expr, Expr]
    """Of its next foothold, forward and left."""


def balanced(
    config: CaptureConfig,
    settings: dict[str, Expr],
    trunk: KnownTrunk,
    legs: list[KnownLeg],
    steps: list[LegStep],
    clock: RunningClock,
    aim: TrunkCourse,
    memory: TickMemory,
    *,
    posture: PostureBalanceConfig,
    is_capture: bool = True,
    slack: float = SLACK,
) -> tuple[TrunkCourse, list[FootLoad]]:
    """Return the corrected reference, and what each foot does.

    Args:
        config: of the stepping.
        settings: gains that may vary.
        trunk: what is known of it.
        legs: and of the legs.
        steps: who stands.
        clock: whether it runs.
        aim: of the trunk.
        memory: integrals and shares.
        posture: how feet take their shares on.
        is_capture: whether feet step to where the machine is going; else ``posture``.
        slack: see the file.
    """
    zero = clock.phase.tape.constant(0.0)
    shift = (zero, zero)
    if is_capture:
        aim, shift = _corrected(config, settings, trunk, clock, aim, memory)
    roll, pitch, _ = roll_pitch_yaw_expr(trunk)
    w, up, C = trunk.w_WB_B, trunk.R_WB[2], trunk.p_BC
    stiff = [settings[f"capture.posture.{k}_stiffness"] for k in ("roll", "pitch")]
    damp = [settings[f"capture.posture.{k}_damping"] for k in ("roll", "pitch")]
    m1 = stiff[0] * (aim.rpy_WB[0] - roll) - damp[0] * w[0]
    m2 = stiff[1] * (aim.rpy_WB[1] - pitch) - damp[1] * w[1]
    over = 1 / maximum(up[2], 0.5)
    arms: list[tuple[Expr, Expr]] = []
    for leg in legs:
        down = C[2] - leg.hip[2] - leg.foot[2]
        x, y = (leg.foot[i] + leg.hip[i] - C[i] + down * up[i] * over for i in range(2))
        arms.append((x, y))
    weight = GRAVITY * posture.weight * trunk.mass
    loads = shared_loads(weight, (m1, m2), arms, [s.stands for s in steps], slack)
    share = trunk.dt / (posture.take_on + trunk.dt)
    found: list[FootLoad] = []
    for k, (step, load) in enumerate(zip(steps, loads, strict=True)):
        before = memory.read(f"share.{k}")
        taken = where(step.stands, before + share * (1.0 - before), 0.0)
        memory.write(f"share.{k}", taken)
        press = -(taken * load)
        force = (press * up[0], press * up[1], press * up[2])
        found.append(FootLoad(force, taken, shift))
    return aim, found


def _corrected(
    config: CaptureConfig,
    settings: dict[str, Expr],
    trunk: KnownTrunk,
    clock: RunningClock,
    aim: TrunkCourse,
    memory: TickMemory,
) -> tuple[TrunkCourse, tuple[Expr, Expr]]:
    """Return the reference, corrected by what is missing, and the footholds' shift."""
    roll, pitch, _ = roll_pitch_yaw_expr(trunk)
    rpy = list(aim.rpy_WB)
    c, s = cos(rpy[2]), sin(rpy[2])
    dx, dy = trunk.v_WB[0] - aim.v_WB[0], trunk.v_WB[1] - aim.v_WB[1]
    gone, shift = (c * dx + s * dy, c * dy - s * dx), list[Expr]()
    runs, dt = clock.walking, trunk.dt
    for i, (tilt, name) in enumerate(((roll, "x"), (pitch, "y"))):
        level = memory.read(f"level.{name}", "rad")
        more = level + config.levelling * dt * (rpy[i] - tilt)
        level = where(runs, clamped(more, config.most_levelling), level)
        far = memory.read(f"gone.{name}", "m")
        more = far + settings["capture.integral"] * dt * gone[i]
        far = where(runs, clamped(more, config.slow_reach), far)
        memory.write(f"level.{name}", level)
        memory.write(f"gone.{name}", far)
        rpy[i] = rpy[i] + level
        shift.append(clamped(settings["capture.gain"] * gone[i], config.reach) + far)
    return aim._replace(rpy_WB=(rpy[0], rpy[1], rpy[2])), (shift[0], shift[1])


def shared_loads(
    force: Expr,
    moment: tuple[Expr, Expr],
    arms: list[tuple[Expr, Expr]],
    stands: list[Expr],
    slack: float = SLACK,
) -> list[Expr]:
    """Return the loads on feet, zero for those that do not stand.

    Args:
        force: that the trunk shall feel [N].
        moment: about its forward axis and the one to the left [N m].
        arms: of the feet, forward and left [m].
        stands: 1 for feet that stand.
        slack: see the file.
    """
    free, loads = list(stands), list(stands)  # inside, and free
    for left in reversed(range(len(arms))):
        tried = _free_loads(force, moment, arms, free, slack)
        if left == 0:
            both = zip(free, tried, strict=True)
            return [where(one, maximum(t, 0.0), 0.0) for one, t in both]
        pulls = [one * less(t, 0.0) for one, t in zip(free, tried, strict=True)]
        shares = [
            where(p, load / (load - t + 1e-30), 1.0)
            for p, load, t in zip(pulls, loads, tried, strict=True)
        ]
        share = shares[0]
        for one in shares[1:]:
            share = minimum(share, one)
        for k, t in enumerate(tried):
            goes = pulls[k] * (1.0 - less(share, shares[k]))
            loads[k] = where(free[k], loads[k] + share * (t - loads[k]), 0.0)
            loads[k] = where(goes, 0.0, loads[k])
            free[k] = free[k] * (1.0 - goes)
    return loads


def _free_loads(
    force: Expr,
    moment: tuple[Expr, Expr],
    arms: list[tuple[Expr, Expr]],
    free: list[Expr],
    slack: float,
) -> list[Expr]:
    """Return what feet would carry that may carry anything."""
    zero = force.tape.constant(0.0)
    count, ay, ax = zero, zero, zero
    for one, (x, y) in zip(free, arms, strict=True):
        count, ay, ax = count + one, ay + one * y, ax - one * x
    over = 1 / maximum(count, 1.0)
    ay, ax = ay * over, ax * over
    gyy, gxx, gxy = zero, zero, zero
    apart: list[tuple[Expr, Expr]] = []
    for one, (x, y) in zip(free, arms, strict=True):
        dy, dx = one * (y - ay), one * (-x - ax)
        apart.append((dy, dx))
        gyy, gxx, gxy = gyy + dy * dy, gxx + dx * dx, gxy + dy * dx
    s = slack * (gyy + gxx) + LEAST * slack
    a, b = gyy + s, gxx + s
    det = 1 / (a * b - gxy * gxy)
    a, b, c = b * det, a * det, -(gxy * det)  # the inverse
    py, px = s * (a * ay + c * ax), s * (c * ay + b * ax)
    w = FORCE_WEIGHT * FORCE_WEIGHT
    whole = w * force + py * moment[0] + px * moment[1]
    whole = whole / (w + py * ay + px * ax)
    ry, rx = moment[0] - ay * whole, moment[1] - ax * whole
    zy, zx = a * ry + c * rx, c * ry + b * rx
    even = whole * over
    return [even + dy * zy + dx * zx for dy, dx in apart]
