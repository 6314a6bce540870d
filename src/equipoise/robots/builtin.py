"""Which robots are built in: every folder of this room that has an ``options.py``.

Such a file declares what can be chosen of the robot and offers it as ``ROBOT``. It is
read whenever a command starts, so it imports nothing heavy: ``build`` does that, when
the robot is wanted.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, final

from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import FieldSetting, described_settings
from equipoise.core.text import shown
from equipoise.robots.size import Scale

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot  # brings MuJoCo
    from equipoise.robots.source import Provenance

__all__ = [
    "BuiltIn",
    "Task",
    "builtin",
    "builtin_names",
    "expect_options",
    "is_unknown",
    "size_of",
    "unknown_robot",
]

Task = Literal["steer", "stand", "walk"]
"""What a robot does in simulation: modules steer by messages, legs stand or walk."""
ROOM = "equipoise.robots"
DECLARED = "options.py"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BuiltIn:
    """A robot that has a name."""

    name: str
    """Of its folder."""
    what: str
    """In a phrase, for lists."""
    options: type
    """A frozen dataclass, its fields described by ``core.setting.Setting``."""
    task: Task
    build: "Callable[[Any], Robot]"
    """Makes the robot from an object of ``options``."""
    sources: "Callable[[], Provenance]"
    """Says where its numbers and sensors come from; all of them, or it is refused."""
    read: Callable[[Mapping[str, Any]], Any] | None = None
    """Makes an object of ``options`` from what was given by name; None where those are
    its fields."""
    controller: str = "walking"
    """By which it walks unless another is asked for, see ``control.controllers``."""
    size: Scale | None = None
    """Mass and height of the hips, for settings that are carried over from it to other
    machines; None where nothing is."""
    speed: float | None = None
    """Speed at which it walks unless another is asked for; None for its controller's,
    carried over to its size [m/s]."""
    creeping_speed: float | None = None
    """Same for gaits with three feet and more on the ground; None for ``speed``
    [m/s]."""
    acceleration: float | None = None
    """Acceleration with which it starts to walk; None for its controller's [m/s²]."""
    always_recorded: tuple[str, ...] = ()
    """Options that a run's settings list even where nobody chose them."""
    walking: Callable[..., Mapping[str, Any]] | None = None
    """Returns its controller's settings for a gait, a payload, ground and drives, by
    the names of ``control.walker.WalkerConfig``; None if it has none."""
    warnings: Callable[..., list[str]] | None = None
    """Returns what is known to go wrong when it walks so, a sentence each; None if
    nothing is."""

    @property
    def typed(self) -> tuple[FieldSetting, ...]:
        """The options that commands offer."""
        described = described_settings(self.options).values()
        return tuple(one for one in described if one.is_offered("command"))

    def settings_record(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that a run's settings list, by name.

        Args:
            given: options that were chosen; all of them are listed.
        """
        described = described_settings(self.options)
        usual = {name: described[name].default for name in self.always_recorded}
        return usual | dict(given)

    def chosen(self, given: Mapping[str, Any]) -> Any:
        """Return the options with the values that count.

        Args:
            given: by name; what is left out keeps its default.

        Raises:
            UnknownNameError: it has no such option.
            ConfigError: a value that cannot be.
        """
        if self.read is not None:
            return self.read(given)
        expect_options(given, [f.name for f in fields(self.options)], f"'{self.name}'")
        return self.options(**given)


def builtin_names() -> tuple[str, ...]:
    """Return the names of all built-in robots, sorted."""
    return _names_in(tuple(importlib.import_module(ROOM).__path__))


@cache  # asked for a dozen times a run
def _names_in(places: tuple[str, ...]) -> tuple[str, ...]:
    folders = [Path(place) for place in places]
    found = (k.name for k in pkgutil.iter_modules(places) if k.ispkg)
    return tuple(
        sorted(n for n in found if any((f / n / DECLARED).is_file() for f in folders))
    )


def builtin(name: str) -> BuiltIn:
    """Return a built-in robot.

    Args:
        name: one of ``builtin_names``.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in builtin_names():
        raise unknown_robot(name)
    return importlib.import_module(f"{ROOM}.{name}.options").ROBOT


def size_of(name: str) -> Scale:
    """Return the size of a built-in machine.

    Args:
        name: of its folder.

    Raises:
        UnknownNameError: there is no robot of that name, or it declares no size.
    """
    size = builtin(name).size
    if size is None:
        sized = [one for one in builtin_names() if builtin(one).size is not None]
        raise UnknownNameError("size of a robot", name, sized, "the library")
    return size


def unknown_robot(name: str) -> UnknownNameError:
    """Return the error of a name that no robot of the library has, with what does."""
    from equipoise.robots.files import described, named  # seldom wanted

    own = named.shipped_names()
    known = (*builtin_names(), *own)
    near = described.near_described(name) if name.replace("_", "").isalnum() else []
    package = f"the package {described.PACKAGE}"
    public = f"{' or '.join(near)} of {package}"
    if not near:
        public = f"a name of {package}, as {described.EXAMPLE}"
    if not described.described_names():
        public += f" (pip install {described.PACKAGE})"
    error = UnknownNameError("robot", name, known, "the library")
    near_own = f" (did you mean '{error.near}'?)" if error.near else ""
    return error.saying(
        f"the library has no robot '{shown(name)}'{near_own}: take "
        f"{' or '.join(own)}, which come with it, a path to a URDF or MJCF file, or "
        f"{public}; 'equipoise robots' lists what is built in."
    )


def is_unknown(name: str | Path) -> bool:
    """Return whether a robot is a bare name that nothing has: no robot, no file.

    Args:
        name: whatever a user gave for a robot.
    """
    path = Path(name)
    is_bare = path.name == str(name) and str(name).replace("_", "").isalnum()
    return is_bare and str(name) not in builtin_names() and not path.exists()


def expect_options(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuse an option that does not exist here.

    Args:
        given: names that were given.
        known: names there are.
        where: whose they are, in words.

    Raises:
        UnknownNameError: names the first that does not exist.
    """
    for name in given:
        if name not in known:
            raise UnknownNameError("option", name, known, where)
