// Triangles of MuJoCo's shapes, in the geom's own frame: [x, y, z, nx, ny, nz] a corner.
// MuJoCo sizes: half lengths for boxes; radius, half length for cylinders and capsules.

// A surface of revolution about z: profile = [[radius, z, outward radial, outward z], ...].
function revolve(profile, around, scale) {
  const out = [];
  const at = (k, j) => {
    const [r, z, nr, nz] = profile[k], a = 2 * Math.PI * j / around;
    const c = Math.cos(a), s = Math.sin(a), [sx, sy, sz] = scale;
    const n = [nr * c / sx, nr * s / sy, nz / sz], l = Math.hypot(...n) || 1;
    return [r * c * sx, r * s * sy, z * sz, n[0] / l, n[1] / l, n[2] / l];
  };
  for (let k = 0; k + 1 < profile.length; k++) {
    for (let j = 0; j < around; j++) {
      const a = at(k, j), b = at(k, j + 1), c = at(k + 1, j + 1), d = at(k + 1, j);
      out.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return out;
}

// Half circle from the south to the north pole; the halves moved apart by +-half.
function round(radius, half, steps) {
  const out = [];
  for (let k = 0; k <= steps; k++) {
    const a = Math.PI * (k / steps - 0.5), shift = k < steps / 2 ? -half : half;
    if (half > 0 && k === steps / 2) out.push([radius, -half, 1, 0]);
    out.push([radius * Math.cos(a), radius * Math.sin(a) + shift, Math.cos(a), Math.sin(a)]);
  }
  return out;
}

function box([a, b, c]) {
  const out = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const n = [0, 0, 0];
      n[axis] = sign;
      const corner = (u, v) => {
        const p = [0, 0, 0];
        p[axis] = sign;
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = v;
        return [p[0] * a, p[1] * b, p[2] * c, ...n];
      };
      const [p, q, r, s] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      out.push(...p, ...q, ...r, ...p, ...r, ...s);
    }
  }
  return out;
}

// A mesh's corners with normals: smooth over a face's edge unless the edge is sharp.
const SHARP = Math.cos(35 * Math.PI / 180);
function mesh(vertices, faces) {
  const nf = faces.length / 3, flat = new Float32Array(3 * nf), sums = new Float32Array(vertices.length);
  for (let k = 0; k < nf; k++) {
    const a = 3 * faces[3 * k], b = 3 * faces[3 * k + 1], c = 3 * faces[3 * k + 2];
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, l = Math.hypot(x, y, z) || 1;
    flat[3 * k] = x / l; flat[3 * k + 1] = y / l; flat[3 * k + 2] = z / l;
    for (const i of [a, b, c]) { sums[i] += x; sums[i + 1] += y; sums[i + 2] += z; }  // larger faces count more
  }
  const out = new Float32Array(18 * nf);
  for (let k = 0; k < nf; k++) {
    const x = flat[3 * k], y = flat[3 * k + 1], z = flat[3 * k + 2];
    for (let i = 0; i < 3; i++) {
      const v = 3 * faces[3 * k + i], o = 18 * k + 6 * i, l = Math.hypot(sums[v], sums[v + 1], sums[v + 2]) || 1;
      const isSmooth = (sums[v] * x + sums[v + 1] * y + sums[v + 2] * z) / l > SHARP;
      out[o] = vertices[v]; out[o + 1] = vertices[v + 1]; out[o + 2] = vertices[v + 2];
      out[o + 3] = isSmooth ? sums[v] / l : x;
      out[o + 4] = isSmooth ? sums[v + 1] / l : y;
      out[o + 5] = isSmooth ? sums[v + 2] / l : z;
    }
  }
  return out;
}

function triangles(geom, meshes) {
  const [a, b, c] = geom.size, one = [1, 1, 1];
  switch (geom.type) {
    case "sphere": return revolve(round(a, 0, 16), 28, one);
    case "ellipsoid": return revolve(round(1, 0, 16), 28, [a, b, c]);
    case "capsule": return revolve(round(a, b, 16), 24, one);
    case "cylinder": return revolve(
      [[0, -b, 0, -1], [a, -b, 0, -1], [a, -b, 1, 0], [a, b, 1, 0], [a, b, 0, 1], [0, b, 0, 1]], 32, one);
    case "box": return box(geom.size);
    case "mesh": return mesh(meshes[geom.mesh].vertices, meshes[geom.mesh].faces);
    default: return [];
  }
}

// Along z from 0 to 1: a shaft and a head, for forces; lengths are scaled, widths too.
function arrow() {
  const shaft = [[0, 0, 0, -1], [0.35, 0, 0, -1], [0.35, 0, 1, 0], [0.35, 0.78, 1, 0]];
  const head = [[0.35, 0.78, 0, -1], [1, 0.78, 0, -1], [1, 0.78, 0.9, 0.4], [0, 1, 0.9, 0.4]];
  return [...revolve(shaft, 16, [1, 1, 1]), ...revolve(head, 16, [1, 1, 1])];
}

// A flat ring about z of radius 1 and its inner disc left open.
function ring(inner) {
  return revolve([[inner, 0, 0, 1], [1, 0, 0, 1]], 40, [1, 1, 1]);
}

// A flat square on its corner.
const DIAMOND = [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1,
  -1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1];
