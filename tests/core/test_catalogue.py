"""Parts found by name: files are imported when asked, names are given once."""

import sys

import pytest

from equipoise.core.catalogue import Catalogue
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
