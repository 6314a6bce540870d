/* Mass sums of one module with six connectors, single precision.

   Ten numbers say what a lump of matter is, seen from a frame: mass, first moment (3),
   second moment xx xy xz yy yz zz. Lumps seen from one frame add. Connectors 0 to 2 sit
   on the outer bracket a, 3 to 5 on the outer bracket b. M is the frame of the inner
   part next to bracket a; at zero all frames are parallel. */
#ifndef MASS_H
#define MASS_H

#include <stdint.h>

#define PORTS 6
#define SIDE 3 /* connectors of a bracket */
#define TEN 10

struct turning { /* a rotation about one axis, and by twice its angle */
  float c, s, cc, sc, c2, s2; /* cc = c c, sc = s c */
};

struct frames { /* what follows from the joint angles */
  struct turning hinge_a, roll, hinge_b;
};

struct route { /* where each number but the mass comes from, and whose sign changes */
  uint8_t from[TEN - 1];
  uint16_t minus;
};

struct routes { /* what follows from how neighbours are docked */
  struct route in[PORTS], out[PORTS];
};

struct bracket {
  float slot[SIDE + 1][TEN]; /* sums come in, and what leaves is made in their place */
};

struct mass {
  struct bracket bracket[2];
  float side_M[2][TEN]; /* each bracket with all that hangs on it, seen from M */
  float total_M[TEN];   /* the whole robot, seen from M */
};

/* Sines and cosines of three joint angles [rad]. */
void frames_update(struct frames *f, const float angle[3]);

/* Swaps of axes between connectors and brackets.

   quarter: quarter turns, 0 to 3, of what is docked to each connector. */
void routes_update(struct routes *r, const uint8_t quarter[PORTS]);

/* From what is heard to what is to be told.

   heard: bit p says that connector p brought a sum.
   in: a sum of each connector, in the frame of the neighbour's connector; what is not
       heard is not read. */
void mass_update(struct mass *w, const struct frames *f, const struct routes *r,
                 uint8_t heard, const float *const in[PORTS]);

/* What connector p is told: all but what came in there, in the connector's own frame. */
const float *mass_out(const struct mass *w, uint8_t p);

#endif
