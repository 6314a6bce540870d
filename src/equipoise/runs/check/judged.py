"""A robot judged in a pose: put down, its contacts found, every criterion asked.

What ``check`` and all that asks it again (requirements, remedies, comparisons, runs)
share. The pose and the question are taken as they are.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.core.friction import ASSUMED_FRICTION
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, robot_scene
from equipoise.robots.stance.stance import ROCKING, shapes_extent, stance_with
from equipoise.robots.stance.turns import GroundTurn, ground_turn, turned_stance
from equipoise.runs.check.criterion import Case, judgement
from equipoise.runs.check.friction import grip_of
from equipoise.runs.check.joints import joints_block, torque_rows, torque_shares
from equipoise.runs.check.own_joints import (
    Drives,
    hold_block,
    joint_mode,
    own_holds,
)
from equipoise.runs.check.own_words import holds_words
from equipoise.runs.check.rest import WELL, JudgedPose
from equipoise.runs.check.result import (
    CheckResult,
    JudgedShape,
    Question,
    result_of,
    world_block,
)
from equipoise.runs.check.settle import as_given, put_robot_down
from equipoise.runs.check.size import too_large
from equipoise.runs.check.start import StartPose, start_at
from equipoise.runs.check.verdict import Answer, margins_of, verdict
from equipoise.runs.check.world import nothing_to_judge
from equipoise.sim.engine_warnings import collected_warnings

__all__ = ["judged_pose", "judged_stance", "robot_on_its_drives"]

EXACTLY = 1e-5  # share of its size within which a robot touches exactly


def judged_pose(
    robot: Robot,
    start: StartPose,
    question: Question,
    *,
    settle: bool = True,
    is_quick: bool = False,
) -> CheckResult:
    """Return the check of a robot in a pose.

    Args:
        robot: any robot.
        start: the pose, and what its actuators are told in it.
        question: what is asked.
        settle: whether it is put down gently and comes to rest first.
        is_quick: whether a "yes" need not be one: nothing is asked of the engine.

    Raises:
        ConfigError: the question does not fit the robot.
    """
    where = f"the check of '{robot.name}'"
    scene, pose = replace(robot_scene(robot), key=start.key), start.qpos
    if question.ground == "engine" and not (robot.has_world and scene.ground):
        problem = (
            "ground 'engine' needs an MJCF file with ground that the robot can touch"
        )
        raise ConfigError(where, [problem])
    if not scene.mass > 0.0:
        raise ConfigError(where, [f"its mass must be > 0 kg, got {scene.mass!r}"])
    turn = ground_turn(robot, scene, question.slope_deg, question.heading_deg)
    early = too_large(scene)
    if early is None:
        early = nothing_to_judge(robot, scene, start)
    else:  # where it touches is not looked for
        scene = replace(scene, shapes=(), loose=())
    settled = as_given(robot, scene, pose)
    if early is None and settle:
        settled = _settled_from(robot, scene, start, question, turn)
    with collected_warnings():  # of links that weigh next to nothing
        return _judged(
            robot, scene, start, settled, turn, question, early, is_quick=is_quick
        )


def _settled_from(
    robot: Robot,
    scene: Scene,
    start: StartPose,
    question: Question,
    turn: GroundTurn,
) -> JudgedPose:
    """Return a robot put down gently from the pose that is asked about."""
    given = as_given(robot, scene, start.qpos)
    if _rests_exactly(robot, scene, given, turn, question):
        return replace(given, turned=0.0, sank=0.0)
    mu = question.friction
    if mu is None and not robot.has_world:
        mu = ASSUMED_FRICTION
    return put_robot_down(robot, scene, start.qpos, turn.up, mu)


def _rests_exactly(
    robot: Robot, scene: Scene, given: JudgedPose, turn: GroundTurn, question: Question
) -> bool:
    """Return whether a robot on uneven ground rests as it is given, beyond doubt.

    What touches to within rounding holds it well inside, so that nothing moves.
    """
    if given.plane is not None or given.trouble:
        return False
    size = shapes_extent(scene, given.data)
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
    given: dict[str, Any] = {"joints": "held", **settings}
    question, scene = Question(**given), robot_scene(robot)
    question.expect_usable(f"the check of '{robot.name}'")
    turn = ground_turn(robot, scene, question.slope_deg, question.heading_deg)
    start = start_at(robot, pose, "a pose of a run")
    early, settled = nothing_to_judge(robot, scene), as_given(robot, scene, pose)
    return _judged(robot, scene, start, settled, turn, question, early, rocking)


def _judged(
    robot: Robot,
    scene: Scene,
    start: StartPose,
    settled: JudgedPose,
    turn: GroundTurn,
    question: Question,
    early: tuple[Answer, str] | None,
    rocking: float = 0.0,
    is_quick: bool = False,
) -> CheckResult:
    """Return the check of a robot in the pose in which it is judged."""
    case = _case_of(robot, scene, start, settled, turn, question, early, rocking)
    stance, grip, pose = case.stance, case.grip, case.posed
    found = judgement(case, is_quick=is_quick)
    told = result_of(robot, stance, case.margins, found.stands, found.reasons, grip)
    shares, holds = case.torques, case.holds
    words = {"words": holds_words(case.mode, holds)}
    told.summary.update(let_go=None, own_drives=None)
    told.summary.update(
        **found.summary,
        **world_block(robot, scene, settled, grip),
        joints=joints_block(robot, pose, shares) | words,
        **hold_block(case.mode, holds, start, found.words),
    )
    height = case.lying.ground if case.lying.is_level else 0.0
    shape = JudgedShape(robot, settled.pose, turn.R, np.array([0.0, 0.0, height]))
    return replace(told, weakest=found.weakest, seen=shape)


def _case_of(
    robot: Robot,
    scene: Scene,
    start: StartPose,
    settled: JudgedPose,
    turn: GroundTurn,
    question: Question,
    early: tuple[Answer, str] | None,
    rocking: float = 0.0,
) -> Case:
    """Return all that is known of a robot in the pose in which it is judged."""
    lying = stance_with(robot, scene, settled.data, settled.plane, rocking=rocking)
    grip = grip_of(robot, scene, lying, question.friction, turn.up)
    pose, stance = turned_stance(robot, settled.pose, lying, turn)
    gravity = scene.strength or GRAVITY
    limits = torque_rows(robot, pose, stance, question.torque_limits, gravity)
    holds = own_holds(robot, scene, settled.data)
    mode = joint_mode(robot, holds, question.joints)
    shares = torque_shares(robot, pose, stance, grip, gravity)
    return Case(
        robot=robot,
        scene=scene,
        question=question,
        turn=turn,
        given=start.qpos,
        start=start,
        mode=mode,
        holds=holds,
        torques=shares,
        lying=lying,
        settled=settled,
        stance=stance,
        grip=grip,
        limits=limits,
        gravity=gravity,
        margins=margins_of(stance, grip.sure, limits, gravity),
        posed=pose,
        early=early,
    )


def robot_on_its_drives(
    robot: Robot, start: StartPose, question: Question
) -> Drives | None:
    """Return a robot on its own drives where it rests with its joints held.

    Args:
        robot: any robot.
        start: the pose that is asked about.
        question: what is asked of it.
    """
    scene = replace(robot_scene(robot), key=start.key)
    turn = ground_turn(robot, scene, question.slope_deg, question.heading_deg)
    settled = _settled_from(robot, scene, start, question, turn)
    return _case_of(robot, scene, start, settled, turn, question, None).drives
