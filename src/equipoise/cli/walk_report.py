"""What ``equipoise walk`` tells people of a walk, and of many."""

from typing import TYPE_CHECKING, Any

from equipoise.cli.output import print_table, say

if TYPE_CHECKING:
    from equipoise.runs.walk.seeds import SeedsResult
    from equipoise.runs.walk.walk import WalkResult

__all__ = [
    "ROWS",
    "margins_in_words",
    "number",
    "print_found",
    "print_spread",
    "print_walk",
]

ROWS = (
    ("distance [m]", "distance_m", 1.0, ".2f"),
    ("mean speed under way [m/s]", "mean_speed_mps", 1.0, ".3f"),
    ("speed above command [%]", "speed_error", 100.0, ".1f"),
    ("largest roll [degrees]", "roll_max_deg", 1.0, ".2f"),
    ("largest pitch [degrees]", "pitch_max_deg", 1.0, ".2f"),
    ("smallest margin of the centre of mass [mm]", "static_margin_min_m", 1e3, ".1f"),
    ("smallest margin of the centre of pressure [mm]", "zmp_margin_min_m", 1e3, ".1f"),
    ("slip of all feet [m]", "slip_m", 1.0, ".3f"),
    ("positive joint work [J]", "energy_j", 1.0, ".0f"),
    ("cost of transport", "cost_of_transport", 1.0, ".3f"),
    ("electrical cost of transport", "electrical_cost_of_transport", 1.0, ".3f"),
    (
        "largest joint torque [% of the joint's limit]",
        "torque_peak_share",
        100.0,
        ".0f",
    ),
    ("times real time", "realtime_factor", 1.0, ".1f"),
)
"""What people are told: words, key, factor and pattern."""


def number(value: float | None, factor: float, pattern: str) -> str:
    """Return a number for people; a dash where there is none."""
    if value is None:
        return "-"
    return f"{factor * value:z{pattern}}"


def print_walk(result: "WalkResult") -> None:
    """Print one walk for people."""
    s = result.summary
    _print_warnings(s)
    print_found(s)
    rows = [
        (words, number(s[key], factor, pattern)) for words, key, factor, pattern in ROWS
    ]
    print_table(("", "value"), rows, _title(s))
    say(*ending_in_words(s))
    if not s["fell"] and (told := margins_in_words(s)):
        say(told)
    if over := overload_in_words(s["torque_peak"]):
        say(over)
    if s["freeze"] is not None:
        say(_frozen_in_words(s["freeze"]))
    adapted = (s["forces"] or {}).get("adaptation")
    if adapted is not None:
        say(_adapted_in_words(adapted))
    say(*recovery_in_words(s["recovery"], s["fell"]))


def ending_in_words(s: dict[str, Any]) -> list[str]:
    """Return how a walk ended: whether it went where it was told, and how far.

    Args:
        s: its numbers.
    """
    seconds = f"{s['simulated_s']:g} s"
    if s["fell"]:
        how, when = s["fell_how"], s["fell_at_s"]
        return [f"It fell after {when:.2f} s ({how}){assumed_torques(s)}."]
    if s["goal"] is not None:
        return [_goal_in_words(s["goal"], s["simulated_s"])]
    waited = (
        f"It waited {s['waited_s']:.1f} s of {seconds} on all feet: on ground as soft "
        "as it sensed, it would fall with one foot lifted."
    )
    stalled = (
        f"It made hardly any progress for {s['stalled_s'] or 0.0:.1f} s, in "
        "which it went "
        "less than a tenth of the commanded way."
    )
    lines = [waited] if s["waited_s"] else []
    lines += [stalled] if s["stalled_s"] else []
    if s["reasons"]:
        return [f"It did not fall in {seconds}.", *lines, *s["reasons"]]
    return [f"It walked for {seconds} and did not fall.", *lines]


def overload_in_words(peak: dict[str, Any] | None) -> str:
    """Return which joint was loaded beyond its limit, when and why; "" if none was.

    Args:
        peak: the largest torque, see ``runs.walk.effort``; None without any.
    """
    if peak is None or peak["over_s"] <= 0.0:
        return ""
    why = (
        "something turned it faster than its drive turns without load, where the "
        "supply can no longer limit the current"
        if peak["speed_share"] > 1.0
        else "a load from outside, such as a foot that lands, not its drive, causes "
        "such a torque"
    )
    return (
        f"The torque on joint '{peak['joint']}' was {100.0 * peak['share']:.0f} % of "
        f"its limit of {peak['limit']:.3g} {peak['unit']} at {peak['at_s']:.2f} s, and "
        f"above the limit for {1e3 * peak['over_s']:.3g} ms in all: {why}."
    )


def recovery_in_words(found: dict[str, Any] | None, fell: bool) -> list[str]:
    """Return how a walk took its push, a line for each answer that differs.

    Args:
        found: the answers, see ``runs.walk.recovery``; None without a push.
        fell: whether it fell, which says all.
    """
    if found is None or fell:
        return []
    said = {(one["answer"], one["reason"]) for one in found.values()}
    if len(said) == 1 and {one["answer"] for one in found.values()} == {"unknown"}:
        return [f"Whether it recovered is unknown. {said.pop()[1]}"]
    return [
        f"After the push, {kind}: {one['answer']}. {one['reason']}"
        for kind, one in found.items()
    ]


def margins_in_words(s: dict[str, Any]) -> str:
    """Return what margins below zero mean of a walk without a fall; "" without any.

    Args:
        s: its numbers.
    """
    static, pressure = s["static_margin_min_m"], s["zmp_margin_min_m"]
    if static is not None and round(1e3 * static) < 0:
        return (
            f"Its centre of mass was up to {-1e3 * static:.0f} mm outside the feet "
            "that stood: held still there it would tip. While few feet stand, as in "
            f"gait '{s['gait']}', that is normal; the next step catches it."
        )
    if pressure is not None and round(1e3 * pressure) < 0:
        return (
            f"Its centre of pressure was up to {-1e3 * pressure:.0f} mm outside the "
            "feet that stood, as feet came down or left the ground; its centre of mass "
            "never was, and it did not tip."
        )
    return ""


def _goal_in_words(goal: dict[str, Any], seconds: float) -> str:
    """Return how a walk to a place ended, in a sentence.

    Args:
        goal: what is told of it.
        seconds: that it took [s].
    """
    met = f"; it met an obstacle {goal['knocks']} times" if goal["knocks"] else ""
    if goal["reached"]:
        return f"It reached its goal in {seconds:.0f} s{met}."
    why = "it found no path" if goal["no_way"] else f"{goal['away_m']:.2f} m are left"
    return f"It did not reach its goal in {seconds:.0f} s: {why}{met}."


def _adapted_in_words(adapted: dict[str, Any]) -> str:
    """Return what it is worth that legs learn the ground, in a sentence."""
    return (
        "While it stands and shifts its load to and fro, the load error of a foot is "
        f"{number(adapted['error_rms'], 100.0, '.1f')} % of a leg's share of the "
        f"weight; {number(adapted['error_rms_off'], 100.0, '.1f')} % if legs do not "
        "learn the ground."
    )


def _frozen_in_words(freeze: dict[str, Any]) -> str:
    """Return what became of a machine that was frozen, in a sentence."""
    tilted = number(freeze["tilt_max_deg"], 1.0, ".1f")
    return (
        f"Frozen at {freeze['tried']} instants it stayed up {freeze['stable']} times; "
        f"it tipped onto other feet {freeze['tipped']} times, by {tilted} degrees at "
        "most."
    )


def assumed_torques(s: dict[str, Any]) -> str:
    """Return which torque limits of a machine that fell are assumed, as half a line."""
    from equipoise.robots.found.assumed import torques_in

    weak = torques_in(s["assumed"])
    return f"; its {weak}" if weak else ""


def _print_warnings(s: dict[str, Any]) -> None:
    """Print what was known to go wrong before it walked."""
    for line in s["warnings"]:
        say(f"Warning: {line}.")


def print_found(s: dict[str, Any]) -> None:
    """Print what a robot file was taken for, if it is one."""
    if not s["assumed"]:
        return
    size = s["scale"]
    say(
        f"{s['machine']}: {len(s['gait_found']['duty'] or ())} legs, "
        f"{size['mass_kg']:.3g} kg, hips {size['height_m']:.3g} m over its feet. "
        "Assumed:"
    )
    for line in s["assumed"]:
        say(f"- {line}")


def _title(s: dict[str, Any]) -> str:
    """Return what was walked, in words."""
    how = s["settings"]
    at = f"{how['speed']:g} m/s"
    if how["goal"]:
        at += " to ({:g}, {:g}) m".format(*how["goal"])
    if how["heading"]:
        at += f" towards {how['heading']:g} degrees"
    if how["left"]:
        at += f", {how['left']:g} m/s to the left"
    if how["turn"]:
        at += f", turning {how['turn']:g} rad/s"
    return f"{s['machine']}, {s['gait']} at {at}, {s['terrain']}"


def print_spread(result: "SeedsResult") -> None:
    """Print many walks for people."""
    s = result.summary
    if s["lost"] == s["seeds"]:
        say(f"No walk gave a result: {result.rows[0]['error']}.")
        return
    _print_warnings(s)
    parts = ("median", "p5", "p95")
    rows = [
        (words, *(number(s["spread"][key][part], factor, pattern) for part in parts))
        for words, key, factor, pattern in ROWS
    ]
    of = ""
    if s["falls"]:
        of = f", of the {s['spread_of']} that did not fall"
    print_table(("", "median", "5 %", "95 %"), rows, f"{_title(s)}{of}")
    fallen = ", ".join(str(seed) for seed in s["fallen_seeds"][:10])
    more = ", ..." if s["falls"] > 10 else ""
    say(
        f"{s['falls']} of {s['seeds']} fell"
        + (f" (seeds {fallen}{more}){assumed_torques(s)}." if s["falls"] else ".")
    )
    if s["short"]:
        listed = ", ".join(str(seed) for seed in s["short_seeds"][:10])
        more = ", ..." if s["short"] > 10 else ""
        say(
            f"{s['short']} of {s['seeds']} did not fall, but did not go where they "
            f"were told (seeds {listed}{more})."
        )
    if s["reached"] is not None:
        say(f"{s['reached']} of {s['seeds']} got to their goal.")
    if s["freeze"] is not None:
        say(_frozen_in_words(s["freeze"]))
    if s["lost"]:
        lost = next(row for row in result.rows if "error" in row)
        say(f"{s['lost']} gave no result (seed {lost['seed']}: {lost['error']}).")
