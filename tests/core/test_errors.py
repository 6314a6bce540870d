import pytest

from equipoise.core import errors
from equipoise.core.errors import (
    MOST_NAMES,
    ConfigError,
    EquipoiseError,
    UnknownNameError,
)

BUILTIN_KINDS = {
    "NotPhysicalError": ValueError,
    "ShapeError": ValueError,
    "BadFileError": ValueError,
    "ConfigError": ValueError,
    "MissingExtraError": RuntimeError,
    "MissingToolError": RuntimeError,
    "QuantityError": ValueError,
    "UnknownNameError": KeyError,
    "UnsupportedSystemError": RuntimeError,
}


@pytest.mark.parametrize(("name", "kind"), BUILTIN_KINDS.items())
def test_every_error_is_ours_and_a_builtin_kind(name: str, kind: type):
    error = getattr(errors, name)
    assert issubclass(error, EquipoiseError)
    assert issubclass(error, kind)


def test_no_error_is_left_out_above():
    warnings = {name for name in errors.__all__ if name.endswith("Warning")}
    others = {"EquipoiseError", *warnings}
    assert set(errors.__all__) - others == set(BUILTIN_KINDS)
    for name in warnings:
        assert issubclass(getattr(errors, name), errors.EquipoiseWarning)


def test_unknown_name_says_what_is_near():
    error = UnknownNameError("controller", "momentm", ["rate", "momentum"], "balance")
    assert str(error) == (
        "balance has no controller 'momentm'. Did you mean 'momentum'? "
        "Known: momentum, rate."
    )
    assert (error.kind, error.name) == ("controller", "momentm")
    assert error.known == ("momentum", "rate")


def test_unknown_name_without_a_near_one_or_any():
    assert str(UnknownNameError("robot", "x", [], "the list")) == (
        "the list has no robot 'x'. Known: none."
    )


def test_unknown_name_lists_all_but_those_of_a_large_robot_file():
    known = [f"part{i:02d}" for i in range(MOST_NAMES + 2)]
    message = str(UnknownNameError("part", "zzz", known[:MOST_NAMES], "it"))
    assert message.endswith(f"part00, {', '.join(known[1:MOST_NAMES])}.")
    message = str(UnknownNameError("part", "zzz", known, "it"))
    assert message.endswith("part58, part59 and 2 more.")


def test_config_error_reports_all_problems_together():
    error = ConfigError("AnkleConfig", ["a must be > 0, got nan", "b is missing"])
    assert str(error) == (
        "AnkleConfig is not usable: a must be > 0, got nan; b is missing."
    )
    assert error.where == "AnkleConfig"
    assert error.problems == ("a must be > 0, got nan", "b is missing")
