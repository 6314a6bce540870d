"""The module program in C, here and on emulated processors, against Python."""

import ctypes
import json

import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.control.com.small.float_steering import Aim as StateAim
from equipoise.control.com.small.float_steering import FloatSteeringConfig
from equipoise.control.com.small.small_module import PORTS, small_module
from equipoise.control.com.small.twin import Twin
from equipoise.core.errors import BadFileError, ConfigError, MissingToolError
from equipoise.equations.emit.toolchains import BOARDS, call
from equipoise.modules.frame import HEARD, ProtocolFrame, crc16, pack_frame
from equipoise.modules.kernels import rows as at
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.runs.firmware import firmware
from equipoise.runs.firmware import pair as firmware_pair
from equipoise.runs.firmware.config import FirmwareConfig
from equipoise.runs.firmware.firmware import (
    expect_own_folder,
    firmware_to_files,
    module_of,
)
from equipoise.runs.firmware.pair import ONE, TWO, pair_log, program_sizes, replayed
from equipoise.runs.firmware.star import star_of
from equipoise.runs.firmware.states import random_states, twin_words
from equipoise.runs.firmware.trials import (
    PROGRAM,
    compile_parts,
    floats_on,
    protocol_on,
    run_program,
    table_text,
    workshop,
)
from equipoise.runs.robot import RobotChoice
from oracles.emulated import need

ODD = SuperbotModule(
    kind="conro", front_offset=0.052, side_offset=0.041, side_forward=0.015
)
SIZES = """#include "program.h"
unsigned long size_of_program(void) { return sizeof(struct program); }
unsigned long size_of_senses(void) { return sizeof(struct senses); }
const float *torque_of(const struct program *w) { return w->drive.torque; }
"""


@pytest.fixture(scope="module")
def module():
    """Return a SuperBot module's numbers."""
    return small_module(SuperbotModule().body())


@pytest.fixture(scope="module")
def star(module):
    """Return a star of seven modules."""
    return star_of(module, 42)


def test_mass_and_steering_have_every_bit_of_python():
    need("host")
    odd = small_module(ODD.body())
    states = random_states(odd, 200, seed=1)
    with workshop(odd) as folder:
        ours = floats_on("host", folder, states)
    np.testing.assert_array_equal(
        ours.words, twin_words(odd, FloatSteeringConfig(), states)
    )


def test_the_middle_of_a_star_says_what_its_twin_says(module, star):
    need("host")
    with workshop(module) as folder:
        ours = protocol_on("host", folder, star)
    assert star.known_rounds > 5
    np.testing.assert_array_equal(ours.words, star.words)


class Aim(ctypes.Structure):
    """``struct aim``."""

    _fields_ = (
        ("R_WM", ctypes.c_float * 9),
        ("p_WM", ctypes.c_float * 3),
        ("target", ctypes.c_float * 3),
        ("v_WC", ctypes.c_float * 3),
        ("held", ctypes.c_uint8),
    )


class Senses(ctypes.Structure):
    """``struct senses``."""

    _fields_ = (
        ("angle", ctypes.c_float * 3),
        ("rate", ctypes.c_float * 3),
        ("touching", ctypes.c_uint8),
        ("foot", ctypes.c_uint8),
        ("attached", ctypes.c_uint8),
        ("has_aim", ctypes.c_uint8),
        ("aim", Aim),
    )


@pytest.fixture(scope="module")
def library(module):
    """Return the program as a library of this machine."""
    need("host")
    with workshop(module) as folder:
        (folder / "sizes.c").write_text(SIZES)
        flags = ["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-O1"]
        flags += ["-ffp-contract=off", "-fPIC", "-shared", "-o", "program.so"]
        call(BOARDS["host"].compiler, [*flags, *PROGRAM, "sizes.c"], folder)
        found = ctypes.CDLL(str(folder / "program.so"))
        assert found.size_of_senses() == ctypes.sizeof(Senses)
        yield found


class InC:
    """One module as C, with the calls of ``Twin``."""

    def __init__(self, library, id, seq, epoch, join, quarter):
        self.library = library
        self.state = ctypes.create_string_buffer(library.size_of_program())
        library.program_boot(self.state, id, seq, epoch, join)
        library.program_docked(self.state, (ctypes.c_uint8 * PORTS)(*quarter))

    def mail(self, port, frame):
        """Hand over a frame."""
        return bool(self.library.program_mail(self.state, port, frame))

    def round(self, angles, rates, *, touching, foot, attached, aim):
        """Pass a round."""
        senses = Senses(touching=touching, foot=foot, attached=attached)
        senses.angle[:], senses.rate[:] = angles, rates
        if aim is not None:
            senses.has_aim, senses.aim.held = 1, int(aim.held[0])
            for name in ("R_WM", "p_WM", "target", "v_WC"):
                getattr(senses.aim, name)[:] = getattr(aim, name)[0].tolist()
        for part in ("round", "sums", "drive"):
            getattr(self.library, f"program_{part}")(self.state, ctypes.byref(senses))

    @property
    def torque(self):
        """Return the joint torques of the last round."""
        self.library.torque_of.restype = ctypes.POINTER(ctypes.c_float)
        return np.array(self.library.torque_of(self.state)[:3], np.float32)

    def frame(self, port):
        """Return the frame for a connector."""
        room = ctypes.create_string_buffer(64)
        return room.raw if self.library.program_frame(self.state, port, room) else None


class Network:
    """Modules that are docked, cut, switched off and on, each in C and in Python."""

    def __init__(self, library, module, seed, count=6):
        self.rng = np.random.default_rng(seed)
        self.library, self.module, self.count = library, module, count
        self.ids = [int(i) for i in self.rng.permutation(40)[:count] + 1]
        self.far, self.mail = {}, []
        self.both = [self.start(i) for i in range(count)]
        self.touching, self.foot = [False] * count, [0] * count
        for i in range(1, count):
            self.dock(i, int(self.rng.integers(i)))
        self.frames = self.known = self.sums = self.steered = 0

    def start(self, i, before=None):
        """Return both programs of a module just switched on, some near a wrap."""
        seq, epoch, join = (int(self.rng.integers(top)) for top in (256, 65536, 256))
        epoch = 65535 if self.rng.random() < 0.3 else epoch
        if before is not None:  # just before the epochs of its former life
            former = int(before[1].seats.node[0, at.OWN_EPOCH])
            epoch = (former - int(self.rng.integers(10, 60))) & 0xFFFF
        quarter = [int(q) for q in self.rng.integers(0, 4, PORTS)]
        twin = Twin(
            self.module, id=self.ids[i], seq=seq, epoch=epoch, join=join,
            quarter=quarter,
        )  # fmt: skip
        return InC(self.library, self.ids[i], seq, epoch, join, quarter), twin

    def dock(self, a, b):
        """Join free connectors of two modules."""
        free = [[p for p in range(PORTS) if (m, p) not in self.far] for m in (a, b)]
        if a != b and free[0] and free[1]:
            p, q = (int(self.rng.choice(ports)) for ports in free)
            self.far[a, p], self.far[b, q] = (b, q), (a, p)

    def trouble(self):
        """Let something happen."""
        kind, i = int(self.rng.integers(4)), int(self.rng.integers(self.count))
        if kind == 0 and self.far:
            a = list(self.far)[int(self.rng.integers(len(self.far)))]
            del self.far[self.far.pop(a)]
        elif kind == 1:
            self.dock(i, int(self.rng.integers(self.count)))
        elif kind == 2:
            i = self.ids.index(max(self.ids))
            self.both[i] = self.start(i, self.both[i])
        else:
            self.touching[i] = not self.touching[i]
            self.foot[i] = (self.foot[i] + 1) & 255

    def aim(self):
        """Return a place in the world and somewhere to go."""
        x = self.rng.uniform(-1, 1, (1, 18)).astype(np.float32)
        held = self.rng.integers(0, 4, 1)
        parts = {"R_WM": x[:, :9], "p_WM": x[:, 9:12], "target": x[:, 12:15]}
        return StateAim(**parts, v_WC=x[:, 15:], held=held)

    def post(self, tick, i, p, frame):
        """Send a frame: it may be lost, damaged, late or come twice."""
        if (i, p) not in self.far or self.rng.random() < 0.1:
            return
        if self.rng.random() < 0.02:
            damaged = bytearray(frame)
            damaged[int(self.rng.integers(64))] ^= 1 << int(self.rng.integers(8))
            frame = bytes(damaged)
        late = int(self.rng.integers(4)) if self.rng.random() < 0.2 else 0
        self.mail.append((tick + 1 + late, *self.far[i, p], frame))
        if self.rng.random() < 0.03:
            self.mail.append((tick + 2, *self.far[i, p], frame))

    def step(self, tick):
        """Pass a round of all and compare all that is said."""
        now = [m for m in self.mail if m[0] <= tick]
        self.mail = [m for m in self.mail if m[0] > tick]
        for _, i, p, frame in now:
            ours, twin = self.both[i]
            assert ours.mail(p, frame) == twin.mail(p, frame)
        for i, (ours, twin) in enumerate(self.both):
            attached = sum(1 << p for m, p in self.far if m == i)
            felt = {"touching": self.touching[i], "foot": self.foot[i]}
            angles, rates = self.rng.uniform(-1, 1, (2, 3)).tolist()
            aim = self.aim() if self.rng.random() < 0.8 else None
            for one in (ours, twin):
                one.round(angles, rates, attached=attached, aim=aim, **felt)
            np.testing.assert_array_equal(ours.torque, twin.torque[0])
            self.known += twin.known
            self.steered += twin.steers
            for p in range(PORTS):
                frame = ours.frame(p)
                assert frame == twin.frame(p), (tick, i, p)
                if frame is not None:
                    self.frames += 1
                    self.sums += frame[0] >> 7
                    self.post(tick, i, p, frame)


def test_frames_are_the_twins_through_losses_docking_and_restarts(library, module):
    network = Network(library, module, seed=0, count=5)
    for tick in range(130):
        if 30 < tick < 90 and tick % 6 == 0:
            network.trouble()
        network.step(tick)
    # the comparison above is worth something only if much was said and known
    assert network.frames > 2000
    assert network.known > 50
    assert network.sums > 50
    assert 20 < network.steered < network.known


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_networks_say_what_their_twins_say(library, module, seed):
    network = Network(library, module, seed, count=9)
    for tick in range(300):
        if 30 < tick < 220 and tick % 7 == 0:
            network.trouble()
        network.step(tick)
    assert network.known > 50


def test_an_emulated_atmega128_has_every_bit_of_python(module, star):
    need("atmega128")
    states = random_states(module, 20, seed=2)
    with workshop(module) as folder:
        floats = floats_on("atmega128", folder, states)
        protocol = protocol_on("atmega128", folder, star)
    np.testing.assert_array_equal(
        floats.words, twin_words(module, FloatSteeringConfig(), states)
    )
    np.testing.assert_array_equal(protocol.words, star.words)
    assert 40_000 < max(floats.cycles["m"]) < 60_000
    assert max(floats.cycles["f"]) + max(floats.cycles["s"]) < 400_000


OPERATIONS = """#include <stdint.h>
#include <string.h>
#include BOARD
#include "table.h"
static void print_line(char kind, uint32_t word)
{
  board_put(kind);
  for (int8_t shift = 28; shift >= 0; shift -= 4)
    board_put("0123456789abcdef"[(word >> shift) & 15]);
  board_put('\\n');
}
static void put(float x)
{
  uint32_t word;
  memcpy(&word, &x, 4);
  print_line('y', word);
}
int main(void)
{
  board_start();
  for (uint16_t k = 0; k < PAIRS; ++k) {
    const uint32_t u = board_word(TABLE, 2 * k), v = board_word(TABLE, 2 * k + 1);
    float a, b;
    memcpy(&a, &u, 4);
    memcpy(&b, &v, 4);
    put(a + b);
    put(a - b);
    put(a * b);
  }
  print_line('e', 0);
  board_stop();
  return 0;
}
"""


def awkward_pairs(count, seed):
    """Return bits of pairs, (count, 2): near, far, opposite, tiny, special."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**32, (count, 2), dtype=np.uint64)
    kind = np.arange(count) % 8
    exponent = bits[:, 0] >> 23 & 255
    near = np.clip(exponent.astype(int) + rng.integers(-33, 34, count), 0, 255)
    moved = bits[:, 1] & 0x807FFFFF | near.astype(np.uint64) << 23
    bits[:, 1] = np.where(kind < 4, moved, bits[:, 1])
    opposite = (bits[:, 0] ^ 0x80000000) + rng.integers(0, 3, count).astype(np.uint64)
    bits[:, 1] = np.where(kind == 4, opposite, bits[:, 1])
    bits[kind == 5] &= 0xFFFFF000  # few digits: ties
    bits[kind == 6] &= 0x80FFFFFF  # tiny, below the normal ones too
    bits[kind == 7] |= 0x007FFFF0  # all digits set: carries run through
    special = [0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x7F7FFFFF]
    rows = np.arange(0, count, 16)
    bits[rows, rows // 16 % 2] = rng.choice(special, len(rows))
    return (bits & 0xFFFFFFFF).astype(np.uint32)


def just_above_half(count, seed):
    """Return bits of pairs whose sum, or product, is a last digit's half and a speck.

    The speck is so small that only a bit that remembers what was shifted out sees it;
    in every fourth sum it is left out.
    """
    rng = np.random.default_rng(seed)
    one = 127 << 23
    sums, products = [], []
    for k in range(count):
        d = int(rng.integers(10, 25))
        low = (1 << (d - 1)) + (k % 4 > 0)
        b = 1 << 23 | int(rng.integers(1 << 23)) >> d << d & 0x7FFFFF | low
        sign = int(rng.integers(2)) << 31
        sums.append(((one + (d << 23)) | int(rng.integers(1 << 23)),
                     sign | one | b & 0x7FFFFF))  # fmt: skip
    while len(products) < count:
        a = int(rng.integers(1 << 23, 1 << 24)) | 1
        b = ((1 << 23) + int(rng.integers(1, 256))) * pow(a, -1, 1 << 24) % (1 << 24)
        if b >> 23 and a * b >> 47:
            products.append((one | a & 0x7FFFFF, one | b & 0x7FFFFF))
    return np.array(sums + products, np.uint32)


def test_sums_and_products_in_assembler_are_those_of_the_standard(module):
    need("atmega128")
    pairs = np.concatenate([awkward_pairs(3000, seed=4), just_above_half(200, seed=5)])
    with workshop(module) as folder:
        text = table_text(pairs, {"PAIRS": str(len(pairs))})
        (folder / "table.h").write_text(text)
        (folder / "operations.c").write_text(OPERATIONS)
        objects = compile_parts("atmega128", folder, ())
        assert objects == ["float_avr.o"]
        ours = run_program("atmega128", folder, "operations.c", objects).words.view(
            np.float32
        )
    a, b = pairs.view(np.float32).T
    with np.errstate(all="ignore"):
        wanted = np.stack([a + b, a - b, a * b], axis=1).ravel()
    # equal numbers and signs of zero; what is not a number may be so in any way
    np.testing.assert_array_equal(ours, wanted)
    seen = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(ours[seen]), np.signbit(wanted[seen]))
    assert 0.5 < seen.mean() < 1.0


@pytest.mark.parametrize(
    "place, name, is_good",
    [(4, 0, 0), (4, 1, 1), (4, 32766, 1), (4, 32767, 0), (4, 40000, 0), (6, 0, 0),
     (6, 32766, 1), (6, 65535, 0), (12, 0, 1), (12, 32767, 0), (12, 65534, 1)],
)  # fmt: skip
def test_impossible_names_are_refused_in_spite_of_a_good_checksum(
    library, module, place, name, is_good
):
    frame = bytearray(pack_frame(ProtocolFrame(id=7, root=9, epoch=3, flags=HEARD)))
    frame[place : place + 2] = name.to_bytes(2, "little")
    frame[22:24] = crc16(bytes(frame[:22] + frame[24:])).to_bytes(2, "little")
    numbers = {"id": 20, "seq": 1, "epoch": 1, "join": 1, "quarter": [0] * PORTS}
    for one in (InC(library, **numbers), Twin(module, **numbers)):
        assert one.mail(2, bytes(frame)) == bool(is_good)


def test_every_function_has_a_stack_of_fixed_size(module):
    need("atmega128")
    board = BOARDS["atmega128"]
    with workshop(module) as folder:
        flags = [*board.flags, "-Wall", "-Wextra", "-Werror", "-fstack-usage", "-c"]
        call(board.compiler, [*flags, *PROGRAM, "link.c"], folder)
        lines = [
            line.split("\t")
            for file in folder.glob("*.su")
            for line in file.read_text().splitlines()
        ]
    assert len(lines) > 30
    assert {line[2] for line in lines} == {"static"}


@pytest.mark.slow
@pytest.mark.parametrize("programs", [ONE, TWO], ids=["one", "two"])
def test_two_emulated_modules_talk_as_their_twins_do(module, programs):
    need("host", "atmega128")
    with workshop(module) as folder:
        flash, data = program_sizes(folder)
        pair = replayed(module, pair_log(folder, 45, programs))
    assert pair.frames > 50
    assert pair.equal == pair.frames
    assert pair.known_frames > 20
    assert flash < 64 * 1024
    assert data < pair.memory_bytes <= 2048
    hertz = (100, 100, 400, 400)[: 2 * len(programs)]
    budgets = [16_000_000 / rate for rate in hertz]
    assert all(used < room for used, room in zip(pair.busiest, budgets, strict=True))


@pytest.mark.slow
def test_the_command_measures_two_hundred_states(tmp_path):
    need("host", "atmega128")
    result = firmware_to_files(FirmwareConfig(seed=3, run=True), tmp_path / "new")
    s = result.summary
    assert result.is_equal and s["equal_bits"] and s["states"] == 200
    assert s["cycles"]["mass_update"] <= 60_000
    assert s["cycles"]["steering"] <= 400_000
    assert 0 < s["rate_hz"] < s["rate_links_hz"] < s["rate_joints_hz"]


def test_files_are_written_whole_and_only_where_nothing_else_is(tmp_path):
    out = tmp_path / "firmware"
    result = firmware_to_files(FirmwareConfig(), out)
    assert sorted(path.name for path in out.iterdir()) == sorted(
        path.name for path in result.files
    )
    listed = json.loads((out / "firmware.json").read_text())["files"]
    assert set(listed) == {path.name for path in result.files} - {"firmware.json"}
    firmware_to_files(FirmwareConfig(), out)  # its own folder may be written again
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(BadFileError, match="not empty"):
        firmware_to_files(FirmwareConfig(), tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]
    with pytest.raises(BadFileError, match="not a folder"):
        expect_own_folder(tmp_path / "mine" / "letter.txt")


def test_the_command_prints_one_object_with_its_keys(capsys):
    assert run(["modules", "firmware", "--json"]) == 0
    keys = set(json.loads(capsys.readouterr().out))
    assert keys >= {"robot", "files", "cycles", "rate_hz", "flash_bytes", "pair_equal"}


def test_robots_without_modules_are_refused():
    with pytest.raises(ConfigError, match="not made of modules"):
        module_of(RobotChoice(name="warp1"))


def test_what_is_missing_is_named(module, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingToolError, match="gcc-avr"):
        firmware_to_files(FirmwareConfig(run=True))
    monkeypatch.undo()
    need("host")
    monkeypatch.setattr(firmware_pair, "INCLUDES", (tmp_path,))
    numbers = firmware.pair_numbers(module, tmp_path)
    assert "libsimavr-dev" in numbers["missing"]
