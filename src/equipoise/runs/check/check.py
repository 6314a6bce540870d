"""Will it stand? One call on a robot in a pose, on rigid or soft ground.

The robot is put down gently with its joints rigid and judged where it comes to rest;
``joints`` says who holds them then. Gravity, ground and friction are those of its own
file unless an option says otherwise. The answer is "yes", "no" or "unknown", never a
guess: a robot whose feet have lost their shape, whose base is not free, which balances
on the very edge or on which something acts that is not understood gets "unknown" with
the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.core.log import timed
from equipoise.robots.robot import Robot
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.compare import comparison
from equipoise.runs.check.judged import judged_pose
from equipoise.runs.check.require.answers import answers_of
from equipoise.runs.check.require.requirement import required
from equipoise.runs.check.result import CheckResult, Question
from equipoise.runs.check.start import starting_pose
from equipoise.runs.check.uncertain import EXACT, Tolerances
from equipoise.runs.check.verdict import Answer

__all__ = ["Answer", "CheckResult", "check", "check_result"]


def check(
    robot: Robot,
    *,
    keyframe: str | None = None,
    qpos: VecN | None = None,
    pose: Literal["file"] | None = None,
    joints: Literal["own", "held"] | None = None,
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
    require: Mapping[str, float | str] | None = None,
    compare_to: Robot | None = None,
    no_worse: bool = False,
    remedies: bool = True,
) -> CheckResult:
    """Return whether a robot stands in a pose, its margins, and how it fails first.

    Args:
        robot: any robot; its feet are found from its shapes where it names none.
        keyframe: the pose by name; None for ``start``, else the model's own.
        qpos: the pose itself, (nq,), instead of a keyframe; servos are told to hold it.
        pose: "file" for the file's own pose as it is, also where it has joints out of
            their range; without it the stand that ``describe`` finds is judged there.
        joints: "held" to take all joints as held; "own" for what the file has: servos,
            springs and dry friction act as they are, motors are held by a controller
            within their limits, joints with nothing are passive. None for "own" where
            the file has joints with actuators or a world of its own (MJCF).
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
        require: numbers that the check shall give, by name: ``{"margin": 0.02}``, or
            with a unit, ``{"margin": "20mm"}``; see ``require.numbers``.
        compare_to: an older version of the robot, which is asked the same.
        no_worse: whether it may be no worse than that: the answer, and its margin.
        remedies: whether ``remedies`` of the result are searched for, when asked for.

    Raises:
        ConfigError: friction, a stiffness or a torque that is not above zero, a slope
            out of range, no torque limits to take, both poses given, or something
            required that does not fit.
        UnknownNameError: no such keyframe, no such shape, or no such number.
        ShapeError: a pose of another length, or that is not finite.
    """
    where = f"the check of '{robot.name}'"
    if no_worse and compare_to is None:
        raise ConfigError(where, ["no-worse needs an older robot for comparison"])
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
        joints=joints,
    )
    question.expect_usable(where)
    before, before_name = None, ""
    if compare_to is not None:
        before_name = compare_to.source or compare_to.name
        old_pose = starting_pose(compare_to, keyframe, qpos, pose)
        before = judged_pose(compare_to, old_pose, question, settle=settle)
    asked = Asked(
        robot=robot,
        start=starting_pose(robot, keyframe, qpos, pose),
        question=question,
        settle=settle,
        requirements=required(require),
        before=before,
        before_name=before_name,
        no_worse=no_worse,
        remedies=remedies,
    )
    return check_result(asked)


@timed("checking")
def check_result(asked: Asked) -> CheckResult:
    """Return the check of a robot with all that is required of it.

    Args:
        asked: what is asked.
    """
    found = judged_pose(asked.robot, asked.start, asked.question, settle=asked.settle)
    compared = None
    if asked.before is not None:
        compared = comparison(asked.before, found, asked.before_name)
    return replace(
        found,
        asked=asked,
        requirements=answers_of(asked, found),
        comparison=compared,
    )
