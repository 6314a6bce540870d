"""``equipoise modules firmware``: the module program as C for the ATmega128."""

from typing import Any

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    tell_replaced,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.firmware.config import FirmwareConfig

__all__ = ["firmware_command"]

WORDS = {
    "frames": "frames: three sines and cosines",
    "mass_update": "mass update, six connectors",
    "steering": "steering, three joints",
    "hold": "hold, three joints",
    "routes": "swaps of axes, when docking",
    "protocol_round": "a round of the protocol",
    "frame_in": "a frame in: stuffing, checksum, rules",
    "frame_out": "a frame out: sums, checksum, stuffing",
}


@takes_settings(FirmwareConfig)
def firmware_command(
    settings: Settings = NO_SETTINGS,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Write the module program as C for the ATmega128 at 16 MHz, and measure it.

    Exits 1 when a bit differs from the same program in Python.
    """
    from equipoise.runs.firmware.firmware import firmware_to_files

    expect_out(out)
    config = FirmwareConfig(seed=seed, **settings)
    result = firmware_to_files(config, out)
    if json_output:
        print_json(result.summary)
    else:
        _print_firmware(result.summary, config.run)
        print_written(result.files)
    tell_replaced(result.replaced)
    return 0 if result.is_equal else 1


def _print_firmware(s: dict[str, Any], run: bool) -> None:
    """Print what was measured for people."""
    if not run:
        say("The C was not run; --run builds it and counts cycles under simavr.")
        return
    rows = [(words, *_both(s["cycles"][name])) for name, words in WORDS.items()]
    rows.append(("whole update, six frames each way", *_both(s["cycles_update"])))
    rows.append(("on two processors: links and sums", *_both(s["cycles_links"])))
    rows.append(("on two processors: joints", *_both(s["cycles_joints"])))
    print_table(("", "cycles", "ms"), rows, f"{s['robot']}: ATmega128 at 16 MHz")
    say(
        f"One processor runs everything at {s['rate_hz']:.0f} Hz; of two, "
        "one runs links "
        f"and sums at {s['rate_links_hz']:.0f} Hz, the other the joints at "
        f"{s['rate_joints_hz']:.0f} Hz. "
        "A tick of 1 kHz has 16,000 cycles."
    )
    say(f"{s['flash_bytes']:,} bytes of flash, {s['memory_bytes']:,} of memory.")
    same = "equal bit by bit" if s["equal_bits"] else "NOT EQUAL"
    say(f"{s['states']} random states, and a star of seven modules: {same}.")
    if s["pair_frames"] is None:
        say(f"Two modules could not be connected: {s['missing']}")
    else:
        same = "all equal" if s["pair_equal"] else "NOT EQUAL"
        frames = f"{s['pair_frames']} frames"
        say(
            "Two modules communicated by serial lines, with one processor and with "
            f"two: {frames}, {same}."
        )


def _both(cycles: int) -> tuple[str, str]:
    """Return cycles and milliseconds."""
    return f"{cycles:,}", f"{cycles / 16000:.2f}"
