"""An MCAP file of a run: robot, motion, balance and signals, for Foxglove."""

import json
from collections.abc import Generator
from heapq import merge
from os import fsync
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from equipoise.core.extras import require_extra
from equipoise.core.files import atomic_path
from equipoise.runs.export.foxglove.balance import BalanceShapes, margin_values
from equipoise.runs.export.foxglove.bodies import MovingBodies, recorded_joints
from equipoise.runs.export.foxglove.messages import nanoseconds
from equipoise.runs.export.foxglove.shapes import ground_update, robot_update
from equipoise.runs.export.foxglove.signals import sample_of, schema_of
from equipoise.runs.export.table import TimedSignal, signals_of
from equipoise.runs.replay.recorded import RecordedMotion, recorded_motion, unbroken
from equipoise.sim.recorded_looks import replay_model

if TYPE_CHECKING:
    import mujoco
    import xarray as xr  # slow to import

__all__ = ["write_mcap"]

MARKS_A_SECOND = 100.0
TOPICS = {
    "time": ("/signals", "equipoise.Signals"),
    "frame_time": ("/frame_signals", "equipoise.FrameSignals"),
}
"""Where signals go and what their messages are called, by the time they lie along."""
MARGINS = "/margins"


class LoggedMessage(NamedTuple):
    """Message of a log: time [ns], channel and data."""

    time: int
    topic: str
    content: Any


Messages = Generator[LoggedMessage, None, None]


class McapLog:
    """An open file that messages are put into."""

    def __init__(self, file: IO[bytes]) -> None:
        self.writer: Any = require_extra("mcap", "mcap.writer").Writer(file)
        self.writer.start(library="equipoise")
        self.channels: dict[str, int] = {}

    def put(self, message: LoggedMessage) -> None:
        """Put a message; the first of a topic makes the topic.

        Args:
            message: one of Foxglove's, or JSON for a topic that is there.
        """
        time, topic, content = message
        if topic not in self.channels:
            register = require_extra("mcap", "mcap_protobuf.schema").register_schema
            schema = register(self.writer, type(content))
            self.channels[topic] = self.writer.register_channel(
                topic=topic, message_encoding="protobuf", schema_id=schema
            )
        is_text = isinstance(content, bytes)
        self.writer.add_message(
            channel_id=self.channels[topic],
            log_time=time,
            publish_time=time,
            data=content if is_text else content.SerializeToString(),
        )

    def open_json(self, topic: str, name: str, schema: bytes) -> None:
        """Make a topic for JSON.

        Args:
            topic: its name.
            name: of what its messages are.
            schema: which they follow.
        """
        known = self.writer.register_schema(
            name=name, encoding="jsonschema", data=schema
        )
        self.channels[topic] = self.writer.register_channel(
            topic=topic, message_encoding="json", schema_id=known
        )


def write_mcap(run: "xr.Dataset", path: Path, where: str) -> Path:
    """Write a run as an MCAP file, whole or not at all.

    Args:
        run: the recorded run.
        path: the file to make or replace.
        where: what the run is called in an error.

    Raises:
        BadFileError: the recording has no usable robot, or the file cannot be written.
    """
    model = replay_model(run, where)
    seen = recorded_motion(run, MARKS_A_SECOND, where)
    with atomic_path(path) as temporary, temporary.open("xb") as file:
        log = McapLog(file)
        _put_about(log, run)
        streams = [
            _shapes(model, seen),
            _motion(run, model),
            _balance(log, run, seen),
            *(_signals(log, run, axis) for axis in TOPICS if axis in run),
        ]
        for message in merge(*streams, key=lambda message: message.time):
            log.put(message)
        log.writer.finish()
        file.flush()
        fsync(file.fileno())
    return path


def _put_about(log: McapLog, run: "xr.Dataset") -> None:
    """Put what the run was: its attributes, and the robot as text."""
    about = {
        str(name): value if isinstance(value, str) else json.dumps(value, default=str)
        for name, value in run.attrs.items()
    }
    log.writer.add_metadata("equipoise", about)
    robot = str(run["robot_mjcf"].values[()]).encode()
    log.writer.add_attachment(
        create_time=0, log_time=0, name="robot.xml", media_type="text/xml", data=robot
    )


def _shapes(model: "mujoco.MjModel", seen: RecordedMotion) -> Messages:
    """Yield what robot and ground look like, once."""
    start = nanoseconds(seen.motion.time[0])
    middle = seen.motion.com[:, :2].mean(axis=0)
    yield LoggedMessage(start, "/robot", robot_update(model, start))
    yield LoggedMessage(start, "/ground", ground_update(model, start, middle))


def _motion(run: "xr.Dataset", model: "mujoco.MjModel") -> Messages:
    """Yield where bodies and joints are, at every frame."""
    times = run["frame_time"].values
    poses = unbroken(times, run["qpos"].values)
    bodies, joints = MovingBodies(model), recorded_joints(run, model)
    for k in np.flatnonzero(np.isfinite(poses).all(axis=1)):
        time = nanoseconds(times[k])
        yield LoggedMessage(time, "/tf", bodies.message(time, poses[k]))
        if joints.names:
            said = joints.message(time, int(k))
            yield LoggedMessage(time, "/joint_states", said)


def _balance(log: McapLog, run: "xr.Dataset", seen: RecordedMotion) -> Messages:
    """Yield points, support, forces and margins."""
    drawn = BalanceShapes(run, seen)
    margins = [
        TimedSignal(name, "", "m", ((),), values[:, None])
        for name, values in margin_values(seen).items()
    ]
    log.open_json(MARGINS, "equipoise.Margins", schema_of(margins, "margins"))
    for k, moment in enumerate(seen.motion.time):
        time = nanoseconds(moment)
        yield LoggedMessage(time, "/balance", drawn.message(time, k))
        yield LoggedMessage(time, MARGINS, sample_of(margins, k))


def _signals(log: McapLog, run: "xr.Dataset", axis: str) -> Messages:
    """Yield every signal along a time, a message a sample."""
    found = [signal for signal in signals_of(run) if signal.time == axis]
    if not found:
        return
    topic, kind = TOPICS[axis]
    log.open_json(topic, kind, schema_of(found, kind))
    for k, moment in enumerate(run[axis].values):
        yield LoggedMessage(nanoseconds(moment), topic, sample_of(found, k))
