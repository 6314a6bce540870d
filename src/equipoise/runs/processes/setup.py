"""From a robot to a fleet: who lives where, and all sockets opened."""

import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np

from equipoise.control.com.brain.brain import Brain, BrainConfig
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.law import AbstractLaw
from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings
from equipoise.core.systems import expect_posix
from equipoise.modules.transports.batch_wires import AbstractBatchWires, far_ends
from equipoise.modules.transports.can_bus import LOOPBACK, MARKS, CanWires, open_bus
from equipoise.modules.transports.datagram import bound_socket, open_wires
from equipoise.modules.transports.keyed_tag import new_key, sealed
from equipoise.modules.transports.transport import Link
from equipoise.robots.assembly.assembly import Assembly
from equipoise.runs.processes.config import Carrier
from equipoise.runs.processes.fleet import Event, Fleet
from equipoise.runs.processes.folder import RunFolder
from equipoise.runs.processes.host import Cut, HostPlan
from equipoise.runs.processes.rows import Layout, seal

__all__ = ["FleetConfig", "build_fleet", "cut_link", "households"]

MOST_BYTES = 150_000  # of the readings of one host, in one datagram
WirePair = tuple[AbstractBatchWires, AbstractBatchWires]


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetConfig(Settings):
    """Who carries what between which processes; the defaults are the command's."""

    processes: Annotated[
        int | None, Setting("Number of processes", usual="one for each module")
    ] = None
    transport: Annotated[
        Carrier,
        Setting("Carrier of the modules' frames; the world talks by Unix datagrams"),
    ] = "unix"
    can: Annotated[
        tuple[str, str] | None,
        Setting(
            "Interface and channel of python-can", usual="a bus within this machine"
        ),
    ] = None
    loss: Annotated[
        float,
        Setting("Probability that a frame is lost on its way", least=0.0, below=1.0),
    ] = 0.0
    partition: Annotated[
        tuple[float, float] | None,
        Setting("Time from which, and until which, a link drawn at random is cut", "s"),
    ] = None
    seed: Annotated[
        int,
        Setting("Seed of losses, of the cut and of the modules' own random numbers"),
    ] = 0
    brain: BrainConfig = field(default_factory=BrainConfig)
    """Settings of each module."""


def households(assembly: Assembly, processes: int | None) -> list[list[int]]:
    """Return which modules live in each process: parts of the tree, of equal size.

    Args:
        assembly: the robot.
        processes: how many, 1 to one a module; None for one a module.

    Raises:
        ConfigError: less than one process, or more than modules.
    """
    nm = len(assembly.modules)
    count = nm if processes is None else processes
    if not 1 <= count <= nm:
        problem = f"processes must be 1 to {nm}, one a module, got {count}"
        raise ConfigError("the run", [problem])
    order, stack = list[int](), [(assembly.ground.module, -1)]
    while stack:
        module, parent = stack.pop()
        order.append(module)
        near = [other for _, other, _, _ in assembly.neighbours[module]]
        stack += [(other, module) for other in reversed(near) if other != parent]
    return [sorted(part.tolist()) for part in np.array_split(np.array(order), count)]


def _links_of(assembly: Assembly) -> list[Link]:
    """Return which connectors are docked."""
    return [((c.a, c.a_connector), (c.b, c.b_connector)) for c in assembly.connections]


def cut_link(assembly: Assembly, seed: int) -> Link:
    """Return the link that a partition cuts.

    Raises:
        ConfigError: a single module has no link.
    """
    links = _links_of(assembly)
    if not links:
        raise ConfigError("--partition", ["the robot is one module; it has no link"])
    return links[int(stream(seed, "partition").integers(len(links)))]


def build_fleet(
    assembly: Assembly,
    config: FleetConfig,
    *,
    law: AbstractLaw | None = None,
    goal: ComGoal | None = None,
    notice: Callable[[Event], None] | None = None,
) -> Fleet:
    """Return a robot's processes, ready to be started.

    Args:
        assembly: the robot.
        config: who carries what.
        law: how joints steer; None for the recommended one.
        goal: where the centre of mass shall be; None for the support line.
        notice: called when a process dies or is back.

    Raises:
        ConfigError: numbers of processes or modules that do not fit.
        MissingExtraError: CAN without python-can.
        UnsupportedSystemError: Windows, which cannot fork.
    """
    expect_posix(
        "Modules in processes of their own",
        "'equipoise balance' runs the same modules in one process",
    )
    hosts = households(assembly, config.processes)
    body = assembly.body
    layout = Layout(max(map(len, hosts)), len(body.joints), len(body.parts))
    if (most := 8 * layout.senses_words) > MOST_BYTES:
        need = -(-len(hosts) * most // MOST_BYTES)
        problem = f"{layout.modules} modules are too many for one process"
        raise ConfigError("the run", [f"{problem}; {need} processes would do"])
    key = new_key()
    address = _can_address(config)
    if config.transport == "can":
        open_bus(address.interface, address.channel).shutdown()  # complains now
    _warm_up(assembly, config, law, goal)
    folder = RunFolder()
    try:
        return _opened_fleet(assembly, config, hosts, layout, key, address, folder,
                            law, goal, notice)  # fmt: skip
    except BaseException:
        folder.remove()
        raise


def _opened_fleet(
    assembly: Assembly,
    config: FleetConfig,
    hosts: list[list[int]],
    layout: Layout,
    key: Ints,
    address: "CanAddress",
    folder: RunFolder,
    law: AbstractLaw | None,
    goal: ComGoal | None,
    notice: Callable[[Event], None] | None,
) -> Fleet:
    """Open all sockets in the folder and lay out the modules' programs."""
    place = folder.path
    wire, world = bound_socket("unix", place / "world")
    controls = [bound_socket("unix", place / f"host{h}") for h in range(len(hosts))]
    openers, sockets = _wires_of(assembly, config, hosts, key, address, place)
    plans = [
        HostPlan(
            number=h,
            modules=tuple(mine),
            brain=Brain(assembly, mine, config.brain, config.seed, law, goal),
            control=controls[h][0],
            world=world,
            open_wires=openers[h],
            layout=layout,
            key=key,
            folder=place,
            loss=config.loss,
            seed=config.seed,
            cuts=_cuts_of(assembly, config, mine),
        )
        for h, mine in enumerate(hosts)
    ]
    owned = [[controls[h][0], *sockets[h]] for h in range(len(hosts))]
    addresses = [address for _, address in controls]
    return Fleet(plans, wire, addresses, owned, folder, notice=notice)


def _warm_up(
    assembly: Assembly,
    config: FleetConfig,
    law: AbstractLaw | None,
    goal: ComGoal | None,
) -> None:
    """Compile what hosts call, so that those born later need not: one tick, alone."""
    brain = Brain(assembly, [assembly.ground.module], config.brain, 0, law, goal)
    key, ports = new_key(), len(assembly.body.connectors)
    link = ((0, 0), (1, 0))
    ends = open_wires("udp", [[0], [1]], [link], ports=ports, key=key)
    inside = open_wires("udp", [[0, 1]], [link], ports=ports, key=key)
    brain.tick()
    for wires in ends:
        wires.post(brain.frames, np.ones_like(brain.sends))
    wires = inside[0]
    wires.post(np.repeat(brain.frames, 2, 0), np.ones((2, ports), np.bool_))
    for wires in (*ends, *inside):
        brain.take_many(wires.mail, wires.where, 0 * wires.collect())
        wires.close()
    rows = np.zeros((1, 4), np.int64)
    seal(key, rows, 0, 0, 0, 0)
    sealed(key, rows, 0, 3)


def _wires_of(
    assembly: Assembly,
    config: FleetConfig,
    hosts: list[list[int]],
    key: Ints,
    address: "CanAddress",
    folder: Path,
) -> tuple[list[Callable[[], WirePair]], list[list[socket.socket]]]:
    """Return for each host what opens its wires, and the sockets that are open now."""
    links, ports = _links_of(assembly), len(assembly.body.connectors)
    if config.transport == "can":
        far = far_ends(links, len(assembly.modules), ports)
        openers = [partial(_can_pair, address, mine, far, ports, key) for mine in hosts]
        return openers, [[] for _ in hosts]
    even, odd = (
        open_wires(
            config.transport, hosts, links, ports=ports, key=key, folder=folder,
            name=name,
        )
        for name in ("even", "odd")
    )  # fmt: skip
    pairs = list(zip(even, odd, strict=True))
    return (
        [partial(tuple, pair) for pair in pairs],
        [[wires.wire for wires in pair] for pair in pairs],
    )


@dataclass(frozen=True, slots=True)
class CanAddress:
    """Where a robot's frames go on which CAN bus."""

    interface: str
    channel: str
    mark: int


def _can_address(config: FleetConfig) -> CanAddress:
    """Return the bus, and a mark drawn for the run.

    Unless told otherwise it is multicast on the loopback, at an address drawn for the
    run, so that two runs at a time do not meet. Anybody can see an address; so nothing
    of the run's key is in it.
    """
    mark = secrets.randbelow(MARKS)
    if config.can is not None:
        return CanAddress(*config.can, mark)
    group = f"239.74.{secrets.randbelow(256)}.{secrets.randbelow(256)}"
    return CanAddress(LOOPBACK, f"{group}:{20_000 + secrets.randbelow(12_000)}", mark)


def _can_pair(
    address: CanAddress, mine: list[int], far: Ints, ports: int, key: Ints
) -> WirePair:
    """Open the bus in a host's own process; the same wires serve all ticks."""
    bus = open_bus(address.interface, address.channel)
    wires = CanWires(bus, mine, far, ports, key, address.mark)
    return wires, wires


def _cuts_of(
    assembly: Assembly, config: FleetConfig, mine: list[int]
) -> tuple[Cut, ...]:
    """Return when which ends of a host's modules are cut off."""
    if config.partition is None:
        return ()
    first, last = (round(time / config.brain.dt) for time in config.partition)
    ends = [
        (mine.index(module), port)
        for module, port in cut_link(assembly, config.seed)
        if module in mine
    ]
    return (Cut(first, last, tuple(ends)),) if ends else ()
