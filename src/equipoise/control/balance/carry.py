"""Loads on the feet that carry the machine and turn its trunk upright.

Weight and a moment that pulls the trunk to its reference attitude are shared between
the feet that stand (``forces.distribution``). A foot that has just begun to stand
takes its share on within a short time, so that nothing jumps.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, final

from equipoise.control.forces.distribution import share_consistent, share_printed
from equipoise.control.observer.inertial import roll_pitch_yaw
from equipoise.control.records import (
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings

__all__ = ["PostureBalanceConfig", "carry"]

PRINTED = 0  # place of "printed" among the rules of sharing


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PostureBalanceConfig(Settings):
    """Settings of the load on standing feet; defaults are WARP1's while it walks."""

    roll_stiffness: Annotated[
        float, Setting("Stiffness of the roll", "N m/rad", least=0.0)
    ] = 1000.0
    roll_damping: Annotated[
        float, Setting("Damping of the roll", "N m s/rad", least=0.0)
    ] = 100.0
    pitch_stiffness: Annotated[
        float, Setting("Stiffness of the pitch", "N m/rad", least=0.0)
    ] = 1000.0
    pitch_damping: Annotated[
        float, Setting("Damping of the pitch", "N m s/rad", least=0.0)
    ] = 100.0
    take_on: Annotated[
        float,
        Setting(
            "Time constant with which a foot that begins to stand takes on its share",
            "s",
            least=0.0,
        ),
    ] = 0.04
    weight: Annotated[
        float, Setting("Share of the machine's weight that is fed forward", least=0.0)
    ] = 1.0
    sharing: Annotated[
        Literal["printed", "consistent"],
        Setting("Rule of sharing: as printed, or with consistent force and moments"),
    ] = "consistent"


@compiled(allocates=False)
def carry(
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    pose: TrunkPose,
    gains: PostureBalanceConfig,
    weight: float,
    before: Records[LegBalance],
    after: Records[LegBalance],
) -> None:
    """Write each foot's force on the ground in B, along gravity.

    Args:
        trunk: what is known of it.
        legs: and of the legs, (nl,).
        stance: who stands, (nl,).
        pose: of the trunk's reference.
        gains: of the attitude.
        weight: to carry [N].
        before: the last tick's answer, (nl,).
        after: this one's, (nl,); overwritten.
    """
    roll, pitch, _ = roll_pitch_yaw(trunk)
    w, up, p_BC, rpy, dt = (
        trunk.w_WB_B,
        trunk.R_WB[2],
        trunk.p_BC,
        pose.rpy_WB,
        trunk.dt,
    )
    m1 = gains.roll_stiffness * (rpy[0] - roll) - gains.roll_damping * w[0]
    m2 = gains.pitch_stiffness * (rpy[1] - pitch) - gains.pitch_damping * w[1]
    for one in range(legs.shape[0]):
        leg, foot = legs[one], after[one]
        foot.stands, foot.tried, foot.free = stance[one].stands, 0.0, 0.0
        for i in range(2):  # seen from the centre of mass, along gravity
            down = p_BC[2] - leg.hip[2] - leg.foot[2]
            arm = leg.hip[i] + leg.foot[i] - p_BC[i]
            foot.arm[i] = arm + down * up[i] / max(up[2], 0.5)
            foot.shift[i] = 0.0
    if int(gains.sharing) == PRINTED:
        share_printed(weight, m1, m2, after)
    else:
        share_consistent(weight, m1, m2, 0.0, after)
    for one in range(legs.shape[0]):
        foot, share = after[one], before[one].share
        share = share + dt / (gains.take_on + dt) * (1.0 - share)
        foot.share = share if foot.stands > 0.0 else 0.0
        for i in range(3):
            foot.force[i] = -foot.share * foot.load * up[i]
            foot.spring[i] = 1.0
