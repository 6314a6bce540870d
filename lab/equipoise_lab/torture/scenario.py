"""Scenarios: what is thrown at a robot's modules, all of it drawn from one seed.

A scenario is a plan: a robot, its wires, when which kind of fault strikes, and whether
the wires are clean after the last one. Whom a fault strikes is drawn when it happens,
because a leader must exist to be lifted; the draws come from the same seed, so a seed
replays frame by frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.errors import UnknownNameError
from equipoise.core.seeds import stream
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.rules import Rules
from equipoise_lab.torture.graphs import PORTS, Shape, random_links

__all__ = ["FAMILIES", "KINDS", "Family", "Scenario", "chosen", "draw_scenario"]

KINDS = {
    "undock": "a link is opened",
    "dock": "two free connectors are joined",
    "redock": "a link is opened and one end joined elsewhere in the same round",
    "swap": "two links exchange partners on the same connectors in the same round",
    "part": "a whole part is moved to another place in the same round",
    "crash": "a module loses all state and starts anew after 1 to 40 rounds",
    "death": "a module falls silent for good",
    "root": "the largest id crashes and starts anew",
    "beheading": "the largest id falls silent for good",
    "leader": "a leader crashes and starts anew",
    "hub": "a module with several links crashes and starts anew",
    "one-way": "one direction of a link falls silent, for long or for good",
    "burst": "one direction of a link is silent for 3 to 20 rounds",
    "partition": "a sixth of the links is silent for 5 to 60 rounds",
    "step": "one module touches the ground, leaves it, or puts its foot elsewhere",
    "touch": "up to three modules do so at once",
    "lift": "every leader leaves the ground",
    "arbitrary": "modules hold arbitrary state; what they then claim is not judged",
}
"""Kinds of faults, in words."""
SAFE = tuple(kind for kind in KINDS if kind != "arbitrary")
TREES: tuple[Shape, ...] = ("random", "bushy", "chain")
LOOPS: tuple[Shape, ...] = ("ring", "ladder", "grid")
LOSSES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3)
SELDOM = 150  # rounds


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """Scenarios of one sort."""

    name: str
    weight: int
    """Its share among all scenarios."""
    modules: tuple[int, int] = (2, 60)
    """Fewest and most."""
    shapes: tuple[Shape, ...] = TREES
    extra: tuple[int, int] = (0, 6)
    """Fewest and most links that close loops."""
    faults: tuple[int, int] = (1, 12)
    """Fewest and most."""
    gap: tuple[int, int] = (0, 30)
    """Rounds between two faults."""
    kinds: tuple[str, ...] = SAFE
    losses: tuple[float, ...] = LOSSES
    is_strained: bool = True
    """Whether wires also corrupt, duplicate, delay and shuffle."""
    clean_after: float = 0.5
    """Chance that the wires are clean after the last fault."""
    is_calm_first: bool = False
    """Whether the first fault waits until every module must know its robot."""


FAMILIES = {
    family.name: family
    for family in (
        Family(name="general", weight=28),
        Family(name="small", weight=21, modules=(2, 20)),
        Family(
            name="redock-storm",
            weight=12,
            modules=(3, 14),
            faults=(30, 40),
            gap=(0, 2),
            kinds=("redock", "swap", "part", "dock", "undock", "crash", "touch"),
        ),
        Family(
            name="mixed-storm",
            weight=9,
            modules=(3, 30),
            faults=(25, 30),
            gap=(0, 6),
            losses=(0.2,),
        ),
        Family(
            name="loss-for-good",
            weight=5,
            modules=(2, 30),
            losses=(0.3,),
            clean_after=0.0,
        ),
        Family(
            name="arbitrary-state",
            weight=6,
            modules=(2, 40),
            kinds=("arbitrary",),
            faults=(1, 3),
        ),
        Family(
            name="near-chain",
            weight=4,
            modules=(55, 60),
            shapes=("chain",),
            extra=(0, 0),
            faults=(1, 1),
            losses=(0.0,),
            is_strained=False,
            is_calm_first=True,
        ),
        Family(
            name="loops",
            weight=5,
            modules=(4, 60),
            shapes=LOOPS,
            extra=(0, 0),
            faults=(1, 4),
            kinds=("root", "beheading", "death", "undock", "one-way", "partition"),
            losses=(0.0, 0.05),
        ),
        Family(
            name="cold-start",
            weight=4,
            faults=(0, 0),
            losses=(0.0,),
            is_strained=False,
        ),
        Family(
            name="footsteps",
            weight=3,
            faults=(3, 20),
            kinds=("step", "touch", "lift"),
            losses=(0.0,),
            is_strained=False,
            is_calm_first=True,
        ),
        Family(
            name="one-footstep",
            weight=3,
            faults=(1, 1),
            kinds=("step", "lift"),
            losses=(0.0,),
            is_strained=False,
            is_calm_first=True,
        ),
    )
}
"""All sorts of scenarios, by name."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """One plan."""

    seed: int
    family: str
    ids: Ints
    """(modules,), each its own, 1 to 32766."""
    links: Ints
    """(links, 2) ends."""
    channel: Channel
    """The wires until the last fault."""
    after: Channel
    """The wires from then on."""
    faults: tuple[tuple[int, str], ...]
    """(round, kind), in order."""

    @property
    def modules(self) -> int:
        """How many modules there are."""
        return len(self.ids)

    @property
    def are_feet_only(self) -> bool:
        """Whether nothing but feet comes and goes, once all know their robot."""
        return self.family in ("footsteps", "one-footstep")

    @property
    def is_clean_after(self) -> bool:
        """Whether each frame comes in the next round once faults are over."""
        return missing(self.after) == 0.0

    def docks(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Return the links as pairs of module and port."""
        return [(divmod(a, PORTS), divmod(b, PORTS)) for a, b in self.links.tolist()]


def chosen(names: str) -> tuple[Family, ...]:
    """Return the sorts of scenarios that somebody asked for.

    Args:
        names: "all", or names of families and kinds of faults with commas between
            them. Kinds alone strike robots of the family "general".

    Raises:
        UnknownNameError: neither a family nor a kind.
    """
    if names.strip() == "all":
        return tuple(FAMILIES.values())
    wanted = [name.strip() for name in names.split(",") if name.strip()] or [names]
    for name in wanted:
        if name not in FAMILIES and name not in KINDS:
            known = ["all", *FAMILIES, *KINDS]
            raise UnknownFaultError(name, known)
    kinds = tuple(name for name in wanted if name in KINDS)
    families = tuple(FAMILIES[name] for name in wanted if name in FAMILIES)
    if not kinds:
        return families
    own = replace(FAMILIES["general"], name="chosen", kinds=kinds)
    return (*families, own)


class UnknownFaultError(UnknownNameError):
    """A fault that nobody knows; the sentence names all there are."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__("fault", name, known, "--faults")
        nearest = self.message.partition("Known:")[0]
        self.message = f"{nearest}Known: {', '.join(known)}."


def draw_scenario(seed: int, families: Sequence[Family] | None = None) -> Scenario:
    """Return the scenario of a seed.

    Args:
        seed: which one, >= 0.
        families: sorts to draw from by weight; None for all.
    """
    sorts = tuple(families or FAMILIES.values())
    weights = np.array([family.weight for family in sorts], dtype=np.float64)
    rng = stream(seed, "ordeal")
    family = sorts[int(rng.choice(len(sorts), p=weights / weights.sum()))]
    modules = _between(rng, family.modules)
    shape = family.shapes[int(rng.integers(len(family.shapes)))]
    extra = _between(rng, family.extra) if rng.random() < 0.7 else 0
    channel = _drawn_channel(rng, family)
    is_clean_after = bool(rng.random() < family.clean_after)
    return Scenario(
        seed=seed,
        family=family.name,
        ids=1 + rng.choice(32766, modules, replace=False),
        links=random_links(rng, modules, shape, extra),
        channel=channel,
        after=Channel() if is_clean_after else bearable(channel, modules),
        faults=_drawn_faults(rng, family, modules),
    )


def _between(rng: np.random.Generator, limits: tuple[int, int]) -> int:
    """Return a whole number from the first limit to the second, both included."""
    return int(rng.integers(limits[0], limits[1] + 1))


def _drawn_channel(rng: np.random.Generator, family: Family) -> Channel:
    """Return what the wires do."""
    loss = family.losses[int(rng.integers(len(family.losses)))]
    corruption, duplication, delay, reordering = rng.integers(3, size=4).tolist()
    if not family.is_strained:
        return Channel(loss=loss)
    return Channel(
        loss=loss,
        corruption=(0.0, 0.0, 0.01)[corruption],
        duplication=(0.0, 0.05, 0.05)[duplication],
        delay=(0.0, 0.05, 0.2)[delay],
        reordering=reordering > 0,
    )


def missing(channel: Channel) -> float:
    """Return the chance that a frame does not come in the next round, unharmed."""
    kept = (1 - channel.loss) * (1 - channel.corruption) * (1 - channel.delay)
    return 1.0 - kept


def bearable(channel: Channel, modules: int) -> Channel:
    """Return wires on which links seldom break by chance, as close as can be.

    A link is given up after some silent rounds; on bad wires that happens by chance, in
    a large robot so often that it is never whole for long. For good, wires are only so
    bad that fewer than one link in ``SELDOM`` rounds breaks, in the whole robot.
    """
    silence, ways = Rules().silence, 2 * modules
    for loss in sorted(LOSSES, reverse=True):
        for delay in (channel.delay, 0.0):
            now = replace(channel, delay=delay, loss=min(loss, channel.loss))
            if ways * missing(now) ** silence < 1 / SELDOM:
                return now
    return Channel()


def _drawn_faults(
    rng: np.random.Generator, family: Family, modules: int
) -> tuple[tuple[int, str], ...]:
    """Return when which kind of fault strikes."""
    soon, late = _between(rng, (0, 60 + 4 * modules)), 40 + 6 * modules
    now, faults = late if family.is_calm_first else soon, list[tuple[int, str]]()
    for _ in range(_between(rng, family.faults)):
        faults.append((now, family.kinds[int(rng.integers(len(family.kinds)))]))
        now += _between(rng, family.gap)
    return tuple(faults)
