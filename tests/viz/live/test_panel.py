"""The panel of a live page, on a page that is made up: who is told what, and when."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.setting import FieldSetting, Setting
from equipoise.viz.live.knobs import Knob, PlotTrace
from equipoise.viz.live.panel import LivePanel


class Widget:
    """A thing on a page; ``touch`` is a viewer's hand, ``set`` our own."""

    def __init__(self, kind, *given, **settings):
        self.kind, self.given, self.settings = kind, given, settings
        self.then: Any = None
        self.label = given[0] if given else ""
        self.icon = settings.get("icon")
        self.content = given[0] if kind == "html" else None
        self.max = settings.get("max")
        self.value = settings.get("initial_value", given[1] if len(given) > 1 else None)

    def on_click(self, then):
        self.then = then

    on_update = on_click

    def touch(self, value=None, client=1):
        if value is not None:
            self.value = value
        self.then(SimpleNamespace(client_id=client))


class Page:
    """Makes widgets and remembers them."""

    def __init__(self):
        self.made: list[Widget] = []

    def __getattr__(self, name):
        def make(*given, **settings):
            self.made.append(Widget(name.removeprefix("add_"), *given, **settings))
            return self.made[-1]

        return make

    def add_folder(self, *given, **settings):
        from contextlib import nullcontext

        self.made.append(Widget("folder", *given, **settings))
        return nullcontext()

    def labels(self, kind):
        return [w.label for w in self.made if w.kind == kind]


@pytest.fixture
def page():
    return Page()


@pytest.fixture
def said():
    return []


@pytest.fixture
def panel(page, said):
    server: Any = SimpleNamespace(viser=SimpleNamespace(gui=page))
    traces = PlotTrace("margin", (1, 2, 3)), PlotTrace("speed", (4, 5, 6))
    return LivePanel(
        server, "walker", traces, "margin [mm]", lambda *told: said.append(told)
    )


def test_the_plot_has_a_line_a_trace_over_time(panel, page):
    (plot,) = [w for w in page.made if w.kind == "uplot"]
    data, lines = plot.given
    assert [row.tolist() for row in data] == [[0.0]] * 3
    assert [one["label"] for one in lines] == ["s", "margin", "speed"]
    assert [one["stroke"] for one in lines[1:]] == ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]
    assert plot.settings["title"] == "margin [mm]"
    assert plot.settings["scales"] == {"x": {"time": False}}
    assert plot.settings["legend"] == {"live": False}


def test_samples_of_ten_seconds_are_kept(panel):
    panel.show_plot()  # nothing is sent of less than two
    assert not hasattr(panel.plot, "data")
    panel.keep(0.0, (1.0, 2.0))
    panel.show_plot()
    assert not hasattr(panel.plot, "data")
    panel.keep(0.0, (9.0, 9.0))  # the same moment again
    panel.keep(1.0, (3.0, 4.0))
    panel.show_plot()
    assert [row.tolist() for row in panel.plot.data] == [[0, 1], [1, 3], [2, 4]]
    panel.keep(10.0, (5.0, 6.0))
    assert len(panel.rows) == 3
    panel.keep(10.5, (7.0, 8.0))
    assert panel.rows[0][0] == 1.0
    panel.keep(0.5, (0.0, math.nan))  # time goes back: another run
    assert len(panel.rows) == 1


def test_buttons_tell_what_they_are_for(panel, page, said):
    panel.add_buttons()
    for name in ("pause", "again"):
        panel.inputs[name].touch()
    for word, rate in (("1x", 1.0), ("1/2", 0.5), ("1/5", 0.2), ("1/20", 0.05)):
        panel.inputs["rate"].touch(word)
        assert said[-1] == ("rate", rate)
    assert said[:2] == [("pause", None), ("again", None)]
    assert "seek" not in panel.inputs
    panel.show_time(1.0)  # there is no such slider


@pytest.mark.parametrize("length, most", [(2.5, 2.5), (0.0, 0.01)])
def test_a_record_has_a_slider_of_its_time(panel, said, length, most):
    panel.add_buttons(length=length)
    slider = panel.inputs["seek"]
    assert (slider.settings["min"], slider.settings["max"]) == (0.0, most)
    assert (slider.settings["step"], slider.value) == (0.01, 0.0)
    panel.show_time(99.0)
    assert slider.value == most
    panel.show_time(0.0049)
    assert slider.value == 0.0
    slider.touch(1.5)
    slider.touch(0.5, client=None)  # ourselves: nobody is told
    assert said == [("seek", 1.5)]


def test_a_push_has_strength_heading_and_a_button(panel, said):
    panel.add_push(40.0, 8.0)
    push, heading = panel.inputs["push"], panel.inputs["push_heading"]
    ends = [(s.settings["min"], s.settings["max"], s.value) for s in (push, heading)]
    assert ends == [(0.0, 40.0, 8.0), (-180.0, 180.0, 90.0)]
    assert push.settings["step"] == pytest.approx(0.4)
    heading.touch(-90.0)
    panel.inputs["push_now"].touch()
    assert said == [("push_heading", -90.0), ("push_now", None)]


def test_sliders_are_in_folders_by_their_group(panel, page, said):
    def knob(name, group, hint=""):
        return Knob(name=name, label=f"{name} [m]", low=0.0, high=2.0, step=0.5,
                    value=1.0, group=group, hint=hint)  # fmt: skip

    before = len(page.made)
    panel.add_knobs([knob("a", "One", "why"), knob("b", "Two"), knob("c", "One")])
    made = [(w.kind, w.label) for w in page.made[before:]]
    assert made == [
        ("folder", "One"), ("slider", "a [m]"), ("slider", "c [m]"),
        ("folder", "Two"), ("slider", "b [m]"),
    ]  # fmt: skip
    assert panel.inputs["a"].settings["hint"] == "why"
    assert panel.inputs["b"].settings["hint"] is None
    panel.inputs["b"].touch(0.5)
    assert said == [("b", 0.5)]


def setting(name, value):
    return FieldSetting(name, Setting("How far", "m"), float, value)


def test_a_setting_is_chosen_and_set(panel, said):
    panel.add_settings({"a.b": setting("a.b", 0.5), "c.d": setting("c.d", 2.0)})
    line = panel.inputs["value"]
    assert line.value == "0.5"
    panel.inputs["setting"].touch("c.d")
    assert float(line.value) == 2.0
    line.value = "3.5"
    panel.inputs["set"].touch()
    assert said == [("set", "c.d=3.5")]


def test_what_is_shown_can_be_switched(panel, page, said):
    panel.add_view({"support": True, "arrows": False}, follows=True, is_rich=False)
    assert panel.inputs["follow"].value is True
    assert panel.inputs["light"].value is False
    assert panel.inputs["show arrows"].value is False
    panel.inputs["show arrows"].touch(True)
    panel.inputs["show support"].touch(False)
    panel.inputs["follow"].touch(False)
    panel.inputs["light"].touch(True)
    assert said == [
        ("show arrows", True), ("show support", False),
        ("follow", False), ("light", True),
    ]  # fmt: skip
    before = len(page.made)
    panel.add_notes([])
    assert len(page.made) == before
    panel.add_notes(["Friction is assumed."])
    assert "Friction is assumed." in panel.texts["notes"]


def test_texts_are_sent_where_they_change(panel):
    panel.show_lamp("yes", "Upright.")
    lamp = panel.inputs["lamp"]
    assert "Upright." in lamp.content
    lamp.content = None
    panel.show_lamp("yes", "Upright.")
    assert lamp.content is None  # the same again
    panel.show_numbers([("speed", "0.40 m/s")])
    assert "0.40 m/s" in panel.inputs["numbers"].content
    panel.notice("It broke.")
    assert "It broke." in panel.inputs["notice"].content
    panel.notice("")
    assert "It broke." not in panel.inputs["notice"].content


def test_the_button_says_what_it_will_do(panel):
    panel.add_buttons()
    button = panel.inputs["pause"]
    panel.show_paused(True)
    assert (button.label, button.icon) == ("Go on", "player-play")
    panel.show_paused(False)
    assert (button.label, button.icon) == ("Pause", "player-pause")
    button.icon = "same"
    panel.show_paused(False)
    assert button.icon == "same"
    assert np.isfinite(panel.texts["lamp"].find("starting"))
