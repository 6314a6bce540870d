"""The runs that ``digests.py`` records: over all commands, a few seconds each.

Only what users see is used, the command line and ``import equipoise``, so that one list
serves checkouts whose insides differ. A run's name starts with its group.
"""

from typing import NamedTuple

__all__ = ["FILES", "RUNS", "Run", "chosen"]


class Run(NamedTuple):
    """One run, in a process of its own."""

    name: str
    steps: tuple[str, ...] = ()
    """Commands one after the other, in one folder; what the last prints is kept."""
    script: str = ""
    """Python instead of commands."""

    @property
    def group(self) -> str:
        """What the name starts with."""
        return self.name.split("/")[0]


MJCF = """<mujoco model="stool"><compiler angle="radian"/>
<default><geom friction="0.8"/></default>
<worldbody><geom name="floor" type="plane" size="2 2 .1"/>
<body name="seat" pos="0 0 .35"><freejoint name="root"/>
<geom name="trunk" type="box" size=".2 .15 .05" mass="4"/>
<body name="l1" pos=".15 .1 0"><joint name="j1" axis="0 1 0" range="-1 1"/>
<geom name="f1" type="capsule" size=".03" fromto="0 0 0 0 0 -.3" mass=".5"/></body>
<body name="l2" pos=".15 -.1 0"><joint name="j2" axis="0 1 0" range="-1 1"/>
<geom name="f2" type="capsule" size=".03" fromto="0 0 0 0 0 -.3" mass=".5"/></body>
<body name="l3" pos="-.15 0 0"><inertial mass="1" pos="0 0 -.1" diaginertia=".1 .1 .1"/>
<geom name="f3" type="capsule" size=".03" fromto="0 0 0 0 0 -.3"/></body></body>
</worldbody><actuator><motor joint="j1" ctrlrange="-5 5"/></actuator>
<keyframe><key name="start" qpos="0 0 .33 1 0 0 0 0 0"/></keyframe></mujoco>"""
INERTIA = '<inertia ixx=".1" iyy=".1" izz=".9" ixy="0" ixz="0" iyz="0"/>'
URDF = f"""<robot name="arm">
<link name="a"><inertial><origin xyz="0 0 .1"/><mass value="2"/>{INERTIA}</inertial>
<collision><origin xyz="0 0 .05" rpy="0 0 0"/>
<geometry><box size=".4 .3 .1"/></geometry></collision></link>
<link name="c"><inertial><mass value="1"/>{INERTIA}</inertial>
<collision><geometry><cylinder radius=".05" length=".3"/></geometry></collision></link>
<joint name="ac" type="revolute"><parent link="a"/><child link="c"/><axis xyz="0 1 0"/>
<origin xyz="0 0 .2" rpy="0 0 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/>
</joint></robot>"""
LAMP = """equipoise: assembly/1
name: lamp
module: {kind: superbot, mass_scale: 0.1}
modules:
  foot: [0.0, 0.0, 0.0]
  arm: [0.5, 0.0, 0.3]
  neck: [0.0, 1.0, 0.0]
  head: [0.0, 0.0, -0.4]
connections:
  - {from: foot.b_front, to: arm.a_front}
  - {from: arm.b_front, to: neck.a_front, turn: 90}
  - {from: neck.b_left, to: head.a_front}
ground: {at: foot.a_front, mount: fixed}
"""
CART = """from equipoise.equations import System
cart = System("cart")
x, q = cart.coords("x q")
v, w = cart.speeds("v w")
cart.kde(x=v, q=w)
(f,) = cart.inputs("f")
M, m, L, g = cart.parameters("M m L g", 2.0, 0.5, 0.6, 9.81)
n = cart.inertial("n")
a = n.rot("a", 2, q)
trolley = cart.body("cart", M, n[x, 0, 0])
bob = cart.body("bob", m, n[x, 0, 0] + a[0, 0, L])
cart.force(bob, n[0, 0, -m * g])
cart.force(trolley, n[f, 0, 0])
"""
FILES = {
    "stool.xml": MJCF,
    "arm.urdf": URDF,
    "lamp.yaml": LAMP,
    "cart.py": CART,
    "pose.yaml": "ac: -0.4\n",
}
"""Lie in the folder in which a run starts."""

DOOR = """
import json
from pathlib import Path
import numpy as np
import equipoise as eq
out = Path("out")
out.mkdir()
def tell(name, summary, arrays):
    (out / f"{name}.json").write_text(json.dumps(summary))
    np.savez(out / f"{name}.npz", **arrays)
"""
"""How every script begins."""

SIMULATE = f"""{DOOR}
for name, options, law, settings in (
    ("tree", dict(modules=8, seed=3), None, dict(seconds=0.5)),
    ("conro", dict(modules=5, seed=1, kind="conro"), "momentum",
     dict(seconds=0.3, loss=0.1, target=(0.05, 0.02))),
    ("small", dict(height=1.4, body_mass=40.0), None,
     dict(seconds=0.5, block_mass=1.0, block_speed=3.0)),
):
    robot = "biped" if "height" in options else "superbot"
    result = eq.simulate(eq.load(robot, **options), law, **settings)
    kept = result.dataset.variables.items()
    tell(name, result.summary, {{key: value.values for key, value in kept}})
walk = eq.simulate(eq.load("warp1"), seconds=2.5, gait="trot", speed=0.3)
tell("walk", walk.summary, {{}})
"""
CHECK = f"""{DOOR}
for name, options in (
    ("warp1", {{}}),
    ("warp1", dict(ground_stiffness=1000.0)),
    ("biped", dict(slope_deg=10.0, heading_deg=90.0)),
    ("stool.xml", dict(friction=0.5, settle=False)),
):
    result = eq.check(eq.load(name), **options)
    arrays = dict(polygon=result.polygon, region=result.region)
    tell("-".join([name, *options]), result.summary, arrays)
"""
LOAD = f"""{DOOR}
for name, options in (
    ("superbot", dict(seed=4)), ("biped", {{}}), ("warp1", dict(payload=20.0)),
    ("lamp.yaml", {{}}), ("arm.urdf", {{}}), ("stool.xml", {{}}),
):
    robot = eq.load(name, **options)
    model = robot.model
    fields = ("body_mass body_inertia body_ipos body_iquat body_pos body_quat "
              "jnt_range jnt_axis qpos0 geom_size geom_pos key_qpos dof_armature")
    tell(name, [robot.name], {{f: getattr(model, f) for f in fields.split()}})
    robot.write_mjcf(out / f"{{name}}.xml")
equations = eq.derive(eq.load("warp1"), engine="numpy")
tell("derive", equations.parameters, dict(start=equations.start))
"""

LAWS = ("default", "distance", "module", "momentum", "rate", "transpose", "upright")
STANCES = ("workspace", "workspace-cone", "workspace-step")
TREE = "balance --modules 7 --branches 3 --seed 2 --seconds 0.6"
STAND = "balance biped --seconds 0.8"
WALK = "walk --seconds 2.5"
ROUGH = "--stiffness-tolerance 0.2 --com-tolerance 0.01"
LIMITS = "limits --controller workspace --pushes 1 --timestep 0.002 --processes 1"
IDEAL = "--actuators ideal --sensors ideal"
TERRAINS = {
    "flat": "flat",
    "slope": "slope:10",
    "blocks": "blocks:3",
    "soft": "soft:40000",
}


def group(name: str, first: str, *rest: tuple[str, str]) -> list[Run]:
    """Return runs of one command.

    Args:
        name: of the group.
        first: the command with what all of them share.
        rest: name and further words of each.
    """
    return [Run(f"{name}/{own}", (f"{first} {words}",)) for own, words in rest]


RUNS = [
    # By far the longest, so that it is not what one waits for in the end.
    Run("limits/biped", (LIMITS,)),
    *group("balance", TREE, *((law, f"--controller {law}") for law in LAWS)),
    *group(
        "balance",
        "balance",
        ("random", "--modules 5 --angles random --loss 0.2 --seed 5 --seconds 0.4"),
        ("target", "lamp.yaml --seconds 0.4 --target 0.05,0.02,0.2 --hop-delay-ms 2"),
        ("bare", "--modules 5 --no-contacts --no-gravity-compensation --seconds 0.4"),
    ),
    Run("balance/compare", ("balance --compare --modules 4 --seconds 0.3",)),
    *group("stand", STAND, *((law, f"--controller {law}") for law in STANCES)),
    *group(
        "stand",
        STAND,
        ("late", "--delay-ms 4 --torque-limit 150 --friction 0.5 --feet spheres"),
        ("small", "--height 1.2 --body-mass 30 --block-mass 0.5 --timestep 0.001"),
    ),
    *group("walk", WALK, *((k, f"--terrain {t}") for k, t in TERRAINS.items())),
    *group(
        "walk",
        f"{WALK} {IDEAL}",
        *((f"{k}-ideal", f"--terrain {t}") for k, t in TERRAINS.items()),
    ),
    *group(
        "walk",
        WALK,
        ("crawl", "--gait crawl --seed 1"),
        ("elastic", "--actuators elastic --turn 0.2 --left 0.1 --payload 10"),
        ("skyhook", "--balance skyhook --reflexes deadman,freeze --friction 0.5"),
        ("standing", "--support standing --motion still --balance posture"),
        ("falls", "--balance none --reflexes '' --push 120 --terrain slope:25"),
        ("seeds", "--seeds 2"),
    ),
    *group(
        "walk",
        "walk --seconds 3 --stop-at 2.6",
        ("pushed", "--push 15 --force 20 --ground weak --knees inwards"),
    ),
    *group(
        "check",
        "check",
        ("warp1", "warp1"),
        ("superbot", "superbot --seed 3"),
        ("soft", "warp1 --ground-stiffness 1000"),
        ("uncertain", "warp1 --slope 20 --com-tolerance 0.05 --mass-tolerance 0.1"),
        ("rough", "warp1 --ground-stiffness 20000 --leg-stiffness 9000 " + ROUGH),
        ("limited", "warp1 --torque-limits 60"),
        ("set", "biped --keyframe set --slope 8:90 --friction 0.4"),
        ("engine", "stool.xml --ground engine"),
        ("foot", "stool.xml --foot left=f1,f2 --ground-stiffness 5000 --no-settle"),
        ("posed", "arm.urdf --base free --pose pose.yaml"),
        ("unknown", "warp1 --keyframe nowhere"),
    ),
    Run("check/recorded", (f"{STAND} --block-mass 4", "check biped --run out/run.nc")),
    *group("lint", "lint", ("urdf", "arm.urdf"), ("mjcf", "stool.xml")),
    *group("mass", "mass", ("tree", "--seed 1"), ("biped", "biped --height 1.5")),
    *group(
        "gait",
        "gait",
        ("trot", "trot"),
        ("crawl", "crawl --angle 20 --speed 0.1 --swing hermite"),
        ("tripod", "tripod"),
        ("turning", "turning --turn 15"),
    ),
    *group("linearize", "linearize", ("biped", "biped"), ("warp1", "warp1")),
    *group(
        "derive",
        "derive",
        ("biped", "biped --outputs com,feet"),
        (
            "warp1-simd",
            "warp1 --target simd --attitude quaternion --parameters general",
        ),
        (
            "superbot-avr",
            "superbot --modules 3 --target atmega128 --parameters numbers",
        ),
        ("script", "cart.py:cart --target cortex-m --precision single"),
    ),
    *group(
        "modules",
        "modules",
        ("torture", "torture --seeds 40 --seed 7"),
        ("run", "run --modules 4 --branches 2 --seconds 0.3 --processes 2"),
        ("firmware", "firmware"),
    ),
    *(Run(f"list/{name}", (name,)) for name in ("robots", "controllers")),
    Run(
        "view/page", ("balance --modules 3 --seconds 0.2", "view out/run.nc --no-open")
    ),
    Run("reproduce/ridderstrom-1", ("reproduce ridderstrom2003 --part 1",)),
    Run("door/simulate", script=SIMULATE),
    Run("door/check", script=CHECK),
    Run("door/load", script=LOAD),
]


def chosen(only: str) -> list[Run]:
    """Return the runs whose names begin with one of several words; all without any.

    Args:
        only: words, with commas between them.

    Raises:
        SystemExit: a word with which no name begins.
    """
    words = [word for word in only.split(",") if word]
    for word in words:
        if not any(run.name.startswith(word) for run in RUNS):
            raise SystemExit(f"no run begins with '{word}'; see tools/digests.py list")
    return [r for r in RUNS if not words or r.name.startswith(tuple(words))]
