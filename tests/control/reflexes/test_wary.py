"""The reflex that waits on ground too soft to lift a foot: on known ground, walking."""

import numpy as np
import pytest

from equipoise.control.reflexes.wary import WaryConfig, WaryReflex, WaryState
from equipoise.control.signals import nothing_asked
from equipoise.core.errors import ConfigError
from equipoise.runs.walk.walk import WalkConfig, walk
from oracles.walking_parts import estimate, machine, stance

CRAWL = {"gait": "crawl", "speed": 0.08, "seconds": 8.0}


def asked_for(stiffness, ticks=2000):
    """Return whether a machine on ground of some stiffness is told to halt."""
    reflex, known = WaryReflex(), estimate()
    state = reflex.init(machine())
    state.feet["stiffness"] = stiffness
    asked = nothing_asked(machine())
    for _ in range(ticks):
        asked = nothing_asked(machine())
        asked, state = reflex.step(known, stance(), asked, state)
    return asked.clock[0].halt > 0.0, reflex.tell(state)


def test_it_asks_for_a_halt_where_three_feet_would_not_do():
    halts, told = asked_for(1500.0)
    assert halts and told["waits"] == 1.0 and told["soft_margin_left"] < -0.2
    assert told["soft_margin"] > 0.0  # four feet do
    halts, told = asked_for(6000.0)
    assert not halts and told["soft_margin_left"] > 0.2
    halts, told = asked_for(np.inf)
    assert not halts and told["soft_margin_left"] > 0.99


def test_it_does_not_change_the_state_that_it_is_given():
    reflex, known = WaryReflex(), estimate()
    state = reflex.init(machine())
    state.feet["stiffness"] = 1500.0
    kept = WaryState(state.feet.copy(), state.whole.copy())
    reflex.step(known, stance(), nothing_asked(machine()), state)
    assert (state.feet == kept.feet).all() and (state.whole == kept.whole).all()


def test_margins_the_wrong_way_round_are_refused():
    with pytest.raises(ConfigError, match="enough"):
        WaryConfig(least=0.2, enough=0.1)


def test_stiffness_is_found_while_walking_on_known_ground():
    run = walk(WalkConfig(**CRAWL, terrain="soft:2591", seed=0)).run
    softest = run.telemetry[:, run.signals.index("softest")]
    for time in (1.4, 7.9):  # standing, and walking
        found = softest[np.searchsorted(run.time, time)]
        assert found == pytest.approx(2591.0, rel=0.25)  # the softest of four


def test_where_it_would_fall_it_waits():
    ground = CRAWL | {"terrain": "soft:1900", "seed": 0}
    bold = walk(WalkConfig(**ground, reflexes=("reach", "elevate", "withdraw")))
    wary = walk(WalkConfig(**ground))
    assert bold.summary["fell"] and not wary.summary["fell"]
    assert bold.summary["waited_s"] == 0.0 and wary.summary["waited_s"] > 4.0
    assert "20 of 20 fell" in wary.summary["warnings"][0]
