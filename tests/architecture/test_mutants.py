"""Planted bugs can be planted: their lines are there once, and so are their tests."""

import importlib.util

from architecture.source import REPOSITORY


def test_every_planted_bug_has_its_place():
    path = REPOSITORY / "tools" / "mutants.py"
    spec = importlib.util.spec_from_file_location("mutants", path)
    assert spec is not None and spec.loader is not None
    mutants = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mutants)
    bugs = mutants.mutants_in(path.with_suffix(".txt").read_text())
    assert len(bugs) > 150
    assert not mutants.misplaced(bugs)
    wrong = [bugs[0]._replace(old="nothing like it"), bugs[1]._replace(tests="no.py")]
    assert len(mutants.misplaced(wrong)) == 2
