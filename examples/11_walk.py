"""WARP1 walks: a crawl, a trot with a push, a turn, and what becomes of each.

Its controller knows nothing but encoders, gyros, an inclinometer and load cells, and
sends voltages to motors over a bus, 500 times a second.
"""

import equipoise as eq
from equipoise.runs.walk.walk import WalkConfig, walk
from equipoise.sim.recording import write_run

WALKS = {
    "crawl over blocks": WalkConfig(gait="crawl", terrain="blocks:2", seconds=6.0),
    "trot, pushed aside": WalkConfig(speed=0.4, push=25.0, seconds=4.0),
    "trot on the spot, turning": WalkConfig(speed=0.0, turn=0.4, seconds=4.0),
    "trot, pushed too hard": WalkConfig(speed=0.4, push=200.0, seconds=4.0),
}


def main() -> None:
    for name, config in WALKS.items():
        s = walk(config).summary
        how = f"fell after {s['fell_at_s']:.1f} s" if s["fell"] else "walked"
        print(f"{name:26} {how:18} {s['distance_m']:5.2f} m, ", end="")
        print(f"roll {s['roll_max_deg']:4.1f}°, pitch {s['pitch_max_deg']:4.1f}°")

    # The same from any machine with such legs, and what it was made of.
    machine = eq.load("warp1", knees="inwards", payload=10.0)
    result = eq.simulate(machine, gait="trot", speed=0.3, seconds=3.0)
    run = result.dataset
    torque = abs(run["tau"]).max("frame_time").to_series().round(0)
    print("with 10 kg, largest torques [N m]:", torque.iloc[:3].to_dict())
    write_run(run, "walk.nc")
    print("written: walk.nc; play it with: equipoise view walk.nc")


if __name__ == "__main__":
    main()
