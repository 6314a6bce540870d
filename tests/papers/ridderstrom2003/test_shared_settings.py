"""What chapter 3 prints of machines and controllers, each beside what is ours."""

from equipoise.sim.machine.plant import MachineConfig
from equipoise_lab.papers.ridderstrom2003.chapter3.shared_settings import (
    shared_settings,
)

PRINT = {  # where in the thesis, what is set, and the number or words printed there
    ("3.1", "mass of TITAN III [kg]"): 80.0,
    ("3.1", "mass of TITAN IV [kg]"): 160.0,
    ("3.1", "mass of TITAN VI [kg]"): 195.0,
    ("3.2, fig. 3.9", "mass of ASV [kg]"): 2700.0,
    ("3.1", "legs of TITAN III"): 4,
    ("3.2", "legs of ASV"): 6,
    ("3.2.1", "degrees of freedom of a leg of the ASV"): 3,
    ("3.1", "length of a TITAN's leg [m]"): 1.2,
    ("3.1.1", "rate of TITAN III's references [1/s]"): 50.0,
    ("3.2, fig. 3.9", "length, width and height of the ASV [m]"): "5.8 x 2.2 x 3.1",
    ("3.2.2, fig. 3.12", "length, width and height of SAP [m]"): "0.5 x 0.3 x 0.6",
    ("3.3", "height of Thing [m]"): 0.23,
    ("3.3", "mass of Thing, about [kg]"): 2.0,
    ("3.3", "servos of Thing"): 12,
    ("3.4", "mass of the TUM hexapod, about [kg]"): 23.0,
    ("3.2.1", "scans of the ground ahead [1/s]"): 2.0,
    ("3.2.1", "time in which a drive responds [s]"): 0.01,
    ("3.2.1", "resonance of the trunk about some axis [1/s]"): 0.5,
    ("3.2.2", "operating modes"): 6,
    ("3.2.2", "period of the trunk servo [s]"): 0.06,
    ("3.2.2", "period of leg trajectories [s]"): 0.05,
    ("3.2.2", "period of the leg servo [s]"): 0.01,
    ("3.2.3", "length of a leg of RALPHY [m]"): 0.4,
    ("3.2.3", "mass of a leg of RALPHY [kg]"): 1.0,
    ("3.2.4", "bandwidth of its torques [Hz]"): 70.0,
    ("3.2.4", "bandwidth of its valves [Hz]"): 200.0,
    ("3.2.4", "q of its force references"): 0.2,
}


def test_settings_stand_beside_what_is_printed():
    found = shared_settings()
    published = {(s.where, s.quantity): s.published for s in found}
    assert {key: published.get(key) for key in PRINT} == PRINT
    ours = {s.quantity: s.ours for s in found}
    rate = 1.0 / MachineConfig().period
    assert ours["rate of TITAN III's references [1/s]"] == rate != 50.0
    assert ours["period of the leg servo [s]"] == 1.0 / rate
