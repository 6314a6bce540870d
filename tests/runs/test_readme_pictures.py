"""Moving pictures of the pages: they are there, small, and their commands are such."""

import re
import shlex
from pathlib import Path

import pytest
from PIL import Image
from typer.main import get_command

from equipoise.cli.app import app
from equipoise.viz.movie.gif import MOST_BYTES

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/gallery.md")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+\.gif)\)")
COMMAND = re.compile(r"`equipoise ([^`]*--gif)`")
MOST_GROWN = 6_000_000
"""Bytes of all moving pictures in the repository."""


def commands(page):
    """Return the commands that a page says make its moving pictures."""
    return COMMAND.findall((ROOT / page).read_text("utf-8"))


def parsed(line):
    """Return a command's options as they are read, nothing being run."""
    top = get_command(app)
    name, *rest = shlex.split(line)
    with top.make_context("equipoise", [name]) as context:
        command = top.get_command(context, name)
        assert command is not None, name
        return command.make_context(name, rest, parent=context).params


@pytest.mark.parametrize("page", PAGES)
def test_every_moving_picture_is_there_small_and_has_its_command(page):
    pictures = PICTURE.findall((ROOT / page).read_text("utf-8"))
    assert len(pictures) == len(commands(page)) >= 3
    for name in pictures:
        path = (ROOT / page).parent / name
        assert path.stat().st_size < MOST_BYTES
        with Image.open(path) as file:
            assert file.n_frames > 40
            assert file.info["loop"] == 0


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_understood(page):
    for line in commands(page):
        options = parsed(line)
        assert options["gif"] is True
        assert options["out"] is not None


def test_the_readme_shows_pictures_that_the_gallery_has():
    assert set(commands("README.md")) <= set(commands("docs/gallery.md"))


def test_all_moving_pictures_together_stay_small():
    sizes = [path.stat().st_size for path in (ROOT / "docs" / "images").glob("*.gif")]
    assert 3 <= len(sizes) and sum(sizes) < MOST_GROWN
