"""What works set is kept as it is printed, apart from what the code takes it for."""

import json
from importlib import import_module
from pathlib import Path

import pytest

KEPT = json.loads(Path(__file__).with_name("settings.json").read_text("utf-8"))


@pytest.mark.parametrize("work", KEPT)
def test_settings_of_a_work_are_those_that_it_prints(work):
    """A change shows in settings.json, as a line that a reader has to agree to."""
    module = import_module(f"equipoise_lab.papers.{work.replace(' ', '.')}.run")
    found = [[s.where, s.quantity, s.published] for s in module.settings()]
    assert [row[:2] for row in found] == [row[:2] for row in KEPT[work]]
    for row, kept in zip(found, KEPT[work], strict=True):
        # numbers that are products of printed ones may be off by rounding
        printed = pytest.approx(kept[2]) if isinstance(kept[2], float) else kept[2]
        assert row[2] == printed, row[:2]
        assert type(row[2]) is type(kept[2]), row[:2]
