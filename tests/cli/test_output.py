"""Printing of the commands: lines, tables, what listens, and folders to write into."""

import os
import sys
from pathlib import Path

import pytest

from equipoise.cli import answer_page, output
from equipoise.cli.answer_page import of_files, with_index
from equipoise.cli.output import (
    complain,
    expect_beside,
    expect_out,
    heard,
    millimetres,
    print_json,
    print_table,
    print_written,
    progress_bar,
    remember_words,
    say,
    tell_replaced,
    typed,
    write_files,
)
from equipoise.core.errors import BadFileError, ConfigError


@pytest.mark.parametrize(
    "metres, said",
    [
        (0.01234, "12.3 mm"),
        (1e-5, "0.01 mm"),
        (0.99e-5, "less than 0.01 mm"),
        (0.0, "less than 0.01 mm"),
        (1.5, "1.5e+03 mm"),
    ],
)
def test_a_distance_that_nobody_could_measure_is_not_told(metres, said):
    assert millimetres(metres) == said


def test_lines_are_printed_on_stdout_and_complaints_on_stderr(capsys):
    say("a", 3, "b\nc")
    complain("d\n  e")
    complain("f\ng", is_line=False)
    printed = capsys.readouterr()
    assert printed.out == "a\n3\nb c\n"
    assert printed.err == "d e\nf\ng\n"
    say("x" * 3000)
    complain("y" * 3000)
    printed = capsys.readouterr()
    assert len(printed.out) == len(printed.err) == 2001
    print_json({"a": float("nan"), "b": (1, 2)})
    assert capsys.readouterr().out == '{"a": null, "b": [1, 2]}\n'


def test_who_listens_gets_lines_and_tables_and_nothing_is_printed(capsys):
    def tell(about):
        say("first", about)
        print_table(("a", "b"), iter([(1, 2)]), "title")
        say("last")

    first, about, table, last = heard(tell, 7)
    assert (first, about, last) == ("first", "7", "last")
    assert (table.head, table.rows, table.title) == (("a", "b"), [(1, 2)], "title")
    assert capsys.readouterr().out == ""
    say("again")
    assert capsys.readouterr().out == "again\n"
    with pytest.raises(ZeroDivisionError):
        heard(lambda about: 1 // about, 0)
    say("aloud")
    assert capsys.readouterr().out == "aloud\n"


def test_columns_after_the_first_are_set_to_the_right_unless_told(capsys):
    print_table(("name", "value"), [("a", "1"), ("long", "22222222")], "title")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "title"
    row = next(line for line in lines if line.lstrip().startswith("a "))
    assert row.rstrip().endswith("       1")
    print_table(("name", "value"), [("a", "1"), ("l", "22222222")], justify="left")
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.lstrip().startswith("a "))
    assert row.split("a", 1)[1].strip() == "1" and not row.endswith("       1")
    print_table(("n", "v"), [("a", "z" * 500)])
    assert capsys.readouterr().out.count("z") < 400


def test_files_are_named_and_a_page_is_to_be_opened(capsys):
    print_written([])
    assert capsys.readouterr().out == ""
    print_written([Path("out/run.nc"), Path("out/index.html")])
    assert capsys.readouterr().out.splitlines() == [
        "Written:",
        "  out/run.nc",
        "  out/index.html",
        "Open out/index.html in a browser: the page shows all of them.",
    ]


def test_what_is_replaced_is_told(tmp_path, capsys):
    def write(folder):
        (folder / "a.txt").write_text("a")
        return [folder / "a.txt"]

    assert write_files(None, pytest.fail) == []
    (file,) = write_files(tmp_path / "new", write)
    assert file == tmp_path / "new" / "a.txt"
    assert capsys.readouterr().err == ""
    write_files(tmp_path / "new", write)
    assert capsys.readouterr().err == f"Replaced in {tmp_path / 'new'}: a.txt.\n"
    tell_replaced([Path("x/a"), Path("x/b")])
    assert capsys.readouterr().err == "Replaced in x: a, b.\n"
    tell_replaced([])
    assert capsys.readouterr().err == ""


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path, monkeypatch):
    expect_out(None)
    expect_out(tmp_path)
    expect_out(tmp_path / "new" / "deep")
    assert not (tmp_path / "new").exists()
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, file / "below"):
        with pytest.raises(BadFileError, match=r"file is not a folder"):
            expect_out(place)
    asked = []
    monkeypatch.setattr("os.access", lambda *given: asked.append(given))
    with pytest.raises(BadFileError, match="cannot be written to"):
        expect_out(tmp_path / "new")
    assert asked == [(tmp_path, os.W_OK | os.X_OK)]


def test_a_file_beside_others_needs_a_folder_and_a_single_run():
    expect_beside("--gif", "run.gif", Path("out"))
    with pytest.raises(ConfigError, match=r"--gif writes run.gif .* --out DIR"):
        expect_beside("--gif", "run.gif", None)
    for seeds in (1, 3):
        with pytest.raises(ConfigError, match=f"single run, got --seeds {seeds}"):
            expect_beside("--gif", "run.gif", Path("out"), seeds)
    with pytest.raises(ConfigError, match="--out DIR"):
        expect_beside("--gif", "run.gif", None, 3)


def test_progress_is_shown_on_terminals_only(monkeypatch):
    with progress_bar("walking") as progress:
        assert progress is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for is_slow in (False, True):
        with progress_bar("walking", is_slow) as progress:
            progress(0.5)


def test_words_are_remembered():
    remember_words(["walk", "--push", "40"])
    assert typed() == ("walk", "--push", "40")
    remember_words([])
    assert typed() == ()


# --- the page of a folder ---------------------------------------------------------


@pytest.fixture
def typing(monkeypatch):
    """Return what types a command."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/python"])
    yield lambda *words: remember_words(words)
    remember_words([])


def test_a_recording_may_be_viewed_exported_and_filmed():
    out = Path("my out")
    run, table = "'my out/run.nc'", "'my out/run.csv'"
    lines = [line for line, _ in of_files([Path("a/run.nc"), Path("a/b.json")], out)]
    assert lines == [
        f"equipoise view {run} --live",
        f"equipoise export {run} {table}",
        f"equipoise export {run} 'my out/run.gif'",
    ]
    filmed = of_files([Path("run.nc"), Path("run.gif")], Path("o"))
    assert [line for line, _ in filmed] == [
        "equipoise view o/run.nc --live",
        "equipoise export o/run.nc o/run.csv",
    ]
    assert of_files([Path("sweep.nc"), Path("sweep.csv")], out) == []
    ((view, _), *_) = of_files([Path("one.nc"), Path("two.nc"), Path("sweep.nc")], out)
    assert view == "equipoise view 'my out/two.nc' --live"  # ours comes last


def test_what_is_alike_is_not_proposed_again(typing):
    typing("walk", "warp1")
    firsts = [line.split()[1] for line, _ in answer_page._of_others()]
    assert firsts == ["check", "balance", "modules"]
    typing()
    assert len(answer_page._of_others()) == 4


def test_a_program_beside_the_path_is_called_by_its_own(monkeypatch):
    monkeypatch.setattr(answer_page.shutil, "which", lambda name: "/usr/bin/equipoise")
    for argv, program in (
        ("/usr/bin/equipoise", "equipoise"),
        ("/home/me/bin/equipoise", "/home/me/bin/equipoise"),
        ("/home/me/bin/pytest", "equipoise"),
    ):
        monkeypatch.setattr(sys, "argv", [argv])
        assert answer_page._program() == program


def test_a_page_shows_files_words_and_the_command(tmp_path, typing, monkeypatch):
    from equipoise.viz import index_page

    seen = {}

    def write_index(path, files, parts, **settings):
        seen.update(settings, path=path, files=files, parts=parts)
        return path

    monkeypatch.setattr(index_page, "write_index", write_index)
    typing("walk", "my dog")
    files = [tmp_path / "run.nc"]

    def tell(about):
        say(f"told of {about}")
        print_table(("a",), [("b",)], "of the table")
        print_table(("a",), [("b",)], "of another")

    save = with_index(lambda to: files, Path("there"), tell, "it")
    assert save(tmp_path) == [*files, tmp_path / "index.html"]
    assert seen["command"] == "equipoise walk 'my dog'"
    assert seen["title"] == "of the table"
    assert seen["parts"][0] == "told of it"
    assert seen["files"] == files
    further = [line for line, _ in seen["further"]]
    assert further[0] == "equipoise view there/run.nc --live"
    with_index(lambda to: files, None, lambda about: None, "it")(tmp_path)
    assert seen["title"] == "equipoise"
    assert seen["further"][0][0] == f"equipoise view {tmp_path}/run.nc --live"
    assert output.typed() == ("walk", "my dog")
