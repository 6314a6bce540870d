"""Files that would take minutes are answered in seconds, with why nobody knows."""

import re
import time

import mujoco
import pytest

import equipoise as eq
from equipoise.robots.scene import engine_work
from equipoise.robots.scene.engine_work import EngineWork, tree_work
from equipoise.runs.check import size
from equipoise.runs.check.remedies import find
from equipoise.sim import let_go, neighbours
from equipoise.stability.drives import elements
from equipoise.stability.engine import floor
from oracles.driven_robots import FLOOR, PADS, lift
from oracles.scenes import scene_from

BLOCK = (
    '<body name="block" pos="3 0 .1"><freejoint/>'
    '<geom type="box" size=".1 .1 .1"/></body>'
)
SERVO = '<position joint="up" kp="9000" kv="20"/>'
SECONDS = 15.0  # of processor on a busy machine; 4 s where there is nothing else


def loaded(tmp_path, xml):
    path = tmp_path / "robot.xml"
    path.write_text(xml)
    return eq.load(path)


@pytest.fixture
def stands(tmp_path):
    """Return the answer and the reasons of a file."""

    def answer(xml, **settings):
        found = eq.check(loaded(tmp_path, xml), **settings)
        return found.stands, " | ".join(found.summary["reasons"])

    return answer


def soles(count, more=""):
    """Return a plate on boxes in rows."""
    side = round(count**0.5)
    boxes = "".join(
        f'<geom type="box" size=".01 .01 .05" mass=".01" '
        f'pos="{0.03 * (k % side):.3f} {0.03 * (k // side):.3f} 0"/>'
        for k in range(count)
    )
    return (
        f'<mujoco><worldbody>{FLOOR}<body name="b" pos="0 0 .05"><freejoint/>{boxes}'
        f"{more}</body></worldbody></mujoco>"
    )


def hinges(count, *, chain=True):
    """Return a plate on four balls with sprung hinges, one on the other or not."""
    feet = "".join(f'<geom size=".02" pos="{x} {y} 0" mass="1"/>' for x, y in PADS)
    axes = ("1 0 0", "0 1 0", "0 0 1") if chain else ("0 1 0",)
    each = "".join(
        f'<joint axis="{axis}" damping=".1" stiffness="100"/>' for axis in axes
    )
    geom = '<geom size=".002" mass=".001" contype="0" conaffinity="0"/>'
    link = f'<body pos="0 0 .0005">{each}{geom}'
    many = count // len(axes)
    links = link * many + "</body>" * many if chain else f"{link}</body>" * many
    return (
        f'<mujoco><worldbody>{FLOOR}<body name="plate" pos="0 0 .02"><freejoint/>'
        f"{feet}{links}</body></worldbody></mujoco>"
    )


def test_a_robot_of_too_many_shapes_is_not_judged(stands, monkeypatch):
    assert stands(soles(9))[0] == "yes"
    monkeypatch.setattr(size, "MOST_SHAPES", 9)
    assert stands(soles(9))[0] == "yes"
    monkeypatch.setattr(size, "MOST_SHAPES", 8)
    want = "it has 9 shapes that can touch the ground; at most 8 are judged"
    assert stands(soles(9)) == ("unknown", want)


def test_a_robot_of_too_many_joints_is_not_judged(stands, monkeypatch):
    text = lift(SERVO)
    monkeypatch.setattr(size, "MOST_JOINTS", 7)
    assert stands(text)[0] == "yes"
    monkeypatch.setattr(size, "MOST_JOINTS", 6)
    want = "it has 7 degrees of freedom; at most 6 are judged"
    assert stands(text) == ("unknown", want)


def test_a_trial_that_takes_too_long_is_not_made(stands, monkeypatch):
    monkeypatch.setattr(let_go, "MOST_WORK", 1e3)
    answer, why = stands(lift(SERVO))
    assert answer == "unknown" and why.startswith(let_go.TOO_LARGE)
    monkeypatch.setattr(let_go, "MOST_STEPS", 10)
    assert stands(lift(SERVO))[1].startswith(let_go.TOO_SHORT)


def test_a_trial_is_not_refused_for_a_hard_start(stands, monkeypatch):
    """Contacts of a robot just placed take the solver many turns, and soon few."""
    plain = EngineWork.step

    def hard_at_first(self, data):
        is_start = data.time < 3.5 * self._model.opt.timestep
        return plain(self, data) * (1e4 if is_start else 1.0)

    monkeypatch.setattr(EngineWork, "step", hard_at_first)
    assert stands(lift(SERVO))[0] == "yes"


def test_a_rest_that_takes_too_long_is_not_looked_for(stands, monkeypatch):
    monkeypatch.setattr(elements, "MOST_WORK", 1e3)
    answer, why = stands(lift(SERVO))
    assert answer == "unknown"
    assert "it has too many joints to find its equilibrium on its own drives" in why


def test_neighbours_that_take_too_long_are_not_watched(stands, monkeypatch):
    text = soles(9).replace("</worldbody>", f"{BLOCK}</worldbody>")
    assert stands(text)[0] == "yes"
    monkeypatch.setattr(neighbours, "MOST_WORK", 1e3)
    answer, why = stands(text)
    assert answer == "unknown" and "too many or touch too much to watch" in why


def test_contacts_that_take_too_long_are_not_followed(stands, monkeypatch):
    whole = stands(soles(4))[1]
    assert "tips it over" in whole or "tip it over" in whole
    monkeypatch.setattr(floor, "_MOST_LOOKS", 1.0)
    answer, why = stands(soles(4), ground="engine")
    assert answer == "unknown" and floor._TOO_MUCH in why


def test_what_tips_it_over_is_not_asked_of_too_many_contacts(stands, monkeypatch):
    monkeypatch.setattr(floor, "_MOST_LOOKS", 400.0)  # its rest takes 150, tipping 4000
    answer, why = stands(soles(4), ground="engine")
    assert answer == "yes" and "too many contacts to find what tips it over" in why
    assert "may tip" not in why


def test_no_remedies_are_searched_for_in_large_files(tmp_path, monkeypatch):
    small = loaded(tmp_path, soles(9))
    assert find.is_searched(small)
    for name in ("MOST_BODIES", "MOST_SHAPES", "MOST_JOINTS"):
        with monkeypatch.context() as patch:
            patch.setattr(find, name, 1)
            assert not find.is_searched(small)


def test_work_is_counted_alike_whatever_the_pieces(monkeypatch):
    model = mujoco.MjModel.from_xml_string(soles(16))
    ends = []
    for piece in (engine_work.PIECE, 1.0):
        monkeypatch.setattr(engine_work, "PIECE", piece)
        data = mujoco.MjData(model)
        assert EngineWork(model, 1e9).run(data, 40)
        ends.append((data.time, data.qpos.tolist()))
    assert ends[0] == ends[1]
    work = EngineWork(model, 20.0 * tree_work(model))
    data = mujoco.MjData(model)
    assert work.run(data, 1) and not work.can_step(data, 100)
    assert not work.run(data, 100)
    assert data.time < 0.05


def test_a_chain_takes_more_work_than_as_many_joints_side_by_side():
    chain, comb = (
        tree_work(mujoco.MjModel.from_xml_string(hinges(60, chain=c)))
        for c in (True, False)
    )
    assert chain > 1.5 * comb


@pytest.mark.slow
@pytest.mark.parametrize(
    ("xml", "want"),
    [
        (hinges(900), "for a trial in the engine"),
        (hinges(2700, chain=False), "2,706 degrees of freedom"),
        (soles(4900), "4,900 shapes"),
        (soles(1600), "for a trial in the engine"),
        (soles(484, '<geom size=".05" pos="2 0 1" mass="50"/>'), "it tips"),
        (scene_from(700397).xml, "not known whether it stands"),
    ],
    ids=["chain", "comb", "feet", "soles", "tipping soles", "uneven contacts"],
)
def test_a_hostile_file_is_answered_in_seconds(tmp_path, xml, want):
    robot, before = loaded(tmp_path, xml), time.process_time()
    found = eq.check(robot)
    assert found.remedies is not None
    assert time.process_time() - before < SECONDS
    assert re.search(want, " | ".join(found.summary["reasons"]))
