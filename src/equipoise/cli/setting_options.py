"""Options of a command that come from the described fields of a job's settings.

A command that is decorated with ``takes_settings(Config)`` has a parameter
``settings``, a dictionary; in its place stand the options that the fields describe. The
dictionary holds what was typed, in the types and units of the fields, and nothing else.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from equipoise.cli.completion import completer
from equipoise.core.setting import FieldSetting, described_settings

__all__ = ["NONE", "Settings", "as_typed", "setting_parameter", "takes_settings"]

PLACE = "settings"
Settings = Mapping[str, Any]
"""What was typed, by the names of the fields."""
NONE: Settings = {}
SHOWN = {"share": "SHARE", "%": "PERCENT"}


def takes_settings(*configs: type) -> Callable[[Callable[..., int]], Any]:
    """Decorator: let a command take the settings of a job.

    Args:
        configs: dataclasses whose fields are described by ``core.setting.Setting``,
            one for each kind of robot; of those that share a field, the first counts.
    """
    every = (one for own in configs for one in described_settings(own).values())
    offered = dict[str, FieldSetting]()
    for one in every:
        if one.is_offered("command"):
            offered.setdefault(one.name, one)

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        signature = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for name, parameter in signature.parameters.items():
            derived = [setting_parameter(one) for one in offered.values()]
            parameters += derived if name == PLACE else [parameter]

        @functools.wraps(command)
        def with_settings(**values: Any) -> int:
            typed = {name: values.pop(name) for name in offered}
            given = {name: value for name, value in typed.items() if value is not None}
            return command(**values, **{PLACE: given})

        made: Any = with_settings
        made.__signature__ = signature.replace(parameters=parameters)
        made.__annotations__ = {p.name: p.annotation for p in parameters}
        made.configs = configs
        return made

    return decorate


def setting_parameter(setting: FieldSetting, **how: Any) -> inspect.Parameter:
    """Return the parameter of a command for one setting; None where it is not typed.

    Args:
        setting: which.
        how: it is shown, as Typer takes it, where the setting itself says otherwise.
    """
    kind: Any = setting.kind
    if setting.is_tuple and kind is str and not setting.is_optional:
        kind = list[str]  # may be repeated; Typer makes None of no values
    elif setting.is_tuple or setting.about.words:
        kind = Any
    return inspect.Parameter(
        setting.name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=None,
        annotation=Annotated[kind | None, _option(setting, how)],
    )


def _option(setting: FieldSetting, shown: Settings) -> Any:
    about, words = setting.about, tuple(map(str, setting.choices))
    how: dict[str, Any] = {
        "help": setting.help,
        "show_default": False if setting.kind is bool else setting.shown_default,
        "rich_help_panel": about.panel or None,
        "autocompletion": completer(about.completion or words),
        "callback": _reader(setting),
        **shown,
    }
    if setting.kind is bool:
        name = f"--{setting.option}"
        return typer.Option(
            f"{name}/--no-{setting.option}" if setting.default else name, **how
        )
    how["metavar"] = about.metavar or "|".join(words) or _unit(setting)
    is_read = setting.kind is float or bool(about.words)
    if is_read or (setting.is_tuple and setting.is_optional):
        how["parser"] = as_typed
    return typer.Option(f"--{setting.option}", **how)


def as_typed(value: Any) -> Any:
    """Return what was typed; a default is no text."""
    return value


def _reader(setting: FieldSetting) -> Callable[..., Any]:
    """Return the callback that makes of a typed text what the field wants."""

    def read(parameter: typer.CallbackParam, value: Any) -> Any:
        if isinstance(value, list):  # an option that was repeated
            texts: list[str] = value
            return tuple(one for text in texts for one in setting.read(text))
        return setting.read(value, parameter.opts[0])

    return read


def _unit(setting: FieldSetting) -> str | None:
    """Return how help shows a number: by its unit."""
    if setting.kind is not float:
        return None
    quantity = setting.quantities[0]
    return SHOWN.get(
        quantity.unit or quantity.kind, quantity.unit.replace(" ", "").upper()
    )
