"""Build the sdist and the wheel, look into them, and try the wheel where nothing is.

Run by ``make wheel``; needs a network. The packages go to ``dist``. A fresh
environment gets the wheel alone, no extra and no tool, and runs the commands that a
newcomer types, in an empty folder. Ends with 1 and the reason where something is wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
NOT_ALONE = ("pytest", "viser", "gymnasium", "mcap", "distributed", "can", "pinocchio")
BOX = """<robot name="box"><link name="box">
<inertial><origin xyz="0 0 0.1"/><mass value="2"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.1"/><geometry><box size="0.2 0.2 0.2"/></geometry>
</collision></link></robot>
"""
TRIALS = {  # what is typed, and a word of the answer
    "check box.urdf": "It stands",
    "check warp1": "It stands",
    "balance --seconds 0.5": "alance",
    "walk warp1 --seconds 3": "walk",
    "robots": "warp1",
}


def main() -> int:
    """Build, look and try; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="equipoise-wheel-") as name:
        folder = Path(name)
        try:
            wheel = built(folder)
            tried(wheel, folder)
        except RuntimeError as problem:
            print(f"make wheel: {problem}", file=sys.stderr)
            return 1
    return 0


def built(folder: Path) -> Path:
    """Return the wheel; it and the sdist are in ``dist``, and were looked into."""
    source, dist = folder / "source", REPOSITORY / "dist"
    listed = done("git", "ls-files", "-z", cwd=REPOSITORY).split("\0")
    for name in filter(None, listed):  # what is committed or about to be, and no more
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, source / name)
    shutil.rmtree(dist, ignore_errors=True)
    build = (sys.executable, "-m", "build", "--no-isolation")
    done(*build, "--outdir", dist, cwd=source)  # the wheel from the sdist
    done(*build, "--wheel", "--outdir", folder / "straight", cwd=source)
    (wheel,) = dist.glob("*.whl")
    (straight,) = (folder / "straight").glob("*.whl")
    if contents(wheel) != contents(straight):
        raise RuntimeError("the sdist builds another wheel than the checkout does")
    expect_contents(set(contents(wheel)), listed)
    done(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir())
    for path in sorted(dist.iterdir()):
        print(f"{path.relative_to(REPOSITORY)}  {path.stat().st_size / 1e6:.2f} MB")
    return wheel


def contents(wheel: Path) -> dict[str, int]:
    """Return a wheel's files with their checksums."""
    with zipfile.ZipFile(wheel) as packed:
        return {file.filename: file.CRC for file in packed.infolist()}


def expect_contents(held: set[str], listed: list[str]) -> None:
    """Refuse a wheel that lacks a file of the library, or holds anything else."""
    own = {name for name in held if ".dist-info/" not in name}
    want = {n.removeprefix("src/") for n in listed if n.startswith("src/equipoise/")}
    for wrong, what in ((want - own, "lacks"), (own - want, "should not hold")):
        if wrong:
            few = ", ".join(sorted(wrong)[:5])
            raise RuntimeError(f"the wheel {what} {few}")


def tried(wheel: Path, folder: Path) -> None:
    """Install the wheel alone and run what a newcomer types."""
    start = time.monotonic()
    done(sys.executable, "-m", "venv", folder / "fresh")
    python = folder / "fresh" / ("Scripts" if os.name == "nt" else "bin") / "python"
    told("python -m venv fresh", start)
    start = time.monotonic()
    done(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
    told(f"pip install {wheel.name}", start)
    found = done(python, "-c", FIND, *NOT_ALONE).split()
    if found:
        raise RuntimeError(f"the wheel brings {', '.join(found)}, which nobody needs")
    place = folder / "elsewhere"
    place.mkdir()
    (place / "box.urdf").write_text(BOX, encoding="utf-8")
    command = python.with_name("equipoise")
    for typed, word in TRIALS.items():
        start = time.monotonic()
        said = done(command, *typed.split(), cwd=place)
        told(f"equipoise {typed}", start)
        if word not in said:
            raise RuntimeError(f"'equipoise {typed}' says nothing of '{word}':\n{said}")
    start = time.monotonic()
    json.loads(done(python, "-m", "equipoise", "mass", "box.urdf", "--json", cwd=place))
    told("python -m equipoise mass box.urdf --json", start)
    if left := sorted(p.name for p in place.iterdir() if p.name != "box.urdf"):
        raise RuntimeError(f"the commands left {', '.join(left)} behind")


FIND = """
import importlib.util, sys
print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name)))
"""


def told(what: str, start: float) -> None:
    """Print how long something took."""
    print(f"{time.monotonic() - start:6.1f} s  {what}", flush=True)


def done(*words: object, cwd: Path | None = None) -> str:
    """Run a program without this checkout in its way; return what it printed.

    Raises:
        RuntimeError: it ended badly.
    """
    hidden = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    typed = [str(word) for word in words]
    ended = subprocess.run(typed, cwd=cwd, env=env, capture_output=True, text=True)
    if ended.returncode:
        said = (ended.stdout + ended.stderr)[-2000:]
        raise RuntimeError(f"{' '.join(typed)} ended with {ended.returncode}:\n{said}")
    return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
