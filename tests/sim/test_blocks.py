"""Wired parts in time: the same numbers whichever way a law is written."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.assemble import assembled
from equipoise.equations.blocks.wiring import Function, Part, wired
from equipoise.sim.blocks import played
from oracles.blocks import pd_law, pendulum


def test_a_swing_is_that_of_the_closed_form():
    # small swing of a free pendulum: q0 cos(sqrt(g / l) t)
    wiring = wired([Part(pendulum())], {"u": 1})
    run = played(wiring, seconds=2.0, dt=0.005, inputs={"u": np.zeros(1)})
    wanted = 0.3 * np.cos(np.sqrt(9.81 / 0.5) * run.time)
    # the period grows by q0^2 / 16 = 0.6 %: at 2 s a phase of 0.05 rad, 0.015 of angle
    np.testing.assert_allclose(run["pendulum.q"][:, 0], wanted, atol=0.02)
    energy = 0.5 * 2.0 * 0.25 * run["pendulum.w"] ** 2 + 2.0 * 9.81 * run["height"]
    # fourth order: (5 ms * 4.4 /s)^4 a swing
    np.testing.assert_allclose(energy, energy[0, 0], atol=1e-6)


def test_one_block_and_its_parts_do_the_same():
    parts = wired([Part(pendulum()), Part(pd_law())])
    whole = wired([Part(assembled("both", parts))])
    a = played(parts, seconds=0.5, dt=0.01)
    b = played(whole, seconds=0.5, dt=0.01)
    np.testing.assert_allclose(a["u"], b["u"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(a["qw"], b["qw"], rtol=0, atol=1e-12)


def test_a_law_in_python_is_sampled_and_held():
    law = Function("PD", {"qw": 2}, {"u": 1}, lambda qw: [-3.0 * qw[:1] - 0.7 * qw[1:]])
    run = played(wired([Part(pendulum()), Part(law)]), seconds=0.5, dt=0.001)
    exact = played(wired([Part(pendulum()), Part(pd_law())]), seconds=0.5, dt=0.001)
    # held for 1 ms: half a step late, 0.5e-3 s times rates of some 3 rad/s
    np.testing.assert_allclose(run["qw"], exact["qw"], atol=2e-3)
    assert np.abs(run["qw"] - exact["qw"]).max() > 1e-6
    assert run.time.shape == (501,)
    assert run["u"].shape == (501, 1)


def test_inputs_may_depend_on_time():
    wiring = wired([Part(pd_law())], {"qw": 2})
    run = played(
        wiring, seconds=1.0, dt=0.5, inputs={"qw": lambda t: np.array([t, 0.0])}
    )
    np.testing.assert_allclose(run["u"][:, 0], [0.0, -1.5, -3.0])


def test_mistakes_are_told_in_a_sentence():
    wiring = wired([Part(pd_law())], {"qw": 2})
    with pytest.raises(ConfigError, match="'qw' is not given"):
        played(wiring, seconds=1.0, dt=0.1)
    with pytest.raises(ConfigError, match="0 < dt <= seconds"):
        played(wiring, seconds=1.0, dt=0.0, inputs={"qw": np.zeros(2)})
    run = played(wiring, seconds=1.0, dt=0.5, inputs={"qw": np.zeros(2)})
    with pytest.raises(ConfigError, match="no signal 'tau'; there are qw, twice, u"):
        run["tau"]
    wrong = Function("law", {"qw": 2}, {"u": 1}, lambda qw: [qw])
    with pytest.raises(ConfigError, match=r"'u' of 'law' should have shape \(1,\)"):
        played(wired([Part(pendulum()), Part(wrong)]), seconds=1.0, dt=0.1)
