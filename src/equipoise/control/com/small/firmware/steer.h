/* Joint torques: pull the robot's centre of mass, carry its weight, or hold still. */
#ifndef STEER_H
#define STEER_H

#include "mass.h"

#define JOINTS 3

struct aim {
  float R_WM[9];      /* rows; M seen from the world, z upwards */
  float p_WM[3];      /* [m] */
  float target[3];    /* where the centre of mass shall be [m] */
  float v_WC[3];      /* velocity of the centre of mass [m/s] */
  uint8_t held;       /* part on the ground's side: 0 bracket a ... 3 bracket b */
};

struct gains {
  float stiffness, stiffness_z; /* [N/m] */
  float damping;                /* [N s/m] */
  float gravity;                /* [m/s^2] */
  float hold, hold_damping;     /* [N m/rad], [N m s/rad] */
};

/* tau_j = (m2/M) (u x (p2 - q)) . F + m2 g (u x (p2 - q))_z with F = -(k e + c v),
   cut to what the joint can give [N m]. */
void steer(const struct mass *w, const struct frames *f, const struct gains *k,
           const struct aim *aim, float torque[JOINTS]);

/* What keeps the joints where they are, for a module that does not know enough. */
void hold(const struct gains *k, const float kept[JOINTS], const float angle[JOINTS],
          const float rate[JOINTS], float torque[JOINTS]);

#endif
