"""What becomes of a robot in a driven scene: the engine, and the file's own drives.

The robot is let go as it is, put down gently first, on stiffer contacts and with a
quarter of the time step, for some seconds; where it stands in all of them, it is
watched for a minute. Motors are held by a stiff controller within their limits. What
differs between trials, or is near an edge, is "unclear".
"""

import math
from typing import Any, NamedTuple

import mujoco
import numpy as np

from oracles.driven.held import held_motors, limited_motors, without_joints
from oracles.driven_scenes import Scene

__all__ = ["Fact", "Fate", "grade", "truth"]

SUNK, AFLOAT = 0.08, 0.03  # of its height; the rule says 0.05
FALLEN, UPRIGHT = math.radians(12.0), math.radians(8.0)  # the rule says 10 degrees
SLID, STAYED = 0.25, 0.1  # aside while it settles, in sizes
CREPT, SLOPE, LAY = 0.05, 0.03, 0.01  # aside within a minute, in sizes; on slopes
SECONDS, SETTLED, MINUTE = 4.0, 12.0, 60.0


class Fate(NamedTuple):
    """What became of a robot in one trial, shares of its size and height."""

    turned: float = 0.0
    sunk: float = 0.0
    aside: float = 0.0
    crept: float = 0.0
    touched: bool = False
    """Whether something else that moves touched it."""
    restless: bool = False
    """Whether something else moved."""
    most_crept: float = CREPT
    """From where on it slid away."""

    @property
    def word(self) -> str:
        """ "stood", "fell" or "unclear"."""
        found = np.array([self.turned, self.sunk, self.aside, self.crept])
        if not np.isfinite(found).all() or self.sunk < -AFLOAT:  # it gets up
            return "unclear"
        if (found > [FALLEN, SUNK, SLID, self.most_crept]).any():
            return "fell"
        return "stood" if (found < [UPRIGHT, AFLOAT, STAYED, LAY]).all() else "unclear"


class Fact(NamedTuple):
    """The truth about a scene."""

    word: str
    """"yes", "no", "unclear"; "braced" where motors hold only by feet that brace
    against each other; "loaded" where passive joints carry what they cannot hold."""
    touched: bool = False
    restless: bool = False


def truth(scene: Scene, *, thorough: bool = True) -> Fact:
    """Return what becomes of the robot.

    Args:
        scene: the scene.
        thorough: whether contacts and time step are refined too, and a robot that
            stands is watched for a minute.
    """
    if "passive" in scene.tags:
        return _passive(scene, thorough)
    return _driven(scene, mujoco.MjModel.from_xml_string(scene.xml), thorough)


def grade(scene: Scene, fact: Fact, answer: str) -> str:
    """Return what an answer is worth.

    One of "right", "wrong yes", "wrong no", "shy" (unknown where it counts),
    "tolerated", "bold" (a true yes although something that moves touches it), or "left
    out".
    """
    if fact.word == "unclear":
        return "left out"
    if fact.word in ("braced", "loaded"):
        return {"yes": "wrong yes", "no": "tolerated", "unknown": "right"}[answer]
    if answer == "unknown":
        counts = scene.is_claimed and not (fact.touched or fact.restless)
        return "shy" if counts else "tolerated"
    if answer != fact.word:
        return f"wrong {answer}"
    return "bold" if answer == "yes" and fact.touched else "right"


def _passive(scene: Scene, thorough: bool) -> Fact:
    held = _driven(scene, without_joints(scene.xml), thorough)
    if held.word != "yes":
        return held
    own = _driven(scene, mujoco.MjModel.from_xml_string(scene.xml), thorough)
    return own._replace(word="loaded") if own.word == "no" else own


def _driven(scene: Scene, model: mujoco.MjModel, thorough: bool) -> Fact:
    limited = limited_motors(model, scene.base)
    model = held_motors(model, scene)
    trials: list[dict[str, Any]] = [{}, {"gentle": True}]
    if thorough:
        trials.append({"finer": 4})
    if thorough and not scene.tags & {"soft", "slope"}:  # there its own decide
        trials.append({"stiffer": True})
    words, touched, restless = set(), False, False
    for settings in trials:
        found = _trial(scene, model, **settings)
        words.add(found.word)
        touched, restless = touched or found.touched, restless or found.restless
        if {"stood", "fell"} <= words:
            return Fact("unclear", touched, restless)
    if words == {"fell"}:
        return Fact("no", touched, restless)
    # the controller of motors is this file's own, and may chatter at their step
    finer = 4 if "motors" in scene.tags else 1
    if thorough or "unclear" in words:
        found = _trial(scene, model, seconds=MINUTE, finer=finer)
        touched, restless = touched or found.touched, restless or found.restless
        if found.word == "fell":
            return Fact("no", touched, restless)
        if found.word == "unclear" or "unclear" in words:
            return Fact("unclear", touched, restless)
    if limited:
        slippery = model.__copy__()
        slippery.geom_friction[:, 0] = 0.02
        slippery.opt.impratio = 1.0
        if _trial(scene, slippery, finer=finer).word == "fell":
            return Fact("braced", touched, restless)
    return Fact("yes", touched, restless)


def _trial(
    scene: Scene,
    model: mujoco.MjModel,
    *,
    gentle: bool = False,
    stiffer: bool = False,
    finer: int = 1,
    seconds: float = SECONDS,
) -> Fate:
    """Let the robot go and return what became of it."""
    model = model.__copy__()
    model.opt.timestep /= finer
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    if stiffer:
        times = model.geom_solref[:, 0]
        stiff = np.minimum(times, np.maximum(0.4 * times, 2.5 * model.opt.timestep))
        model.geom_solref[:, 0] = np.where(times > 0, stiff, times)
    data = mujoco.MjData(model)
    if scene.judged:
        mujoco.mj_resetDataKeyframe(model, data, model.keyframe(scene.judged).id)
    mujoco.mj_forward(model, data)
    watch = _Watch(scene, model, data)
    if gentle:
        _put_down(scene, model, data, watch)
    watch.run(seconds)
    return watch.fate()


def _put_down(
    scene: Scene, model: mujoco.MjModel, data: mujoco.MjData, watch: "_Watch"
) -> None:
    dof = int(model.body_dofadr[watch.root])
    mass, gravity = float(model.body_subtreemass[watch.root]), -model.opt.gravity[2]
    pace = 0.2 * math.sqrt(gravity * scene.size)
    model.dof_damping[dof : dof + 3] += mass * gravity / pace
    model.dof_damping[dof + 3 : dof + 6] += mass * gravity * scene.size**2 / pace
    watch.run(3.0)
    model.dof_damping[dof : dof + 6] = 0.0


class _Watch:
    """Steps a scene and watches its robot."""

    def __init__(
        self, scene: Scene, model: mujoco.MjModel, data: mujoco.MjData
    ) -> None:
        self.scene, self.model, self.data = scene, model, data
        self.root = int(model.body(scene.base).id)
        self.own = model.body_rootid == self.root
        self.others = ~self.own[model.dof_bodyid]
        self.start = data.subtree_com[self.root].copy()
        self.quat = data.xquat[self.root].copy()
        self.early: np.ndarray | None = None
        self.touched = self.restless = False
        self.placed = data.qpos.copy()

    def run(self, seconds: float) -> None:
        """Step until then, or until it lies or nothing moves any more."""
        chunk = 0.25
        for k in range(math.ceil(seconds / chunk)):
            steps = max(1, round(chunk / self.model.opt.timestep))
            mujoco.mj_step(self.model, self.data, steps)
            self._look()
            passed = (k + 1) * chunk
            if passed == SECONDS:
                self.early = self.data.subtree_com[self.root].copy()
            if self._is_lost() or (passed >= SETTLED and self._is_still(seconds)):
                return

    def _look(self) -> None:
        if not self.others.any():
            return
        speeds = np.abs(self.data.qvel[self.others])
        moves = bool((speeds > 1e-3 * self.scene.size).any())
        self.restless |= moves and self.data.time > 0.5
        for contact in self.data.contact[: self.data.ncon]:
            bodies = self.model.geom_bodyid[[contact.geom1, contact.geom2]]
            if (
                self.own[bodies].sum() == 1
                and (self.model.body_rootid[bodies] > 0).all()
            ):
                self.touched |= bool(self.model.body_dofnum[bodies].any())

    def _is_lost(self) -> bool:
        now = self.fate()
        return not np.isfinite(now[:4]).all() or now.turned > 0.7 or now.sunk > 0.4

    def _is_still(self, seconds: float) -> bool:
        speed = np.abs(self.data.qvel) * seconds
        return bool((speed < 1e-3 * min(1.0, self.scene.size)).all())

    def fate(self) -> Fate:
        """Return what became of it so far."""
        data = self.data
        quat, size = data.xquat[self.root], self.scene.size
        turned = 2.0 * math.acos(min(1.0, abs(float(self.quat @ quat))))
        way = data.subtree_com[self.root] - self.start
        crept = 0.0
        if self.early is not None:
            since = data.subtree_com[self.root] - self.early
            crept = float(np.linalg.norm(since[:2])) / size
        return Fate(
            turned if np.isfinite(data.qpos).all() else math.nan,
            -float(way[2]) / self.scene.height,
            float(np.linalg.norm(way[:2])) / size,
            crept,
            self.touched,
            self.restless,
            SLOPE if "slope" in self.scene.tags else CREPT,
        )
