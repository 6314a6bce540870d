"""The firmware job without a compiler: tables, states, costs, printed words."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.core.errors import (
    BadFileError,
    ConfigError,
    EquipoiseError,
    MissingToolError,
)
from equipoise.runs.firmware import firmware, states, trials
from equipoise.runs.firmware.config import FirmwareConfig
from equipoise.runs.firmware.firmware import FirmwareResult, expect_own_folder
from equipoise.runs.firmware.states import RESULTS, States, random_states
from equipoise.runs.firmware.trials import Trial, floats_on, table_text

CYCLES = {
    "frames": 1000, "mass_update": 20_000, "steering": 300_000, "hold": 7,
    "routes": 11, "protocol_round": 40_000, "frame_in": 500, "frame_out": 600,
}  # fmt: skip


def test_one_processor_does_all_and_two_share_it_by_a_line():
    found = firmware.rates(CYCLES)
    talk = 40_000 + 6 * (500 + 600)  # six connectors
    update = talk + 1000 + 20_000 + 300_000
    links = talk + 1000 + 20_000 + 1100
    joints = 1000 + 300_000 + 1100
    assert found["cycles"] == CYCLES
    costs = [found[f"cycles_{part}"] for part in ("update", "links", "joints")]
    assert costs == [update, links, joints]
    # an ATmega128 of 16 MHz
    per_second = [found[key] for key in ("rate_hz", "rate_links_hz", "rate_joints_hz")]
    assert per_second == pytest.approx([16e6 / update, 16e6 / links, 16e6 / joints])


@pytest.fixture
def board(monkeypatch):
    """Return what the board gives, in place of a compiler and an emulator."""
    letters = dict(zip(firmware.PARTS.values(), CYCLES.values(), strict=True))
    words = np.arange(6, dtype=np.uint32).reshape(2, 3)
    given = SimpleNamespace(
        floats=Trial(words, {k: (1, letters[k], 2) for k in "fmsh"}),
        protocol=Trial(words[0], {k: (letters[k],) for k in "qdtp"}),
        twin=words, star=words[0],
    )  # fmt: skip

    class Shop:
        def __enter__(self):
            return "folder"

        def __exit__(self, *error):
            return False

    monkeypatch.setattr(firmware, "found", lambda tool: None)
    monkeypatch.setattr(firmware, "random_states", lambda module, n, seed: (n, seed))
    monkeypatch.setattr(
        firmware, "star_of", lambda m, rounds: SimpleNamespace(words=given.star)
    )
    monkeypatch.setattr(firmware, "workshop", lambda module, gains: Shop())
    monkeypatch.setattr(firmware, "floats_on", lambda target, f, drawn: given.floats)
    monkeypatch.setattr(firmware, "protocol_on", lambda target, f, s: given.protocol)
    monkeypatch.setattr(firmware, "program_sizes", lambda folder: (30_000, 2000))
    monkeypatch.setattr(firmware, "pair_numbers", lambda m, f: {"memory_bytes": 2222})
    monkeypatch.setattr(firmware, "twin_words", lambda m, g, drawn: given.twin)
    return given


def test_a_program_costs_what_its_slowest_round_does(board):
    found = firmware.measured("module", "gains", states=5, seed=3)
    assert found["cycles"] == CYCLES
    assert (found["states"], found["equal_bits"]) == (5, True)
    assert (found["flash_bytes"], found["memory_bytes"]) == (30_000, 2222)


@pytest.mark.parametrize("which", ["twin", "star"])
def test_one_bit_that_differs_is_told(board, which):
    other = getattr(board, which).copy()
    other.flat[-1] ^= 1
    setattr(board, which, other)
    assert firmware.measured("m", "g", states=5, seed=3)["equal_bits"] is False


@pytest.mark.parametrize(
    "equal, known, same",
    [((9, 8), (3, 4), True), ((9, 7), (3, 4), False), ((9, 8), (3, 0), False),
     ((8, 8), (1, 1), False)],
)  # fmt: skip
def test_a_pair_is_equal_where_every_frame_of_both_is(monkeypatch, equal, known, same):
    told = {
        who: SimpleNamespace(
            frames=frames, equal=own, known_frames=seen, memory_bytes=memory
        )
        for who, frames, own, seen, memory in zip(
            (firmware.ONE, firmware.TWO), (9, 8), equal, known, (100, 140), strict=True
        )
    }
    monkeypatch.setattr(firmware, "pair_log", lambda folder, rounds, who: who)
    monkeypatch.setattr(firmware, "replayed", lambda module, log: told[log])
    assert firmware.pair_numbers("module", "folder") == {
        "pair_frames": 17, "pair_equal": same, "memory_bytes": 140,
    }  # fmt: skip


def test_what_is_missing_for_a_pair_is_told(monkeypatch):
    def missing(folder, rounds, who):
        raise MissingToolError("simavr", "libsimavr-dev")

    monkeypatch.setattr(firmware, "pair_log", missing)
    found = firmware.pair_numbers("module", "folder")
    assert list(found) == ["missing"] and "simavr" in found["missing"]


@pytest.mark.parametrize(
    "bits, pair, is_equal",
    [(None, None, True), (True, True, True), (True, None, True), (False, True, False),
     (True, False, False), (None, False, False)],
)  # fmt: skip
def test_what_was_not_run_is_no_difference(bits, pair, is_equal):
    summary = {"equal_bits": bits, "pair_equal": pair}
    assert FirmwareResult(summary, [], []).is_equal is is_equal


def test_files_are_written_into_folders_of_their_own(tmp_path):
    expect_own_folder(tmp_path / "new")
    expect_own_folder(tmp_path)
    other = tmp_path / "other.c"
    other.write_text("")
    with pytest.raises(BadFileError, match="holds other files"):
        expect_own_folder(tmp_path)
    with pytest.raises(BadFileError, match="is not a folder"):
        expect_own_folder(other)
    (tmp_path / "firmware.json").write_text(json.dumps({}))
    expect_own_folder(tmp_path)


def test_robots_of_modules_only(monkeypatch):
    robot = SimpleNamespace(name="dog", assembly=None)
    monkeypatch.setattr(firmware, "find_robot", lambda choice: robot)
    with pytest.raises(ConfigError, match="not made of modules"):
        firmware.module_of("choice")


# --- tables and what a program prints ---------------------------------------------


def test_a_table_has_eight_words_a_line():
    text = table_text(np.arange(10, dtype=np.uint32) + 254, {"N": "10", "M": "2"})
    assert text.splitlines() == [
        "#define N 10",
        "#define M 2",
        "static const uint32_t TABLE[] IN_FLASH = {",
        "0x000000fe, 0x000000ff, 0x00000100, 0x00000101, 0x00000102, 0x00000103, "
        "0x00000104, 0x00000105,",
        "0x00000106, 0x00000107,",
        "};",
    ]
    assert text.endswith("};\n")


PRINTED = (
    "\x1b[32my0000000a.\x1b[0m\n noise\nf00000010\ny0000000b\nf00000020\nr00000001"
)


def test_words_and_cycles_are_told_apart():
    found = trials._parsed(PRINTED + "\ne00000000\n", "atmega128")
    assert found.words.tolist() == [10, 11]
    assert found.words.dtype == np.uint32
    assert found.cycles == {"f": (16, 32)}
    host = trials._parsed(PRINTED + "\ne00000000\n", "host")
    assert (host.words.tolist(), host.cycles) == ([10, 11], {})
    for broken in (PRINTED, "", "e00000000\ny00000001"):
        with pytest.raises(EquipoiseError, match="host stopped before its end"):
            trials._parsed(broken, "host")


@pytest.mark.parametrize("short", [0, 1])
def test_many_states_are_run_eighty_at_a_time(monkeypatch, tmp_path, short):
    given = SimpleNamespace(words=np.arange(170 * 2, dtype=np.uint32).reshape(170, 2))
    seen = []

    def run_program(target, folder, source, objects):
        text = (folder / "states.h").read_text()
        count = int(text.split()[2])
        first = int(text.split("{")[1].split(",")[0], 16) // 2
        seen.append((count, first))
        words = np.full(count * RESULTS - short, first, np.uint32)
        return Trial(words, {"f": (count,)})

    monkeypatch.setattr(trials, "compile_parts", lambda *given: ["objects"])
    monkeypatch.setattr(trials, "run_program", run_program)
    if short:
        with pytest.raises(EquipoiseError, match="stopped before its end"):
            floats_on("host", tmp_path, given)
        return
    found = floats_on("host", tmp_path, given)
    assert seen == [(80, 0), (80, 80), (10, 160)]
    assert found.words.shape == (170, RESULTS)
    assert found.words[:, 0].tolist() == [0] * 80 + [80] * 80 + [160] * 10
    assert found.cycles == {"f": (80, 80, 10)}


# --- states -----------------------------------------------------------------------

MODULE = SimpleNamespace(limits=np.array([1.0, 0.5, 2.0]), rest=np.array([0.0, 0.3, 1]))


def test_states_are_random_and_repeat():
    one, two, other = (random_states(MODULE, 40, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.words, two.words)
    assert (one.words != other.words).any()
    assert one.words.shape == (40, 89) and one.words.dtype == np.uint32
    q, rates, kept = (one.floats[:, k : k + 3] for k in (0, 3, 6))
    assert (np.abs(q - MODULE.rest) <= MODULE.limits * (1 + 1e-6)).all()
    assert (q.min(axis=0) < MODULE.rest).all() and (q.max(axis=0) > MODULE.rest).all()
    assert np.abs(rates).max() <= 4.0 and np.abs(rates).max() > 3.0
    assert 0.05 < np.abs(kept - q).max() <= 0.1 + 1e-6
    R = one.floats[:, 9:18].reshape(-1, 3, 3).astype(float)
    np.testing.assert_allclose(R @ R.swapaxes(1, 2), [np.eye(3)] * 40, atol=1e-6)
    np.testing.assert_allclose(np.linalg.det(R), 1.0, atol=1e-6)
    places = np.abs(one.floats[:, 18:]).max(axis=0).reshape(3, 3)
    assert (places <= np.array([[1.0], [0.2], [0.5]]) + 1e-6).all()
    assert (places >= np.array([[0.5], [0.1], [0.25]])).all()
    assert (one.heard[::2] == 63).all()
    assert one.heard.min() >= 0 and one.heard.max() == 63
    assert len(set(one.heard[1::2].tolist())) > 5
    assert set(one.held.tolist()) == {0, 1, 2, 3}
    assert set(one.quarter.ravel().tolist()) == {0, 1, 2, 3}


def test_masses_are_such_as_four_points_have():
    lumps = states._lumps(np.random.default_rng(1), (50, 6)).astype(float)
    m, first, second = lumps[..., 0], lumps[..., 1:4], lumps[..., 4:]
    assert 0.04 <= m.min() and m.max() <= 4.0
    S = np.empty((*m.shape, 3, 3))
    rows, columns = np.triu_indices(3)
    S[..., rows, columns] = S[..., columns, rows] = second
    # the second moment about the centre is that of a real body
    about = S - first[..., :, None] * first[..., None, :] / m[..., None, None]
    assert np.linalg.eigvalsh(about).min() > -1e-6
    assert (np.abs(first) <= m[..., None] + 1e-6).all()


def test_a_state_is_packed_as_the_program_reads_it():
    # ten sums for each of six connectors, of both sides and of all; two rows of torques
    assert RESULTS == 6 * 10 + 2 * 10 + 10 + 2 * 3
    given = States(
        floats=np.full((1, 27), 1.0, np.float32), heard=np.array([37]),
        held=np.array([2]), quarter=np.array([[1, 2, 3, 0, 1, 2]]),
        incoming=np.full((1, 6, 10), -2.0, np.float32),
    )  # fmt: skip
    (words,) = given.words
    assert set(words[:27].tolist()) == {0x3F800000}
    assert words[27] == 37 + 2 * 256
    assert words[28] == 1 + 2 * 4 + 3 * 16 + 0 * 64 + 1 * 256 + 2 * 1024
    assert set(words[29:].tolist()) == {0xC0000000}


@pytest.mark.parametrize("is_run", [True, False])
def test_a_folder_has_the_program_and_its_numbers(monkeypatch, tmp_path, is_run):
    def measured(*given, states, seed):
        assert given == ("the module", "own gains")
        return {"states": states, "cycles": seed}

    monkeypatch.setattr(firmware, "module_of", lambda choice: "the module")
    monkeypatch.setattr(firmware, "_texts_of", lambda *given: {"b.c": "2", "a.h": "1"})
    monkeypatch.setattr(firmware, "measured", measured)
    config = FirmwareConfig(robot="superbot", run=is_run, states=30, seed=5)
    none = firmware.firmware_to_files(config, gains="own gains")
    assert (none.files, none.summary["files"]) == ([], [])
    found = firmware.firmware_to_files(config, tmp_path / "new", gains="own gains")
    assert sorted(path.name for path in found.files) == ["a.h", "b.c", "firmware.json"]
    assert found.summary["files"] == [str(path) for path in found.files]
    expected = (30, 5) if is_run else (None, None)
    assert (found.summary["states"], found.summary["cycles"]) == expected
    assert set(firmware.MEASURED) <= set(found.summary)
    text = (tmp_path / "new" / "firmware.json").read_text()
    assert json.loads(text)["files"] == ["a.h", "b.c"]
    assert text.startswith('{\n  "robot": "superbot",\n') and text.endswith("}\n")


@pytest.mark.parametrize("target", ["host", "atmega128"])
def test_a_program_is_compiled_linked_and_run_in_its_folder(
    monkeypatch, tmp_path, target
):
    board, calls = trials.BOARDS[target], []

    def call(tool, words, folder):
        calls.append((tool, words))
        assert folder == tmp_path
        return "y00000007\ne00000000\n"

    monkeypatch.setattr(trials, "call", call)
    objects = trials.compile_parts(target, tmp_path, ("mass.c", "steer.c"))
    more = ["float_avr.o"] if target == "atmega128" else []
    assert objects == ["mass.o", "steer.o", *more]
    found = trials.run_program(target, tmp_path, "bench.c", objects)
    assert found.words.tolist() == [7]
    (first, sources), (second, inputs), (last, words) = calls
    assert (first, second) == (board.compiler, board.compiler)
    assert sources[: len(board.flags)] == inputs[: len(board.flags)] == [*board.flags]
    own = ["float_avr.S"] if more else []
    assert sources[len(board.flags) :] == ["-c", "mass.c", "steer.c", *own]
    header = f'-DBOARD="{board.header}"'
    linked = [header, "bench.c", *objects, "-o", "program", *board.link]
    assert inputs[len(board.flags) :] == linked
    if board.emulator is None:
        assert words == [] and str(tmp_path / "program") in str(last)
    else:
        assert (last, words) == (board.emulator, [*board.arguments, "program"])
