"""Old news of the weights: the bound on a hop's delay, and gains that respect it."""

import math
from itertools import product

import mujoco
import numpy as np
import pytest

from equipoise.control.com.delay import (
    CALMED,
    DELAYED,
    DelayBound,
    delay_bound,
    delayed_weights,
    hop_delay_limit,
    hops_between,
    late_news,
)
from equipoise.control.com.laws.upright import LATE, UprightConfig, UprightLaw
from equipoise.robots.superbot.superbot import random_tree


def chain(seed=2, modules=20):
    return random_tree(modules, 1, seed=seed)


def energy(model, data, q):
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return 9.81 * float(model.body_mass @ data.xipos[:, 2])


def test_weights_are_the_second_derivatives_of_the_energy_times_hops():
    robot = random_tree(3, 1, seed=3, angles="random")
    model, step = robot.model, 1e-4
    start, n = model.key_qpos[0], model.nu
    address = model.jnt_qposadr[model.actuator_trnid[:, 0]]
    data, G = mujoco.MjData(model), np.zeros((n, n))
    for i, j, a, b in product(range(n), range(n), (1, -1), (1, -1)):
        q = start.copy()
        q[address[i]] += a * step
        q[address[j]] += b * step
        G[i, j] += a * b * energy(model, data, q) / (4 * step * step)
    hops = np.kron(hops_between(robot.assembly), np.ones((3, 3)))
    # second differences of an energy of 1 J: rounding 1e-16 / step^2, error step^2
    np.testing.assert_allclose(delayed_weights(robot.assembly), G * hops, atol=3e-7)


def test_hops_are_counted_along_the_tree():
    hops = hops_between(chain(modules=6).assembly)
    assert (hops == np.abs(np.subtract.outer(range(6), range(6)))).all()


def grows(weights, hops, hop_delay, damping):
    """Whether b θ' = -Gθ(t) + Gθ(t - h d) grows, by stepping it through."""
    G = np.divide(weights, hops, out=np.zeros_like(weights), where=hops > 0)
    per_hop, n = 20, len(G)
    dt = hop_delay / per_hop
    late = (per_hop * hops).astype(int)
    rng = np.random.default_rng(0)
    kept = np.zeros((late.max() + 1, n))
    kept[0] = rng.normal(size=n)
    columns, sizes = np.arange(n), []
    for _ in range(40 * late.max()):
        past = kept[late, columns]
        rate = -(G * (kept[0] - past)).sum(axis=1) / damping
        kept = np.vstack([kept[0] + dt * rate, kept[:-1]])
        sizes.append(np.abs(rate).max())
    return sizes[-1] > sizes[len(sizes) // 2]


@pytest.mark.parametrize(("share", "says"), [(0.8, False), (1.25, True)])
def test_the_bound_parts_delays_that_hold_from_those_that_tip(share, says):
    assembly = chain(seed=2, modules=4).assembly
    bound, weights = delay_bound(assembly), delayed_weights(assembly)
    hops = np.kron(hops_between(assembly), np.ones((3, 3)))
    assert bound.weight > 0.0
    hop_delay = share * bound.hop_delay
    assert grows(weights, hops, hop_delay, bound.damping) == says


def test_share_and_drag_belong_together():
    bound = DelayBound(hops=19, weight=70.0, damping=1.6, most_drag=6.6)
    assert bound.share(bound.hop_delay) == pytest.approx(1.0)
    drag = bound.drag(0.02, 0.3)
    assert bound.share(0.02, drag) == pytest.approx(0.3)
    assert bound.drag(0.001, 0.3) == 0.0 and bound.drag(1.0, 0.3) == 6.6
    assert math.isinf(
        DelayBound(hops=1, weight=0.0, damping=1.6, most_drag=1).hop_delay
    )


def test_a_tree_keeps_its_gains_and_a_deep_chain_gets_calm_ones():
    tree, deep = random_tree(20, 4, seed=1000), chain()
    assert UprightLaw.fitting(tree.assembly, 0.02).config == UprightConfig()
    assert UprightLaw.fitting(deep.assembly, 0.001).config == UprightConfig()
    config, bound = (
        UprightLaw.fitting(deep.assembly, 0.02).config,
        delay_bound(deep.assembly),
    )
    assert config.patience == LATE
    assert bound.share(0.02, config.drag) == pytest.approx(CALMED)


def test_late_links_are_told_of():
    limit = hop_delay_limit(chain().assembly)
    assert late_news(0.9 * DELAYED * limit, limit) is None
    assert late_news(0.02, None) is None
    text = late_news(0.02, limit)
    assert "20 ms" in text and f"{1e3 * limit:.3g} ms" in text
    assert "do not allow" in late_news(0.02, limit, is_heeded=False)
