"""Numbers with units: what they are worth, and what is refused."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from equipoise.core.errors import QuantityError
from equipoise.core.quantity import KINDS, Quantity, number_of, numbers_of

SPEED = Quantity("speed", "m/s")
UNITS = {
    "angle": "deg", "slope": "deg", "turning speed": "rad/s", "length": "m",
    "speed": "m/s", "time": "s", "mass": "kg", "force": "N", "stiffness": "N/m",
    "damping": "N s/m", "impulse": "N s", "impulse per mass": "N s/kg",
    "torque": "N m", "share": "", "coefficient": "",
}  # fmt: skip
finite = st.floats(-1e30, 1e30)  # what is larger is refused
decimals = st.decimals(-1000, 1000, places=3)


def read(text: str, kind: str, unit: str = "") -> float:
    return number_of(text, Quantity(kind, unit), "--x")


@pytest.mark.parametrize(
    ("text", "kind", "unit", "value"),
    [
        ("35%", "share", "", 0.35),
        ("35 %", "share", "", 0.35),
        ("100%", "slope", "deg", 45.0),
        ("100%", "slope", "rad", math.pi / 4.0),
        ("20deg", "slope", "deg", 20.0),
        ("0.35rad", "angle", "deg", math.degrees(0.35)),
        ("45deg", "slope", "%", 100.0 * math.tan(math.radians(45.0))),
        ("35%", "slope", "%", 35.0),
        ("20°", "angle", "rad", math.radians(20.0)),
        ("20º", "angle", "deg", 20.0),
        ("\N{MINUS SIGN}20 degrees", "angle", "deg", -20.0),
        ("23deg/s", "turning speed", "rad/s", math.radians(23.0)),
        ("23°/s", "turning speed", "rad/s", math.radians(23.0)),
        ("0.4rad/s", "turning speed", "rad/s", 0.4),
        ("7cm", "length", "m", 0.07),
        ("20mm", "length", "m", 0.02),
        ("4cm", "length", "cm", 4.0),
        ("0.04m", "length", "cm", 4.0),
        ("15kN/m", "stiffness", "N/m", 15000.0),
        ("3 N/mm", "stiffness", "N/m", 3000.0),
        ("3kg", "mass", "kg", 3.0),
        ("500g", "mass", "kg", 0.5),
        ("2s", "time", "s", 2.0),
        ("2S", "time", "s", 2.0),
        ("20ms", "time", "s", 0.02),
        ("0.002s", "time", "ms", 2.0),
        ("1.8km/h", "speed", "m/s", 0.5),
        ("1.5min", "time", "s", 90.0),
        ("2h", "time", "s", 7200.0),
        ("20mrad", "angle", "rad", 0.02),
        ("3krad/s", "turning speed", "rad/s", 3000.0),
        ("40N s", "impulse", "N s", 40.0),
        ("40Ns", "impulse", "N s", 40.0),
        ("40N·s", "impulse", "N s", 40.0),
        ("40 kg m/s", "impulse", "N s", 40.0),
        ("0.2Ns/kg", "impulse per mass", "N s/kg", 0.2),
        ("5Nm", "torque", "N m", 5.0),
        ("0.005kNm", "torque", "N m", 5.0),
        ("2kNs/m", "damping", "N s/m", 2000.0),
        ("9.81m/s²", "", "m/s²", 9.81),
        ("981cm/s^2", "", "m/s²", 9.81),
        ("80 N m/rad", "", "N m/rad", 80.0),
        ("5Hz", "", "1/s", 5.0),
        ("5/s", "", "1/s", 5.0),
        ("12V", "", "V", 12.0),
        ("1e-400m", "length", "mm", 0.0),
    ],
)
def test_what_a_number_is_worth(text, kind, unit, value):
    # exact where no π is between; one rounding of the sine or tangent elsewhere
    assert read(text, kind, unit) == value


@pytest.mark.parametrize(
    ("text", "kind", "unit", "value"),
    [
        ("3 J/m", "force", "N", 3.0),
        ("2 kJ", "torque", "N m", 2000.0),
        ("5 W s/m", "force", "N", 5.0),
        ("3 rad Hz", "turning speed", "rad/s", 3.0),
        ("2 g/mm", "", "kg/m", 2.0),
        ("180 deg2", "", "rad2", math.pi**2 / 180.0),
        ("9 1/deg", "", "1/rad", 9.0 * 180.0 / math.pi),
        ("4 N m/deg", "", "N m/rad", 4.0 * 180.0 / math.pi),
        ("2 rad2", "", "deg2", 2.0 * (180.0 / math.pi) ** 2),
        ("2 1/deg2", "", "1/rad2", 2.0 * (180.0 / math.pi) ** 2),
        ("36 km2", "", "m2", 3.6e7),
        ("36 m/s2", "", "km/h/s", 129.6),
    ],
)
def test_powers_and_products_of_units(text, kind, unit, value):
    # rounding: of a power of π / 180
    assert read(text, kind, unit) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["1e31", "-1e31", "-1e29km", "-1e29 km2"])
def test_what_is_absurdly_large_is_refused_on_both_sides_of_zero(text):
    unit = "m2" if text.endswith("2") else "m"
    with pytest.raises(QuantityError, match=r"at most 1e\+30"):
        read(text, "", unit)


@given(finite, st.sampled_from(list(UNITS)))
def test_a_number_alone_keeps_its_meaning(value, kind):
    assert read(repr(value), kind, UNITS[kind]) == value  # exact


@given(finite, st.sampled_from([k for k in UNITS if UNITS[k]]))
def test_the_unit_of_a_number_alone_changes_nothing(value, kind):
    for gap in ("", " "):
        assert read(f"{value!r}{gap}{UNITS[kind]}", kind, UNITS[kind]) == value  # exact


@given(decimals)
@example(Decimal("7"))  # 7 * 0.01 is not 0.07
def test_a_unit_is_the_same_float_as_the_number_in_si(value):
    assert read(f"{value}cm", "length", "m") == float(value / 100)
    assert read(f"{value}ms", "time", "s") == float(value / 1000)
    assert read(f"{value}kN/m", "stiffness", "N/m") == float(value * 1000)
    assert read(f"{value}%", "share") == float(value / 100)
    assert read(f"{value}", "length", "m") == float(value)


@given(decimals)
def test_grades_and_angles_are_each_others_inverse(value):
    angle = read(f"{value}%", "slope", "rad")
    assert math.isclose(
        100.0 * math.tan(angle), float(value), rel_tol=1e-13
    )  # rounding
    back = read(f"{angle!r}rad", "slope", "%")
    assert math.isclose(back, float(value), rel_tol=1e-13)  # rounding


@given(st.text(max_size=30), st.sampled_from(list(UNITS)))
@example("2" * 20000, "length")
@example("1e999999999m", "length")
@example("1e308km", "length")
@example("0e999999999km", "length")
def test_any_text_is_a_finite_number_or_refused(text, kind):
    try:
        value = read(text, kind, UNITS[kind])
    except QuantityError as error:
        assert str(error).startswith("--x takes a")
        assert str(error).isprintable()
    else:
        assert math.isfinite(value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("20kg", "slope"), ("35%", "angle"), ("35%", "length"), ("2m", "time"),
        ("2s", "length"), ("5N", "torque"), ("5Nm", "force"),
        ("0.4/s", "turning speed"),
        ("20deg", "share"), ("nan", "length"), ("inf", "length"), ("-inf", "mass"),
        ("1e999", "length"), ("1e999m", "length"), ("", "length"), (" ", "length"),
        ("m", "length"), ("%", "share"), ("2 3m", "length"), ("0,5m", "length"),
        ("2m2", "length"), ("nanm", "length"), ("0x10", "length"),
        ("2parsec", "length"), ("90deg", "grade"),
    ],
)  # fmt: skip
def test_what_is_refused(text, kind):
    quantity = (
        Quantity("slope", "%") if kind == "grade" else Quantity(kind, UNITS[kind])
    )
    with pytest.raises(QuantityError) as refused:
        number_of(text, quantity, "--x")
    assert str(refused.value).endswith(f", got '{text}'.")


def test_a_refusal_says_what_would_work():
    with pytest.raises(QuantityError) as refused:
        number_of("20kg", Quantity("slope", "deg"), "--slope")
    assert str(refused.value) == (
        "--slope takes an angle or a grade: 20deg, 0.35rad or 35%, got '20kg'."
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_work(kind):
    assert set(KINDS) == set(UNITS)
    for text in KINDS[kind].examples:
        assert read(text, kind, UNITS[kind]) > 0.0


def test_several_numbers():
    both = (SPEED, SPEED, Quantity("turning speed", "rad/s"))
    assert numbers_of("0.5,1.8km/h,180deg/s", both, "x") == (0.5, 0.5, math.pi)
    assert numbers_of("0.5", both, "x") == (0.5,)
    with pytest.raises(QuantityError, match="2 numbers at most, got '1,2,3'"):
        numbers_of("1,2,3", both[:2], "x")


def test_there_is_no_other_kind():
    with pytest.raises(KeyError, match="lenght"):
        Quantity("lenght", "m")
