"""Settings that are listed of controllers are those that their dataclasses describe."""

import pytest

from equipoise.cli.listings import (
    controller_rows,
    controller_settings,
    whole_walkers,
)
from equipoise.control.laws import law_settings

WHOLE = {row["name"] for row in whole_walkers()}
NAMES = sorted({str(row["name"]) for row in controller_rows()} - WHOLE)
LAWS = {"upright": "1/s", "workspace": "1/s²"}


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_of_a_controller_says_what_it_is(name):
    for key, setting in controller_settings(name).items():
        assert setting.name == key
        assert setting.about.meaning[:1].isupper(), key


@pytest.mark.parametrize("name", LAWS)
def test_a_law_has_its_own_settings(name):
    found = controller_settings(name)
    assert found == law_settings(name)
    assert LAWS[name] in {one.about.unit for one in found.values()}


def test_a_part_of_walking_machines_has_its_name_before_its_settings():
    found = controller_settings("skyhook")
    assert found["skyhook.stiffness"].about.unit == "N/m"
    assert all(key.startswith("skyhook.") for key in found)
    assert set(found) < set(controller_settings("walker"))
