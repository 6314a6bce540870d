/* What the two processors of a module tell each other, as frames of 64 bytes: the one
   for the joints what it feels, the one for the links what it knows of masses. */
#ifndef LINK_H
#define LINK_H

#include "drive.h"
#include "frame.h"

void link_pack_senses(uint8_t frame[FRAME], const struct senses *s);
uint8_t link_unpack_senses(const uint8_t frame[FRAME], struct senses *s);

/* Mass and first moment of both sides and of the whole, and whether to steer. */
void link_pack_mass(uint8_t frame[FRAME], const struct mass *w, uint8_t steers);
uint8_t link_unpack_mass(const uint8_t frame[FRAME], struct mass *w, uint8_t *steers);

#endif
