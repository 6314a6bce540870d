"""Loops with and without delay against closed forms and time simulation."""

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import lambertw

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.loops.closed_loop import closed_loop, loop_states
from equipoise.stability.loops.critical_delay import critical_delay
from equipoise.stability.loops.delay_roots import delay_roots
from equipoise.stability.loops.sampled_loop import sampled_loop


@pytest.mark.parametrize(
    ("k", "delay"), [(1.0, 1.0), (2.0, 0.7), (0.5, 4.0), (1.0, 1.6), (-0.3, 2.0)]
)
def test_roots_of_the_scalar_equation_are_lamberts(k, delay):
    # x' = -k x(t - tau): s = W_j(-k tau) / tau
    exact = np.array([lambertw(-k * delay, j) / delay for j in range(-9, 10)])
    exact = exact[np.lexsort((exact.imag, -exact.real))][:8]
    found = delay_roots(np.zeros((1, 1)), np.array([[-k]]), delay, 8)
    # rounding: both are polished; 20 operations on numbers of the roots' size
    np.testing.assert_allclose(found, exact, atol=20 * 2.2e-16 * np.abs(exact).max())


def test_critical_delay_of_an_oscillator_in_closed_form(rng):
    for d, k in rng.uniform([0.1, 0.5], [3, 20], (20, 2)):
        # -w^2 + j w d + k e^(-j w tau) = 0: k = w sqrt(w^2 + d^2), tan(w tau) = d / w
        w = math.sqrt((math.sqrt(d**4 + 4 * k * k) - d * d) / 2)
        exact = math.atan2(d, w) / w
        late = {"late_stiffness": [[k]]}
        found = critical_delay([[1]], [[d]], [[0]], **late)
        assert found == pytest.approx(exact, rel=1e-12)  # Newton's last step
        for share, answer in ((1 - 1e-7, "yes"), (1 + 1e-7, "no")):
            loop = closed_loop([[1]], [[d]], [[0]], delay=share * exact, **late)
            assert loop.stable == answer
        assert closed_loop([[1]], [[d]], [[0]], delay=exact, **late).stable == "unknown"


def test_late_damping_alone_in_closed_form(rng):
    # q'' + c q'(t - tau) + k q = 0: c w = |k - w^2| and w tau = pi / 2 at the higher w
    for c, k in rng.uniform([0.2, 1], [3, 20], (20, 2)):
        w = (c + math.sqrt(c * c + 4 * k)) / 2
        found = critical_delay([[2]], [[0]], [[2 * k]], late_damping=[[2 * c]])
        assert found == pytest.approx(math.pi / 2 / w, rel=1e-12)


def random_loop(rng: np.random.Generator, n: int = 2) -> dict[str, np.ndarray]:
    A = rng.normal(size=(n, n))
    return {
        "M": A @ A.T + n * np.eye(n),
        "D": n * rng.uniform(0.5, 2) * np.eye(n) + 0.3 * rng.normal(size=(n, n)),
        "K": 4 * rng.normal(size=(n, n)),
        "late_damping": rng.normal(size=(n, n)),
        "late_stiffness": 20 * np.eye(n) + 4 * rng.normal(size=(n, n)),
    }


def test_the_crossing_is_the_first_one(rng):
    tried = 0
    for _ in range(6):
        loop = random_loop(rng)
        tau = critical_delay(**loop)
        if not 0 < tau < math.inf:
            continue
        tried += 1
        for share in (0.1, 0.5, 0.9, 0.999):
            assert closed_loop(**loop, delay=share * tau).stable == "yes"
        assert abs(closed_loop(**loop, delay=tau).growth) < 1e-9
        assert closed_loop(**loop, delay=1.001 * tau).stable == "no"
    assert tried > 2


def simulated_growth(loop: dict[str, np.ndarray], delay: float, steps: int) -> float:
    """Return the growth rate of x' = A x + B x(t - tau), stepped, not solved.

    Exponential steps with the delayed part straight between samples: order 2.
    """
    M = loop["M"]
    n = len(M)
    A, B = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:] = -np.linalg.solve(M, np.hstack([loop["K"], loop["D"]]))
    late = np.hstack([loop["late_stiffness"], loop["late_damping"]])
    B[n:] = -np.linalg.solve(M, late)
    dt, size = delay / steps, 2 * n
    wide = np.zeros((3 * size, 3 * size))  # x, and a + b t of the delayed part
    wide[:size] = np.hstack([A, np.eye(size), np.zeros((size, size))])
    wide[size : 2 * size, 2 * size :] = np.eye(size)
    E = expm(wide * dt)[:size]
    past = [np.ones(size) * (1 + 0.1 * np.sin(i)) for i in range(steps + 1)]
    logs, total = [], 0.0
    count = int(40 * steps * max(1.0, 2.0 / delay))
    for k in range(count):
        old, new = B @ past[0], B @ past[1]
        ahead = E @ np.concatenate([past[-1], old, (new - old) / dt])
        past = [*past[1:], ahead]
        if k % steps == 0:
            norm = float(np.linalg.norm(np.array(past)))
            past, total = [x / norm for x in past], total + math.log(norm)
            logs.append(total)
    half = len(logs) // 2
    return (logs[-1] - logs[half]) / ((len(logs) - 1 - half) * delay)


def test_growth_agrees_with_time_simulation(rng):
    for delay in (0.15, 0.6):
        loop = random_loop(rng)
        exact = closed_loop(**loop, delay=delay)
        rate = np.abs(exact.eigenvalues[0])
        # A beat of the period of the rightmost pair is left in the fit, and the second
        # order of the steps: 1 % of the root itself.
        found = simulated_growth(loop, delay, 60)
        assert found == pytest.approx(exact.growth, abs=0.01 * rate)


def test_without_delay_all_roots_of_the_quadratic_pencil(rng):
    loop = random_loop(rng)
    found = closed_loop(loop["M"], loop["D"], loop["K"])
    assert len(found.eigenvalues) == 4
    for s in found.eigenvalues:
        matrix = loop["M"] * s * s + loop["D"] * s + loop["K"]
        sizes = np.linalg.svd(matrix, compute_uv=False)
        assert sizes[-1] < 1e-13 * sizes[0]
    assert found.growth == found.eigenvalues.real.max()


def test_a_sampled_double_integrator_in_closed_form(rng):
    # u = -k q - d q' held for T: stable for k T / 2 < d and d T < 2 (Jury)
    answers = set()
    for k, d, T in rng.uniform([0.1, 0.1, 0.1], [20, 6, 1], (60, 3)):
        law = {"late_stiffness": [[k]], "late_damping": [[d]]}
        found = sampled_loop([[1]], [[0]], [[0]], period=T, **law)
        assert (found.stable == "yes") == (k * T / 2 < d < 2 / T)
        z = np.roots([1, k * T * T / 2 + d * T - 2, 1 + k * T * T / 2 - d * T])
        growth = math.log(np.abs(z).max()) / T
        # solver: a double root is split by the root of rounding
        assert found.growth == pytest.approx(growth, abs=1e-7 / T)
        answers.add(found.stable)
    assert answers == {"yes", "no"}


def test_fast_sampling_is_a_delay_of_half_a_period(rng):
    loop = random_loop(rng)
    for delay in (0.0, 0.013, 0.04):
        T = 1e-3
        held = sampled_loop(**loop, period=T, delay=delay).growth
        pure = closed_loop(**loop, delay=delay + T / 2).growth
        late = closed_loop(**loop, delay=delay + T).growth
        # truncation: T^2; a whole period late is a hundred times farther off
        assert abs(held - pure) < 0.02 * abs(held - late)


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.13, 0.27])
def test_one_period_of_the_sampled_loop_step_by_step(rng, delay):
    loop, T, h = random_loop(rng), 0.1, 0.01  # delays are whole numbers of h
    M, n = loop["M"], 2
    A = np.zeros((4, 4))
    A[:n, n:] = np.eye(n)
    A[n:] = -np.linalg.solve(M, np.hstack([loop["K"], loop["D"]]))
    law = -np.linalg.solve(M, np.hstack([loop["late_stiffness"], loop["late_damping"]]))
    wide = np.zeros((6, 6))
    wide[:4, :4], wide[2:4, 4:] = A, np.eye(2)
    E = expm(wide * h)[:4]
    x, commands, late, sizes = rng.normal(size=4), [], round(delay / h), []
    for k in range(4000):
        if k % 10 == 0:
            commands.append((k + late, law @ x))
            norm = np.linalg.norm(np.concatenate([x, commands[-1][1]]))
            sizes.append(math.log(norm))
        active = [u for start, u in commands[-6:] if start <= k]
        x = E @ np.append(x, active[-1] if active else np.zeros(2))
    found = sampled_loop(**loop, period=T, delay=delay)
    growth = (np.mean(sizes[-50:]) - np.mean(sizes[150:200])) / (200 * T)
    # a beat of the rightmost pair, averaged over 50 samples, over 20 s
    assert found.growth == pytest.approx(growth, abs=0.05)


def test_what_is_not_known_is_said():
    assert closed_loop([[1]], [[0]], [[1]]).stable == "unknown"  # undamped
    assert closed_loop([[1]], [[0]], [[0]]).stable == "unknown"  # a double zero
    triple = closed_loop(np.eye(2), [[1, -1], [0, 0]], [[0, 0], [0, 0]])
    assert triple.stable == "unknown"
    far = closed_loop([[1]], [[1]], [[1]], late_stiffness=[[1e6]], delay=1e4)
    assert far.stable == "unknown" and math.isnan(far.growth)
    assert math.isnan(critical_delay([[1]], [[0]], [[1]]))
    assert critical_delay([[1]], [[1]], [[-1]]) == 0
    assert critical_delay([[1]], [[1]], [[1]]) == math.inf
    weak = critical_delay([[1]], [[2]], [[1]], late_stiffness=[[0.5]])
    assert weak == math.inf  # |K_c| below the least of |K - w^2 + j w D|


def test_refuses_what_no_loop_has():
    with pytest.raises(NotPhysicalError, match="M must be symmetric"):
        closed_loop([[1, 1], [0, 1]], np.eye(2), np.eye(2))
    with pytest.raises(NotPhysicalError, match="positive definite, got an eigenvalue"):
        closed_loop([[0]], [[1]], [[1]])
    with pytest.raises(ShapeError, match=r"K must have shape \(1, 1\)"):
        closed_loop([[1]], [[1]], [[1, 2]])
    with pytest.raises(NotPhysicalError, match="delay must be a number >= 0, got -1"):
        closed_loop([[1]], [[1]], [[1]], delay=-1)
    with pytest.raises(NotPhysicalError, match="period must be a number > 0, got 0"):
        sampled_loop([[1]], [[1]], [[1]], period=0)
    assert loop_states([[4]], [[0]], [[16]], None, None).rate == 2
