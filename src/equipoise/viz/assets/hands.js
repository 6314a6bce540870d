// What hands can do: turn, shift and zoom, play, choose, ask for help, share a moment.

function refresh() { paint(); say(); }

function redraw() { drawChart(); plots.forEach(drawPlot); refresh(); }

function seek(t) { now = Math.min(Math.max(t, first), last); refresh(); }

function pauseAt(t) { playing = false; seek(t); }

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
const otherTheme = () => theme === THEMES.dark ? "light" : "dark";

function showPlots(isOn) {
  const isThere = isOn && plots.length > 0;
  document.body.classList.toggle("beside", isThere);
  $("plots").setAttribute("aria-pressed", isThere);
  redraw();
}
const hasPlots = () => document.body.classList.contains("beside");

function showHelp(isOn) {
  $("help").hidden = !isOn;
  $("ask").setAttribute("aria-pressed", isOn);
}

function changeSpeed(step) {
  const choice = $("speed"), k = Math.min(Math.max(choice.selectedIndex + step, 0), choice.options.length - 1);
  choice.selectedIndex = k;
  speed = Number(choice.value);
}

// ---- camera by mouse, finger and wheel ---------------------------------------------
function turn(dx, dy) {
  orbit.azimuth -= 5 * dx / canvas.clientHeight;
  orbit.elevation = Math.min(Math.max(orbit.elevation + 5 * dy / canvas.clientHeight, -0.2), 1.55);
}

function shiftView(dx, dy) {
  const { right, up } = viewing(eyeOf(orbit, orbit.target), orbit.target, 1);
  const s = 2 * orbit.distance * Math.tan(framing().fov / 2) / canvas.clientHeight;
  orbit.target = orbit.target.map((x, i) => x + s * (dy * up[i] - dx * right[i]));
}

function zoom(factor) {
  orbit.distance = Math.min(Math.max(orbit.distance * factor, 0.3 * size), 40 * framing().reach);
}

// One finger turns; two shift by their middle and zoom by how far they are apart.
const fingers = new Map();
const middleOf = () => {
  const all = [...fingers.values()], n = all.length;
  const middle = [0, 1].map(i => all.reduce((sum, p) => sum + p[i], 0) / n);
  return { middle, apart: n < 2 ? 0 : Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) };
};

function moved(event) {
  if (!fingers.has(event.pointerId)) return;
  const was = middleOf();
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const is = middleOf(), dx = is.middle[0] - was.middle[0], dy = is.middle[1] - was.middle[1];
  if (fingers.size > 1) {
    shiftView(dx, dy);
    if (was.apart > 0 && is.apart > 0) zoom(was.apart / is.apart);
  } else if (event.buttons === 2 || event.buttons === 4 || event.shiftKey) shiftView(dx, dy);
  else turn(dx, dy);
  refresh();
}

function listenToCamera() {
  canvas.addEventListener("pointerdown", e => {
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, [e.clientX, e.clientY]);
  });
  canvas.addEventListener("pointermove", moved);
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, e => fingers.delete(e.pointerId));
  canvas.addEventListener("contextmenu", e => e.preventDefault());
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    zoom(Math.exp(Math.min(Math.max(e.deltaY, -200), 200) * 1e-3));
    refresh();
  }, { passive: false });
}

// ---- keys -------------------------------------------------------------------------
const nearFrame = step => time[Math.min(Math.max(frameAt(now)[0] + step, 0), time.length - 1)];
const KEYS = {
  " ": toggle,
  ArrowLeft: e => pauseAt(nearFrame(e.shiftKey ? -10 : -1)),
  ArrowRight: e => pauseAt(nearFrame(e.shiftKey ? 10 : 1)),
  Home: () => pauseAt(first),
  End: () => pauseAt(last),
  f: () => follow(!isFollowing),
  p: () => showPlots(!hasPlots()),
  d: () => paintTheme(otherTheme()),
  r: () => { home(); refresh(); },
  l: share,
  "[": () => changeSpeed(-1),
  "]": () => changeSpeed(1),
  "+": () => { zoom(0.85); refresh(); },
  "=": () => { zoom(0.85); refresh(); },
  "-": () => { zoom(1 / 0.85); refresh(); },
  "?": () => showHelp($("help").hidden),
  Escape: () => showHelp(false),
};

function pressed(e) {
  const does = KEYS[e.key], on = e.target.tagName;
  if (does === undefined || e.ctrlKey || e.metaKey || e.altKey || on === "SELECT") return;
  const isTheirs = on === "INPUT" ? /^( |Arrow|Home|End)/ : on === "BUTTON" || on === "SUMMARY" ? /^ / : null;
  if (isTheirs !== null && isTheirs.test(e.key)) return;
  e.preventDefault();
  does(e);
}

// ---- a link to a moment -----------------------------------------------------------
// "#t=1.5" shows that moment after the start, paused. "&theme=dark", "&follow=0" and
// "&plots=0" go with it.
function fromHash() {
  const asked = new URLSearchParams(window.location.hash.slice(1));
  if (asked.has("theme")) paintTheme(asked.get("theme") === "dark" ? "dark" : "light");
  if (asked.has("follow")) follow(asked.get("follow") === "1");
  if (asked.has("plots")) showPlots(asked.get("plots") === "1");
  const t = Number.parseFloat(asked.get("t"));
  if (Number.isFinite(t)) pauseAt(first + t);
}

function linkTo(t) {
  const parts = [`t=${(t - first).toFixed(3)}`];
  if (data.near !== null && isFollowing !== data.follows) parts.push(`follow=${isFollowing ? 1 : 0}`);
  return `${window.location.href.split("#")[0]}#${parts.join("&")}`;
}

let fading = 0;
function tell(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  window.clearTimeout(fading);
  fading = window.setTimeout(() => { $("toast").hidden = true; }, 4000);
}

// Where a browser forbids the clipboard, the link stands in the address line.
function share() {
  const link = linkTo(now), said = `Link to ${(now - first).toFixed(2)} s copied`;
  playing = false;
  say();
  window.history.replaceState(null, "", link);
  const byHand = () => tell("The link is in the address line; copy it there");
  if (navigator.clipboard === undefined) byHand();
  else navigator.clipboard.writeText(link).then(() => tell(said), byHand);
}

function listen() {
  listenToCamera();
  $("scrub").addEventListener("input", e => pauseAt(first + Number(e.target.value) * (last - first)));
  $("play").addEventListener("click", toggle);
  $("home").addEventListener("click", () => { home(); refresh(); });
  $("follow").addEventListener("click", () => follow(!isFollowing));
  $("plots").addEventListener("click", () => showPlots(!hasPlots()));
  $("theme").addEventListener("click", () => paintTheme(otherTheme()));
  $("link").addEventListener("click", share);
  $("ask").addEventListener("click", () => showHelp($("help").hidden));
  $("shut").addEventListener("click", () => showHelp(false));
  $("speed").addEventListener("change", e => { speed = Number(e.target.value); });
  for (const box of document.querySelectorAll("#facts input")) {
    box.addEventListener("change", () => { SHOWN[box.value] = box.checked; refresh(); });
  }
  window.addEventListener("keydown", pressed);
  window.addEventListener("resize", redraw);
  window.addEventListener("hashchange", fromHash);
}
