"""Text of a panel as markup; names and sentences may be from a robot file.

Everything goes through ``html.escape``.
"""

import html
from collections.abc import Sequence
from typing import Any, Literal

from equipoise.core.setting import FieldSetting
from equipoise.core.text import shown
from equipoise.viz.colours import VERDICTS

__all__ = [
    "Lamp",
    "box_html",
    "lamp_html",
    "list_html",
    "notice_html",
    "rows_html",
    "says_html",
    "title_html",
    "typed_value",
]

Lamp = Literal["yes", "no", "unknown"]
GREY = "color:#5c6369"


def box_html(markup: str) -> str:
    """Return markup with room around it.

    Args:
        markup: of ours, already escaped.
    """
    return f"<div style='padding:0.3em 0.9em;line-height:1.35'>{markup}</div>"


def title_html(title: str) -> str:
    """Return a title.

    Args:
        title: any text.
    """
    return f"<div style='font-weight:600'>{html.escape(shown(title))}</div>"


def rows_html(rows: Sequence[tuple[str, str]]) -> str:
    """Return a small table.

    Args:
        rows: what and how much.
    """
    right = "text-align:right;font-variant-numeric:tabular-nums"
    cells = "".join(
        f"<tr style='white-space:nowrap'><td style='{GREY}'>{html.escape(what)}</td>"
        f"<td style='{right}'>{html.escape(much)}</td></tr>"
        for what, much in rows
    )
    return f"<table style='width:100%;font-size:0.95em'>{cells}</table>"


def notice_html(sentence: str) -> str:
    """Return a sentence that nobody overlooks; "" for none.

    Args:
        sentence: any text.
    """
    box = "background:#fff3e6;border-left:4px solid #e8590c;padding:0.5em 0.7em"
    said = html.escape(shown(sentence, 400))
    return f"<div style='{box}'>{said}</div>" if sentence else ""


def list_html(lines: Sequence[str]) -> str:
    """Return lines to read.

    Args:
        lines: a sentence each.
    """
    items = "".join(f"<li>{html.escape(shown(line, 300))}</li>" for line in lines)
    return f"<ul style='margin:0;padding-left:1.2em;{GREY}'>{items}</ul>"


def lamp_html(lamp: Lamp, why: str) -> str:
    """Return the lamp.

    Args:
        lamp: which.
        why: in a sentence.
    """
    colour = VERDICTS[lamp]
    dot = (
        f"width:1.5em;height:1.5em;border-radius:50%;background:{colour};"
        f"box-shadow:0 0 0.7em {colour};flex:none"
    )
    return (
        "<div style='display:flex;align-items:center;gap:0.8em'>"
        f"<div data-lamp='{lamp}' style='{dot}'></div>"
        f"<div><b style='font-size:1.25em'>{lamp}</b><br>"
        f"<span>{html.escape(shown(why, 300))}</span></div></div>"
    )


def says_html(setting: FieldSetting) -> str:
    """Return what a setting is.

    Args:
        setting: of a controller.
    """
    about = setting.about
    unit = f" [{about.unit}]" if about.unit else ""
    said = html.escape(shown(f"{about.meaning}{unit}", 400))
    return f"<small style='{GREY}'>{said}</small>"


def typed_value(value: Any) -> str:
    """Return a setting's value as it can be typed.

    Args:
        value: of any kind.
    """
    if isinstance(value, tuple | list):
        return ",".join(typed_value(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
