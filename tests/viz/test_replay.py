"""The replay page: what is inside decodes back, and no text in it can act."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError
from equipoise.core.text import shown
from equipoise.viz.replay.page import played_samples, write_replay

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> @DATA@ \0 \u2028"
)


class Page(HTMLParser):
    """Collects every tag, and the text inside scripts and the title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text: dict[int, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.tags.append((f"/{tag}", {}))

    def handle_data(self, data):
        last = len(self.tags) - 1
        self.text[last] = self.text.get(last, "") + data

    def all(self, tag: str) -> list[tuple[dict, str]]:
        return [
            (attrs, self.text.get(k, ""))
            for k, (name, attrs) in enumerate(self.tags)
            if name == tag
        ]


def motion(count: int = 201) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two seconds of the arm at 100 Hz: time, poses and a made-up centre of mass."""
    time = 1.0 + np.arange(count) / 100.0
    turns = np.column_stack((np.sin(time), -0.9 + 0.5 * time, np.cos(3.0 * time)))
    return time, turns, turns / 7.0


def stored(path) -> dict:
    (_, text), _ = Page(path.read_text()).all("script")
    return json.loads(text)


def floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_poses_come_back_as_float32(arm, tmp_path):
    time, qpos, com = motion()
    path = write_replay(
        tmp_path / "r.html", arm, time, qpos, com=com, line_point=(0.1, 0.2, 0.0)
    )
    data = stored(path)
    played = floats(data["time"])
    samples = np.rint(100.0 * played).astype(int)
    # exact: what is stored is the float32 nearest to a recorded time
    assert (played == (time[samples] - time[0]).astype(np.float32)).all()
    assert (floats(data["com"]).reshape(-1, 3) == com[samples].astype(np.float32)).all()
    poses = floats(data["poses"]).reshape(len(samples), data["bodies"], 7)
    state = mujoco.MjData(arm)
    assert len(samples) > 50
    for row, sample in zip(poses, samples, strict=True):
        state.qpos[:] = qpos[sample]
        mujoco.mj_forward(arm, state)
        # exact: rounding to float32 is the same rounding
        assert (row[:, :3] == state.xpos.astype(np.float32)).all()
        assert (row[:, 3:] == state.xquat.astype(np.float32)).all()


def test_geoms_are_the_visible_ones_with_their_sizes(arm, tmp_path):
    time, qpos, _ = motion()
    data = stored(write_replay(tmp_path / "r.html", arm, time, qpos))
    wanted = ["block", "post", "upper", "lower", "ball", "fin"]  # not floor, not unseen
    assert len(data["geoms"]) == len(wanted)
    for geom, name in zip(data["geoms"], wanted, strict=True):
        truth = arm.geom(name)
        assert geom["size"] == truth.size.tolist()
        assert geom["pos"] == truth.pos.tolist()
        assert geom["quat"] == truth.quat.tolist()
        assert geom["body"] == truth.bodyid[0]  # all five bodies are shown
    (mesh,) = data["meshes"]
    steps = np.frombuffer(base64.b64decode(mesh["vertices"]), "<u2").reshape(-1, 3)
    corners = np.array(mesh["low"]) + steps / 65535.0 * np.array(mesh["size"])
    # half a step of a box of 0.12 m
    assert np.abs(corners - arm.mesh_vert).max() <= 0.5 * 0.13 / 65535.0
    faces = np.frombuffer(base64.b64decode(mesh["faces"]), "<u2").reshape(-1, 3)
    assert (faces == arm.mesh_face).all()


def test_a_height_field_is_drawn_and_stands_on_the_floor(tmp_path):
    model = mujoco.MjModel.from_xml_string("""<mujoco>
      <asset><hfield name="h" nrow="3" ncol="4" size="2 1 .3 .1"
        elevation="0 .2 1 0  .5 0 .1 .7  1 0 0 .3"/></asset>
      <worldbody><geom type="hfield" hfield="h" pos="1 0 .5"/>
        <body><joint/><geom size=".1" mass="1"/></body></worldbody></mujoco>""")
    page = write_replay(tmp_path / "r.html", model, [0.0], [[0.0]])
    data = stored(page)
    (field, ball), (mesh,) = data["geoms"], data["meshes"]
    assert (field["type"], field["mesh"], field["shades"]) == ("mesh", 0, False)
    assert ball["shades"]
    # the box of its mesh: as wide as it is, from its base to its highest point
    assert np.allclose(mesh["low"], [-2.0, -1.0, -0.1], rtol=0, atol=1e-12)
    assert np.allclose(mesh["size"], [4.0, 2.0, 0.4], rtol=0, atol=1e-7)  # float32
    assert data["camera"]["floor"]["place"][2] <= 0.4 + 1e-9


@pytest.mark.parametrize("rate", [10.0, 60.0, 1000.0, 24.7])
def test_at_most_thirty_frames_a_second(rate):
    time = np.arange(int(3.0 * rate) + 1) / rate
    kept = played_samples(time, np.zeros((len(time), 1)), 30.0)
    assert kept[0] == 0
    assert kept[-1] == len(time) - 1
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= 30.0 * 3.0 + 1
    # and no fewer than needed: gaps below two frames or two samples
    assert np.diff(time[kept]).max() < 2.0 * max(1.0 / 30.0, 1.0 / rate)


def test_a_broken_run_plays_to_its_last_finite_state(arm, tmp_path):
    time, qpos, com = motion()
    qpos[150:] = np.nan
    com[150:] = np.nan
    data = stored(write_replay(tmp_path / "r.html", arm, time, qpos, com=com))
    assert floats(data["time"])[-1] == np.float32(time[149] - time[0])


def test_names_cannot_act(arm, tmp_path):
    time, qpos, _ = motion()
    path = write_replay(tmp_path / "r.html", arm, time, qpos, title=HOSTILE)
    plain = write_replay(tmp_path / "p.html", arm, time, qpos, title="plain")
    page = Page(path.read_text())
    assert page.tags == Page(plain.read_text()).tags  # the same markup, tag by tag
    assert stored(path)["title"] == shown(HOSTILE)
    (_, title), *_ = page.all("title")
    assert title == shown(HOSTILE)


def test_policy_allows_our_script_and_nothing_else(arm, tmp_path):
    time, qpos, _ = motion()
    text = write_replay(tmp_path / "r.html", arm, time, qpos).read_text()
    _, (attrs, script) = Page(text).all("script")
    assert attrs == {}
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(a["content"] for a, _ in Page(text).all("meta") if "http-equiv" in a)
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
    ]
    assert not re.search(r"https?:|//[a-z]|\bimport\b|fetch\(|@import|url\(", script)
    assert not any({"src", "href"} & set(attrs) for _, attrs in Page(text).tags)
    assert "innerHTML" not in script


def test_size_of_a_large_robot(tmp_path):
    hinge = "<joint axis='0 1 0'/><geom type='box' size='.04 .04 .02'/>"
    ball = "<geom type='cylinder' size='.03 .03'/>"
    xml = f"<body pos='0 0 .08'>{hinge}{ball}" * 60 + "</body>" * 60
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody>{xml}</worldbody></mujoco>"
    )
    time = np.arange(5001) / 1000.0
    qpos = np.zeros((5001, 60)) + 0.1 * np.sin(time)[:, None]
    path = write_replay(tmp_path / "r.html", model, time, qpos)
    assert len(stored(path)["geoms"]) == 120
    assert path.stat().st_size <= 3_000_000


def test_bad_input_is_one_sentence(arm, tmp_path):
    time, qpos, com = motion()
    out = tmp_path / "r.html"
    with pytest.raises(ShapeError, match="time and qpos"):
        write_replay(out, arm, time, qpos[:, :2])
    with pytest.raises(ShapeError, match="com must have shape"):
        write_replay(out, arm, time, qpos, com=com[:, :2])
    with pytest.raises(ShapeError, match="com must have"):
        write_replay(out, arm, time, qpos, com=com[:50])
    with pytest.raises(ConfigError, match="finite pose"):
        write_replay(out, arm, time[:0], qpos[:0])
    with pytest.raises(ConfigError, match="backwards"):
        write_replay(out, arm, time[::-1], qpos)
    with pytest.raises(ConfigError, match="fps and width"):
        write_replay(out, arm, time, qpos, width=0.0)
    assert not out.exists()
