"""Section 3.2: how fast and steep the Adaptive Suspension Vehicle walks."""

from time import process_time

import numpy as np

from equipoise.control.forces.two_step import (
    FootForce,
    ForceMiss,
    TrunkWrench,
    distribute,
)
from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.seeds import stream
from equipoise.robots.load import load
from equipoise_lab.papers.check import above, at_least, below, near, same
from equipoise_lab.papers.claim import Claim, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import (
    Walked,
    sized_claims,
    walked,
)

__all__ = ["asv_claims", "asv_draws", "asv_walks", "cost_claims", "distribution_claim"]

UPRIGHT = 10.0  # largest tilt of a machine that walks [°]
ASKED = 3.7  # [m/s]
CLIMBS, RATED = 0.7, 3.4  # [m/s]
DUTIES = (0.5, 0.67, 0.83)  # three, four and five feet stand at least
SINK = 0.1  # of feet in soft ground as it stands [m]
IMPOSSIBLE = (10.0, 0.0, 3.0)  # [m/s], [rad/s]
TRIES = 20_000


def asv_walks(seed: int) -> dict[str, Walked]:
    """Return how it walks on flat ground, on slopes, softly, and told to fly.

    Args:
        seed: of friction and of the sensors' noise.
    """
    steep = PRINTED.asv_slope
    weight = GRAVITY * float(load("asv").model.body_mass.sum())
    soft = f"soft:{weight / (6 * SINK):.0f}"
    cases = {
        "flat": {"speed": ASKED, "seconds": 17.0, "settle": 7.0},
        "up": {
            "speed": CLIMBS,
            "seconds": 16.0,
            "terrain": f"slope:{steep:g}",
            "settle": 6.0,
        },
        "down": {
            "speed": CLIMBS,
            "seconds": 16.0,
            "terrain": f"slope:{-steep:g}",
            "settle": 6.0,
        },
        "slow": {"speed": 1.0, "seconds": 12.0, "settle": 5.0},
        "soft": {"speed": 1.0, "seconds": 14.0, "terrain": soft, "settle": 5.0},
        "late": {
            "speed": RATED,
            "seconds": 14.0,
            "gains": {"two_step.period": PRINTED.periods[0]},
            "settle": 6.0,
        },
        "told": {"command": IMPOSSIBLE, "seconds": 10.0, "settle": 5.0},
    }
    for duty in DUTIES:
        cases[f"{duty:g}"] = {
            "speed": 0.6,
            "seconds": 9.0,
            "duty": duty,
            "settle": 4.0,
        }
    return {name: walked("asv", seed=seed, **case) for name, case in cases.items()}


def asv_draws(seed: int) -> list[Claim]:
    """Return every claim that it walks for.

    Args:
        seed: of friction and of the sensors' noise.
    """
    return asv_claims(asv_walks(seed))


def cost_claims() -> list[Claim]:
    """Return what sharing forces out costs."""
    return [distribution_claim(_distribution_time(0))]


def asv_claims(walks: dict[str, Walked]) -> list[Claim]:
    """Return every claim that it walks for.

    Args:
        walks: of ``asv_walks``.
    """
    return [
        *speed_claims(walks["flat"]),
        *_slope_claims(walks["up"], walks["down"]),
        _legs_claim(walks),
        _soft_claim(walks["soft"]),
        _stop_claim(walks["told"]),
        _rate_claim(walks["late"]),
        _power_claim(walks["slow"]),
    ]


def speed_claims(walk: Walked) -> list[Claim]:
    """Return its speed on flat ground."""
    return sized_claims(
        "3.2.5",
        "largest speed of the ASV, in a tripod gait [m/s]",
        PRINTED.asv_speed,
        walk.speed,
        [
            same(walk.controller, "asv"),
            same(walk.fell, False),
            at_least(walk.speed, PRINTED.asv_speed),
            below(walk.tilt, UPRIGHT),
            above(walk.aloft[3], 0.5),
        ],
        f"told {ASKED:g} m/s with its own controller, its stop plan armed: {walk.how};"
        f" three feet are in the air for {walk.aloft[3]:.0%} of the time",
    )


def _slope_claims(up: Walked, down: Walked) -> list[Claim]:
    """Return how steep it walks."""
    return sized_claims(
        "3.2.5",
        "slopes that the ASV ascends [%]",
        PRINTED.asv_slope,
        f"up at {up.speed:.2f} m/s, down at {down.speed:.2f} m/s",
        [
            same(up.controller, "asv"),
            same(up.fell or down.fell, False),
            near(up.speed, CLIMBS, 0.2 * CLIMBS),
            near(down.speed, CLIMBS, 0.2 * CLIMBS),
        ],
        f"told {CLIMBS:g} m/s on {PRINTED.asv_slope:g} %: up {up.how}; down {down.how}",
    )


def _legs_claim(walks: dict[str, Walked]) -> Claim:
    """Return that it is stable however many legs carry it."""
    found = {duty: walks[f"{duty:g}"] for duty in DUTIES}
    told = ", ".join(f"duty {duty:g}: {walk.how}" for duty, walk in found.items())
    fell = any(walk.fell for walk in found.values())
    return shown(
        "3.2.2",
        "balance control is stable with respect to the number of supporting legs",
        "stable",
        "falls" if fell else "does not fall",
        [
            same(fell, False),
            below(max(walk.tilt for walk in found.values()), UPRIGHT),
        ],
        f"the same gains on three, four and five feet at least: {told}",
        tolerance="upright with each",
    )


def _soft_claim(walk: Walked) -> Claim:
    """Return that it walks on soft ground."""
    return shown(
        "3.2.2",
        "tracking forces works extremely well in soft soils",
        "extremely well",
        walk.how,
        [same(walk.fell, False), near(walk.speed, 1.0, 0.2), below(walk.tilt, UPRIGHT)],
        f"ground into which its six feet sink {SINK:g} m as it stands, told 1 m/s",
        tolerance="a fifth of the speed, and upright",
    )


def _stop_claim(walk: Walked) -> Claim:
    """Return that what cannot be done does no harm."""
    forward, left, turn = IMPOSSIBLE
    return shown(
        "3.2.2",
        "there is always a plan to stop by, so a command that cannot be followed does"
        " no harm",
        "stops safely",
        walk.how,
        [
            same(walk.controller, "asv"),
            same(walk.fell, False),
            below(walk.speed, forward),
            below(walk.tilt, UPRIGHT),
        ],
        f"told {forward:g} m/s forward, {left:g} to the left and {turn:g} rad/s, which"
        " no leg can do: it goes as fast as it can stop from",
        tolerance="no fall, within the command",
    )


def _rate_claim(walk: Walked) -> Claim:
    """Return that it walks with the servo as slow as it was."""
    return shown(
        "3.2.2",
        "the trunk's motion is tracked with a sample time of 60 ms",
        "it is",
        walk.how,
        [
            same(walk.fell, False),
            near(walk.speed, RATED, 0.1 * RATED),
            below(walk.tilt, UPRIGHT),
        ],
        f"told {RATED:g} m/s with a new wrench every {1e3 * PRINTED.periods[0]:g} ms"
        " (--set two_step.period=0.06) and the gains of ours",
        tolerance="a tenth of the speed, and upright",
    )


def _power_claim(walk: Walked) -> Claim:
    """Return what it takes to walk."""
    total, mechanical = PRINTED.power
    return not_checkable(
        "3.2.1",
        "mechanical power of the ASV in normal operation [kW]",
        mechanical / 1e3,
        f"how fast that is is not printed, nor what its legs weigh; of {total / 1e3:g}"
        f" kW in all the rest is pumps. Ours is what drives do at {walk.speed:.2f} m/s;"
        " legs that swing cost most, and no drive gives anything back",
        ours=walk.power / 1e3,
    )


def distribution_claim(took: float) -> Claim:
    """Return how long sharing forces out takes; times are never judged."""
    return not_checkable(
        "3.2.1",
        "time in which forces are distributed [ms]",
        PRINTED.distribution * 1e3,
        "a processor of its own of then; ours is processor time on one core of this"
        " computer, on average over random wrenches on six feet",
        ours=took * 1e3,
    )


def _distribution_time(seed: int) -> float:
    """Return the time that one distribution takes [s].

    Args:
        seed: of wrenches and feet.
    """
    rng = stream(seed, "distribution")
    feet, wanted, miss = FootForce.zeros(6), TrunkWrench.zeros(), ForceMiss.zeros()
    machine = load("asv")
    weight = GRAVITY * float(machine.model.body_mass.sum())
    hips = np.array([machine.model.body(leg).pos for leg in machine.legs])
    feet["arm"] = hips + rng.uniform(-0.3, 0.3, (6, 3)) - [0.0, 0.0, 1.5]
    feet["grip"] = 0.55
    feet["least"], feet["most"] = 0.01 * weight, 0.9 * weight
    wrenches = rng.uniform(-0.2, 0.2, (TRIES, 6)) * weight
    wrenches[:, 2] += weight
    _often(wrenches[:1], wanted, feet, miss)  # compiled
    begun = process_time()
    _often(wrenches, wanted, feet, miss)
    return (process_time() - begun) / len(wrenches)


@compiled(allocates=False)
def _often(
    wrenches: Array,
    wanted: Records[TrunkWrench],
    feet: Records[FootForce],
    miss: Records[ForceMiss],
) -> None:
    """Distribute wrench after wrench.

    Args:
        wrenches: force and moment, (n, 6) [N, N m].
        wanted: overwritten.
        feet: overwritten.
        miss: overwritten.
    """
    for k in range(wrenches.shape[0]):
        for i in range(3):
            wanted[0].force[i] = wrenches[k, i]
            wanted[0].moment[i] = wrenches[k, 3 + i]
        distribute(wanted[0], feet, miss[0])
