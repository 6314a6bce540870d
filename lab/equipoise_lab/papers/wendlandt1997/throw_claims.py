"""Section 4: what the prose says of the throw, beside ours.

No figure of the paper is left but what its text quotes. Block and trunk sizes and the
body mass were chosen so that the quoted times come near; times that they decide are
therefore reported and not checked.
"""

from collections.abc import Mapping

from equipoise_lab.papers.check import above, at_most, below, same
from equipoise_lab.papers.claim import (
    Claim,
    compared,
    not_checkable,
    refuted,
    shown,
)
from equipoise_lab.papers.wendlandt1997.setting import Printed
from equipoise_lab.papers.wendlandt1997.throw_numbers import RISEN_MM, ThrowNumbers

__all__ = ["OTHER_MASSES", "Times", "throw_claims"]

Times = Mapping[float, tuple[float, float, float]]
"""When a heel is 1 mm up, and when both are back, y < 0 first, by body mass [kg]."""
OTHER_MASSES = (60.0, 75.0, 80.0)
"""Bodies that are thrown at too, to show what the times depend on [kg]."""
NEIGHBOURHOOD = (1e-4, 0.01)  # of zero: metres and degrees
DAMPED = 0.01
"""Of a damping ratio: the landing at the start moves the overshoot by a fiftieth."""
CREEP = 0.1  # slower than this is no drift to be seen in a figure [mm/s]
SHARP = 5.0  # times the median change from tick to tick


def throw_claims(printed: Printed, ours: ThrowNumbers, others: Times) -> list[Claim]:
    """Return the claims about what happened.

    Args:
        printed: the paper's numbers.
        ours: our throw.
        others: when the heels of other bodies went up and came back.
    """
    return [
        *_time_claims(printed, ours, others),
        *_damping_claims(printed, ours),
        *_foot_claims(ours),
        *_body_claims(ours),
        *_jump_claims(ours),
        not_checkable(
            "4, Figs. 3-6",
            "joint angles, torques, body position and orientation over time",
            "four figures",
            "the figures are not in the text that we have; ours are drawn with --out",
            ours="drawn",
        ),
    ]


def _time_claims(printed: Printed, ours: ThrowNumbers, others: Times) -> list[Claim]:
    """Return when the block hits, and when the heels go up and come down."""
    reach = 0.01 * printed.block_from[0] - 4.5 * printed.hit_s
    ups = ", ".join(f"{mass:g} kg {up:.3f} s" for mass, (up, _, _) in others.items())
    downs = ", ".join(
        f"{mass:g} kg {one:.2f} and {two:.2f} s"
        for mass, (_, one, two) in others.items()
    )
    by_height = ", ".join(
        f"{mm:g} mm at {time:.3f} s"
        for mm, time in zip(RISEN_MM, ours.rise_s, strict=True)
    )
    first = "y < 0" if ours.contact_s[0] < ours.contact_s[1] else "y > 0"
    right, left = printed.contact_s
    order = (ours.hit_s, ours.rise_s[0], min(ours.contact_s))
    return [
        not_checkable("4", "the block collides with the body [s]", printed.hit_s,
            "neither the block's nor the trunk's size is printed; ours were chosen so"
            f" that it comes out. What it says: {100 * reach:.0f} cm are left for half"
            " a block and half a trunk, as humans have it", ours=ours.hit_s),
        not_checkable("4", "the two feet begin to rise [s]", printed.rise_s,
            f"neither the body's mass nor the height that counts is printed. A heel is"
            f" up by {by_height}; by 1 mm in other bodies: {ups}. On ground twice"
            " as soft, into which the feet are pressed first, it was 0.006 s later",
            ours=ours.rise_s[1]),
        not_checkable("4", "feet make contact again [s]", f"{right:g} and {left:g}",
            "the body mass was fitted to these two, so agreement shows no more than"
            f" that a human of 70 kg can do it. Other bodies: {downs}. Feet, sole"
            " length and restitution matter as much",
            ours=f"{ours.contact_s[0]:.3f} and {ours.contact_s[1]:.3f}"),
        shown("4", "first the collision, then the feet rise, then they make contact",
            f"{printed.hit_s:g}, {printed.rise_s:g}, {right:g} s",
            ", ".join(f"{time:.3f}" for time in order) + " s",
            [below(order[0], order[1]), below(order[1], order[2])],
            "the order, which no choice of ours decides; a heel at 0.5 mm",
            tolerance="this order"),
        not_checkable("4", "which foot makes contact first", "right",
            "figure 1, which would show where left is, is lost. The printed angles let"
            " the biped look to -x, so the foot at y < 0 is anatomically the left one",
            ours=f"the foot at {first}"),
    ]  # fmt: skip


def _damping_claims(printed: Printed, ours: ThrowNumbers) -> list[Claim]:
    """Return damping ratios, read off how far the body goes beyond its set point."""
    along, up, turning = ours.damping_ratios
    stiffness = 0.5 * printed.turning_gain
    ratio = 0.5 * printed.turning_damping / stiffness**0.5
    how = (
        "by the overshoot of a run without a block, -ln s / √(π² + ln² s); the feet"
        " meet the ground at the start, which costs a hundredth"
    )
    return [
        *(
            compared("4", f"damping ratio of {axis}, in the loop",
                printed.damping_ratio, measured, how, tolerance=DAMPED)
            for axis, measured in (("x", along), ("z", up))
        ),
        refuted("4", "damping ratio of the orientation, in the loop",
            printed.damping_ratio, turning,
            [above(turning, printed.damping_ratio + 10.0 * DAMPED),
             below(abs(turning - ratio), DAMPED)],
            f"{how}. The error is the quaternion's vector, which is half of a small"
            f" angle, so the stiffness is K_p / 2 = {stiffness:g} and"
            f" K_v / (2 √(K_p / 2)) = {ratio:.3f}", tolerance=DAMPED),
    ]  # fmt: skip


def _foot_claims(ours: ThrowNumbers) -> list[Claim]:
    """Return what the feet do."""
    return [
        shown("4", "the system rests on the front of the feet as the heels rise",
            "heels rise, toes stay",
            f"heels {ours.heel_mm[0]:.0f} and {ours.heel_mm[1]:.0f} mm up, toes"
            f" {ours.toe_mm:.1f} mm",
            [above(min(ours.heel_mm), 1.0), at_most(ours.toe_mm, 0.0)],
            "the highest heel and toe after the first contact; below zero is how far"
            " the ground gives", tolerance="heels above 1 mm, toes never off"),
        shown("4", "the feet drift slowly relative to the ground [mm/s]",
            "slowly", ours.drift_mm_s, above(ours.drift_mm_s, CREEP),
            "ours do not: another contact model, same friction. They slip by"
            f" {ours.slip_mm:.1f} mm while the body rises and is hit, and then stay."
            " The paper believes that its drift is an artifact of its contact model,"
            " and so it seems", tolerance=f"more than {CREEP:g} in the last second"),
    ]  # fmt: skip


def _body_claims(ours: ThrowNumbers) -> list[Claim]:
    """Return what the body does."""
    x, y, z = ours.settled_s
    push, turn = ours.push_mm, ours.turn_deg
    metres, degrees = NEIGHBOURHOOD
    return [
        shown("4", "the errors converge to a neighborhood of zero", "converge",
            f"{ours.final_m:.1e} m and {ours.final_deg:.1e} degrees at 3 s",
            [same(ours.survived, True), below(ours.final_m, metres),
             below(ours.final_deg, degrees)],
            "distance and turn from the set point; it stands",
            tolerance=f"{metres:g} m, {degrees:g} degrees"),
        shown("4, Fig. 5", "the convergence is faster in the Z coordinate", "faster",
            f"x {x:.2f}, y {y:.2f}, z {z:.2f} s", below(z, min(x, y)),
            "after when an error stays within 5 % of its largest",
            tolerance="z before x and y"),
        shown("4, Fig. 5", "the Y position drifts about zero [mm]", "drifts",
            ours.y_drift_mm, above(ours.y_drift_mm, CREEP),
            "believed to be due to the sliding feet; ours do not slide, and Y does not"
            " drift", tolerance=f"more than {CREEP:g} in the last second"),
        shown("4, Fig. 5", "the collision pushes the body in the -X direction", "-X",
            f"{push[0]:.1f}, {push[1]:.1f}, {push[2]:.1f} mm",
            [below(push[0], -1.0),
             above(-push[0], 2.0 * max(abs(push[1]), abs(push[2])))],
            "place at 0.15 s less that of a run without a block",
            tolerance="-x by far the largest"),
        shown("4, Fig. 6", "the collision turns the body about -Y and about Z",
            "q_y and q_z", f"{turn[1]:.2f} degrees about y, {turn[2]:.2f} about z",
            [below(turn[1], -0.1), above(turn[2], 0.1), below(abs(turn[0]), 0.1)],
            "turn at 0.15 s from a run without a block; about x it is"
            f" {turn[0]:.2f}. The block comes at y = 10 cm, so it turns towards +z",
            tolerance="-y and z by more than 0.1 degrees, x by less"),
    ]  # fmt: skip


def _jump_claims(ours: ThrowNumbers) -> list[Claim]:
    """Return what is seen in joint angles and torques."""
    hit, down = ours.torque_jumps
    return [
        shown("4, Fig. 3", "a sharp change in joint angles at the collision", "sharp",
            f"{ours.angle_jump:.0f} times the median", above(ours.angle_jump, SHARP),
            "largest change of a joint's rate from tick to tick near the hit, against"
            " the median in the first second", tolerance=f"{SHARP:g} times"),
        shown("4, Fig. 4", "torques change sharply after the contact changes", "sharp",
            f"{hit:.0f} times the median at the hit, {down:.0f} at re-contact",
            [above(hit, SHARP), above(down, SHARP)],
            "largest change from tick to tick. The largest torque,"
            f" {ours.peak_nm:.0f} N m in the knees, is that of the first tick: 10.5 cm"
            " to rise times 200", tolerance=f"{SHARP:g} times"),
    ]  # fmt: skip
