"""Loads that modules tell each other: every field is added, written and cleared."""

import numpy as np

from equipoise.control.com.loads import CarriedLoad, add_load, clear_load, put_load


def drawn(rng):
    load = CarriedLoad.zeros(1)
    for name in load.dtype.names:
        load[name] = rng.normal(size=load[name].shape)
    return load


def test_every_field_of_a_load_is_added_written_and_cleared(rng):
    one, two, out = drawn(rng), drawn(rng), CarriedLoad.zeros(1)
    put_load(out[0], one[0])
    assert out.tobytes() == one.tobytes()
    add_load(out[0], two[0])
    for name in out.dtype.names:
        np.testing.assert_array_equal(out[name], one[name] + two[name])  # exact
    clear_load(out[0])
    assert not any(out[name].any() for name in out.dtype.names)
