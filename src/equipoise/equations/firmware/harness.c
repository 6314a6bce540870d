/* Runs an exported block on a table of states and prints what comes out.

   Lines of hexadecimal digits: y and a word of an output; c and the cost of one step,
   where the board can tell; r and the memory used; e at the end. */
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "trial.h"

#define ROOM(n) ((n) > 0 ? (n) : 1)
#define WORDS (sizeof(real) / 4)

static real p[ROOM(PARAMETERS)], w[ROOM(WORK)], x[ROOM(GIVEN)], y[ROOM(RESULTS)];

static void fetch(real *to, uint32_t first, uint16_t count)
{
  for (uint16_t i = 0; i < count * WORDS; ++i) {
    const uint32_t word = board_word(TABLE, first * WORDS + i);
    memcpy((char *)to + 4 * i, &word, 4);
  }
}

static void print_line(char kind, uint32_t word)
{
  board_put(kind);
  for (int8_t shift = 28; shift >= 0; shift -= 4)
    board_put("0123456789abcdef"[(word >> shift) & 15]);
  board_put('\n');
}

static uint32_t cost(void)
{
  const uint32_t a = board_clock(), b = board_clock();
  for (uint16_t i = 0; i < BOARD_REPEATS; ++i)
    STEP(w, x, y);
  return (board_clock() - b - (b - a)) * BOARD_TICK / BOARD_REPEATS;
}

int main(void)
{
  board_start();
  fetch(p, 0, PARAMETERS);
  INIT(p, w);
  for (uint16_t k = 0; k < TRIALS; ++k) {
    fetch(x, PARAMETERS + (uint32_t)k * GIVEN, GIVEN);
    if (k < BOARD_MEASURED)
      print_line('c', cost());
    else
      STEP(w, x, y);
    for (uint16_t i = 0; i < RESULTS * WORDS; ++i) {
      uint32_t word;
      memcpy(&word, (char *)y + 4 * i, 4);
      print_line('y', word);
    }
  }
  print_line('r', board_memory());
  print_line('e', TRIALS);
  board_stop();
  return 0;
}
