/* The program by which a module takes part in the robot: which links are good, which
   tree it belongs to, what lies behind each connector, whether the whole is known, and
   who leads. Integers alone; sums are left to whoever knows the frames (mass.c).

   A round: member_take for each frame that came, member_decide once, then member_head
   for each connector. Same results as the Python programs, header by header. */
#ifndef MEMBER_H
#define MEMBER_H

#include "frame.h"
#include "mass.h"
#include "rules.h"

#define UNKNOWN 0xffffu

struct port {
  struct head head; /* of the last frame that was accepted */
  uint16_t peer, rec_peer;
  uint8_t quiet, good, half, rec_join;
  float value[TEN]; /* the last sum that came */
};

struct slot { /* an epoch that was left */
  uint16_t root, epoch, timer;
};

struct member {
  uint16_t id, own_epoch, root, epoch;
  uint8_t seq, join, boot, dist, rounds, since_bump;
  int8_t parent;
  uint8_t frozen, dirty, dirty_out, g, incumbent, talks;
  struct slot slot[SLOTS];
  uint16_t mark_root, mark_epoch;
  uint8_t mark_feet[3], mark_count, mark_open, calm;
  uint32_t own_token;
  uint8_t own_feet[3], own_open;
  uint16_t own_cand, best, second; /* candidates to lead */
  uint8_t best_from;
  /* one bit a connector */
  uint8_t fresh, up, has_value, rec, rec_child, child, refused;
  uint8_t tree, f_in, v_in, f_out, v_out, g_out;
  /* what is published; void unless known, the leader aside */
  uint8_t known, steady, open, count, age, feet[3];
  uint16_t leader; /* 0 none, UNKNOWN */
  struct port port[PORTS];
};

void member_boot(struct member *m, uint16_t id, uint8_t seq, uint16_t epoch,
                 uint8_t join);

/* Returns whether the frame was accepted. value: ten numbers, read where SUM is set;
   any alignment. */
uint8_t member_take(struct member *m, uint8_t p, const struct head *head,
                    const void *value);

/* foot counts contact places; bit p of attached: connector p is mechanically closed. */
void member_decide(struct member *m, uint8_t touching, uint8_t foot, uint8_t attached);

/* What connector p is told. Returns 0 while the module keeps silent. Where the flag SUM
   is set, a sum has to go with it. */
uint8_t member_head(const struct member *m, uint8_t p, struct head *head);

uint32_t hash32(uint8_t count, const uint16_t *values);

#endif
