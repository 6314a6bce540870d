"""Robots with other masses, lengths and joints than their own."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, QuantityError, UnknownNameError
from equipoise.robots.changes.numbers import changeable_numbers

LEG = """
<mujoco model="hopper">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="trunk" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" mass="5"/>
      <body name="thigh" pos="0.1 0 0" euler="0 20 0">
        <joint name="hip" axis="0 1 0" damping="0.5"/>
        <geom type="box" pos="0 0 {half}" size="0.02 0.03 {half_size}" mass="2"/>
        <body name="plate" pos="0.01 0 {middle}" euler="0 0 90">
          <geom type="sphere" size="0.02" mass="0.1" pos="0 0.01 0"/>
        </body>
        <body name="shank" pos="0 0 {below}">
          <joint name="knee" axis="0 1 0" pos="0 0 0.1"/>
          <geom type="capsule" fromto="0 0 0.1 0 0 -0.2" size="0.02" mass="1"/>
          <geom name="foot" type="sphere" size="0.03" pos="0 0 -0.2" mass="0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def hopper(folder, length, **options):
    """Return a robot of a file whose thigh is so long, its knee above the shank."""
    path = folder / f"hopper-{length}.xml"
    text = LEG.format(
        half=-length / 2,
        half_size=length / 2,
        middle=-length / 4,
        below=-length - 0.1,
    )
    path.write_text(text)
    return eq.load(path, **options)


def test_a_link_is_stretched_as_a_file_with_a_longer_one_has_it(tmp_path):
    meant = changeable_numbers(hopper(tmp_path, 0.36).model)
    found = changeable_numbers(hopper(tmp_path, 0.3, change="length.thigh=36cm").model)
    plate = 3  # a ball stays one: its second moments are stretched, its place too
    for name, value in vars(found).items():
        other = getattr(meant, name)
        if name == "inertia":
            value, other = np.delete(value, plate, 0), np.delete(other, plate, 0)
        if name == "place":  # the base is raised, see below
            value, other = value[2:], other[2:]
        # Rounding of a compiled model, of numbers of one metre or kilogramme.
        np.testing.assert_allclose(value, other, rtol=0, atol=1e-12, err_msg=name)


def test_a_changed_robot_stands_where_it_stood(tmp_path):
    import mujoco

    heights = []
    for change in ("length.thigh=1x", "length.thigh=1.5x,length.shank=0.5x"):
        model = hopper(tmp_path, 0.3, change=change).model
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        heights.append(data.geom("foot").xpos[2])
    assert heights[1] == pytest.approx(heights[0], abs=1e-12)


@pytest.mark.parametrize("said", ['inertiafromgeom="true"', 'settotalmass="20"'])
def test_what_a_file_says_of_all_masses_does_not_undo_a_change(tmp_path, said):
    path = tmp_path / "said.xml"
    text = LEG.format(half=-0.15, half_size=0.15, middle=-0.075, below=-0.4)
    path.write_text(text.replace("<option", f"<compiler {said}/><option"))
    before = changeable_numbers(eq.load(path).model)
    after = changeable_numbers(eq.load(path, change="mass.thigh=2x").model)
    assert after.mass[2] == pytest.approx(2 * before.mass[2], rel=1e-12)
    assert np.delete(after.mass, 2) == pytest.approx(np.delete(before.mass, 2))
    assert after.inertia[2] == pytest.approx(2 * before.inertia[2], abs=1e-12)


def test_a_change_that_the_file_takes_back_is_refused(tmp_path):
    path = tmp_path / "bound.xml"
    text = LEG.format(half=-0.15, half_size=0.15, middle=-0.075, below=-0.4)
    path.write_text(text.replace("<option", '<compiler boundmass="0.1"/><option'))
    assert eq.load(path, change="mass.thigh=0.2").model.body("thigh").mass == 0.2
    with pytest.raises(ConfigError, match="cannot be changed alone: the file couples"):
        eq.load(path, change="mass.thigh=0.05")


@pytest.mark.parametrize("value", ["3", "3kg", "3000g", "1.5x", 3])
def test_a_mass_keeps_its_spread(tmp_path, value):
    before = hopper(tmp_path, 0.3).model
    after = hopper(tmp_path, 0.3, change={"mass.thigh": value}).model
    assert after.body("thigh").mass == pytest.approx(3.0, rel=1e-12)
    ratio = after.body("thigh").inertia / before.body("thigh").inertia
    assert ratio == pytest.approx(np.full(3, 1.5), rel=1e-9)
    assert after.body("shank").mass == before.body("shank").mass


def test_joints_are_changed_by_pattern(tmp_path):
    model = hopper(tmp_path, 0.3, change="damping.*=2,friction.knee=0.1").model
    assert model.dof_damping[6:] == pytest.approx([2.0, 2.0])
    assert model.dof_frictionloss[6:] == pytest.approx([0.0, 0.1])


def test_feet_of_longer_legs_are_further_from_the_hips():
    one, two = eq.load("warp1"), eq.load("warp1", change="length.*_shank=1.1x")
    assert two.model.nkey == 1
    rise = two.model.key_qpos[0, 2] - one.model.key_qpos[0, 2]
    assert 0.01 < rise < 0.1 * 0.3
    assert eq.check(two).verdict == "yes"


@pytest.mark.parametrize(
    ("change", "kind", "match"),
    [
        ("mass.thigh=0", ConfigError, r"mass.thigh must be 1e-09 to 1e\+06 kg, got 0"),
        ("mass.thigh=nan", QuantityError, "got 'nan'"),
        ("mass.thigh=3m", QuantityError, "mass.thigh takes a mass"),
        ("mass.tigh=3", UnknownNameError, "no body 'tigh'. Did you mean 'thigh'"),
        ("weight.thigh=3", UnknownNameError, "Known: armature, damping"),
        ("mass.thigh", ConfigError, "give WHAT.NAME=VALUE"),
        ("length.trunk=1", ConfigError, "links that a joint moves"),
        ("mass.*=2x,mass.thigh=3", ConfigError, "changed already"),
        ("mass.thigh=1e308kg", QuantityError, "at most 1e.30, got '1e308kg'"),
        ("mass.thigh=1e7kg", ConfigError, r"1e-09 to 1e\+06 kg, got 1e7kg"),
        ("mass.thigh=1e20x", ConfigError, r"1e-09 to 1e\+06 kg, got 1e20x"),
        ("length.thigh=1e-9m", ConfigError, "1e-06 to 10000 m, got 1e-9m"),
        ("stiffness.hip=1e10", ConfigError, r"0 to 1e\+09, got 1e10"),
        ("mass.thigh=\u0663kg", QuantityError, "in the digits 0 to 9"),
        ("damping.hip=-1", ConfigError, r"damping.hip must be 0 to 1e\+09, got -1"),
    ],
)
def test_what_cannot_be_changed_is_said(tmp_path, change, kind, match):
    with pytest.raises(kind, match=match):
        hopper(tmp_path, 0.3, change=change)


def test_a_robot_of_modules_is_not_changed_so():
    with pytest.raises(ConfigError, match="made of modules"):
        eq.load("superbot", modules=4, branches=2, change="mass.*=2x")
