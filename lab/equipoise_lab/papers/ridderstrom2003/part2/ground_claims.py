"""Section 6.1.2: both grounds of table 6.1, stood upon and dropped upon."""

import math
from typing import final

from equipoise.control.legs import follow_controller
from equipoise.control.records import LegAim
from equipoise.core.constants import GRAVITY
from equipoise.core.kinds import GroundKind
from equipoise.core.records import Records
from equipoise.robots.warp1.warp1 import FOOT_RADIUS, HIP_HEIGHT, warp1
from equipoise.sim.ground import GROUNDS
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.check import above, below, near, same
from equipoise_lab.papers.claim import Claim, beyond, refuted, shown
from equipoise_lab.papers.ridderstrom2003.part2.drop import Drop, dropped, force_up

__all__ = ["ground_claims", "sunk"]

ROWS: dict[GroundKind, str] = {"weak": "weakly damped", "heavy": "heavily damped"}
SPEED, FAST = 0.3, 1.0  # of a foot that lands, and of a leg in the air, 5.4 [m/s]
STANDING = 2.5  # until it has settled [s]
STEPS = 1e-3  # of the energy that the simulation's own steps make or lose, at most
PART = 0.01  # of the sink: feet still creep and the load moves between them


@final
class Still:
    """Feet below the hips for ever; a ``LegMotion``."""

    def write(self, time: float, aim: Records[LegAim]) -> None:
        """Write the feet's places.

        Args:
            time: [s]; does not matter.
            aim: of the legs; their places are overwritten, (nl,).
        """
        aim["place"] = (0.0, 0.0, FOOT_RADIUS - HIP_HEIGHT)


def sunk(ground: GroundKind) -> tuple[float, float]:
    """Return how deep WARP1's feet sink on average, and by the closed form [m].

    Args:
        ground: a row of table 6.1.
    """
    robot = warp1()
    world = machine_world(robot, ground=ground)
    run = rollout(
        world, follow_controller(robot, Still()), STANDING, plant=MachineConfig()
    )
    depth = FOOT_RADIUS - run.foot_place[-100:, :, 2].mean()
    weight = float(world.model.body_mass.sum()) * -float(world.model.opt.gravity[2])
    return float(depth), weight / (len(robot.feet) * GROUNDS[ground].stiffness)


def ground_claims() -> list[Claim]:
    """Return what the ground model does, printed and ours."""
    mass = float(warp1().model.body_mass.sum()) / 4
    return [
        *(_sink_claim(ground, name) for ground, name in ROWS.items()),
        _smooth_claim(mass),
        drop_claim(mass),
    ]


def _sink_claim(ground: GroundKind, name: str) -> Claim:
    """Return how deep it stands in a ground."""
    depth, closed = sunk(ground)
    return beyond(
        "6.1.2, table 6.1",
        f"{name}: how deep feet sink in as WARP1 stands [mm]",
        1e3 * depth,
        near(1e3 * depth, 1e3 * closed, 1e3 * PART * closed),
        f"m g / (4 k_z) is {1e3 * closed:.3f} mm; the thesis gives k_z, not the depth",
        tolerance=1e3 * PART * closed,
    )


def _smooth_claim(mass: float) -> Claim:
    """Return that the force begins at zero, however fast a foot arrives."""
    law, tiny = GROUNDS["heavy"], 1e-9
    begins = force_up("felt", law, tiny, FAST)
    critical = 2.0 * math.sqrt(law.stiffness * mass)
    return shown(
        "6.1.2",
        "a spring and damper have discontinuous impact forces, this model has not",
        "therefore modified",
        f"{begins:.1e} N at touch-down",
        below(begins, 1e-3),
        f"{FAST:g} m/s, a nanometre deep, heavily damped ground; a linear damper,"
        f" critical for a quarter of WARP1, begins with {critical * FAST:.0f} N",
        tolerance="zero at touch-down",
    )


def drop_claim(mass: float) -> Claim:
    """Return what a dropped quarter of WARP1 shows about the printed sign."""
    heavy, weak = (dropped("upwards", g, SPEED, mass) for g in ("heavy", "weak"))
    law = GROUNDS["heavy"]
    stands = mass * GRAVITY / law.stiffness
    pull = -force_up("downwards", law, stands, -FAST)
    ours = [dropped("felt", g, v, mass) for g in ROWS for v in (SPEED, FAST)]
    kept = max(drop.returned for drop in ours)
    let_go = force_up("felt", law, stands, -FAST)
    return refuted(
        "6.1.2, erratum 27",
        "F_z = -k z^n - d z z' H(-z'): a foot dropped, and one lifted",
        "a ground that damps",
        f"z upwards: {_told(heavy)}; z downwards: pulls with {pull:.0f} N",
        [
            above(min(heavy.returned, weak.returned), 1.0 + STEPS),
            above(pull, 0.0),
            below(kept, 1.0),
            above(let_go, 0.0),
            same(max(drop.pull for drop in ours), 0.0),
        ],
        f"simulated: {mass:.1f} kg that arrive at {SPEED:g} m/s on heavily damped soil"
        f" (weakly: {_told(weak)}); and a foot of standing WARP1 lifted at {FAST:g}"
        " m/s,"
        f" twice k / d = {law.stiffness / law.damping:g} m/s. With F = k δ^n + d δ δ'"
        f" H(δ'), δ the depth, a foot keeps at most {kept:.2f} of its energy and is"
        " never pulled at",
        tolerance="neither gains energy nor pulls",
    )


def _told(drop: Drop) -> str:
    """Return in words how a foot left."""
    if math.isinf(drop.returned):
        return "swallows the foot"
    return f"returns it with {drop.returned:.2f} of its energy"
