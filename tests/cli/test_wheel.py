"""What the wheel holds: the library alone, which says what it does not have."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SETUPTOOLS = "from setuptools.build_meta import build_wheel; build_wheel('dist')"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Return a folder as the wheel fills it; built apart, the checkout stays clean."""
    pytest.importorskip("setuptools", minversion="77")
    source: Path = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source)
    leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("src", "lab"):
        shutil.copytree(REPOSITORY / name, source / name, ignore=leave)
    (source / "dist").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SETUPTOOLS], cwd=source, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = (source / "dist").glob("*.whl")
    folder: Path = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def test_the_wheel_holds_the_library_and_no_lab(site: Path):
    files = [path for path in site.rglob("*") if path.is_file()]
    tops = {path.relative_to(site).parts[0] for path in files}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"equipoise"}
    sources = {
        path.relative_to(REPOSITORY / "src")
        for path in (REPOSITORY / "src" / "equipoise").rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    assert sources <= {path.relative_to(site) for path in files}
    lab = {p.stem for p in (REPOSITORY / "lab").rglob("*_claims.py")}
    assert lab and not lab & {path.stem for path in files}


@pytest.mark.parametrize("words", ["reproduce moll2006", "bench equations"])
def test_an_installed_copy_says_that_it_needs_the_repository(site, tmp_path, words):
    script = "import sys; from equipoise.cli.app import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", script, *words.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert (
        f"'equipoise {words.split()[0]}' is not usable: it needs files" in done.stderr
    )
    assert "repository" in done.stderr
