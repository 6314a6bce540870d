"""The zero moment point on soft ground against time simulation of the stance."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.zmp_transfer import zmp_transfer

M, H, R, G = 10.0, 0.5, 0.1, 9.81


def stance(a: float, zeta: float = 0.1, inertia: float = 0.25) -> dict[str, float]:
    """Return a stance of softness a whose tipping is damped by a share zeta."""
    k = M * G * H / (2 * R * R * a)
    excess = 2 * k * R * R - M * G * H
    d = 2 * zeta * math.sqrt(excess * (inertia + M * H * H)) / (2 * R * R)
    sizes = {"mass": M, "stiffness": k, "damping": d, "half_width": R, "height": H}
    return {**sizes, "inertia": inertia}


def simulated(
    size: dict[str, float], rate: float, amplitude: float
) -> tuple[float, float]:
    """Return amplitude of the actual point and the lowest foot force, by Runge-Kutta.

    Body on two springs that cannot pull: middle of the feet sunk by -z, tilt t, centre
    of mass at (h sin t, z + h cos t); the plan is a moment m g z_p on the body.
    """
    m, h, r = size["mass"], size["height"], size["half_width"]
    k, d, i = size["stiffness"], size["damping"], size["inertia"]

    slow = d * r * r / (i + m * h * h)  # the rate at which tipping decays
    period = 2 * math.pi / rate
    dt = min(period / 100, 2e-3)
    settle = math.ceil(12 / slow / period) * period

    def loads(z, t, vz, vt):
        lean, speed = r * math.sin(t), r * math.cos(t) * vt
        right = k * (lean - z) + d * (speed - vz)
        left = k * (-lean - z) + d * (-speed - vz)
        return max(0.0, right), max(0.0, left)

    def change(time, z, t, vz, vt):
        s, c = math.sin(t), math.cos(t)
        right, left = loads(z, t, vz, vt)
        force = right + left - m * G + m * h * c * vt * vt
        moment = -r * c * (right - left) + m * G * h * s
        ramp = min(1.0, 2 * time / settle)  # nothing lifts on the way
        moment += ramp * m * G * amplitude * math.sin(rate * time)
        cross, whole = -m * h * s, i + m * h * h
        det = m * whole - cross * cross
        up = (whole * force - cross * moment) / det
        return vz, vt, up, (m * moment - cross * force) / det

    def ahead(x, slope, step):
        return tuple(a + step * b for a, b in zip(x, slope, strict=True))

    x, time = (-m * G / (2 * k), 0.0, 0.0, 0.0), 0.0
    points, feet = [], []
    while time < settle + period:
        k1 = change(time, *x)
        k2 = change(time + dt / 2, *ahead(x, k1, dt / 2))
        k3 = change(time + dt / 2, *ahead(x, k2, dt / 2))
        k4 = change(time + dt, *ahead(x, k3, dt))
        for slope, share in ((k1, 1), (k2, 2), (k3, 2), (k4, 1)):
            x = ahead(x, slope, share * dt / 6)
        time += dt
        if time > settle:
            right, left = loads(*x)
            points.append(r * (right - left) / (right + left))
            feet.append(min(right, left))
    return (max(points) - min(points)) / 2, min(feet)


@pytest.mark.parametrize(("a", "share"), [(0.3, 0.3), (0.3, 1.0), (0.6, 2)])
def test_response_is_that_of_the_simulated_stance(a, share):
    size = stance(a)
    transfer = zmp_transfer(**size)
    rate = share * transfer.resonance[0]
    gain = float(np.abs(transfer.response(rate)))
    # Planned for 1 % of lift-off: the stance is linear to 1e-4 there; what the ramp
    # left behind has decayed by e^-6, and the peak is read between 100 samples.
    small = 0.01 * float(transfer.lift_off(rate))
    found, _ = simulated(size, rate, small)
    assert found / small == pytest.approx(gain, rel=2e-3)


def test_a_foot_lifts_at_the_predicted_amplitude():
    size = stance(0.3)
    transfer = zmp_transfer(**size)
    rate = 0.7 * transfer.resonance[0]
    limit = float(transfer.lift_off(rate))
    # The linear stance, to the second order of the tilt a r / h and of the bouncing.
    assert simulated(size, rate, 0.98 * limit)[1] > 0
    assert simulated(size, rate, 1.02 * limit)[1] == 0


def test_slow_plans_overshoot_by_the_softness():
    for a in (0.1, 0.3, 0.6, 0.95):
        transfer = zmp_transfer(**stance(a))
        assert transfer.softness == pytest.approx(a, rel=1e-12)
        assert transfer.response(0) == pytest.approx(1 / (1 - a), rel=1e-12)
        assert abs(transfer.response(1e6)) < 1e-3
        roots = transfer.poles
        assert roots.sum() == pytest.approx(-transfer.damping / transfer.inertia)
        assert roots.prod() == pytest.approx(transfer.excess / transfer.inertia)


def test_resonance_is_the_largest_gain(rng):
    for a, zeta in rng.uniform([0.05, 0.01], [0.95, 1.5], (50, 2)):
        transfer = zmp_transfer(**stance(a, zeta))
        rate, gain = transfer.resonance
        rates = np.linspace(0, 4 * np.abs(transfer.poles).max(), 4001)
        gains = np.abs(transfer.response(rates))
        # a grid of 4001 points misses a peak by its curvature over one step
        assert gain == pytest.approx(gains.max(), rel=1e-3) and gain >= gains.max()
        assert abs(rate - rates[gains.argmax()]) <= 2 * rates[1]
    undamped = zmp_transfer(**{**stance(0.5), "damping": 0})
    assert undamped.resonance[1] == math.inf


def test_ground_on_which_it_falls_has_no_response():
    with pytest.raises(NotPhysicalError, match="stiffness must be above m g h"):
        zmp_transfer(**{**stance(0.5), "stiffness": 100.0})
    with pytest.raises(NotPhysicalError, match="height must be a number > 0, got -1"):
        zmp_transfer(**{**stance(0.5), "height": -1})
