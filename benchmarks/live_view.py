"""The live view: frames a second and real time, with a page open or without.

    python benchmarks/live_view.py [ROBOT ...] [--seconds 20] [--page] [--out FILE.json]

Each robot walks for so long in our time while its frames are sent; ``warp1`` unless
robots are named, by name or as a file with meshes. With ``--page`` Chromium looks on,
with plain light, which takes a core of its own where there is no graphics card. Prints
JSON with the machine's load before and after; exits 1 when fewer than 30 frames a
second were sent, less 2 %, or time went slower than 0.98 of ours. The cost of a frame
is processor time, so that it can be told on a machine that is busy otherwise.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import equipoise as eq
from equipoise.runs.live.session import LiveSession
from equipoise.runs.live.start import live_walk
from equipoise.runs.walk.config import WalkConfig
from equipoise.viz.live.server import LiveServer

FRAMES, SHARE, FACTOR = 30.0, 0.98, 0.98
FLAGS = (
    "--headless=new --no-sandbox --disable-background-networking --use-gl=angle "
    "--use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist "
    "--no-first-run --window-size=1280,800 --remote-debugging-port=0"
).split()
WARM = 8.0  # before counting, for kernels and shaders to be compiled [s]


def measured(robot: str, seconds: float, has_page: bool) -> dict[str, object]:
    """Return the numbers of one robot."""
    began = time.perf_counter()
    job = live_walk(eq.load(robot), WalkConfig())
    server = LiveServer("benchmark", port=0)
    session = LiveSession(job, server, is_rich=False)
    ready = time.perf_counter() - began
    session.start()
    with tempfile.TemporaryDirectory() as folder:
        page = opened(server.address, folder) if has_page else None
        try:
            session.is_done.wait(WARM)
            pace = session.pace
            load, cpu = os.getloadavg()[0], time.process_time()
            start, frames, lived = time.perf_counter(), pace.frames, pace.lived
            session.is_done.wait(seconds)
            span = time.perf_counter() - start
            frames, lived = pace.frames - frames, pace.lived - lived
            cpu, viewers = time.process_time() - cpu, server.viewers
        finally:
            if page is not None:
                page.kill()
                page.wait()
    session.stop()
    server.stop()
    return {
        "robot": Path(robot).name,
        "moving_bodies": len(session.scene.frames),
        "seconds_to_page": round(ready, 2),
        "pages": viewers,
        "frames_a_second": round(frames / span, 2),
        "realtime_factor": round(lived / span, 3),
        "cpu_ms_a_frame": round(1e3 * cpu / max(frames, 1), 2),
        "cpu_share_of_a_core": round(cpu / span, 3),
        "load_before": round(load, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "falls": job.falls,
    }


def opened(address: str, folder: str) -> subprocess.Popen[bytes]:
    """Return a browser that looks at a page."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium: install the Debian package 'chromium'")
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(
        [chromium, *FLAGS, f"--user-data-dir={folder}", address],
        stdout=nowhere,
        stderr=nowhere,
    )


def main() -> int:
    """Measure, print, and say whether it is enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="*", default=["warp1"], metavar="ROBOT")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows = [measured(robot, given.seconds, given.page) for robot in given.robots]
    text = json.dumps({"cores": os.cpu_count(), "robots": rows}, indent=2)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")
    enough = all(
        row["frames_a_second"] >= SHARE * FRAMES and row["realtime_factor"] >= FACTOR
        for row in rows
    )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
