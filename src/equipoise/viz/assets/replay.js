// Plays recorded body poses. Everything comes from the JSON block "data" of this page;
// text from it reaches the page by textContent only, and nothing is ever fetched.
"use strict";

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const floats = text => new Float32Array(bytes(text));
const time = floats(data.time), poses = floats(data.poses);
const com = data.com === null ? null : floats(data.com);
const meshes = data.meshes.map(m => ({ vertices: floats(m.vertices), faces: new Uint32Array(bytes(m.faces)) }));
const BLUE = [0, 0.447, 0.698], VERMILION = [0.835, 0.369, 0];
const reach = data.camera.reach, floor = data.camera.ground;

// ---- time -------------------------------------------------------------------------
const first = time[0], last = time[time.length - 1], HOLD = 0.8; // [s] rest at the end
let now = first, playing = time.length > 1, speed = 1, before = null;

function frameAt(t) {
  let k = 0, high = time.length - 1;
  while (k < high) {
    const middle = (k + high + 1) >> 1;
    if (time[middle] <= t) k = middle; else high = middle - 1;
  }
  const next = Math.min(k + 1, time.length - 1), step = time[next] - time[k];
  return [k, next, step > 0 ? Math.min(Math.max((t - time[k]) / step, 0), 1) : 0];
}

function mix(array, width, column, n, [k, next, s]) {
  const out = new Array(n);
  for (let i = 0; i < n; i++) {
    out[i] = (1 - s) * array[k * width + column + i] + s * array[next * width + column + i];
  }
  return out;
}

function poseOf(body, at) {
  const width = 7 * data.bodies, [k, next, s] = at, c = 7 * body;
  const p = mix(poses, width, c, 3, at);
  let dot = 0;
  for (let i = 3; i < 7; i++) dot += poses[k * width + c + i] * poses[next * width + c + i];
  const q = [3, 4, 5, 6].map(i => (1 - s) * poses[k * width + c + i]
    + (dot < 0 ? -s : s) * poses[next * width + c + i]);
  return matrix(p, q);
}

// ---- small matrices, column by column ---------------------------------------------
function matrix(p, quaternion) {
  const l = Math.hypot(...quaternion) || 1, [w, x, y, z] = quaternion.map(v => v / l);
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0, p[0], p[1], p[2], 1];
}
function product(a, b) {
  const out = new Array(16).fill(0);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) {
    out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  }
  return out;
}
const unit = v => { const l = Math.hypot(...v) || 1; return v.map(x => x / l); };
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const turned = (m, v) => [0, 1, 2].map(r => m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2]);

// ---- camera: an orbit about a point -----------------------------------------------
let orbit;
function home() {
  const { eye, target } = data.camera, d = eye.map((x, i) => x - target[i]), l = Math.hypot(...d);
  orbit = { target: [...target], azimuth: Math.atan2(d[1], d[0]), elevation: Math.asin(d[2] / l), distance: l };
}
home();

function eyeOf({ target, azimuth, elevation, distance }) {
  const c = Math.cos(elevation);
  return [target[0] + distance * c * Math.cos(azimuth), target[1] + distance * c * Math.sin(azimuth),
    target[2] + distance * Math.sin(elevation)];
}

function viewing(eye, target, aspect) {
  const back = unit(eye.map((x, i) => x - target[i]));
  const right = unit(cross([0, 0, 1], back)), up = cross(back, right);
  const view = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
  const near = 0.02 * orbit.distance, far = 30 * orbit.distance + 30 * reach;
  // Narrow windows get a wider angle, so that the robot stays whole.
  const f = Math.min(1, aspect / data.camera.aspect) / Math.tan(data.camera.fov / 2);
  const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
    0, 0, 2 * far * near / (near - far), 0];
  return { all: product(lens, view), right, up, back };
}

// ---- drawing ----------------------------------------------------------------------
const canvas = $("view");
const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true, preserveDrawingBuffer: true });

function fail(text) { $("note").hidden = false; $("note").textContent = text; }

function program(vertex, fragment) {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\nprecision highp float;\n" + text);
    gl.compileShader(s);
    gl.attachShader(p, s);
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
  return new Proxy(p, { get: (t, name) => name === "self" ? t : gl.getUniformLocation(t, name) });
}

const SOLID = `layout(location=0) in vec3 p; layout(location=1) in vec3 n; layout(location=2) in vec3 c;
  uniform mat4 all, body; out vec3 normal, colour, at;
  void main() { vec4 w = body * vec4(p, 1.); at = w.xyz; normal = mat3(body) * n; colour = c; gl_Position = all * w; }`;
const LIGHT = `in vec3 normal, colour, at; uniform vec3 lamp, eye; uniform vec4 tint; out vec4 o;
  void main() { if (tint.a > 0.) { o = tint; return; }
    vec3 m = normalize(normal), v = normalize(eye - at); if (dot(m, v) < 0.) m = -m;
    o = vec4(colour * min(.42 + .1 * m.z + .18 * max(dot(m, v), 0.) + .5 * max(dot(m, lamp), 0.), 1.05), 1.); }`;
const FLOOR = `layout(location=0) in vec3 p; uniform mat4 all, body; out vec2 at;
  void main() { vec4 w = body * vec4(p, 1.); at = w.xy; gl_Position = all * w; }`;
const SQUARES = `in vec2 at; uniform vec2 middle; uniform float reach, side; out vec4 o;
  void main() { vec2 q = at / side, e = fwidth(q) * .7 + 1e-6, s = 2. * abs(fract(q * .5) * 2. - 1.) - 1.;
    vec2 k = clamp(s / (2. * e) , -1., 1.); float odd = .5 - .5 * k.x * k.y;
    float far = smoothstep(.9, 3.2, distance(at, middle) / reach);
    o = vec4(vec3(mix(mix(.97, .92, odd), 1., far)), 1.); }`;

function upload(corners, colour) {
  const n = corners.length / 6, all = new Float32Array(9 * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < 6; i++) all[9 * k + i] = corners[6 * k + i];
    for (let i = 0; i < 3; i++) all[9 * k + 6 + i] = Array.isArray(colour) ? colour[i] : colour(k)[i];
  }
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, all, gl.STATIC_DRAW);
  for (const i of [0, 1, 2]) {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 36, 12 * i);
  }
  return { vao, n };
}

// One set of triangles per body: its geoms, moved to where they sit on the body.
function bodyParts() {
  const corners = Array.from({ length: data.bodies }, () => []), colours = corners.map(() => []);
  for (const geom of data.geoms) {
    const m = matrix(geom.pos, geom.quat), t = triangles(geom, meshes);
    for (let k = 0; k < t.length; k += 6) {
      const p = turned(m, t.slice(k, k + 3)), n = turned(m, t.slice(k + 3, k + 6));
      corners[geom.body].push(p[0] + m[12], p[1] + m[13], p[2] + m[14], ...n);
      colours[geom.body].push(geom.rgb);
    }
  }
  return corners.map((c, k) => upload(c, i => colours[k][i]));
}

function dashes(height, radius) {
  const out = [], n = 24, step = height / n;
  for (let k = 0; k < n; k++) {
    const c = triangles({ type: "cylinder", size: [radius, 0.31 * step, 0] }, meshes);
    for (let i = 0; i < c.length; i += 6) c[i + 2] += (k + 0.5) * step;
    out.push(...c);
  }
  return out;
}

const nice = x => { const u = 10 ** Math.floor(Math.log10(x)); return u * [5, 2, 1].find(k => k * u <= x); };
const placed = (p, s = 1) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, ...p, 1];
let solid, ground, parts, ball, line, square;

function prepare() {
  solid = program(SOLID, LIGHT);
  ground = program(FLOOR, SQUARES);
  parts = bodyParts();
  ball = upload(triangles({ type: "sphere", size: [0.032 * reach, 0, 0] }, meshes), VERMILION);
  line = upload(dashes(data.line_height, 0.006 * reach), BLUE);
  square = upload([-1, -1, 0, 0, 0, 1, 1, -1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1,
    -1, -1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, -1, 1, 0, 0, 0, 1], [1, 1, 1]);
}

function put(shape, body, tint = [0, 0, 0, 0]) {
  gl.uniformMatrix4fv(solid.body, false, body);
  gl.uniform4fv(solid.tint, tint);
  gl.bindVertexArray(shape.vao);
  gl.drawArrays(gl.TRIANGLES, 0, shape.n);
}

function drawFloor(all) {
  gl.useProgram(ground.self);
  gl.uniformMatrix4fv(ground.all, false, all);
  gl.uniformMatrix4fv(ground.body, false, placed([data.camera.target[0], data.camera.target[1], floor], 4 * reach));
  gl.uniform2f(ground.middle, data.camera.target[0], data.camera.target[1]);
  gl.uniform1f(ground.reach, reach);
  gl.uniform1f(ground.side, nice(0.4 * reach));
  gl.bindVertexArray(square.vao);
  gl.drawArrays(gl.TRIANGLES, 0, square.n);
}

// Shadows: all bodies flattened onto the floor along the light, each pixel darkened once.
function drawShadows(poses, lamp) {
  const flat = [1, 0, 0, 0, 0, 1, 0, 0, -lamp[0] / lamp[2], -lamp[1] / lamp[2], 0, 0,
    floor * lamp[0] / lamp[2], floor * lamp[1] / lamp[2], floor + 1e-3 * reach, 1];
  gl.enable(gl.STENCIL_TEST);
  gl.stencilFunc(gl.EQUAL, 0, 255);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  poses.forEach((pose, k) => put(parts[k], product(flat, pose), [0, 0, 0, 0.17]));
  gl.depthMask(true);
  gl.disable(gl.STENCIL_TEST);
  gl.disable(gl.BLEND);
}

// A mark is drawn in full where it is in front, palely where the robot hides it.
function drawMark(shape, body, colour, isLit) {
  gl.depthMask(false);
  gl.enable(gl.BLEND);
  gl.depthFunc(gl.GREATER);
  put(shape, body, [...colour, 0.65]);
  gl.disable(gl.BLEND);
  gl.depthMask(true);
  gl.depthFunc(gl.LEQUAL);
  put(shape, body, isLit ? undefined : [...colour, 1]);
}

function paint() {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(canvas.clientWidth * ratio)), h = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const at = frameAt(now), eye = eyeOf(orbit), look = viewing(eye, orbit.target, w / h);
  const lamp = unit([0, 1, 2].map(i => -0.55 * look.right[i] + 0.45 * look.back[i] + (i === 2 ? 1.25 : 0)));
  gl.viewport(0, 0, w, h);
  gl.clearColor(1, 1, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  drawFloor(look.all);
  gl.useProgram(solid.self);
  gl.uniformMatrix4fv(solid.all, false, look.all);
  gl.uniform3fv(solid.lamp, lamp);
  gl.uniform3fv(solid.eye, eye);
  const bodies = parts.map((_, k) => poseOf(k, at));
  drawShadows(bodies, lamp);
  bodies.forEach((pose, k) => put(parts[k], pose));
  if (data.line !== null) drawMark(line, placed(data.line), BLUE, false);
  if (com !== null) drawMark(ball, placed(mix(com, 3, 0, 3, at)), VERMILION, true);
}

// ---- words and chart --------------------------------------------------------------
const gapOf = p => Math.hypot(p[0] - data.line[0], p[1] - data.line[1]) / (data.width ?? 1);
const unitName = data.width === null ? "m" : "module widths";

function say() {
  $("clock").textContent = `${(now - first).toFixed(2)} / ${(last - first).toFixed(2)} s`;
  $("scrub").value = last > first ? (now - first) / (last - first) : 0;
  $("play").textContent = playing ? "Pause" : "Play";
  if (com === null) return;
  const p = mix(com, 3, 0, 3, frameAt(now));
  $("height").textContent = `${p[2].toFixed(3)} m`;
  if (data.line !== null) $("distance").textContent = `${gapOf(p).toFixed(3)} ${unitName}`;
}

function drawChart() {
  const chart = $("chart"), ratio = window.devicePixelRatio || 1;
  chart.width = chart.clientWidth * ratio;
  chart.height = chart.clientHeight * ratio;
  if (com === null || data.line === null || !(last > first)) return;
  const gaps = Array.from(time, (_, k) => gapOf(com.subarray(3 * k, 3 * k + 3)));
  const most = Math.max(...gaps, 1e-9), pen = chart.getContext("2d");
  pen.beginPath();
  gaps.forEach((g, k) => pen.lineTo((time[k] - first) / (last - first) * chart.width,
    (1 - 0.9 * g / most) * (chart.height - 2) + 1));
  pen.lineWidth = 1.5 * ratio;
  pen.strokeStyle = "#d55e00";
  pen.stroke();
}

// ---- hands ------------------------------------------------------------------------
function refresh() { paint(); say(); }

function seek(t) { now = Math.min(Math.max(t, first), last); refresh(); }

function toggle() {
  playing = !playing && last > first;
  if (playing && now >= last) now = first;
  before = null;
  say();
}

function dragged(event, from) {
  const dx = event.clientX - from[0], dy = event.clientY - from[1], box = canvas.clientHeight;
  if (event.buttons === 2 || event.buttons === 4 || event.shiftKey) {
    const { right, up } = viewing(eyeOf(orbit), orbit.target, 1), s = 2 * orbit.distance * Math.tan(data.camera.fov / 2) / box;
    orbit.target = orbit.target.map((x, i) => x + s * (dy * up[i] - dx * right[i]));
  } else {
    orbit.azimuth -= 5 * dx / box;
    orbit.elevation = Math.min(Math.max(orbit.elevation + 5 * dy / box, -0.2), 1.55);
  }
}

function listen() {
  let from = null;
  canvas.addEventListener("pointerdown", e => { from = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", e => {
    if (from === null) return;
    dragged(e, from);
    from = [e.clientX, e.clientY];
    refresh();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { from = null; });
  canvas.addEventListener("contextmenu", e => e.preventDefault());
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    orbit.distance *= Math.exp(Math.min(Math.max(e.deltaY, -200), 200) * 1e-3);
    orbit.distance = Math.min(Math.max(orbit.distance, 0.3 * reach), 40 * reach);
    refresh();
  }, { passive: false });
  $("scrub").addEventListener("input", e => { playing = false; seek(first + Number(e.target.value) * (last - first)); });
  $("play").addEventListener("click", toggle);
  $("home").addEventListener("click", () => { home(); refresh(); });
  $("speed").addEventListener("change", e => { speed = Number(e.target.value); });
  window.addEventListener("keydown", e => {
    if (e.target !== document.body && e.target !== canvas) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (e.key === " ") { e.preventDefault(); toggle(); }
    else if (e.key === "r") { home(); refresh(); }
    else if (step) { playing = false; seek(time[Math.min(Math.max(frameAt(now)[0] + step, 0), time.length - 1)]); }
  });
  window.addEventListener("resize", () => { drawChart(); refresh(); });
  window.addEventListener("hashchange", fromHash);
}

// "#t=1.5" shows that moment after the start, paused: a link to a moment.
function fromHash() {
  const t = /^#t=([0-9.]+)$/.exec(window.location.hash);
  if (t === null) return;
  playing = false;
  seek(first + Number(t[1]));
}

let rest = 0;
function tick(stamp) {
  if (playing) {
    const passed = before === null ? 0 : Math.min((stamp - before) / 1000, 0.25);
    before = stamp;
    if (now < last) now = Math.min(now + speed * passed, last);
    else if ((rest += passed) > HOLD) { rest = 0; now = first; }
    refresh();
  } else before = null;
  window.requestAnimationFrame(tick);
}

function start() {
  $("title").textContent = data.title;
  $("mass").hidden = com === null;
  $("gap").hidden = com === null || data.line === null;
  if (gl === null) { fail("This browser has no WebGL 2, which the replay needs."); return; }
  prepare();
  listen();
  drawChart();
  refresh();
  fromHash();
  document.body.dataset.ready = `${Math.round(performance.now())} ms`;
  window.requestAnimationFrame(tick);
}
start();
