#include "link.h"

#include <string.h>

enum { SENSES = 0x53, MASSES = 0x4d };

#define QUAD (4 * sizeof(float))

void link_pack_senses(uint8_t frame[FRAME], const struct senses *s)
{
  memset(frame, 0, FRAME);
  frame[0] = SENSES;
  frame[1] = s->touching;
  frame[2] = s->foot;
  frame[3] = s->attached;
  memcpy(frame + PAYLOAD_AT, s->angle, sizeof s->angle);
  frame_seal(frame);
}

uint8_t link_unpack_senses(const uint8_t frame[FRAME], struct senses *s)
{
  if (frame[0] != SENSES || !frame_is_whole(frame))
    return 0;
  s->touching = frame[1];
  s->foot = frame[2];
  s->attached = frame[3];
  memcpy(s->angle, frame + PAYLOAD_AT, sizeof s->angle);
  return 1;
}

void link_pack_mass(uint8_t frame[FRAME], const struct mass *w, uint8_t steers)
{
  memset(frame, 0, FRAME);
  frame[0] = MASSES;
  frame[1] = steers;
  memcpy(frame + 4, w->total_M, QUAD);
  memcpy(frame + PAYLOAD_AT, w->side_M[0], QUAD);
  memcpy(frame + PAYLOAD_AT + QUAD, w->side_M[1], QUAD);
  frame_seal(frame);
}

uint8_t link_unpack_mass(const uint8_t frame[FRAME], struct mass *w, uint8_t *steers)
{
  if (frame[0] != MASSES || !frame_is_whole(frame))
    return 0;
  *steers = frame[1];
  memcpy(w->total_M, frame + 4, QUAD);
  memcpy(w->side_M[0], frame + PAYLOAD_AT, QUAD);
  memcpy(w->side_M[1], frame + PAYLOAD_AT + QUAD, QUAD);
  return 1;
}
