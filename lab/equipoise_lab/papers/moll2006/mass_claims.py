"""Section III: adding, subtracting and passing on mass properties."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from equipoise.control.com.mass.learn import docks, learn_mass, sensed_modules
from equipoise.control.com.mass.program import MassProgram
from equipoise.control.com.module_frames import ModuleSensed
from equipoise.core.arrays import Array
from equipoise.core.seeds import stream
from equipoise.modules.clock import VirtualClock
from equipoise.modules.node import AbstractProgram
from equipoise.modules.runtime import run_rounds
from equipoise.modules.transports.transport import InMemory
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_assembly, random_tree
from equipoise.runs.mass import engine_mass
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.rotations import random_rotation
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.moll2006.printed_program import PrintedProgram
from equipoise_lab.papers.moll2006.steiner import combined, steiner

__all__ = ["mass_claims", "subtraction_claims", "trigger_claim"]

EXACT = 1e-12
"""Rounding: sums of some hundred terms, relative."""
WRONG = 0.01
"""From a hundredth on a number is wrong, not rounded."""
CHAINS = (20, 200, 1000)


def mass_claims(seed: int) -> list[Claim]:
    """Return the claims about sums and other frames."""
    return [*_addition_claims(seed), _moved_claim(seed)]


def _halves(seed: int) -> tuple[MassProperties, MassProperties]:
    """Return the first and the last ten modules of a tree, in the world."""
    plan = random_assembly(seed=seed, angles="random")
    lumps = [
        plan.body.mass(m.angles).transformed(X.R, X.p)
        for m, X in zip(plan.modules, plan.module_poses(), strict=True)
    ]
    return sum(lumps[1:10], start=lumps[0]), sum(lumps[11:], start=lumps[10])


def _addition_claims(seed: int) -> list[Claim]:
    """Return the claims about the sum of two 3-tuples: mass and centre, inertia."""
    one, two = _halves(seed)
    engine_kg, p_WC, _ = engine_mass(random_tree(seed=seed, angles="random"))
    mass, com, _ = combined(
        one.mass, one.com, one.inertia, two.mass, two.com, two.inertia
    )
    size = float(np.linalg.norm((one + two).extents()))
    off = max(abs(mass / engine_kg - 1.0), float(np.abs(com - p_WC).max()) / size)
    errors = _inertia_errors(one, two)
    wrong = ("own centre", "own centre, per mass", "origin")
    right = ("origin, per mass", "with steiner")
    return [
        shown(
            "III", "mass and centre of two sets together", "(m1 p1 + m2 p2)/(m1 + m2)",
            f"off by {off:.0e}", below(off, EXACT),
            "two halves of a tree put together, against the engine's own numbers",
            tolerance=EXACT,
        ),
        refuted(
            "III",
            "inertia of two sets together",
            "(m1 I1 + m2 I2)/(m1 + m2)",
            f"off by {errors['own centre']:.0%} with I about each set's centre of mass",
            [*(above(errors[k], WRONG) for k in wrong),
             *(below(errors[k], EXACT) for k in right)],
            "two halves of a tree. Relative error for I about each centre "
            f"{errors['own centre']:.2g}, the same per mass "
            f"{errors['own centre, per mass']:.2g}, I about the common origin "
            f"{errors['origin']:.2g}; only I about the common origin divided by mass "
            f"gives {errors['origin, per mass']:.0e}. Adding m1 m2/(m1 + m2) "
            "(|r|² 1 - r rᵀ) to I1 + I2, r from centre to centre, gives "
            f"{errors['with steiner']:.0e}. We add second moments instead",
            tolerance=EXACT,
        ),
    ]  # fmt: skip


def _inertia_errors(one: MassProperties, two: MassProperties) -> dict[str, float]:
    """Return the relative error of the printed inertia, for each reading of I."""
    whole, zero = one + two, np.zeros(3)
    m1, m2, m0 = one.mass, two.mass, whole.mass
    about = [lump.inertia + steiner(lump.mass, lump.com) for lump in (one, two, whole)]
    true = whole.inertia

    def printed(I1: Array, I2: Array) -> Array:
        return combined(m1, zero, I1, m2, zero, I2)[2]

    r = two.com - one.com
    return {
        "own centre": _gap(printed(one.inertia, two.inertia), true),
        "own centre, per mass": _gap(
            printed(one.inertia / m1, two.inertia / m2), true / m0
        ),
        "origin": _gap(printed(about[0], about[1]), about[2]),
        "origin, per mass": _gap(printed(about[0] / m1, about[1] / m2), about[2] / m0),
        "with steiner": _gap(
            one.inertia + two.inertia + steiner(m1 * m2 / m0, r), true
        ),
    }


def _gap(found: Array, true: Array) -> float:
    """Return the largest difference, relative to the largest entry."""
    return float(np.abs(found - true).max() / np.abs(true).max())


def _moved_claim(seed: int) -> Claim:
    """Return the claim that mass properties are transformed to another frame."""
    lump, rng = _halves(seed)[1], stream(seed, "frame")
    R, p = random_rotation(rng), rng.normal(size=3)
    there = lump.transformed(R, p)
    back = there.transformed(R.T, -R.T @ p)
    about = R @ lump.inertia @ R.T + steiner(lump.mass, R @ lump.com + p)
    plain = _gap(R @ (lump.inertia + steiner(lump.mass, lump.com)) @ R.T, about)
    off = _gap(back.inertia, lump.inertia)
    off = max(off, _gap(there.inertia + steiner(there.mass, there.com), about))
    return shown(
        "III",
        "mass properties transformed to another frame",
        "can be",
        f"exact to {off:.0e}",
        [below(off, EXACT), above(plain, WRONG)],
        "into a turned and shifted frame and back, and against Steiner's rule by hand."
        " The paper does not say how; R I Rᵀ without the parallel-axis term is wrong"
        f" by {plain:.0%}",
        tolerance=EXACT,
    )


def _chain(modules: int) -> Assembly:
    """Return a straight row of modules, standing up."""
    placed = tuple(PlacedModule(f"m{k}", (0.0, 0.0, 0.0)) for k in range(modules))
    joined = tuple(Connection(k, 3, k + 1, 0, 0) for k in range(modules - 1))
    return Assembly("chain", SuperbotModule(), placed, joined, Ground(0, 0))


def subtraction_claims() -> list[Claim]:
    """Return the claims about the difference: in exact numbers, and in float32."""
    exact = leaf_errors(20, np.float64)
    rows = {n: leaf_errors(n, np.float32) for n in CHAINS}
    table = "; ".join(
        f"{n} modules: centre off by {r['p']:.1e} w"
        f" (sum of the others {r['p_sum']:.0e}), least eigenvalue of the inertia"
        f" {r['eig']:.2g} of the largest"
        for n, r in rows.items()
    )
    longest = rows[CHAINS[-1]]
    return [
        shown(
            "III", "subtraction, analogous to addition, in double precision",
            "exact", f"centre off by {exact['p']:.0e} w in a chain of 20",
            below(exact["p"], 1e-9),
            "what the last module says about itself, whole minus all behind; double"
            " precision keeps enough digits here",
            tolerance=1e-9,
        ),
        beyond(
            "beyond the paper",
            "subtraction in float32, what a long chain's last module says of itself",
            f"centre off by {longest['p']:.1e} w in a chain of {CHAINS[-1]}, inertia "
            + ("not positive" if longest["eig"] < 0.0 else "positive"),
            [above(longest["p"], 1e-3), below(longest["eig"], 0.0),
             below(longest["p_sum"], 1e-6)],
            f"{table}. The difference of two large equal numbers keeps none of their"
            " digits; the sum of the others never loses any. The paper speaks neither"
            " of float32, which small processors have, nor of so many modules",
            tolerance="off by more than 1e-3 w and an inertia that cannot be; the sum"
            " of the others within 1e-6 w",
        ),
    ]  # fmt: skip


def leaf_errors(modules: int, dtype: type) -> dict[str, float]:
    """Return how wrong the last module of a chain is about itself.

    Its message is formed as printed, the whole minus what is behind its connector, and
    as the sum of the others, which is the module alone. ``p`` and ``p_sum`` are errors
    of the centre in module widths, ``eig`` the least over the largest eigenvalue of
    the inertia about the centre.
    """
    plan = _chain(modules)
    body, sensed = plan.body, sensed_modules(plan)
    moved = replace(sensed[-1], angles=(0.1, 0.0, 0.0))
    X_CM = body.connector_poses(moved.angles)[0].inverse()
    true = body.mass(moved.angles).transformed(X_CM.R, X_CM.p)
    ours = _last_said(MassProgram(body, dtype=dtype), sensed, moved).mass
    printed = PrintedProgram(body, rule="echo", dtype=dtype)
    S = _last_said(printed, sensed, moved).moment.astype(float)
    com = S[:3, 3] / S[3, 3]
    central = S[:3, :3] - S[3, 3] * np.outer(com, com)
    values = np.linalg.eigvalsh(np.trace(central) * np.eye(3) - central)
    return {
        "p": float(np.abs(com - true.com).max() / body.width),
        "p_sum": float(np.abs(ours.com - true.com).max() / body.width),
        "eig": float(values[0] / np.abs(values).max()),
    }


def _last_said(
    program: AbstractProgram[ModuleSensed, Any, Any],
    sensed: Sequence[ModuleSensed],
    moved: ModuleSensed,
) -> Any:
    """Return what a chain's last module says once it knows all and then moves a joint.

    The news goes along the chain from the first module to the last.
    """
    inbox: list[tuple[int, Any]] = []
    state = program.init()
    for senses in sensed:
        outbox, state = program.step(inbox, senses, program.init())
        inbox = [(0, message) for port, message in outbox.items() if port == 3]
    return program.step([], moved, state)[0][0]


def trigger_claim() -> Claim:
    """Return the claim that a change of moduleMass is what must be told.

    A mast of three with an arm of three to the side at its top; the mast's second
    module turns its roll joint by 180 degrees, and the arm swings round.
    """
    mast = _chain(6)
    bent = tuple(replace(c, a_connector=4) if c.a == 2 else c for c in mast.connections)
    flag = replace(mast, name="flag", connections=bent)
    wires, clock = InMemory(docks(flag)), VirtualClock()
    programs = [PrintedProgram(flag.body)] * len(flag.modules)
    first = run_rounds(programs, sensed_modules(flag), wires, clock=clock)
    angles = np.zeros((6, 3))
    angles[1, 1] = np.pi
    turned = sensed_modules(flag, angles)
    second = run_rounds(programs, turned, wires, clock=clock, states=first.states)
    S = second.states[0].mass
    found = np.zeros(3) if S is None else S[:3, 3] / S[3, 3]
    true = learn_mass(flag, angles).whole_M[0].com
    wrong = float(np.linalg.norm(found - true)) / flag.body.width
    return refuted(
        "III, Alg. 2",
        "messages after a roll by 180 degrees",
        "marked if moduleMass has changed",
        f"{second.messages}, and the root is wrong by {wrong:.1f} w for good",
        [same(second.messages, 0), above(wrong, 1.0)],
        "a straight module that turns its roll joint by 180 degrees keeps its own mass"
        " properties while everything beyond swings round. Ours looks at the joints:"
        f" {len(flag.modules) - 1} messages, then exact",
        tolerance="every module exact once silent",
    )
