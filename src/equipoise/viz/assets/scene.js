// The picture: bodies, floor, shadows and marks, by WebGL 2. Everything is drawn from
// the numbers of this page; nothing is fetched.

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
const placed = (p, s = 1) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, ...p, 1];

// From z along a vector: where an arrow is put.
function along(p, f, length, width) {
  const z = unit(f), x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z)), y = cross(z, x);
  return [...x.map(v => v * width), 0, ...y.map(v => v * width), 0, ...z.map(v => v * length), 0, ...p, 1];
}

// ---- colours ----------------------------------------------------------------------
// MARKS and PALETTE are written by page.py: one table for all pictures (viz/colours.py).
const BLUE = MARKS["pressure point"], VERMILION = MARKS["centre of mass"], GREEN = MARKS["support"];
const RED = MARKS["push"];
const PURPLE = MARKS["capture point"], ORANGE = MARKS["forces"];
const THEMES = {
  light: { sky: [1, 1, 1], squares: [0.97, 0.92], shadow: 0.17 },
  dark: { sky: [0.114, 0.125, 0.145], squares: [0.26, 0.21], shadow: 0.4 },
};
let theme = THEMES.light;

// ---- shapes on the graphics card --------------------------------------------------
const canvas = document.getElementById("view");
const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true, preserveDrawingBuffer: true });

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
  const places = {};
  return new Proxy(p, {
    get: (t, name) => name === "self" ? t : (places[name] ??= gl.getUniformLocation(t, name)),
  });
}

const SOLID = `layout(location=0) in vec3 p; layout(location=1) in vec3 n;
  uniform mat4 all, body; out vec3 normal, at;
  void main() { vec4 w = body * vec4(p, 1.); at = w.xyz; normal = mat3(body) * n; gl_Position = all * w; }`;
const LIGHT = `in vec3 normal, at; uniform vec3 lamp, eye, colour; uniform vec4 tint; out vec4 o;
  void main() { if (tint.a > 0.) { o = tint; return; }
    vec3 m = normalize(normal), v = normalize(eye - at); if (dot(m, v) < 0.) m = -m;
    o = vec4(colour * min(.42 + .1 * m.z + .18 * max(dot(m, v), 0.) + .5 * max(dot(m, lamp), 0.), 1.05), 1.); }`;
const FLOOR = `layout(location=0) in vec3 p; uniform mat4 all, body; out vec2 at;
  void main() { vec4 w = body * vec4(p, 1.); at = w.xy; gl_Position = all * w; }`;
const SQUARES = `in vec2 at; uniform vec2 middle, squares; uniform vec3 sky; uniform float reach, side; out vec4 o;
  void main() { vec2 q = at / side, e = fwidth(q) * .7 + 1e-6, s = 2. * abs(fract(q * .5) * 2. - 1.) - 1.;
    vec2 k = clamp(s / (2. * e) , -1., 1.); float odd = .5 - .5 * k.x * k.y;
    float far = smoothstep(.9, 3.2, distance(at, middle) / reach);
    o = vec4(mix(vec3(mix(squares.x, squares.y, odd)), sky, far), 1.); }`;

function upload(corners, usage = gl.STATIC_DRAW) {
  const vao = gl.createVertexArray(), buffer = gl.createBuffer();
  gl.bindVertexArray(vao);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, corners instanceof Float32Array ? corners : new Float32Array(corners), usage);
  for (const i of [0, 1]) {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, 3, gl.FLOAT, false, 24, 12 * i);
  }
  return { vao, buffer, n: corners.length / 6 };
}

function refill(shape, corners) {
  gl.bindBuffer(gl.ARRAY_BUFFER, shape.buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.DYNAMIC_DRAW);
  shape.n = corners.length / 6;
}

// Each different shape once: meshes are shared, and so are equal boxes.
function bodyParts(data, meshes) {
  const known = new Map();
  return data.geoms.map(geom => {
    const key = geom.type === "mesh" ? `mesh ${geom.mesh}` : `${geom.type} ${geom.size}`;
    if (!known.has(key)) known.set(key, upload(triangles(geom, meshes)));
    return { shape: known.get(key), body: geom.body, local: matrix(geom.pos, geom.quat), rgb: geom.rgb, shades: geom.shades };
  });
}

function dashes(height, radius) {
  const out = [], n = 24, step = height / n;
  for (let k = 0; k < n; k++) {
    const c = triangles({ type: "cylinder", size: [radius, 0.31 * step, 0] }, []);
    for (let i = 0; i < c.length; i += 6) c[i + 2] += (k + 0.5) * step;
    out.push(...c);
  }
  return out;
}

let solid, ground;
const NONE = [0, 0, 0, 0];

function put(shape, body, rgb, tint = NONE) {
  gl.uniformMatrix4fv(solid.body, false, body);
  gl.uniform3fv(solid.colour, rgb);
  gl.uniform4fv(solid.tint, tint);
  gl.bindVertexArray(shape.vao);
  gl.drawArrays(gl.TRIANGLES, 0, shape.n);
}

const nice = x => { const u = 10 ** Math.floor(Math.log10(x)); return u * [5, 2, 1].find(k => k * u <= x); };

// The floor is a plane that may slope: where it is below a point, and how it lies.
const floorAt = (floor, x, y) => {
  const { place: p, normal: n } = floor;
  return p[2] - (n[0] * (x - p[0]) + n[1] * (y - p[1])) / n[2];
};

function drawFloor(square, all, middle, floor, reach, side) {
  const n = floor.normal, x = unit([1 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2]]), y = cross(n, x), s = 4 * reach;
  const place = [middle[0], middle[1], floorAt(floor, middle[0], middle[1])];
  gl.useProgram(ground.self);
  gl.uniformMatrix4fv(ground.all, false, all);
  gl.uniformMatrix4fv(ground.body, false, [...x.map(v => s * v), 0, ...y.map(v => s * v), 0, ...n.map(v => s * v), 0, ...place, 1]);
  gl.uniform2f(ground.middle, middle[0], middle[1]);
  gl.uniform2fv(ground.squares, theme.squares);
  gl.uniform3fv(ground.sky, theme.sky);
  gl.uniform1f(ground.reach, reach);
  gl.uniform1f(ground.side, side);
  gl.bindVertexArray(square.vao);
  gl.drawArrays(gl.TRIANGLES, 0, square.n);
}

// Shadows: all shapes flattened onto the floor along the light, each pixel darkened once.
function drawShadows(parts, poses, lamp, floor, lift) {
  const n = floor.normal, d = dot(n, lamp), h = dot(n, floor.place), flat = [];
  for (let c = 0; c < 3; c++) flat.push(...[0, 1, 2].map(r => (r === c ? 1 : 0) - lamp[r] * n[c] / d), 0);
  flat.push(...[0, 1, 2].map(r => lamp[r] * h / d + lift * n[r]), 1);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilFunc(gl.EQUAL, 0, 255);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  for (const [k, part] of parts.entries()) if (part.shades) put(part.shape, product(flat, poses[k]), part.rgb, [0, 0, 0, theme.shadow]);
  gl.depthMask(true);
  gl.disable(gl.STENCIL_TEST);
  gl.disable(gl.BLEND);
}

// A mark is drawn in full where it is in front, palely where the robot hides it.
function drawMark(shape, body, colour, isLit, opacity = 1) {
  gl.depthMask(false);
  gl.enable(gl.BLEND);
  gl.depthFunc(gl.GREATER);
  put(shape, body, colour, [...colour, 0.65 * opacity]);
  gl.depthFunc(gl.LEQUAL);
  if (opacity < 1) put(shape, body, colour, [...colour, opacity]);
  gl.disable(gl.BLEND);
  gl.depthMask(true);
  if (opacity === 1) put(shape, body, colour, isLit ? NONE : [...colour, 1]);
}
