"""``equipoise robots NAME``: what a built-in robot is, as tables."""

from pathlib import Path
from typing import Any

from equipoise.cli.describe import print_description
from equipoise.cli.output import (
    print_json,
    print_table,
    print_written,
    say,
    tell_replaced,
    write_files,
    write_json,
)

__all__ = ["show_robot"]

UNITS = {"hinge": ("rad", "N m", "rad/s"), "slide": ("m", "N", "m/s")}
"""Of range, effort and speed."""


def show_robot(
    name: str, json_output: bool, out: Path | None, save: Path | None
) -> int:
    """Print what a built-in robot is, and return the exit code.

    Args:
        name: of the robot.
        json_output: whether as one JSON object.
        out: folder for the same as a file and for a picture, if any.
        save: robot file to write instead; None for none.
    """
    from equipoise.robots.load import load
    from equipoise.runs.about import about
    from equipoise.runs.portrait import write_portrait

    if save is not None:
        return _save_file(name, save, json_output)
    found = about(name)
    written = write_files(
        out,
        lambda to: [
            write_json(to, f"{name}.json", found),
            write_portrait(load(name), to / f"{name}.png"),
        ],
    )
    if json_output:
        print_json(found)
        return 0
    if "file" in found:
        say(f"{name}: {found['what']}", f"  {found['file']}")
        print_description(found)
        mine = f"my_robot{Path(found['file']).suffix}"
        say(f"'equipoise robots {name} --save {mine}' saves a copy for editing.")
    else:
        _print_robot(found)
    print_written(written)
    return 0


def _save_file(name: str, file: Path, json_output: bool) -> int:
    """Write a robot as a robot file, and return the exit code.

    Args:
        name: of the robot.
        file: to write.
        json_output: whether one JSON object says what was written.
    """
    from equipoise.runs.about import save_robot

    is_there = file.exists()
    written = save_robot(name, file)
    tell_replaced([written] if is_there else [])
    if json_output:
        print_json({"robot": name, "file": str(written)})
    else:
        print_written([written])
    return 0


def _print_robot(found: dict[str, Any]) -> None:
    """Print it for people: in a few lines, then numbers, limits and sensors."""
    size = " x ".join(f"{x:.2f}" for x in found["size_m"])
    say(f"{found['robot']}: {found['what']}")
    line = f"{found['mass_kg']:.4g} kg, {size} m in its stand"
    legs = found["legs"]
    if legs["count"]:
        line += f", {legs['count']} legs of {legs['joints_each']} joints"
    say(line)
    _print_limits(found["limits"])
    if found["sensors"]:
        rows = [(s["name"], s["what"], _source(s)) for s in found["sensors"]]
        print_table(("sensor", "measures", "source"), rows, justify="left")
    rows = [
        (n["what"], _numbers(n["value"]), n["unit"], _source(n))
        for n in found["numbers"]
    ]
    print_table(("number", "value", "unit", "source"), rows, justify="left")
    rows = [
        (f"{c['name']}{' (its own)' if c['is_own'] else ''}", c["what"])
        for c in found["controllers"]
    ]
    print_table(("suitable controller", "description"), rows, justify="left")
    rows = [(f"--{o['name']}", o["default"], o["what"]) for o in found["options"]]
    if rows:
        print_table(("option", "default", "meaning"), rows, justify="left")
    for line in found["simplified"]:
        say(f"simplified: {line}")


def _print_limits(limits: list[dict[str, Any]]) -> None:
    """Print the limits of joints, those that are alike in one row."""
    alike: dict[tuple[Any, ...], list[str]] = {}
    for row in limits:
        key = tuple(row[k] for k in ("kind", "lower", "upper", "effort", "speed"))
        alike.setdefault(key, []).append(row["joint"])
    rows = []
    for (kind, lower, upper, effort, speed), joints in alike.items():
        way, strength, pace = UNITS[kind]
        reach = "-" if lower is None else f"{lower:.3g} to {upper:.3g} {way}"
        most = "-" if effort is None else f"{effort:.4g} {strength}"
        fast = "-" if speed is None else f"{speed:.3g} {pace}"
        more = f" and {len(joints) - 1} more" if len(joints) > 1 else ""
        rows.append((f"{joints[0]}{more}", reach, most, fast))
    print_table(("joint", "range", "effort", "speed"), rows, justify="left")


def _source(row: dict[str, Any]) -> str:
    """Return where something comes from, for people."""
    return f"{row['source']}: {row['where']}"


def _numbers(value: Any) -> str:
    """Return a number or several, for people."""
    if isinstance(value, list | tuple):
        parts: Any = value
        is_nested = any(isinstance(one, list | tuple) for one in parts)
        return ("; " if is_nested else ", ").join(_numbers(one) for one in parts)
    return f"{value:.5g}"
