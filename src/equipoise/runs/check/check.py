"""Will it stand? One call on a robot in a pose, on rigid or soft ground.

The joints are taken as held. The robot is put down gently and judged where it comes to
rest, in the gravity, on the ground and with the friction of its own file unless an
option says otherwise. The answer is "yes", "no" or "unknown", never a guess: a robot
whose feet have lost their shape, whose base is not free, which balances on the very
edge or on which something acts that is not understood gets "unknown" with the reason.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from equipoise.core.arrays import VecN, expect_array
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, scene_of
from equipoise.robots.stance.stance import ROCKING, Stance, extent, pose_of, stance_with
from equipoise.robots.stance.turns import GroundTurn, ground_turn, turned_stance
from equipoise.runs.check.floor import floor_answer, judged_on_floor
from equipoise.runs.check.friction import DEFAULT_FRICTION, Grip, grip_of
from equipoise.runs.check.joints import joints_block, torque_rows
from equipoise.runs.check.rest import TIPPED, WELL, Settled
from equipoise.runs.check.result import (
    CheckResult,
    Question,
    result_of,
    world_block,
)
from equipoise.runs.check.settle import as_given, put_robot_down
from equipoise.runs.check.soft import SoftAnswer, grouped, soft_answer, soft_feet
from equipoise.runs.check.uncertain import EXACT, Tolerances, loosened, within
from equipoise.runs.check.verdict import Answer, margins_of, verdict
from equipoise.runs.check.world import nothing_to_judge
from equipoise.sim.gentle import falls_when_let_go

__all__ = ["Answer", "CheckResult", "check", "judged_stance"]

EXACTLY = 1e-5  # share of its size within which a robot touches exactly


def check(
    robot: Robot,
    *,
    keyframe: str | None = None,
    qpos: VecN | None = None,
    friction: float | None = None,
    ground_stiffness: float | None = None,
    leg_stiffness: float | None = None,
    slope_deg: float = 0.0,
    heading_deg: float = 0.0,
    torque_limits: bool | float = False,
    tolerances: Tolerances = EXACT,
    settle: bool = True,
    feet: Mapping[str, Sequence[str]] | None = None,
    ground: Literal["rigid", "engine"] = "rigid",
) -> CheckResult:
    """Say whether a robot stands in a pose, by how much, and which way it fails first.

    Args:
        robot: any robot; its feet are found from its shapes where it names none.
        keyframe: the pose by name; None for ``start``, else the model's own.
        qpos: the pose itself, (nq,), instead of a keyframe.
        friction: Coulomb friction of the feet, > 0; None for the file's own, 0.6 where
            it has none.
        ground_stiffness: of the ground under each foot, along the normal, > 0; None
            for rigid ground [N/m].
        leg_stiffness: of each leg, along the normal, > 0; None for rigid legs [N/m].
        slope_deg: by how much level ground is tilted, the robot with it.
        heading_deg: where it falls to then, from x towards y.
        torque_limits: whether joint torques limit the contact forces: True for those
            of the model, a number for that of every joint [N m] or [N].
        tolerances: how well mass, centre of mass and stiffness are known; the answer
            is then "yes" only if every robot within them stands.
        settle: whether it is put down gently and comes to rest first; False judges the
            pose as it is given.
        feet: shapes that share one stiffness, by the name of the foot; None for every
            separate patch of contact.
        ground: ``engine`` to let the contacts of its MJCF file decide, soft as they
            are, instead of hard ground; they are told about in any case.

    Raises:
        ConfigError: friction, a stiffness or a torque that is not above zero, a slope
            out of range, no torque limits to take, or both poses given.
        UnknownNameError: no such keyframe, or no such shape.
        ShapeError: a pose of another length, or that is not finite.
    """
    where = f"the check of '{robot.name}'"
    if keyframe is not None and qpos is not None:
        raise ConfigError(where, ["give a keyframe or qpos, not both"])
    pose = pose_of(robot, keyframe) if qpos is None else qpos
    pose = np.array(expect_array("qpos", pose, (int(robot.model.nq),)))
    question = Question(
        friction=friction,
        ground_stiffness=ground_stiffness,
        leg_stiffness=leg_stiffness,
        slope_deg=slope_deg,
        heading_deg=heading_deg,
        torque_limits=torque_limits,
        tolerances=tolerances,
        feet=feet,
        ground=ground,
    )
    question.expect_usable(where)
    scene = scene_of(robot)
    if ground == "engine" and not (robot.has_world and scene.ground):
        problem = "ground 'engine' needs an MJCF file with ground that it can touch"
        raise ConfigError(where, [problem])
    if not scene.mass > 0.0:
        raise ConfigError(where, [f"its mass must be > 0 kg, got {scene.mass!r}"])
    turn = ground_turn(robot, scene, slope_deg, heading_deg)
    early = nothing_to_judge(robot, scene)
    settled = as_given(robot, scene, pose)
    if early is None and settle:
        if rests_exactly(robot, scene, settled, turn, question):
            settled = replace(settled, turned=0.0, sank=0.0)
        else:
            mu = friction if robot.has_world else friction or DEFAULT_FRICTION
            settled = put_robot_down(robot, scene, pose, turn.up, mu)
    found = judged(robot, scene, settled, turn, question, early)
    is_down = settled.turned is not None and not (settled.ended or settled.trouble)
    springs = question.ground_stiffness or question.leg_stiffness
    if early is None and is_down and robot.has_world and scene.ground and not springs:
        if turn.R is None:
            found = on_engine_floor(robot, scene, pose, settled, found, question)
    return found


def on_engine_floor(
    robot: Robot,
    scene: Scene,
    pose: VecN,
    settled: Settled,
    found: CheckResult,
    question: Question,
) -> CheckResult:
    """Return a check with what the contacts of its file mean for a robot at rest."""
    root = int(np.flatnonzero(scene.bodies)[0])
    given = np.array(scene.posed(robot, pose).qpos)
    floor = floor_answer(scene.model, np.array(settled.data.qpos), root, given)
    stands, reasons = judged_on_floor(
        found.stands,
        found.summary["reasons"],
        floor,
        decides=question.ground == "engine",
    )
    told = {"stands": stands, "reasons": reasons, "engine_floor": floor.summary}
    return replace(found, stands=stands, summary={**found.summary, **told})


def rests_exactly(
    robot: Robot, scene: Scene, given: Settled, turn: GroundTurn, question: Question
) -> bool:
    """Say whether a robot on uneven ground rests as it is given, beyond doubt.

    What touches to within rounding holds it well inside, so that nothing moves.
    """
    if given.plane is not None or given.trouble:
        return False
    size = extent(scene, given.data)
    lying = stance_with(robot, scene, given.data, None, tolerance=EXACTLY * size)
    grip = grip_of(robot, scene, lying, question.friction, turn.up)
    _, stance = turned_stance(robot, given.pose, lying, turn)
    margins = margins_of(stance, grip.sure, None, scene.strength)
    if grip.odd or verdict(stance, margins)[0] != "yes" or margins.region is None:
        return False
    return min(margins.region, margins.carried) > WELL * size


def judged_stance(
    robot: Robot, pose: VecN, *, rocking: float = ROCKING, **settings: Any
) -> CheckResult:
    """Return the check of a pose of a run: as it is, on the ground of the run.

    Args:
        robot: with the ground of the run.
        pose: (nq,).
        rocking: height up to which more corners of a touching sole touch too [m].
        settings: those of ``check``, but for the pose and ``settle``.
    """
    question, scene = Question(**settings), scene_of(robot)
    question.expect_usable(f"the check of '{robot.name}'")
    turn = ground_turn(robot, scene, question.slope_deg, question.heading_deg)
    early, settled = nothing_to_judge(robot, scene), as_given(robot, scene, pose)
    return judged(robot, scene, settled, turn, question, early, rocking)


def judged(
    robot: Robot,
    scene: Scene,
    settled: Settled,
    turn: GroundTurn,
    question: Question,
    early: tuple[Answer, str] | None,
    rocking: float = 0.0,
) -> CheckResult:
    """Return the check of a robot in the pose in which it is judged."""
    q = question
    lying = stance_with(robot, scene, settled.data, settled.plane, rocking=rocking)
    grip = grip_of(robot, scene, lying, q.friction, turn.up)
    pose, stance = turned_stance(robot, settled.pose, lying, turn)
    gravity = scene.strength or 9.81
    limits = torque_rows(robot, pose, stance, q.torque_limits, gravity)
    margins = margins_of(stance, grip.sure, limits, gravity)
    if early is not None:
        stands, reasons = early[0], [early[1]]
    else:
        stands, reasons = verdict(stance, margins, limited=limits is not None)
        stands, reasons = gripped(stands, reasons, stance, grip, limits, gravity)
        well = WELL * extent(scene, settled.data)
        is_near = margins.static is not None and -well < margins.static < 0.0
        stands, reasons = after_settling(stands, reasons, settled, is_near)
    if stands == "yes" and robot.has_world and scene.ground:
        stands, reasons = on_its_own_floor(reasons, scene, settled, turn, q.friction)
    compliance, feet = None, None
    if early is None and len(stance.points) and (q.ground_stiffness or q.leg_stiffness):
        if stance.is_level:
            patches = grouped(stance, q.feet, f"the check of '{robot.name}'")
            springs = q.ground_stiffness, q.leg_stiffness
            soft = soft_answer(stance, *springs, patches, gravity)
            compliance = soft.summary
            feet = soft_feet(stance, *springs, patches)
            stands, reasons = softened(stands, reasons, soft)
        else:
            stands = "unknown" if stands == "yes" else stands
            reasons = [*reasons, "springs are judged on level ground only"]
    intervals = None
    if q.tolerances != EXACT:
        told = within(stance, grip.sure, feet, q.tolerances, gravity)
        intervals = told.summary
        is_limited = limits is not None
        if early is None:
            stands, reasons = loosened(stands, reasons, told, is_limited=is_limited)
    found = result_of(robot, stance, margins, stands, reasons, grip, compliance)
    if compliance is not None:  # where it gives way first, not where its edge is near
        found = replace(found, weakest=np.array(compliance["weakest_direction"]))
    found.summary.update(
        intervals=intervals,
        engine_floor=None,
        **world_block(robot, scene, settled, grip),
        joints=joints_block(robot, pose, stance, grip, gravity),
    )
    return found


def gripped(
    stands: Answer,
    reasons: list[str],
    stance: Stance,
    grip: Grip,
    limits: dict[str, Any] | None,
    gravity: float,
) -> tuple[Answer, list[str]]:
    """Return the answer after a second look at friction: what may hold, what is odd."""
    if grip.odd and len(stance.points):
        return "unknown", [f"not understood: {'; '.join(grip.odd[:3])}", *reasons]
    if len(stance.points) and not grip.most.any():
        if stands == "yes":
            return "unknown", ["without friction nothing keeps it from sliding"]
        return stands, reasons
    if stands == "no" and not grip.is_plain:
        most = margins_of(stance, grip.most, limits, gravity)
        if verdict(stance, most, limited=limits is not None)[0] != "no":
            problem = "it holds by friction in some directions of its contacts only"
            return "unknown", [problem, *reasons]
    return stands, reasons


def after_settling(
    stands: Answer,
    reasons: list[str],
    settled: Settled,
    is_near: bool,
) -> tuple[Answer, list[str]]:
    """Return the answer with what settling says: it can only take an answer away.

    Args:
        stands: the answer by margins.
        reasons: for it.
        settled: how it came to rest.
        is_near: whether its centre of mass is outside of what touches by next to
            nothing.
    """
    if settled.trouble:
        return "unknown", [settled.trouble]
    if settled.turned is None:
        return stands, reasons
    if settled.falls:
        return "no", [settled.falls]
    if settled.turned > TIPPED or (settled.plane and not settled.is_at_rest):
        on = ", ".join(settled.ended[:4]) or "nothing"
        way = f"by {math.degrees(settled.turned):.0f} degrees, onto {on}"
        way = way if settled.is_at_rest else "over and over"
        return "no", [f"it tips: put down gently it turns {way}", *reasons]
    if not settled.is_at_rest:
        return "unknown", ["put down gently it did not come to rest", *reasons]
    if stands == "no" and settled.plane is None and settled.turned > 0.0:
        return "unknown", [
            "it rests in the engine where its contacts deny it",
            *reasons,
        ]
    if is_near or (stands == "yes" and not settled.is_robust):
        return "unknown", ["its centre of mass is on the very edge of what touches"]
    if stands == "yes" and settled.may_tip:
        return "unknown", ["dropped from here it may tip", *reasons]
    return stands, reasons


def on_its_own_floor(
    reasons: list[str],
    scene: Scene,
    settled: Settled,
    turn: GroundTurn,
    friction: float | None,
) -> tuple[Answer, list[str]]:
    """Return the answer for a robot that stands on hard ground, in its file's world.

    The engine's contacts are soft, and softest for what is small or tall: a robot that
    falls there from rest is not called standing.
    """
    tilted = replace(scene, gravity=-scene.strength * turn.up)
    data = copy.copy(settled.data)
    if falls_when_let_go(tilted, data, extent(scene, settled.data), friction):
        said = "balanced on hard ground, it falls or slides on the contacts of its file"
        return "unknown", [said, *reasons]
    return "yes", reasons


def softened(
    stands: Answer, reasons: list[str], soft: SoftAnswer
) -> tuple[Answer, list[str]]:
    """Return the answer after springs were asked: they can only take a yes away."""
    if stands != "yes":
        return stands, reasons
    if soft.stance.stable:
        return "yes", [*reasons, soft.stance.reason]
    return ("no" if soft.is_known else "unknown"), [soft.stance.reason, *reasons]
