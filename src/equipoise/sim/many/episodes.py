"""Episodes of robots that somebody moves: actions in, observations and rewards out.

An action is a row of settings that is overwritten at every step. All arrays are where
the robots are: PyTorch's tensors or CuPy's arrays on a card, NumPy's on this machine.
No Gymnasium in sight.
"""

from typing import Any, NamedTuple, final

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.equations.cuda.module import cuda_module
from equipoise.sim.many.robots import ManyRobots

__all__ = ["EpisodeStep", "ManyEpisodes"]


class EpisodeStep(NamedTuple):
    """Result of a step, one row or number per robot."""

    observation: Any
    reward: Any
    is_over: Any
    """Who has fallen."""
    is_late: Any
    """Whose time has passed."""
    time: Any
    """Since the episode began [s]."""


@final
class ManyEpisodes:
    """Robots whose episodes begin again by themselves.

    A robot whose episode has ended waits through the next step, at the end of which
    another begins, with numbers drawn anew.

    Args:
        robots: the last of whose settings are the action.
        text: of the kernel ``many_observe``, see ``OBSERVE_TEXT``, in the robots'
            precision.
        actions: numbers of an action.
        seen: numbers of an observation.
        ticks: of a step.
        longest: ticks of an episode.
    """

    def __init__(
        self,
        robots: ManyRobots,
        text: str,
        *,
        actions: int,
        seen: int,
        ticks: int,
        longest: int,
    ) -> None:
        self.robots, self.actions, self.size = robots, actions, seen
        self.ticks, self.longest = ticks, longest
        self.eye = cuda_module(
            text, precision=robots.plan.precision, backend=robots.memory.backend
        )
        self.ended = robots.fell >= 0
        """Whose episode has, (n,)."""
        self.has_begun = False

    def begin(self, seed: int | None = None, chosen: Any = None) -> Any:
        """Begin episodes and return what is observed.

        Args:
            seed: of all that is drawn from now on; None for the one after the last.
            chosen: whose, truth values, (n,); None for everybody's, from tick 0 on.

        Raises:
            EquipoiseError: a seed or a choice that cannot be.
        """
        robots = self.robots
        if seed is not None and not (is_whole(seed) and 0 <= seed < 2**63):
            problem = f"seed must be >= 0 and below 2^63, got {seed!r}"
            raise ConfigError("an episode", [problem])
        if chosen is None:
            robots.seed = robots.seed + 1 if seed is None else int(seed)
            robots.tick, chosen = 0, robots.fell == robots.fell
        else:
            chosen = robots.memory.put(chosen, "int32") != 0
            if tuple(chosen.shape) != (robots.robots,):
                raise ShapeError(f"a choice must be {robots.robots} truth values.")
        robots.restart(chosen, self.actions)
        self.ended = self.ended & ~chosen
        self.has_begun = True
        return self.look()[0]

    def step(self, actions: Any) -> EpisodeStep:
        """Hold an action for a step, one a robot.

        Args:
            actions: (n, actions), in [-1, 1]; beyond counts as the end. A robot that is
                given a number that is none has fallen.

        Raises:
            EquipoiseError: actions of another shape, or no episode.
        """
        robots, wanted = self.robots, (self.robots.robots, self.actions)
        if not self.has_begun:
            raise ConfigError("the environment", ["reset it before its first step"])
        if tuple(actions.shape) != wanted:
            raise ShapeError(
                f"actions must have the shape {wanted}, one row per robot, got "
                f"{tuple(actions.shape)}."
            )
        begins, given = self.ended, robots.memory.put(actions, robots.real)
        robots.settings[-self.actions :] = given.clip(-1.0, 1.0).T
        robots.advance(self.ticks)
        robots.restart(begins, self.actions)
        seen, reward = self.look()
        reward[begins] = 0.0
        over, own = robots.fell >= 0, robots.tick - robots.began
        late = ~over & (own >= self.longest)
        self.ended = over | late
        return EpisodeStep(seen, reward, over, late, own * robots.program.tick)

    def look(self) -> tuple[Any, Any]:
        """Return what is observed now, (n, seen), and what it is worth, (n,)."""
        robots = self.robots
        seen = robots.memory.full((robots.robots, self.size), 0.0, robots.real)
        reward = robots.memory.full((robots.robots,), 0.0, robots.real)
        given = [robots.robots, robots.state, robots.settings, robots.fell]
        self.eye.launch("many_observe", robots.robots, [*given, seen, reward])
        return seen, reward
