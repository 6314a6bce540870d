"""What can be chosen of a random tree of SuperBot modules."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, final

from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, expect_usable
from equipoise.robots.assembly.mass_scale import MASS_SCALE
from equipoise.robots.builtin import BuiltIn, expect_options

if TYPE_CHECKING:
    from equipoise.robots.assembly.module import SuperbotModule
    from equipoise.robots.robot import Robot
    from equipoise.robots.source import Provenance

__all__ = ["ROBOT", "Angles", "Mount", "SuperbotOptions"]

Angles = Literal["zero", "random"]
Mount = Literal["fixed", "free"]
BRANCHES = 4


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SuperbotOptions:
    """Options of a robot of SuperBot modules: number, shape of the tree, module.

    Raises:
        ConfigError: values that cannot be; all of them are named.
    """

    modules: Annotated[int, Setting("Number of modules", least=1, most=2000)] = 20
    branches: Annotated[
        int | None, Setting("Number of branches of the tree", least=1, usual="4")
    ] = None
    angles: Annotated[Angles, Setting("Joint angles at the start")] = "zero"
    mass_scale: Annotated[
        float, Setting("Share of a module's real mass that is simulated", above=0.0)
    ] = MASS_SCALE
    seed: Annotated[
        int, Setting("Seed of the random tree", least=0, without=("command",))
    ] = 0
    mount: Annotated[
        Mount,
        Setting(
            "Root welded to the ground, or standing on it free", without=("command",)
        ),
    ] = "fixed"
    module: "SuperbotModule | None" = None
    """All numbers of the modules; None for the default SuperBot, with its share of the
    mass."""

    def __post_init__(self) -> None:
        """Refuse what cannot be; branches are four, fewer where modules are."""
        expect_usable(self, "the choice of robot")
        if self.branches is None:
            object.__setattr__(self, "branches", min(BRANCHES, self.modules))


def _read(given: Mapping[str, Any]) -> SuperbotOptions:
    """Return the options; numbers of a module may be given among them.

    Args:
        given: fields of ``SuperbotOptions`` and of ``SuperbotModule``.

    Raises:
        UnknownNameError: neither has such an option.
        ConfigError: values that cannot be, or a module as well as numbers of one.
    """
    from equipoise.robots.assembly.module import SuperbotModule

    own = tuple(field.name for field in fields(SuperbotOptions))
    numbers = tuple(field.name for field in fields(SuperbotModule))
    expect_options(given, own + numbers, "'superbot'")
    of_module = {name: value for name, value in given.items() if name in numbers}
    if of_module and given.get("module") is not None:
        listed = ", ".join(of_module)
        raise ConfigError("'superbot'", [f"give either module or {listed}, not both"])
    options = {name: value for name, value in given.items() if name in own}
    if of_module.keys() - own:
        options["module"] = SuperbotModule(**of_module)
    return SuperbotOptions(**options)


def _build(options: SuperbotOptions) -> "Robot":
    """Return a random tree."""
    from equipoise.robots.assembly.module import SuperbotModule
    from equipoise.robots.superbot.superbot import random_tree

    return random_tree(
        modules=options.modules,
        branches=BRANCHES if options.branches is None else options.branches,
        seed=options.seed,
        angles=options.angles,
        module=options.module or SuperbotModule(mass_scale=options.mass_scale),
        mount=options.mount,
    )


def _sources() -> "Provenance":
    """Return where a module's numbers and sensors come from."""
    from equipoise.robots.assembly.module import SOURCES, SuperbotModule
    from equipoise.robots.source import Provenance, facts_from

    numbers = {name: getattr(SuperbotModule(), name) for name in SOURCES}
    facts = facts_from(numbers, SOURCES, "'superbot'")
    ideal = "its joints are known without error: no sensors are simulated"
    return Provenance(facts=facts, senses={}, simplified=(ideal,))


ROBOT = BuiltIn(
    name="superbot",
    what="a random tree of SuperBot modules, its root bolted to the ground",
    options=SuperbotOptions,
    task="steer",
    build=_build,
    sources=_sources,
    read=_read,
)
