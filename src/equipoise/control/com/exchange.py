"""One tick of the module programs of a whole robot, compiled.

The same program as ``mass_program`` and ``world_frame`` run as objects, here as loops
over arrays so that a simulation runs faster than real time. Each module reads its own
joint angles and rates, its own skin and its connectors' inbox; nothing else.

[Moll2006] section III, with sums of the others instead of differences, the joint motion
as trigger, and three additions: the rate of the first moment (the centre's velocity),
the contacts' push, and the span of all joints.
"""

from equipoise.control.com import share as sh
from equipoise.control.com.fill_view import fill_view
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
    place_faces,
    place_parts,
)
from equipoise.control.com.network import NetState, Network
from equipoise.control.com.vectors import (
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
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["exchange"]

HEARTBEAT = 20  # ticks after which an unchanged message is sent again, in case of loss


@compiled
def exchange(
    net: Network,
    state: NetState,
    at: Motion,
    q: Array,
    rate: Array,
    skin: Array,
    base: Array,
    plane: Array,
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
            wrench columns of a load.
        base: pose and twist of the grounded part in W, (1, 18).
        plane: unit vectors spanning the plane in which the centre is steered, (2, 3).
        tick: number of this tick.
        hop_ticks: ticks a message takes; 0 delivers at once, in two sweeps.
        hop_time: the same in seconds.
        loss: chance that a message is lost.
        luck: uniform draws, (nm, faces); a draw below ``loss`` loses the message.

    Returns:
        How many messages were sent.
    """
    nm = net.peer.shape[0]
    messages = 0
    if hop_ticks > 0:
        slot = tick % hop_ticks
        deliver(net, state, slot)
        for i in range(nm):
            run_module(i, net, state, at, q, rate, skin, base, plane, hop_time)
            messages += post(i, net, state, slot, loss, luck)
        return messages
    for step in range(2 * nm):  # leaves first, then ground first: exact in one tick
        i = net.order[nm - 1 - step] if step < nm else net.order[step - nm]
        run_module(i, net, state, at, q, rate, skin, base, plane, hop_time)
        messages += post(i, net, state, 0, loss, luck)
        deliver(net, state, 0)
    return messages


@compiled
def deliver(net: Network, state: NetState, slot: int) -> None:
    """Move every message of a slot to its receiver's inbox."""
    for end in range(state.inbox.shape[0]):
        if state.on_wire[slot, end]:
            for a in range(sh.WIDTH):
                state.inbox[end, a] = state.wire[slot, end, a]
            state.heard[end] = True
            state.on_wire[slot, end] = False


@compiled
def run_module(
    i: int,
    net: Network,
    state: NetState,
    at: Motion,
    q: Array,
    rate: Array,
    skin: Array,
    base: Array,
    plane: Array,
    hop_time: float,
) -> None:
    """Run one module: hear, add up, find the world, write messages and joint rows."""
    parts, faces = at.part.shape[0], net.face_count
    place_parts(net, i, q, rate, at.part)
    place_faces(net, i, at.part, at.face)
    for k in range(parts):
        for a in range(10):
            skin[i * parts + k, a] = net.part_mass[k, a]
        load_into(at.part, k, R, skin, i * parts + k, at.own, k)
    source, missing, oldest = -1, 0, 0.0
    for a in range(3):
        at.total[2, a] = state.own_span[i, a]
    for c in range(faces):
        for a in range(LOAD):
            at.heard[c, a] = 0.0
        end = i * faces + c
        if net.peer[i, c] < 0:
            continue
        if not state.heard[end]:
            missing += 1
            continue
        load_into(at.face, c, MATE, state.inbox, end, at.heard, c)
        for a in range(3):
            at.total[2, a] += state.inbox[end, sh.SPAN + a]
        oldest = max(oldest, state.inbox[end, sh.AGE] + hop_time)
        if state.inbox[end, sh.KNOWS] > 0.5:
            source = c
    known = find_world(i, net, state, at, base, source)
    for a in range(LOAD):
        at.total[1, a] = 0.0
        for k in range(parts):
            at.total[1, a] += at.own[k, a]
    for c in range(faces):
        if net.peer[i, c] >= 0:
            write_message(i, c, net, state, at, known and c != source, hop_time)
    if i == net.ground[0]:
        source = net.ground[1]
    known = known and missing == 0
    fill_view(i, known, source, net, state, at, q, rate, oldest, plane)


@compiled
def find_world(
    i: int, net: Network, state: NetState, at: Motion, base: Array, source: int
) -> bool:
    """Write module i's pose and twist in W, if the ground or a neighbour gives them.

    With F the frame known in W (the grounded part, or the neighbour's connector):
    R_WM = R_WF R_MFᵀ, p_WM = p_WF - R_WM p_MF, w_WM = w_WF - R_WM w_MF,
    v_WM = v_WF - w_WM x (R_WM p_MF) - R_WM v_MF.
    """
    if i == net.ground[0]:
        frame, j, columns = at.part, net.face_part[net.ground[1]], R
        given, g, first = base, 0, 0
    elif source >= 0:
        frame, j, columns = at.face, source, MATE
        given, g, first = state.inbox, i * net.face_count + source, sh.POSE
    else:
        return False
    R_WM = matmul(get9(given, g, first), back(get9(frame, j, columns)))
    arm = turn(R_WM, get3(frame, j, P))
    spin = turn(R_WM, get3(frame, j, W))
    slip = turn(R_WM, get3(frame, j, V))
    w_WM = add_scaled(get3(given, g, first + W), -1.0, spin)
    swing = add(cross(w_WM, arm), slip)
    put9(state.pose, i, R, R_WM)
    put3(state.pose, i, P, add_scaled(get3(given, g, first + P), -1.0, arm))
    put3(state.pose, i, V, add_scaled(get3(given, g, first + V), -1.0, swing))
    put3(state.pose, i, W, w_WM)
    return True


@compiled
def write_message(
    i: int,
    c: int,
    net: Network,
    state: NetState,
    at: Motion,
    tells_world: bool,
    hop_time: float,
) -> None:
    """Write what module i says through connector c: itself and the others, added.

    ``at.total[1]`` holds the module itself.
    """
    mine = i * net.face_count + c
    for a in range(LOAD):
        at.total[0, a] = at.total[1, a]
    for a in range(3):
        state.draft[mine, sh.SPAN + a] = state.own_span[i, a]
    state.ready[mine] = True
    age = 0.0
    for other in range(net.face_count):
        end = i * net.face_count + other
        if other == c or net.peer[i, other] < 0:
            continue
        if not state.heard[end]:
            state.ready[mine] = False
            continue
        for a in range(LOAD):
            at.total[0, a] += at.heard[other, a]
        for a in range(3):
            state.draft[mine, sh.SPAN + a] += state.inbox[end, sh.SPAN + a]
        age = max(age, state.inbox[end, sh.AGE] + hop_time)
    load_to_face(at.face, c, at.total, 0, state.draft, mine)
    state.draft[mine, sh.AGE] = age
    state.draft[mine, sh.KNOWS] = 1.0 if tells_world else 0.0
    if tells_world:
        tell_world(i, c, at.face, state.pose, state.draft, mine)


@compiled
def tell_world(
    i: int, c: int, face: Array, pose: Array, draft: Array, mine: int
) -> None:
    """Write the connector's pose and twist in W from the module's own."""
    R_WM, w_WM = get9(pose, i, R), get3(pose, i, W)
    arm, slip = turn(R_WM, get3(face, c, P)), turn(R_WM, get3(face, c, V))
    v = add(add(get3(pose, i, V), cross(w_WM, arm)), slip)
    put9(draft, mine, sh.POSE + R, matmul(R_WM, get9(face, c, R)))
    put3(draft, mine, sh.POSE + P, add(get3(pose, i, P), arm))
    put3(draft, mine, sh.POSE + V, v)
    put3(draft, mine, sh.POSE + W, add(w_WM, turn(R_WM, get3(face, c, W))))


@compiled
def post(
    i: int, net: Network, state: NetState, slot: int, loss: float, luck: Array
) -> int:
    """Put module i's messages on the wire where they say something new."""
    sent = 0
    for c in range(net.face_count):
        end = i * net.face_count + c
        if net.peer[i, c] < 0 or not state.ready[end]:
            continue
        same = 0 <= state.silent[end] < HEARTBEAT
        for a in range(sh.WIDTH):
            if state.draft[end, a] != state.sent[end, a]:
                same = False
            state.sent[end, a] = state.draft[end, a]
        if same:
            state.silent[end] += 1
            continue
        sent += 1
        state.silent[end] = 0
        if luck[i, c] >= loss:
            to = net.peer_end[i, c]
            for a in range(sh.WIDTH):
                state.wire[slot, to, a] = state.draft[end, a]
            state.on_wire[slot, to] = True
    return sent
