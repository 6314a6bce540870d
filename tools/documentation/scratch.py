"""A folder with the files that the documentation's readers have: robots, poses."""

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

__all__ = ["fill"]

URDFS = {
    "go2.urdf": "go2.urdf",
    "g1.urdf": "g1_29dof_rev_1_0.urdf",
    "anymal.urdf": "anymal.urdf",
    "hyq.urdf": "hyq_no_sensors.urdf",
    "talos.urdf": "talos_reduced.urdf",
    "dog.urdf": "solo12.urdf",
    "my.urdf": "go2.urdf",
    "my_robot.urdf": "go2.urdf",
    "old.urdf": "go2.urdf",
    "robot.urdf": "go2.urdf",
    "arm.urdf": "ur5_robot.urdf",
}
"""Names that pages use, and the public robot that is meant."""

TEXTS = {
    "pose.yaml": "".join(
        f"{leg}_{joint}: {angle}\n"
        for leg in ("FL", "FR", "RL", "RR")
        for joint, angle in (("thigh_joint", 0.7), ("calf_joint", -1.4))
    ),
    "motors.yaml": '"*_calf_joint": {torque: 45, speed: 16, armature: 0.04}\n',
    "heavy_feet.yaml": '{drives: {"*_calf_joint": {torque: 45}}}\n',
    "scene.xml": """<mujoco model="scene">
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <body name="trunk" pos="0 0 0.3">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.03" mass="4"/>
      <geom name="fl" type="capsule" fromto="0.17 0.1 0 0.17 0.1 -0.28" size="0.02"/>
      <geom name="fr" type="capsule" fromto="0.17 -0.1 0 0.17 -0.1 -0.28" size="0.02"/>
      <geom name="rl" type="capsule" fromto="-0.17 0.1 0 -0.17 0.1 -0.28" size="0.02"/>
      <geom name="rr" type="capsule" size="0.02"
        fromto="-0.17 -0.1 0 -0.17 -0.1 -0.28"/>
    </body>
    <body name="crate" pos="1 0 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
    </body>
  </worldbody>
  <keyframe>
    <key name="home" qpos="0 0 0.3 1 0 0 0 1 0 0.1 1 0 0 0"/>
  </keyframe>
</mujoco>
""",
}
ASSEMBLIES = ("lamp.yaml", "tripod.yaml", "robot.yaml", "my.yaml")
CART = """from equipoise.equations import System

S = System("cart")
x, q = S.coords("x q")
v, w = S.speeds("v w")
S.kde(x=v, q=w)
(f,) = S.inputs("f")
M, m, L, g = S.parameters("M m L g", 2.0, 0.5, 0.6, 9.81)
n = S.inertial("n")
a = n.rot("a", 2, q)
cart = S.body("cart", M, n[x, 0, 0])
bob = S.body("bob", m, n[x, 0, 0] + a[0, 0, L])
S.force(bob, n[0, 0, -m * g])
S.force(cart, n[f, 0, 0])
"""


def public_robots() -> dict[str, Path]:
    """Return the URDF files of ``example-robot-data`` by name."""
    try:
        listed = files("example-robot-data") or []
    except PackageNotFoundError:
        return {}
    found = [Path(str(f.locate())) for f in listed if f.suffix == ".urdf"]
    return {path.name: path.resolve() for path in found}


def with_meshes(urdf: Path) -> str:
    """Return a robot file's text with its meshes named by where they are."""
    text = urdf.read_text(encoding="utf-8")
    share = next(up for up in urdf.parents if up.name == "example-robot-data").parent
    return text.replace("package://", f"{share}/")


def fill(folder: Path) -> None:
    """Put the readers' files into a folder.

    Args:
        folder: an empty one.
    """
    public = public_robots()
    for name, of in URDFS.items():
        if of in public:
            (folder / name).write_text(with_meshes(public[of]), encoding="utf-8")
    for name, text in {**TEXTS, "cart.py": CART}.items():
        (folder / name).write_text(text, encoding="utf-8")
    from equipoise.robots import random_assembly, write_assembly

    for seed, name in enumerate(ASSEMBLIES):
        write_assembly(random_assembly(6, 2, seed=seed), folder / name)
