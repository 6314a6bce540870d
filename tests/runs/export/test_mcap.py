"""A run in an MCAP file, read back by other packages and compared number by number."""

import json
from collections import defaultdict

import mujoco
import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import equipoise as eq
from equipoise.runs.export.foxglove.messages import direction_message
from equipoise.runs.export.foxglove.shapes import ground_update, robot_update

reader = pytest.importorskip("mcap.reader")
decoder = pytest.importorskip("mcap_protobuf.decoder")
pytest.importorskip("foxglove_schemas_protobuf")

SECOND = 10**9


def read(path):
    """Every message by topic, as (time in ns, message), and the file's summary."""
    found = defaultdict(list)
    with path.open("rb") as file:
        log, kinds = reader.make_reader(file), decoder.DecoderFactory()
        for schema, channel, message in log.iter_messages():
            if channel.message_encoding == "json":
                content = json.loads(message.data)
            else:
                content = kinds.decoder_for("protobuf", schema)(message.data)
            found[channel.topic].append((message.log_time, content))
        metadata = {m.name: m.metadata for m in log.iter_metadata()}
    return found, metadata


@pytest.fixture(scope="session")
def log(walked, tmp_path_factory):
    path = eq.export(walked, tmp_path_factory.mktemp("log") / "run.mcap")
    return read(path)


def values(tree):
    """The numbers of nested objects, in order; null is NaN."""
    if isinstance(tree, dict):
        return [x for branch in tree.values() for x in values(branch)]
    return [np.nan if tree is None else tree]


def test_every_signal_with_a_time_is_there_to_the_last_bit(walked, log):
    found = log[0]
    compared = 0
    for axis, topic in (("time", "/signals"), ("frame_time", "/frame_signals")):
        times = np.array([time for time, _ in found[topic]])
        assert (times == np.rint(walked[axis].values * SECOND)).all()
        for name, signal in walked.data_vars.items():
            if signal.dims[:1] == (axis,):
                ours = np.array([values(message[name]) for _, message in found[topic]])
                theirs = signal.values.reshape(len(times), -1)
                assert np.array_equal(ours, theirs, equal_nan=True), name
                compared += 1
    assert compared > 30
    at = found["/signals"][40][1]["foot_force"]["rear_left_foot"]
    given = walked["foot_force"].sel(foot="rear_left_foot").isel(time=40)
    assert at == {axis: float(given.sel(axis=axis)) for axis in "xyz"}


def test_bodies_are_where_the_engine_puts_them(walked, log):
    model = mujoco.MjModel.from_xml_string(str(walked["robot_mjcf"].values))
    data = mujoco.MjData(model)
    frames = log[0]["/tf"]
    assert len(frames) == len(walked["frame_time"])
    for k in (0, 100, 200):
        data.qpos[:] = walked["qpos"].values[k]
        mujoco.mj_kinematics(model, data)
        time, message = frames[k]
        assert time == round(float(walked["frame_time"][k]) * SECOND)
        by_name = {t.child_frame_id: t for t in message.transforms}
        assert list(by_name) == [model.body(b).name for b in range(1, model.nbody)]
        for name, t in by_name.items():
            stamp, turn = t.timestamp, t.rotation
            assert (stamp.seconds * SECOND + stamp.nanos, t.parent_frame_id) == (
                time,
                "world",
            )
            place = [t.translation.x, t.translation.y, t.translation.z]
            R = Rotation.from_quat([turn.x, turn.y, turn.z, turn.w]).as_matrix()
            # rounding: of a few products
            assert np.allclose(place, data.body(name).xpos, rtol=0, atol=1e-14)
            assert np.allclose(R.ravel(), data.body(name).xmat, rtol=0, atol=1e-14)


def test_joints_are_as_recorded(walked, log):
    position = walked["qpos"].values
    for k, (_, message) in enumerate(log[0]["/joint_states"]):
        assert [j.name for j in message.joints] == list(walked["actuator"].values)
        for part, column in (("effort", "tau"), ("velocity", "joint_speed")):
            theirs = walked[column].values[k]
            ours = [
                getattr(j, part) if j.HasField(part) else np.nan for j in message.joints
            ]
            assert np.array_equal(ours, theirs, equal_nan=True)
        assert [j.position for j in message.joints] == position[k, 7:].tolist()


def test_marks_are_where_the_run_says(walked, log):
    frames = log[0]["/balance"]
    force, loaded = walked["foot_force"].values, 0
    for k, (_, message) in enumerate(frames[:-1]):
        by_name = {entity.id: entity for entity in message.entities}
        ball = by_name["centre of mass"].spheres[0].pose.position
        assert [ball.x, ball.y, ball.z] == walked["com"].values[k].tolist()
        assert {entity.frame_id for entity in message.entities} == {"world"}
        for f, foot in enumerate(walked["foot"].values):
            for arrow in by_name[f"force on {foot}"].arrows:
                o, p = arrow.pose.orientation, arrow.pose.position
                way = Rotation.from_quat([o.x, o.y, o.z, o.w]).apply([1, 0, 0])
                size = np.linalg.norm(force[k, f])
                # rounding: a quaternion and back, of a unit vector
                assert np.allclose(way, force[k, f] / size, rtol=0, atol=1e-14)
                assert [p.x, p.y] == walked["foot_place"].values[k, f, :2].tolist()
                loaded += 1
    assert loaded > 2 * len(frames)  # of four feet some stand
    stance = [e for e in frames[90][1].entities if e.id == "support polygon"]
    assert len(stance[0].lines[0].points) == 4
    margins = [message["centre_of_mass"] for _, message in log[0]["/margins"]]
    assert margins[90] > 0.05  # it stands on all fours [m]


def test_an_arrow_may_point_anywhere():
    for way in np.vstack([np.eye(3), -np.eye(3), [[-1, 1e-7, 0], [0.3, -0.2, 0.9]]]):
        w, x, y, z = direction_message(way)
        turned = Rotation.from_quat([x, y, z, w]).apply([1.0, 0.0, 0.0])
        assert np.allclose(turned, way / np.linalg.norm(way), rtol=0, atol=1e-15)


def test_the_robot_is_there_from_the_start_on(walked, log):
    found, about = log
    ((time, robot),) = found["/robot"]
    assert time == 0
    assert {e.frame_id for e in robot.entities} <= {
        t.child_frame_id for t in found["/tf"][0][1].transforms
    }
    assert all(entity.frame_locked for entity in robot.entities)
    assert [e.id for e in found["/ground"][0][1].entities] == ["floor"]
    assert about["equipoise"]["robot"] == "warp1"
    assert json.loads(about["equipoise"]["config"])["seed"] == 0


def test_times_rise_through_the_file(walked, tmp_path):
    path = eq.export(walked, tmp_path / "run.mcap")
    with path.open("rb") as file:
        log = reader.make_reader(file)
        times = [m.log_time for *_, m in log.iter_messages(log_time_order=False)]
    assert times == sorted(times)


def test_every_shape_has_its_size(arm_with_terrain):
    model = arm_with_terrain
    robot, ground = robot_update(model, 0), ground_update(model, 0, np.zeros(2))
    shapes = {e.id: e for e in (*robot.entities, *ground.entities)}
    capsule = shapes["arm"].cylinders[0]
    assert (capsule.size.x, capsule.size.z, capsule.top_scale) == (0.06, 0.5, 1.0)
    places = (s.pose.position for s in shapes["arm"].spheres)
    ends = sorted((p.x, p.y, p.z) for p in places)
    tips = [(0.0, 0.0, 0.0), (0.3, 0.4, 0.0)]
    assert np.allclose(ends, tips, rtol=0, atol=1e-15)  # rounding
    assert shapes["arm"].cubes[0].size.y == 0.4
    hills = shapes["world"].triangles[0]
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for p in hills.points[:12]:  # the engine's own rays meet the drawn surface
        start = np.array([0.999 * p.x, 0.999 * p.y, 9.0])
        hit = mujoco.mj_ray(
            model, data, start, [0, 0, -1.0], None, 1, -1, np.zeros(1, np.int32)
        )
        assert abs(9.0 - hit - p.z) < 5e-3  # truncation: a thousandth aside
    a, b, c = (
        np.array([p.x, p.y, p.z]) for p in (hills.points[i] for i in hills.indices[:3])
    )
    assert np.cross(b - a, c - a)[2] > 0.0


@pytest.fixture
def arm_with_terrain():
    return mujoco.MjModel.from_xml_string("""<mujoco>
  <asset><hfield name="hills" nrow="3" ncol="4" size="2 1 .3 .1"
    elevation="0 .2 1 0  .5 0 .1 .7  1 0 0 .3"/></asset>
  <worldbody>
    <geom type="hfield" hfield="hills"/>
    <body name="arm" pos="0 0 5"><freejoint/>
      <geom type="capsule" size=".03" fromto="0 0 0 .3 .4 0"/>
      <geom type="box" size=".1 .2 .3"/>
    </body>
  </worldbody></mujoco>""")


def test_a_run_that_broke_is_there_up_to_then(walked, tmp_path):
    run = walked.copy(deep=True)
    run["qpos"].values[120:] = np.nan
    run["tau"].values[110:] = np.nan
    found, _ = read(eq.export(run, tmp_path / "broken.mcap"))
    assert [len(found[t]) for t in ("/tf", "/joint_states")] == [120, 120]
    knee = found["/joint_states"][115][1].joints[2]
    assert knee.HasField("position") and not knee.HasField("effort")
    assert len(found["/frame_signals"]) == len(run["frame_time"])
    assert found["/frame_signals"][130][1]["qpos"]["base_x"] is None


def test_any_other_kind_of_run_is_taken(tmp_path):
    result = eq.simulate(eq.load("superbot", modules=3), seconds=0.1)
    assert isinstance(result.dataset, xr.Dataset)
    result.save(tmp_path)
    found, _ = read(eq.export(tmp_path / "run.nc", tmp_path / "a.mcap"))
    again, _ = read(eq.export(result, tmp_path / "b.mcap"))
    assert len(found["/signals"]) == len(again["/signals"]) == 101
    assert found["/signals"] == again["/signals"]
    com = found["/signals"][-1][1]["com"]
    assert list(com.values()) == result.dataset["com"].values[-1].tolist()
