"""Two ways to the same equations: link by link, and body by body, on random scripts."""

import numpy as np

from equipoise.core.seeds import stream
from equipoise.equations.mechanism.speeds import probed
from equipoise.equations.mechanism.system import System
from equipoise.equations.tape.functions import cos, sin

# Both are some thousand operations in doubles on numbers of order one.
AGREE = 1e-11


def script(rng):
    """A random mechanism: frames on frames, slides, fixed turns, any speeds."""
    S = System("random")
    n = S.inertial("n")
    count = int(rng.integers(1, 5))
    carriers = [(n, n[0.1, 0.2, 0.3])]
    floating = rng.random() < 0.4
    if floating:
        carriers = [float_base(S, n)]
    for k in range(count):
        frame, place = carriers[int(rng.integers(len(carriers)))]
        carriers.append(add_link(S, rng, k, frame, place, carriers))
    finish_speeds(S, rng)
    for _ in range(3):
        frame, place = carriers[int(rng.integers(len(carriers)))]
        other, _ = carriers[int(rng.integers(len(carriers)))]
        S.force(place + frame[0.1, -0.2, 0.05], other[tuple(rng.normal(size=3))])
        to = None if rng.random() < 0.3 else other
        S.torque(frame, other[tuple(rng.normal(size=3))], reaction=to)
    return S


def float_base(S, n):
    x, y, z, a, b, c = S.coords("x y z a b c")
    v = S.speeds("v1 v2 v3")
    w1, w2, w3 = S.speeds("w1 w2 w3")
    yaw_pitch_roll(S, "abc", (w1, w2, w3))
    frame = n.rot("f1", 3, a).rot("f2", 2, b).rot("base", 1, c)
    velocity = frame[tuple(v)]
    xt, yt, zt = velocity.in_(n)
    S.kde(x=xt, y=yt, z=zt)
    S.spin(frame, frame[w1, w2, w3])
    place = S.point("base", n[x, y, z], velocity)
    S.body("base", 2.0, place, frame.inertia(0.3, 0.4, 0.5, 0.01, 0.02, -0.03))
    return frame, place


def yaw_pitch_roll(S, names, spin):
    """Rates of three angles from the angular velocity in the turned axes."""
    w1, w2, w3 = spin
    _, b, c = (S.coordinates[name] for name in names)
    turning = (sin(c) * w2 + cos(c) * w3) / cos(b)
    rates = (turning, cos(c) * w2 - sin(c) * w3, w1 + sin(b) * turning)
    S.kde(**dict(zip(names, rates, strict=True)))


def add_ball(S, k, frame, at):
    """A body on a ball joint, its angular velocity against n stated."""
    names = [f"{c}{k}" for c in "abc"]
    a, b, c = S.coords(" ".join(names))
    w = S.speeds(f"w{k}1 w{k}2 w{k}3")
    own = frame.rot(f"y{k}", 3, a).rot(f"p{k}", 2, b).rot(f"r{k}", 1, c)
    spin = own[tuple(w)]
    outer = frame[frame.spin or (0, 0, 0)]
    yaw_pitch_roll(S, names, (spin - outer).in_(own))
    S.spin(own, spin)
    S.body(f"b{k}", 0.8, at + own[0.2, 0.1, -0.1], own.inertia(1.0, 1.1, 1.2, 0.1))
    return own, at


def add_link(S, rng, k, frame, place, carriers):
    """One more frame or slide, with a body on it."""
    if rng.random() < 0.25 and (frame.parent is None or frame.spin is not None):
        return add_ball(S, k, frame, place + frame[tuple(rng.normal(size=3))])
    (q,) = S.coords(f"q{k}")
    m, c, j = S.parameters(f"m{k} c{k} j{k}", *rng.uniform(0.5, 1.5, 3))
    at = place + frame[tuple(rng.normal(size=3))]
    kind = rng.choice(["hinge", "fixed", "slide", "beside", "tilted"])
    if kind == "slide":
        own, at = frame, at + frame[c * q, 0.3, 0]
    elif kind == "fixed":
        turn = float(rng.choice([np.pi / 2, 0.4]))
        own = frame.rot(f"t{k}", int(rng.integers(1, 4)), turn)
        own = own.rot(f"l{k}", int(rng.integers(1, 4)), q)
    elif kind == "tilted":  # by a parameter
        own = frame.rot(f"t{k}", 1, c).rot(f"l{k}", int(rng.integers(1, 4)), q)
    elif kind == "beside" and frame.parent is not None and frame.name[0] == "l":
        own = frame.parent.rot(f"l{k}", frame.axis + 1, 2 * q)
    else:
        own = frame.rot(f"l{k}", int(rng.integers(1, 4)), q)
    body = S.body(
        f"b{k}", m, at + own[0.2, c, -0.1], own.inertia(j, 1.1, 1.2, 0.1, 0.05, 0.02)
    )
    if rng.random() < 0.3:
        S.body(f"p{k}", 0.4, at + own[0, 0, 0.5])
    S.force(body, S.inertial_frame[0, 0, -9.81 * m])
    return own, at


def finish_speeds(S, rng):
    """Speeds for the coordinates that have none: rates, or mixtures of them."""
    names = [n for n in S.coordinates if n.startswith("q")]
    if not names:
        return
    speeds = S.speeds(" ".join(f"u{n}" for n in names))
    if rng.random() < 0.5:
        S.kde(**dict(zip(names, speeds, strict=True)))
        return
    rates = [S.rate(S.coordinates[n]) for n in names]
    for i, n in enumerate(names):
        mixed = rates[i] * (2 + cos(S.coordinates[n]))
        S.kde(**{f"u{n}": mixed + (0.3 * rates[i - 1] if i else 0)})


def test_both_forms_give_the_same_equations():
    forms = []
    for seed in range(40):
        S = script(stream(seed, "a random script"))
        one, two = S.kane("composite"), S.kane("literal")
        forms.append(one.form)
        n = len(one.speeds)
        pairs = [(i, j) for i in range(n) for j in range(i + 1)]
        a = probed([*(one.M[i, j] for i, j in pairs), *one.F])
        b = probed([*(two.M[i, j] for i, j in pairs), *two.F])
        scale = np.abs(b).max()
        np.testing.assert_allclose(a, b, rtol=0, atol=AGREE * scale, err_msg=f"{seed}")
        free = probed(one.accelerations()) - probed(two.accelerations())
        assert np.abs(free).max() < AGREE * np.linalg.cond(symmetric(b, pairs, n)), seed
    assert forms.count("composite") > 25  # or the literal form is compared with itself


def symmetric(values, pairs, n):
    M = np.zeros((n, n))
    for (i, j), value in zip(pairs, values[: len(pairs)], strict=True):
        M[i, j] = M[j, i] = value
    return M
