"""Small modular robots in any state: MuJoCo's view of them, and their own."""

from dataclasses import dataclass, replace

import mujoco
import numpy as np

from equipoise.control.com.exchange import Inputs, Links, exchange
from equipoise.control.com.goal import line_goal
from equipoise.control.com.module_motion import empty_scratch
from equipoise.control.com.network import (
    empty_ports,
    empty_state,
    network_of,
    next_state,
)
from equipoise.control.com.readings import readings_by_module
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import ModuleBody
from equipoise.spatial.rotations import random_rotation

__all__ = [
    "KINDS",
    "Engine",
    "Talk",
    "any_tree",
    "frame_numbers",
    "free_joints",
    "put_frame",
    "random_state",
    "upright_chain",
]

KINDS = ("superbot", "mtran", "conro", "sliding", "held inside")


@dataclass(frozen=True)
class OwnModule:
    """A module with a body of one's own; an assembly asks for no more than that."""

    made: ModuleBody

    def body(self) -> ModuleBody:
        return self.made


def module_of(kind):
    """Return a SuperBot kind, one with a slide for its roll joint, or one more face."""
    if kind == "sliding":
        body = SuperbotModule().body()
        a, roll, b = body.joints
        slide = replace(roll, kind="slide", lower=-0.3, upper=0.3)
        return OwnModule(replace(body, joints=(a, slide, b)))
    if kind == "held inside":  # a side face moves from the bracket to an inner part
        body = SuperbotModule().body()
        front, side, *others = body.connectors
        return OwnModule(
            replace(body, connectors=(front, replace(side, part=1), *others))
        )
    return SuperbotModule(kind=kind)


def any_tree(n, rng, kind="superbot", ground=0, mount="fixed"):
    """Return a tree with random docks and angles; modules may overlap."""
    module = module_of(kind)
    body = module.body()
    free = [(0, c) for c in range(6) if c != ground]
    connections = []
    for k in range(1, n):
        a, c = free.pop(int(rng.integers(len(free))))
        used = int(rng.integers(6))
        connections.append(Connection(a, c, k, used, int(rng.integers(4))))
        free += [(k, other) for other in range(6) if other != used]
    placed = tuple(PlacedModule(f"m{k}", random_angles(body, rng)) for k in range(n))
    return Assembly("any", module, placed, tuple(connections), Ground(0, ground, mount))


def upright_chain(n, kind="superbot"):
    """Return a straight chain standing on end, b_front to a_front."""
    module = module_of(kind)
    at_zero = tuple(joint.locked or 0.0 for joint in module.body().joints)
    placed = tuple(PlacedModule(f"m{k}", at_zero) for k in range(n))
    joined = tuple(Connection(k, 3, k + 1, 0, 0) for k in range(n - 1))
    return Assembly("chain", module, placed, joined, Ground(0, 0))


def random_angles(body, rng):
    """Return joint values, none within 0.15 of a limit [rad or m]."""
    return tuple(
        rng.uniform(j.lower + 0.15, j.upper - 0.15) if j.locked is None else j.locked
        for j in body.joints
    )


def free_joints(assembly):
    """Return the rows of the joints that are not locked."""
    free = [j.locked is None for j in assembly.body.joints]
    return np.flatnonzero(np.tile(free, len(assembly.modules)))


def random_state(assembly, rng):
    """Return joint values and rates, (nm, joints) each; locked joints stay still."""
    body, nm = assembly.body, len(assembly.modules)
    q = np.array([random_angles(body, rng) for _ in range(nm)])
    v = rng.normal(size=q.shape)
    v[:, [j.locked is not None for j in body.joints]] = 0.0
    return q, v


class Engine:
    """MuJoCo's state of an assembly, by module and joint."""

    def __init__(self, assembly):
        self.assembly = assembly
        self.robot = robot_from_assembly(assembly)
        self.model = self.robot.model
        self.data = mujoco.MjData(self.model)
        names = [
            f"{m.name}_{j.name}"
            for m in assembly.modules
            for j in assembly.body.joints
            if j.locked is None
        ]
        joints = [self.model.joint(name) for name in names]
        self.q_at = np.array([j.qposadr[0] for j in joints])
        self.v_at = np.array([j.dofadr[0] for j in joints])
        self.base = self.model.body(self.robot.base).id

    def set(self, q, v, rng=None):
        """Set joints, and a random pose and velocity of a free base."""
        rows = free_joints(self.assembly)
        self.data.qpos[self.q_at] = q.ravel()[rows]
        self.data.qvel[self.v_at] = v.ravel()[rows]
        if rng is not None:
            quat = np.empty(4)
            mujoco.mju_mat2Quat(quat, random_rotation(rng).ravel())
            self.data.qpos[:7] = [*rng.normal(size=3), *quat]
            self.data.qvel[:6] = rng.normal(size=6)
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_subtreeVel(self.model, self.data)
        return self

    def body(self, module, part):
        name = self.assembly.modules[module].name
        return self.model.body(f"{name}_{self.assembly.body.parts[part]}").id

    def pose(self, body):
        """Return R row by row, p, v and w of a body in W, (18,)."""
        twist = np.empty(6)
        kind = mujoco.mjtObj.mjOBJ_XBODY
        mujoco.mj_objectVelocity(self.model, self.data, kind, body, twist, 0)
        data = self.data
        return np.r_[data.xmat[body], data.xpos[body], twist[3:], twist[:3]]

    def com_jacobian(self):
        """Return the Jacobian of the centre of mass, (3, free joints)."""
        jacobian = np.zeros((3, self.model.nv))
        mujoco.mj_jacSubtreeCom(self.model, self.data, jacobian, 0)
        return jacobian[:, self.v_at]


class Talk:
    """The modules of an assembly, ready to be run tick by tick."""

    def __init__(self, assembly, *, hop_ticks=1, loss=0.0, goal=None, rng=None):
        self.assembly = assembly
        self.net = network_of(assembly)
        self.state = empty_state(self.net)
        self.under_way = (self.state.ports,) * max(hop_ticks, 1)
        self.scratch = empty_scratch(self.net.shape)
        self.goal = goal or line_goal((0.0, 0.0))
        room = empty_ports(self.net)
        self.links = Links(hop_ticks, 0.001 * hop_ticks, loss, room)
        self.rng, self.count = rng, 0
        face = assembly.body.connectors[assembly.ground.connector].part
        X = assembly.module_poses()[assembly.ground.module]
        q = assembly.modules[assembly.ground.module].angles
        part = X @ assembly.body.part_poses(q)[face]
        self.readings = readings_by_module(assembly)
        self.base, self.skin = self.readings.base, self.readings.skin
        self.base[0].R[:], self.base[0].p[:] = part.R, part.p

    def tick(self, q, v, times=1):
        """Run every module ``times`` times and return the messages of the last."""
        sent = 0
        readings = self.readings._replace(q=np.array(q), rate=np.array(v))
        for _ in range(times):
            luck = np.ones(len(self.net.link))
            if self.rng is not None:
                luck = self.rng.random(len(luck))
            inputs = Inputs(readings, self.under_way[0], luck)
            now = next_state(self.state)
            sent = exchange(
                self.net, self.links, self.goal, inputs, self.state, self.scratch, now
            )
            self.state = now
            self.under_way = (*self.under_way[1:], now.ports)
            self.count += 1
        return sent


def frame_numbers(frames):
    """Return moving frames as R row by row, p, v and w, (n, 18)."""
    R = frames["R"].reshape(-1, 9)
    return np.column_stack([R, frames["p"], frames["v"], frames["w"]])


def put_frame(frame, numbers):
    """Write a moving frame from R row by row, p, v and w, (18,)."""
    frame.R[:], frame.p[:] = numbers[:9].reshape(3, 3), numbers[9:12]
    frame.v[:], frame.w[:] = numbers[12:15], numbers[15:]
