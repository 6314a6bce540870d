"""The door: built-in names, files of three kinds, and what it refuses."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import (
    BadFileError,
    ConfigError,
    EquipoiseError,
    UnknownNameError,
)
from equipoise.robots import builtin_names, random_tree, write_assembly
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.load import load

INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
URDF = f"""<robot name="two">
<link name="trunk"><inertial><mass value="30"/>{INERTIA}</inertial></link>
<link name="leg"><inertial><mass value="3"/>{INERTIA}</inertial></link>
<link name="box"><inertial><mass value="1"/>{INERTIA}</inertial></link>
<joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="50" velocity="3"/></joint>
<joint name="weld" type="fixed"><parent link="trunk"/><child link="box"/></joint>
</robot>"""
MJCF = """<mujoco model="ball"><worldbody><body name="ball"><freejoint/>
<geom size="1" mass="2"/></body></worldbody></mujoco>"""
BOMB = """<!DOCTYPE robot [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<robot name="&b;"><link name="a"/></robot>"""
NO_MESH = """<mujoco><asset><mesh name="x" file="no.stl"/></asset><worldbody><body>
<geom type="mesh" mesh="x"/></body></worldbody></mujoco>"""


def test_the_built_in_robot_takes_the_options_of_tree_and_module():
    ours = ("ralphy", "sap", "thing", "titan3", "titan4", "titan6", "tum", "warp1")
    others = ("asv", "biped", "insect", "superbot")
    assert builtin_names() == tuple(sorted((*others, *ours)))
    robot = load(
        "superbot", modules=6, branches=2, seed=3, kind="conro", mass_scale=0.2
    )
    module = SuperbotModule(kind="conro", mass_scale=0.2)
    assert robot.assembly == random_tree(6, 2, 3, module=module).assembly
    assert load("superbot").assembly == random_tree().assembly
    assert (
        load("superbot", module=module, modules=2, branches=1).assembly.module == module
    )


def test_an_assembly_file_loads_as_the_same_arrays_every_time(tmp_path: Path):
    path = tmp_path / "tree.yml"
    made = random_tree(7, 3, 5, "random", mount="free")
    write_assembly(made.assembly, path)
    one, two = load(path), load(str(path))
    assert one.assembly == two.assembly == made.assembly
    for name in (
        "body_pos",
        "body_quat",
        "body_mass",
        "jnt_axis",
        "key_qpos",
        "geom_rgba",
    ):
        first, second, third = (getattr(r.model, name) for r in (one, two, made))
        np.testing.assert_array_equal(first, second)  # exact: the same sums
        np.testing.assert_array_equal(first, third)


@pytest.mark.parametrize(("base", "nv"), [(None, 7), ("free", 7), ("fixed", 1)])
def test_a_urdf_keeps_all_its_mass_and_links(tmp_path: Path, base, nv: int):
    """MuJoCo alone keeps 3 of these 34 kg."""
    path = tmp_path / "two.urdf"
    path.write_text(URDF)
    alone = mujoco.MjModel.from_xml_path(str(path))
    assert alone.body_mass.sum() == 3.0
    robot = load(path, base=base) if base else load(path)
    model = robot.model
    assert model.body_mass.sum() == 34.0
    assert {model.body(k).name for k in range(1, 4)} == {"trunk", "leg", "box"}
    assert (robot.name, robot.base, model.nv) == ("two", "trunk", nv)
    assert model.actuator("hip").ctrlrange.tolist() == [-50.0, 50.0]


def test_the_root_element_decides_what_an_xml_file_is(tmp_path: Path):
    (tmp_path / "urdf.xml").write_text(URDF)
    (tmp_path / "mjcf.xml").write_text(MJCF)
    assert load(tmp_path / "urdf.xml").model.body_mass.sum() == 34.0
    ball = load(tmp_path / "mjcf.xml")
    assert (ball.name, ball.base, ball.model.nv) == ("ball", "ball", 6)
    with pytest.raises(UnknownNameError, match=r"no moving base 'fixed'\. Known: ball"):
        load(tmp_path / "mjcf.xml", base="fixed")
    with pytest.raises(
        ConfigError, match="must be 'free', 'fixed' or one of its links, got 'flying'"
    ):
        load(tmp_path / "urdf.xml", base="flying")


BAD = {
    "empty.urdf": ("", "is empty; a URDF or MJCF robot was expected"),
    "blank.xml": (" \n", "is empty"),
    "binary.xml": (bytes(range(256)), "is not complete XML"),
    "half.urdf": (URDF[:200], "is not complete XML"),
    "bomb.xml": (BOMB, "has a DOCTYPE"),
    "other.xml": ("<svg/>", "has the root element <svg>, expected <robot> or <mujoco>"),
    "bodiless.urdf": ('<robot name="a"/>', "has no bodies"),
    "bodiless.xml": ("<mujoco/>", "has no bodies"),
    "nan.urdf": (URDF.replace('"30"', '"nan"'), "has a NaN in <mass value> on line 2"),
    "negative.urdf": (URDF.replace('"30"', '"-1"'), "has the mass -1 kg on line 2"),
    "massless.urdf": ('<robot name="a"><link name="a"/></robot>', "MuJoCo .* mass"),
    "mesh.xml": (NO_MESH, "MuJoCo cannot use it: .*no.stl"),
    "robot.step": (URDF, "name one that ends in .yaml, .yml, .urdf, .xml, .xacro"),
    "noending": (URDF, "name one that ends in .yaml, .yml, .urdf, .xml"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gets_one_sentence(tmp_path: Path, name: str):
    content, match = BAD[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadFileError, match=match) as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 400


def test_files_that_are_not_there_not_plain_or_too_large(tmp_path: Path):
    for ending in ("yaml", "urdf", "xml"):
        with pytest.raises(BadFileError, match="there is no such file"):
            load(tmp_path / f"none.{ending}")
        folder = tmp_path / f"folder.{ending}"
        folder.mkdir()
        with pytest.raises(BadFileError, match="is a folder"):
            load(folder)
        with pytest.raises(BadFileError, match="is not a usable path"):
            load(f"a\0b.{ending}")
    with pytest.raises(BadFileError, match="is a folder"):
        load(tmp_path)
    large = tmp_path / "large.xml"
    with large.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(BadFileError, match=r"is 65.0 MiB, at most 64 are read"):
        load(large)


@pytest.mark.parametrize(
    ("name", "options", "match"),
    [
        ("superbo", {}, r"no robot 'superbo' \(did you mean 'superbot'\?\)"),
        ("", {}, "no robot '': take colt or squire, "),
        ("superbot", {"sed": 3}, "no option 'sed'. Did you mean 'seed'"),
        (
            "biped",
            {"heigth": 1.6},
            "'biped' has no option 'heigth'. Did you mean 'height'",
        ),
        ("superbot", {"kind": "atron"}, "kind must be one of"),
        ("superbot", {"modules": "3"}, "modules must be a whole number, got '3'"),
        (
            "superbot",
            {"module": SuperbotModule(), "mass": 1.0},
            "either module or mass",
        ),
        ("tree.yaml", {"seed": 1}, "the assembly file tree.yaml has no option 'seed'"),
        ("two.urdf", {"seed": 1}, "the robot file two.urdf has no option 'seed'"),
    ],
)
def test_unknown_names_and_options(name: str, options: dict, match: str):
    with pytest.raises(EquipoiseError, match=match):
        load(name, **options)
    with pytest.raises((UnknownNameError, ConfigError)):
        load(name, **options)
