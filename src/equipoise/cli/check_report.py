"""What ``equipoise check`` tells people of a robot, and of many."""

from typing import TYPE_CHECKING, Any

from equipoise.cli.output import complain, print_json, print_table, say

if TYPE_CHECKING:
    from equipoise.runs.check.reports.report import RobotReport
    from equipoise.runs.check.result import CheckResult

__all__ = ["print_reports"]

MOST_ROWS = 12  # contacts and notes that are printed; --json has all
ANSWERS = {"yes": "It stands", "no": "It does not stand", "unknown": "Not known"}


def print_reports(reports: "list[RobotReport]", json_output: bool) -> None:
    """Print the answers, and on stderr what could not be read."""
    for report in reports:
        if report.trouble:
            complain(report.trouble)
    first = reports[0]
    if len(reports) > 1:
        if json_output:
            print_json({"robots": [report.json_content for report in reports]})
        else:
            _print_many(reports)
    elif first.result is not None and json_output:
        print_json(first.result.report)
    elif first.result is not None:
        _print_check(first.result)
    elif first.skipped and json_output:
        print_json(first.json_content)
    elif first.skipped:
        _print_many(reports)


def _print_many(reports: "list[RobotReport]") -> None:
    """Print the checks of several robots for people, a line or a few each."""
    for report in reports:
        if report.skipped:
            say(f"{report.name}: passed over, {report.skipped}.")
        elif report.result is not None:
            said = _answer_sentence(report.result.summary)
            say(f"{report.name}: {said[0].lower()}{said[1:]}")
            _print_required(report.result)


def _answer_sentence(s: dict[str, Any]) -> str:
    """Return the answer of a check in words: who holds the joints comes first."""
    reasons, answer = list(s["reasons"]), ANSWERS[s["stands"]]
    if s["joints_words"] and reasons[:1] == [s["joints_words"]]:
        answer, reasons = f"{answer}, {reasons[0]}", reasons[1:]
    return f"{answer}: {'; '.join(reasons)}."


def _print_required(result: "CheckResult") -> None:
    """Print what was required, what changed, and what would do."""
    met = {"yes": "Met", "no": "Not met", "unknown": "Not known"}
    for found in result.requirements:
        say(f"{met[found.answer]}: {found.sentence}.")
    change = result.comparison
    if change is not None:
        rows = [("stands", change.old_stands, change.new_stands, "")]
        for c in change.changes:
            label = f"{c.name} [{c.unit}]" if c.unit else c.name
            before, now = _shown(c.old, "{:.5g}"), _shown(c.new, "{:.5g}")
            rows.append((label, before, now, _shown(c.change, "{:+z.5g}")))
        print_table(("", "before", "now", "change"), rows)
        worse = {"yes": "No worse", "no": "Worse", "unknown": "Unknown whether worse"}
        say(f"{worse[change.is_no_worse]} than {change.old}: {change.sentence}.")
    for goal in dict.fromkeys(remedy.goal for remedy in result.remedies):
        say(f"Tried on the changed robot: {goal} if")
        say(
            *(f"  {remedy.change}" for remedy in result.remedies if remedy.goal == goal)
        )


def _shown(value: float | None, pattern: str = "{:z.4f}") -> str:
    """Return a number for people; a dash where there is none."""
    return "-" if value is None else pattern.format(value)


def _print_check(result: "CheckResult") -> None:
    """Print a check for people."""
    s = result.summary
    feet = dict.fromkeys(c["geom"] for c in s["contacts"])
    rows = [
        ("mass [kg]", _shown(s["mass"], "{:.6g}")),
        ("centre of mass x, y, z [m]", ", ".join(f"{x:z.4f}" for x in s["com"])),
        ("stands on", ", ".join(feet) or "-"),
        *_world_rows(s),
        ("static margin [m]", _shown(s["static_margin_m"])),
        ("energy margin [J]", _shown(s["energy_margin_j"], "{:.4g}")),
        ("area of the equilibrium region [m²]", _shown(s["region_area_m2"])),
        ("margin in that region [m]", _shown(s["region_margin_m"])),
        *_joint_rows(s["joints"]),
        *_soft_rows(s),
    ]
    rows += _interval_rows(s["intervals"]) + _run_rows(s.get("run"))
    print_table(("", "value"), rows, s["robot"])
    say(_answer_sentence(s))
    if result.pose_note:
        say(f"Note: {result.pose_note}.")
    for phrase in s["joints"]["beyond_range"][:MOST_ROWS]:
        say(f"Note: joint {phrase}.")
    _print_required(result)


def _world_rows(s: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about the world it is in, and how it was put down."""
    source = {"option": "as given", "file": "the file's", "assumed": "assumed"}
    floor = {
        "own": "of the file",
        "assumed": "assumed, level below it",
        "out of reach": "of the file, which it cannot touch",
    }
    friction = _shown(s["friction"], "{:.3g}")
    gravity = ", ".join(f"{x:z.4g}" for x in s["gravity"])
    rows = [
        ("smallest friction", f"{friction} ({source[s['friction_from']]})"),
        ("gravity x, y, z [m/s²]", gravity),
        ("ground", floor[s["floor"]]),
    ]
    if s["left_out"]:
        rows.append(("left out of the file", ", ".join(s["left_out"])))
    if s["settled_deg"] is None:
        return [*rows, ("put down", "no, judged as given")]
    turned, sunk = (round(s[key], 6) for key in ("settled_deg", "settled_m"))
    told = f"turns by {turned:z.3g} deg, sinks by {sunk:z.3g} m"
    return [*rows, ("when put down gently, it", told)]


def _joint_rows(joints: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about joints; none where there are none."""
    if not joints["held"]:
        return []
    rows = [("joints", joints["words"])]
    share, least = joints["torque_share_without_bracing"], joints["torque_share"]
    if share is not None:
        rows.append(("torque to hold it, share of the limits", f"{share:.3g}"))
    if least is not None:
        told = f"{least:.3g}" if least <= 1.0 else f"{least:.3g}: they cannot hold it"
        rows.append(("the same, if feet brace against each other", told))
    return rows


def _soft_rows(s: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about soft ground or legs; none without."""
    soft = s["compliance"]
    if soft is None:
        return []
    lean = ", ".join(f"{x:z.3f}" for x in soft["weakest_direction"])
    rows = [
        ("stands down to, of every stiffness", _shown(soft["multiplier"])),
        ("critical stiffness [N/m]", _shown(soft["critical_stiffness"], "{:.5g}")),
        ("critical height [m]", _shown(soft["critical_height_m"])),
        ("weakest direction x, y", lean),
    ]
    springs = zip(
        s["contacts"], soft["contact_foot"], soft["contact_stiffness"], strict=True
    )
    for contact, foot, stiffness in list(springs)[:MOST_ROWS]:
        at = ", ".join(f"{x:.3f}" for x in contact["position"][:2])
        label = f"foot {foot + 1}, {contact['geom']} at {at} [N/m]"
        rows.append((label, f"{stiffness:.5g}"))
    if len(s["contacts"]) > MOST_ROWS:
        rows.append(("and more contacts", str(len(s["contacts"]) - MOST_ROWS)))
    return rows


def _interval_rows(intervals: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the rows about tolerances; none without."""
    names = {
        "static_margin_m": "static margin, from and to [m]",
        "energy_margin_j": "energy margin, from and to [J]",
        "region_margin_m": "margin within friction, from and to [m]",
        "multiplier": "stands down to, from and to",
    }
    found = intervals or {}
    return [
        (label, ", ".join(_shown(x, "{:.4g}") for x in found[key]))
        for key, label in names.items()
        if found.get(key) is not None
    ]


def _run_rows(run: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the rows about a recorded run; none without."""
    if run is None:
        return []
    return [
        ("told of the pose at [s]", _shown(run["at_s"], "{:.3f}")),
        ("worst static margin [m]", _shown(run["worst_static_margin_m"])),
        ("at [s]", _shown(run["worst_s"], "{:.3f}")),
        ("worst zero moment point margin [m]", _shown(run["worst_zmp_margin_m"])),
        ("at [s]", _shown(run["worst_zmp_s"], "{:.3f}")),
        ("stands in the end", run["last_stands"]),
        ("static margin in the end [m]", _shown(run["last_static_margin_m"])),
    ]
