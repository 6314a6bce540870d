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

function mesh(vertices, faces) {
  const out = [];
  for (let k = 0; k < faces.length; k += 3) {
    const p = [0, 1, 2].map(i => Array.from(vertices.subarray(3 * faces[k + i], 3 * faces[k + i] + 3)));
    const u = p[1].map((x, i) => x - p[0][i]), v = p[2].map((x, i) => x - p[0][i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const l = Math.hypot(...n) || 1;
    for (const q of p) out.push(...q, n[0] / l, n[1] / l, n[2] / l);
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
