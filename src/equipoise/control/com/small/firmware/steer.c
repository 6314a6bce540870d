/* With L = u x (h2 - m2 q), the moved side's first moment about a joint's axis, both
   torques are products with one vector: tau = L . (R_WM^T F / M + g R_WM^T e_z). */
#include "steer.h"

#include "module.h"

static const float LIMIT[JOINTS] = MODULE_EFFORT; /* 0 for a joint that is locked */
static const float INNER_A[2] = MODULE_INNER_A, INNER_B[2] = MODULE_INNER_B;
static const float PIVOT[JOINTS] = MODULE_PIVOTS; /* along z of M */

static float dot(const float *a, const float *b)
{
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* What is not a number gives no torque. */
static float limited(float torque, float limit)
{
  if (torque > limit)
    return limit;
  if (torque >= -limit)
    return torque;
  return torque < -limit ? -limit : 0.0f;
}

/* Mass and first moment of what a joint moves: its outer side, or its inner one. */
static void moved_side(const struct mass *w, uint8_t joint, uint8_t outwards, float *v)
{
  const float *side = w->side_M[outwards ? 1 : 0];
  for (uint8_t k = 0; k < 4; ++k)
    v[k] = side[k];
  if (outwards ? joint < 1 : joint > 0) {
    v[0] += INNER_A[0];
    v[3] += INNER_A[1];
  }
  if (outwards ? joint < 2 : joint > 1) {
    v[0] += INNER_B[0];
    v[3] += INNER_B[1];
  }
}

static void pull(const struct mass *w, const struct gains *k, const struct aim *aim,
                 float *out)
{
  const float *R = aim->R_WM, mass = w->total_M[0];
  float force[3];
  for (uint8_t i = 0; i < 3; ++i) {
    const float there = dot(R + 3 * i, w->total_M + 1) / mass + aim->p_WM[i];
    const float stiffness = i == 2 ? k->stiffness_z : k->stiffness;
    const float away = there - aim->target[i];
    force[i] = -(stiffness * away + k->damping * aim->v_WC[i]) / mass;
  }
  force[2] = force[2] + k->gravity;
  for (uint8_t i = 0; i < 3; ++i)
    out[i] = (R[i] * force[0] + R[3 + i] * force[1]) + R[6 + i] * force[2];
}

void steer(const struct mass *w, const struct frames *f, const struct gains *k,
           const struct aim *aim, float torque[JOINTS])
{
  float G[3], v[4];
  pull(w, k, aim, G);
  for (uint8_t j = 0; j < JOINTS; ++j) {
    const uint8_t outwards = aim->held <= j;
    moved_side(w, j, outwards, v);
    const float x = v[1], y = v[2], z = v[3] - v[0] * PIVOT[j];
    float t;
    if (j == 0) /* u = y */
      t = z * G[0] - x * G[2];
    else if (j == 1) /* u = z */
      t = x * G[1] - y * G[0];
    else { /* u = (-s, c, 0) of the roll angle */
      const float s = f->roll.s, c = f->roll.c;
      const float lift = s * y + c * x;
      t = (c * z * G[0] + s * z * G[1]) - lift * G[2];
    }
    torque[j] = limited(outwards ? t : -t, LIMIT[j]);
  }
}

void hold(const struct gains *k, const float kept[JOINTS], const float angle[JOINTS],
          const float rate[JOINTS], float torque[JOINTS])
{
  for (uint8_t j = 0; j < JOINTS; ++j) {
    const float t = k->hold * (kept[j] - angle[j]) - k->hold_damping * rate[j];
    torque[j] = limited(t, LIMIT[j]);
  }
}
