"""Laws by name, each with its settings: ``laws.upright(pace=100)``.

A law of this kind is chosen before the robot is known; whoever simulates one makes a
controller of it. What a setting means and its unit stand with the law.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from equipoise.control.com.law import AbstractLaw, find_law, law_names
from equipoise.control.workspace.balancer import (
    AbstractBalanceLaw,
    BalancerConfig,
    balance_law_names,
    find_balance_law,
)
from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import FieldSetting
from equipoise.core.settings import expect_settings, settings_of, with_settings
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["ChosenLaw", "Laws", "balance_law", "law_settings", "laws", "steering_law"]


@final
@dataclass(frozen=True)
class ChosenLaw:
    """A law and those of its settings that are not as usual.

    Raises:
        UnknownNameError: no such law, or no such setting.
        ConfigError: a value that the law cannot have.
    """

    name: str
    gains: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Refuse at once what the law does not have."""
        if self.name in law_names():
            own = find_law(self.name)()
            _replaced(own, self.gains, self.name)
        else:
            balance_law(self.name, self.gains)


@final
class Laws:
    """All laws, as attributes; a dash in a name is an underscore here."""

    def __getattr__(self, name: str) -> "type[ChosenLaw] | Any":
        """Return what makes a law with settings of one's own."""
        known = {law.replace("-", "_"): law for law in self}
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in known:
            raise AttributeError(
                str(UnknownNameError("law", name, known, "equipoise.laws"))
            )

        def choose(**gains: Any) -> ChosenLaw:
            return ChosenLaw(known[name], gains)

        choose.__name__ = name
        choose.__doc__ = _described(known[name])
        return choose

    def __iter__(self) -> Iterator[str]:
        """Return the names, as the command line takes them."""
        return iter((*law_names(), *balance_law_names()))

    def __dir__(self) -> list[str]:
        """Return the names, as attributes."""
        return [name.replace("-", "_") for name in self]


laws = Laws()
"""The one that users see."""


def _described(name: str) -> str:
    """Return what a law's settings are, one a line."""
    lines = [
        f"    {one.name}: {one.help} Unless given: {one.default!r}."
        for one in law_settings(name).values()
    ]
    return f"The law '{name}' with settings of one's own.\n\n" + "\n".join(lines)


def law_settings(name: str) -> dict[str, FieldSetting]:
    """Return what can be set of a law, by name.

    Args:
        name: of a law for modules or for robots with feet.

    Raises:
        UnknownNameError: no such law.
    """
    if name in law_names():
        return settings_of(_config_of(find_law(name)()))
    known = (*law_names(), *balance_law_names())
    if name not in known:
        raise UnknownNameError("controller", name, known, "the catalogue")
    return settings_of(find_balance_law(name)()) | _shared_settings()


def _shared_settings() -> dict[str, FieldSetting]:
    """Return what can be set of every law for robots with feet; friction is told."""
    found = settings_of(BalancerConfig())
    del found["friction"]
    return found


def _config_of(law: AbstractLaw) -> Any:
    """Return a steering law's settings, its ``config``."""
    return vars(law)["config"]


def _replaced(law: AbstractLaw, gains: Mapping[str, Any], name: str) -> AbstractLaw:
    """Return a steering law with some settings replaced."""
    if not gains:
        return law
    where, lister = f"controller '{name}'", f"equipoise controllers {name}"
    config = with_settings(_config_of(law), gains, where, lister)
    return replace(law, config=config)  # type: ignore[type-var]  # laws are dataclasses


def steering_law(
    name: str, gains: Mapping[str, Any], assembly: Assembly, hop_delay: float = 0.0
) -> AbstractLaw:
    """Return a law for modules, as it suits a robot but for the settings given.

    Args:
        name: of the law.
        gains: settings by name.
        assembly: the robot.
        hop_delay: time a message takes to a neighbour [s].

    Raises:
        UnknownNameError: no such law, or no such setting.
        ConfigError: a value that the law cannot have.
    """
    return _replaced(find_law(name).fitting(assembly, hop_delay), gains, name)


def balance_law(
    name: str, gains: Mapping[str, Any], friction: float | None = None
) -> tuple[AbstractBalanceLaw, BalancerConfig]:
    """Return a law for robots with feet, and what all of them share.

    Args:
        name: of the law.
        gains: settings of both, by name.
        friction: that the feet can count on; None for the usual one.

    Raises:
        UnknownNameError: no such law, or no such setting.
        ConfigError: a value that the law cannot have.
    """
    known = law_settings(name)
    where = f"controller '{name}'"
    expect_settings(gains, known, where, lister=f"equipoise controllers {name}")
    shared = {key: gains[key] for key in gains if key in _shared_settings()}
    own = {key: gains[key] for key in gains if key not in shared}
    config = BalancerConfig() if friction is None else BalancerConfig(friction=friction)
    law = with_settings(find_balance_law(name)(), own, where)
    return law, with_settings(config, shared, where)
