"""Two arms as scripts: the three-joint arm of [Ridderstrom2003] chapter 8, and a SCARA.

The printed script of chapter 8 hangs the third body on the second joint
(``rB3 := rJ2 &++ ...``); it belongs on the third, as the text and figure 8.1 say.
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.constants import GRAVITY
from equipoise.equations.blocks.block import Block
from equipoise.equations.mechanism.frames import Frame, Vector
from equipoise.equations.mechanism.system import System

__all__ = ["Arm", "arm", "scara"]


@final
@dataclass(frozen=True)
class Arm:
    """Script of an arm: input ``u``, outputs ``qw`` (the states) and ``rE``."""

    system: System
    base: Frame
    points: dict[str, Vector]
    """Points from the origin to the tip, in order, between which lines are drawn."""

    def block(self) -> Block:
        """Return the equations of motion of the arm as a block."""
        return self.system.block()

    def lines(self) -> Block:
        """Return the block ``mkLineData``: from ``qw`` to points of the arm."""
        S = self.system
        states = [*S.coordinates.values(), *S.speed_symbols.values()]
        found = [e for r in self.points.values() for e in r.in_(self.base)]
        return S.function("mkLineData", {"qw": states}, {"LineData": found})


def arm(*, as_printed: bool = False) -> Arm:
    """Return the arm of chapter 8: a rotating base, shoulder and elbow.

    Parameters are 1 except g; the thesis gives no numbers.

    Args:
        as_printed: whether to hang the third body where the printed script does.
    """
    S = System("robot")
    q1, q2, q3 = S.coords("q1 q2 q3")
    w1, w2, w3 = S.speeds("w1 w2 w3")
    S.kde(q1=w1, q2=w2, q3=w3)
    u1, u2, u3 = S.inputs("u1 u2 u3")
    z0, L, l2, l3, m1, m2, m3 = S.parameters("z0 L l2 l3 m1 m2 m3")
    (g,) = S.parameters("g", GRAVITY)
    f0 = S.inertial("f0")
    f1 = f0.rot("f1", 3, q1)
    f2 = f1.rot("f2", 2, q2)
    f3 = f2.rot("f3", 2, q3)
    r0 = f0[0, 0, 0]
    rJ1 = rJ2 = r0 + f0[0, 0, z0]
    rJ3 = rJ2 + f2[L, 0, 0]
    rE = rJ3 + f3[L, 0, 0]
    B1 = S.body("B1", m1, rJ1, f1.inertia(*S.parameters("I1x I1y I1z")))
    B2 = S.body("B2", m2, rJ1 + f2[l2, 0, 0], f2.inertia(*S.parameters("I2x I2y I2z")))
    rB3 = (rJ2 if as_printed else rJ3) + f3[l3, 0, 0]
    B3 = S.body("B3", m3, rB3, f3.inertia(*S.parameters("I3x I3y I3z")))
    for body in (B1, B2, B3):
        S.force(body, f0[0, 0, -body.mass * g])
    S.torque(B1, f1[0, 0, u1])
    S.torque(B2, f2[0, u2, 0], reaction=B1)
    S.torque(B3, f3[0, u3, 0], reaction=B2)
    S.ports({"u": [u1, u2, u3]}, {"qw": [q1, q2, q3, w1, w2, w3], "rE": rE})
    return Arm(S, f0, {"0": r0, "J1": rJ1, "J2": rJ2, "J3": rJ3, "E": rE})


def scara() -> Arm:
    """Return a SCARA arm: two vertical hinges and a vertical slide.

    Three bodies, one linear joint and two revolute joints, [Ridderstrom2003] section
    7.2.1; the numbers are those of a small table-top arm and not the thesis's.
    """
    S = System("scara")
    q1, q2, d = S.coords("q1 q2 d")
    w1, w2, v = S.speeds("w1 w2 v")
    S.kde(q1=w1, q2=w2, d=v)
    u1, u2, f = S.inputs("u1 u2 f")
    h, a1, a2, l1, l2 = S.parameters("h a1 a2 l1 l2", 0.4, 0.35, 0.3, 0.18, 0.15)
    m1, m2, m3, g = S.parameters("m1 m2 m3 g", 4.0, 3.0, 1.0, GRAVITY)
    I1, I2, I3 = S.parameters("I1 I2 I3", 0.05, 0.03, 0.002)
    n = S.inertial("n")
    a = n.rot("a", 3, q1)
    b = a.rot("b", 3, q2)
    r0 = n[0, 0, 0]
    shoulder = r0 + n[0, 0, h]
    elbow = shoulder + a[a1, 0, 0]
    wrist = elbow + b[a2, 0, 0]
    tip = wrist + b[0, 0, -d]
    S.gravity(n[0, 0, -g])
    upper = S.body("upper", m1, shoulder + a[l1, 0, 0], a.inertia(0, 0, I1))
    fore = S.body("fore", m2, elbow + b[l2, 0, 0], b.inertia(0, 0, I2))
    S.body("quill", m3, tip, b.inertia(0, 0, I3))
    S.torque(upper, n[0, 0, u1])
    S.torque(fore, n[0, 0, u2], reaction=upper)
    S.force(tip, b[0, 0, -f])
    S.force(wrist, b[0, 0, f])
    S.ports({"u": [u1, u2, f]}, {"qw": [q1, q2, d, w1, w2, v], "rE": tip})
    points = {"0": r0, "shoulder": shoulder, "elbow": elbow, "wrist": wrist, "E": tip}
    return Arm(S, n, points)
