"""One tick of the module programs of one process, compiled: from mail to frames.

Each module in turn: where it stands, the protocol's round, what lies behind each
connector, where it is in the world, what its joints may know, what it says.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com import joint_view as jv
from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.contacts import is_complete, note_touch, verdict
from equipoise.control.com.brain.speak import speak
from equipoise.control.com.brain.state import OLD, Body, Mail, Mind, Senses
from equipoise.control.com.exchange import find_world
from equipoise.control.com.fill_view import fill_view, whole_motion
from equipoise.control.com.geometry.vectors import get3, put3
from equipoise.control.com.module_motion import (
    LOAD,
    MATE,
    Motion,
    R,
    load_into,
    own_load,
    place_face,
    place_parts,
)
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import Seats, decide

__all__ = ["Settings", "think"]


class Settings(NamedTuple):
    """The numbers of ``BrainConfig`` that this file reads."""

    trust: int
    """Age from which numbers are too old [rounds]."""
    dt: float
    """A round [s]."""
    foot_step: float
    """A contact that moved this far is another one [m]."""


@compiled(allocates=False)
def think(
    rule: Ints,
    body: Body,
    seats: Seats,
    mind: Mind,
    mail: Mail,
    scratch: Motion,
    senses: Senses,
    alive: NDArray[np.bool_],
    aim: Array,
    settings: Settings,
    report: Array,
) -> None:
    """Run every module once, after its mail was taken.

    Args:
        rule: what ``rules_vector`` returns.
        body: what the modules are made of.
        seats: the protocol's state; written.
        mind: what else the modules remember; written.
        mail: what they send; written.
        scratch: room for one module.
        senses: this tick's readings.
        alive: modules that run; the others say nothing and know nothing.
        aim: where the centre of mass shall go, see ``exchange``, (4, 3).
        settings: times and lengths.
        report: (n, REPORT); written.
    """
    ports = body.face_part.shape[0]
    joints = body.joint.shape[0]
    for i in range(seats.node.shape[0]):
        if not alive[i]:
            for e in range(i * ports, (i + 1) * ports):
                mail.sends[e] = False
            for row in range(i * joints, (i + 1) * joints):
                mind.rows[row, jv.KNOWN] = 0.0
            for a in range(st.REPORT):
                report[i, a] = 0.0
            report[i, st.R_LEADER] = -1.0
            report[i, st.R_VERDICT] = -1.0
            continue
        note_touch(mind, senses, seats.node, i, settings.foot_step)
        grow_older(mind, i, ports)
        decide(
            rule, seats, i, senses.touching[i], mind.own[i, st.MY_FOOT],
            senses.attached[i],
        )  # fmt: skip
        drop_dead(mind, seats.port, i, ports)
        weigh(body, mind, seats, scratch, senses, i)
        find_pose(body, mind, seats, scratch, senses, i, settings.trust)
        look(body, mind, seats, scratch, senses, aim, i, settings)
        tell(mind, seats.node, scratch, i, settings.dt, report)
        speak(rule, body, mind, seats, mail, scratch, senses, i, settings.trust)


@compiled(allocates=False)
def grow_older(mind: Mind, i: int, ports: int) -> None:
    """Let what module i has heard age by a round."""
    for e in range(i * ports, (i + 1) * ports):
        for a in range(st.SUM_AGE + 1):
            mind.clock[e, a] = min(mind.clock[e, a] + 1, OLD)
    mind.own[i, st.POSE_AGE] = OLD


@compiled(allocates=False)
def drop_dead(mind: Mind, port: Ints, i: int, ports: int) -> None:
    """Forget what came through links that are no more."""
    for e in range(i * ports, (i + 1) * ports):
        if port[e, at.PEER] == 0:
            mind.clock[e, st.MOTION_AGE] = OLD
            mind.clock[e, st.WORLD_AGE] = OLD


@compiled(allocates=False)
def weigh(
    body: Body, mind: Mind, seats: Seats, scratch: Motion, senses: Senses, i: int
) -> None:
    """Write module i's own loads and what hangs on each branch of the tree, in M."""
    part, face, own, heard, total = scratch
    parts, ports = part.shape[0], body.face_part.shape[0]
    place_parts(body.joint, i, senses.q, senses.rate, part)
    for k in range(parts):
        for a in range(10):
            total[0, a] = body.mass[k, a]
        for a in range(6):
            push = senses.skin[i * parts + k, a]
            total[0, 13 + a] = push if abs(push) < np.inf else 0.0
        own_load(part, k, total, 0, own)
    for p in range(ports):
        e = i * ports + p
        mind.held[e] = -1
        if (seats.node[i, at.TREE] >> p) & 1 == 0 and seats.port[e, at.UP] == 0:
            continue
        place_face(body.face, body.face_part[p], body.mate, e, part, face, p)
        if seats.port[e, at.V_IN] != 0:
            mind.held[e] = 0
            for a in range(10):
                mind.load[e, a] = seats.value[e, a]
            load_into(face, p, MATE, mind.load, e, heard, p)
            for a in range(LOAD):
                mind.heard[e, a] = heard[p, a]
    for p in range(ports):
        e = i * ports + p
        if mind.held[e] < 0:
            for a in range(LOAD):
                heard[p, a] = 0.0
                mind.heard[e, a] = 0.0


@compiled(allocates=False)
def find_pose(
    body: Body,
    mind: Mind,
    seats: Seats,
    scratch: Motion,
    senses: Senses,
    i: int,
    trust: int,
) -> None:
    """Write module i's pose in W, from the foot that leads.

    Its own if it is the leader, else through the port behind which the leader is. While
    no leader is known the last source goes on.
    """
    node, port = seats.node, seats.port
    ports, leader = body.face_part.shape[0], node[i, at.LEADER]
    source = mind.own[i, st.SOURCE]
    if leader == node[i, at.ID]:
        source = -1
    elif leader >= 0:
        source = -2
        for p in range(ports):
            e = i * ports + p
            cand = port[e, at.HEAD + fr.CAND] & (fr.INCUMBENT - 1)
            if (node[i, at.TREE] >> p) & 1 != 0 and leader > 0 and cand == leader:
                source = p
    if source == -1 and not senses.touching[i]:
        source = -2
    mind.own[i, st.SOURCE] = source
    if source == -1:
        k = senses.anchor_part[i]
        find_world(i, scratch.part, k, R, senses.anchor, i, 0, mind.pose)
        mind.own[i, st.POSE_AGE] = 0
    elif source >= 0:
        e = i * ports + source
        if port[e, at.UP] != 0 and mind.clock[e, st.WORLD_AGE] < trust:
            find_world(i, scratch.face, source, MATE, mind.world, e, 0, mind.pose)
            mind.own[i, st.POSE_AGE] = mind.clock[e, st.WORLD_AGE]


@compiled(allocates=False)
def look(
    body: Body,
    mind: Mind,
    seats: Seats,
    scratch: Motion,
    senses: Senses,
    aim: Array,
    i: int,
    settings: Settings,
) -> None:
    """Decide whether module i may steer, and write what its joints' laws read."""
    part, _, own, heard, total = scratch
    node, ports = seats.node, body.face_part.shape[0]
    oldest = mind.own[i, st.POSE_AGE]
    for a in range(3):
        total[2, a] = mind.span[i, a]
    for p in range(ports):
        e = i * ports + p
        if mind.held[e] >= 0:
            sums = mind.clock[e, st.SUM_AGE] + mind.clock[e, st.SUM_BEHIND]
            oldest = max(oldest, mind.clock[e, st.MOTION_AGE], sums)
            for a in range(3):
                total[2, a] += mind.load_span[e, a]
    steers = node[i, at.KNOWN] != 0 and node[i, at.OPEN] == 0
    steers = steers and oldest < settings.trust
    source = mind.own[i, st.SOURCE]
    k = int(body.face_part[source] if source >= 0 else senses.anchor_part[i])
    mind.own[i, st.OLDEST] = oldest
    mind.own[i, st.STEERS] = 1 if steers else 0
    for c in range(own.shape[0]):  # loads of the bare parts, for what is said
        for a in range(LOAD):
            mind.bare[i, a] = own[c, a] + (mind.bare[i, a] if c > 0 else 0.0)
    span = get3(mind.span, i, 0)
    fill_view(
        i, steers, k, body.joint, body.face_part, mind.held, part, own, heard, total,
        senses.q, senses.rate, oldest * settings.dt, aim, mind.pose, mind.rows,
        mind.whole, mind.span,
    )  # fmt: skip
    if not steers:  # what its joints can do has hardly changed since it last knew
        put3(mind.span, i, 0, span)


@compiled(allocates=False)
def tell(
    mind: Mind, node: Ints, scratch: Motion, i: int, dt: float, report: Array
) -> None:
    """Write module i's report."""
    known = node[i, at.KNOWN] != 0
    complete = is_complete(mind, node, i)
    mind.own[i, st.COMPLETE] = 1 if complete else 0
    report[i, st.R_KNOWN] = 1.0 if known else 0.0
    report[i, st.R_STEADY] = 1.0 if node[i, at.STEADY] != 0 else 0.0
    report[i, st.R_OPEN] = 1.0 if node[i, at.OPEN] != 0 else 0.0
    report[i, st.R_LEADER] = node[i, at.LEADER]
    report[i, st.R_COUNT] = node[i, at.COUNT]
    report[i, st.R_MASS] = mind.whole[i, 0] if known else 0.0
    report[i, st.R_HOLDS] = 1.0 if mind.own[i, st.STEERS] == 0 else 0.0
    report[i, st.R_AGE] = mind.own[i, st.OLDEST] * dt
    report[i, st.R_COMPLETE] = 1.0 if complete else 0.0
    report[i, st.R_VERDICT] = -1.0
    put3(report, i, st.R_COM, (np.nan, np.nan, np.nan))
    if mind.own[i, st.STEERS] != 0:
        com, velocity = whole_motion(scratch.total, mind.pose, i)
        put3(report, i, st.R_COM, com)
        if complete and node[i, at.STEADY] != 0:
            age = mind.own[i, st.OLDEST] * dt
            report[i, st.R_VERDICT] = verdict(mind, i, com, velocity, age)
