"""Which shapes can touch: the library's reading of a file against MuJoCo's contacts."""

import mujoco
import numpy as np

from equipoise.robots.scene.pairs import can_touch, pair_of


def drawn(rng):
    """Return a model in which a box lies in a floor, with contact words at random."""
    bits = [
        f'contype="{rng.integers(4)}" conaffinity="{rng.integers(4)}"' for _ in "ab"
    ]
    words = [
        f'friction="{rng.uniform(0.1, 2):.3g}" condim="{rng.choice([1, 3, 4, 6])}" '
        f'priority="{rng.integers(2)}" margin="{rng.choice([0, 0.003]):g}" {bit}'
        for bit in bits
    ]
    contact = ""
    if rng.random() < 0.4:
        contact += '<exclude body1="box" body2="world"/>'
    if rng.random() < 0.4:
        contact += (
            f'<pair geom1="box" geom2="floor" condim="{rng.choice([1, 3])}" '
            f'friction="{rng.uniform(0.1, 1):.3g} {rng.uniform(0.1, 1):.3g} .1 .1 .1"/>'
        )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" {words[0]}/>'
        f'<body name="box" pos="0 0 0.09"><freejoint/><geom name="box" type="box" '
        f'size=".1 .1 .1" {words[1]}/></body></worldbody><contact>{contact}</contact>'
        "</mujoco>"
    )


def test_bits_excludes_pairs_and_priority_are_read_as_the_engine_reads_them():
    rng = np.random.default_rng(0)
    touched = 0
    for _ in range(400):
        model = drawn(rng)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        one, two = model.geom("floor").id, model.geom("box").id
        assert (
            can_touch(model, one, two) == can_touch(model, two, one) == (data.ncon > 0)
        )
        if not data.ncon:
            continue
        touched += 1
        pair, contact = pair_of(model, two, one), data.contact[0]
        engine = 0.0 if contact.dim == 1 else contact.friction[:2].min()
        assert pair.friction == engine
        is_even = contact.dim == 1 or contact.friction[0] == contact.friction[1]
        assert pair.is_even == is_even
        assert pair.margin == contact.includemargin
    assert 100 < touched < 350  # both cases were there
