"""What a module says through each connector, compiled: sums, pages and their order.

Even frames carry the mass sum. Every second one of the others carries the world frame,
if there is one to tell. In between goes the motion of all behind, or a contact: news
first, and one of the table in turn after every few motions.
"""

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.pages import (
    CONTACT,
    MOTION,
    NOTHING,
    WORLD,
    put_contact_page,
    put_motion_page,
    put_world_page,
)
from equipoise.control.com.brain.state import TABLE, Body, Mail, Mind, Senses
from equipoise.control.com.geometry.vectors import (
    add,
    cross,
    get3,
    get9,
    matmul,
    put3,
    put9,
    turn,
)
from equipoise.control.com.module_motion import LOAD, Motion, P, R, V, W, load_to_face
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, pack_frame, write_head

__all__ = ["speak"]

CONTACT_EVERY = 4  # motion pages between two contacts that are no news


@compiled(allocates=False)
def speak(
    rule: Ints,
    body: Body,
    mind: Mind,
    seats: Seats,
    mail: Mail,
    scratch: Motion,
    senses: Senses,
    i: int,
    trust: int,
) -> None:
    """Write module i's frames, one a closed connector.

    Args:
        rule: what ``rules_vector`` returns.
        body: what the modules are made of.
        mind: what the modules know.
        seats: the protocol's state after ``decide``.
        mail: written.
        scratch: where module i's connectors are.
        senses: this tick's readings.
        i: the module.
        trust: age from which numbers are too old [rounds].
    """
    ports = body.face_part.shape[0]
    for p in range(ports):
        e = i * ports + p
        mail.sends[e] = False
        if (senses.attached[i] >> p) & 1 == 0:
            continue
        if not write_head(rule, seats, i, p, mail.head, e):
            continue
        age, sums = gather_behind(mind, seats.node, mail, scratch, i, p, ports)
        if mail.head[e, fr.FLAGS] & fr.SUM != 0:
            for a in range(10):
                mail.payload.single[e, a] = mail.draft[e, a]
        else:
            can_move = seats.port[e, at.V_OUT] != 0 and age < trust
            write_page(mind, seats, mail, scratch.face, i, p, e, can_move, age, sums)
        pack_frame(mail.head, e, mail.payload.byte[e], mail.frames[e])
        mail.sends[e] = True


@compiled(allocates=False)
def gather_behind(
    mind: Mind, node: Ints, mail: Mail, scratch: Motion, i: int, p: int, ports: int
) -> tuple[int, int]:
    """Write the load of all behind port p into its frame.

    Returns:
        Age of the oldest motion in it, and of the oldest mass [rounds].
    """
    e, age, sums = i * ports + p, 0, 0
    total = scratch.total
    if (node[i, at.TREE] >> p) & 1 == 0:
        return st.OLD, st.OLD
    for a in range(LOAD):
        total[0, a] = mind.bare[i, a]
    for a in range(3):
        mail.draft_span[e, a] = mind.span[i, a]
    for q in range(ports):
        other = i * ports + q
        if q == p or (node[i, at.TREE] >> q) & 1 == 0:
            continue
        age = max(age, mind.clock[other, st.MOTION_AGE])
        behind = mind.clock[other, st.SUM_AGE] + mind.clock[other, st.SUM_BEHIND]
        sums = max(sums, behind)
        for a in range(LOAD):
            total[0, a] += mind.heard[other, a]
        for a in range(3):
            mail.draft_span[e, a] += mind.load_span[other, a]
    load_to_face(scratch.face, p, total, 0, mail.draft, e, 0)
    return age, sums


@compiled(allocates=False)
def write_page(
    mind: Mind,
    seats: Seats,
    mail: Mail,
    face: Array,
    i: int,
    p: int,
    e: int,
    can_move: bool,
    age: int,
    sums: int,
) -> None:
    """Choose and write the page that goes through port p."""
    clock, page, node = mind.clock, mail.payload, seats.node
    in_tree = (node[i, at.TREE] >> p) & 1 != 0
    open_way = seats.port[e, at.UP] != 0 and (in_tree or node[i, at.FROZEN] == 0)
    has_pose = mind.own[i, st.POSE_AGE] < st.OLD and mind.own[i, st.SOURCE] != p
    due = open_way and has_pose
    row = next_contact(mind, i, p, e, can_move) if in_tree else -1
    last = clock[e, st.LAST_PAGE]
    kind = NOTHING
    if due and last != WORLD:
        kind = WORLD
    elif row >= 0 and last != CONTACT:
        kind = CONTACT
    elif can_move:
        kind = MOTION
    elif due:
        kind = WORLD
    if kind == WORLD:
        face_in_world(mind.pose, i, face, p, mail.draft_world, e)
        put_world_page(page, e, mail.draft_world, e, mind.own[i, st.POSE_AGE])
    elif kind == CONTACT:
        who = mind.who
        put_contact_page(
            page, e, who[row, st.WHO], who[row, st.FOOT], who[row, st.TOUCHES] != 0,
            who[row, st.AGE], mind.place, row,
        )  # fmt: skip
        who[row, st.NEWS] &= ~(1 << p)
        clock[e, st.CURSOR], clock[e, st.TURNS] = row - i * TABLE, 0
    elif kind == MOTION:
        put_motion_page(page, e, mail.draft, e, mail.draft_span, e, age, sums)
        clock[e, st.TURNS] += 1
    else:
        for a in range(page.single.shape[1]):
            page.single[e, a] = 0.0
    clock[e, st.LAST_PAGE] = kind


@compiled(allocates=False)
def next_contact(mind: Mind, i: int, p: int, e: int, can_move: bool) -> int:
    """Return the row of the contact to tell through port p, -1 for none now.

    News goes first; otherwise one in turn, unless motions shall go first.
    """
    who, first = mind.who, mind.clock[e, st.CURSOR]
    waits = can_move and mind.clock[e, st.TURNS] < CONTACT_EVERY
    chosen = -1
    for n in range(1, TABLE + 1):
        row = i * TABLE + (first + n) % TABLE
        if who[row, st.WHO] == 0 or who[row, st.PORT] == p:
            continue
        if (who[row, st.NEWS] >> p) & 1 != 0:
            return row
        if chosen < 0 and not waits:
            chosen = row
    return chosen


@compiled(allocates=False, melts=True)
def face_in_world(pose: Array, i: int, face: Array, p: int, out: Array, e: int) -> None:
    """Write connector p's pose and twist in W from the module's own."""
    R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
    arm, slip = turn(R_WM, get3(face, p, P)), turn(R_WM, get3(face, p, V))
    put9(out, e, R, matmul(R_WM, get9(face, p, R)))
    put3(out, e, P, add(get3(pose, i, P), arm))
    put3(out, e, V, add(add(get3(pose, i, V), cross(w_WM, arm)), slip))
    put3(out, e, W, add(w_WM, turn(R_WM, get3(face, p, W))))
