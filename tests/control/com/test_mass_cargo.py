"""Mass properties carried by the module protocol, against sums made centrally."""

import numpy as np
import pytest

from equipoise.control.com.mass.learn import docks, sensed_modules
from equipoise.control.com.module_frames import module_frames
from equipoise.modules import InMemory, Lossy, VirtualClock, run_round
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs
from equipoise.robots.assembly.assembly import Assembly
from equipoise.spatial.mass.mass import MassProperties
from oracles.mass_cargo import (
    MassCargo,
    mass_from_bytes,
    mass_to_bytes,
)
from oracles.member_wire import WireMember
from oracles.module_robots import KINDS, any_tree

# rounding: a frame change and a sum a hop, 12 hops at most, some ten eps each; what is
# asked for.
RTOL = 1e-12


def central(assembly: Assembly, module: int, members: set[int]) -> MassProperties:
    """Oracle: the sum over all parts of some modules, from their poses in the world."""
    body, poses = assembly.body, assembly.module_poses()
    to_M = poses[module].inverse()
    parts = []
    for k in sorted(members):
        own = body.part_poses(assembly.modules[k].angles)
        for mass, X_MP in zip(body.part_mass, own, strict=True):
            X = to_M @ poses[k] @ X_MP
            parts.append(mass.transformed(X.R, X.p))
    return sum(parts[1:], start=parts[0])


def behind(assembly: Assembly, module: int, first: int) -> set[int]:
    """Everybody on the far side of the link from a module to its neighbour."""
    seen, todo = {module, first}, [first]
    while todo:
        for _, other, _, _ in assembly.neighbours[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen - {module}


def run(
    assembly: Assembly,
    rounds: int,
    loss: float,
    rng: np.random.Generator,
    *,
    is_wired: bool = False,
):
    sensed = sensed_modules(assembly)
    body = assembly.body
    cargo = MassCargo()
    ports = len(body.connectors)
    members = [Member(id=k + 1, ports=ports, cargo=cargo) for k in range(len(sensed))]
    if is_wired:
        members = [
            WireMember(member=m, encode=mass_to_bytes, decode=mass_from_bytes)
            for m in members
        ]
    inputs = [
        MemberInputs(attached=s.docked, body=module_frames(body, body.part_mass, s))
        for s in sensed
    ]
    wires = Lossy(InMemory(docks(assembly)), loss, rng)
    clock, states = VirtualClock(), tuple(member.init() for member in members)
    while clock.now < rounds and not all(state.report.known for state in states):
        states, _ = run_round(members, inputs, states, wires, clock)
    return [state.report for state in states]


def off(got: MassProperties, want: MassProperties) -> float:
    """Largest error of the ten numbers, relative to the largest of them."""
    a, b = got.to_vector(), want.to_vector()
    return float(np.abs(a - b).max() / np.abs(b).max())


def close(got: MassProperties, want: MassProperties) -> None:
    assert off(got, want) <= RTOL


@pytest.mark.parametrize("n, kind", [(1, "superbot"), (7, "conro"), (12, "superbot")])
def test_every_module_knows_the_whole_and_both_sides(n, kind, rng):
    assert kind in KINDS
    assembly = any_tree(n, rng, kind)
    reports = run(assembly, 32 + 6 * n, 0.1, rng)
    everybody, links = set(range(n)), 0
    for k, report in enumerate(reports):
        assert report.known and report.count == n and report.total is not None
        close(report.total, central(assembly, k, everybody))
        for port, other, _, _ in assembly.neighbours[k]:
            side = central(assembly, k, behind(assembly, k, other))
            close(report.beyond[port], side)
            mine = central(assembly, k, everybody - behind(assembly, k, other))
            close(report.beyond[port] + mine, report.total)
            links += 1
    assert links == 2 * (n - 1)


def test_frames_of_64_bytes_cost_less_than_a_millionth(rng):
    assembly = any_tree(8, rng)
    reports = run(assembly, 80, 0.1, rng, is_wired=True)
    errors = [
        off(report.total, central(assembly, k, set(range(8))))
        for k, report in enumerate(reports)
        if report.total is not None
    ]
    assert len(errors) == 8
    # rounding: half an eps of float32 (6e-8) a hop, at most 7 of them, and a frame
    # change that can make an entry grow; what is asked for. Exact: no bytes flew.
    assert 1e-9 < max(errors) < 1e-6


def test_bytes_that_are_no_body_are_none(rng):
    assert mass_from_bytes(b"\xff" * 40) is None
    assert mass_from_bytes(np.array([-1] + 9 * [0], "<f4").tobytes()) is None
    point = np.array([1, 0.5, 0.25, 1, 0.25, 0.125, 0.5, 0.0625, 0.25, 1], "<f4")
    got = mass_from_bytes(point.tobytes())
    assert got is not None and got.mass == 1.0
    assert got.com.tolist() == [0.5, 0.25, 1.0]
