// What balance is about, over the picture: where the mass is, where it comes to rest,
// where the ground pushes and how much, what the robot stands on, where its feet are
// bound for and where they may not be put.

function marksOf(data) {
  const m = data.marks, rows = time.length;
  const series = (name, width) => m === null || m[name] === null ? null : { values: floats(m[name]), width };
  return {
    com: data.com === null ? null : { values: floats(data.com), width: 3 },
    capture: series("capture", 3),
    pressure: series("pressure", 3),
    forces: m === null || m.forces === null ? null : { values: floats(m.forces), width: 6 * m.feet, feet: m.feet },
    support: m === null || m.support === null ? null
      : { values: floats(m.support), width: 3 * m.corners, corners: m.corners, rows },
    goals: m === null || m.goals === null ? null
      : { values: floats(m.goals), width: 3 * m.bound, corners: m.bound, rows },
    banned: m === null || m.banned === null ? null : floats(m.banned),
    margin: series("margin", 1),
    push: series("push", 6),
  };
}

const SHOWN = { com: true, line: true, support: true, forces: true, capture: true, pressure: true,
  goals: true, banned: true, push: true };
const GREY = [0.45, 0.45, 0.45];

// A row of a series between two frames; null where it is not known.
function rowOf(series, at, column = 0, n = 3) {
  if (series === null) return null;
  const [k, next, s] = at, near = s < 0.5 ? k : next, w = series.width, v = series.values;
  const out = mix(v, w, column, n, at);
  if (out.every(Number.isFinite)) return out;
  const only = Array.from(v.subarray(near * w + column, near * w + column + n));
  return only.every(Number.isFinite) ? only : null;
}

// Corners of the support at the nearest frame; polygons do not mix.
function supportAt(support, at) {
  if (support === null) return [];
  const k = at[2] < 0.5 ? at[0] : at[1], out = [];
  for (let i = 0; i < support.corners; i++) {
    const o = k * support.width + 3 * i, p = Array.from(support.values.subarray(o, o + 3));
    if (p.every(Number.isFinite)) out.push(p);
  }
  return out;
}

// A polygon as a fan, its rim as thin strips; a segment is a strip, a point a dot.
function polygonTriangles(corners, lift) {
  const out = [];
  for (let k = 1; k + 1 < corners.length; k++) {
    for (const p of [corners[0], corners[k], corners[k + 1]]) out.push(p[0], p[1], p[2] + lift, 0, 0, 1);
  }
  return out;
}
function rimTriangles(corners, lift, half) {
  const out = [], n = corners.length;
  for (let k = 0; k < (n > 2 ? n : n - 1); k++) {
    const a = corners[k], b = corners[(k + 1) % n], d = unit([b[0] - a[0], b[1] - a[1], 0]);
    const s = [-d[1] * half, d[0] * half], e = [d[0] * half, d[1] * half], z = [a[2] + lift, b[2] + lift];
    const q = [[a[0] - e[0] - s[0], a[1] - e[1] - s[1], z[0]], [b[0] + e[0] - s[0], b[1] + e[1] - s[1], z[1]],
      [b[0] + e[0] + s[0], b[1] + e[1] + s[1], z[1]], [a[0] - e[0] + s[0], a[1] - e[1] + s[1], z[0]]];
    for (const i of [0, 1, 2, 0, 2, 3]) out.push(...q[i], 0, 0, 1);
  }
  if (n === 1) for (let i = 0; i < DIAMOND.length; i += 6) {
    out.push(corners[0][0] + 2 * half * DIAMOND[i], corners[0][1] + 2 * half * DIAMOND[i + 1], corners[0][2] + lift, 0, 0, 1);
  }
  return out;
}

// Forbidden cells as squares on the floor.
function cellTriangles(corners, edge) {
  const out = [], inset = 0.03 * edge;
  for (let k = 0; k < corners.length; k += 3) {
    const x = corners[k] + inset, y = corners[k + 1] + inset, z = corners[k + 2], e = edge - 2 * inset;
    for (const [u, v] of [[0, 0], [e, 0], [e, e], [0, 0], [e, e], [0, e]]) out.push(x + u, y + v, z, 0, 0, 1);
  }
  return out;
}

let tools = null;
function prepareMarks(size) {
  tools = {
    ball: upload(triangles({ type: "sphere", size: [0.032 * size, 0, 0] }, [])),
    line: upload(dashes(data.line_height, 0.006 * size)),
    arrow: upload(arrow()),
    ring: upload(ring(0.62)),
    disc: upload(ring(0)),
    diamond: upload(DIAMOND),
    area: upload([0, 0, 0, 0, 0, 1], gl.DYNAMIC_DRAW),
    rim: upload([0, 0, 0, 0, 0, 1], gl.DYNAMIC_DRAW),
    banned: marks.banned === null ? null : upload(cellTriangles(marks.banned, data.marks.cell)),
  };
}

function drawMarks(marks, at, size) {
  const lift = 2e-3 * size;
  if (SHOWN.banned && tools.banned !== null) drawMark(tools.banned, placed([0, 0, 0.5 * lift]), GREY, false, 0.45);
  if (SHOWN.goals) for (const p of supportAt(marks.goals, at)) {
    drawMark(tools.ring, placed([p[0], p[1], p[2] + 2 * lift], 0.036 * size), ORANGE, false);
  }
  if (SHOWN.support) {
    const corners = supportAt(marks.support, at);
    if (corners.length) {
      refill(tools.area, polygonTriangles(corners, lift));
      refill(tools.rim, rimTriangles(corners, 1.5 * lift, 0.006 * size));
      if (tools.area.n) drawMark(tools.area, placed([0, 0, 0]), GREEN, false, 0.3);
      drawMark(tools.rim, placed([0, 0, 0]), GREEN, false);
    }
  }
  if (SHOWN.line && data.line !== null) drawMark(tools.line, placed(data.line), BLUE, false);
  if (SHOWN.forces && marks.forces !== null) for (let f = 0; f < marks.forces.feet; f++) {
    const row = rowOf(marks.forces, at, 6 * f, 6);
    if (row === null) continue;
    const force = row.slice(3), length = Math.hypot(...force) * data.marks.metres_a_newton;
    if (length > 0.02 * size) drawMark(tools.arrow, along(row.slice(0, 3), force, length, 0.022 * size), ORANGE, true);
  }
  const push = SHOWN.push ? rowOf(marks.push, at, 0, 6) : null;
  if (push !== null) {
    const way = unit(push.slice(3)), tail = push.slice(0, 3).map((x, i) => x - 1.1 * size * way[i]);
    drawMark(tools.arrow, along(tail, way, 1.05 * size, 0.045 * size), RED, true);
  }
  const pressure = SHOWN.pressure ? rowOf(marks.pressure, at) : null;
  const capture = SHOWN.capture ? rowOf(marks.capture, at) : null;
  if (pressure !== null) {
    drawMark(tools.disc, placed([pressure[0], pressure[1], pressure[2] + 3 * lift], 0.026 * size), BLUE, false);
  }
  if (capture !== null) {
    drawMark(tools.ring, placed([capture[0], capture[1], capture[2] + 4 * lift], 0.042 * size), PURPLE, false);
  }
  const com = rowOf(marks.com, at);
  if (SHOWN.com && com !== null) {
    if (marks.support !== null) {
      drawMark(tools.diamond, placed([com[0], com[1], floorAt(floor, com[0], com[1]) + 5 * lift], 0.02 * size), VERMILION, false);
    }
    drawMark(tools.ball, placed(com), VERMILION, true);
  }
}
