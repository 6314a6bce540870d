"""Will it stand? One call on a robot in a pose, on rigid or soft ground.

The joints are taken as held. The robot is put down gently and judged where it comes to
rest, in the gravity, on the ground and with the friction of its own file unless an
option says otherwise. The answer is "yes", "no" or "unknown", never a guess: a robot
whose feet have lost their shape, whose base is not free, which balances on the very
edge or on which something acts that is not understood gets "unknown" with the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from equipoise.core.arrays import VecN, expect_array
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, scene_of
from equipoise.robots.stance.stance import ROCKING, extent, pose_of, stance_with
from equipoise.robots.stance.turns import GroundTurn, ground_turn, turned_stance
from equipoise.runs.check.criterion import Case, judgement
from equipoise.runs.check.friction import DEFAULT_FRICTION, grip_of
from equipoise.runs.check.joints import joints_block, torque_rows
from equipoise.runs.check.rest import WELL, JudgedPose
from equipoise.runs.check.result import (
    CheckResult,
    Question,
    result_of,
    world_block,
)
from equipoise.runs.check.settle import as_given, put_robot_down
from equipoise.runs.check.uncertain import EXACT, Tolerances
from equipoise.runs.check.verdict import Answer, margins_of, verdict
from equipoise.runs.check.world import nothing_to_judge
from equipoise.sim.engine_warnings import collected_warnings

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
    with collected_warnings():  # of links that weigh next to nothing
        return judged(robot, scene, pose, settled, turn, question, early)


def rests_exactly(
    robot: Robot, scene: Scene, given: JudgedPose, turn: GroundTurn, question: Question
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
    return judged(robot, scene, pose, settled, turn, question, early, rocking)


def judged(
    robot: Robot,
    scene: Scene,
    given: VecN,
    settled: JudgedPose,
    turn: GroundTurn,
    question: Question,
    early: tuple[Answer, str] | None,
    rocking: float = 0.0,
) -> CheckResult:
    """Return the check of a robot in the pose in which it is judged."""
    lying = stance_with(robot, scene, settled.data, settled.plane, rocking=rocking)
    grip = grip_of(robot, scene, lying, question.friction, turn.up)
    pose, stance = turned_stance(robot, settled.pose, lying, turn)
    gravity = scene.strength or GRAVITY
    limits = torque_rows(robot, pose, stance, question.torque_limits, gravity)
    case = Case(
        robot=robot,
        scene=scene,
        question=question,
        turn=turn,
        given=given,
        settled=settled,
        stance=stance,
        grip=grip,
        limits=limits,
        gravity=gravity,
        margins=margins_of(stance, grip.sure, limits, gravity),
        early=early,
    )
    found = judgement(case)
    told = result_of(robot, stance, case.margins, found.stands, found.reasons, grip)
    told.summary.update(
        **found.summary,
        **world_block(robot, scene, settled, grip),
        joints=joints_block(robot, pose, stance, grip, gravity),
    )
    return replace(told, weakest=found.weakest)
