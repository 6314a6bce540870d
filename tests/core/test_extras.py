import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from equipoise.core.errors import MissingExtraError, UnknownNameError
from equipoise.core.extras import EXTRAS, require_extra

MODULES = {
    "can": "can",
    "cluster": "distributed",
    "gpu": "cupy",
    "gym": "gymnasium",
    "mcap": "mcap.writer",
    "parquet": "pyarrow",
    "viewer": "viser",
}


def test_extras_are_those_of_the_package():
    file = Path(__file__).parents[2] / "pyproject.toml"
    offered = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    for_contributors = {"peers", "site", "release", "browser", "polytopes", "dev"}
    assert set(offered["optional-dependencies"]) == set(EXTRAS) | for_contributors


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_names_its_install_line(extra, monkeypatch):
    module = MODULES[extra]
    for name in {module, module.split(".")[0]}:
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    with pytest.raises(MissingExtraError) as caught:
        require_extra(extra, module)
    said = f"{EXTRAS[extra]}; get it by pip install 'equipoise[{extra}]'."
    assert str(caught.value) == said


def test_environments_without_gymnasium_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    for name in ("env", "environments"):
        monkeypatch.delitem(sys.modules, f"equipoise.runs.gym.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'equipoise\[gym\]'"):
        import_module("equipoise.runs.gym.environments")


def test_a_module_that_is_there_is_returned():
    assert require_extra("mcap", "os.path") is sys.modules["os.path"]


def test_a_package_that_cannot_be_imported_says_why(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "halfway.py").write_text("raise OSError('no libhalf.so,\\n sorry')")
    (tmp_path / "hollow.py").write_text("import not_there_at_all")
    with pytest.raises(MissingExtraError) as caught:
        require_extra("gpu", "halfway")
    assert str(caught.value) == (
        "Work on a graphics card needs CuPy, but importing halfway failed (no "
        "libhalf.so, sorry); repair it by pip install 'equipoise[gpu]'."
    )
    with pytest.raises(MissingExtraError, match=r"No module named 'not_there_at_all'"):
        require_extra("gpu", "hollow")


def test_a_folder_of_that_name_is_no_package(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "an_empty_folder").mkdir()
    with pytest.raises(MissingExtraError, match=r"get it by pip install"):
        require_extra("viewer", "an_empty_folder")


def test_an_extra_that_does_not_exist_is_named():
    with pytest.raises(UnknownNameError, match=r"no extra 'viewr'.*'viewer'"):
        require_extra("viewr", "viser")


def test_a_package_that_no_extra_brings_is_named_itself(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError) as caught:
        require_extra("gpu", "torch")
    assert "pip install torch" in str(caught.value)
    assert "equipoise[gpu]" not in str(caught.value)
