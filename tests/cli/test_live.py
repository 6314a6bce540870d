"""``--view`` and ``--live``: served on this machine, ended by Ctrl-C with numbers."""

import json
import re
import signal
import subprocess
import sys
import urllib.request

import pytest
from typer.testing import CliRunner

from equipoise.cli.app import app

pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")
BLOCK = """
<mujoco model='block'><worldbody><body name='block' pos='0 0 .2'><freejoint/>
  <geom type='box' size='.2 .2 .2' mass='8'/></body></worldbody></mujoco>
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
def test_ctrl_c_ends_a_served_robot_with_its_numbers(tmp_path):
    path = tmp_path / "block.xml"
    path.write_text(BLOCK)
    command = [sys.executable, "-m", "equipoise", "view", str(path)]
    served = subprocess.Popen(
        [*command, "--live", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Who starts the tests in the background has told all of us to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        said = served.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address is not None, said
        with urllib.request.urlopen(address[0], timeout=30) as page:
            assert page.status == 200
        served.send_signal(signal.SIGINT)
        out, err = served.communicate(timeout=60)
    finally:
        served.kill()
    numbers = json.loads(out)
    assert numbers["robot"] == "block" and numbers["falls"] == 0
    assert served.returncode == {"yes": 0, "unknown": 3}[numbers["lamp"]]
    assert err == ""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["walk", "--view", "--out", "x"], "--out: a live view does not end by itself"),
        (
            ["walk", "--view", "--seeds", "3"],
            "--seeds: a live view does not end by itself",
        ),
        (["walk", "--port", "9000"], "--port: only for a live page; add --view"),
        (["view", "warp1", "--host", "::1"], "add --live"),
        (
            ["balance", "--view", "--compare"],
            "--compare: a live view does not end by itself",
        ),
        (["balance", "--view", "--port", "70000"], "0 to 65535, got 70000"),
        (["walk", "--view", "--goal", "1,1"], "the live view"),
    ],
)
def test_what_does_not_go_together_is_said(words, says):
    done = CliRunner().invoke(app, words)
    said = done.output + str(done.exception)
    assert says in said and done.exit_code != 0
