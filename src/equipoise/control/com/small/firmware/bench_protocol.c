/* Hands a table of frames to a module with six neighbours, round by round, and prints
   what it sends.

   Lines of hexadecimal digits: t, d, a, p and the cycles to take a frame, to decide, to
   act and to make a frame; y and a word of a frame; e at the end. */
#include <stdint.h>
#include <string.h>

#include BOARD
#include "program.h"
#include "mail.h"

#define WORDS (FRAME / 4)

static struct program program;
static struct senses senses;
static uint8_t line[LINE];

static void print_line(char kind, uint32_t word)
{
  board_put(kind);
  for (int8_t shift = 28; shift >= 0; shift -= 4)
    board_put("0123456789abcdef"[(word >> shift) & 15]);
  board_put('\n');
}

static uint32_t since(uint32_t start)
{
  const uint32_t a = board_clock(), b = board_clock();
  return a - start - (b - a);
}

/* A frame of zeros in the table stands for none. */
static void take(uint16_t row, uint8_t p)
{
  uint8_t any = 0;
  for (uint8_t i = 0; i < WORDS; ++i) {
    const uint32_t word = board_word(TABLE, (uint32_t)row * WORDS + i);
    any |= word != 0;
    memcpy(line + 1 + 4 * i, &word, 4);
  }
  if (!any)
    return;
  line_pack(line);
  const uint32_t start = board_clock();
  if (line_unpack(line))
    program_mail(&program, p, line);
  print_line('t', since(start));
}

static void send(uint8_t p)
{
  const uint32_t start = board_clock();
  const uint8_t talks = program_frame(&program, p, line + 1);
  if (talks)
    line_pack(line);
  const uint32_t cost = since(start);
  if (!talks)
    return;
  print_line('p', cost);
  line_unpack(line);
  for (uint8_t i = 0; i < WORDS; ++i) {
    uint32_t word;
    memcpy(&word, line + 4 * i, 4);
    print_line('y', word);
  }
}

int main(void)
{
  static const float ANGLES[JOINTS] = MAIL_ANGLES;
  board_start();
  program_boot(&program, MAIL_ID, MAIL_SEQ, MAIL_EPOCH, MAIL_JOIN);
  memcpy(senses.angle, ANGLES, sizeof ANGLES);
  senses.touching = 1;
  senses.attached = 0x3f;
  for (uint16_t k = 0; k < MAIL_ROUNDS; ++k) {
    for (uint8_t p = 0; p < PORTS; ++p)
      take((uint16_t)(k * PORTS + p), p);
    uint32_t start = board_clock();
    program_round(&program, &senses);
    print_line('d', since(start));
    start = board_clock();
    program_sums(&program, &senses);
    program_drive(&program, &senses);
    print_line('a', since(start));
    for (uint8_t p = 0; p < PORTS; ++p)
      send(p);
  }
  print_line('e', MAIL_ROUNDS);
  board_stop();
  return 0;
}
