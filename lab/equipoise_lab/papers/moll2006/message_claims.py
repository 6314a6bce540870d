"""Sections I and III: rounds, messages, the world frame, speed and torque."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.control.com.controller import ComController
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.control.com.law import find_law
from equipoise.control.com.mass.learn import docks, learn_mass, sensed_modules
from equipoise.control.com.mass.program import MassProgram
from equipoise.core.seeds import stream
from equipoise.modules.clock import VirtualClock
from equipoise.modules.election import Candidate, Election
from equipoise.modules.runtime import run_rounds
from equipoise.modules.transports.transport import InMemory
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_assembly, random_tree
from equipoise.runs.balance.staged import expect_modules
from equipoise.sim.bridge import sense, sensed_buffer
from equipoise.sim.world import build_world
from equipoise_lab.papers.check import above, below, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown

__all__ = ["message_claims"]

EXACT = 1e-12
"""Rounding: a position put together from up to 19 frames of unit rotations [m]."""
SPEED = 1e-9
"""Rounding: 60 joint rates of unit size on arms of metres, summed twice [m/s]."""
ELECTIONS = 40


def message_claims(seeds: Sequence[int]) -> list[Claim]:
    """Return the claims about who knows what, and when; on the first few trees."""
    plans = [random_assembly(seed=seed, angles="random") for seed in seeds[:6]]
    floods = [_flood_of(plan) for plan in plans]
    return [
        *_round_claims(floods),
        _count_claim(floods),
        _frame_claim(seeds[:6]),
        _election_claim(plans[0]),
        _speed_claim(random_tree(seed=seeds[0], angles="random"), seeds[0]),
        _torque_claim(random_tree(seed=seeds[0], angles="random")),
    ]


@dataclass(frozen=True, slots=True)
class Flood:
    """How the news spread over one tree, from cold, by the printed rule of sending."""

    modules: int
    diameter: int
    wrong: tuple[int, ...]
    """Modules whose centre of mass is not exact after pass 1, 2, ... of the loop."""
    sends: int
    """Number of the last pass that sent anything."""
    messages: int
    echo: int
    """Messages by the echo rule."""
    echo_sends: int
    """Number of its last pass that sent anything."""


def _flood_of(plan: Assembly) -> Flood:
    """Let a tree's modules talk and look at what they know after every pass."""
    sensed, n = sensed_modules(plan), len(plan.modules)
    programs = [MassProgram(plan.body, rule="printed")] * n
    wires, clock = InMemory(docks(plan)), VirtualClock()
    states, wrong, sent = None, list[int](), list[int]()
    true = [whole.com for whole in learn_mass(plan).whole_M]
    while not sent or sent[-1]:
        outcome = run_rounds(
            programs, sensed, wires, clock=clock, states=states, limit=1
        )
        states = outcome.states
        sent.append(outcome.messages)
        known = [s.whole.mass.com for s in states if s.whole is not None]
        off = [np.abs(p - q).max() for p, q in zip(known, true, strict=True)]
        wrong.append(int(np.sum(np.array(off) > EXACT)))
    echo = learn_mass(plan, rule="echo")
    return Flood(
        modules=n,
        diameter=plan.diameter,
        wrong=tuple(wrong),
        sends=max(k for k, count in enumerate(sent, start=1) if count),
        messages=sum(sent),
        echo=echo.messages,
        echo_sends=echo.rounds,
    )


def _round_claims(floods: Sequence[Flood]) -> list[Claim]:
    """Return the claims about d iterations: by deliveries, by passes, and silence."""
    d = [f.diameter for f in floods]
    exact = [f.wrong.index(0) for f in floods]  # passes before, that is deliveries
    late = [f.wrong[f.diameter - 1] for f in floods]
    spans = f"d is {min(d)} to {max(d)} in {len(d)} trees"
    return [
        beyond(
            "III", "every module has the correct centre of mass, in deliveries",
            "d" if exact == d else str(exact), same(exact, d),
            "the paper counts iterations of its loop, not deliveries: messages are sent"
            " in passes 1 to d of the loop and the value is exact in"
            f" pass d + 1, after d deliveries; {spans}",
            tolerance="d",
        ),
        refuted(
            "III",
            "every module has the correct centre of mass, in passes of the loop",
            "d",
            "d + 1" if exact == d else str(exact),
            [same(exact, d), above(min(late), 0)],
            "algorithm 1 reads its mail before it sends, so what is sent in pass d is"
            f" read in pass d + 1; after d passes {min(late)} to {max(late)} modules of"
            f" a tree are still wrong. {spans}",
            tolerance=0,
        ),
        shown(
            "III", "iterations after which no module sends any more", "d",
            "d" if [f.sends for f in floods] == d else str([f.sends for f in floods]),
            same([f.sends for f in floods], d), f"last pass that sent; {spans}",
            tolerance=0,
        ),
    ]  # fmt: skip


def _count_claim(floods: Sequence[Flood]) -> Claim:
    """Return the claim that updates are communicated only when necessary."""
    least = [2 * (f.modules - 1) for f in floods]
    counts = [f.messages for f in floods]
    return refuted(
        "III, Alg. 1",
        "messages from a cold start, 20 modules",
        "only when necessary",
        f"{min(counts)} to {max(counts)}",
        [
            above(min(counts), max(least)),
            same([f.echo for f in floods], least),
            same([f.echo_sends for f in floods], [f.sends for f in floods]),
        ],
        f"{least[0]} = 2(N - 1) are necessary, one each way through each connection,"
        " and enough: by the echo rule (send to a connector once all the others have"
        " reported) the same values are known after as many rounds",
        tolerance=f"{least[0]}",
    )


def _frame_claim(seeds: Sequence[int]) -> Claim:
    """Return the claim that a leader's frame gives all the centre in the world."""
    worst = 0.0
    for seed in seeds:
        robot = random_tree(seed=seed, angles="random")
        _, data = _started(robot)
        p_WC = data.subtree_com[0]
        for whole in learn_mass(robot).whole_W:
            worst = max(worst, float(np.abs(whole.com - p_WC).max()))
    return shown(
        "III",
        "each module's mass properties in world coordinates, from a leader's frame",
        "can be computed",
        f"exact to {worst:.0e} m in all modules of {len(seeds)} trees",
        below(worst, EXACT),
        "against the engine's centre of mass",
        tolerance=EXACT,
    )


def _started(robot: Robot) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return a robot in its start pose, alone."""
    data = mujoco.MjData(robot.model)
    mujoco.mj_resetDataKeyframe(robot.model, data, 0)
    mujoco.mj_forward(robot.model, data)
    return robot.model, data


def _election_claim(plan: Assembly) -> Claim:
    """Return the claim that a randomised protocol elects one module on the ground."""
    sensed, n = sensed_modules(plan), len(plan.modules)
    leaders = []
    for k in range(ELECTIONS):
        rng = stream(k, "touching")
        touching = set(rng.choice(n, size=int(rng.integers(1, n)), replace=False))
        outcome = run_rounds(
            [Election(seed=1000 * k + node) for node in range(n)],
            [Candidate(m in touching, s.docked) for m, s in enumerate(sensed)],
            InMemory(docks(plan)),
        )
        chosen = {m for m, s in enumerate(outcome.states) if s.is_leader}
        leaders.append(len(chosen) if chosen <= touching else -1)
    good = sum(count == 1 for count in leaders)
    return shown(
        "III",
        "one leader among several modules on the ground, by a randomised protocol",
        "can be done",
        f"one leader in {good} of {ELECTIONS} elections",
        same(good, ELECTIONS),
        "1 to 19 random candidates of 20 modules, no names, 2(N - 1) messages a ballot",
        tolerance=0,
    )


def _speed_claim(robot: Robot, seed: int) -> Claim:
    """Return the introduction's claim about the speed of the whole ensemble."""
    model, data = _started(robot)
    rates = stream(seed, "rates").normal(size=model.nv)
    order = _joint_order(robot)
    data.qvel[order] = rates
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    learned = learn_mass(robot, rates=rates.reshape(-1, 3))
    off = float(np.abs(learned.v_WC - data.subtree_linvel[0]).max())
    return shown(
        "I",
        "speed of the whole ensemble, known to each module",
        "if one module knows its own",
        f"exact to {off:.0e} m/s in all modules",
        below(off, SPEED),
        "60 random joint rates; the engine's velocity of the centre of mass",
        tolerance=SPEED,
    )


def _joint_order(robot: Robot) -> np.ndarray:
    """Return where each module's joints are in ``qvel``, module by module."""
    model = robot.model
    return np.asarray(model.jnt_dofadr[model.actuator_trnid[:, 0]])


def _torque_claim(robot: Robot) -> Claim:
    """Return the introduction's claim about anticipating torques: those of weight."""
    assembly = expect_modules(robot)
    world = build_world(robot)
    data, sensed = world.start(), sensed_buffer(world)
    sense(world, data, sensed)
    controller = ComController(assembly, find_law("transpose")())
    state = controller.init()
    for _ in range(2 * len(assembly.modules)):
        _, state = controller.step(sensed, state)
    tau = np.zeros(3 * len(assembly.modules))
    add_gravity_torques(state.net.rows, world.config.gravity, tau)
    off = float(np.abs(tau - data.qfrc_bias[world.v_address]).max())
    return shown(
        "I",
        "torque by the weight of what a joint carries",
        "can be anticipated",
        f"exact to {off:.0e} N m in 60 joints",
        below(off, EXACT),
        "at rest, from the connectors' masses alone, against the engine's gravity"
        " torques; torques of motion are not anticipated",
        tolerance=EXACT,
    )
