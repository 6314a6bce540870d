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


def test_unknown_name_lists_a_few_names_and_of_many_the_nearest():
    known = [f"part{i:02d}" for i in range(20)]
    message = str(UnknownNameError("part", "zzz", known[:MOST_NAMES], "it"))
    assert message.endswith(f"Known: {', '.join(known[:MOST_NAMES])}.")
    message = str(UnknownNameError("part", "prt07", known, "it", nearest=1))
    assert message.endswith("Did you mean 'part07'? Known: part07 and 19 more.")
    message = str(UnknownNameError("name", "zzz", known, "it", " See there."))
    assert message.count("part") == MOST_NAMES
    assert message.endswith(" and 12 more. See there.")


def test_config_error_reports_all_problems_together():
    error = ConfigError("AnkleConfig", ["a must be > 0, got nan", "b is missing"])
    assert str(error) == (
        "AnkleConfig is not usable: a must be > 0, got nan; b is missing."
    )
    assert error.where == "AnkleConfig"
    assert error.problems == ("a must be > 0, got nan", "b is missing")
