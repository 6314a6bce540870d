"""Torques of legs by straight lines are those of the compiled leg law."""

import numpy as np

from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.straight.known import KnownLeg
from equipoise.control.straight.steps import FootAim, leg_torques_expr
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.robots.drives import Drive
from equipoise.robots.legs import leg_geometry
from equipoise.robots.warp1.warp1 import warp1

LEGS = leg_geometry(warp1())
CASES = 40


def test_torques_are_those_of_the_leg_law(rng):
    law = leg_law(LEGS, [Drive()] * 12, LegLawConfig())
    tape, symbols, columns = Tape(), [], []
    shapes = dict(q=3, v=3, foot=3, rate=3, J=9, place=3, velocity=3, force=3)
    aim = law.aim()
    stiffness, damping = aim["stiffness"][0], aim["damping"][0]
    settings = {}
    for k, axis in enumerate("xyz"):
        settings[f"law.stiffness.{axis}"] = tape.constant(float(stiffness[k]))
        settings[f"law.damping.{axis}"] = tape.constant(float(damping[k]))
    q = rng.uniform([-0.4, -0.6, -1.8], [0.4, 1.2, 0.3], (CASES, 4, 3))  # some too far
    v = rng.uniform(-2.0, 2.0, (CASES, 4, 3))
    wanted, seen = [], []
    for each, rate in zip(q, v, strict=True):
        known = first_estimate(LEGS.legs, 3)
        known["q"], known["v"] = each, rate
        observe_legs(LEGS.legs, known)
        aim["place"] = known["foot"] + rng.normal(0.0, 0.02, (4, 3))
        aim["velocity"] = rng.normal(0.0, 0.3, (4, 3))
        aim["force"] = rng.normal(0.0, 30.0, (4, 3))
        wanted.append(law.torques(each.ravel(), rate.ravel(), aim))
        seen.append((known.copy(), aim.copy()))
    legs, aims = [], []
    for one in range(4):
        part = {}
        for name, size in shapes.items():
            new = [tape.symbol(f"{name}{one}.{k}", "input") for k in range(size)]
            symbols, part[name] = symbols + new, tuple(new)
        zero = tape.constant(0.0)
        rows = tuple(part["J"][3 * i : 3 * i + 3] for i in range(3))
        feet = (part["foot"], part["rate"], rows, zero, (zero, zero, zero), zero)
        legs.append(KnownLeg((0.0,) * 3, part["q"], part["v"], *feet))
        still = (zero, zero, zero)
        told = (part["place"], part["velocity"], part["force"], still, zero)
        aims.append(FootAim(*told))
        names = ("q", "v", "foot", "foot_rate", "jacobian")
        columns += [
            np.array([known[name][one].ravel() for known, _ in seen]) for name in names
        ]
        names = ("place", "velocity", "force")
        columns += [np.array([made[name][one] for _, made in seen]) for name in names]
    tau = leg_torques_expr(settings, law.guards, 1e-9, legs, aims)
    found = interpret(program(tau, symbols), np.hstack(columns))
    most = np.tile(law.guards["torque"].ravel(), (CASES, 1))
    assert 0.05 < (np.abs(wanted) >= most).mean() < 0.95  # some at their limit
    # rounding of torques of some 1000 N m
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)
