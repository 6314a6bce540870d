/* Steer, or hold where the module does not know enough. */
#ifndef DRIVE_H
#define DRIVE_H

#include "steer.h"

struct senses { /* what the module feels, and what it is told about the world */
  float angle[JOINTS]; /* [rad] */
  float rate[JOINTS];  /* [rad/s] */
  uint8_t touching;    /* the ground */
  uint8_t foot;        /* counts contact places */
  uint8_t attached;    /* bit p: connector p is mechanically closed */
  uint8_t has_aim;     /* the world frame is known */
  struct aim aim;
};

struct drive {
  float kept[JOINTS]; /* angles to hold */
  float torque[JOINTS];
  uint8_t steers;
};

void drive_start(struct drive *d);
void drive(struct drive *d, uint8_t steers, const struct mass *w,
           const struct frames *f, const struct senses *s);

#endif
