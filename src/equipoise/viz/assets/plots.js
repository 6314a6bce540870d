// Signals over time beside the picture. Lines are drawn once; the cursor is an element
// of its own that moves. Names reach the page by textContent and fillText only.

const INK = [...PALETTE.slice(0, -1), "#999999"]; // black is not seen on a dark page

function plotsOf(data) {
  return data.plots.map(plot => ({
    ...plot, lines: plot.lines.map((line, k) => ({ name: line.name, values: floats(line.values), colour: line.colour || INK[k % INK.length] })),
  }));
}

function element(kind, parent, name = "", text = "") {
  const made = document.createElement(kind);
  if (name) made.className = name;
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

// Round steps: 1, 2 or 5 times a power of ten, three to six of them.
function ticks(low, high) {
  const raw = (high - low) / 4, u = 10 ** Math.floor(Math.log10(raw)), step = u * [1, 2, 5, 10].find(k => k * u >= raw);
  const out = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return [out, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))];
}

function rangeOf(plot) {
  const all = Float32Array.from(chosenLines(plot).flatMap(line => Array.from(line.values).filter(Number.isFinite))).sort();
  if (!all.length) return [-1, 1];
  const cut = plot.is_cut ? Math.floor(0.02 * all.length) : 0, zero = plot.has_zero ? 0 : all[cut];
  const low = Math.min(all[cut], zero), high = Math.max(all[all.length - 1 - cut], zero);
  const pad = Math.max(0.06 * (high - low), 1e-6 * Math.abs(high), 1e-9);
  return [low - pad, high + pad];
}

const chosenLines = plot => plot.chosen ? plot.lines.filter(line => line.name === plot.chosen) : plot.lines;

function drawPlot(plot) {
  const c = plot.canvas, ratio = window.devicePixelRatio || 1, w = c.clientWidth, h = c.clientHeight;
  if (!w || !h) return;
  c.width = Math.round(w * ratio);
  c.height = Math.round(h * ratio);
  const pen = c.getContext("2d"), style = getComputedStyle(document.body);
  const ink = style.getPropertyValue("--ink").trim(), faint = style.getPropertyValue("--faint").trim();
  const [low, high] = rangeOf(plot), left = PLOT_LEFT, right = w - 6, top = 4;
  const isLast = plot === plots[plots.length - 1], bottom = h - (isLast ? 17 : 4);
  const x = t => left + (t - first) / Math.max(last - first, 1e-9) * (right - left);
  const y = v => bottom - (v - low) / (high - low) * (bottom - top);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, w, h);
  pen.font = "10px system-ui, 'DejaVu Sans', sans-serif";
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  drawTimes(pen, x, [top, bottom], isLast, ink, faint);
  const [marks, digits] = ticks(low, high);
  for (const v of marks) {
    pen.strokeStyle = Math.abs(v) < 1e-12 ? ink : faint;
    pen.lineWidth = Math.abs(v) < 1e-12 ? 0.8 : 0.6;
    pen.beginPath();
    pen.moveTo(left, y(v));
    pen.lineTo(right, y(v));
    pen.stroke();
    pen.fillStyle = ink;
    pen.fillText(v.toFixed(digits), left - 4, y(v));
  }
  const lines = chosenLines(plot), isMany = lines.length > 4;
  for (const line of lines) {
    pen.strokeStyle = line.colour;
    pen.globalAlpha = isMany ? 0.6 : 1;
    pen.lineWidth = isMany ? 0.9 : 1.6;
    pen.save();
    pen.beginPath();
    pen.rect(left, top - 2, right - left, bottom - top + 4);
    pen.clip();
    pen.beginPath();
    let isDown = false;
    line.values.forEach((v, k) => {
      if (!Number.isFinite(v)) { isDown = false; return; }
      if (isDown) pen.lineTo(x(time[k]), y(v)); else pen.moveTo(x(time[k]), y(v));
      isDown = true;
    });
    pen.stroke();
    pen.restore();
  }
  pen.globalAlpha = 1;
}

// Times as faint lines in every plot; the last has their numbers.
function drawTimes(pen, x, [top, bottom], isLast, ink, faint) {
  const [moments, digits] = ticks(0, Math.max(last - first, 1e-9));
  pen.save();
  pen.textAlign = "center";
  pen.fillStyle = ink;
  pen.strokeStyle = faint;
  pen.lineWidth = 0.6;
  for (const t of moments) {
    const at = x(first + t), isEnd = t > 0.93 * (last - first);
    pen.beginPath();
    pen.moveTo(at, top);
    pen.lineTo(at, bottom);
    pen.stroke();
    if (isLast) {
      pen.textAlign = isEnd ? "right" : "center";
      pen.fillText(t.toFixed(digits) + (t === 0 || isEnd ? " s" : ""), isEnd ? at + 5 : at, bottom + 9);
    }
  }
  pen.restore();
}

const PLOT_LEFT = 44;
let plots = [];

function choose(name) {
  for (const plot of plots) if (plot.is_joints) { plot.chosen = name; drawPlot(plot); }
  sayPlots();
}

function preparePlots(panel) {
  plots = plotsOf(data);
  const joints = [...new Set(plots.filter(p => p.is_joints).flatMap(p => p.lines.map(line => line.name)))];
  for (const plot of plots) {
    plot.chosen = null;
    const box = element("section", panel, "plot"), head = element("header", box);
    element("b", head, "", plot.title);
    element("span", head, "unit", ` [${plot.unit}]`);
    if (plot.is_joints && joints.length) {
      const select = element("select", head, "joint");
      select.setAttribute("aria-label", `joint of ${plot.title}`);
      for (const name of ["all joints", ...joints]) {
        const option = element("option", select, "", name);
        option.value = name === "all joints" ? "" : name;
      }
      select.addEventListener("change", () => {
        for (const other of panel.querySelectorAll("select.joint")) other.value = select.value;
        choose(select.value || null);
      });
    }
    const area = element("div", box, "area");
    plot.canvas = element("canvas", area);
    plot.cursor = element("div", area, "cursor");
    plot.legend = element("div", box, "legend");
    if (!plot.is_joints) for (const line of plot.lines) {
      const item = element("span", plot.legend), dot = element("i", item);
      dot.style.background = line.colour;
      element("span", item, "", plot.lines.length > 1 ? `${line.name} ` : "now ");
      line.said = element("b", item);
    } else plot.said = element("span", plot.legend);
    const seekTo = e => {
      const box = area.getBoundingClientRect(), share = (e.clientX - box.left - PLOT_LEFT) / (box.width - PLOT_LEFT - 6);
      playing = false;
      seek(first + Math.min(Math.max(share, 0), 1) * (last - first));
    };
    area.addEventListener("pointerdown", e => { area.setPointerCapture(e.pointerId); seekTo(e); });
    area.addEventListener("pointermove", e => { if (e.buttons) seekTo(e); });
  }
}

const rounded = v => Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 1 ? v.toFixed(1) : v.toFixed(2);
const brief = v => Number.isFinite(v) ? rounded(v).replace(/^-(0\.00)$/, "$1") : "–";

function sayPlots() {
  const [k, next, s] = frameAt(now), at = s < 0.5 ? k : next;
  for (const plot of plots) {
    const w = plot.canvas.clientWidth - PLOT_LEFT - 6;
    plot.cursor.style.left = `${PLOT_LEFT + (now - first) / Math.max(last - first, 1e-9) * w}px`;
    if (!plot.is_joints) { for (const line of plot.lines) line.said.textContent = brief(line.values[at]); continue; }
    const lines = chosenLines(plot);
    if (lines.length === 1) { plot.said.textContent = `${lines[0].name} ${brief(lines[0].values[at])} ${plot.unit}`; continue; }
    let top = null;
    for (const line of lines) if (top === null || Math.abs(line.values[at]) > Math.abs(top.values[at])) top = line;
    plot.said.textContent = top === null ? "" : `largest now: ${top.name} ${brief(top.values[at])}`;
  }
}
