/* The program of one module: frames in, a round, frames and torques out. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "drive.h"
#include "frame.h"
#include "mass.h"
#include "member.h"

struct program {
  struct member member;
  struct frames frames;
  struct routes routes;
  struct mass mass;
  struct drive drive;
};

void program_boot(struct program *w, uint16_t id, uint8_t seq, uint16_t epoch,
                  uint8_t join);

/* Tell how the neighbours are docked: quarter turns, 0 to 3. */
void program_docked(struct program *w, const uint8_t quarter[PORTS]);

/* Returns whether the frame was accepted; a damaged one is not. */
uint8_t program_mail(struct program *w, uint8_t p, const uint8_t frame[FRAME]);

/* A round, in order: decide, sums, drive. On two processors the last one runs on the
   second, see link.h. */
void program_round(struct program *w, const struct senses *s);
void program_sums(struct program *w, const struct senses *s);
void program_drive(struct program *w, const struct senses *s);

/* The frame for connector p; returns 0 while the module keeps silent. */
uint8_t program_frame(struct program *w, uint8_t p, uint8_t frame[FRAME]);

#endif
