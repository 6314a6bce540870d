/* The program of one module: frames in, a round, frames and torques out. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "frame.h"
#include "mass.h"
#include "member.h"
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

struct program {
  struct member member;
  struct frames frames;
  struct routes routes;
  struct mass mass;
  float kept[JOINTS]; /* angles to hold */
  float torque[JOINTS];
  uint8_t steers;
};

void program_boot(struct program *w, uint16_t id, uint8_t seq, uint16_t epoch,
                  uint8_t join);

/* Tell how the neighbours are docked: quarter turns, 0 to 3. */
void program_docked(struct program *w, const uint8_t quarter[PORTS]);

/* Returns whether the frame was accepted; a damaged one is not. */
uint8_t program_mail(struct program *w, uint8_t p, const uint8_t frame[FRAME]);

/* The two halves of a round, for two processors or for one after the other. The second
   reads of the first what is in member: tree, v_in, known, open and the values. */
void program_round(struct program *w, const struct senses *s);
void program_act(struct program *w, const struct senses *s);

/* The frame for connector p; returns 0 while the module keeps silent. */
uint8_t program_frame(struct program *w, uint8_t p, uint8_t frame[FRAME]);

#endif
