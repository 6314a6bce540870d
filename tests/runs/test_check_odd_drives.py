"""``check`` of drives whose limits stand in odd places, or which act later on."""

import mujoco
import pytest

import equipoise as eq
from oracles.driven_robots import FLOOR, feet, lift, quadruped, servo

TENDON = '<tendon><fixed name="line" {}><joint joint="up" coef="1"/></fixed></tendon>'
PULL = '<motor tendon="line" {}/>'
KEY = '<keyframe><key name="start" qpos="0 0 .02 1 0 0 0 {}" {}/></keyframe>'
NO_STOPS = '<flag limit="disable"/>'
NO_FRICTION = '<flag frictionloss="disable"/>'


def checked(tmp_path, xml, **settings):
    """Return the check of an MJCF text."""
    path = tmp_path / "robot.xml"
    path.write_text(xml)
    return eq.check(eq.load(path), remedies=False, **settings)


def flagged(xml, flag):
    """Return a text of ``lift`` with a flag."""
    return xml.replace(
        '<option timestep="0.002" />', f'<option timestep="0.002">{flag}</option>'
    )


WAYS = [  # in which a limit is written; the load weighs 39 N
    ('<motor jointinparent="up" forcerange="-{0} {0}"/>', "", ""),
    ('<general joint="up" dyntype="filter" dynprm=".1" ctrlrange="0 {0}"/>', "", ""),
    ('<general joint="up" dyntype="integrator" actrange="0 {0}"/>', "", ""),
    ('<general joint="up" dyntype="filter" dynprm=".1" actrange="-{0} {0}"/>', "", ""),
    (
        '<general joint="up" gainprm="10" biastype="affine" biasprm="-20 0 0" '
        'ctrlrange="0 {1}"/>',
        "",
        "",
    ),
    (PULL.format('forcerange="-{0} {0}"'), "", TENDON.format("")),
    (
        PULL.format(""),
        "",
        TENDON.format('actuatorfrclimited="true" actuatorfrcrange="-{0} {0}"'),
    ),
    (PULL.format(""), 'actuatorfrcrange="-{0} {0}"', TENDON.format("")),
]


def limited_lift(way, limit):
    """Return a lift whose motor gives at most so much [N]."""
    drive, joint, more = (text.format(limit, (limit + 20) / 10) for text in way)
    return lift(drive, joint, more=more)


@pytest.mark.parametrize("way", WAYS)
def test_a_motors_limit_counts_wherever_it_is_written(tmp_path, way):
    weak = checked(tmp_path, limited_lift(way, 30))
    assert weak.stands in ("no", "unknown")
    assert "motors" in weak.summary["reasons"][0]


@pytest.mark.parametrize("way", [WAYS[3], WAYS[6]])
def test_a_motor_with_an_odd_limit_that_is_large_enough_holds_it(tmp_path, way):
    assert checked(tmp_path, limited_lift(way, 60)).stands == "yes"


@pytest.mark.parametrize("drive", ['<motor joint="up" {}/>', PULL.format("{}")])
def test_a_motor_that_only_pulls_does_not_hold_a_load_up(tmp_path, drive):
    more = TENDON.format("")
    pulls = lift(drive.format('ctrlrange="-60 0"'), more=more)
    assert checked(tmp_path, pulls).stands in ("no", "unknown")
    pushes = lift(drive.format('ctrlrange="0 60"'), more=more)
    assert checked(tmp_path, pushes).stands == "yes"


def test_a_motor_without_gain_holds_nothing(tmp_path):
    dead = '<general joint="up" gainprm="0"/>'
    assert checked(tmp_path, lift(dead)).stands == "no"
    assert checked(tmp_path, lift(dead.replace("0", "1"))).stands == "yes"


@pytest.mark.parametrize(("least", "stands"), [(-30, "yes"), (0, "unknown")])
def test_motors_that_push_one_way_need_something_to_balance_with(
    tmp_path, least, stands
):
    drive = f'<motor name="{{n}}" joint="{{n}}" forcerange="{least} 30"/>'
    xml = quadruped(drive)
    found = checked(tmp_path, xml)
    # feet stand below the hips, whose torque is next to zero
    assert found.summary["joints"]["torque_share_without_bracing"] < 0.2
    assert found.stands == stands
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.actuator_gainprm[:, 0] = 0.0  # the oracle: a stiff controller in the engine
    model.actuator_biastype[:] = mujoco.mjtBias.mjBIAS_AFFINE
    for a in range(model.nu):
        length = float(data.actuator_length[a])
        model.actuator_biasprm[a, :3] = 3000.0 * length, -3000.0, -90.0
    model.dof_armature[6:] += 0.01
    mujoco.mj_step(model, data, 2500)
    height = 0.2 * 2 * 0.8253 + 0.02  # cos 0.6 = 0.8253
    assert (data.qpos[2] > 0.9 * height) == (stands == "yes")


def test_motors_among_servos_that_push_one_way_need_something_to_balance_with(
    tmp_path,
):
    second = (
        '<body name="load2"><joint name="side" type="slide" axis="1 0 0"/>'
        '<inertial pos="0 0 0" mass=".5" diaginertia=".01 .01 .01"/></body></body>'
        "</body></worldbody>"
    )
    for least, stands in ((-10, "yes"), (0, "unknown")):
        drives = (
            '<position joint="up" kp="9000"/>'
            f'<motor joint="side" forcerange="{least} 10"/>'
        )
        xml = lift(drives).replace("</body></body></worldbody>", second)
        assert checked(tmp_path, xml).stands == stands


def test_what_a_flag_switches_off_helps_no_motor(tmp_path):
    weak = '<motor joint="up" forcerange="-1 1"/>'
    on_stop = lift(weak, 'limited="true" range="0 1"')
    rubbing = lift(weak, 'frictionloss="90"')
    for xml, flag in ((on_stop, NO_STOPS), (rubbing, NO_FRICTION)):
        helped = checked(tmp_path, xml)
        assert helped.stands == "unknown"
        assert "stops and dry friction" in helped.summary["reasons"][0]
        assert checked(tmp_path, flagged(xml, flag)).stands == "no"


def test_a_tie_that_pulls_a_joint_away_is_too_much_for_a_weak_motor(tmp_path):
    tie = '<equality><joint joint1="up" polycoef="{} 0 0 0 0"/></equality>'
    motor = '<motor joint="up" forcerange="-60 60"/>'
    assert checked(tmp_path, lift(motor, more=tie.format(0))).stands == "yes"
    assert checked(tmp_path, lift(motor, more=tie.format(-0.2))).stands != "yes"


def test_a_pose_beyond_a_stop_is_too_much_for_a_weak_motor(tmp_path):
    motor = '<motor joint="up" forcerange="-60 60"/>'
    key = KEY.format(-0.15, "")
    xml = lift(motor, 'limited="true" range="-.01 1"', more=key)
    assert checked(tmp_path, xml).stands != "yes"


BALL = f"""
<mujoco><worldbody>{FLOOR}<body name="plate" pos="0 0 .02"><freejoint/>
  <inertial pos="0 0 0" mass="9" diaginertia=".5 .5 .5"/>{feet()}
  <body name="mast"><joint name="ball" type="ball"/>
    <inertial pos=".1 0 .5" mass="4" diaginertia=".02 .02 .02"/></body></body>
</worldbody><actuator>{{}}</actuator></mujoco>"""
ABOUT = ("1 0 0", "0 1 0", "0 0 1")


def test_one_motor_does_not_hold_a_ball_joint_and_three_do(tmp_path):
    motors = [f'<motor joint="ball" gear="{axis}"/>' for axis in ABOUT]
    assert checked(tmp_path, BALL.format(motors[0])).stands == "no"
    assert checked(tmp_path, BALL.format("".join(motors))).stands == "yes"


def test_one_motor_on_the_sum_of_two_joints_holds_neither(tmp_path):
    slides = "".join(
        f'<body name="load{k}" pos="{x} 0 .3"><joint name="up{k}" type="slide" '
        'axis="0 0 1" damping="20"/><inertial pos="0 0 0" mass="2" '
        'diaginertia=".02 .02 .02"/></body>'
        for k, x in enumerate((-0.1, 0.1))
    )
    text = lift(PULL.format("")).replace('<body name="load"', f'{slides}<body name="x"')
    text = text.replace(
        '<joint name="up" type="slide" axis="0 0 1" damping="20" />', ""
    )
    both = '<joint joint="up0" coef="1"/><joint joint="up1" coef="1"/>'
    line = f'<tendon><fixed name="line">{both}</fixed></tendon></mujoco>'
    assert checked(tmp_path, text.replace("</mujoco>", line)).stands != "yes"


def test_a_slow_filter_begins_where_the_keyframe_has_it(tmp_path):
    drive = servo(100.0, 'timeconst="{}"')
    slow = quadruped(drive.replace("{}", "2"))  # without act its servos begin at zero
    assert checked(tmp_path, slow).stands == "unknown"
    right = "0.6 -1.2 " * 4
    known = slow.replace('ctrl="', f'act="{right}" ctrl="')
    assert checked(tmp_path, known).stands == "yes"


def test_controls_that_arrive_late_are_those_that_count(tmp_path):
    drive = '<position joint="up" kp="9e3" kv="90" {}/>'
    late = drive.format('delay="8" nsample="5000"')
    for told, stands in ((0.0, True), (-0.2, False)):
        key = KEY.format("0", f'ctrl="{told}"')
        found = checked(tmp_path, lift(late, more=key))
        assert (found.stands == "yes") is stands


def test_an_actuator_with_several_controls_is_not_understood(tmp_path):
    if not hasattr(mujoco.mjtGain, "mjGAIN_PID"):
        pytest.skip("no such actuator in this MuJoCo")
    found = checked(tmp_path, lift('<pid name="drive" joint="up" kp="9"/>'))
    assert found.stands == "unknown"
    assert "'drive'" in found.summary["reasons"][0]


ROTOR = """<body name="rotor" pos="0 0 .2"><joint name="turn" axis="0 1 0" damping="5"/>
  <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom type="box" mass="0"
  size=".6 .02 .02"/></body>"""
TURNS = '<intvelocity name="turn" joint="turn" kp="500" actrange="-9 9"/>'


def test_a_joint_that_turns_slowly_is_watched_until_it_meets_the_ground(tmp_path):
    text = lift(TURNS, more=KEY.format("0 0", 'ctrl="{}"'))
    text = text.replace('<body name="load"', f'{ROTOR}<body name="load"')
    text = text.replace('damping="20" ', 'damping="20" stiffness="9e4"')
    assert checked(tmp_path, text.format(0.0)).stands == "yes"
    assert checked(tmp_path, text.format(0.03)).stands != "yes"


def test_a_robot_that_falls_and_gets_up_again_does_not_stand(tmp_path):
    drive = servo(100.0, 'timeconst="0.3"')
    text = quadruped(drive).replace('ctrl="', f'act="{"1.4 -2.6 " * 4}" ctrl="')
    found = checked(tmp_path, text)
    assert found.stands == "unknown"
    assert found.summary["let_go"]["sinks_m"] > 0.05


def test_a_keyframe_in_full_run_is_not_judged_as_at_rest(tmp_path):
    for speed, stands in ((1e-3, "yes"), (2.0, "unknown")):
        key = KEY.format("0", f'qvel="{speed} 0 0 0 0 0 0"')
        assert checked(tmp_path, lift('<motor joint="up"/>', more=key)).stands == stands


RAM = """<body name="ram" pos="-.8 0 {0}"><joint name="ram" type="slide" axis="1 0 0"
  damping="5" frictionloss="{1}"/><geom type="box" size=".05 .05 .05" mass="5"/>
</body>"""
BALL_BEHIND = """<body name="behind" pos="-4 0 .5"><joint name="behind" type="slide"
  axis="1 0 0"/><geom type="box" size=".05 .05 .2" mass="5" contype="2"
  conaffinity="2"/></body>"""


def rammed(drive, ctrl, *, friction=0.0, behind=False, more=""):
    """Return a quadruped beside a ram on a rail, and what may push that."""
    ram = RAM.format(0.5, friction)
    if behind:
        ram = ram.replace("<geom", '<geom contype="3" conaffinity="3"') + BALL_BEHIND
    text = quadruped(servo(100.0), world=ram)
    box = '<geom type="box" size=".1 .1 .2" pos="0 0 .1" mass=".1"/><body name="thigh0"'
    text = text.replace('<body name="thigh0"', box)  # what the ram would meet
    places = "0 " * (1 + behind)
    head, tail = text.split("<worldbody>")[0], text.split("<worldbody>")[1]
    base, rest = tail.split('<key name="start" qpos="')
    pose, told = rest.split('" ctrl="')
    controls, end = told.split('"', 1)
    end = f'ctrl="{controls} {ctrl}"{end}'
    base = base.replace("</actuator>", f"{drive}</actuator>{more}")
    return f'{head}<worldbody>{base}<key name="start" qpos="{places}{pose}" {end}'


def test_a_neighbour_that_is_pushed_only_later_on_is_not_followed(tmp_path):
    ramp = '<general name="ramp" joint="ram" dyntype="integrator"/>'
    still = checked(tmp_path, rammed(ramp, 0, friction=9))
    assert still.stands == "yes"
    pushed = checked(tmp_path, rammed(ramp, 0.4, friction=9))
    assert pushed.stands == "unknown"
    assert "'ramp', whose force changes later on" in pushed.summary["reasons"][0]
    late = '<motor name="late" joint="ram" delay="18" nsample="9900"/>'
    told = checked(tmp_path, rammed(late, 9, friction=0.1)).summary["reasons"][0]
    assert "'late', whose force changes later on" in told


def test_what_hits_a_neighbour_that_can_hit_the_robot_is_watched_too(tmp_path):
    push = '<velocity name="push" joint="behind" kv="200"/>'
    for speed, stands in ((0.0, "yes"), (0.05, "unknown")):
        text = rammed(push, speed, friction=1.0, behind=True)
        found = checked(tmp_path, text)
        assert found.stands == stands
        if speed:
            assert "'behind', which moves" in found.summary["reasons"][0]


TOWER = """<body name="tower" pos=".7 0 0"><joint name="tower" axis="0 1 0"
  damping="{}"/><geom type="capsule" fromto="0 0 .05 -.0003 0 1" size=".03" mass="60"/>
</body>"""


def test_a_tower_that_takes_most_of_a_minute_to_fall_is_watched_for_so_long(tmp_path):
    for damping, stands in ((2300, "unknown"), (1e7, "yes")):
        xml = lift('<motor joint="up"/>').replace(
            '<body name="plate"', f'{TOWER.format(damping)}<body name="plate"'
        )
        assert checked(tmp_path, xml).stands == stands


@pytest.mark.parametrize(
    "tie",
    [
        '<equality><joint joint1="knee0" joint2="ram"/></equality>',
        '<tendon><fixed><joint joint="knee0" coef="1"/><joint joint="ram" coef="1"/>'
        "</fixed></tendon>",
    ],
)
def test_a_joint_tied_to_something_that_moves_is_not_understood(tmp_path, tie):
    still = '<motor joint="ram"/>'
    found = checked(tmp_path, rammed(still, 0, friction=9, more=tie))
    assert found.stands == "unknown"
    assert "to something else" in found.summary["reasons"][0]
