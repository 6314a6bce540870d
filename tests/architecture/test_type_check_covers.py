"""Every room is type checked: strictly, or plainly, and none by neither."""

import re
import tomllib

from architecture.source import REPOSITORY, ROOT

STRICT = {"control", "core", "equations", "modules", "robots", "runs", "sim"}
STRICT |= {"spatial", "stability"}


def rooms_in(text: str) -> set[str]:
    return set(re.findall(r'"src/equipoise/(\w+)"', text))


def test_the_rooms_that_exist_are_checked_strictly_or_plainly():
    there = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    strict = rooms_in((REPOSITORY / "pyrightconfig.strict.json").read_text("utf-8"))
    # pyright complains about a folder that does not exist yet
    assert strict == STRICT & there


def test_the_plain_check_leaves_out_only_what_the_strict_one_has():
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    pyright = settings["tool"]["pyright"]
    assert pyright["include"] == ["src", "lab"]
    assert rooms_in(repr(pyright["exclude"]).replace("'", '"')) == STRICT
