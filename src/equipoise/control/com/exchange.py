"""One tick of the module programs of a whole robot, compiled.

The same program as ``mass_program`` and ``world_frame`` run as objects, here as loops
over arrays so that a simulation runs faster than real time. Each module reads its own
joint angles and rates, its own skin and its connectors' inbox; nothing else.

[Moll2006] section III, with sums of the others instead of differences, the joint motion
as trigger, and three additions: the rate of the first moment (the centre's velocity),
the contacts' push, and the span of all joints.
"""

from typing import NamedTuple

from equipoise.control.com.fill_view import fill_view, read_joints
from equipoise.control.com.geometry.vectors import vec
from equipoise.control.com.goal import ComGoal
from equipoise.control.com.loads import (
    ContactPush,
    add_load,
    clear_load,
    load_from_part,
    load_into,
    load_out_of,
    put_load,
)
from equipoise.control.com.module_motion import (
    ModuleScratch,
    face_in_world,
    find_world,
    place_face,
    place_parts,
)
from equipoise.control.com.network import (
    ModuleEstimate,
    NetState,
    Network,
    PortMail,
)
from equipoise.control.com.readings import ModuleReadings
from equipoise.control.com.share import is_same_share
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Records

__all__ = ["Inputs", "Links", "exchange"]

HEARTBEAT = 20  # ticks after which an unchanged message is sent again, in case of loss


class Inputs(NamedTuple):
    """Inputs of a tick."""

    readings: ModuleReadings
    arriving: Records[PortMail]
    """(ends,) what was said as many ticks ago as a message takes."""
    luck: Array
    """(ends,) uniform draws; one below the loss loses that end's message."""


class Links(NamedTuple):
    """Delay and loss of messages between modules."""

    ticks: int
    """How long one takes; 0 delivers at once, in two sweeps."""
    time: float
    """The same in seconds."""
    loss: float
    """Chance that one is lost."""
    room: Records[PortMail]
    """(ends,) for what is said in the first of two sweeps."""


@compiled(allocates=False)
def exchange(
    net: Network,
    links: Links,
    goal: ComGoal,
    inputs: Inputs,
    last: NetState,
    scratch: ModuleScratch,
    now: NetState,
) -> int:
    """Deliver, run every module once, and say what is new.

    Args:
        net: the robot's constants.
        links: how messages travel.
        goal: where the centre of mass shall go.
        inputs: readings and mail.
        last: what was heard and said before.
        scratch: room for one module.
        now: written.

    Returns:
        How many messages were sent.
    """
    nm, faces = net.order.shape[0], net.shape.face.shape[0]
    for i in range(nm):
        now.modules[i] = last.modules[i]
    for j in range(now.rows.shape[0]):
        now.rows[j] = scratch.blank[0]
    _deliver(net.link, links.ticks > 0, inputs.arriving, last.ports, now.ports)
    messages = 0
    for sweep in range(1 if links.ticks > 0 else 2):
        # without delay: leaves first, then ground first, so that one tick is exact
        is_down = links.ticks > 0 or sweep == 1
        before = links.room if sweep == 1 else last.ports
        after = now.ports if is_down else links.room
        for step in range(nm):
            i = net.order[step if is_down else nm - 1 - step]
            _run_module(i, net, links.time, goal, inputs.readings, scratch, now, after)
            for end in range(i * faces, (i + 1) * faces):
                if net.link[end] < 0:
                    continue
                lost = inputs.luck[end] < links.loss
                messages += _post(before[end], after[end], lost)
                if links.ticks == 0 and after[end].arrives != 0:
                    to = now.ports[net.link[end]]
                    to.heard = after[end].said
                    to.has_heard = 1
    return messages


@compiled(allocates=False, force_inline=True)
def _deliver(
    link: Ints,
    takes_time: bool,
    arriving: Records[PortMail],
    last: Records[PortMail],
    now: Records[PortMail],
) -> None:
    """Write what every connector has heard by now."""
    for end in range(link.shape[0]):
        if link[end] < 0:
            continue
        if takes_time and arriving[link[end]].arrives != 0:
            now[end].heard = arriving[link[end]].said
            now[end].has_heard = 1
        else:
            now[end].heard = last[end].heard
            now[end].has_heard = last[end].has_heard


@compiled(allocates=False, force_inline=True)
def _run_module(
    i: int,
    net: Network,
    hop_time: float,
    goal: ComGoal,
    readings: ModuleReadings,
    scratch: ModuleScratch,
    now: NetState,
    after: Records[PortMail],
) -> None:
    """Let module i listen, find itself, speak and look at its joints."""
    shape, module = net.shape, now.modules[i]
    faces, joints = shape.face.shape[0], shape.joint.shape[0]
    views = now.rows[i * joints : (i + 1) * joints]
    first = i * faces
    q, rate = readings.q[i], readings.rate[i]
    read_joints(shape.joint, q, rate, views)
    place_parts(shape.joint, q, rate, scratch.parts)
    _weigh_parts(i, net, readings.skin, scratch)
    source, missing = _hear(i, net, hop_time, now, scratch)
    knows_world = True
    if i == net.ground[0]:
        source = net.ground[1]
        frame = scratch.parts[shape.face[source].part].frame
        find_world(frame, readings.base[0], module.pose)
    elif source >= 0:
        world = now.ports[first + source].heard.world
        find_world(scratch.faces[source].mate, world, module.pose)
    else:
        knows_world = False
    _speak(source, knows_world, module, scratch, after[first : first + faces])
    module.known = 1 if knows_world and missing == 0 else 0
    module.held = shape.face[source].part if knows_world else 0
    fill_view(shape, scratch, goal, module, views)


@compiled(allocates=False, force_inline=True)
def _weigh_parts(
    i: int, net: Network, skin: Records[ContactPush], scratch: ModuleScratch
) -> None:
    """Write the loads of module i's bare parts, and of them together."""
    parts, own = scratch.parts, scratch.own[0]
    for k in range(parts.shape[0]):
        lump, push = net.shape.mass[k], skin[i * parts.shape[0] + k]
        load = parts[k].load
        if k == 1:  # the module's own frame
            clear_load(load)
            for a in range(10):
                load.lump[a] = lump[a]
            for a in range(3):
                load.force[a], load.moment[a] = push.force[a], push.moment[a]
        else:
            felt = vec(push.force), vec(push.moment)
            load_from_part(parts[k].frame, lump, felt, load)
    clear_load(own)
    for k in range(parts.shape[0]):
        add_load(own, parts[k].load)


@compiled(allocates=False, force_inline=True)
def _hear(
    i: int, net: Network, hop_time: float, now: NetState, scratch: ModuleScratch
) -> tuple[int, int]:
    """Write what hangs on module i's faces, the span of all joints, and its age.

    Returns:
        The connector that knows the world (-1: none), and how many neighbours have not
        reported.
    """
    module, span = now.modules[i], scratch.span
    source, missing = -1, 0
    module.age = 0.0
    for a in range(3):
        span[a] = module.span[a]
    for c in range(scratch.faces.shape[0]):
        end, face = i * scratch.faces.shape[0] + c, scratch.faces[c]
        face.counts = 1 if net.link[end] >= 0 else 0
        if net.link[end] < 0:
            continue
        port = now.ports[end]
        place_face(net.shape.face[c], net.mate[end], scratch.parts, face)
        face.told = port.has_heard
        if port.has_heard == 0:
            missing += 1
            clear_load(face.heard)
            continue
        load_into(face.mate, port.heard.load, face.heard)
        face.age = port.heard.age + hop_time
        for a in range(3):
            face.span[a] = port.heard.span[a]
            span[a] += face.span[a]
        module.age = max(module.age, face.age)
        if port.heard.knows != 0:
            source = c
    return source, missing


@compiled(allocates=False, force_inline=True)
def _speak(
    source: int,
    knows_world: bool,
    module: ModuleEstimate,
    scratch: ModuleScratch,
    ports: Records[PortMail],
) -> None:
    """Write what a module says through each connector: itself and the others, added."""
    faces, total = scratch.faces, scratch.total[0]
    for c in range(faces.shape[0]):
        if faces[c].counts == 0:
            continue
        share = ports[c].said
        put_load(total, scratch.own[0])
        for a in range(3):
            share.span[a] = module.span[a]
        ready, age = 1, 0.0
        for other in range(faces.shape[0]):
            if other == c or faces[other].counts == 0:
                continue
            if faces[other].told == 0:
                ready = 0
                continue
            add_load(total, faces[other].heard)
            for a in range(3):
                share.span[a] += faces[other].span[a]
            age = max(age, faces[other].age)
        load_out_of(faces[c].frame, total, share.load)
        ports[c].ready = ready
        share.age = age
        tells = knows_world and c != source
        share.knows = 1 if tells else 0
        if tells:
            face_in_world(module.pose, faces[c].frame, share.world)


@compiled(allocates=False, force_inline=True)
def _post(before: PortMail, port: PortMail, is_lost: bool) -> int:
    """Send what a connector says where it is new; return how many messages that is."""
    port.arrives = 0
    port.silent = before.silent
    if port.ready == 0:
        return 0
    if 0 <= before.silent < HEARTBEAT and is_same_share(port.said, before.said):
        port.silent += 1
        return 0
    port.silent = 0
    port.arrives = 0 if is_lost else 1
    return 1
