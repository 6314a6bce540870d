"""Each reflex on many random ticks, against its rule leg by leg.

Thresholds are put amid what is read, so that every branch is taken; each rule is
written anew from what the reflex promises. What a reflex does not change stays.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.records import ClockRequest
from equipoise.control.reflexes.coactivate import CoactivateConfig, CoactivateReflex
from equipoise.control.reflexes.deadman import DeadmanConfig, DeadmanReflex
from equipoise.control.reflexes.elevate import ElevateConfig, ElevateReflex
from equipoise.control.reflexes.freeze import FreezeConfig, FreezeReflex
from equipoise.control.reflexes.plant import PlantReflex, PlantReflexConfig
from equipoise.control.reflexes.reach import ReachConfig, ReachReflex
from equipoise.control.reflexes.relent import RelentConfig, RelentReflex
from equipoise.control.reflexes.retract import RetractConfig, RetractReflex
from equipoise.control.reflexes.seek import SeekConfig, SeekReflex
from equipoise.control.reflexes.tread import TreadConfig, TreadReflex
from equipoise.control.reflexes.withdraw import WithdrawConfig, WithdrawReflex
from equipoise.control.signals import SupportRequest
from oracles.other_views import random_requests, random_ticks
from oracles.walking_parts import DT, machine

COUNT = 60


def ticks():
    """Yield what is known, who stands and what is asked; legs stay so for some time."""
    rng, stands = np.random.default_rng(6), np.ones(4)
    forces = rng.normal(0.0, 60.0, (4, 3))
    for k, (known, _, found, _, _) in enumerate(random_ticks(37, COUNT)):
        if k % 7 == 0:
            stands, forces = rng.random(4) < 0.6, rng.normal(0.0, 60.0, (4, 3))
        legs, seen = found.legs, known.legs
        legs["stands"], share = stands, 0.15 * (k % 7)
        legs["late"] = np.where(stands | (share < 0.8), 0.0, 0.3 * rng.random(4))
        legs["progress"] = np.where(stands, 0.0, share + 0.02)
        legs["scheduled"] = rng.random(4) < 0.8
        found.clock["walking"] = float(k % 20 < 12)
        seen["force"], seen["edge"] = forces + rng.normal(size=(4, 3)), rng.random(4)
        seen["near"], seen["load"] = 0.04 * rng.random(4), 150.0 * rng.random(4)
        for name in ("near", "load"):
            seen[name][rng.random(4) < 0.1] = np.nan
        if k % 15 == 3:
            seen["force"][k % 4, 1] = np.nan
        known.trunk["time"] = DT * (k if k % 12 < 5 else k - k % 12)  # and stands still
        yield k, known, found


def expect_rule(reflex, rule, changes, clock=()):
    """Step a reflex; its rule writes what it shall do into plain arrays beside it."""
    state, did = reflex.init(machine()), 0
    for k, known, found in ticks():
        asked = SupportRequest(random_requests(k), ClockRequest.zeros())
        asked.legs["servo"], asked.legs["rate"] = 3.0, 0.5
        before = asked.legs.copy()
        want = {name: before[name].copy() for name in before.dtype.names}
        want |= {name: np.zeros(1) for name in clock}
        given, kept = asked, SupportRequest(before, asked.clock.copy())
        asked, state = reflex.step(known, found, given, state)
        np.testing.assert_array_equal(given.legs, kept.legs)  # left as it is
        np.testing.assert_array_equal(given.clock, kept.clock)
        told = rule(SimpleNamespace(k=k, known=known, found=found, want=want))
        for name in before.dtype.names:
            if name not in changes:
                np.testing.assert_array_equal(asked.legs[name], before[name])
            np.testing.assert_allclose(
                asked.legs[name], want[name], rtol=1e-12, atol=1e-13, err_msg=name
            )
        for name in ClockRequest.entries:
            other = want[name][0] if name in clock else 0.0
            assert asked.clock[0][name] == other
        assert reflex.tell(state) == pytest.approx(told)
        did += sum(not np.array_equal(want[n], before[n], True) for n in changes)
    assert did > 5


def test_reach():
    def rule(at):
        legs, down = at.found.legs, 0
        for one, leg in enumerate(legs):
            if not leg.stands and leg.late > 0.0:
                deep, down = 0.2 * leg.late, down + 1
                at.want["place"][one, 2] -= min(deep, 0.03)
                at.want["velocity"][one, 2] -= 0.2 * (deep < 0.03)
        return {"reach_active": float(down > 0)}

    reflex = ReachReflex(ReachConfig(speed=0.2, depth=0.03))
    expect_rule(reflex, rule, ("place", "velocity"))


def test_elevate():
    extra = np.zeros(4)

    def rule(at):
        for one, leg in enumerate(at.found.legs):
            u = leg.progress
            if leg.stands:
                extra[one] = 0.0
            elif at.known.legs[one].load > 60.0 and 0.1 < u < 0.75:
                extra[one] = min(0.03, extra[one] + 0.03 * DT / 0.005)
            if not leg.stands and leg.late == 0.0:
                at.want["place"][one, 2] += extra[one] * np.sin(np.pi * u)
        return {"elevate_active": float(extra.any())}

    config = ElevateConfig(height=0.03, time=0.005, load=60.0)
    expect_rule(ElevateReflex(config), rule, ("place",))


def test_withdraw():
    landed, depth = np.full(4, np.nan), np.full(4, np.nan)

    def rule(at):
        raised = False
        for one, leg in enumerate(at.found.legs):
            height = at.known.legs[one].foothold[2]
            if leg.stands:
                landed[one] = height if np.isnan(landed[one]) else landed[one]
                depth[one] = np.clip(landed[one] - height - 0.004, 0.0, 0.02)
                continue
            landed[one] = np.nan
            if leg.late == 0.0 and np.isfinite(depth[one]):
                at.want["place"][one, 2] += depth[one] * np.sin(np.pi * leg.progress)
                raised = raised or depth[one] > 0.0
        return {"withdraw_active": float(raised)}

    expect_rule(WithdrawReflex(WithdrawConfig(firm=0.004, most=0.02)), rule, ("place",))


def test_relent():
    def rule(at):
        count = 0
        for one, leg in enumerate(at.found.legs):
            foot, rate = at.known.legs[one].foot, at.known.legs[one].foot_rate
            off = at.want["place"][one, :2] - foot[:2]
            far = np.hypot(*off)
            if not leg.stands and far > 0.1:
                count += 1
                at.want["place"][one, :2] = foot[:2] + off * 0.1 / far
                at.want["velocity"][one, :2] = rate[:2]
        return {"relent_active": float(count > 0)}

    expect_rule(RelentReflex(RelentConfig(lag=0.1)), rule, ("place", "velocity"))


def test_plant():
    by = np.zeros(4)

    def rule(at):
        for one, leg in enumerate(at.found.legs):
            hangs = at.known.legs[one].load < 70.0
            if at.found.clock[0].walking == 0.0 and leg.stands and hangs:
                by[one] = min(by[one] + 0.4 * DT, 0.004)
            else:
                by[one] -= DT / (0.05 + DT) * by[one]
            if leg.stands:
                at.want["place"][one, 2] -= by[one]
        return {"plant_active": float(by.max() > 1e-3)}

    config = PlantReflexConfig(carries=70.0, speed=0.4, depth=0.004, fades=0.05)
    expect_rule(PlantReflex(config), rule, ("place",))


def test_tread():
    bare, deep = np.zeros(4), np.zeros(4)

    def rule(at):
        for one, leg in enumerate(at.found.legs):
            if not leg.stands:
                bare[one] = deep[one] = 0.0
                continue
            own = at.known.legs[one]
            is_bare = own.load < 90.0 and not own.near <= 0.01
            bare[one] = bare[one] + DT if is_bare else max(bare[one] - DT, 0.0)
            bare[one] = min(bare[one], 2 * 1.5 * DT)
            if bare[one] > 1.5 * DT:
                if deep[one] < 0.0011:
                    deep[one] += 0.2 * DT
                    at.want["velocity"][one, 2] -= 0.2
            elif not is_bare:
                deep[one] -= DT / (0.01 + DT) * deep[one]
            at.want["place"][one, 2] -= deep[one]
        return {"tread_active": float(bare.max() > 1.5 * DT)}

    config = TreadConfig(
        load=90.0, clear=0.01, patience=1.5 * DT, depth=0.0011, speed=0.2, relax=0.01
    )
    expect_rule(TreadReflex(config), rule, ("place", "velocity"))


def test_seek():
    stood = np.full(4, 1e3)

    def rule(at):
        legs, active = at.found.legs, False
        all_stand = bool((legs["stands"] > 0).all())
        for one, leg in enumerate(legs):
            if not leg.stands:
                stood[one] = 0.0
            elif leg.scheduled:
                stood[one] += DT
            if not leg.stands and leg.late > 0.0:
                active, late = True, leg.late
                down, wait = 0.03 / 0.5, 0.05
                if late < down:
                    deep, speed = 0.5 * late, 0.5
                elif late < down + wait:
                    deep, speed = 0.03, 0.0
                else:
                    deep, speed = 0.03 - 0.5 * (late - down - wait), -0.5
                at.want["place"][one, 2] -= deep
                at.want["velocity"][one, 2] -= speed
                if deep < -0.02:
                    at.want["banned"][one] = 1.0
            is_new = 0.0 < stood[one] < 4.5 * DT
            if is_new and all_stand and at.known.legs[one].edge >= 0.5:
                at.want["banned"][one], active = 1.0, True
        return {"seek_active": float(active)}

    config = SeekConfig(
        speed=0.5, depth=0.03, patience=0.05, clear=0.02, edge=0.5, settled=4.5 * DT
    )
    expect_rule(SeekReflex(config), rule, ("place", "velocity", "banned"))


def test_freeze():
    own = SimpleNamespace(leans=False, mute=np.zeros(4))

    def rule(at):
        R, legs = at.known.R_WB, at.known.legs
        tilt = max(abs(np.arctan2(R[2, 1], R[2, 2])), abs(np.arcsin(-R[2, 0])))
        slope, feet = 0.0, legs["foothold"]
        for a in range(4):
            for b in range(a):
                way = feet[a] - feet[b]
                if np.hypot(*way[:2]) > 0.1:
                    slope = max(slope, np.arctan(abs(way[2]) / np.hypot(*way[:2])))
        off = tilt - slope
        own.leans = off > 0.02 or (own.leans and off >= 0.01)
        silent = np.isnan(legs["load"])
        own.mute = np.where(silent & ~silent.all(), own.mute + DT, 0.0)
        frozen = own.leans or bool((own.mute > 0.5 * DT).any())
        if frozen:
            at.want["veto"][:] = 1.0
        return {"freeze_active": float(frozen)}

    reflex = FreezeReflex(FreezeConfig(tilt=0.02, upright=0.01, silent=0.5 * DT))
    expect_rule(reflex, rule, ("veto",))


def test_deadman():
    own = SimpleNamespace(stale=np.nan, fade=np.nan, last=None, kept=None)

    def rule(at):
        trunk, legs = at.known.trunk[0], at.known.legs
        now = (trunk.time, trunk.w_WB_B.copy(), legs["q"].copy(), legs["v"].copy())
        is_fresh = own.last is None or now[0] != own.last[0]
        own.last = now
        own.stale = 0.0 if is_fresh else own.stale + 1.0
        own.fade = 1.0 if is_fresh else own.fade
        if own.stale < 3:
            own.kept = at.want["place"].copy(), at.want["force"].copy()
        else:
            at.want["place"][:] = own.kept[0]
            at.want["force"][:] = own.fade * own.kept[1]
            at.want["velocity"][:] = at.want["acceleration"][:] = 0.0
            own.fade *= np.exp(-DT / 0.02)
            at.want["halt"][:] = 1.0
        return {"deadman_active": float(own.stale >= 3)}

    changes = ("place", "force", "velocity", "acceleration")
    reflex = DeadmanReflex(DeadmanConfig(ticks=3, fade=0.02))
    expect_rule(reflex, rule, changes, clock=("halt",))


def test_coactivate():
    usual, active = np.zeros(4), []

    def rule(at):
        stands = at.found.legs["stands"] > 0.0
        R, v = at.known.R_WB, at.known.v_WB
        force = at.known.legs["force"]
        told = stands & np.isfinite(force).all(axis=1)
        against = -(force @ R.T)[:, :2] @ v[:2] / np.hypot(*v[:2])
        met = np.where(told, np.maximum(against, 0.0), 0.0)
        share = DT / (0.01 + DT)
        usual[:] = np.where(told, usual + share * (met - usual), usual)
        raised = np.zeros(4)
        for one, beside in enumerate(((1, 2), (0, 3), (0, 3), (1, 2))):
            for other in beside:
                own = max(usual[other], 15.0)
                raised[one] = max(raised[one], (met[other] - own) / own)
        raised = np.where(stands, np.minimum(0.1 * raised, 0.3), 0.0)
        for name in ("stiffness", "damping", "servo"):
            at.want[name] *= 1.0 + raised[:, None]
        active.append(raised.max())
        return {"coactivate_active": float(raised.max() > 0.0)}

    config = CoactivateConfig(time=0.01, least=15.0, gain=0.1, most=0.3)
    changes = ("stiffness", "damping", "servo")
    expect_rule(CoactivateReflex(config), rule, changes)
    assert {0.0, 0.3} < set(active)  # and what is between


def test_retract():
    legs = [
        SimpleNamespace(felt=0.0, since=0.0, off=np.zeros(3), high=0.0, tries=0.0,
                        active=False) for _ in range(4)
    ]  # fmt: skip
    c = RetractConfig(
        force=40.0, touching=1.5 * DT, back=0.02, up=0.03, time=2.5 * DT, lower=0.6,
        tries=1.0,
    )  # fmt: skip

    def smooth(x):
        return x * x * (3.0 - 2.0 * x)

    def rule(at):
        for one, (way, leg) in enumerate(zip(legs, at.found.legs, strict=True)):
            own = at.known.legs[one]
            place, rate = at.want["place"][one], at.want["velocity"][one]
            if leg.stands:
                way.felt, way.tries, way.high, way.active = 0.0, 0.0, 0.0, False
                continue
            hits = np.hypot(*own.force[:2]) > c.force
            hits = hits and 0.05 < leg.progress < 0.97 and leg.late == 0.0
            goes_back = way.active and way.since < c.time
            way.felt = way.felt + DT if hits and not goes_back else 0.0
            if way.felt > c.touching:
                along = rate[:2] / np.hypot(*rate[:2])
                way.off = own.foot - place - np.array([*c.back * along, 0.0])
                way.felt, way.since, way.active = 0.0, 0.0, True
                way.tries, way.high = way.tries + 1.0, way.high + c.up
            if way.active:
                way.since += DT
                at.want["hold"] += 1.0
                gone = way.since / c.time
                rise = smooth(min(gone, 1.0))
                back = rise if gone <= 1.0 else 1.0 - smooth(min(gone - 1.0, 1.0))
                place[:2] += back * way.off[:2]
                place[2] += (1.0 - rise) * way.off[2] + rise * way.high
                rate[:], at.want["acceleration"][one] = 0.0, 0.0
                way.active = way.since < 2.0 * c.time
            elif way.high > 0.0:
                if leg.late > 0.0:
                    way.high = max(way.high - c.lower * DT, 0.0)
                    rate[2] -= c.lower
                place[2] += way.high
            if way.tries > c.tries:
                at.want["banned"][one], way.tries, way.active = 1.0, 0.0, False
        return {
            "retract_active": float(any(way.active for way in legs)),
            "retract_tries": max(way.tries for way in legs),
        }

    changes = ("place", "velocity", "acceleration", "banned")
    expect_rule(RetractReflex(c), rule, changes, clock=("hold",))
