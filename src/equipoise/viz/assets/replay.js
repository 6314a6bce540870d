// Plays recorded body poses. Everything comes from the JSON block "data" of this page;
// text from it reaches the page by textContent only, and nothing is ever fetched.

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
  if (marks.margin !== null) {
    const inside = rowOf(marks.margin, at, 0, 1);
    $("margin").textContent = inside === null ? "" : `, margin ${(1000 * inside[0]).toFixed(0)} mm`;
    $("margin").classList.toggle("outside", inside !== null && inside[0] < 0);
  }
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
  pen.strokeStyle = PALETTE[1];
  pen.stroke();
}

// ---- from here on it plays --------------------------------------------------------
const NARROW = 760; // of a window, below which plots are below the picture [pixels]
const LOW = 500; // below which the list of marks is folded at first [pixels]
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
    goals: marks.goals !== null, banned: marks.banned !== null, push: marks.push !== null,
  };
  for (const box of document.querySelectorAll("#facts input")) box.closest(".row").hidden = !isThere[box.value];
  for (const id of ["play", "track", "clock", "speed"]) $(id).hidden = time.length < 2;
  $("link").hidden = time.length < 2;
  $("lamp").hidden = data.verdict === null;
  if (data.verdict !== null) { $("lamp").className = data.verdict; $("outcome").textContent = data.outcome; }
  $("track").classList.toggle("plain", marks.com === null || data.line === null);
  $("facts").open = window.innerWidth >= NARROW && window.innerHeight >= LOW;
  $("follow").hidden = data.near === null;
  $("plots").hidden = data.plots.length === 0;
  $("follow").setAttribute("aria-pressed", isFollowing);
  if (gl === null) { $("note").hidden = false; $("note").textContent = "This browser has no WebGL 2, which the replay needs."; return; }
  prepare();
  preparePlots($("panel"));
  listen();
  showPlots(plots.length > 0);
  paintTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  fromHash();
  document.body.dataset.ready = `${Math.round(performance.now())} ms`;
  window.requestAnimationFrame(tick);
}
start();
