#include "drive.h"

#include <string.h>

#include "module.h"

static const struct gains GAINS = MODULE_GAINS;

void drive_start(struct drive *d)
{
  memset(d, 0, sizeof *d);
  d->steers = 1; /* so that the first round notes which angles to hold */
}

void drive(struct drive *d, uint8_t steers, const struct mass *w,
           const struct frames *f, const struct senses *s)
{
  if (d->steers && !steers)
    memcpy(d->kept, s->angle, sizeof d->kept);
  d->steers = steers;
  if (steers)
    steer(w, f, &GAINS, &s->aim, d->torque);
  else
    hold(&GAINS, d->kept, s->angle, s->rate, d->torque);
}
