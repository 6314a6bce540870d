/* The machine that compiles. It does not count what a step costs. */
#include <stdint.h>
#include <stdio.h>

#define IN_FLASH
#define BOARD_REPEATS 1
#define BOARD_TICK 1
#define BOARD_MEASURED 0

static inline void board_start(void) {}
static inline void board_stop(void) {}
static inline void board_put(char c) { putchar(c); }
static inline uint32_t board_clock(void) { return 0; }
static inline uint32_t board_memory(void) { return 0; }
static inline uint32_t board_word(const uint32_t *table, uint32_t i)
{
  return table[i];
}
