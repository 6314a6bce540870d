"""One tick of the module programs of a whole robot, compiled.

The same program as ``mass_program`` and ``world_frame`` run as objects, here as loops
over arrays so that a simulation runs faster than real time. Each module reads its own
joint angles and rates, its own skin and its connectors' inbox; nothing else.

[Moll2006] section III, with sums of the others instead of differences, the joint motion
as trigger, and three additions: the rate of the first moment (the centre's velocity),
the contacts' push, and the span of all joints.

Inner functions take plain arrays: a tuple of arrays would be counted in and out at
every access, which costs more than the arithmetic.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import share as sh
from equipoise.control.com.fill_view import fill_view
from equipoise.control.com.geometry.vectors import (
    add,
    add_scaled,
    back,
    cross,
    get3,
    get9,
    matmul,
    put3,
    put9,
    turn,
)
from equipoise.control.com.module_motion import (
    LOAD,
    MATE,
    Motion,
    P,
    R,
    V,
    W,
    load_into,
    load_to_face,
    own_load,
    place_face,
    place_parts,
)
from equipoise.control.com.network import (
    DRAFT,
    HEARD,
    INBOX,
    READY,
    SENT,
    SILENT,
    NetState,
    Network,
)
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = ["exchange"]

HEARTBEAT = 20  # ticks after which an unchanged message is sent again, in case of loss


@compiled(allocates=False)
def exchange(
    net: Network,
    state: NetState,
    at: Motion,
    q: Array,
    rate: Array,
    skin: Array,
    base: Array,
    aim: Array,
    tick: int,
    hop_ticks: int,
    hop_time: float,
    loss: float,
    luck: Array,
) -> int:
    """Deliver, run every module once, and put the new messages on the wire.

    Args:
        net: the robot's constants.
        state: what was heard and is under way; written in place.
        at: scratch for one module.
        q: joint values, (nm, joints).
        rate: joint rates, (nm, joints).
        skin: contact wrench on each part in its own frame, (nm * parts, LOAD), in the
            wrench columns of a load; the mass columns are filled in.
        base: pose and twist of the grounded part in W, (1, 18).
        aim: where the centre of mass shall go, (4, 3): two unit vectors of the plane in
            which it is steered, the one at right angles to it, a point of the goal.
        tick: number of this tick.
        hop_ticks: ticks a message takes; 0 delivers at once, in two sweeps.
        hop_time: the same in seconds.
        loss: chance that a message is lost.
        luck: uniform draws, (ends,); a draw below ``loss`` loses the message.

    Returns:
        How many messages were sent.
    """
    mass, joint, local, face_part, mate, link, order, ground = net
    box, flag, wire, on_wire, span, rows, whole, pose = state
    part, face, own, heard, total = at
    nm = order.shape[0]
    slot = tick % hop_ticks if hop_ticks > 0 else 0
    steps = nm if hop_ticks > 0 else 2 * nm
    messages = 0
    deliver(box, flag, wire, on_wire, slot)
    for step in range(steps):
        # without delay: leaves first, then ground first, so that one tick is exact
        is_down = hop_ticks > 0 or step >= nm
        i = int(order[step % nm if is_down else nm - 1 - step])
        place_parts(joint, i, q, rate, part)
        source, missing, oldest = hear(
            i, mass, local, face_part, mate, link, box, flag, span,
            skin, part, face, own, heard, total, hop_time,
        )  # fmt: skip
        is_ground = i == ground[0]
        known = True
        if is_ground:
            source = int(ground[1])
            find_world(i, part, int(face_part[source]), R, base, 0, 0, pose)
        elif source >= 0:
            end = i * face_part.shape[0] + source
            find_world(i, face, source, MATE, box, end, sh.POSE, pose)
        else:
            known = False
        speak(
            i, source, known, face_part, link, box, flag, span, pose,
            face, own, heard, total, hop_time,
        )  # fmt: skip
        fill_view(
            i, known and missing == 0, face_part[source], joint, face_part, link, part,
            own, heard, total, q, rate, oldest, aim, pose, rows, whole, span,
        )  # fmt: skip
        messages += post(i, face_part.shape[0], link, box, flag, wire, on_wire, slot,
                         loss, luck)  # fmt: skip
        if hop_ticks == 0:
            deliver(box, flag, wire, on_wire, slot)
    return messages


@compiled(allocates=False, melts=True)
def deliver(
    box: Array, flag: Ints, wire: Array, on_wire: NDArray[np.bool_], slot: int
) -> None:
    """Move every message of a slot to its receiver's inbox."""
    for end in range(box.shape[0]):
        if on_wire[slot, end]:
            for a in range(sh.WIDTH):
                box[end, INBOX + a] = wire[slot, end, a]
            flag[end, HEARD] = 1
            on_wire[slot, end] = False


@compiled(allocates=False, melts=True)
def hear(
    i: int,
    mass: Array,
    local: Array,
    face_part: Ints,
    mate: Array,
    link: Ints,
    box: Array,
    flag: Ints,
    span: Array,
    skin: Array,
    part: Array,
    face: Array,
    own: Array,
    heard: Array,
    total: Array,
    hop_time: float,
) -> tuple[int, int, float]:
    """Write module i's own loads, what hangs on its faces, and the span of all joints.

    Returns:
        The connector that knows the world (-1: none), how many neighbours have not
        reported, and the age of the oldest number [s].
    """
    parts, faces = part.shape[0], face_part.shape[0]
    for k in range(parts):
        for a in range(10):
            skin[i * parts + k, a] = mass[k, a]
        if k == 1:  # the module's own frame
            for a in range(LOAD):
                own[1, a] = skin[i * parts + 1, a]
        else:
            own_load(part, k, skin, i * parts + k, own)
    source, missing, oldest = -1, 0, 0.0
    for a in range(3):
        total[2, a] = span[i, a]
    for c in range(faces):
        end = i * faces + c
        if link[end] < 0:
            continue
        place_face(local, face_part[c], mate, end, part, face, c)
        if flag[end, HEARD] == 0:
            missing += 1
            for a in range(LOAD):
                heard[c, a] = 0.0
            continue
        load_into(face, c, MATE, box, end, heard, c)
        for a in range(3):
            total[2, a] += box[end, sh.SPAN + a]
        oldest = max(oldest, box[end, sh.AGE] + hop_time)
        if box[end, sh.KNOWS] > 0.5:
            source = c
    return source, missing, oldest


@compiled(allocates=False, melts=True)
def find_world(
    i: int,
    frame: Array,
    j: int,
    columns: int,
    given: Array,
    g: int,
    first: int,
    pose: Array,
) -> None:
    """Write module i's pose and twist in W from a frame F that is known in W.

    F is the grounded part, or the neighbour's connector: R_WM = R_WF R_MFᵀ,
    p_WM = p_WF - R_WM p_MF, w_WM = w_WF - R_WM w_MF,
    v_WM = v_WF - w_WM x (R_WM p_MF) - R_WM v_MF.

    Args:
        i: the module.
        frame: rows of R, p, v, w in M; row ``j`` is F.
        j: see above.
        columns: where F's R stands in that row.
        given: F's pose and twist in W, row ``g`` from column ``first``.
        g: see above.
        first: see above.
        pose: row i is written.
    """
    R_WM = matmul(get9(given, g, first), back(get9(frame, j, columns)))
    arm = turn(R_WM, get3(frame, j, P))
    spin = turn(R_WM, get3(frame, j, W))
    slip = turn(R_WM, get3(frame, j, V))
    w_WM = add_scaled(get3(given, g, first + W), -1.0, spin)
    swing = add(cross(w_WM, arm), slip)
    put9(pose, i, R, R_WM)
    put3(pose, i, P, add_scaled(get3(given, g, first + P), -1.0, arm))
    put3(pose, i, V, add_scaled(get3(given, g, first + V), -1.0, swing))
    put3(pose, i, W, w_WM)


@compiled(allocates=False, melts=True)
def speak(
    i: int,
    source: int,
    known: bool,
    face_part: Ints,
    link: Ints,
    box: Array,
    flag: Ints,
    span: Array,
    pose: Array,
    face: Array,
    own: Array,
    heard: Array,
    total: Array,
    hop_time: float,
) -> None:
    """Write what module i says through each connector: itself and the others, added."""
    faces = face_part.shape[0]
    for a in range(LOAD):
        total[1, a] = 0.0
        for k in range(own.shape[0]):
            total[1, a] += own[k, a]
    for c in range(faces):
        mine = i * faces + c
        if link[mine] < 0:
            continue
        for a in range(LOAD):
            total[0, a] = total[1, a]
        for a in range(3):
            box[mine, DRAFT + sh.SPAN + a] = span[i, a]
        ready, age = 1, 0.0
        for other in range(faces):
            end = i * faces + other
            if other == c or link[end] < 0:
                continue
            if flag[end, HEARD] == 0:
                ready = 0
                continue
            for a in range(LOAD):
                total[0, a] += heard[other, a]
            for a in range(3):
                box[mine, DRAFT + sh.SPAN + a] += box[end, sh.SPAN + a]
            age = max(age, box[end, sh.AGE] + hop_time)
        load_to_face(face, c, total, 0, box, mine, DRAFT)
        flag[mine, READY] = ready
        box[mine, DRAFT + sh.AGE] = age
        tells = known and c != source
        box[mine, DRAFT + sh.KNOWS] = 1.0 if tells else 0.0
        if tells:
            tell_world(i, c, face, pose, box, mine)


@compiled(allocates=False, melts=True)
def tell_world(i: int, c: int, face: Array, pose: Array, box: Array, mine: int) -> None:
    """Write the connector's pose and twist in W from the module's own."""
    first = DRAFT + sh.POSE
    R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
    arm, slip = turn(R_WM, get3(face, c, P)), turn(R_WM, get3(face, c, V))
    v = add(add(get3(pose, i, V), cross(w_WM, arm)), slip)
    put9(box, mine, first + R, matmul(R_WM, get9(face, c, R)))
    put3(box, mine, first + P, add(get3(pose, i, P), arm))
    put3(box, mine, first + V, v)
    put3(box, mine, first + W, add(w_WM, turn(R_WM, get3(face, c, W))))


@compiled(allocates=False, melts=True)
def post(
    i: int,
    faces: int,
    link: Ints,
    box: Array,
    flag: Ints,
    wire: Array,
    on_wire: NDArray[np.bool_],
    slot: int,
    loss: float,
    luck: Array,
) -> int:
    """Put module i's messages on the wire where they say something new."""
    sent = 0
    for end in range(i * faces, (i + 1) * faces):
        if link[end] < 0 or flag[end, READY] == 0:
            continue
        same = 0 <= flag[end, SILENT] < HEARTBEAT
        if same:
            for a in range(sh.WIDTH):
                if box[end, DRAFT + a] != box[end, SENT + a]:
                    same = False
                    break
        if same:
            flag[end, SILENT] += 1
            continue
        sent += 1
        flag[end, SILENT] = 0
        to, arrives = link[end], luck[end] >= loss
        for a in range(sh.WIDTH):
            box[end, SENT + a] = box[end, DRAFT + a]
            if arrives:
                wire[slot, to, a] = box[end, DRAFT + a]
        if arrives:
            on_wire[slot, to] = True
    return sent
