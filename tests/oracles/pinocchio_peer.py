"""The same robot in Pinocchio, and states carried to its layout and back.

Pinocchio writes quaternions x, y, z, w and a floating body's velocity in B.
"""

import numpy as np

from equipoise.spatial.rotations import matrix_from_quat


class Peer:
    """A Pinocchio model whose joints have the names of a robot's joints."""

    def __init__(self, pin, model, robot_model):
        self.pin, self.model, self.robot = pin, model, robot_model
        self.data = model.createData()
        m = robot_model
        self.joints = []  # per joint: is it free, addresses here and there
        for j in range(m.njnt):
            free = int(m.jnt_type[j]) == 0
            there = 1 if free else model.getJointId(m.jnt(j).name)
            assert there < model.njoints, m.jnt(j).name
            at = (int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j]))
            other = model.joints[there]
            self.joints.append((free, at, (other.idx_q, other.idx_v)))

    def q(self, qpos):
        found = np.zeros(self.model.nq)
        for free, (a, _), (b, _) in self.joints:
            if free:
                w, x, y, z = qpos[a + 3 : a + 7]
                found[b : b + 7] = [*qpos[a : a + 3], x, y, z, w]
            else:
                found[b] = qpos[a]
        return found

    def along(self, qpos, values):
        """Return a velocity, acceleration or force: linear parts from W to B."""
        found = np.zeros(self.model.nv)
        for free, (at, a), (_, b) in self.joints:
            if free:
                R = matrix_from_quat(qpos[at + 3 : at + 7])
                found[b : b + 3] = R.T @ values[a : a + 3]
                found[b + 3 : b + 6] = values[a + 3 : a + 6]
            else:
                found[b] = values[a]
        return found

    def forward_dynamics(self, qpos, v, tau):
        """Return ``aba`` in MuJoCo's layout."""
        q, u = self.q(qpos), self.along(qpos, v)
        force = self.along(qpos, tau)
        a = self.pin.aba(self.model, self.data, q, u, force)
        found = np.zeros(self.robot.nv)
        for free, (at, to), (_, b) in self.joints:
            if free:
                R = matrix_from_quat(qpos[at + 3 : at + 7])
                turning = np.cross(u[b + 3 : b + 6], u[b : b + 3])
                found[to : to + 3] = R @ (a[b : b + 3] + turning)
                found[to + 3 : to + 6] = a[b + 3 : b + 6]
            else:
                found[to] = a[b]
        return found


def peer_of(pin, model):
    """Return a compiled robot of hinges and at most one free joint in Pinocchio."""
    peer = pin.Model()
    homes = {0: (0, pin.SE3.Identity())}
    for body in range(1, model.nbody):
        parent, X = homes[int(model.body_parentid[body])]
        quat = matrix_from_quat(model.body_quat[body])
        X = X * pin.SE3(quat, np.array(model.body_pos[body]))
        first = int(model.body_jntadr[body])
        for j in range(first, first + int(model.body_jntnum[body])):
            name = model.jnt(j).name
            if model.jnt_type[j] == 0:
                kind = pin.JointModelFreeFlyer()
                X = pin.SE3.Identity()
            else:
                assert model.jnt_type[j] == 3
                kind = pin.JointModelRevoluteUnaligned(np.array(model.jnt_axis[j]))
            anchor = pin.SE3(np.eye(3), np.array(model.jnt_pos[j]))
            parent = peer.addJoint(parent, kind, X * anchor, name)
            dof = int(model.jnt_dofadr[j])
            at = peer.joints[parent].idx_v
            for k in range(peer.joints[parent].nv):
                peer.armature[at + k] = model.dof_armature[dof + k]
            X = anchor.inverse()
        homes[body] = (parent, X)
        R = matrix_from_quat(model.body_iquat[body])
        inertia = R @ np.diag(model.body_inertia[body]) @ R.T
        own = pin.Inertia(
            float(model.body_mass[body]), np.array(model.body_ipos[body]), inertia
        )
        if parent:
            peer.appendBodyToJoint(parent, own, X)
    peer.gravity.linear = np.array(model.opt.gravity)
    return Peer(pin, peer, model)
