"""Small mechanical systems as scripts, with motions known in closed form."""

from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.functions import cos


def pendulum():
    S = System("pendulum")
    (q,), (w,) = S.coords("q"), S.speeds("w")
    S.kde(q=w)
    m, long, g = S.parameters("m l g", 2.0, 0.5, 9.81)
    n = S.inertial("n")
    a = n.rot("a", 2, q)
    bob = S.body("bob", m, a[0, 0, -long])
    S.force(bob, n[0, 0, -m * g])
    return S


def double_pendulum(speeds, order=1):
    """Two bars; angles from the vertical, speeds of one choice or another."""
    S = System("double pendulum")
    q1, q2 = S.coords("q1 q2")
    w1, w2 = S.speeds("w1 w2")
    if speeds == "rates":
        S.kde(q1=w1, q2=w2)
    elif speeds == "relative":
        S.kde(q1=w1, q2=w1 + w2)
    else:  # w2 the velocity of the tip across the second bar
        across = 0.7 * cos(q2 - q1) * S.rate(q1) + 0.5 * S.rate(q2)
        S.kde(w1=S.rate(q1), w2=across)
    m1, m2, g = S.parameters("m1 m2 g", 1.0, 2.0, 9.81)
    n = S.inertial("n")
    a, b = n.rot("a", 2, q1), n.rot("b", 2, q2)
    parts = [a[0, 0, -0.7], b[0, 0, -0.25]]
    one = S.body("one", m1, a[0, 0, -0.35], a.inertia(0, 0.04, 0))
    two = S.body(
        "two", m2, sum(parts[::order][1:], parts[::order][0]), b.inertia(0, 0.03, 0)
    )
    for body in (one, two):
        S.force(body, n[0, 0, -body.mass * g])
    return S
