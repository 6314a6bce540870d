"""What shells offer: scripts for three of them, names and files."""

import pytest

from equipoise.cli.app import run


def completed(monkeypatch, capfd, line: str) -> list[str]:
    """Return what bash is offered at the end of a line."""
    monkeypatch.setenv("_EQUIPOISE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    assert run([]) == 0
    return capfd.readouterr().out.split()


@pytest.mark.parametrize(
    ("shell", "said"),
    [
        ("bash", "complete -o default -F _equipoise_completion equipoise"),
        ("zsh", "#compdef equipoise"),
        ("fish", "complete --command equipoise"),
    ],
)
def test_a_script_is_shown_and_installed(shell, said, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("shellingham.detect_shell", lambda: (shell, f"/bin/{shell}"))
    assert run(["--show-completion"]) == 0
    assert said in capfd.readouterr().out
    assert list(tmp_path.iterdir()) == []
    assert run(["--install-completion"]) == 0
    assert f"{shell} completion installed in" in capfd.readouterr().out
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(said in path.read_text() for path in files)


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("equipoise ba", {"balance"}),
        ("equipoise modules ru", {"run"}),
        ("equipoise walk wa", {"warp1"}),
        ("equipoise balance bi", {"biped"}),
        ("equipoise check ", {"warp1", "biped", "superbot", "dog.urdf"}),
        ("equipoise check deep/", {"deep/cat.xml"}),
        ("equipoise view ", {"run.nc", "dog.urdf", "titan6"}),
        ("equipoise lint ", {"dog.urdf"}),
        ("equipoise controllers up", {"upright"}),
        ("equipoise balance --controller work", {"workspace", "workspace-cone"}),
        ("equipoise walk --controller ti", {"titan3", "titan4", "titan6"}),
        ("equipoise walk --support cl", {"clocked"}),
        ("equipoise walk --gait tro", {"trot"}),
        ("equipoise gait cra", {"crab", "crawl"}),
        ("equipoise walk --terrain s", {"slope:", "soft:"}),
        ("equipoise walk --knees f", {"forward"}),
    ],
)
def test_names_and_files_are_offered(line, some, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    for name in ("dog.urdf", "notes.txt", "run.nc", "deep/cat.xml"):
        (tmp_path / name).write_text("")
    found = completed(monkeypatch, capfd, line)
    assert some <= set(found)
    assert "notes.txt" not in found
    last = line.rpartition(" ")[2]
    assert all(one.startswith(last) for one in found)


def test_what_is_offered_for_gaits_and_terrains_is_all_there_is(monkeypatch, capfd):
    from equipoise.control.gaits.named import gait_names
    from equipoise.core.terrains import TERRAINS

    found = completed(monkeypatch, capfd, "equipoise walk --gait ")
    assert tuple(found) == gait_names()
    found = completed(monkeypatch, capfd, "equipoise walk --terrain ")
    assert {name.rstrip(":") for name in found} == set(TERRAINS)
