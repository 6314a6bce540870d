"""A chain of twelve modules that talk over wires that lose every fifth frame.

It is cut in the middle, docked again end to end the other way, and one module starts
anew. Every module either knows exactly how many they are or says that it does not.
Writes ``protocol.png`` into the folder it is run in.
"""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

from equipoise.core.seeds import stream
from equipoise.modules import InMemory, Lossy, VirtualClock, run_round
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs

N, ROUNDS, LOSS = 12, 260, 0.2
CUT, DOCK, RESTART, STEP = 70, 110, 160, 220
EVENTS = {CUT: "cut", DOCK: "dock", RESTART: "restart", STEP: "step"}
FRONT, BACK, SIDE = 0, 1, 2


def main() -> None:
    links = [((k, FRONT), (k + 1, BACK)) for k in range(N - 1)]
    plain = InMemory(links)
    wires, clock = Lossy(plain, LOSS, stream(0, "loss")), VirtualClock()
    members = [Member(id=k + 1, ports=3, cargo=Numbers()) for k in range(N)]
    states = tuple(member.init() for member in members)
    docked = {end for link in links for end in link}
    feet, sent = {0}, 0
    known, leader = np.zeros((N, ROUNDS)), np.zeros((N, ROUNDS), bool)
    for tick in range(ROUNDS):
        if tick == CUT:
            plain.undock(links[5])
            docked -= set(links[5])
        if tick == DOCK:  # the far end of the second half, where it was never before
            plain.dock(((5, FRONT), (11, SIDE)))
            docked |= {(5, FRONT), (11, SIDE)}
        if tick == RESTART:  # the root: it forgets everything
            states = (*states[:11], replace(members[11], seed=1).init())
        if tick == STEP:
            feet = {9}
        inputs = [
            MemberInputs(
                attached=tuple(p for p in range(3) if (k, p) in docked),
                body=1,
                touching=k in feet,
            )
            for k in range(N)
        ]
        states, count = run_round(members, inputs, states, wires, clock)
        sent += count
        known[:, tick] = [state.report.total or np.nan for state in states]
        leader[:, tick] = [state.report.is_leader for state in states]
    print(f"{sent} frames sent, {int(LOSS * 100)} % lost")
    for tick in (CUT - 1, DOCK - 1, RESTART - 1, STEP - 1, ROUNDS - 1):
        counts = sorted({int(c) for c in known[:, tick] if c > 0})
        print(f"round {tick}: they say {counts}, leaders {leader[:, tick].sum()}")
    wrong = np.isfinite(known) & ~np.isin(known, (N // 2, N - 1, N))
    print("claims of a robot that never was:", wrong.sum())
    draw(known, leader)


def draw(known: np.ndarray, leader: np.ndarray) -> None:
    figure, axes = plt.subplots(figsize=(8.0, 3.2), layout="constrained")
    image = axes.imshow(known, aspect="auto", interpolation="nearest", vmin=0, vmax=N)
    axes.plot(*np.argwhere(leader.T).T, "w.", ms=2)
    for tick, text in EVENTS.items():
        axes.axvline(tick, color="tab:red", lw=1)
        axes.text(tick, -0.8, text, color="tab:red", ha="center")
    axes.set(xlabel="round", ylabel="module")
    figure.colorbar(image, label="modules it knows of (blank: not known)")
    figure.savefig("protocol.png", dpi=110)
    print("wrote protocol.png")


if __name__ == "__main__":
    main()
