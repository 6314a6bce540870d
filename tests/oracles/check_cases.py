"""Cases of a check that are made up: only what one criterion looks at."""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from equipoise.robots.stance.stance import Stance
from equipoise.robots.stance.turns import GroundTurn
from equipoise.runs.check.criterion import Judgement
from equipoise.runs.check.friction import StanceGrip
from equipoise.runs.check.joints import TorqueShares
from equipoise.runs.check.result import Question

YES = Judgement("yes", ["it is inside"], {"kept": 1})
NO = Judgement("no", ["it is outside"], {"kept": 1})
UNKNOWN = Judgement("unknown", ["who knows"], {"kept": 1})
SQUARE = np.array([[1.0, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])


def stance(com=(0.0, 0.0, 0.5), slope=0.0, points=SQUARE, ground=0.0, **more):
    """Return a stance on one plane that falls towards +x at an angle [rad]."""
    c, s = math.cos(slope), math.sin(slope)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    n = len(points)
    return Stance(
        points=points @ R.T,
        geoms=tuple(f"foot{k}" for k in range(n)),
        ground=math.nan if slope else ground,
        lowest=0.0,
        mass=2.0,
        com=np.array(com),
        normals=np.tile(R[:, 2], (n, 1)),
        bodies=np.arange(n),
        shapes=np.arange(n),
        radii=np.zeros(n),
        grounds=np.full(n, -1),
        **more,
    )


@dataclass
class MadeUp:
    """A case with what one criterion looks at."""

    stance: Any = field(default_factory=stance)
    early: Any = None
    is_pulled: bool = False
    is_on_springs: bool = False
    is_on_own_drives: bool = False
    scene: Any = field(default_factory=lambda: SimpleNamespace(pulls=(), loose=()))
    grip: Any = field(default_factory=lambda: grip(0.6))
    limits: Any = None
    gravity: float = 9.81
    margins: Any = None
    mode: str = "own"
    holds: Any = field(default_factory=lambda: holds())
    torques: Any = field(default_factory=lambda: TorqueShares(None, None))
    drives: Any = None
    turn: Any = field(default_factory=lambda: GroundTurn(np.array([0.0, 0, 1]), None))
    robot: Any = field(default_factory=lambda: SimpleNamespace(has_world=True))
    settled: Any = None
    lying: Any = None
    let_go_from: Any = None
    question: Any = field(default_factory=Question)
    given: Any = None
    patches: Any = None


def grip(sure, most=None, odd=(), n=4):
    """Return the friction of n contacts."""
    most = sure if most is None else most
    return StanceGrip(np.full(n, sure), np.full(n, most), "file", tuple(odd))


def holds(count=3, motors=(), own=("knee",), passive=(), unknown=(), is_all=False):
    """Return what holds the joints."""
    return SimpleNamespace(
        count=count,
        held=tuple(motors),
        own=tuple(own),
        servo_driven=tuple(own),
        passive=tuple(passive),
        unknown=tuple(unknown),
        is_all_motors=is_all,
    )


def case(**parts: Any) -> Any:
    """Return a case with some parts given."""
    return MadeUp(**parts)
