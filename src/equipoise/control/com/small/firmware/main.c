/* One module on one processor: read lines as they come, pass a round, send, drive. */
#include "board.h"

static struct program program;
static struct senses senses;

static void read_lines(void)
{
  for (uint8_t k = 0; k < LINES; ++k) {
    uint8_t *line = board_line(k);
    if (!line)
      continue;
    if (line_unpack(line))
      program_mail(&program, board_port(k), line);
    board_read(k);
  }
}

static void send_lines(void)
{
  for (uint8_t k = 0; k < LINES; ++k) {
    const uint8_t p = board_port(k);
    if (!(senses.attached >> p & 1))
      continue;
    uint8_t *line = board_room(k);
    if (line && program_frame(&program, p, line + 1)) {
      line_pack(line);
      board_send(k);
    }
  }
}

static void start(void)
{
  struct identity own;
  board_start(&own);
  const uint16_t words[2] = {own.id, own.boots};
  const uint32_t drawn = hash32(2, words);
  program_boot(&program, own.id, (uint8_t)drawn, (uint16_t)(drawn >> 8),
               (uint8_t)(drawn >> 24));
  program_docked(&program, own.quarter);
}

int main(void)
{
  start();
  for (;;) {
    read_lines();
    if (!board_is_round())
      continue;
    board_mark(1);
    board_sense(&senses);
    program_round(&program, &senses);
    program_sums(&program, &senses);
    program_drive(&program, &senses);
    board_drive(program.drive.torque);
    send_lines();
    board_mark(0);
  }
}
