// The camera, and what it sees.

// ---- camera: an orbit about a point, which may go with the robot --------------------
const marks = marksOf(data);
const track = data.track === null ? null : { values: floats(data.track), width: 3 };
const floor = data.camera.floor;
let isFollowing = data.near !== null && data.follows, orbit, parts, square;
const framing = () => isFollowing ? data.near : data.camera;
const size = (data.near ?? data.camera).reach; // of marks and squares

function home() {
  const { eye, target } = framing(), d = eye.map((x, i) => x - target[i]), l = Math.hypot(...d);
  orbit = { target: [...target], azimuth: Math.atan2(d[1], d[0]), elevation: Math.asin(d[2] / l), distance: l };
}
home();

// How far the robot has gone since the start, where the camera goes with it.
function shift(at) {
  if (!isFollowing || track === null) return [0, 0, 0];
  const p = mix(track.values, 3, 0, 3, at);
  return [p[0] - track.values[0], p[1] - track.values[1], 0];
}

function eyeOf({ azimuth, elevation, distance }, target) {
  const c = Math.cos(elevation);
  return [target[0] + distance * c * Math.cos(azimuth), target[1] + distance * c * Math.sin(azimuth),
    target[2] + distance * Math.sin(elevation)];
}

function viewing(eye, target, aspect) {
  const back = unit(eye.map((x, i) => x - target[i]));
  const right = unit(cross([0, 0, 1], back)), up = cross(back, right);
  const view = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
  const near = 0.02 * orbit.distance, far = 30 * orbit.distance + 30 * framing().reach;
  // Narrow windows get a wider angle, so that the robot stays whole.
  const f = Math.min(1, aspect / data.camera.aspect) / Math.tan(framing().fov / 2);
  const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0];
  return { all: product(lens, view), right, up, back };
}

// ---- the picture ------------------------------------------------------------------
function prepare() {
  solid = program(SOLID, LIGHT);
  ground = program(FLOOR, SQUARES);
  parts = bodyParts(data, meshes);
  square = upload([-1, -1, 0, 0, 0, 1, 1, -1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1,
    -1, -1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, -1, 1, 0, 0, 0, 1]);
  prepareMarks(size);
}

function paint() {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(canvas.clientWidth * ratio)), h = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const at = frameAt(now), gone = shift(at), target = orbit.target.map((x, i) => x + gone[i]);
  const eye = eyeOf(orbit, target), look = viewing(eye, target, w / h);
  const lamp = unit([0, 1, 2].map(i => -0.55 * look.right[i] + 0.45 * look.back[i] + (i === 2 ? 1.25 : 0)));
  gl.viewport(0, 0, w, h);
  gl.clearColor(...theme.sky, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  const middle = framing().target.map((x, i) => x + gone[i]), reach = framing().reach;
  drawFloor(square, look.all, middle, floor, reach, nice(0.4 * size));
  gl.useProgram(solid.self);
  gl.uniformMatrix4fv(solid.all, false, look.all);
  gl.uniform3fv(solid.lamp, lamp);
  gl.uniform3fv(solid.eye, eye);
  const bodies = Array.from({ length: data.bodies }, (_, k) => poseOf(k, at));
  const poses = parts.map(part => product(bodies[part.body], part.local));
  drawShadows(parts, poses, lamp, floor, 1e-3 * size);
  parts.forEach((part, k) => put(part.shape, poses[k], part.rgb));
  drawMarks(marks, at, size);
}
