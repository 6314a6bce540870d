#include "program.h"

#include <string.h>

void program_boot(struct program *w, uint16_t id, uint8_t seq, uint16_t epoch,
                  uint8_t join)
{
  static const uint8_t STRAIGHT[PORTS];
  memset(w, 0, sizeof *w);
  drive_start(&w->drive);
  member_boot(&w->member, id, seq, epoch, join);
  routes_update(&w->routes, STRAIGHT);
}

void program_docked(struct program *w, const uint8_t quarter[PORTS])
{
  routes_update(&w->routes, quarter);
}

uint8_t program_mail(struct program *w, uint8_t p, const uint8_t frame[FRAME])
{
  struct head head;
  return frame_unpack(frame, &head) &&
         member_take(&w->member, p, &head, frame + PAYLOAD_AT);
}

void program_round(struct program *w, const struct senses *s)
{
  member_decide(&w->member, s->touching, s->foot, s->attached);
}

void program_sums(struct program *w, const struct senses *s)
{
  const struct member *m = &w->member;
  const float *in[PORTS];
  for (uint8_t p = 0; p < PORTS; ++p)
    in[p] = m->port[p].value;
  frames_update(&w->frames, s->angle);
  mass_update(&w->mass, &w->frames, &w->routes, m->v_in, in);
}

void program_drive(struct program *w, const struct senses *s)
{
  const uint8_t steers = w->member.known && !w->member.open && s->has_aim;
  drive(&w->drive, steers, &w->mass, &w->frames, s);
}

uint8_t program_frame(struct program *w, uint8_t p, uint8_t frame[FRAME])
{
  struct head head;
  if (!member_head(&w->member, p, &head))
    return 0;
  if (head.flags & SUM)
    memcpy(frame + PAYLOAD_AT, mass_out(&w->mass, p), PAYLOAD);
  else
    memset(frame + PAYLOAD_AT, 0, PAYLOAD);
  frame_pack(frame, &head);
  return 1;
}
