// Plays recorded body poses. Everything comes from the JSON block "data" of this page;
// text from it reaches the page by textContent only, and nothing is ever fetched.

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

// ---- words and chart --------------------------------------------------------------
const gapOf = p => Math.hypot(p[0] - data.line[0], p[1] - data.line[1]) / (data.width ?? 1);
const unitName = data.width === null ? "m" : "module widths";

function say() {
  $("clock").textContent = `${(now - first).toFixed(2)} / ${(last - first).toFixed(2)} s`;
  $("scrub").value = last > first ? (now - first) / (last - first) : 0;
  $("play").textContent = playing ? "Pause" : "Play";
  sayPlots();
  if (marks.com === null) return;
  const at = frameAt(now), p = mix(marks.com.values, 3, 0, 3, at);
  $("height").textContent = `${p[2].toFixed(3)} m`;
  if (data.line !== null) $("distance").textContent = `${gapOf(p).toFixed(3)} ${unitName}`;
  if (marks.forces !== null) {
    let up = 0;
    for (let f = 0; f < marks.forces.feet; f++) up += (rowOf(marks.forces, at, 6 * f, 6) ?? [0, 0, 0, 0, 0, 0])[5];
    $("load").textContent = `${up.toFixed(0)} N`;
  }
}

function drawChart() {
  const chart = $("chart"), ratio = window.devicePixelRatio || 1;
  chart.width = chart.clientWidth * ratio;
  chart.height = chart.clientHeight * ratio;
  if (marks.com === null || data.line === null || !(last > first)) return;
  const gaps = Array.from(time, (_, k) => gapOf(marks.com.values.subarray(3 * k, 3 * k + 3)));
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

function redraw() { drawChart(); plots.forEach(drawPlot); refresh(); }

function seek(t) { now = Math.min(Math.max(t, first), last); refresh(); }

function toggle() {
  playing = !playing && last > first;
  if (playing && now >= last) now = first;
  before = null;
  say();
}

function follow(isOn) {
  if (data.near === null) return;
  isFollowing = isOn;
  $("follow").setAttribute("aria-pressed", isOn);
  home();
  refresh();
}

function paintTheme(name) {
  theme = THEMES[name];
  document.documentElement.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
  redraw();
}

function showPlots(isOn) {
  document.body.classList.toggle("beside", isOn && plots.length > 0);
  $("plots").setAttribute("aria-pressed", isOn);
  redraw();
}

function dragged(event, from) {
  const dx = event.clientX - from[0], dy = event.clientY - from[1], box = canvas.clientHeight;
  if (event.buttons === 2 || event.buttons === 4 || event.shiftKey) {
    const { right, up } = viewing(eyeOf(orbit, orbit.target), orbit.target, 1);
    const s = 2 * orbit.distance * Math.tan(framing().fov / 2) / box;
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
    orbit.distance = Math.min(Math.max(orbit.distance, 0.3 * size), 40 * framing().reach);
    refresh();
  }, { passive: false });
  $("scrub").addEventListener("input", e => { playing = false; seek(first + Number(e.target.value) * (last - first)); });
  $("play").addEventListener("click", toggle);
  $("home").addEventListener("click", () => { home(); refresh(); });
  $("follow").addEventListener("click", () => follow(!isFollowing));
  $("plots").addEventListener("click", () => showPlots(!document.body.classList.contains("beside")));
  $("theme").addEventListener("click", () => paintTheme(theme === THEMES.dark ? "light" : "dark"));
  $("speed").addEventListener("change", e => { speed = Number(e.target.value); });
  for (const box of document.querySelectorAll("#facts input")) {
    box.addEventListener("change", () => { SHOWN[box.value] = box.checked; refresh(); });
  }
  window.addEventListener("keydown", e => {
    if (e.target !== document.body && e.target !== canvas) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (e.key === " ") { e.preventDefault(); toggle(); }
    else if (e.key === "r") { home(); refresh(); }
    else if (e.key === "f") follow(!isFollowing);
    else if (step) { playing = false; seek(time[Math.min(Math.max(frameAt(now)[0] + step, 0), time.length - 1)]); }
  });
  window.addEventListener("resize", redraw);
  window.addEventListener("hashchange", fromHash);
}

// "#t=1.5" shows that moment after the start, paused: a link to a moment. "&theme=dark",
// "&follow=0" and "&plots=0" go with it.
function fromHash() {
  const asked = new URLSearchParams(window.location.hash.slice(1));
  if (asked.has("theme")) paintTheme(asked.get("theme") === "dark" ? "dark" : "light");
  if (asked.has("follow")) follow(asked.get("follow") === "1");
  if (asked.has("plots")) showPlots(asked.get("plots") === "1");
  const t = Number.parseFloat(asked.get("t"));
  if (!Number.isFinite(t)) return;
  playing = false;
  seek(first + t);
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
  for (const line of data.notes) element("div", $("notes"), "", line);
  $("notes").hidden = data.notes.length === 0;
  const isThere = {
    com: marks.com !== null, line: marks.com !== null && data.line !== null, support: marks.support !== null,
    forces: marks.forces !== null, capture: marks.capture !== null, pressure: marks.pressure !== null,
    goals: marks.goals !== null, banned: marks.banned !== null,
  };
  for (const box of document.querySelectorAll("#facts input")) box.closest(".row").hidden = !isThere[box.value];
  for (const id of ["play", "track", "clock", "speed"]) $(id).hidden = time.length < 2;
  $("follow").hidden = data.near === null;
  $("plots").hidden = data.plots.length === 0;
  $("follow").setAttribute("aria-pressed", isFollowing);
  if (gl === null) { $("note").hidden = false; $("note").textContent = "This browser has no WebGL 2, which the replay needs."; return; }
  prepare();
  preparePlots($("panel"));
  listen();
  showPlots(plots.length > 0 && window.innerWidth >= 760);
  paintTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  fromHash();
  document.body.dataset.ready = `${Math.round(performance.now())} ms`;
  window.requestAnimationFrame(tick);
}
start();
