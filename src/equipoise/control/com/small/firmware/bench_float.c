/* Runs the mass update and the steering on a table of states and prints what comes out.

   Lines of hexadecimal digits: f, q, m, s, h and the cycles of frames, routes, mass
   update, steering and holding; y and a word of an outcome; r and the memory used; e at the
   end. */
#include <stdint.h>
#include <string.h>

#include BOARD
#include "mass.h"
#include "module.h"
#include "steer.h"
#include "states.h"

#define WORDS 89

static float number[WORDS];
static struct frames frames;
static struct mass mass;
static struct routes routes;
static struct aim aim;
static float torque[JOINTS];
static const struct gains GAINS = MODULE_GAINS;

static void print_line(char kind, uint32_t word)
{
  board_put(kind);
  for (int8_t shift = 28; shift >= 0; shift -= 4)
    board_put("0123456789abcdef"[(word >> shift) & 15]);
  board_put('\n');
}

static void print_floats(const float *v, uint8_t count)
{
  for (uint8_t i = 0; i < count; ++i) {
    uint32_t word;
    memcpy(&word, v + i, 4);
    print_line('y', word);
  }
}

static uint32_t since(uint32_t start)
{
  const uint32_t a = board_clock(), b = board_clock();
  return a - start - (b - a);
}

static void trial(uint16_t k)
{
  uint32_t word;
  for (uint8_t i = 0; i < WORDS; ++i) {
    word = board_word(TABLE, (uint32_t)k * WORDS + i);
    memcpy(number + i, &word, 4);
  }
  uint32_t heard, quarters;
  memcpy(&heard, number + 27, 4);
  memcpy(&quarters, number + 28, 4);
  uint8_t quarter[PORTS];
  const float *in[PORTS];
  for (uint8_t p = 0; p < PORTS; ++p) {
    quarter[p] = (quarters >> (2 * p)) & 3;
    in[p] = number + 29 + 10 * p;
  }
  memcpy(aim.R_WM, number + 9, sizeof aim.R_WM + 9 * sizeof(float));
  aim.held = (uint8_t)(heard >> 8);
  uint32_t start = board_clock();
  frames_update(&frames, number);
  print_line('f', since(start));
  start = board_clock();
  routes_update(&routes, quarter);
  print_line('q', since(start));
  start = board_clock();
  mass_update(&mass, &frames, &routes, (uint8_t)heard, in);
  print_line('m', since(start));
  start = board_clock();
  steer(&mass, &frames, &GAINS, &aim, torque);
  print_line('s', since(start));
  for (uint8_t p = 0; p < PORTS; ++p)
    print_floats(mass_out(&mass, p), TEN);
  print_floats(mass.side_M[0], 2 * TEN);
  print_floats(mass.total_M, TEN);
  print_floats(torque, JOINTS);
  start = board_clock();
  hold(&GAINS, number + 6, number, number + 3, torque);
  print_line('h', since(start));
  print_floats(torque, JOINTS);
}

int main(void)
{
  board_start();
  for (uint16_t k = 0; k < TRIALS; ++k)
    trial(k);
  print_line('r', board_memory());
  print_line('e', TRIALS);
  board_stop();
  return 0;
}
