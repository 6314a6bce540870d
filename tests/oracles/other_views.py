"""The same walking machine seen otherwise: in a mirror, or from another place.

A part of a walking controller knows neither left from right nor north from south. So
what it answers to mirrored readings is the mirror image of what it answers to the
readings, and a world that is turned about the vertical and moved takes the answer
along. Here is how each entry of ``control.records`` changes with the view; the rest of
a record is numbers that all views share.
"""

from dataclasses import dataclass, replace

import numpy as np

from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    PlannedLeg,
    PlannedTrunk,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    SupportRequest,
    TrunkReference,
    WalkingPlan,
    WalkingStance,
)
from oracles.walking_parts import DT, estimate, machine, reference, stance, travel

ACROSS = np.array([1.0, -1.0, 1.0])
MIRROR = np.diag(ACROSS)
BESIDE = [1, 0, 3, 2]
"""The legs of a machine with four, each in the place of the one across from it."""
FLIPS = np.array([-1.0, 1.0, 1.0])
"""WARP1's joints in the mirror: the first one turns about the way ahead."""
EXACT_ENOUGH = 1e-9
"""Rounding: some hundred operations of 1e-16 on numbers of their own size."""

KINDS = {
    TrunkEstimate: {
        "p_WB": "point", "v_WB": "vector", "w_WB_B": "spin", "R_WB": "pose",
        "p_BC": "own",
    },
    LegEstimate: {
        "hip": "own", "q": "joints", "v": "joints", "current": "joints",
        "limit": "joints", "force": "own", "foot": "own", "foot_rate": "own",
        "spin": "spin", "jacobian": "columns", "weigh": "columns",
        "momentum": "joints", "outer": "joints", "foothold": "point",
    },
    Travel: {"velocity": "travel"},
    LegStance: {"goal": "point"},
    PlannedLeg: {"foothold": "point"},
    PlannedTrunk: {
        "p_WB": "point", "rpy_WB": "angles", "v_WB": "vector", "yaw_rate": "odd",
    },
    TrunkPose: {
        "p_WB": "point", "rpy_WB": "angles", "v_WB": "vector", "yaw_rate": "odd",
        "path": "level",
    },
    LegBalance: {"arm": "own level", "force": "own", "shift": "own level"},
    LegAim: {
        "place": "own", "velocity": "own", "force": "own", "bend": "own",
        "acceleration": "joints", "rate": "joints", "landing": "own",
    },
}  # fmt: skip
OF_LEGS = (LegEstimate, LegStance, PlannedLeg, LegBalance, LegAim)


@dataclass(frozen=True)
class View:
    """A mirror, or a turn about the vertical and then a shift."""

    is_mirror: bool = False
    turn: float = 0.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def array(self, kind, x):
        """Return numbers of a kind in this view."""
        if self.is_mirror:
            return {
                "point": lambda: x * ACROSS,
                "vector": lambda: x * ACROSS,
                "own": lambda: x * ACROSS,
                "spin": lambda: -x * ACROSS,
                "angles": lambda: -x * ACROSS,
                "pose": lambda: MIRROR @ x @ MIRROR,
                "columns": lambda: MIRROR @ x * FLIPS,
                "joints": lambda: x * FLIPS,
                "level": lambda: x * [1.0, -1.0],
                "own level": lambda: x * [1.0, -1.0],
                "travel": lambda: x * [1.0, -1.0, -1.0],
                "odd": lambda: -x,
            }[kind]()
        c, s = np.cos(self.turn), np.sin(self.turn)

        def turned(x):
            level = x[..., :2] @ R[:2, :2].T  # a height that is nan stays alone
            return np.concatenate([level, x[..., 2:]], axis=-1)

        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return {
            "point": lambda: turned(x) + self.shift,
            "vector": lambda: turned(x),
            "pose": lambda: R @ x,
            "angles": lambda: x + np.array([0.0, 0.0, self.turn]),
            "level": lambda: x @ R[:2, :2].T,
        }.get(kind, lambda: x)()

    def records(self, kind, given):
        """Return records in this view; legs change places in a mirror."""
        found = given.copy()
        for name, how in KINDS[kind].items():
            found[name] = self.array(how, given[name])
        return found[BESIDE].copy() if self.is_mirror and kind in OF_LEGS else found

    def of(self, thing):
        """Return what a part is given, or answers, in this view."""
        if isinstance(thing, Estimate):
            return replace(
                thing,
                trunk=self.records(TrunkEstimate, thing.trunk),
                legs=self.records(LegEstimate, thing.legs),
                plan=self.of(thing.plan),
            )
        if isinstance(thing, WalkingPlan):
            return WalkingPlan(
                self.records(PlannedLeg, thing.legs) if len(thing.legs) else thing.legs,
                self.records(PlannedTrunk, thing.trunk),
                self.records(Travel, thing.travel),
            )
        if isinstance(thing, WalkingStance):
            return WalkingStance(
                self.records(LegStance, thing.legs), thing.clock.copy()
            )
        if isinstance(thing, TrunkReference):
            places = self.array("own", thing.places)
            return TrunkReference(
                self.records(TrunkPose, thing.pose),
                places[BESIDE] if self.is_mirror else places,
            )
        if isinstance(thing, BalanceCommand):
            return BalanceCommand(
                self.of(thing.trunk), self.records(LegBalance, thing.legs)
            )
        if isinstance(thing, SupportRequest):
            return SupportRequest(self.records(LegAim, thing.legs), thing.clock.copy())
        kind = next(k for k in KINDS if set(k.entries) == set(thing.dtype.names))
        return self.records(kind, thing)


IN_THE_MIRROR = View(is_mirror=True)
FROM_ELSEWHERE = View(turn=2.1, shift=(0.7, -1.3, 0.0))
A_QUARTER_ON = View(turn=0.5 * np.pi, shift=(-0.4, 0.9, 0.0))
"""For what is limited along the axes of W, one by one."""
VIEWS = {"mirror": IN_THE_MIRROR, "turned": FROM_ELSEWHERE}


def numbers(thing):
    """Return every number of an answer by the name of its entry."""
    parts = [
        getattr(thing, name)
        for name in ("trunk", "legs", "pose", "places", "clock", "travel")
        if hasattr(thing, name)
    ]
    found = {}
    for part in parts or [thing]:
        if not isinstance(part, np.ndarray):
            found |= {f"trunk {name}": x for name, x in numbers(part).items()}
        elif part.dtype.names is None:
            found["places"] = part
        else:
            found |= {name: np.array(part[name]) for name in part.dtype.names}
    return found


def expect_seen_alike(view, answer, seen):
    """Check that an answer in a view is what was seen in it, angles by whole turns."""
    want, got = numbers(view.of(answer)), numbers(seen)
    assert want.keys() == got.keys()
    for name, x in want.items():
        off, size = got[name] - x, np.abs(np.nan_to_num(x, posinf=0.0, neginf=0.0))
        if "rpy_WB" in name:
            off = (off + np.pi) % (2.0 * np.pi) - np.pi
        same = (x == got[name]) | (np.isnan(x) & np.isnan(got[name]))
        bound = EXACT_ENOUGH * max(1.0, size.max(initial=0.0))
        assert (same | (np.abs(off) <= bound)).all(), (name, x, got[name])


def random_ticks(seed, count=12, walking=1.0):
    """Return what parts are given at some ticks: WARP1 tilted, pushed and stepping.

    A tick is an estimate, what is wanted, who stands, the trunk's reference and what
    balance answers.
    """
    rng = np.random.default_rng(seed)
    ticks, m = [], machine()
    for k in range(count):
        places = np.array([0.0, 0.0, -0.48]) + rng.uniform(-0.04, 0.04, (4, 3))
        at = (0.02 * k, -0.01 * k, 0.49 + 0.01 * rng.normal())
        yaw = 0.3 + 0.02 * k
        known = estimate(
            places,
            p_WB=at,
            tilt=(*rng.normal(0.0, 0.05, 2), yaw),
            v_WB=rng.normal(0.0, 0.2, 3),
            w_B=rng.normal(0.0, 0.2, 3),
            load=rng.uniform(0.0, 300.0, 4),
        )
        known.trunk["time"] = DT * k
        known.legs["v"] = rng.normal(0.0, 1.0, (4, 3))
        known.legs["current"] = rng.normal(0.0, 1.0, (4, 3))
        J = known.legs["jacobian"]
        known.legs["foot_rate"] = np.einsum("lij,lj->li", J, known.legs["v"])
        known.legs["foothold"] += rng.normal(0.0, 0.02, (4, 3))
        stands = rng.random(4) < 0.6
        found = stance(stands.astype(float), 0.0, late=0.0)
        found.legs["progress"] = np.where(stands, 0.0, rng.uniform(0.05, 0.95, 4))
        found.legs["scheduled"] = rng.random(4) < 0.6
        found.legs["late"] = np.where(stands, 0.0, rng.uniform(0.0, 0.02, 4))
        found.legs["lifted"] = 1.0 - found.legs["scheduled"]
        goal = known.legs["foothold"] + rng.normal(0.0, 0.03, (4, 3))
        found.legs["goal"] = np.where(rng.random((4, 1)) < 0.3, goal, np.nan)
        found.clock["phase"] = (0.05 * k) % 1.0
        found.clock["walking"] = walking
        known.legs["stood"] = found.legs["stands"]
        trunk = reference(
            (at[0] + 0.01, at[1] - 0.02, 0.5),
            (*rng.normal(0.0, 0.03, 2), yaw + 0.05 * rng.normal()),
            rng.normal(0.0, 0.2, 3),
            0.3 * rng.normal(),
        )
        trunk.places = trunk.places + rng.normal(0.0, 0.02, (4, 3))
        legs = LegBalance.zeros(m.legs)
        legs["force"], legs["spring"] = rng.normal(0.0, 40.0, (4, 3)), 1.0
        legs["force"][:, 2] -= 150.0
        legs["shift"] = rng.normal(0.0, 0.02, (4, 2))
        legs["share"] = rng.random(4)
        legs["load"], legs["stands"] = rng.uniform(0.0, 200.0, 4), stands
        wanted = travel(*rng.normal(0.0, 0.2, 3), 1.0)
        ticks.append((known, wanted, found, trunk, BalanceCommand(trunk, legs)))
    return ticks


def random_requests(seed):
    """Return what is asked of legs before reflexes have seen it, with random aims."""
    rng = np.random.default_rng(seed)
    legs = LegAim.zeros(4, joints=3)
    for name in ("place", "velocity", "force", "bend", "acceleration", "landing"):
        legs[name] = rng.normal(0.0, 0.1, (4, 3))
    legs["place"][:, 2] -= 0.48
    legs["landing"][:, 2] -= 0.48
    legs["force"][:, 2] -= 150.0
    legs["stiffness"], legs["damping"] = 4000.0, 400.0
    return legs
