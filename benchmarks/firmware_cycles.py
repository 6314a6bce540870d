"""What the module program costs on an emulated ATmega128, part by part.

    python benchmarks/firmware_cycles.py [--states 200] [--seed 1] [--out FILE.json]

Cycles are those of simavr's ATmega128, the least, median and largest over random states
and over the rounds of a star of seven modules. Needs gcc-avr, avr-libc and simavr.
Prints JSON; exits 1 when a bit differs from Python, or when the mass update with six
connectors takes more than 60,000 cycles or steering more than 400,000.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from equipoise.control.com.small.float_steering import FloatSteeringConfig
from equipoise.control.com.small.small_module import small_module
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.runs.firmware.firmware import PARTS, rates
from equipoise.runs.firmware.pair import program_sizes
from equipoise.runs.firmware.star import star_of
from equipoise.runs.firmware.states import random_states, twin_words
from equipoise.runs.firmware.trials import floats_on, protocol_on, workshop

MASS, STEERING = 60_000, 400_000  # cycles


def measured(states, seed):
    """Return all numbers."""
    module = small_module(SuperbotModule().body())
    drawn, star = random_states(module, states, seed), star_of(module, 60)
    with workshop(module) as folder:
        floats = floats_on("atmega128", folder, drawn)
        protocol = protocol_on("atmega128", folder, star)
        flash, memory = program_sizes(folder)
    counted = {**floats.cycles, **protocol.cycles}
    full = [k for k, heard in enumerate(drawn.heard) if heard == 63]
    counted["m"] = tuple(counted["m"][k] for k in full)  # with all six connectors
    spread = {
        name: [min(counted[k]), int(np.median(counted[k])), max(counted[k])]
        for name, k in PARTS.items()
    }
    same = np.array_equal(
        floats.words, twin_words(module, FloatSteeringConfig(), drawn)
    )
    return {
        "states": states,
        "seed": seed,
        "equal_bits": bool(same and np.array_equal(protocol.words, star.words)),
        "flash_bytes": flash,
        "static_memory_bytes": memory,
        "cycles_least_median_most": spread,
        **rates({name: max(counted[k]) for name, k in PARTS.items()}),
    }


def main():
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description="Cycles of the module program.")
    parser.add_argument("--states", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = measured(given.states, given.seed)
    text = json.dumps(found, indent=2)
    print(text)
    if given.out:
        given.out.write_text(text + "\n")
    cycles = found["cycles"]
    good = cycles["mass_update"] <= MASS and cycles["steering"] <= STEERING
    return 0 if good and found["equal_bits"] else 1


if __name__ == "__main__":
    sys.exit(main())
