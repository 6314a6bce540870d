"""Sections 7.2 and 8: what the tools put out, and slips in the printed code."""

from math import cos, sin

import mujoco
import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.seeds import stream
from equipoise.equations import System, arm
from equipoise.equations import sin as sine
from equipoise.equations.blocks.info import printed_lists, unused_scalars
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import (
    Claim,
    beyond,
    compared,
    not_checkable,
    refuted,
    shown,
)
from equipoise_lab.papers.ridderstrom2003.part3.scripts import (
    names_in,
    random_values,
    values,
)
from equipoise_lab.papers.ridderstrom2003.part3.setting import PRINTED

__all__ = ["arm_claims", "arm_draws", "by_mujoco"]

STATES = 20
PEER = 1e-10
"""MuJoCo's solution and ours, of a mass matrix of condition a hundred."""
ROUNDING = 1e-14
READING = "a matter of reading; nothing can be computed"


def arm_claims() -> list[Claim]:
    """Return the claims about exported functions that no seed touches."""
    return [sum_claim(), *small_claims(), *list_claims(), *_reading_claims()]


def arm_draws(seed: int) -> list[Claim]:
    """Return the claims that are looked at in random states.

    Args:
        seed: which states.
    """
    return [*third_body_claims(seed), unused_claim(seed)]


def sum_claim() -> Claim:
    """Return the sum of vectors of section 7.2.1."""
    S = System("sum")
    (alpha,) = S.coords("alpha")
    a, b = S.parameters("a b", 3.0, 5.0)
    n = S.inertial("N")
    turned = n.rot("A", 3, alpha)
    found = values(
        (n[a, 0, 0] + turned[b, 0, 0]).in_(turned), S.values | {"alpha": 0.6}
    )
    expected = np.array([3.0 * cos(0.6) + 5.0, -3.0 * sin(0.6), 0.0])
    gap = float(np.abs(found - expected).max())
    return shown(
        "7.2.1",
        "sum of N [a, 0, 0] and A [b, 0, 0]",
        "[a cos α + b, -a sin α, 0] in A",
        f"difference {gap:.0e}",
        below(gap, ROUNDING),
        "at a = 3, b = 5, α = 0.6",
        tolerance=ROUNDING,
    )


def small_claims() -> list[Claim]:
    """Return the two small functions that the thesis exports."""
    S = System("law")
    q = S.inputs("q1 q2")
    k1, k2, Q1, Q2 = S.parameters("k1 k2 Q1 Q2")
    law = S.function("name", {"q": q}, {"u": [k1 * (Q1 - q[0]), k2 * (Q2 - q[1])]})
    found = printed_lists(law)
    lists = sorted(found["p"]), found["i"], found["o"], found["x"]
    F = System("f")
    (x,) = F.inputs("x")
    (phi,) = F.parameters("phi", 0.3)
    y = float(values([sine(x + phi)], {"x": 1.2, "phi": 0.3})[0])
    return [
        shown(
            "7.2.2",
            "parameters, states, inputs and outputs of u = k (Q - q), found by itself",
            "k1, k2, Q1, Q2; none; q; u with two components",
            f"{', '.join(found['p'])}; none; {found['i']}; {found['o']}",
            same(lists, (["Q1", "Q2", "k1", "k2"], "q", "u 2", [])),
            "from the expression, nothing else said",
            tolerance="the same lists",
        ),
        compared(
            "8.2.6", "f(1.2) of f = sin(x + phi), phi = 0.3", PRINTED.example, y,
            "four printed digits", tolerance=5e-5,
        ),
    ]  # fmt: skip


def list_claims() -> list[Claim]:
    """Return the lists of robot_info.m beside those that we export."""
    found = printed_lists(arm().block())
    claims: list[Claim] = []
    for key, printed in PRINTED.info:
        ours = found[key]
        text = ours if isinstance(ours, str) else " ".join(ours)
        claims.append(
            shown(
                "8.3, robot_info.m",
                f"list '{key}' of the arm",
                printed,
                text,
                same(text, printed),
                "found from the equations and outputs, in the same order",
                tolerance="the same names in the same order",
            )
        )
    return claims


def by_mujoco(at: dict[str, float], p: dict[str, float]) -> VecN:
    """Return the accelerations of the arm of fig. 8.1 by another engine, (3,).

    Args:
        at: coordinates, speeds and torques by name.
        p: parameters by name.
    """
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, -p["g"]]
    parent, place = spec.worldbody, [0.0, 0.0, p["z0"]]
    for k, (axis, centre, length) in enumerate(
        [
            ((0, 0, 1), 0.0, 0.0),
            ((0, 1, 0), p["l2"], p["L"]),
            ((0, 1, 0), p["l3"], 0.0),
        ],
        start=1,
    ):
        parent = parent.add_body(name=f"B{k}", pos=place)
        parent.add_joint(name=f"q{k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        parent.explicitinertial = True
        parent.mass, parent.ipos = p[f"m{k}"], [centre, 0.0, 0.0]
        parent.inertia = [p[f"I{k}x"], p[f"I{k}y"], p[f"I{k}z"]]
        place = [length, 0.0, 0.0]
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = [at[f"q{k}"] for k in (1, 2, 3)]
    data.qvel[:] = [at[f"w{k}"] for k in (1, 2, 3)]
    data.qfrc_applied[:] = [at[f"u{k}"] for k in (1, 2, 3)]
    mujoco.mj_forward(model, data)
    return np.array(data.qacc)


def _gaps(seed: int, as_printed: bool) -> list[float]:
    """Return how far accelerations are from MuJoCo's at random states."""
    S = arm(as_printed=as_printed).system
    rng = stream(seed, "states of the arm")
    accelerations = S.kane().accelerations()
    found: list[float] = []
    for _ in range(STATES):
        at = random_values(S, rng)
        at |= {n: float(rng.uniform(0.8, 1.2)) for n in S.values if n != "g"}
        expected = by_mujoco(at, at)
        gap = np.abs(values(accelerations, at) - expected).max()
        found.append(float(gap / np.abs(expected).max()))
    return found


def third_body_claims(seed: int) -> list[Claim]:
    """Return where the third body hangs."""
    printed, right = arm(as_printed=True).system, arm().system
    e, f = printed.kane(), right.kane()
    flat = names_in([e.M[1, 2]])
    lost = "L" not in names_in([*e.M.values(), *e.F])
    kept = "L" in names_in([*f.M.values(), *f.F]) and "q3" in names_in([f.M[1, 2]])
    lists = [[p.name for p in s.block().parameters] for s in (printed, right)]
    wrong, good = _gaps(seed, True), _gaps(seed, False)
    return [
        refuted(
            "8.2.1, erratum 12",
            "rB3 := rJ2 &++ (f3 &ev [l3, 0, 0])",
            "rJ2",
            "rJ3",
            [
                same(lost, True),
                same(kept, True),
                same(sorted(flat), ["I3y", "l3", "m3"]),
                above(min(wrong), 1e-3),
                below(max(good), PEER),
            ],
            "as printed the third body hangs on the shoulder: M23 = I3y + m3 l3²,"
            " without q3, and L is in no equation of motion. Accelerations are off by"
            f" {100 * min(wrong):.1f} to {100 * max(wrong):.0f} % of MuJoCo's arm of"
            f" fig. 8.1 at {STATES} states; with rJ3 by {max(good):.0e}",
            tolerance=PEER,
        ),
        beyond(
            "8.2.1",
            "the arm with rJ3, against another engine",
            f"relative difference {max(good):.0e}",
            below(max(good), PEER),
            f"accelerations at {STATES} random states and parameters",
            tolerance=PEER,
        ),
        beyond(
            "8.3, robot_info.m",
            "whether the parameter list shows that slip",
            "it does not",
            same(lists[0], lists[1]),
            "L stays on the list for the output rE alone",
            tolerance="the same list with and without it",
        ),
    ]


def unused_claim(seed: int) -> Claim:
    """Return which inputs are not used."""
    system = arm().system
    block = system.block()
    at = random_values(system, stream(seed, "an input of the arm"))
    rates = system.kane().accelerations()
    moved = values(rates, at | {"u1": at["u1"] + 1.0}) - values(rates, at)
    ours = " ".join(unused_scalars(block))
    return refuted(
        "8.3, robot_info.m, erratum 13",
        "unused inputs",
        PRINTED.unused,
        ours or "none",
        [same(ours, ""), above(abs(moved[0]), 1e-3)],
        f"1 N m more of u1 changes w1' by {moved[0]:.3f} rad/s², and the same file"
        " prints w1t = (u1 - ...). It must have been looked for in the outputs alone;"
        " what is used must be found over equations and outputs",
        tolerance="the same list",
    )


def _reading_claims() -> list[Claim]:
    """Return what is wrong in the code and only has to be read."""
    rows = [
        ("8.2.5, erratum 14", "how PD is exported", 'MexFcn:-Export("mex/PD", ...)',
         'PD:-Export("mex/PD", ...)', "the object made just before is not named; "),
        ("8.3, erratum 15", "head of robot_info.m", "robot_info(type, S, index)",
         "robot_info(type)", "the comment has three arguments, the function one; "),
        ("8.3, erratum 16", "'x' and 'xt' are strings", "a string",
         "a list", "documented as strings, returned as lists, as 'p' and 'ic' are; "),
        ("7.2.2, fig. 7.5, erratum 17", "name of the function for lines",
         "makeLineData", "mkLineData", "sections 8.2.4 and fig. 7.5 differ; "),
    ]  # fmt: skip
    return [
        not_checkable(where, quantity, published, why + READING, ours=ours)
        for where, quantity, published, ours, why in rows
    ]
