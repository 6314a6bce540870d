"""What a module says through each connector, compiled: sums, pages and their order.

Even frames carry the mass sum. Every second one of the others carries the world frame,
if there is one to tell. In between goes the motion of all behind, or a contact: news
first, and one of the table in turn after every few motions.
"""

from equipoise.control.com.brain.pages import (
    CONTACT,
    MOTION,
    NOTHING,
    WORLD,
    put_contact_page,
    put_motion_page,
    put_world_page,
)
from equipoise.control.com.brain.program import ModuleProgram
from equipoise.control.com.brain.state import OLD, TABLE, BrainMemory, FrameOutbox
from equipoise.control.com.loads import add_load, load_out_of, put_load
from equipoise.control.com.module_motion import ModuleScratch, face_in_world
from equipoise.control.com.share import Share
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, write_frame_bytes, write_head

__all__ = ["speak"]

CONTACT_EVERY = 4  # motion pages between two contacts that are no news


@compiled(allocates=False)
def speak(
    program: ModuleProgram,
    memory: BrainMemory,
    seats: Seats,
    attached: int,
    scratch: ModuleScratch,
    outbox: FrameOutbox,
    i: int,
) -> None:
    """Write module i's frames, one a closed connector.

    Args:
        program: what the modules are told.
        memory: what the modules know.
        seats: the protocol's state after ``decide``.
        attached: its connectors that are closed, as bits.
        scratch: where module i's connectors are, and what hangs on them.
        outbox: written.
        i: the module.
    """
    ports, payload = scratch.faces.shape[0], outbox.payload
    for p in range(ports):
        e = i * ports + p
        draft = outbox.draft[e]
        outbox.sends[e] = False
        if (attached >> p) & 1 == 0:
            continue
        if not write_head(program.rule, seats, i, p, outbox.head, e):
            continue
        age, sums = _gather_behind(memory, seats.node, scratch, draft, i, p)
        if outbox.head[e, fr.FLAGS] & fr.SUM != 0:
            for a in range(10):
                payload.single[e, a] = draft.load.lump[a]
        else:
            can_move = seats.port[e, at.V_OUT] != 0 and age < program.settings.trust
            kind, row = _choose_page(memory, seats, i, p, can_move)
            if kind == WORLD:
                module = memory.modules[i]
                face_in_world(module.estimate.pose, scratch.faces[p].frame, draft.world)
                put_world_page(payload.world[e], draft.world, module.pose_age)
            elif kind == CONTACT:
                put_contact_page(payload.contact[e], memory.contacts[row])
            elif kind == MOTION:
                put_motion_page(payload.motion[e], draft.load, draft.span, age, sums)
            else:
                for a in range(payload.single.shape[1]):
                    payload.single[e, a] = 0.0
        write_frame_bytes(outbox.head, e, payload.byte[e], outbox.frames[e])
        outbox.sends[e] = True


@compiled(allocates=False)
def _gather_behind(
    memory: BrainMemory,
    node: Ints,
    scratch: ModuleScratch,
    draft: Share,
    i: int,
    p: int,
) -> tuple[int, int]:
    """Write the load of all behind port p into its frame.

    Returns:
        Age of the oldest motion in it, and of the oldest mass [rounds].
    """
    ports, age, sums = scratch.faces.shape[0], 0, 0
    total = scratch.total[0]
    if (node[i, at.TREE] >> p) & 1 == 0:
        return OLD, OLD
    put_load(total, scratch.own[0])
    for a in range(3):
        draft.span[a] = memory.modules[i].estimate.span[a]
    for q in range(ports):
        if q == p or (node[i, at.TREE] >> q) & 1 == 0:
            continue
        other = memory.ports[i * ports + q]
        age = max(age, other.motion_age)
        sums = max(sums, other.sum_age + other.sum_behind)
        add_load(total, scratch.faces[q].heard)
        for a in range(3):
            draft.span[a] += other.span[a]
    load_out_of(scratch.faces[p].frame, total, draft.load)
    return age, sums


@compiled(allocates=False)
def _choose_page(
    memory: BrainMemory, seats: Seats, i: int, p: int, can_move: bool
) -> tuple[int, int]:
    """Return the kind of page that goes through port p, and which contact it tells."""
    node, module = seats.node, memory.modules[i]
    e = i * (memory.ports.shape[0] // memory.modules.shape[0]) + p
    port = memory.ports[e]
    in_tree = (node[i, at.TREE] >> p) & 1 != 0
    open_way = seats.port[e, at.UP] != 0 and (in_tree or node[i, at.FROZEN] == 0)
    has_pose = module.pose_age < OLD and module.source != p
    due = open_way and has_pose
    row = _next_contact(memory, i, p, e, can_move) if in_tree else -1
    last = port.last_page
    kind = NOTHING
    if due and last != WORLD:
        kind = WORLD
    elif row >= 0 and last != CONTACT:
        kind = CONTACT
    elif can_move:
        kind = MOTION
    elif due:
        kind = WORLD
    if kind == CONTACT:
        memory.contacts[row].news &= ~(1 << p)
        port.cursor, port.turns = row - i * TABLE, 0
    elif kind == MOTION:
        port.turns += 1
    port.last_page = kind
    return kind, row


@compiled(allocates=False)
def _next_contact(memory: BrainMemory, i: int, p: int, e: int, can_move: bool) -> int:
    """Return the row of the contact to tell through port p, -1 for none now.

    News goes first; otherwise one in turn, unless motions shall go first.
    """
    first = memory.ports[e].cursor
    waits = can_move and memory.ports[e].turns < CONTACT_EVERY
    chosen = -1
    for n in range(1, TABLE + 1):
        row = i * TABLE + (first + n) % TABLE
        contact = memory.contacts[row]
        if contact.who == 0 or contact.port == p:
            continue
        if (contact.news >> p) & 1 != 0:
            return row
        if chosen < 0 and not waits:
            chosen = row
    return chosen
