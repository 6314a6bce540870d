"""Standing within the cones, and a step where standing cannot save the balance.

The capture point ξ = c + c'/ω of the linear inverted pendulum [Pratt2006] tells whether
pushing inside the soles can still stop the fall. If it has left the area between the
feet, the foot that can catch it best is swung to where ξ will be when it lands.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple, final

import numpy as np

from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    Setting,
    register,
)
from equipoise.control.workspace.feet import foot_acceleration, hold_foot, lowest_corner
from equipoise.control.workspace.polygon import hull_gap
from equipoise.control.workspace.program import (
    Program,
    move_links,
    press,
    program_room,
)
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.support import Support, support_room
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.wrench import desired_acceleration
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["StepLaw"]


class StepSettings(NamedTuple):
    stand_weight: Array
    swing_weight: Array
    trigger: float
    swing_time: float
    lift: float
    reach: float
    ahead: float
    apart: float
    foot_p: float
    foot_d: float
    rest: float


class StepMemory(NamedTuple):
    m: Program
    swing: Ints      # foot in the air or -1 ; 
    plan: Array      # 0 start time, 1 x target, 2 y target, 3 last landing time
    points: Array
    centre0: Array   # offsets of trunk and com aim from the feet's centre (4)
    aim0: Array
    com_aim: Array


@final
@register("workspace-step")
@dataclass(frozen=True, kw_only=True)
class StepLaw(AbstractBalanceLaw):
    stand_weight: tuple = (1., 1., 1., 1., 1., 1., 0., 0.)
    swing_weight: tuple = (0., 0., 10., 1., 1., 1., 10., 10.)
    trigger: float = 0.01
    swing_time: float = 0.25
    lift: float = 0.04
    reach: float = 0.6
    ahead: float = 0.02
    apart: float = 0.15
    foot_p: float = 100.
    foot_d: float = 20.
    rest: float = 0.1

    def settings(self):
        return StepSettings(np.array(self.stand_weight), np.array(self.swing_weight), self.trigger, self.swing_time, self.lift, self.reach, self.ahead, self.apart, self.foot_p, self.foot_d, self.rest)

    def init(self, setting: Setting) -> StepMemory:
        u = support_room(setting.links, setting.corner_foot, setting.corner)
        return StepMemory(program_room(u, self.stand_weight), np.full(1, -1, np.int64), np.array([0., 0., 0., -1e9]), np.zeros((len(setting.corner), 2)), np.full(4, np.nan), setting.aim.copy(), setting.com_aim[:2].copy())

    def torques(self, setting, s, memory, time, dt):
        step_step(setting.tree, s, memory, self.settings(), setting.gains, setting.sole_up, setting.friction, time)
        return memory


@compiled(allocates=False)
def sole_centre(f, u, p_WO):
    n = 0
    x = y = 0.0
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] == f:
            x += u.p_O[k, 0]
            y += u.p_O[k, 1]
            n += 1
    return x/n + p_WO[0], y/n + p_WO[1]


@compiled(allocates=False)
def standing_points(u, p_WO, skip, points):
    n = 0
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] != skip:
            points[n, 0] = u.p_O[k, 0] + p_WO[0]
            points[n, 1] = u.p_O[k, 1] + p_WO[1]
            n += 1
    return n


@compiled(allocates=False)
def landing(f, t, s, e, c, xi, yi, remaining, omega):
    """Return where foot f shall land and how far xi will be from the new hull."""
    u = e.m.u
    n = standing_points(u, s.p_WO, f, e.points)
    gap, px, py = hull_gap(e.points, n, xi, yi)
    grow = math.exp(omega*remaining)
    lx, ly = px + (xi - px)*grow, py + (yi - py)*grow
    # direction of fall
    dx, dy = lx - px, ly - py
    d = math.hypot(dx, dy)
    if d > 1e-6:
        lx2, ly2 = lx + c.ahead*dx/d, ly + c.ahead*dy/d
    else:
        lx2, ly2 = lx, ly
    # stay on own side of the other feet
    fx, fy = sole_centre(f, u, s.p_WO)
    ox = oy = 0.0
    others = 0
    for g in range(t.foot.shape[0]):
        if g != f:
            gx, gy = sole_centre(g, u, s.p_WO)
            ox += gx
            oy += gy
            others += 1
    ox /= others
    oy /= others
    # own side: sign from start offsets: left foot (index 0) y<0
    side = -1.0 if f == 0 else 1.0
    if side*(ly2 - oy) < c.apart:
        ly2 = oy + side*c.apart
    # reach
    rx, ry = lx2 - ox, ly2 - oy
    r = math.hypot(rx, ry)
    if r > c.reach:
        lx2, ly2 = ox + rx*c.reach/r, oy + ry*c.reach/r
    # residual: distance of predicted xi from the hull of stance + new foot
    for k in range(u.corner_foot.shape[0]):
        if u.corner_foot[k] == f:
            e.points[n, 0] = u.p_O[k, 0] + s.p_WO[0] + lx2 - fx
            e.points[n, 1] = u.p_O[k, 1] + s.p_WO[1] + ly2 - fy
            n += 1
    left, _, _ = hull_gap(e.points, n, lx, ly)
    cost = max(0.0, left + 0.02) + 0.1*math.hypot(lx2 - fx, ly2 - fy)
    return lx2, ly2, px, py, cost


@compiled(allocates=False)
def step_step(t, s, e, c, gains, sole_up, friction, time):
    m = e.m
    u = m.u
    move_links(t, s, m)
    nf = t.foot.shape[0]
    omega = m.body[7]
    cx, cy = m.body[1], m.body[2]
    xi, yi = cx + m.body[4]/omega, cy + m.body[5]/omega
    if math.isnan(e.centre0[0]):
        gx = gy = 0.0
        for f in range(nf):
            a, b = sole_centre(f, u, s.p_WO)
            gx += a/nf
            gy += b/nf
        e.centre0[0], e.centre0[1] = e.aim0[0] - gx, e.aim0[1] - gy
        e.centre0[2], e.centre0[3] = e.com_aim[0] - gx, e.com_aim[1] - gy
    f = e.swing[0]
    if f >= 0:
        since = time - e.plan[0]
        low = lowest_corner(f, u, s.p_WO[2])
        if (since > 0.6*c.swing_time and low < 0.002) or since > 2*c.swing_time:
            e.swing[0] = -1
            e.plan[3] = time
            s.steps[0] += 1
            gx = gy = 0.0
            for g in range(nf):
                a, b = sole_centre(g, u, s.p_WO)
                gx += a/nf
                gy += b/nf
            s.aim[0], s.aim[1] = gx + e.centre0[0], gy + e.centre0[1]
            e.com_aim[0], e.com_aim[1] = gx + e.centre0[2], gy + e.centre0[3]
    if e.swing[0] < 0 and time - e.plan[3] > c.rest:
        n = standing_points(u, s.p_WO, -1, e.points)
        gap, px, py = hull_gap(e.points, n, xi, yi)
        if gap > c.trigger:
            best, least = -1, 1e9
            for g in range(nf):
                lx, ly, px, py, cost = landing(g, t, s, e, c, xi, yi, c.swing_time, omega)
                if cost < least:
                    best, least = g, cost
            e.swing[0] = best
            e.plan[0] = time
    f = e.swing[0]
    desired_acceleration(s.p_WO, s.quat, s.V, s.aim, gains, s.X)
    for r in range(6):
        m.wish[r] = s.X[0, r]
    for g in range(nf):
        u.stands[g] = 1
        if g != f:
            hold_foot(g, t.foot[g], sole_up, s.R_WL, s.r_O, s.V, s.p_WO[2], c.foot_p, c.foot_d, u)
    if f < 0:
        for r in range(8):
            m.weight[r] = c.stand_weight[r]
        px = xi + 3.0/omega*(xi - e.com_aim[0])
        py = yi + 3.0/omega*(yi - e.com_aim[1])
    else:
        for r in range(8):
            m.weight[r] = c.swing_weight[r]
        u.stands[f] = 0
        since = time - e.plan[0]
        left = max(c.swing_time - since, 0.0)
        lx, ly, px, py, cost = landing(f, t, s, e, c, xi, yi, left, omega)
        e.plan[1], e.plan[2] = lx, ly
        swing_foot(f, t.foot[f], sole_up, s, u, c, since, lx, ly)
    m.wish[6] = omega**2*(cx - px)
    m.wish[7] = omega**2*(cy - py)
    press(t, s, m, friction)


@compiled(allocates=False)
def swing_foot(f, k, up, s, u, c, since, lx, ly):
    R_WL, r_O, V = s.R_WL, s.r_O, s.V
    x, y, z = r_O[k, 0], r_O[k, 1], r_O[k, 2]
    wx, wy, wz = V[k, 3], V[k, 4], V[k, 5]
    vx = V[k, 0] + wy*z - wz*y
    vy = V[k, 1] + wz*x - wx*z
    vz = V[k, 2] + wx*y - wy*x
    T = c.swing_time
    left = max(T - since, 0.05)
    fx, fy = sole_centre(f, u, s.p_WO)
    ax = 6.0*(lx - fx)/left**2 - 4.0*vx/left
    ay = 6.0*(ly - fy)/left**2 - 4.0*vy/left
    q = min(since/T, 1.0)
    ref = 16.0*c.lift*q*q*(1 - q)*(1 - q)
    rate = 16.0*c.lift*(2*q - 6*q*q + 4*q**3)/T
    acc = 16.0*c.lift*(2 - 12*q + 12*q*q)/T**2
    if since >= T:
        ref, rate, acc = -0.3*(since - T), -0.3, 0.0
    low = lowest_corner(f, u, s.p_WO[2])
    az = acc + 800.0*(ref - low) + 56.0*(rate - vz)
    nx = R_WL[k, 0, 0]*up[f, 0] + R_WL[k, 0, 1]*up[f, 1] + R_WL[k, 0, 2]*up[f, 2]
    ny = R_WL[k, 1, 0]*up[f, 0] + R_WL[k, 1, 1]*up[f, 1] + R_WL[k, 1, 2]*up[f, 2]
    foot_acceleration(f, k, r_O, V, ax, ay, az, 800*ny - 56*wx, -800*nx - 56*wy, -56*wz, u.A_foot)
