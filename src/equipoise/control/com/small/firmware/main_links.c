/* The first of two processors: links, protocol and mass sums. What the joints feel comes
   from the second one by line 1, and what is known of masses goes there. */
#include "board.h"
#include "link.h"

enum { OUTSIDE, INSIDE };

static struct program program;
static struct senses senses;

static void read_lines(void)
{
  uint8_t *line = board_line(OUTSIDE);
  if (line) {
    if (line_unpack(line))
      program_mail(&program, board_port(OUTSIDE), line);
    board_read(OUTSIDE);
  }
  line = board_line(INSIDE);
  if (line) {
    if (line_unpack(line))
      link_unpack_senses(line, &senses);
    board_read(INSIDE);
  }
}

static void send_lines(void)
{
  const struct member *m = &program.member;
  const uint8_t p = board_port(OUTSIDE);
  uint8_t *line = board_room(OUTSIDE);
  if (line && (senses.attached >> p & 1) && program_frame(&program, p, line + 1)) {
    line_pack(line);
    board_send(OUTSIDE);
  }
  line = board_room(INSIDE);
  if (line) {
    link_pack_mass(line + 1, &program.mass, m->known && !m->open);
    line_pack(line);
    board_send(INSIDE);
  }
}

int main(void)
{
  struct identity own;
  board_start(&own);
  const uint16_t words[2] = {own.id, own.boots};
  const uint32_t drawn = hash32(2, words);
  program_boot(&program, own.id, (uint8_t)drawn, (uint16_t)(drawn >> 8),
               (uint8_t)(drawn >> 24));
  program_docked(&program, own.quarter);
  for (;;) {
    read_lines();
    if (!board_is_round())
      continue;
    board_mark(1);
    program_round(&program, &senses);
    program_sums(&program, &senses);
    send_lines();
    board_mark(0);
  }
}
