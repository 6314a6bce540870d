"""What a check says about the contacts of a simulator."""

import mujoco
import pytest

from equipoise.runs.check.floor import floor_answer


def lamp(offset=0.0, solref="0.02 1", more="", timestep=0.002):
    """Return a tall lamp on a small foot; hinged, so that its contacts are soft."""
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option timestep="{timestep}">{more}</option>
      <default><geom solref="{solref}"/></default>
      <worldbody><geom type="plane" size="0 0 1"/>
      <body name="lamp" pos="0 0 0.02"><freejoint/>
        <geom type="box" size="0.06 0.06 0.02" mass="0.1"/>
        <body name="stem"><joint axis="0 1 0"/>
          <geom type="capsule" size="0.01" fromto="0 0 0.02 0 0 1" mass="0.2"/>
          <geom size="0.05" pos="{offset} 0 1" mass="5"/></body></body>
      </worldbody></mujoco>""")


def answered(model):
    return floor_answer(model, model.qpos0, 1)


def test_one_that_stands_says_how_it_leans_and_what_would_do():
    found = answered(lamp(0.02, "0.006 1"))
    assert found.stands == "yes"
    assert "it leans by" in found.sentence and "J tip it over" in found.sentence
    assert f"solref of at most {found.summary['solref_limit']:.3g}" in found.sentence
    assert found.summary["solref"] == [0.006]
    assert found.summary["energy_left_j"] > 0 and found.summary["lean_deg"] > 0
    assert len(found.summary["contacts"]) == 4
    weight = sum(contact["force"] for contact in found.summary["contacts"])
    assert weight == pytest.approx(5.3 * 9.81, rel=1e-9)  # solver: 1e-11 of the weight


def test_one_that_tips_says_what_would_do():
    found = answered(lamp(0.03, "0.05 1"))
    assert found.stands == "no" and found.summary["energy_left_j"] is None
    limit = found.summary["solref_limit"]
    assert f"tips over; solref of at most {limit:.3g} would do" in found.sentence
    assert limit < 0.05


def test_a_time_constant_that_the_timestep_forbids_is_said():
    limit = answered(lamp(0.03, "0.05 1")).summary["solref_limit"]
    found = answered(lamp(0.03, "0.05 1", timestep=0.75 * limit))
    assert f"timestep must be at most {limit / 2:.3g} s" in found.sentence


def test_outside_its_foot_nothing_would_do():
    found = answered(lamp(0.08))
    assert found.stands == "no"
    assert "no stiffness of its contacts would do" in found.sentence


def test_a_stiffness_given_directly_is_told_as_a_factor():
    found = answered(lamp(0.02, "-30000 -300"))
    assert found.stands == "yes" and found.summary["solref_limit"] is None
    factor = found.summary["stiffness_factor"]
    assert f"contacts {factor:.3g} times as stiff would do" in found.sentence


def test_what_is_not_understood_is_not_known():
    found = answered(lamp(more='<flag diagexact="enable"/>'))
    assert found.stands == "unknown" and "diagexact" in found.sentence
