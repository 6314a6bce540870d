"""The panel of a live page: a lamp, numbers, a plot, buttons and sliders.

What a viewer does is told by name to one function.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

import numpy as np

from equipoise.core.setting import FieldSetting
from equipoise.core.text import shown
from equipoise.viz.live.knobs import Knob, PlotTrace
from equipoise.viz.live.markup import (
    Lamp,
    box_html,
    lamp_html,
    list_html,
    notice_html,
    rows_html,
    says_html,
    title_html,
    typed_value,
)
from equipoise.viz.live.server import LiveServer

__all__ = ["LivePanel", "Said"]

Said = Callable[[str, Any], None]
"""Called with the name of what a viewer touched and its value."""
SPEEDS = {"1x": 1.0, "1/2": 0.5, "1/5": 0.2, "1/20": 0.05}
"""Of time, by the names of their buttons."""
WINDOW = 10.0  # of the plot [s]
GREY = "#868e96"


@final
class LivePanel:
    """The panel.

    Args:
        server: of the page.
        title: what runs, in words.
        traces: lines of the plot, in millimetres or the unit that its title says.
        plot_title: over the plot.
        said: called in a thread of the server with what a viewer did.
    """

    def __init__(
        self,
        server: LiveServer,
        title: str,
        traces: Sequence[PlotTrace],
        plot_title: str,
        said: Said,
    ) -> None:
        self.gui: Any = server.viser.gui
        self.said, self.traces = said, tuple(traces)
        self.inputs: dict[str, Any] = {}
        self.rows: deque[tuple[float, ...]] = deque()
        self.texts: dict[str, str] = {}
        self.add_html("title", title_html(title))
        self.add_html("lamp", lamp_html("unknown", "starting"))
        self.add_html("numbers", "")
        self.plot = self.add_plot(plot_title)
        self.add_html("notice", "")

    def add_html(self, name: str, text: str) -> None:
        """Add a text that can be changed."""
        self.inputs[name] = self.gui.add_html(box_html(text))
        self.texts[name] = text

    def add_plot(self, title: str) -> Any:
        """Add the plot, empty."""
        lines = [
            {"label": t.name, "stroke": f"rgb{t.colour}", "width": 2}
            for t in self.traces
        ]
        axis = {"stroke": GREY, "grid": {"stroke": "#eceef0", "width": 1}}
        return self.gui.add_uplot(
            tuple(np.zeros(1) for _ in range(len(lines) + 1)),
            ({"label": "s"}, *lines),
            title=title,
            scales={"x": {"time": False}},
            axes=(axis, {**axis, "size": 44}),
            legend={"live": False},
            height=190,
            padding=(4, 14, 0, 0),
        )

    def add_buttons(self, *, length: float | None = None) -> None:
        """Add pause, again, and how fast time goes.

        Args:
            length: of a record that one can go back and forth in [s]; None for none.
        """
        with self.gui.add_folder("Time"):
            pause = self.gui.add_button("Pause", icon="player-pause")
            pause.on_click(lambda _: self.said("pause", None))
            again = self.gui.add_button("Again", icon="rotate-clockwise")
            again.on_click(lambda _: self.said("again", None))
            rate = self.gui.add_button_group("speed of time", tuple(SPEEDS))
            rate.on_click(lambda _: self.said("rate", SPEEDS[rate.value]))
            self.inputs |= {"pause": pause, "again": again, "rate": rate}
            if length is not None:
                self.add_slider(
                    Knob(
                        name="seek",
                        label="time [s]",
                        low=0.0,
                        high=max(length, 0.01),
                        step=0.01,
                        value=0.0,
                    )
                )

    def add_push(self, strongest: float, usual: float) -> None:
        """Add what pushes the robot.

        Args:
            strongest: push [N s].
            usual: at first [N s].
        """
        with self.gui.add_folder("Push"):
            self.add_slider(
                Knob(
                    name="push",
                    label="strength [N s]",
                    low=0.0,
                    high=strongest,
                    step=round(strongest / 100.0, 9),
                    value=usual,
                    hint="For 0.1 s, at the body's centre of mass.",
                )
            )
            self.add_slider(
                Knob(
                    name="push_heading",
                    label="heading [deg]",
                    low=-180.0,
                    high=180.0,
                    step=5.0,
                    value=90.0,
                    hint="Direction of the button's push: 0 forward, 90 to the left.",
                )
            )
            button = self.gui.add_button("Push", icon="hand-click", color="orange")
            button.on_click(lambda _: self.said("push_now", None))
            self.inputs["push_now"] = button
            self.add_html(
                "push_hint",
                "<small style='color:#5c6369'>Or click on the robot: that body is "
                "pushed away from you.</small>",
            )

    def add_knobs(self, knobs: Sequence[Knob]) -> None:
        """Add sliders, in folders.

        Args:
            knobs: in their order.
        """
        for group in dict.fromkeys(knob.group for knob in knobs):
            with self.gui.add_folder(shown(group)):
                for knob in knobs:
                    if knob.group == group:
                        self.add_slider(knob)

    def add_slider(self, knob: Knob) -> None:
        """Add a slider."""
        slider = self.gui.add_slider(
            shown(knob.label),
            min=knob.low,
            max=knob.high,
            step=knob.step,
            initial_value=knob.value,
            hint=shown(knob.hint, 300) or None,
        )

        def moved(event: Any) -> None:
            if event.client_id is not None:  # a viewer, not ourselves
                self.said(knob.name, slider.value)

        slider.on_update(moved)
        self.inputs[knob.name] = slider

    def add_settings(self, settings: Mapping[str, FieldSetting]) -> None:
        """Add a list of what can be set of a controller, and a line for a value.

        Args:
            settings: by name.
        """
        names = tuple(settings)
        with self.gui.add_folder("Settings of the controller", expand_by_default=False):
            choice = self.gui.add_dropdown("setting", names, initial_value=names[0])
            line = self.gui.add_text("value", typed_value(settings[names[0]].default))
            self.add_html("setting_says", says_html(settings[names[0]]))
            button = self.gui.add_button("Set")

        def chosen(_: Any) -> None:
            setting = settings[choice.value]
            line.value = typed_value(setting.default)
            self.show("setting_says", says_html(setting))

        choice.on_update(chosen)
        button.on_click(lambda _: self.said("set", f"{choice.value}={line.value}"))
        self.inputs |= {"setting": choice, "value": line, "set": button}

    def add_notes(self, notes: Sequence[str]) -> None:
        """Add lines to read, where there are any.

        Args:
            notes: a sentence each.
        """
        if notes:
            with self.gui.add_folder("Assumed", expand_by_default=False):
                self.add_html("notes", list_html(notes))

    def add_view(
        self, shows: Mapping[str, bool], *, follows: bool, is_rich: bool
    ) -> None:
        """Add what is shown, and whether the camera goes with the robot.

        Args:
            shows: names of marks, and whether they are shown.
            follows: whether it does so at first.
            is_rich: whether light is soft and casts shadows at first.
        """
        with self.gui.add_folder("View", expand_by_default=False):
            follow = self.gui.add_checkbox("camera follows", follows)
            follow.on_update(lambda _: self.said("follow", follow.value))
            light = self.gui.add_checkbox(
                "soft light and shadows",
                is_rich,
                hint="Without a graphics card the page is faster without them.",
            )
            light.on_update(lambda _: self.said("light", light.value))
            self.inputs |= {"follow": follow, "light": light}
            for name, is_shown in shows.items():
                box = self.gui.add_checkbox(name, is_shown)
                box.on_update(self.callback(f"show {name}", box))
                self.inputs[f"show {name}"] = box

    def callback(self, name: str, box: Any) -> Callable[[Any], None]:
        """Return what tells of a box."""
        return lambda _: self.said(name, box.value)

    def show_lamp(self, lamp: Lamp, why: str) -> None:
        """Say yes, no or unknown, and why.

        Args:
            lamp: which.
            why: in a sentence.
        """
        self.show("lamp", lamp_html(lamp, why))

    def show_numbers(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show a small table.

        Args:
            rows: what and how much.
        """
        self.show("numbers", rows_html(rows))

    def notice(self, sentence: str) -> None:
        """Say something that went wrong; "" to take it back.

        Args:
            sentence: for people.
        """
        self.show("notice", notice_html(sentence))

    def show_time(self, time: float) -> None:
        """Move the slider of a record, where there is one.

        Args:
            time: now [s].
        """
        slider = self.inputs.get("seek")
        if slider is not None:
            slider.value = round(min(time, slider.max), 2)

    def show(self, name: str, text: str) -> None:
        """Change a text, where it is another."""
        if self.texts[name] != text:
            self.inputs[name].content, self.texts[name] = box_html(text), text

    def show_paused(self, is_paused: bool) -> None:
        """Name the button by what it will do.

        Args:
            is_paused: whether time stands.
        """
        button = self.inputs["pause"]
        label = "Go on" if is_paused else "Pause"
        if button.label != label:
            button.label = label
            button.icon = "player-play" if is_paused else "player-pause"

    def keep(self, time: float, values: Sequence[float]) -> None:
        """Keep a sample of the plot; time that goes back begins it anew.

        Args:
            time: [s].
            values: of the traces.
        """
        if self.rows and time <= self.rows[-1][0]:
            if time == self.rows[-1][0]:
                return
            self.rows.clear()
        self.rows.append((time, *values))
        while time - self.rows[0][0] > WINDOW:
            self.rows.popleft()

    def show_plot(self) -> None:
        """Send the plot."""
        if len(self.rows) > 1:
            table = np.array(self.rows)
            self.plot.data = tuple(np.ascontiguousarray(c) for c in table.T)
