// The page's numbers, and what happens between two recorded frames.
"use strict";

const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
const floats = text => new Float32Array(bytes(text));
const time = floats(data.time), poses = floats(data.poses);

// Corners of a mesh are whole numbers between the corners of its box.
const meshes = data.meshes.map(m => {
  const steps = new Uint16Array(bytes(m.vertices)), vertices = new Float32Array(steps.length);
  for (let k = 0; k < steps.length; k++) vertices[k] = m.low[k % 3] + steps[k] / 65535 * m.size[k % 3];
  return { vertices, faces: m.is_small ? new Uint16Array(bytes(m.faces)) : new Uint32Array(bytes(m.faces)) };
});

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
  let way = 0;
  for (let i = 3; i < 7; i++) way += poses[k * width + c + i] * poses[next * width + c + i];
  const q = [3, 4, 5, 6].map(i => (1 - s) * poses[k * width + c + i]
    + (way < 0 ? -s : s) * poses[next * width + c + i]);
  return matrix(p, q);
}
