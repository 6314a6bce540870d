"""One tick of the module programs of one process, compiled: from mail to frames.

Each module in turn: where it stands, the protocol's round, what lies behind each
connector, where it is in the world, what its joints may know, what it says.
"""

import numpy as np

from equipoise.control.com.brain.contacts import foot_verdict, is_complete, note_touch
from equipoise.control.com.brain.program import ModuleProgram
from equipoise.control.com.brain.speak import speak
from equipoise.control.com.brain.state import (
    NOWHERE,
    OLD,
    OWN_FOOT,
    BrainMemory,
    FrameOutbox,
    ModuleReport,
    Senses,
)
from equipoise.control.com.fill_view import fill_view, read_joints
from equipoise.control.com.geometry.vectors import V3, put_vec, vec
from equipoise.control.com.loads import (
    add_load,
    clear_load,
    load_from_part,
    load_into,
)
from equipoise.control.com.module_motion import (
    ModuleScratch,
    find_world,
    place_face,
    place_parts,
    whole_motion,
)
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, run_module_round

__all__ = ["think"]


@compiled(allocates=False)
def think(
    program: ModuleProgram,
    seats: Seats,
    memory: BrainMemory,
    senses: Senses,
    scratch: ModuleScratch,
    outbox: FrameOutbox,
) -> None:
    """Run every module once, after its mail was taken.

    Args:
        program: what the modules are told.
        seats: the protocol's state; written.
        memory: what else the modules remember; written.
        senses: this tick's readings.
        scratch: room for one module.
        outbox: what they send; written.
    """
    settings = program.settings
    for i in range(seats.node.shape[0]):
        if not program.alive[i]:
            _be_silent(memory, outbox, i)
            continue
        note_touch(memory, senses, seats.node, i, settings.foot_step)
        _grow_older(memory, i)
        foot = memory.modules[i].foot
        touches, attached = senses.touching[i], senses.attached[i]
        run_module_round(program.rule, seats, i, touches, foot, attached)
        _drop_dead(memory, seats.port, i)
        _weigh(program, memory, seats, senses, scratch, i)
        _find_pose(settings.trust, memory, seats, senses, scratch, i)
        _look(program, memory, seats.node, senses, scratch, i)
        _tell(memory, seats.node, scratch, i, settings.dt, outbox.report[i])
        speak(program, memory, seats, senses.attached[i], scratch, outbox, i)


@compiled(allocates=False)
def _be_silent(memory: BrainMemory, outbox: FrameOutbox, i: int) -> None:
    """Let module i, which is dead, say and know nothing."""
    n = memory.modules.shape[0]
    ports, joints = memory.ports.shape[0] // n, memory.rows.shape[0] // n
    report = outbox.report[i]
    for e in range(i * ports, (i + 1) * ports):
        outbox.sends[e] = False
    for row in range(i * joints, (i + 1) * joints):
        memory.rows[row].known = 0
    report.known = report.steady = report.open = report.complete = 0.0
    report.count = report.mass = report.holds = report.age = 0.0
    report.leader = report.verdict = -1.0
    put_vec(report.com, (0.0, 0.0, 0.0))


@compiled(allocates=False)
def _grow_older(memory: BrainMemory, i: int) -> None:
    """Let what module i has heard age by a round."""
    ports = memory.ports.shape[0] // memory.modules.shape[0]
    for e in range(i * ports, (i + 1) * ports):
        port = memory.ports[e]
        port.motion_age = min(port.motion_age + 1, OLD)
        port.world_age = min(port.world_age + 1, OLD)
        port.sum_age = min(port.sum_age + 1, OLD)
    memory.modules[i].pose_age = OLD


@compiled(allocates=False)
def _drop_dead(memory: BrainMemory, port: Ints, i: int) -> None:
    """Forget what came through links that are no more."""
    ports = memory.ports.shape[0] // memory.modules.shape[0]
    for e in range(i * ports, (i + 1) * ports):
        if port[e, at.PEER] == 0:
            memory.ports[e].motion_age = OLD
            memory.ports[e].world_age = OLD


@compiled(allocates=False, force_inline=True)
def _finite(x: V3) -> V3:
    """Return a vector; numbers that are not finite count as zero."""
    return (
        x[0] if abs(x[0]) < np.inf else 0.0,
        x[1] if abs(x[1]) < np.inf else 0.0,
        x[2] if abs(x[2]) < np.inf else 0.0,
    )


@compiled(allocates=False)
def _weigh(
    program: ModuleProgram,
    memory: BrainMemory,
    seats: Seats,
    senses: Senses,
    scratch: ModuleScratch,
    i: int,
) -> None:
    """Write module i's own loads and what hangs on each branch of the tree, in M."""
    shape, parts, own = program.shape, scratch.parts, scratch.own[0]
    ports = shape.face.shape[0]
    place_parts(shape.joint, senses.q[i], senses.rate[i], parts)
    clear_load(own)
    for k in range(parts.shape[0]):
        push = senses.skin[i * parts.shape[0] + k]
        felt = _finite(vec(push.force)), _finite(vec(push.moment))
        load_from_part(parts[k].frame, shape.mass[k], felt, parts[k].load)
        add_load(own, parts[k].load)
    for p in range(ports):
        e, face = i * ports + p, scratch.faces[p]
        face.counts = 0
        clear_load(face.heard)
        if (seats.node[i, at.TREE] >> p) & 1 == 0 and seats.port[e, at.UP] == 0:
            continue
        place_face(shape.face[p], program.mate[e], parts, face)
        if seats.port[e, at.V_IN] != 0:
            face.counts = 1
            load = memory.ports[e].load
            for a in range(10):
                load.lump[a] = seats.value[e, a]
            load_into(face.mate, load, face.heard)


@compiled(allocates=False)
def _find_pose(
    trust: int,
    memory: BrainMemory,
    seats: Seats,
    senses: Senses,
    scratch: ModuleScratch,
    i: int,
) -> None:
    """Write module i's pose in W, from the foot that leads.

    Its own if it is the leader, else through the port behind which the leader is. While
    no leader is known the last source goes on.
    """
    node, port, module = seats.node, seats.port, memory.modules[i]
    ports, leader = scratch.faces.shape[0], node[i, at.LEADER]
    source = module.source
    if leader == node[i, at.ID]:
        source = OWN_FOOT
    elif leader >= 0:
        source = NOWHERE
        for p in range(ports):
            e = i * ports + p
            cand = port[e, at.HEAD + fr.CAND] & (fr.INCUMBENT - 1)
            if (node[i, at.TREE] >> p) & 1 != 0 and leader > 0 and cand == leader:
                source = p
    if source == OWN_FOOT and not senses.touching[i]:
        source = NOWHERE
    module.source = source
    if source == OWN_FOOT:
        frame = scratch.parts[senses.anchor_part[i]].frame
        find_world(frame, senses.anchor[i], module.estimate.pose)
        module.pose_age = 0
    elif source >= 0:
        e = i * ports + source
        heard = memory.ports[e]
        if port[e, at.UP] != 0 and heard.world_age < trust:
            find_world(scratch.faces[source].mate, heard.world, module.estimate.pose)
            module.pose_age = heard.world_age


@compiled(allocates=False)
def _look(
    program: ModuleProgram,
    memory: BrainMemory,
    node: Ints,
    senses: Senses,
    scratch: ModuleScratch,
    i: int,
) -> None:
    """Decide whether module i may steer, and write what its joints' laws read."""
    shape, settings, module = program.shape, program.settings, memory.modules[i]
    ports, joints, span = shape.face.shape[0], shape.joint.shape[0], scratch.span
    oldest = module.pose_age
    for a in range(3):
        span[a] = module.estimate.span[a]
    for p in range(ports):
        if scratch.faces[p].counts != 0:
            heard = memory.ports[i * ports + p]
            sums = heard.sum_age + heard.sum_behind
            oldest = max(oldest, heard.motion_age, sums)
            for a in range(3):
                span[a] += heard.span[a]
    steers = node[i, at.KNOWN] != 0 and node[i, at.OPEN] == 0
    steers = steers and oldest < settings.trust
    source = module.source
    module.estimate.held = senses.anchor_part[i]
    if source >= 0:
        module.estimate.held = shape.face[source].part
    module.oldest, module.estimate.age = oldest, oldest * settings.dt
    module.estimate.known = 1 if steers else 0
    before = vec(module.estimate.span)
    views = memory.rows[i * joints : (i + 1) * joints]
    read_joints(shape.joint, senses.q[i], senses.rate[i], views)
    fill_view(shape, scratch, program.goal, module.estimate, views)
    if not steers:  # what its joints can do has hardly changed since it last knew
        put_vec(module.estimate.span, before)


@compiled(allocates=False)
def _tell(
    memory: BrainMemory,
    node: Ints,
    scratch: ModuleScratch,
    i: int,
    dt: float,
    report: ModuleReport,
) -> None:
    """Write module i's report."""
    module = memory.modules[i]
    known = node[i, at.KNOWN] != 0
    complete = is_complete(memory, node, i)
    module.complete = 1 if complete else 0
    report.known = 1.0 if known else 0.0
    report.steady = 1.0 if node[i, at.STEADY] != 0 else 0.0
    report.open = 1.0 if node[i, at.OPEN] != 0 else 0.0
    report.leader = node[i, at.LEADER]
    report.count = node[i, at.COUNT]
    report.mass = module.estimate.whole[0] if known else 0.0
    report.holds = 1.0 if module.estimate.known == 0 else 0.0
    report.age = module.oldest * dt
    report.complete = 1.0 if complete else 0.0
    report.verdict = -1.0
    put_vec(report.com, (np.nan, np.nan, np.nan))
    if module.estimate.known != 0:
        com, velocity = whole_motion(scratch.total[0], module.estimate.pose)
        put_vec(report.com, com)
        if complete and node[i, at.STEADY] != 0:
            report.verdict = foot_verdict(memory, i, com, velocity, module.oldest * dt)
