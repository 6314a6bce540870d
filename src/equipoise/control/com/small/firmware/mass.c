/* The frames of the six connectors are those of two brackets but for swaps of axes,
   which cost no rounding and little time. A bracket lies in M by one or two turns about
   an axis, and a turn about one axis changes a second moment as its double angle does.
   So no full rotation matrix is ever multiplied. */
#include "mass.h"

#include <string.h>

#include "module.h"
#include "trig.h"

enum { M, HX, HY, HZ, XX, XY, XZ, YY, YZ, ZZ };

static const uint8_t PAIR[3][3] = {{XX, XY, XZ}, {XY, YY, YZ}, {XZ, YZ, ZZ}};

/* Component i of the outcome is component axis[i] of what comes in; bit i of minus
   says that its sign changes. */
struct swap {
  uint8_t axis[3], minus;
};

/* Faces meet: the neighbour's axes seen from ours, for each quarter turn. */
static const struct swap MATE[4] = {
  {{0, 1, 2}, 6}, {{1, 0, 2}, 4}, {{0, 1, 2}, 5}, {{1, 0, 2}, 7}};
static const struct swap FACE[PORTS] = MODULE_FACES;

static struct swap after(const struct swap *b, const struct swap *a)
{
  struct swap r;
  r.minus = 0;
  for (uint8_t i = 0; i < 3; ++i) {
    const uint8_t k = b->axis[i];
    r.axis[i] = a->axis[k];
    r.minus |= (uint8_t)((((b->minus >> i) ^ (a->minus >> k)) & 1) << i);
  }
  return r;
}

static struct swap back(const struct swap *a)
{
  struct swap r;
  r.minus = 0;
  for (uint8_t i = 0; i < 3; ++i) {
    r.axis[a->axis[i]] = i;
    r.minus |= (uint8_t)(((a->minus >> i) & 1) << a->axis[i]);
  }
  return r;
}

/* A swap of axes, written out for the nine numbers that it moves. */
static void set_route(struct route *r, const struct swap *w)
{
  r->minus = 0;
  for (uint8_t i = 0; i < 3; ++i) {
    const uint8_t k = w->axis[i], flip = (w->minus >> i) & 1;
    r->from[i] = HX + k;
    r->minus |= (uint16_t)(flip << i);
    for (uint8_t j = i; j < 3; ++j) {
      const uint8_t place = PAIR[i][j] - HX;
      r->from[place] = PAIR[k][w->axis[j]];
      r->minus |= (uint16_t)((flip ^ ((w->minus >> j) & 1)) << place);
    }
  }
}

void routes_update(struct routes *r, const uint8_t quarter[PORTS])
{
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct swap in = after(&FACE[p], &MATE[quarter[p] & 3]);
    const struct swap out = back(&FACE[p]);
    set_route(&r->in[p], &in);
    set_route(&r->out[p], &out);
  }
}

/* out and in are different arrays. */
static void routed(float *restrict out, const float *restrict in, const struct route *r)
{
  const uint8_t *from = r->from;
  uint16_t minus = r->minus;
  *out++ = in[M];
  for (uint8_t k = 9; k; --k) {
    const float x = in[*from++];
    *out++ = minus & 1 ? -x : x;
    minus >>= 1;
  }
}

static inline uint8_t is_zero(float d)
{
  uint32_t word;
  memcpy(&word, &d, sizeof word);
  return !(word << 1);
}

/* The frame moves back by d along an axis: x' = x + d. */
static inline void shift(float *v, uint8_t axis, uint8_t i, uint8_t j, float d)
{
  if (is_zero(d))
    return;
  v[PAIR[i][axis]] += d * v[HX + i];
  v[PAIR[j][axis]] += d * v[HX + j];
  const float before = v[HX + axis], now = before + v[M] * d;
  v[HX + axis] = now;
  v[PAIR[axis][axis]] += d * (before + now);
}

static void shift_y(float *v, float d) { shift(v, 1, 0, 2, d); }
static void shift_z(float *v, float d) { shift(v, 2, 0, 1, d); }

static inline void rotate(float *a, float *b, const struct turning *t)
{
  const float x = *a, y = *b;
  *a = t->c * x - t->s * y;
  *b = t->s * x + t->c * y;
}

/* Second moment of the plane in which a turn happens. */
static inline void rotate_twice(float *aa, float *ab, float *bb, const struct turning *t)
{
  const float x = *aa, y = *bb, both = *ab, apart = x - y;
  const float part = t->cc * apart - t->s2 * both;
  *ab = t->sc * apart + t->c2 * both;
  *aa = y + part;
  *bb = x - part;
}

static void turn_y(float *v, const struct turning *t)
{
  rotate(v + HZ, v + HX, t);
  rotate(v + YZ, v + XY, t);
  rotate_twice(v + ZZ, v + XZ, v + XX, t);
}

static void turn_z(float *v, const struct turning *t)
{
  rotate(v + HX, v + HY, t);
  rotate(v + XZ, v + YZ, t);
  rotate_twice(v + XX, v + XY, v + YY, t);
}

static struct turning backwards(const struct turning *t)
{
  const struct turning r = {t->c, -t->s, t->cc, -t->sc, t->c2, -t->s2};
  return r;
}

static void turn_back_y(float *v, const struct turning *t)
{
  const struct turning r = backwards(t);
  turn_y(v, &r);
}

static void turn_back_z(float *v, const struct turning *t)
{
  const struct turning r = backwards(t);
  turn_z(v, &r);
}

static void add(float *out, const float *a, const float *b)
{
  for (uint8_t k = TEN; k; --k)
    *out++ = *a++ + *b++;
}

/* Parts of the module lie round their z axis: five of ten numbers are zero. */
static void add_part(float *v, const float part[5])
{
  v[M] += part[0];
  v[HZ] += part[1];
  v[XX] += part[2];
  v[YY] += part[3];
  v[ZZ] += part[4];
}

static const float OUTER[2][5] = {MODULE_OUTER_A, MODULE_OUTER_B};
static const float INNER[5] = MODULE_INNER; /* both inner parts, seen from M */
static const float REACH[PORTS][2] = MODULE_REACH; /* of a face along y and z */

/* slot 0: own and first; slot 1, 2: second and third; slot 3: own, first and second.
   Returns the bracket with all that hangs on it. */
static void gather(struct bracket *b, uint8_t side, uint8_t heard,
                   const struct routes *r, const float *const *in, float *all)
{
  for (uint8_t i = 0; i < SIDE; ++i) {
    const uint8_t p = (uint8_t)(SIDE * side + i);
    float *v = b->slot[i];
    if (!(heard >> p & 1)) {
      for (uint8_t k = 0; k < TEN; ++k)
        v[k] = 0.0f;
      continue;
    }
    routed(v, in[p], &r->in[p]);
    shift_y(v, REACH[p][0]);
    shift_z(v, REACH[p][1]);
  }
  add_part(b->slot[0], OUTER[side]);
  add(b->slot[3], b->slot[0], b->slot[1]);
  add(all, b->slot[3], b->slot[2]);
}

const float *mass_out(const struct mass *w, uint8_t p)
{
  const uint8_t i = p < SIDE ? p : (uint8_t)(p - SIDE);
  return w->bracket[p >= SIDE].slot[i == 2 ? 3 : 1 - i];
}

/* From the bracket's frame to connector p. */
static void tell(float *out, const struct routes *r, uint8_t p, float *there)
{
  shift_z(there, -REACH[p][1]);
  shift_y(there, -REACH[p][0]);
  routed(out, there, &r->out[p]);
}

/* rest: all that hangs on the other bracket, and the inner parts, seen from here. */
static void spread(struct bracket *b, const struct routes *r, uint8_t side,
                   const float *rest)
{
  const uint8_t first = side ? SIDE : 0;
  float there[TEN];
  add(there, rest, b->slot[3]);
  tell(b->slot[3], r, (uint8_t)(first + 2), there);
  add(b->slot[2], rest, b->slot[2]);
  add(there, b->slot[2], b->slot[0]);
  tell(b->slot[0], r, (uint8_t)(first + 1), there);
  add(there, b->slot[2], b->slot[1]);
  add_part(there, OUTER[side]);
  tell(b->slot[1], r, first, there);
}

static void set_turning(struct turning *t, float angle)
{
  sine_cosine(1, &angle, &t->s, &t->c);
  t->cc = t->c * t->c;
  t->sc = t->s * t->c;
  t->c2 = (t->c - t->s) * (t->c + t->s);
  t->s2 = t->sc + t->sc;
}

void frames_update(struct frames *f, const float angle[3])
{
  set_turning(&f->hinge_a, angle[0]);
  set_turning(&f->roll, angle[1]);
  set_turning(&f->hinge_b, angle[2]);
}

void mass_update(struct mass *w, const struct frames *f, const struct routes *r,
                 uint8_t heard, const float *const in[PORTS])
{
  float rest[TEN];
  float *a = w->side_M[0], *b = w->side_M[1];
  gather(&w->bracket[0], 0, heard, r, in, a);
  turn_back_y(a, &f->hinge_a);
  gather(&w->bracket[1], 1, heard, r, in, b);
  turn_y(b, &f->hinge_b);
  turn_z(b, &f->roll);
  shift_z(b, MODULE_LENGTH);
  memcpy(rest, b, sizeof rest);
  add_part(rest, INNER);
  add(w->total_M, a, rest);
  turn_y(rest, &f->hinge_a);
  spread(&w->bracket[0], r, 0, rest);
  memcpy(rest, a, sizeof rest);
  add_part(rest, INNER);
  shift_z(rest, -MODULE_LENGTH);
  turn_back_z(rest, &f->roll);
  turn_back_y(rest, &f->hinge_b);
  spread(&w->bracket[1], r, 1, rest);
}
