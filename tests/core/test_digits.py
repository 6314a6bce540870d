"""Digits of other scripts are no numbers, wherever people or files write them."""

import pytest

from equipoise.cli.app import run
from equipoise.core.digits import foreign_digit, plain_float
from equipoise.core.errors import ConfigError, QuantityError
from equipoise.core.quantity import Quantity, number_of
from equipoise.core.settings import parsed_settings
from equipoise.robots.lint.lint import lint
from equipoise.runs.sweep.values import typed_values

OTHERS = ("٣", "３", "३", "①", "²", "Ⅲ", "½")


@pytest.mark.parametrize("digit", OTHERS)
def test_other_digits_are_found_and_refused(digit):
    assert foreign_digit(f"1{digit}kg") == digit
    with pytest.raises(ValueError):
        plain_float(digit)
    for text in (digit, f"{digit}kg", f"2{digit}", f"0.{digit} kg"):
        with pytest.raises(QuantityError, match="in the digits 0 to 9, got"):
            number_of(text, Quantity("mass", "kg"), "--mass")


@pytest.mark.parametrize("text", ["9.81m/s²", "3 kg m²", "2 m⁻¹", "4", "-1e-3"])
def test_powers_of_units_are_no_digits(text):
    assert foreign_digit(text) is None


@pytest.mark.parametrize("text", ["1_000", "0x10", "", "1e", "--3", "1 2"])
def test_what_python_alone_reads_is_no_number(text):
    with pytest.raises(ValueError):
        plain_float(text)


@pytest.mark.parametrize("text", ["3", " -3.5e2\n", ".5", "+7.", "inf", "NaN"])
def test_plain_numbers_are_read_as_python_does(text):
    assert repr(plain_float(text)) == repr(float(text))


def test_settings_keep_other_digits_as_words():
    assert parsed_settings(["a=٣", "b=3", "c=1_0"]) == {"a": "٣", "b": 3, "c": "1_0"}


def test_a_sweep_has_plain_numbers_only():
    values, _ = typed_values("friction", "٣,0.5")
    assert list(values.values) == ["٣", "0.5"]  # words, which the job then refuses
    with pytest.raises(ConfigError, match="1 to 1,000,000 points, got '٣'"):
        typed_values("slope", "0:9:٣")


def test_a_file_with_other_digits_is_told(tmp_path):
    path = tmp_path / "robot.urdf"
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    path.write_text(
        f'<robot name="r"><link name="a"><inertial><mass value="٣"/>{inertia}'
        "</inertial></link></robot>"
    )
    assert any("not a number" in finding.what for finding in lint(path).findings)


@pytest.mark.parametrize("option", ["--friction", "--seed", "--ground-stiffness"])
def test_the_command_says_it_in_one_sentence(option, capsys):
    assert run(["check", "warp1", option, "٣"]) == 2
    said = capsys.readouterr().err
    assert option in said and "got '٣'" in said
    assert len(said.splitlines()) == 1
