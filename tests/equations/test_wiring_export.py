"""What was wired and simulated is what the exported C computes."""

import numpy as np

from equipoise.equations import System, arm, run_on
from equipoise.equations.blocks.assemble import assembled
from equipoise.equations.blocks.wiring import Part, wired
from equipoise.equations.tape.interpret import interpret
from equipoise.sim.blocks import played
from oracles.blocks import pd_law, pendulum
from oracles.emulated import need


def test_the_simulated_controller_is_the_exported_one():
    legs = [Part(pendulum(), k) for k in (1, 2, 3)]
    laws = [Part(pd_law(), k) for k in (1, 2, 3)]
    wiring = wired([*legs, *laws])
    table = {"k": [3.0, 5.0, 8.0], "l": [0.4, 0.5, 0.6]}
    run = played(wiring, seconds=0.2, dt=0.01, parameters=table)
    whole = assembled("legs", wiring, parameters=table)
    names = [s.name for s in whole.states]
    states = np.concatenate([run[name] for name in names], axis=1)
    need("host")
    trial = run_on(whole, states, target="host", precision="double")
    at = len(names)
    for output in whole.outputs:
        found = trial.outputs[:, at : at + output.width]
        np.testing.assert_allclose(found, run[output.name], rtol=1e-12, atol=1e-13)
        at += output.width
    wanted = interpret(whole.program, states, whole.values)
    np.testing.assert_allclose(trial.outputs, wanted, rtol=1e-12, atol=1e-13)


def test_a_law_needs_no_frame():
    S = System("law")
    q, w = S.inputs("q w")
    (k,) = S.parameters("k", 2.0)
    block = S.function("law", {"qw": [q, w]}, {"u": -k * q - w})
    found = interpret(block.program, np.array([0.5, 0.25]), block.values)
    np.testing.assert_allclose(found, [-1.25])
    wiring = wired([Part(pendulum()), Part(block)])
    assert assembled("both", wiring).states[0].name == "pendulum.q"


def test_the_arms_lines_end_at_its_tip():
    wiring = wired([Part(arm().block()), Part(arm().lines())], {"u": 3})
    run = played(wiring, seconds=0.1, dt=0.01, inputs={"u": np.zeros(3)})
    np.testing.assert_allclose(run["LineData"][:, -3:], run["rE"], atol=1e-12)
