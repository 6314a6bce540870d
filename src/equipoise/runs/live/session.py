"""A live job on a page: one thread that simulates, paints, and takes requests in turn.

Nobody else touches the job. What a viewer does comes through a queue; an error of the
job or of a request is said on the page, and the page stays up.
"""

import math
import threading
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, final

import numpy as np

from equipoise.core.errors import EquipoiseError
from equipoise.core.settings import parsed_settings
from equipoise.runs.live.frame import LiveFrame
from equipoise.runs.live.job import AbstractLiveJob
from equipoise.runs.live.pace import LivePace
from equipoise.viz.live.knobs import Knob
from equipoise.viz.live.marks import Overlay
from equipoise.viz.live.panel import LivePanel
from equipoise.viz.live.scene import BodyClick, LiveScene
from equipoise.viz.live.server import LiveServer

__all__ = ["LiveSession"]

FRAMES_A_SECOND = 30.0
USUAL_PUSH = 0.2
"""Of the strongest."""
GAIN = "gain "
"""How the names of sliders for settings begin."""
MOST_REQUESTS = 256
"""Of pages, that wait for the next frame; people are slower than that."""
TEXTS_EVERY, PLOT_EVERY = 3, 6  # frames
SMOOTH = 0.15  # share of the way that the camera follows a frame


@final
class LiveSession:
    """A job and its page.

    Args:
        job: that runs.
        server: of the page.
        is_rich: whether light is soft and casts shadows, which takes a graphics card.
    """

    def __init__(
        self, job: AbstractLiveJob, server: LiveServer, *, is_rich: bool = True
    ) -> None:
        self.job, self.server = job, server
        self.requests: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.pace = LivePace(1.0 / FRAMES_A_SECOND)
        look = job.look
        self.scene = LiveScene(server, look.picture, look.camera, look.camera.ground)
        self.scene.light(is_rich)
        self.overlay = Overlay(self.scene, look.size)
        self.panel = LivePanel(server, look.title, look.traces, look.plot, self.ask)
        self.strength = round(USUAL_PUSH * job.strongest_push, 6)
        self.push_heading = 90.0
        self.is_rich = is_rich
        self.follows, self.eye = look.follows, np.array(look.camera.target)
        self.is_done = threading.Event()
        self.shown: LiveFrame | None = None
        """The last frame."""
        self.furnish()
        self.thread = threading.Thread(target=self.run, name="live", daemon=True)

    def furnish(self) -> None:
        """Put buttons and sliders on the page."""
        job, panel = self.job, self.panel
        panel.add_buttons(length=job.length)
        if job.strongest_push > 0.0:
            panel.add_push(job.strongest_push, self.strength)
            self.scene.on_click(lambda click: self.ask("click", click))
        panel.add_knobs(job.knobs)
        settings = job.settings()
        panel.add_knobs(_gain_knobs(job))
        if settings:
            panel.add_settings(settings)
        panel.add_view(self.overlay.shown, follows=self.follows, is_rich=self.is_rich)
        panel.add_notes(job.look.notes)

    def ask(self, name: str, value: Any) -> None:
        """Have something done by the job's thread; nothing where too much waits.

        Args:
            name: what.
            value: with what.
        """
        if self.requests.qsize() < MOST_REQUESTS:
            self.requests.put((name, value))

    def start(self) -> None:
        """Let time begin."""
        self.thread.start()

    def stop(self) -> None:
        """End the job's thread; the page stays."""
        self.is_done.set()
        self.thread.join(timeout=10.0)

    @property
    def lived(self) -> float:
        """How long the job went on in all, in its own time [s]."""
        return self.pace.lived

    def run(self) -> None:
        """Simulate, paint, and do as asked, until ``stop``."""
        self.pace.begin(perf_counter())
        while not self.is_done.is_set():
            self.guarded(self.obey)
            self.guarded(self.go_on)
            self.guarded(self.paint)
            self.is_done.wait(self.pace.rest(perf_counter()))

    def guarded(self, what: Any) -> None:
        """Do something; what goes wrong is said on the page."""
        try:
            what()
        except EquipoiseError as error:
            self.panel.notice(str(error))
        except Exception as error:  # whatever a controller may raise
            said = f"{type(error).__name__}: {error}"
            self.job.fail(f"It stopped ({said}). Press Again.")
            self.panel.notice(said)

    def go_on(self) -> None:
        """Let the job do the time that has passed."""
        owed = self.pace.owed(perf_counter())
        if not self.job.is_over and owed > 0.0:
            self.pace.did(self.job.advance(owed, self.pace.budget))
        elif self.job.is_over:
            self.pace.forgive()

    def obey(self) -> None:
        """Do all that was asked since the last frame."""
        while not self.is_done.is_set():
            try:
                name, value = self.requests.get_nowait()
            except Empty:
                return
            self.panel.notice("")
            self.guarded(lambda n=name, v=value: self.do(n, v))

    def do(self, name: str, value: Any) -> None:
        """Do one thing.

        Args:
            name: what.
            value: with what.
        """
        job, pace = self.job, self.pace
        match name:
            case "pause":
                pace.pause(not pace.is_paused)
                self.panel.show_paused(pace.is_paused)
            case "again":
                job.restart()
                pace.pause(False)
                self.panel.show_paused(False)
            case "rate":
                pace.rate = float(value)
            case "push":
                self.strength = float(value)
            case "push_heading":
                self.push_heading = float(value)
            case "push_now":
                way = job.heading() + math.radians(self.push_heading)
                job.push(
                    None, self.strength * np.array([math.cos(way), math.sin(way), 0])
                )
            case "click":
                self.clicked(value)
            case "follow":
                self.follows = bool(value)
            case "light":
                self.scene.light(bool(value))
            case "set":
                job.set_gains(parsed_settings([str(value)]))
            case "seek":
                job.seek(float(value))
            case _:
                self.take_input(name, value)

    def take_input(self, name: str, value: Any) -> None:
        """Take a slider's new number, or a box's."""
        if name.startswith("show "):
            self.overlay.shown[name.removeprefix("show ")] = bool(value)
        elif not math.isfinite(float(value)):
            return
        elif name.startswith(GAIN):
            self.job.set_gains({name.removeprefix(GAIN): value})
        else:
            self.job.turn(name, float(value))

    def clicked(self, click: BodyClick) -> None:
        """Push a body away from whoever clicked on it."""
        model = self.job.look.picture
        self.job.push(str(model.body(click.body).name), self.strength * click.way)

    def paint(self) -> None:
        """Send a frame to all pages."""
        frame, panel, k = self.job.frame(), self.panel, self.pace.frames
        self.shown = frame
        with self.server.viser.atomic():
            self.scene.pose(frame.qpos)
            self.overlay.draw(frame.marks)
            if self.follows:
                self.eye += SMOOTH * (frame.marks.com - self.eye)
                self.scene.follow(self.eye)
            panel.keep(frame.time, frame.values)
            if k % TEXTS_EVERY == 0:
                panel.show_lamp(frame.verdict, frame.why)
                panel.show_numbers(self.rows(frame))
                panel.show_time(frame.time)
            if k % PLOT_EVERY == 0:
                panel.show_plot()
        self.pace.painted(perf_counter(), frame.time)

    def rows(self, frame: LiveFrame) -> tuple[tuple[str, str], ...]:
        """Return the numbers of a frame, time first."""
        pace = self.pace
        state = "paused" if pace.is_paused else f"{pace.factor:.2f} x real time"
        return (("time", f"{frame.time:.2f} s"), ("goes at", state), *frame.rows)

    def summary(self) -> dict[str, Any]:
        """Return the numbers so far; call it after ``stop``."""
        shown = self.shown
        return {
            **self.job.summary(),
            "lamp": "unknown" if shown is None else shown.verdict,
            "why": "" if shown is None else shown.why,
            "frames": self.pace.frames,
            "frames_a_second": round(self.pace.frames_a_second, 2),
            "realtime_factor": round(self.pace.mean_factor, 3),
        }


def _gain_knobs(job: AbstractLiveJob) -> tuple[Knob, ...]:
    """Return sliders for those settings that were given as numbers.

    Args:
        job: with settings.
    """
    known, found = job.settings(), list[Knob]()
    for name, value in getattr(job, "gains", {}).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        high = 2.0 * abs(float(value)) or 1.0
        low = -high if value < 0 else 0.0
        step = 1.0 if isinstance(value, int) and value else (high - low) / 200.0
        unit = known[name].about.unit if name in known else ""
        found.append(
            Knob(
                name=f"{GAIN}{name}",
                label=f"{name} [{unit}]" if unit else name,
                low=low,
                high=high,
                step=step,
                value=float(value),
                group="Settings given",
                hint=known[name].about.meaning if name in known else "",
            )
        )
    return tuple(found)
