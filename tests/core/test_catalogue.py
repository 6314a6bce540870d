"""Parts found by name: files are imported when asked, names are given once."""

import importlib
import sys

import pytest

from equipoise.control import parts
from equipoise.control.com.law import RECOMMENDED, find_law, law_names
from equipoise.control.walker import WalkerConfig
from equipoise.core.catalogue import Catalogue, keys_written, offered, written
from equipoise.core.errors import ConfigError, UnknownNameError


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A package with one file, which offers a part to a catalogue of its own."""
    package = tmp_path / "shelf_of_parts"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(
        "from equipoise.core.catalogue import Catalogue\n"
        "parts = Catalogue('shelf_of_parts', 'part')\n"
        "@parts.register('one')\nclass One: ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield Catalogue("shelf_of_parts", "part")
    for name in [n for n in sys.modules if n.startswith("shelf_of_parts")]:
        del sys.modules[name]


def test_files_are_imported_when_a_part_is_asked_for(shelf):
    assert "shelf_of_parts.one" not in sys.modules
    assert shelf.names() == ()
    parts = sys.modules["shelf_of_parts.one"].parts
    assert parts.names() == ("one",)
    assert parts.find("one") is sys.modules["shelf_of_parts.one"].One


def test_an_unknown_name_gets_the_known_ones(shelf):
    shelf.register("two")(type("Two", (), {}))
    with pytest.raises(UnknownNameError, match=r"no part 'too'.*'two'"):
        shelf.find("too")


def test_a_name_is_given_once(shelf):
    two = type("Two", (), {})
    assert shelf.register("two")(two) is two
    assert shelf.register("two")(two) is two
    with pytest.raises(ConfigError, match="the law 'two' is taken"):
        shelf.register("two")(type("Other", (), {}))


def test_what_a_folder_offers_is_told_without_running_it():
    catalogues = (parts.SUPPORTS, parts.MOTIONS, parts.BALANCES, parts.REFLEXES)
    found = {c.package: (c.names(), c.find) for c in catalogues}
    found["equipoise.control.com.laws"] = law_names(), find_law
    for package, (names, find) in found.items():
        told = offered(package)
        assert tuple(told) == names != ()
        for name, what in told.items():
            text = sys.modules[find(name).__module__].__doc__
            assert what and text.startswith(what)


def test_files_that_only_tell_are_not_run(tmp_path, monkeypatch):
    here = importlib.import_module("oracles")
    monkeypatch.setattr(here, "__path__", [str(tmp_path)])
    (tmp_path / "shelf").mkdir()
    text = '"""One."""\nraise RuntimeError\n@a.register("one")\nclass A:\n    b = 3\n'
    text += "D = {'y': 1 + x(), 'x': 2}\n"
    (tmp_path / "shelf" / "one.py").write_text(text)
    assert offered("oracles.shelf") == {"one": "One."}
    assert written("oracles.shelf.one", "A.b") == 3
    assert keys_written("oracles.shelf.one", "D") == ("x", "y")
    with pytest.raises(KeyError, match=r"does not say what 'A\.c' is"):
        written("oracles.shelf.one", "A.c")


def test_a_constant_is_told_without_running_its_file():
    assert written("equipoise.control.recommended", "STEERING_LAW") == RECOMMENDED
    told = written("equipoise.control.walker", "WalkerConfig.reflexes")
    assert told == WalkerConfig().reflexes
