"""What is seen on a live page: a model's bodies, its ground, and marks over it.

All hangs on one node, which is moved against the robot's way where the camera follows
it: a viewer's own turning of the camera is then never interfered with.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.robots.visuals.linkage import linkages_of
from equipoise.viz.camera import Camera
from equipoise.viz.live.bodies import BodyMesh, body_meshes
from equipoise.viz.live.server import LiveServer
from equipoise.viz.shapes import data_in_pose, is_plane, is_visible

__all__ = ["BodyClick", "LiveScene"]

ROOT = "/world"
CELL, SECTION = 0.5, 1.0  # of the floor's grid [m]
FLOOR_HALF = 60.0  # of the floor that is seen [m]
LINES, BOLD = (214, 216, 219), (190, 193, 198)
WIDE, NARROW = 1.5, 1.1
"""Width over height of a page: the usual one's, and below which it is a phone's."""
BACK = 1.35  # how much farther the eye goes than it must
ASIDE, BELOW = 0.14, 0.1  # of its distance, to where the panel is
SEE_THROUGH = 0.999  # opacity from which a mesh is drawn as solid


@final
@dataclass(frozen=True)
class BodyClick:
    """A body that was clicked on."""

    body: int
    """Of the model for pictures."""
    origin: Vec3 = field(repr=False)
    """Where the viewer's eye is, in W [m]."""
    way: Vec3 = field(repr=False)
    """Where it looks, a unit vector in W."""


@final
class LiveScene:
    """A model on a page.

    Args:
        server: that shows it.
        model: compiled for pictures, see ``robots.visuals.picture``.
        camera: first view of every page.
        ground: height of a level floor, where the model has no plane of its own [m].
    """

    def __init__(
        self,
        server: LiveServer,
        model: mujoco.MjModel,
        camera: Camera,
        ground: float = 0.0,
    ) -> None:
        self.server, self.model = server, model
        self.data, self.links = mujoco.MjData(model), linkages_of(model)
        self.scene: Any = server.viser.scene
        self.shift = np.zeros(3)
        """By which all is moved, so that the camera goes with the robot [m]."""
        self.root = self.scene.add_frame(ROOT, show_axes=False)
        self.floor = self.add_floor(ground)
        meshes = body_meshes(model)
        self.moving = sorted({m.body for m in meshes if not is_still(model, m.body)})
        self.frames: dict[int, Any] = {}
        self.clickable: list[tuple[int, Any]] = []
        for k, mesh in enumerate(meshes):
            self.add_mesh(k, mesh)
        self.camera = camera
        first = server.viser.initial_camera
        first.position, first.look_at = camera_framing(camera, WIDE)
        first.fov, first.up = float(np.radians(camera.fov_deg)), (0.0, 0.0, 1.0)
        server.viser.on_client_connect(self.frame_narrow)

    def frame_narrow(self, client: Any) -> None:
        """Give a page that is higher than wide, as a phone's, a view of its own."""
        wide, _ = camera_framing(self.camera, WIDE)

        def reframe(camera: Any) -> None:
            aspect = float(camera.aspect)
            if aspect < NARROW and np.allclose(camera.position, wide, atol=1e-3):
                with client.atomic():
                    camera.position, camera.look_at = camera_framing(
                        self.camera, aspect
                    )

        client.camera.on_update(reframe)  # whenever it comes to the first view

    def light(self, is_rich: bool) -> None:
        """Choose the light.

        Args:
            is_rich: soft and with shadows, for a graphics card; else plain, which a
                processor draws thirty times as fast.
        """
        self.scene.configure_default_lights(cast_shadow=is_rich)
        self.scene.configure_environment_map("warehouse" if is_rich else None)
        self.scene.add_light_ambient(
            f"{ROOT}/light", intensity=1.6, visible=not is_rich
        )

    def add_floor(self, ground: float) -> Any:
        """Add a grid where the model's ground is, on its slope."""
        model = self.model
        planes = np.flatnonzero(is_plane(model) & is_visible(model))
        place, quat = np.array([0.0, 0.0, ground]), np.array([1.0, 0.0, 0.0, 0.0])
        if len(planes):
            data = data_in_pose(model, model.qpos0)
            place = data.geom_xpos[planes[0]].copy()
            mujoco.mju_mat2Quat(quat, data.geom_xmat[planes[0]])
        self.floor_place, self.floor_quat = place, quat
        return self.scene.add_grid(
            f"{ROOT}/floor",
            width=2.0 * FLOOR_HALF,
            height=2.0 * FLOOR_HALF,
            cell_size=CELL,
            section_size=SECTION,
            cell_color=LINES,
            section_color=BOLD,
            fade_distance=22.0,
            fade_from="camera",
            shadow_opacity=0.2,
            wxyz=quat,
            position=place,
        )

    def add_mesh(self, k: int, mesh: BodyMesh) -> None:
        """Add a mesh, on its body's own node if that moves."""
        parent = ROOT
        if mesh.body in self.moving:
            parent = f"{ROOT}/body{mesh.body}"
            if mesh.body not in self.frames:
                node = self.scene.add_frame(parent, show_axes=False)
                self.frames[mesh.body] = node
        added = self.scene.add_mesh_simple(
            f"{parent}/shape{k}",
            mesh.vertices,
            mesh.faces,
            color=mesh.rgb,
            opacity=None if mesh.opacity > SEE_THROUGH else mesh.opacity,
            side="double",
        )
        if mesh.body in self.moving:
            self.clickable.append((mesh.body, added))

    def on_click(self, then: Callable[[BodyClick], None]) -> None:
        """Have something called when a viewer clicks on a body that moves.

        Args:
            then: called in a thread of the server.
        """
        for body, node in self.clickable:
            node.on_click(self.click_on(body, then))

    def click_on(self, body: int, then: Callable[[BodyClick], None]) -> Any:
        """Return what is called with a click on a body."""

        def clicked(event: Any) -> None:
            origin, way = np.array(event.ray_origin), np.array(event.ray_direction)
            then(BodyClick(body, origin - self.shift, way / np.linalg.norm(way)))

        return clicked

    def pose(self, qpos: Array) -> None:
        """Put all bodies where they are in a pose; call it within ``atomic``.

        Args:
            qpos: of the model, (nq,).
        """
        data = self.data
        data.qpos[:] = qpos
        mujoco.mj_kinematics(self.model, data)
        self.links.place(self.model, data)
        for body, node in self.frames.items():
            node.position, node.wxyz = data.xpos[body], data.xquat[body]

    def follow(self, place: Vec3 | None) -> None:
        """Bring a place to the middle; call it within ``atomic``.

        Args:
            place: in W, of which the height does not count [m]; None to stay.
        """
        if place is None:
            return
        self.shift[:2] = -place[:2]
        self.root.position = self.shift
        # The grid stays near: it goes along by whole cells, which nobody sees.
        along = np.zeros(3)
        along[:2] = SECTION * np.round(place[:2] / SECTION)
        turned = np.zeros(3)
        up = np.zeros(3)
        mujoco.mju_rotVecQuat(up, np.array([0.0, 0.0, 1.0]), self.floor_quat)
        turned[2] = -float(up[:2] @ along[:2]) / up[2]  # on its slope
        self.floor.position = self.floor_place + along + turned


def camera_framing(camera: Camera, aspect: float) -> tuple[Vec3, Vec3]:
    """Return where to look from and at, so that the panel hides little of the robot.

    Args:
        camera: that sees the robot in a wide picture.
        aspect: width over height of the page.
    """
    eye, target = np.array(camera.eye), np.array(camera.target)
    away = BACK * (eye - target) * max(1.0, WIDE / aspect if aspect < NARROW else 1.0)
    aside = np.zeros(3)
    if aspect >= NARROW:  # the panel is at the right
        aside = ASIDE * float(np.linalg.norm(away)) * camera.R_WE[:, 0]
    else:  # or below
        aside[2] = -BELOW * float(np.linalg.norm(away))
    return target + away + aside, target + aside


def is_still(model: mujoco.MjModel, body: int) -> bool:
    """Return whether a body never moves."""
    is_placed = int(model.body_mocapid[model.body_rootid[body]]) >= 0
    return int(model.body_weldid[body]) == 0 and not is_placed
