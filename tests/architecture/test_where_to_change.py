"""CONTRIBUTING answers where something is changed with searches that find one file."""

import re

import pytest

from architecture.source import FILES, REPOSITORY

ROW = re.compile(r"""^\| .* \| `git grep -n (["'])(.*)\1 src` \| `(\S+)` \|$""", re.M)
PAGE = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
SEARCHES = [(text, home) for _, text, home in ROW.findall(PAGE)]


def files_with(text: str) -> list[str]:
    """Return the files of the library in which a line has what is searched for."""
    wanted = re.compile(text, re.M)
    return [
        path.relative_to(REPOSITORY).as_posix()
        for path in FILES
        if path.is_relative_to(REPOSITORY / "src")
        and wanted.search(path.read_text(encoding="utf-8"))
    ]


def test_the_page_has_the_searches():
    section = PAGE.partition("## Where to change a number")[2].partition("\n## ")[0]
    assert len(SEARCHES) == section.count("git grep -n") >= 5


@pytest.mark.parametrize(("text", "home"), SEARCHES)
def test_a_search_finds_the_one_file(text, home):
    assert files_with(text) == [home]


def test_the_number_is_where_the_search_leads():
    from equipoise.control.leg_programs.steps import StepConfig
    from equipoise.core.friction import DRAWN_FRICTION
    from equipoise.core.setting import described_settings

    homes = {text: REPOSITORY / home for text, home in SEARCHES}
    friction = homes["DRAWN_FRICTION = "].read_text(encoding="utf-8")
    assert f"DRAWN_FRICTION = {DRAWN_FRICTION}" in friction
    lift = described_settings(StepConfig)["lift"]
    steps = homes[lift.about.meaning].read_text(encoding="utf-8")
    field = rf"\blift: Annotated\[(?:(?!\n    \]).)*\n    \] = {lift.default}\n"
    assert re.search(field, steps, re.S)


@pytest.mark.parametrize(
    "key", ["cost_of_transport", "slip_m", "energy_j", "chatter", "stalled_s"]
)
def test_any_measured_column_is_found_the_same_way(key):
    found = [name for name in files_with(f'"{key}":') if "/runs/walk/" in name]
    assert len(found) == 1
