"""Settings that are read from files are those that the controllers have."""

import pytest

from equipoise.cli.listings import (
    controller_rows,
    settings_asked,
    settings_read,
    whole_walkers,
)

WHOLE = {row["name"] for row in whole_walkers()}
NAMES = sorted({str(row["name"]) for row in controller_rows()} - WHOLE)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 6))]
)
def test_what_is_read_is_what_is_asked(first):
    read = {name: settings_read(name) for name in NAMES}
    plain = {name: found for name, found in read.items() if found is not None}
    for name in list(plain)[first::6]:
        found, asked = plain[name], settings_asked(name)
        assert list(found) == list(asked), name
        assert found == asked, name
    laws = {
        row["name"] for row in controller_rows() if row["robot"] != "walking machines"
    }
    assert laws == set(plain)  # none of them needs to be asked


@pytest.mark.parametrize("name", ["walker", "skyhook", "nobody"])
def test_other_names_have_to_be_asked(name):
    assert settings_read(name) is None
